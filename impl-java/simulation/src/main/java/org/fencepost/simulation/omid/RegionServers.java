package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.fastpath.FastRegion.Answer;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Luck;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.RegionServer;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.simulation.world.Wait;

/**
 * The region servers of a store with a fast path, or with commits in one phase: rows in regions, each open on one server, each with its own
 * {@link FastRegion}. Row locks are where HBase has them. A fast-path write holds its row exclusively from the look to the
 * stored record, and others get in between while it stores. Mutations of regular transactions hold the shared half, at the moment
 * when they take effect. Reads hold nothing: between the hook before a get and the get others may get in.
 *
 * <p>A region is moved when no write is in it; what waits outside, such as a read, finds the region gone and begins again
 * at its new server. When a server dies, its clock and the writes in flight are lost.
 */
final class RegionServers {

    /** How long a mutation that met a locked row stays away. */
    private static final long AGAIN_NANOS = 20_000;

    /** Of these nobody hears when the region was closed meanwhile. */
    private static final Set<Action> OF_OPEN_REGIONS = EnumSet.of(Action.AwaitFastWrites, Action.AcceptBatch, Action.RefuseBatch);

    /** Once opened. */
    private final class Region {
        private final int number;
        private final RegionServer server;
        private final FastRegion<Integer, RuntimeException> fast;
        private final Set<Integer> lockedRows = new HashSet<>();
        private boolean open = true;

        Region(int number, RegionServer server) {
            this.number = number;
            this.server = server;
            this.fast = new FastRegion<>(server.clock(), server, newWait(plan.fastPatienceNanos()), Integer::compare, Integer::intValue,
                    this::enterWrite, () -> this::event);
        }

        /** Of a region that was closed meanwhile: an answer lifts the clock of its server all the same, and who has waited looks elsewhere. */
        private void event(Action action, Object... arguments) {
            if (!open && action == Action.BootstrapClock) {
                log.served("LiftClock", "server", server.name(), "clock", server.clock().now());
            } else if (action == Action.BootstrapClock) {
                log.event(action, arguments[0], arguments[1], "key", keyOf(number));
            } else if (action == Action.BumpClock) {
                Integer looked = (Integer) arguments[3];
                firstKeys(row -> looked == null ? plan.region(row) == number : row == looked)
                        .forEach(key -> log.event(action, arguments[0], arguments[1], "key", key));
            } else if (open || !OF_OPEN_REGIONS.contains(action)) {
                log.event(action, arguments);
            }
        }

        /** Called when a write enters. Others get in before it does. */
        private Wait enterWrite() {
            if (!scheduler.inEvent() && random.nextInt(4) == 0) {
                scheduler.pause(luck.isFaulty() ? plan.storeNanos(random) : 1);
            }
            return newWait(Long.MAX_VALUE);
        }

        void requireOpen() {
            if (!open) {
                throw new StoreException("region " + number + " was closed meanwhile");
            }
        }

        void close() {
            open = false;
            fast.close();
            lockedRows.clear();
        }
    }

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final StoreServer store;
    private final SplittableRandom random;
    private final List<RegionServer> servers = new ArrayList<>();
    private final TreeMap<Integer, Region> regions = new TreeMap<>();
    private final Luck luck;
    private int waits;

