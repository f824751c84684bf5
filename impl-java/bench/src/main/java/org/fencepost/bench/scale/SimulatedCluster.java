package org.fencepost.bench.scale;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Scheduler;

/**
 * Omid LL itself, on region servers and a transaction manager that are queues in virtual time. Clients run YCSB's workload A, half single reads and half
 * single writes, one transaction after the other. Keys and commit entries are spread over all region servers.
 */
final class SimulatedCluster {

    /**
     * What a run came to.
     *
     * @param perSecond transactions that committed
     * @param meanMicros of a transaction, as its client sees it
     * @param regionServers share of their cores that was busy
     * @param manager       the same of the manager's core
     */
    record Result(int servers, double perSecond, double meanMicros, double regionServers, double manager) {
    }

    private static final int CORES = 2;
    private static final int KEYS_PER_SERVER = 10_000;
    private static final long LIFETIME_NANOS = 60_000_000_000L;
    private static final int CONFLICT_ENTRIES = 1 << 20;
    private static final int ACTIVE_WINDOW = 1 << 16;

    private final Costs costs;
    private final int servers;
    private final long untilNanos;
    private final Scheduler scheduler;
    private final List<Queue> regionServers;
    private final Queue managerCore;
    private final InMemoryStore<Integer, Integer> records = new InMemoryStore<>();
    private final InMemoryCommitTable entries = new InMemoryCommitTable();
    private final LocalTransactionManager timestamps;
    private final OmidLL<Integer, Integer> protocol;
    private long committed;
    private long latencyNanos;

    private SimulatedCluster(int servers, Costs costs, double seconds, Carriers carriers) {
        this.servers = servers;
        this.costs = costs;
        this.untilNanos = (long) (seconds * 1e9);
        this.scheduler = new Scheduler(carriers, Long.MAX_VALUE);
        this.regionServers = IntStream.range(0, servers).mapToObj(i -> new Queue(CORES, new SplittableRandom(i))).toList();
        this.managerCore = new Queue(1, new SplittableRandom(servers));
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return scheduler.nanos();
            }

