package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** JVMs that TLC runs in ({@link TlcHost}), as many as there are jobs at the same time. Who closes this ends those that are at work, too. */
final class TlcHosts implements AutoCloseable {
    private final Path jar;
    private final Path tmp;
    private final Set<TlcHost> all = new HashSet<>();
    private final Deque<TlcHost> idle = new ArrayDeque<>();
    private int started;
    private boolean closed;

    /**
     * @param jar TLC's
     * @param tmp gets a folder for each of them, which is deleted with it
     */
    TlcHosts(Path jar, Path tmp) {
        this.jar = jar;
        this.tmp = tmp;
    }

    /**
     * The result of a job; in a JVM of its own if it may not share one, or did not end as expected there.
     *
     * @param jvm see {@link TlcHost#start}, asked only if it shares; one that was started in another way ends
     * @param run gets null for a JVM of its own
     */
    Result run(boolean shares, Supplier<List<String>> jvm, Function<TlcHost, Result> run) throws IOException {
        Result shared = shares ? use(jvm.get(), run) : null;
        return shared != null && (shared.asExpected() || isClosed()) ? shared : run.apply(null);
    }

    private Result use(List<String> jvm, Function<TlcHost, Result> run) throws IOException {
        TlcHost host = take(jvm);
        try {
            return run.apply(host);
        } finally {
            giveBack(host);
        }
    }

    private synchronized TlcHost take(List<String> jvm) throws IOException {
        if (closed) {
            throw new IOException("the JVMs for TLC have been ended");
        }
        TlcHost host = idle.poll();
        if (host != null && host.is(jvm)) {
            return host;
        }
        if (host != null) {
            all.remove(host);
            host.close();
        }
        TlcHost other = TlcHost.start(jvm, jar, tmp.resolve(Integer.toString(++started)));
        all.add(other);
        return other;
    }

    private synchronized void giveBack(TlcHost host) {
        idle.add(host);
    }

    /** Then what broke off is no reason to start a JVM. */
    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        all.forEach(TlcHost::close);
    }
}
