package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.LongSupplier;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fragola.FragolaCollector;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.SnapshotColumn;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.protocol.twophase.IntentStore;
import org.fencepost.simulation.failover.ManagerProcess;
import org.fencepost.simulation.failover.Managers;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Network.Target;
import org.fencepost.simulation.world.NotServedException;
import org.fencepost.simulation.world.Plan;

/** The servers as one actor reaches them: the protocol's three interfaces over a {@link Network}. */
final class Endpoint {

    /** Questions whose answers are no timestamps that were given. */
    private static final String WATERMARK = "TM.collectableBelow";
    private static final String RENEW = "TM.renew";

    private final Plan plan;
    private final StoreServer storeServer;
    private final CommitTableServer tableServer;
    private final RegionServers regions;
    private final Managers managers;
    private final Network network;

    Endpoint(Plan plan, StoreServer storeServer, RegionServers regions, CommitTableServer tableServer, Managers managers,
            Network network) {
        this.plan = plan;
        this.storeServer = storeServer;
        this.regions = regions;
        this.tableServer = tableServer;
        this.managers = managers;
        this.network = network;
    }

    Network network() {
        return network;
    }

    /** What protocols ask of a store. */
    interface Store extends IntentStore<String, Long>, LeaderStore<String, Long> {
    }

    /** A mutation of several rows is one request for each of them, all on their own. */
    final Store store = new Store() {

        @Override
        public void put(long version, Map<String, Write<Long>> writes) {
            Map<String, Write<Long>> sent = new LinkedHashMap<>(writes); // the caller's map changes when the call is over
            rows(sent.keySet()).forEach(row -> network.act(Target.STORE, row.get(0), "put " + version + row,
                    () -> putRow(row, version, sent)));
        }

        @Override
        public void putCommitted(Map<String, Record<Long>> records, Runnable departs) {
            records.forEach((key, record) -> network.call(Target.STORE, key, "putCommitted " + record.version(), departs, () -> {
                storeServer.putRecord(key, record);
                return null;
            }));
        }

        @Override
        public void put(long version, String leader, Map<String, Write<Long>> writes) {
            Map<String, Write<Long>> sent = new LinkedHashMap<>(writes);
            List<List<String>> rows = new ArrayList<>(rows(sent.keySet()));
            StoreException lost = null;
            while (!rows.isEmpty()) { // side by side, so in any order, and one that fails holds up no other
                List<String> row = rows.remove(network.random().nextInt(rows.size()));
                try {
                    network.act(Target.STORE, row.get(0), "put " + version + row + " led by " + leader,
                            () -> row.forEach(key -> storeServer.leaders().put(key, version, leader, sent.get(key))));
                } catch (StoreException e) {
                    lost = e;
                }
            }
            if (lost != null) {
                throw lost;
            }
        }

        @Override
        public void putOnce(long version, String leader, Write<Long> write) {
            network.act(Target.ONCE, leader, "putOnce " + version, () -> storeServer.leaders().putOnce(leader, version, write));
        }

        @Override
        public long commitCell(String leader, long version) {
            return network.ask(Target.TABLE_READ, leader, "commitCell " + version, () -> {
                mayDie(leader);
                return storeServer.entry(leader, version);
            });
        }

        @Override
        public long checkAndMutate(String leader, long version, long entry) {
            return network.ask(Target.TABLE, leader, "checkAndMutate " + version + " to " + entry,
                    () -> {
                        mayDie(leader);
                        return storeServer.leaders().checkAndMutate(leader, version, entry);
                    });
        }

        @Override
        public PrimitiveIterator.OfLong loneMarkers(String key, long watermark) {
            return network.call(Target.TABLE_READ, key, "loneMarkers", () -> storeServer.loneMarkers(key, watermark)).stream()
                    .mapToLong(Long::longValue).iterator();
        }

        @Override
        public void removeMarker(String key, long version) {
            network.act(Target.TABLE, key, "removeMarker " + version, () -> storeServer.putCommitCell(key, version, Timestamps.NIL));
        }

        @Override
        public void removeAborted(Collection<String> keys, long version) {
            if (!plan.hasLeaders()) {
                remove(keys, version);
                return;
            }
            rows(keys).forEach(row -> network.act(Target.STORE, row.get(0), "removeAborted " + version + row,
                    () -> row.forEach(key -> storeServer.leaders().removeAborted(key, version))));
        }

        @Override
        public Map<String, Long> prewrite(long version, Map<String, Write<Long>> writes) {
            Map<String, Long> refused = new LinkedHashMap<>();
            rows(writes.keySet()).forEach(row -> {
                Map<String, Write<Long>> sent = new LinkedHashMap<>(writes);
                sent.keySet().retainAll(row);
                long obstacle = network.ask(Target.STORE, row.get(0), "prewrite " + version + row, () -> storeServer.prewrite(sent, version));
                if (obstacle != Timestamps.NIL) {
                    row.forEach(key -> refused.put(key, obstacle));
                }
            });
            return refused;
        }

        @Override
        public Iterator<Record<Long>> get(String key, long fromVersion) {
            return new Pages(key, fromVersion, () -> {});
        }

        @Override
        public Record<Long> reread(String key, long version) {
            return network.call(Target.STORE_READ, key, "reread", () -> storeServer.record(key, version));
        }

        @Override
        public void putCommitCells(Collection<String> keys, long version, long commitTs) {
            rows(keys).forEach(row -> network.act(Target.STORE, row.get(0), "putCommitCells " + version + row,
                    () -> regions.putCommitCells(row, commitTs, key -> {
                        storeServer.putCommitCell(key, version, commitTs);
                        if (!tellsLate("LateCommitCell", "key", key, "met", version, "commit", commitTs)) {
                            oneOfSeveral(keys, "PostCommit", "txn", version, "key", key, "commit", commitTs);
                        }
                    })));
        }

        @Override
        public void remove(Collection<String> keys, long version) {
            rows(keys).forEach(row -> network.act(Target.STORE, row.get(0), "remove " + version + row,
                    () -> regions.remove(row, version, key -> {
                        storeServer.remove(key, version);
                        if (!tellsLate("LateRemoval", "key", key, "met", version)) {
                            oneOfSeveral(keys, "CleanUp", "txn", version, "key", key);
                        }
                    })));
        }

        @Override
        public BatchStore<String, Long> batches() {
            return plan.isOnePhase() ? batches : BatchStore.none();
        }

        @Override
        public Versions versions(String key) {
            return storeServer.versions();
        }

    };

