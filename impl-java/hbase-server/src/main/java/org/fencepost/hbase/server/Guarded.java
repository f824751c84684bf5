package org.fencepost.hbase.server;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.fencepost.protocol.TransactionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coprocessor's hooks as HBase sees them. HBase aborts the region server when a hook throws anything but an IOException; so
 * whatever RuntimeException a hook lets out becomes a DoNotRetryIOException of one sentence here, for that request alone. All hooks
 * go this way, those too that somebody adds later: it stands between HBase and the observer, not in each hook.
 *
 * <p>Gets that HBase would treat as raw scans end here, for all tables and all hooks. Else this is the second line: what comes from outside is checked where it is read. Errors, such as OutOfMemoryError, still
 * abort the server.
 */
public final class Guarded implements InvocationHandler {

    private static final Logger LOG = LoggerFactory.getLogger(Guarded.class);

    /** Begins what a client reads when the first line has a hole. */
    public static final String UNFORESEEN = "fencepost: unforeseen in ";

    /** HBase's own, of scans; gets have no method for it, and it is copied from them. */
    private static final String RAW = "_raw_";

    private final RegionObserver observer;

    private Guarded(RegionObserver observer) {
        this.observer = observer;
    }

    static RegionObserver of(RegionObserver observer) {
        return (RegionObserver) Proxy.newProxyInstance(Guarded.class.getClassLoader(), new Class<?>[] {RegionObserver.class},
                new Guarded(observer));
    }

    @Override
    public Object invoke(Object proxy, Method hook, Object[] arguments) throws Throwable {
        if (arguments != null && arguments.length > 1 && arguments[1] instanceof Get get && get.getAttribute(RAW) != null) {
            throw new DoNotRetryIOException("A get of this table is not raw, since HBase might never end it: scan the row.");
        }
        try {
            return hook.invoke(observer, arguments);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof RuntimeException unforeseen)) {
                throw e.getCause();
            }
            IOException answer = answer(hook.getName(), unforeseen);
            if (Arrays.asList(hook.getExceptionTypes()).contains(IOException.class)) {
                throw answer;
            }
            return null; // after the fact, and nobody is there to be told: postOpen, postClose and their like
        }
    }

    private static IOException answer(String hook, RuntimeException e) {
        if (e instanceof TransactionException) { // which is made to be read
            LOG.warn("{}: {}", hook, e.getMessage());
            return new DoNotRetryIOException(e.getMessage());
        }
        LOG.error("{} failed, which would have aborted the region server.", hook, e);
        return new DoNotRetryIOException(UNFORESEEN + hook + ", " + e.toString().lines().findFirst().orElse("")
                + ": the region server's log tells where.");
    }
}