            @Override
            public void sleep(long nanos) {
                scheduler.pause(nanos);
            }
        };
        TransactionManagerCore.Settings settings = new TransactionManagerCore.Settings(1, CONFLICT_ENTRIES, 2 * LIFETIME_NANOS, ACTIVE_WINDOW);
        this.timestamps = new LocalTransactionManager(new TransactionManagerCore(settings, 0, Long.MAX_VALUE / 2, 0, 0, Tracer.OFF), clock);
        this.protocol = new OmidLL<>(new Store(), new Table(), new Manager(), clock, Integer::intValue,
                new OmidLL.Settings(LIFETIME_NANOS, 10_000_000, LIFETIME_NANOS, 3, true), Tracer.OFF);
    }

    /** @param clients for each server */
    static Result run(int servers, int clients, Costs costs, double seconds, Carriers carriers) {
        SimulatedCluster cluster = new SimulatedCluster(servers, costs, seconds, carriers);
        List<Scheduler.Part> parts = new ArrayList<>();
        for (int i = 0; i < servers * clients; i++) {
            SplittableRandom random = new SplittableRandom(1_000 + i);
            parts.add(new Scheduler.Part("client " + i, () -> cluster.transact(random)));
        }
        try {
            cluster.scheduler.run(parts);
        } catch (Throwable e) {
            throw new IllegalStateException("The run failed.", e);
        }
        long now = cluster.scheduler.nanos();
        return new Result(servers, cluster.committed / (now / 1e9), cluster.latencyNanos / 1e3 / cluster.committed,
                cluster.regionServers.stream().mapToDouble(s -> s.utilization(now)).average().orElseThrow(), cluster.managerCore.utilization(now));
    }

    private void transact(SplittableRandom random) {
        while (scheduler.nanos() < untilNanos) {
            long begun = scheduler.nanos();
            int key = random.nextInt(servers * KEYS_PER_SERVER);
            OmidLLTransaction<Integer, Integer> tx = protocol.begin();
            try {
                if (random.nextBoolean()) {
                    protocol.read(tx, key);
                } else {
                    protocol.buffer(tx, key, Write.of(key));
                }
                Committed<Integer> done = protocol.commit(tx);
                committed++;
                latencyNanos += scheduler.nanos() - begun;
                if (!done.isReadOnly()) {
                    postCommit(done);
                }
            } catch (TransactionAbortedException e) {
                continue; // a conflict, which is rare among so many keys
            }
        }
    }

    // ---- requests

    private Queue of(long key) {
        return regionServers.get((int) Math.floorMod(key * 0x9E3779B97F4A7C15L >>> 17, (long) servers));
    }

    /** Nobody waits for it. */
    private void postCommit(Committed<Integer> done) {
        later(of(done.keys().iterator().next()), () -> {
            List<Long> removable = protocol.postCommit(List.of(done));
            later(of(done.startTs()), () -> protocol.removeCommitEntry(removable));
        });
    }

    private void later(Queue server, Runnable effect) {
        scheduler.after(network(), () -> scheduler.after(server.serve(scheduler.nanos(), costs.write()) - scheduler.nanos(), effect));
    }

    private long network() {
        return (long) (costs.network() * 1_000);
    }

    /** There, in the queue, and back. In an event the caller has been through the queue. */
    private <T> T ask(Queue server, double micros, Supplier<T> effect) {
        if (scheduler.inEvent()) {
            return effect.get();
        }
        scheduler.pause(network());
        scheduler.pause(server.serve(scheduler.nanos(), micros) - scheduler.nanos());
        T answer = effect.get();
        scheduler.pause(network());
        return answer;
    }

    private void act(Queue server, Runnable effect) {
        ask(server, costs.write(), () -> {
            effect.run();
            return null;
        });
    }

    private final class Store implements VersionedStore<Integer, Integer> {
        @Override
        public void put(long version, Map<Integer, Write<Integer>> writes) {
            writes.forEach((key, write) -> act(of(key), () -> records.put(version, Map.of(key, write))));
        }

        @Override
        public Iterator<Record<Integer>> get(Integer key, long fromVersion) {
            return ask(of(key), costs.read(), () -> records.get(key, fromVersion));
        }

        @Override
        public Record<Integer> reread(Integer key, long version) {
            return ask(of(key), costs.read(), () -> records.reread(key, version));
        }

        @Override
        public void putCommitCells(Collection<Integer> keys, long version, long commitTs) {
            keys.forEach(key -> act(of(key), () -> records.putCommitCells(List.of(key), version, commitTs)));
        }

        @Override
        public void remove(Collection<Integer> keys, long version) {
            keys.forEach(key -> act(of(key), () -> records.remove(List.of(key), version)));
        }
    }

    private final class Table implements CommitTable {
        @Override
        public long get(long startTs) {
            return ask(of(startTs), costs.read(), () -> entries.get(startTs));
        }

        @Override
        public long checkAndMutate(long startTs, long entry) {
            return ask(of(startTs), costs.write(), () -> entries.checkAndMutate(startTs, entry));
        }

        @Override
        public void remove(long startTs) {
            act(of(startTs), () -> entries.remove(startTs));
        }

        @Override
        public void raiseWatermark(long watermark) {
            entries.raiseWatermark(watermark);
        }

        @Override
        public long watermark() {
            return entries.watermark();
        }

        @Override
        public PrimitiveIterator.OfLong entriesBelow(long watermark) {
            return entries.entriesBelow(watermark);
        }
    }

    private final class Manager implements TransactionManager {
        @Override
        public long begin() {
            return ask(managerCore, costs.manager(), timestamps::begin);
        }

        @Override
        public long commit(long startTs, long[] writeSet, long[] tables) {
            return ask(managerCore, costs.manager(), () -> timestamps.commit(startTs, writeSet, tables));
        }

        /** Nobody waits for it. */
        @Override
        public void end(long startTs) {
            managerCore.serve(scheduler.nanos(), costs.manager());
            timestamps.end(startTs);
        }

        @Override
        public long collectableBelow() {
            return timestamps.collectableBelow();
        }
    }
}
