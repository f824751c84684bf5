package org.fencepost.simulation.world;

import java.util.SplittableRandom;
import org.fencepost.protocol.Clock;

/** A clock that starts anywhere and runs fast or slow, or neither. Its owner sleeps in virtual time. */
public final class DriftingClock implements Clock {

    private final Scheduler scheduler;
    private final long origin;
    private final double rate;

    /** @param drift by what fraction it may run fast or slow @param owner for the log */
    public DriftingClock(Scheduler scheduler, double drift, SplittableRandom random, String owner, EventLog log) {
        this.scheduler = scheduler;
        this.origin = random.nextLong(Long.MIN_VALUE, Long.MAX_VALUE);
        this.rate = 1 + (random.nextInt(3) - 1) * drift;
        if (rate != 1) {
            log.fault(Fault.DRIFT, "clock", owner, "rate", rate);
        }
    }

    @Override
    public long nanos() {
        return origin + (long) (scheduler.nanos() * rate); // wraps around: clocks are compared by subtraction
    }

    @Override
    public void sleep(long nanos) {
        scheduler.pause(duration(nanos));
    }

    /** How long it takes to advance by so much. */
    public long duration(long nanos) {
        return (long) (nanos / rate);
    }
}
