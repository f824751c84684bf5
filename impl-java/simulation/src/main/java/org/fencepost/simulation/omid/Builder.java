package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.IndexBuild;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;

/** Builds the index while clients write its table. When it dies, another one goes on where it was; or beside it, if it was only given up. */
final class Builder implements Runnable {

    private static final int MAX_WAITS = 64;
    private static final int MAX_CHANGES = 3;

    private final Plan plan;
    private final Scheduler scheduler;
    private final Endpoint endpoint;
    private final Network network;
    private final OmidLL<String, Long> ll;
    private final Index index;
    private final SplittableRandom random;
    private final BooleanSupplier goOn;
    private final boolean shortParts;
    private final IndexBuild<String, Long> build;

    /**
     * @param goOn       asked before each part
     * @param shortParts whether a part populates one row
     */
    Builder(Plan plan, Scheduler scheduler, Endpoint endpoint, OmidLL<String, Long> ll, Index index, SplittableRandom random, BooleanSupplier goOn,
            boolean shortParts, Tracer tracer) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.endpoint = endpoint;
        this.network = endpoint.network();
        this.ll = ll;
        this.index = index;
        this.random = random;
        this.goOn = goOn;
        this.shortParts = shortParts;
        this.build = new IndexBuild<>(ll, endpoint.store, endpoint.manager, index.kept(ll, tracer), index.table(), tracer);
    }

    @Override
    public void run() {
        for (int i = MAX_WAITS; i > 0 && (!index.hasAllRows() || random.nextInt(4) > 0); i--) {
            scheduler.pause(plan.latency(random) + plan.think(random));
        }
        while (!index.isReady() && goOn.getAsBoolean()) {
            try {
                build();
            } catch (Death | TransactionManagerException | StoreException e) {
                network.await(plan.latency(random)); // another one goes on
            }
        }
    }

    private void build() {
        for (String row : plan.keys()) {
            scheduler.pause(random.nextInt(4) == 0 ? plan.stall(random) : plan.latency(random));
            index.keep(row);
        }
        if (random.nextBoolean()) { // so that somebody is about to commit
            scheduler.pauseUntilChanged("timestamps", 1 + random.nextInt(MAX_CHANGES), plan.stall(random));
        }
        index.fenced(build.fence());
        Set<String> populated = new HashSet<>(index.populated());
        do {
            part(populated);
            index.populated().addAll(populated);
        } while (!index.isReady() && goOn.getAsBoolean());
    }

    /** Populates one row at least, if its time lasts. Then it may leave the others to the next part. */
    private void part(Set<String> populated) {
        OmidLLTransaction<String, Long> part = build.buildBegin();
        List<String> left = new ArrayList<>(plan.keys());
        left.removeAll(populated);
        try {
            for (String row : left) {
                if (left.get(0) != row && (shortParts || random.nextInt(4) == 0)) {
                    build.endPart(part);
                    return;
                }
                populate(part, row);
                populated.add(row);
            }
            index.ready(build.ready(part));
        } catch (TransactionAbortedException e) {
            scheduler.pause(plan.latency(random)); // its time is up: the next one goes on
        }
    }

    private void populate(OmidLLTransaction<String, Long> part, String row) {
        Record<Long> found = endpoint.read(ll, part, row, endpoint.get());
        scheduler.pause(!shortParts && random.nextInt(4) == 0 ? plan.stall(random) : plan.think(random));
        build.populate(part, Collections.singletonMap(row, found));
    }
}
