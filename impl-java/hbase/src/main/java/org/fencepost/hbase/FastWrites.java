package org.fencepost.hbase;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The fast-path writes in flight in a region, by row. A row enters before its version is drawn and leaves once the record
 * can be read. A reader lifts the clock first and then waits for those that it finds here with an older version: whoever
 * enters later draws a later one, so a reader waits for one store of each row at most, and never for other readers.
 */
final class FastWrites {

    private static final long NOT_DRAWN = 0;
    /** Far beyond any store; then something is broken, and the reader had better try again than wait on. */
    private static final long PATIENCE_SECONDS = 30;

    /** One write of a row; its row lock admits one at a time. */
    static final class InFlight {
        private volatile long version = NOT_DRAWN;
        private final CountDownLatch left = new CountDownLatch(1);

        void drawn(long drawnVersion) {
            version = drawnVersion;
        }

        /** Between entry and draw there is nothing that takes time. */
        private long version() {
            while (version == NOT_DRAWN && left.getCount() > 0) {
                Thread.onSpinWait();
            }
            return version;
        }
    }

    private final ConcurrentNavigableMap<byte[], InFlight> rows = new ConcurrentSkipListMap<>(Bytes.BYTES_COMPARATOR);

    InFlight enter(byte[] row) {
        InFlight write = new InFlight();
        rows.put(row, write);
        return write;
    }

    void leave(byte[] row, InFlight write) {
        rows.remove(row, write);
        write.left.countDown();
    }

    /** For a get: returns when no older write of the row is in flight, and whether one was. */
    boolean await(byte[] row, long snapshot) throws IOException {
        InFlight write = rows.get(row);
        return write != null && await(List.of(write), snapshot);
    }

    /**
     * The same for the rows of a scan.
     *
     * @param first first row in the order of rows, whatever the direction of the scan; empty: from the beginning
     * @param last  last row, whether or not the scan includes it; empty: to the end
     */
    boolean await(byte[] first, byte[] last, long snapshot) throws IOException {
        if (rows.isEmpty()) {
            return false;
        }
        ConcurrentNavigableMap<byte[], InFlight> from = rows.tailMap(first, true);
        return await((last.length == 0 ? from : from.headMap(last, true)).values(), snapshot);
    }

    private static boolean await(Collection<InFlight> writes, long snapshot) throws IOException {
        boolean waited = false;
        for (InFlight write : writes) {
            if (write.version() < snapshot) {
                if (!left(write)) {
                    throw new RegionTooBusyException("A fast-path write has been in flight for " + PATIENCE_SECONDS + " s.");
                }
                waited = true;
            }
        }
        return waited;
    }

    private static boolean left(InFlight write) throws IOException {
        try {
            return write.left.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw Failures.interrupted(e);
        }
    }
}
