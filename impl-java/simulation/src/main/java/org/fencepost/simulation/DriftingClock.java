package org.fencepost.simulation;

import java.util.SplittableRandom;

import org.fencepost.protocol.Clock;

/** A clock that starts anywhere and runs fast or slow, by at most {@link Plan#DRIFT}. Its owner sleeps in virtual time. */
final class DriftingClock implements Clock {

    private final Scheduler scheduler;
    private final long origin;
    private final double rate;

    DriftingClock(Scheduler scheduler, Plan plan, SplittableRandom random) {
        this.scheduler = scheduler;
        this.origin = random.nextLong(Long.MIN_VALUE, Long.MAX_VALUE);
        double drift = (random.nextInt(3) - 1) * Plan.DRIFT;
        this.rate = plan.has(Fault.DRIFT) ? 1 + drift : 1;
    }

    @Override
    public long nanos() {
        return origin + (long) (scheduler.nanos() * rate); // wraps around: clocks are compared by subtraction
    }

    @Override
    public void sleep(long nanos) {
        scheduler.pause((long) (nanos / rate));
    }
}
