package org.fencepost.protocol.region;

import java.util.concurrent.atomic.AtomicLong;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.TransactionManager;

/**
 * The clock from which a region server draws the versions of fast-path writes (VLDB'18 section 4.3: LVC). It is lifted
 * by whoever reads or commits, counts in between, and never goes back. Thread-safe and without locks.
 *
 * <p>A timestamp of the transaction manager is a multiple of the span; of the numbers up to the next one, those that are no
 * levels ({@link Versions}) are versions of fast-path writes. The clock refuses to count over into the next timestamp.
 */
public final class LocalVersionClock {

    /** Answer of {@link #next}: no version is left before the next timestamp of the transaction manager. */
    public static final long EXHAUSTED = Timestamps.NIL;

    private final Versions versions;
    private final long span;
    /** Everything read, committed or drawn is at most this. */
    private final AtomicLong clock = new AtomicLong();

    /** Where transactions have one level: see {@link #LocalVersionClock(Versions)}. */
    public LocalVersionClock(long span) {
        this(new Versions(requireSpan(span), 1));
    }

    /** @param versions whose span is a power of two of at least 2, and not all levels */
    public LocalVersionClock(Versions versions) {
        long span = requireSpan(versions.span());
        if (versions.levels() == span) {
            throw new IllegalArgumentException("A span of " + span + " has no number beside its levels for the fast path.");
        }
        this.versions = versions;
        this.span = span;
    }

    private static long requireSpan(long span) {
        if (Long.bitCount(span) != 1 || span < 2) {
            throw new IllegalArgumentException("The fast path needs a span that is a power of two of at least 2, not "
                    + span + ".");
        }
        return span;
    }

    /**
     * Lifts the clock to a timestamp; a lower one changes nothing.
     *
     * @param ts given by the transaction manager
     * @throws IllegalArgumentException if the transaction manager that gave it leaves no room for fast-path versions
     */
    public void bump(long ts) {
        if (!isTimestamp(ts)) {
            throw new IllegalArgumentException("Timestamp " + ts + " is no multiple of the fast path's span " + span
                    + ": start the transaction manager with a leap of " + span + ".");
        }
        clock.accumulateAndGet(ts, Math::max);
    }

    /** Asks the transaction manager for the time and lifts the clock to it. Throws {@code TransactionManagerException}. */
    public void bootstrapClock(TransactionManager manager) {
        bump(bootstrapTs(manager));
    }

    /** Guard (VLDB'18 section 4.3): begin increments the transaction manager's clock, so nobody has drawn above it. */
    private static long bootstrapTs(TransactionManager manager) {
        long ts = manager.begin();
        manager.end(ts);
        return ts;
    }

    /** The next version, later than all that was read, committed or drawn here; EXHAUSTED if there is none. */
    public long next() {
        while (true) {
            long now = clock.get();
            if (!sequenceLeft(now)) {
                return EXHAUSTED;
            }
            long next = versions.nextFast(now);
            if (clock.compareAndSet(now, next)) {
                return next;
            }
        }
    }

    /** Whether {@link #next} would have an answer now. */
    public boolean sequenceLeft() {
        return sequenceLeft(clock.get());
    }

    private boolean sequenceLeft(long now) {
        return (now + 1) % span != 0;
    }

    /** Whether more than three quarters of what was left at the last timestamp are used up: time to ask for the next one. */
    public boolean sequenceLow() {
        return 4 * (clock.get() % span + 1) > 3 * span;
    }

    /** Whether the transaction manager can have given this number. */
    public boolean isTimestamp(long ts) {
        return versions.isTimestamp(ts);
    }

    /** As the clock stands. */
    public long now() {
        return clock.get();
    }

    public long span() {
        return span;
    }
}
