package org.fencepost.protocol.region;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The writes in flight in a region that draw their version from the server's clock, by row. A write enters before its version
 * is drawn and leaves once the record can be read. A reader lifts the clock first and then waits for those that it finds here
 * with an older version: whoever enters later draws a later one, so a reader waits for the writes that it finds and no
 * others, and never for other readers. Thread-safe.
 *
 * @param <R> rows
 * @param <E> what may go wrong in waiting
 */
public final class WritesInFlight<R, E extends Exception> {

    private static final long NOT_DRAWN = 0;

    /** One write of a row. */
    public static final class InFlight<R, E extends Exception> {
        private final R row;
        private final long number;
        private volatile long version = NOT_DRAWN;
        private volatile boolean over;
        private final Signal<E> left;

        private InFlight(R row, long number, Signal<E> left) {
            this.row = row;
            this.number = number;
            this.left = left;
        }

        /** To be called once, right after {@link #enter}, unless it leaves without. */
        public void drawn(long drawnVersion) {
            version = drawnVersion;
        }

        /** Between entry and draw there is nothing that takes time. */
        private long awaitVersion() {
            while (version == NOT_DRAWN && !over) {
                Thread.onSpinWait();
            }
            return version;
        }

        public R row() {
            return row;
        }

        /** What was drawn. */
        public long version() {
            return version;
        }
    }

    private final Supplier<Signal<E>> signals;
    private final AtomicLong entered = new AtomicLong();
    private final Comparator<? super R> order;
    /** By row, then in the order in which they entered. */
    private final NavigableSet<InFlight<R, E>> writes;

    /** @param signals a new one for each write, by which it tells that it has left */
    public WritesInFlight(Comparator<? super R> order, Supplier<Signal<E>> signals) {
        this.order = order;
        this.writes = new ConcurrentSkipListSet<>((a, b) -> {
            int byRow = order.compare(a.row, b.row);
            return byRow != 0 ? byRow : Long.compare(a.number, b.number);
        });
        this.signals = signals;
    }

    public InFlight<R, E> enter(R row) {
        InFlight<R, E> write = new InFlight<>(row, entered.incrementAndGet(), signals.get());
        writes.add(write);
        return write;
    }

    /** The same of a write of several rows, which enter together: nothing that takes time comes between them either. */
    public List<InFlight<R, E>> enter(Collection<R> rows) {
        List<InFlight<R, E>> entering = rows.stream().map(row -> new InFlight<>(row, entered.incrementAndGet(), signals.get())).toList();
        writes.addAll(entering);
        return entering;
    }

    public void leave(InFlight<R, E> write) {
        writes.remove(write);
        write.over = true;
        write.left.give();
    }

    /** For a get: returns when no older write of the row is in flight, and whether one was. */
    public boolean await(R row, long snapshot) throws E {
        return await(row, row, snapshot);
    }

    /**
     * The same for the rows of a scan.
     *
     * @param first first row in the order of rows, whatever the direction of the scan
     * @param last  last row, whether or not the scan includes it; null: to the end. Where it comes before the first one, the
     *              scan finds nothing, and nothing is waited for
     */
    public boolean await(R first, R last, long snapshot) throws E {
        if (writes.isEmpty()) {
            return false;
        }
        boolean waited = false;
        for (InFlight<R, E> write : writes.tailSet(new InFlight<>(first, 0, null), true)) {
            if (last != null && order.compare(write.row, last) > 0) {
                break;
            }
            if (write.awaitVersion() < snapshot && !write.over) {
                write.left.await();
                waited = true;
            }
        }
        return waited;
    }
}