    RegionServers(Plan plan, Scheduler scheduler, EventLog log, StoreServer store) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.store = store;
        this.random = plan.random("regions");
        this.luck = new Luck(plan, random);
    }

    private Wait newWait(long patienceNanos) {
        return new Wait(plan, scheduler, random, "wait " + waits++, patienceNanos);
    }

    void add(RegionServer server) {
        servers.add(server);
    }

    List<RegionServer> servers() {
        return servers;
    }

    /** To be called when all servers are there. */
    void openAll() {
        plan.keys().forEach(key -> regions.computeIfAbsent(plan.region(plan.row(key)), number -> open(number, anyServer())));
    }

    /** By which traces name rows. */
    private Stream<String> firstKeys(IntPredicate rows) {
        Set<Integer> named = new HashSet<>();
        return plan.keys().stream().filter(key -> rows.test(plan.row(key)) && named.add(plan.row(key)));
    }

    /** By which traces name a region. */
    private String keyOf(int region) {
        return firstKeys(row -> plan.region(row) == region).findFirst().orElseThrow();
    }

    private Region open(int number, RegionServer server) {
        log.served("OpenRegion", "server", server.name(), "key", keyOf(number));
        Region region = new Region(number, server);
        region.fast.bootstrapClock();
        return region;
    }

    private RegionServer anyServer() {
        return servers.get(random.nextInt(servers.size()));
    }

    /** The end of all faults. */
    void heal() {
        luck.heal();
        servers.forEach(RegionServer::heal);
    }

    // ---- faults

    /** A request for the row arrives. */
    private Region reach(int row) {
        Region region = regions.get(plan.region(row));
        if (luck.strikes(Fault.SERVER_CRASH)) {
            crash(region.server);
        } else if (luck.strikes(Fault.REGION_MOVE) && region.lockedRows.isEmpty()) {
            RegionServer to = anyServer();
            log.fault(Fault.REGION_MOVE, "region", region.number, "from", region.server.name(), "to", to.name());
            move(region, to);
        }
        return regions.get(plan.region(row));
    }

    private void move(Region region, RegionServer to) {
        region.close();
        regions.put(region.number, open(region.number, to));
    }

    /** The server dies and is started again; all its regions are opened on another one, or on itself. */
    void crash(RegionServer server) {
        log.fault(Fault.SERVER_CRASH, "server", server.name());
        restart(server);
        List<Region> lost = regions.values().stream().filter(region -> region.server == server).toList();
        lost.forEach(region -> move(region, anyServer()));
    }

    /** As if all had died and were started again: none knows what was read. */
    void restartAll() {
        servers.forEach(this::restart);
        List.copyOf(regions.values()).forEach(region -> move(region, anyServer()));
    }

    private void restart(RegionServer server) {
        log.served("CrashServer", "server", server.name());
        server.restart();
    }

    // ---- regular transactions

    /** What a server does before a read looks. */
    interface Hook {
        void before(int row, long snapshot);
    }

    void preGet(int row, long snapshot) {
        pre(row, region -> region.fast.preGet(row, snapshot));
    }

    /** Does it once for each region, unless that was opened again meanwhile. */
    Hook scan() {
        Set<Region> scanned = new HashSet<>();
        return (row, snapshot) -> {
            if (!scanned.contains(regions.get(plan.region(row)))) {
                scanned.add(pre(row, region -> region.fast.preScan(0, null, snapshot)));
            }
        };
    }

    private Region pre(int row, Consumer<Region> hook) {
        Region region = reach(row);
        while (!scheduler.inEvent()) { // otherwise nobody waits for the answer
            hook.accept(region);
            if (random.nextInt(4) == 0) {
                scheduler.pause(plan.latency(random) / 4);
            }
            if (region.open) {
                break;
            }
            region = reach(row);
        }
        return region;
    }

    /** @param keys of one row */
    void put(List<String> keys, long version, Consumer<String> put) {
        mutate(keys, region -> keys.forEach(key -> requireNoNewerCommit(key, version)), put);
    }

    private void requireNoNewerCommit(String key, long version) {
        if (!FastRegion.noNewerCommit(version, committed(key))) {
            throw new PutRefusedException("a newer version of " + key + " than " + version + " is committed", null);
        }
    }

    /** Somebody's request of which nothing else is to be seen. What happens to servers may happen now. */
    void comeBy(int row) {
        reach(row);
    }

    /** What the server answers a put in this row with, once its records can be read. */
    long clock(int row) {
        return regions.get(plan.region(row)).fast.batches().clock(row);
    }

    void putCommitCells(List<String> keys, long commitTs, Consumer<String> put) {
        mutate(keys, region -> region.fast.lift(plan.row(keys.get(0)), commitTs), put);
    }

    void remove(List<String> keys, long version, Consumer<String> remove) {
        mutate(keys, region -> {
            if (plan.versions().isFast(version)) {
                region.fast.batches().collect(version);
            }
        }, remove);
    }

    /**
     * Under the row's shared lock; an event cannot wait for it, and comes again. Without a fast path nobody ever locks.
     *
     * @param hook what comes before the mutation
     */
    private void mutate(List<String> keys, Consumer<Region> hook, Consumer<String> mutation) {
        if (regions.isEmpty()) {
            keys.forEach(mutation);
            return;
        }
        int row = plan.row(keys.get(0));
        Region region = reach(row);
        while (region.lockedRows.contains(row)) {
            if (scheduler.inEvent()) {
                scheduler.after(AGAIN_NANOS, () -> unheard(() -> mutate(keys, hook, mutation)));
                return;
            }
            scheduler.pauseUntilChanged(lock(row), 1, AGAIN_NANOS);
            region = reach(row);
        }
        hook.accept(region);
        keys.forEach(mutation);
    }

    private static void unheard(Runnable request) {
        try {
            request.run();
        } catch (PutRefusedException | StoreException e) {
            // nobody waits for the answer
        }
    }

    private static String lock(int row) {
        return "lock of row " + row;
    }

    private Stream<Record<Long>> records(String key) {
        return store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE).stream();
    }

    // ---- commits in one phase

    /** In one region, as far as clients know: regions have the same rows for ever. */
    boolean inOneRegion(Collection<String> keys) {
        return !regions.isEmpty() && keys.stream().map(key -> plan.region(plan.row(key))).distinct().count() == 1;
    }

    /**
     * A batch. One that arrives in an event waits for nothing, and comes again where a row is locked; nobody hears its answer.
     *
     * @return whether it was stored
     */
    boolean putBatch(long startTs, long commitTs, Map<String, Write<Long>> writes) {
        List<Integer> rows = rows(writes.keySet());
        Region region = reach(rows.get(0));
        if (!scheduler.inEvent()) {
            region.fast.awaitTime();
        }
        awaitRows(region, rows, () -> putBatch(startTs, commitTs, writes));
        region.requireOpen();
        region.lockedRows.addAll(rows);
        try {
            if (region.fast.batches().putBatch(rows, startTs, commitTs, new Batch(region, startTs, commitTs, writes)) != null) {
                region.requireOpen(); // a dead server answers nobody
                return false;
            }
        } finally {
            region.lockedRows.removeAll(rows);
            rows.forEach(row -> scheduler.changed(lock(row)));
        }
        if (luck.strikes(Fault.SERVER_CRASH)) {
            crash(region.server);
            throw new StoreException("no answer: the server died");
        }
        return true;
    }

    /** Whether the batch is stored. If not, its region refuses all copies from now on. */
    boolean findsRecord(long startTs, long commitTs, Collection<String> keys) {
        List<Integer> rows = rows(keys);
        Region region = reach(rows.get(0));
        awaitRows(region, rows, () -> findsRecord(startTs, commitTs, keys));
        region.requireOpen();
        boolean stored = keys.stream().anyMatch(key -> store.commitCell(key, startTs) == commitTs);
        if (!stored) {
            region.fast.batches().refuseCopies(rows, commitTs);
        }
        log.served("FindsRecord", "txn", startTs, "stored", stored);
        return stored;
    }

    private List<Integer> rows(Collection<String> keys) {
        return keys.stream().map(plan::row).distinct().sorted().toList();
    }

    /** All at once, so that nobody waits for whom he keeps waiting. */
    private void awaitRows(Region region, List<Integer> rows, Runnable again) {
        while (region.open && rows.stream().anyMatch(region.lockedRows::contains)) {
            if (scheduler.inEvent()) {
                scheduler.after(AGAIN_NANOS, () -> unheard(again));
                throw new StoreException("comes again");
            }
            scheduler.pauseUntilChanged(lock(rows.stream().filter(region.lockedRows::contains).findFirst().orElseThrow()), 1, AGAIN_NANOS);
        }
    }

    /** Where a batch is stored. */
    private final class Batch implements BatchRegion.Target<RuntimeException> {

        private final Region region;
        private final long startTs;
        private final long commitTs;
        private final Map<String, Write<Long>> writes;

        Batch(Region region, long startTs, long commitTs, Map<String, Write<Long>> writes) {
            this.region = region;
            this.startTs = startTs;
            this.commitTs = commitTs;
            this.writes = writes;
        }

        @Override
        public boolean noNewerCommit() {
            return writes.keySet().stream().allMatch(key -> FastRegion.noNewerCommit(startTs, committed(key)));
        }

        /** Nothing is stored in a region that was closed, or whose server died, meanwhile, even if it was merely paused, and goes on. */
        @Override
        public void store() {
            boolean lost = luck.strikes(Fault.SERVER_CRASH);
            if (lost) {
                crash(region.server);
            }
            if (!scheduler.inEvent()) {
                writes.keySet().forEach(scheduler::changed); // whoever is held back sees the batch in flight
                scheduler.pause(lost ? plan.stall(random) : luck.isFaulty() ? plan.storeNanos(random) : 1);
            }
            region.requireOpen();
            store.putBatch(writes, startTs, commitTs);
        }
    }

    private LongStream committed(String key) {
        return records(key).filter(Record::hasCommitCell).mapToLong(Record::version);
    }

    // ---- fast path

    /** Null if there is none. */
    Record<Long> lastCommitted(String key) {
        reach(plan.row(key));
        return records(key).filter(Record::hasCommitCell).findFirst().orElse(null);
    }

    /**
     * A fast-path write. One that arrives in an event waits for nothing, and comes again where the row is locked; nobody hears
     * its answer.
     *
     * @param stored told the version when the record can be read
     */
    Answer write(String key, long expected, Write<Long> write, LongConsumer stored) {
        int row = plan.row(key);
        Region region = reach(row);
        if (!scheduler.inEvent()) {
            region.fast.awaitTime();
        }
        while (region.open && region.lockedRows.contains(row)) {
            if (scheduler.inEvent()) {
                scheduler.after(AGAIN_NANOS, () -> unheard(() -> write(key, expected, write, stored)));
                throw new StoreException("comes again");
            }
            scheduler.pauseUntilChanged(lock(row), 1, AGAIN_NANOS);
        }
        region.requireOpen();
        Answer answer = underExclusiveLock(region, row, new Cell(region, key, expected, write, stored), expected);
        if (answer.refused() != null) {
            region.requireOpen(); // a dead server answers nobody
        } else if (luck.strikes(Fault.SERVER_CRASH)) {
            crash(region.server);
            throw new StoreException("no answer: the server died");
        }
        return answer;
    }

    private Answer underExclusiveLock(Region region, int row, Cell cell, long expected) {
        region.lockedRows.add(row);
        try {
            return region.fast.putVersion(row, expected, cell);
        } finally {
            region.lockedRows.remove(row);
            scheduler.changed(lock(row));
        }
    }

    /** Where a fast-path write writes. */
    private final class Cell implements FastRegion.Target<RuntimeException> {

        private final Region region;
        private final String key;
        private final long expected;
        private final Write<Long> write;
        private final LongConsumer stored;

        Cell(Region region, String key, long expected, Write<Long> write, LongConsumer stored) {
            this.region = region;
            this.key = key;
            this.expected = expected;
            this.write = write;
            this.stored = stored;
        }

        @Override
        public FastRegion.Last last() {
            List<Record<Long>> records = records(key).toList();
            Record<Long> last = records.stream().filter(Record::hasCommitCell).findFirst().orElse(null);
            return new Last(last == null ? Timestamps.NIL : last.commit(), records.isEmpty() || records.get(0) == last);
        }

        /** The version was drawn right before. Nothing is stored in a region that was closed, or whose server died, meanwhile. */
        @Override
        public void store(long version) {
            if (region.open) {
                log.server("PutVersion", "key", key, "version", version, "delete", write.isTombstone(), "expected", expected);
            }
            if (luck.strikes(Fault.SERVER_CRASH)) {
                crash(region.server);
            } else if (!scheduler.inEvent()) {
                scheduler.changed(key); // whoever is held back sees the write in flight
                scheduler.pause(luck.isFaulty() ? plan.storeNanos(random) : 1);
            }
            region.requireOpen();
            store.putCommitted(key, version, write);
            stored.accept(version);
        }
    }

    private record Last(long commitTs, boolean noNewerTentative) implements FastRegion.Last {
    }
}
