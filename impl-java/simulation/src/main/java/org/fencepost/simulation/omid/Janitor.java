package org.fencepost.simulation.omid;

import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.AgedWatermarks;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;

/** Collects at any time, and lets the store compact. A pass that fails is begun again; a janitor that dies is replaced. */
final class Janitor implements Runnable {

    /** Where nothing happens for long, such as during a stall, passes become rarer by and by. */
    private static final int MAX_DOUBLINGS = 4;

    private final Plan plan;
    private final Endpoint endpoint;
    private final StoreServer storeServer;
    private final Scheduler scheduler;
    private final Clock clock;
    private final SplittableRandom random;
    private final BooleanSupplier goOn;
    private final Collector<String, Long> collector;

    Janitor(Plan plan, Endpoint endpoint, StoreServer storeServer, Scheduler scheduler, Clock clock, SplittableRandom random,
            BooleanSupplier goOn, Tracer tracer) {
        this.plan = plan;
        this.endpoint = endpoint;
        this.storeServer = storeServer;
        this.scheduler = scheduler;
        this.clock = clock;
        this.random = random;
        this.goOn = goOn;
        this.collector = endpoint.collector(tracer);
    }

    @Override
    public void run() {
        while (goOn.getAsBoolean()) {
            try {
                work();
            } catch (Death e) {
                // another takes over, who knows nothing of the watermarks allowed to this one
            }
        }
    }

    private void work() {
        AgedWatermarks watermarks = new AgedWatermarks(endpoint.manager, clock, plan.graceNanos());
        long seen = 0;
        int idle = 0;
        while (goOn.getAsBoolean()) {
            scheduler.pause(random.nextLong(plan.collectorPauseNanos()) << idle);
            idle = seen == storeServer.changes() ? Math.min(idle + 1, MAX_DOUBLINGS) : 0;
            seen = storeServer.changes();
            try {
                long watermark = watermarks.next();
                if (watermark > 0) {
                    collector.collect(plan.storedKeys(), watermark);
                }
            } catch (StoreException | TransactionManagerException e) {
                // the next pass makes up for it
            }
            if (random.nextInt(4) == 0) {
                storeServer.majorCompaction(plan.storedKeys().get(random.nextInt(plan.storedKeys().size())));
            }
        }
    }
}
