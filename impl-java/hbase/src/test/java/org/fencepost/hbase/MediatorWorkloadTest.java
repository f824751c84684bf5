package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Action;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.StoreException;
import org.fencepost.protocol.Tracer;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionManagerException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.MixedChecker;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.mediator.Version;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Native puts and gets and Mediator's transactions on the same rows, on eight threads, while clients, the helper and the status
 * oracle die between any two of their steps, log records are lost or late, regions are moved, and the transaction manager is out
 * of the region servers' reach. In both modes; the history is judged by {@link MixedChecker}. A run in which something did
 * not occur often enough proves nothing, and fails.
 *
 * <p>Each value is unique and tells who wrote it. All versions are kept, so in the end HBase tells at which timestamp each value
 * was stored: that is how the stamps of native puts are known, and whether a transaction whose outcome is unknown has committed.
 */
@ExtendWith(Fixture.Extension.class)
class MediatorWorkloadTest {

    private static final int THREADS = 8;
    /** Small, so that it is used up now and then. */
    private static final long SPAN = 8;
    private static final int REGIONS = 4;
    private static final int KEYS = 40;
    private static final byte[] COLUMN = Bytes.toBytes("v");
    /** Out of so many transactions one dies. */
    private static final int DEATHS = 15;
    private static final int STEPS = 16;
    /** Out of so many log records one is late, and out of ten times as many one is never answered. */
    private static final int LATE = 10;

    private record Operation(boolean write, int key, String value) {
    }

    /** What a client saw. */
    private record Seen(boolean isNative, Object process, long begun, long startTs, Outcome outcome, long commitTs, long answered,
                        List<Operation> operations) {
    }

    private static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private MediatorWorld world;
    private MediatorClient client;
    private TransactionalTable table;
    private TableName name;
    private Queue<Seen> seen;
    private double nativeFraction;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger nativePuts = new AtomicInteger();
    private final ExecutorService late = Executors.newFixedThreadPool(4);
    /** How many steps the client of this thread has left; absent: it does not die. */
    private final ThreadLocal<int[]> stepsLeft = new ThreadLocal<>();

    private final Tracer counting = new Tracer() {
        @Override
        public boolean on() {
            return true;
        }

        @Override
        public void event(Action action, Object... arguments) {
            count(action.name());
        }

        @Override
        public void close() {
        }
    };

    /** Small ones of the same kind. */
    @Test
    void mixedTraffic(Fixture fixture) throws Exception {
        world = new MediatorWorld(fixture, SPAN, counting);
        runAll(250, 2, 1, Set.of("UNREADABLE", "GiveUp", "SETTLED", "MANAGER_UNREACHABLE", "BELOW_WATERMARK", "helper died", "recovery died"));
    }

    @Test
    @Tag("evidence")
    void mixedTrafficAtLength(Fixture fixture) throws Exception {
        world = new MediatorWorld(fixture, SPAN, counting);
        runAll(Integer.getInteger("fencepost.workload.transactions", 20_000), 40, 20, Set.of());
    }

    private void count(String what) {
        counts.computeIfAbsent(what, w -> new LongAdder()).increment();
    }

    private void runAll(int operations, int disturbances, int atLeast, Set<String> mayBeMissing) throws Exception {
        MediatorObserver.tracer = counting;
        try {
            for (double fraction : new double[] {0, 0.5, 0.9}) {
                for (String isolation : List.of("snapshot", "serializable")) {
                    nativeFraction = fraction;
                    run(isolation, operations, disturbances);
                }
            }
        } finally {
            MediatorObserver.tracer = Tracer.OFF;
            late.shutdownNow();
        }
        assertEquals(List.of(), tooSeldom(atLeast, mayBeMissing), "too seldom, so the runs prove nothing: " + new TreeMap<>(counts));
    }

