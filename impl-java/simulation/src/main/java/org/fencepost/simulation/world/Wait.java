package org.fencepost.simulation.world;

import java.util.SplittableRandom;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.store.StoreException;

/** Requests that wait in a server give the turn to others. What happens in an event cannot wait, and fails. */
public final class Wait implements Signal<RuntimeException> {

    private final Plan plan;
    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final String name;
    private final long patienceNanos;
    private boolean given;

    /** @param name of this one alone */
    public Wait(Plan plan, Scheduler scheduler, SplittableRandom random, String name, long patienceNanos) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.random = random;
        this.name = name;
        this.patienceNanos = patienceNanos;
    }

    @Override
    public void give() {
        given = true;
        scheduler.changed(name);
    }

    @Override
    public void await() {
        if (scheduler.inEvent()) {
            throw new StoreException("nobody waits here");
        }
        long begun = scheduler.nanos();
        while (!given && scheduler.nanos() - begun < patienceNanos) {
            scheduler.pauseUntilChanged(name, 1, Math.min(patienceNanos, plan.leaseNanos()));
        }
        scheduler.pause(plan.latency(random) / 4); // who is woken does not go on at once
    }
}
