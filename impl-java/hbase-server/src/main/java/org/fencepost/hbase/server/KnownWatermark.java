package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.protocol.store.StoreException;

/**
 * The commit table's watermark, for requests that come often: one handler looks it up once a second, and the others take the one before, as long as that is no older
 * than ten seconds. Thread-safe.
 */
final class KnownWatermark {

    private static final long LOOK_NANOS = 1_000_000_000L;
    private static final long MOST_NANOS = 10 * LOOK_NANOS;

    /** Looks it up. */
    interface Look {

        /** Throws StoreException or IOException if it cannot. */
        long watermark() throws IOException;
    }

    /** @param nanos by System.nanoTime, before the look */
    private record Known(long watermark, long nanos) {
    }

    private final AtomicBoolean looks = new AtomicBoolean();
    private volatile Known known;

    /** Throws IOException if it cannot be looked up, and is too old. */
    long from(Look commitTable) throws IOException {
        Known before = known;
        long now = System.nanoTime();
        if (before != null && now - before.nanos < MOST_NANOS && (now - before.nanos < LOOK_NANOS || !looks.compareAndSet(false, true))) {
            return before.watermark;
        }
        try {
            Known found = new Known(commitTable.watermark(), now);
            known = found;
            return found.watermark;
        } catch (StoreException e) {
            throw new IOException(Failures.reason(e), e);
        } finally {
            looks.set(false);
        }
    }
}