    private void run(String isolation, int operations, int disturbances) throws Exception {
        name = world.hbase.mediatedTable(REGIONS);
        client = world.client(isolation, new Faulty(), this::lateAppend, new MediatorClient.Seams(DyingServers::new, counting));
        table = client.table(name);
        seen = new LinkedBlockingQueue<>();
        rounds.set(0);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);
        AtomicBoolean done = new AtomicBoolean();
        long start = System.nanoTime();
        try {
            List<Future<?>> background = List.of(threads.submit(() -> disturb(done)), threads.submit(() -> help(done)));
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                workers.add(threads.submit(() -> work(operations, disturbances, done, random)));
            }
            while (!workers.stream().allMatch(Future::isDone)) {
                Thread.sleep(20);
                if (background.stream().anyMatch(Future::isDone)) {
                    done.set(true); // it has failed
                }
            }
            done.set(true);
            for (Future<?> worker : workers) {
                worker.get();
            }
            for (Future<?> each : background) {
                each.get();
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
            threads.awaitTermination(60, TimeUnit.SECONDS);
            world.hbase.managerUp();
        }
        world.tso.settle(world::writeBack);
        System.out.printf("mediator workload: %s, %.0f%% native: %,d in %d s %s%n", isolation, 100 * nativeFraction, seen.size(),
                (System.nanoTime() - start) / 1_000_000_000, new TreeMap<>(counts));
        History history = history();
        assertEquals(List.of(), isolation.equals("snapshot") ? MixedChecker.checkSnapshotIsolation(history)
                : MixedChecker.checkSerializability(history));
    }

    /** What the runs must have seen. */
    private List<String> tooSeldom(int atLeast, Set<String> mayBeMissing) {
        Set<String> must = new TreeSet<>(Set.of("died", "helper died", "recovery died", "move", "get", "put"));
        Action.OF_MEDIATOR.forEach(action -> must.add(action.name()));
        must.removeAll(Set.of("NativeGet", "Evict")); // nobody traces the one; the ring is too large for the other
        for (AbortCause cause : List.of(AbortCause.CONFLICT, AbortCause.NATIVE_CONFLICT, AbortCause.BELOW_WATERMARK,
                AbortCause.MANAGER_UNREACHABLE, AbortCause.UNREADABLE, AbortCause.SETTLED)) {
            must.add(cause.name());
        }
        must.removeAll(mayBeMissing);
        return must.stream().filter(what -> !counts.containsKey(what) || counts.get(what).sum() < atLeast).toList();
    }

    // ---- what goes wrong

    private void mayDie() {
        int[] left = stepsLeft.get();
        if (left != null && left[0]-- == 0) {
            stepsLeft.remove();
            throw new Death();
        }
    }

    private <T> T step(Supplier<T> request) {
        mayDie();
        T answer = request.get();
        mayDie();
        return answer;
    }

    /** The oracle, as clients reach it that may die before or after each request. */
    private final class Faulty implements Oracle {

        @Override
        public Begun begin(boolean replica) {
            return world.tso.begin(replica);
        }

        @Override
        public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
            return step(() -> world.tso.txTryCommit(startTs, writes, conflicts, since));
        }

        @Override
        public void tsoAbort(long commitTs) {
            mayDie();
            world.tso.tsoAbort(commitTs);
        }

        @Override
        public void txCommit(long commitTs) {
            mayDie();
            world.tso.txCommit(commitTs);
        }
    }

    /** A record that is not answered arrives some time later. */
    private boolean lateAppend(LogRecord<byte[]> record) {
        boolean never = record.commits() && record.commitTs() / SPAN % (10 * LATE) == 0;
        if (never || ThreadLocalRandom.current().nextInt(LATE) == 0) {
            late.submit(() -> {
                Thread.sleep(ThreadLocalRandom.current().nextInt(500));
                return world.tso.append(record);
            });
            throw new StoreException("lost, for a test");
        }
        return step(() -> world.tso.append(record));
    }

    /** HBase, as clients reach it that may die before or after each request, and between two rows that they write back. */
    private final class DyingServers extends ServersInBetween {

        DyingServers(DataServers<RowKey, List<Cell>> servers) {
            super(servers);
        }

        @Override
        public Map<RowKey, Version<List<Cell>>> txGet(Collection<RowKey> keys, long startTs) {
            return step(() -> super.txGet(keys, startTs));
        }

        @Override
        public Map<RowKey, Version<List<Cell>>> get(Collection<RowKey> keys) {
            return step(() -> super.get(keys));
        }

        @Override
        public boolean txCheckConflict(Map<RowKey, Long> since, Collection<RowKey> fence, long commitTs) {
            return step(() -> super.txCheckConflict(since, fence, commitTs));
        }

        @Override
        public void writeBack(Map<RowKey, List<Cell>> writes, long commitTs) {
            mayDie();
            for (Map.Entry<RowKey, List<Cell>> row : writes.entrySet()) {
                super.writeBack(Map.of(row.getKey(), row.getValue()), commitTs);
                mayDie();
            }
        }

        @Override
        public long localCommit(RowKey key, List<Cell> value, long startTs) {
            return step(() -> super.localCommit(key, value, startTs));
        }
    }

    /** Writes back row by row, and may die in between. */
    private void dyingWriteBack(byte[] writes, long commitTs) {
        stepsLeft.set(new int[] {ThreadLocalRandom.current().nextInt(6)});
        try {
            new DyingServers(world.servers).writeBack(WriteSets.decode(writes), commitTs);
        } finally {
            stepsLeft.remove();
        }
    }

    private Void disturb(AtomicBoolean done) throws Exception {
        SplittableRandom random = new SplittableRandom(99);
        for (int round = 0; !done.get(); round++) {
            Thread.sleep(random.nextInt(300));
            if (round % 2 == 0) {
                killOracle(random);
            } else {
                move(random, round % 4 == 1);
            }
            rounds.incrementAndGet();
        }
        return null;
    }

    private void killOracle(SplittableRandom random) throws Exception {
        world.tso.kill();
        Thread.sleep(random.nextInt(200));
        while (true) {
            try {
                world.tso.recover(random.nextInt(3) == 0 ? this::dyingWriteBack : world::writeBack);
                return;
            } catch (Death e) {
                count("recovery died");
            }
        }
    }

    private void move(SplittableRandom random, boolean out) throws Exception {
        if (out) {
            world.hbase.managerDown();
        }
        try {
            world.hbase.move(name, row(random.nextInt(KEYS)));
            count("move");
        } catch (IOException e) {
            count("move failed");
        }
        Thread.sleep(out ? 500 : 0);
        world.hbase.managerUp();
    }

    private Void help(AtomicBoolean done) throws Exception {
        List<Long> known = List.of();
        while (!done.get()) {
            Thread.sleep(100);
            try {
                boolean dies = ThreadLocalRandom.current().nextInt(3) == 0;
                known = world.tso.help(known, dies ? this::dyingWriteBack : world::writeBack);
            } catch (Death e) {
                count("helper died");
            } catch (StoreException | TransactionManagerException e) {
                count("helper failed");
            }
        }
        return null;
    }

    // ---- clients

    private static String row(int key) {
        return key % REGIONS + "-" + key;
    }

    private static Get get(int key) {
        return new Get(Bytes.toBytes(row(key))).addColumn(Fixture.F, COLUMN);
    }

    private static Put put(int key, String value) {
        return new Put(Bytes.toBytes(row(key))).addColumn(Fixture.F, COLUMN, Bytes.toBytes(value));
    }

    private static String value(Result row) {
        return row.isEmpty() ? "" : Bytes.toString(row.value());
    }

    private Void work(int operations, int disturbances, AtomicBoolean done, SplittableRandom random) throws IOException {
        Object process = new Object();
        while (!done.get() && (seen.size() < operations || rounds.get() < disturbances)) {
            boolean certain = random.nextDouble() < nativeFraction ? nativeOperation(process, random) : transaction(process, random);
            process = certain ? process : new Object();
        }
        return null;
    }

    /** Returns whether it is known how it ended; so do the others. */
    private boolean nativeOperation(Object process, SplittableRandom random) {
        int key = random.nextInt(KEYS);
        boolean write = random.nextBoolean();
        String value = "n" + nativePuts.incrementAndGet();
        long begun = System.nanoTime();
        Outcome outcome = Outcome.COMMITTED;
        try (Table raw = world.hbase.connection.getTable(name)) {
            if (write) {
                raw.put(put(key, value));
            } else {
                value = value(raw.get(get(key)));
            }
        } catch (IOException e) {
            outcome = Outcome.UNKNOWN;
            count("native failed");
        }
        count(write ? "put" : "get");
        note(true, process, begun, 0, outcome, 0, List.of(new Operation(write, key, value)));
        return outcome != Outcome.UNKNOWN;
    }

    private boolean transaction(Object process, SplittableRandom random) {
        long begun = System.nanoTime();
        List<Operation> operations = new ArrayList<>();
        Transaction tx;
        try {
            tx = client.begin();
        } catch (TransactionManagerException e) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            return true;
        }
        if (random.nextInt(DEATHS) == 0) {
            stepsLeft.set(new int[] {random.nextInt(STEPS)});
        }
        Outcome outcome;
        try {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                access(tx, operations, random);
            }
            tx.commit();
            outcome = Outcome.COMMITTED;
        } catch (TransactionAbortedException e) {
            count(e.abortCause().name());
            outcome = Outcome.ABORTED;
        } catch (StoreException e) {
            count("read failed");
            tx.close();
            outcome = Outcome.ABORTED;
        } catch (OutcomeUnknownException e) {
            count("unknown");
            outcome = Outcome.UNKNOWN;
        } catch (Death e) {
            count("died");
            outcome = Outcome.UNKNOWN;
        } finally {
            stepsLeft.remove();
        }
        note(false, process, begun, tx.startTimestamp(), outcome, tx.commitTimestamp(), operations);
        return outcome != Outcome.UNKNOWN;
    }

    private void access(Transaction tx, List<Operation> operations, SplittableRandom random) {
        int key = random.nextInt(KEYS);
        int what = random.nextInt(4);
        if (what < 3) {
            operations.add(new Operation(false, key, value(table.get(tx, get(key)))));
        }
        if (what > 0) {
            String value = "t" + tx.startTimestamp();
            table.put(tx, put(key, value));
            operations.add(new Operation(true, key, value));
        }
    }

    private void note(boolean isNative, Object process, long begun, long startTs, Outcome outcome, long commitTs, List<Operation> operations) {
        seen.add(new Seen(isNative, process, begun, startTs, outcome, commitTs, System.nanoTime(), operations));
    }

    // ---- the history

    /** Where each value was stored: by value, then by key. */
    private Map<String, Map<Integer, Long>> stored() throws IOException {
        Map<String, Map<Integer, Long>> stored = new HashMap<>();
        try (Table raw = world.hbase.connection.getTable(name); ResultScanner rows = raw.getScanner(new Scan().readAllVersions())) {
            for (Result row : rows) {
                String key = Bytes.toString(row.getRow());
                for (Cell cell : row.rawCells()) {
                    String value = Bytes.toString(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
                    Long before = stored.computeIfAbsent(value, v -> new HashMap<>())
                            .put(Integer.parseInt(key.substring(2)), cell.getTimestamp());
                    assertEquals(null, before, "Value " + value + " has two versions in row " + key + ".");
                }
            }
        }
        return stored;
    }

    private History history() throws IOException {
        Map<String, Map<Integer, Long>> stored = stored();
        History history = new History();
        for (Seen each : seen) {
            Map<Integer, Long> written = new HashMap<>();
            HistoryTransaction judged = each.isNative() ? HistoryTransaction.nativeOperation(each.begun())
                    : new HistoryTransaction(each.begun(), each.startTs());
            for (Operation operation : each.operations()) {
                if (operation.write()) {
                    judged.write(operation.key());
                    written = stored.getOrDefault(operation.value(), Map.of());
                } else {
                    judged.read(operation.key(), operation.value().isEmpty() ? 0
                            : stored.getOrDefault(operation.value(), Map.of()).getOrDefault(operation.key(), Long.MAX_VALUE));
                }
            }
            history.add(end(each, judged.by(each.process()), written));
        }
        return history;
    }

    /** What a client was told must be what is stored, and a transaction is stored as a whole and at once, or not at all. */
    private static HistoryTransaction end(Seen each, HistoryTransaction judged, Map<Integer, Long> written) {
        if (each.operations().stream().noneMatch(Operation::write)) {
            return judged.end(each.outcome() == Outcome.COMMITTED ? Outcome.COMMITTED : Outcome.ABORTED, each.commitTs(), each.answered());
        }
        if (written.isEmpty()) {
            assertTrue(each.outcome() != Outcome.COMMITTED, "lost: " + each);
            return judged.end(Outcome.ABORTED, 0, 0);
        }
        assertTrue(each.outcome() != Outcome.ABORTED, "stored, but aborted: " + each);
        assertEquals(each.operations().stream().filter(Operation::write).map(Operation::key).distinct().count(), written.size(),
                "stored in part: " + each + " " + written);
        long ts = written.values().iterator().next();
        assertTrue(written.values().stream().allMatch(at -> at == ts) && (each.commitTs() == 0 || each.commitTs() == ts),
                "stored elsewhere: " + each + " " + written);
        return judged.end(Outcome.COMMITTED, ts, each.outcome() == Outcome.COMMITTED ? each.answered() : Long.MAX_VALUE);
    }
}