    /** Returns the row's clock, if there are clocks. */
    private long putRow(List<String> row, long version, Map<String, Write<Long>> writes) {
        regions.put(row, version, key -> {
            storeServer.put(key, version, writes.get(key));
            if (plan.hasClocks() && !tellsLate("LatePut", "key", key, "met", version, "delete", writes.get(key).isTombstone())) {
                network.served("Write", "txn", version, "key", key, "delete", writes.get(key).isTombstone(), "clock", regions.clock(plan.row(key)));
            }
        });
        return plan.hasClocks() ? regions.clock(plan.row(row.get(0))) : Timestamps.NIL;
    }

    /** Tells of what nobody is answered, and so nobody else tells, where there are clocks, which depend on when it was. Returns whether it is such. */
    private boolean tellsLate(String action, Object... arguments) {
        boolean late = plan.hasClocks() && !network.isHeard();
        if (late) {
            network.served(action, arguments);
        }
        return late;
    }

    /** Its client tells of all rows when the last one is done. */
    private void oneOfSeveral(Collection<String> keys, String action, Object... arguments) {
        if (plan.hasClocks() && rows(keys).size() > 1) {
            network.served(action, arguments);
        }
    }

    private Collection<List<String>> rows(Collection<String> keys) {
        Map<Integer, List<String>> rows = new LinkedHashMap<>();
        keys.forEach(key -> rows.computeIfAbsent(plan.row(key), r -> new ArrayList<>()).add(key));
        return rows.values();
    }

