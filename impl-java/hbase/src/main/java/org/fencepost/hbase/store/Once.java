package org.fencepost.hbase.store;

import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.NoServerForRegionException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.fencepost.hbase.layout.Failures;

/**
 * Sends requests that must not be carried out twice. HBase's client repeats requests whose answer was lost, without
 * telling. So these go through a connection that never repeats, and only what HBase has certainly refused is sent again.
 */
public final class Once {

    private static final long PAUSE_MILLIS = 50;

    /** A request to HBase and the reading of its answer. */
    public interface Request<T> {
        T send() throws IOException;
    }

    private Once() {
    }

    /** The configuration of a connection that never repeats a request. */
    static Configuration once(Configuration conf) {
        Configuration once = new Configuration(conf);
        once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        return once;
    }

    /** Throws what the request throws if it may have been carried out, or if it was refused for so long. */
    public static <T> T send(int timeoutMillis, Request<T> request) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            try {
                return request.send();
            } catch (IOException e) {
                if (!wasRefused(e) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw Failures.interrupted(e);
        }
    }

    /** True if the request was certainly not carried out: it never left, or the server says that it did not start. */
    public static boolean wasRefused(IOException e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof NotServingRegionException || t instanceof RegionTooBusyException
                    || t instanceof CallQueueTooBigException || t instanceof ServerTooBusyException
                    || t instanceof ServerNotRunningYetException || t instanceof RegionServerStoppedException
                    || t instanceof NoServerForRegionException || t instanceof FailedServerException || t instanceof ConnectException) {
                return true;
            }
        }
        return false;
    }
}
