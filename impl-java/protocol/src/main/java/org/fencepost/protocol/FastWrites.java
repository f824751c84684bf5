package org.fencepost.protocol;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/**
 * The fast-path writes in flight in a region, by row. A row enters before its version is drawn and leaves once the record
 * can be read. A reader lifts the clock first and then waits for those that it finds here with an older version: whoever
 * enters later draws a later one, so a reader waits for one store of each row at most, and never for other readers.
 */
final class FastWrites<R, E extends Exception> {

    private static final long NOT_DRAWN = 0;

    /** One write of a row; its row lock admits one at a time. */
    static final class InFlight<E extends Exception> {
        private volatile long version = NOT_DRAWN;
        private volatile boolean over;
        private final FastRegion.Signal<E> left;

        InFlight(FastRegion.Signal<E> left) {
            this.left = left;
        }

        void drawn(long drawnVersion) {
            version = drawnVersion;
        }

        /** Between entry and draw there is nothing that takes time. */
        private long version() {
            while (version == NOT_DRAWN && !over) {
                Thread.onSpinWait();
            }
            return version;
        }
    }

    private final Supplier<FastRegion.Signal<E>> signals;
    private final ConcurrentNavigableMap<R, InFlight<E>> rows;

    /** @param signals a new one for each write, by which it tells that it has left */
    FastWrites(Comparator<? super R> order, Supplier<FastRegion.Signal<E>> signals) {
        this.rows = new ConcurrentSkipListMap<>(order);
        this.signals = signals;
    }

    InFlight<E> enter(R row) {
        InFlight<E> write = new InFlight<>(signals.get());
        rows.put(row, write);
        return write;
    }

    void leave(R row, InFlight<E> write) {
        rows.remove(row, write);
        write.over = true;
        write.left.give();
    }

    /** For a get: returns when no older write of the row is in flight, and whether one was. */
    boolean await(R row, long snapshot) throws E {
        InFlight<E> write = rows.get(row);
        return write != null && await(List.of(write), snapshot);
    }

    /**
     * The same for the rows of a scan.
     *
     * @param first first row in the order of rows, whatever the direction of the scan
     * @param last  last row, whether or not the scan includes it; null: to the end
     */
    boolean await(R first, R last, long snapshot) throws E {
        if (rows.isEmpty()) {
            return false;
        }
        ConcurrentNavigableMap<R, InFlight<E>> from = rows.tailMap(first, true);
        return await((last == null ? from : from.headMap(last, true)).values(), snapshot);
    }

    private static <E extends Exception> boolean await(Collection<InFlight<E>> writes, long snapshot) throws E {
        boolean waited = false;
        for (InFlight<E> write : writes) {
            if (write.version() < snapshot) {
                write.left.await();
                waited = true;
            }
        }
        return waited;
    }
}