    /** The key's server, before it answers: it is back at once, with what its log has. */
    private void mayDie(String key) {
        if (storeServer.leaders().mayLose(key) && network.suffers(Fault.SERVER_CRASH)) {
            storeServer.leaders().die(key);
        }
    }

    /** A batch is one request. */
    private final BatchStore<String, Long> batches = new BatchStore<>() {

        @Override
        public boolean inOneRegion(Collection<String> keys) {
            return regions.inOneRegion(keys);
        }

        @Override
        public boolean tellsClocks(Collection<String> keys) {
            return plan.hasClocks();
        }

        @Override
        public long putTelling(long version, Map<String, Write<Long>> writes, Runnable departs) {
            Map<String, Write<Long>> sent = new LinkedHashMap<>(writes); // the caller's map changes when the call is over
            long latest = 0;
            for (List<String> row : rows(sent.keySet())) {
                departs.run();
                latest = Math.max(latest, network.ask(Target.STORE, row.get(0), "put " + version + row, () -> putRow(row, version, sent)));
            }
            return latest;
        }

        @Override
        public boolean putBatch(long startTs, long commitTs, Map<String, Write<Long>> writes) {
            Map<String, Write<Long>> sent = new LinkedHashMap<>(writes); // the caller's map changes when the call is over
            return network.call(Target.BATCH, sent.keySet().iterator().next(), "putBatch " + startTs, () -> regions.putBatch(startTs, commitTs, sent));
        }

        @Override
        public boolean findsRecord(long startTs, long commitTs, Collection<String> keys) {
            List<String> asked = List.copyOf(keys);
            return network.call(Target.STORE_READ, asked.get(0), "findsRecord " + startTs, () -> regions.findsRecord(startTs, commitTs, asked));
        }
    };

    Collector<String, Long> collector(Tracer tracer) {
        return plan.hasLeaders() ? new FragolaCollector<>(store, manager, tracer) : new Collector<>(store, commitTable, manager, tracer);
    }

    /** A regular transaction's read. Where region servers have clocks, they are told the snapshot. */
    Record<Long> read(OmidLL<String, Long> ll, OmidLLTransaction<String, Long> tx, String key, RegionServers.Hook hook) {
        Record<Long> found = !plan.hasClocks() ? ll.read(tx, key) : ll.read(tx, key, pages(tx, key, hook));
        if (plan.hasLevels()) {
            network.served("Found", "txn", tx.startTs(), "key", key, "version", version(found), "delete", isTombstone(found));
        }
        return found;
    }

    private static long version(Record<Long> found) {
        return found == null ? Timestamps.NIL : found.version();
    }

    private static boolean isTombstone(Record<Long> found) {
        return found != null && found.isTombstone();
    }

    private Pages pages(OmidLLTransaction<String, Long> tx, String key, RegionServers.Hook hook) {
        return new Pages(key, tx.fetchPoint(), () -> hook.before(plan.row(key), tx.startTs()));
    }

    /** The same of all own versions and the one before. */
    List<Record<Long>> readAll(OmidLL<String, Long> ll, OmidLLTransaction<String, Long> tx, String key) {
        List<Record<Long>> all = !plan.hasClocks() ? ll.readAll(tx, key) : ll.readAll(tx, key, pages(tx, key, get()));
        long levels = 0;
        long tombstones = 0;
        Record<Long> before = null;
        for (Record<Long> each : all) {
            if (each.version() < tx.startTs()) {
                before = each;
            } else {
                levels |= 1L << each.version() - tx.startTs();
                tombstones |= each.isTombstone() ? 1L << each.version() - tx.startTs() : 0;
            }
        }
        network.served("Listed", "txn", tx.startTs(), "key", key, "levels", levels, "tombstones", tombstones, "version", version(before),
                "delete", isTombstone(before));
        return all;
    }

    /**
     * What a region server answers about a key.
     *
     * @param records if it has decided, the one that the snapshot sees; otherwise all that its reader may need
     */
    record Row(String key, boolean decided, List<Record<Long>> records) {
    }

    /** The first rows of a scan that its region servers decide, as many as asked for. Keys of which nothing is seen are left out. */
    List<Row> scan(OmidLLTransaction<String, Long> tx, List<String> keys, int limit, RegionServers.Hook hook) {
        long snapshot = tx.startTs();
        long last = Math.min(tx.fetchPoint(), tx.readPoint());
        return network.call(Target.STORE_READ, keys.get(0), "scan", () -> {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < keys.size() && rows.size() < limit; i++) {
                if (plan.hasClocks()) {
                    hook.before(plan.row(keys.get(i)), snapshot);
                }
                Row row = look(keys.get(i), snapshot, last);
                if (!row.records().isEmpty()) {
                    rows.add(row);
                }
            }
            return rows;
        });
    }

    private Row look(String key, long snapshot, long last) {
        SnapshotColumn column = new SnapshotColumn(snapshot, storeServer.versions());
        List<Record<Long>> records = storeServer.page(key, last, Integer.MAX_VALUE);
        for (Record<Long> record : records) {
            switch (column.meet(record.version(), record.commit())) {
                case UNDECIDED -> {
                    return new Row(key, false, records);
                }
                case THIS -> {
                    return new Row(key, true, record.isTombstone() ? List.of() : List.of(record));
                }
                default -> {} // look at the next one
            }
        }
        return new Row(key, true, List.of());
    }

    /** Of a transaction nothing is left. */
    boolean hasNothingOf(long startTs) {
        return plan.storedKeys().stream().allMatch(key -> storeServer.page(key, Long.MAX_VALUE, Integer.MAX_VALUE).stream()
                .noneMatch(record -> storeServer.versions().writerOf(record.version()) == startTs));
    }

    /** For a read of one key. */
    RegionServers.Hook get() {
        return regions::preGet;
    }

    /** For reads of several keys together. */
    RegionServers.Hook scan() {
        return regions.scan();
    }

    /** Fetches page by page, each of which is one atomic read. */
    private final class Pages implements Iterator<Record<Long>> {

        private final String key;
        private final Runnable hook;
        private List<Record<Long>> page = List.of();
        private int position;
        private long nextVersion;
        private boolean more = true;
        private boolean first = true;

        /** @param hook what the server does before the first get */
        Pages(String key, long fromVersion, Runnable hook) {
            this.key = key;
            this.hook = hook;
            this.nextVersion = fromVersion;
        }

        @Override
        public boolean hasNext() {
            if (position == page.size() && more) {
                page = network.call(Target.STORE_READ, key, "get", this::fetch);
                first = false;
                position = 0;
                more = page.size() == plan.pageSize();
                nextVersion = page.isEmpty() ? 0 : page.get(page.size() - 1).version() - 1;
            }
            return position < page.size();
        }

        private List<Record<Long>> fetch() {
            if (first) {
                hook.run();
            }
            mayDie(key);
            return storeServer.page(key, nextVersion, plan.pageSize());
        }

        @Override
        public Record<Long> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.get(position++);
        }
    }

    final CommitTable commitTable = new CommitTable() {

        @Override
        public long get(long startTs) {
            return network.ask(Target.TABLE_READ, Long.toString(startTs), "CT.get", () -> tableServer.get(startTs));
        }

        @Override
        public long checkAndMutate(long startTs, long entry) {
            return network.ask(Target.TABLE, Long.toString(startTs), "CT.checkAndMutate " + startTs + " to " + entry,
                    () -> tableServer.checkAndMutate(startTs, entry));
        }

        @Override
        public void remove(long startTs) {
            network.act(Target.TABLE, Long.toString(startTs), "CT.remove " + startTs, () -> tableServer.remove(startTs));
        }

        @Override
        public void raiseWatermark(long watermark) {
            for (int i = 0; i < tableServer.shards(); i++) {
                int shard = i;
                network.act(Target.TABLE, "watermark", "CT.raiseWatermark " + watermark, () -> tableServer.raiseWatermark(shard, watermark));
            }
        }

        @Override
        public long watermark() {
            return network.ask(Target.TABLE_READ, "watermark", "CT.watermark", tableServer::watermark);
        }

        @Override
        public PrimitiveIterator.OfLong entriesBelow(long watermark) {
            List<Long> entries = new ArrayList<>();
            for (int i = 0; i < tableServer.shards(); i++) {
                int shard = i;
                entries.addAll(network.call(Target.TABLE_READ, "watermark", "CT.entriesBelow", () -> tableServer.entriesBelow(shard, watermark)));
            }
            return entries.stream().mapToLong(Long::longValue).iterator();
        }
    };

    /**
     * The managers as one. Looks for the primary and asks; who does not serve is not asked for long. A begin may be asked
     * twice, a commit is sent once.
     */
    final TransactionManager manager = new TransactionManager() {

        private ManagerProcess primary;

        @Override
        public long begin() {
            return ask("TM.begin", true, ManagerProcess::begin);
        }

        @Override
        public long commit(long startTs, long[] writeSet, long[] tables) {
            return commit(startTs, startTs, writeSet, tables);
        }

        @Override
        public long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
            long answer = ask("TM.commit " + startTs, false,
                    (asked, tenure, received) -> asked.commit(tenure, received, startTs, comparedUpTo, writeSet, tables));
            if (plan.isOnePhase()) { // its client may do something else before it hears of that
                network.served("RequestCommit", "txn", startTs, "answer", answer);
            }
            return answer;
        }

        /** While the caller does something else: after that, or before it, and that takes its time. */
        @Override
        public LongSupplier commitLater(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
            if (network.random().nextInt(4) == 0) {
                return () -> commit(startTs, comparedUpTo, writeSet, tables);
            }
            LongSupplier certified = TransactionManager.super.commitLater(startTs, comparedUpTo, writeSet, tables);
            for (int others = network.random().nextInt(8); others > 0; others--) {
                network.await(4 * plan.latency(network.random()));
                regions.comeBy(plan.row(plan.keys().get(network.random().nextInt(plan.keys().size()))));
            }
            return certified;
        }

        @Override
        public long commitBlindly(long[] writeSet) {
            return ask("TM.commitBlindly", false, (asked, tenure, received) -> asked.commitBlindly(tenure, received, writeSet));
        }

        @Override
        public long fence(long table) {
            return ask("TM.fence", false, (asked, tenure, received) -> asked.fence(tenure, table));
        }

        @Override
        public boolean renew(long startTs) {
            return ask(RENEW, true, (asked, tenure, received) -> tenure.renew(startTs, received) ? 1 : 0) == 1;
        }

        @Override
        public void end(long startTs) {
            ask("TM.end " + startTs, false, (asked, tenure, received) -> {
                tenure.end(startTs);
                return 0;
            });
        }

        @Override
        public long collectableBelow() {
            return ask(WATERMARK, true, (asked, tenure, received) -> tenure.collectableBelow(received));
        }

        private long ask(String what, boolean repeatable, ManagerProcess.Request request) {
            long floor = managers.judge().floor();
            long answer = search(what, repeatable, request);
            if (answer > 0 && !what.equals(WATERMARK) && !what.equals(RENEW)) {
                managers.judge().received(answer, floor);
            }
            return answer;
        }

        private long search(String what, boolean repeatable, ManagerProcess.Request request) {
            long waited = 0;
            long pause = plan.leaseNanos() / 256;
            while (true) {
                if (primary == null || network.random().nextInt(16) == 0) {
                    primary = managers.find(network.random());
                }
                ManagerProcess asked = primary;
                try {
                    return network.ask(Target.MANAGER, "manager", what, () -> asked.serve(request));
                } catch (NotServedException e) {
                    if (waited > plan.patienceNanos()) {
                        throw e;
                    }
                } catch (TransactionManagerException e) {
                    primary = null;
                    if (!repeatable || network.random().nextBoolean()) {
                        throw e;
                    }
                }
                primary = null;
                network.await(pause);
                waited += pause;
                pause = Math.min(2 * pause, plan.leaseNanos() / 8);
            }
        }
    };
}
