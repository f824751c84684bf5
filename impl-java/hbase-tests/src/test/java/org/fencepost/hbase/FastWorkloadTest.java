package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.client.FastOutcomeUnknownException;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.FastPathObserver;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.RelaxedChecker;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fast-path and regular transactions on the same columns, on eight threads, while regions are moved, a region server is
 * killed, the transaction manager is out of the region servers' reach, answers are lost and clients die. The history is
 * judged by {@link RelaxedChecker}. A run in which something did not occur often enough proves nothing, and fails.
 *
 * <p>Each value is unique and tells who wrote it. Which version it got is what the writer was told, and must be where the
 * value is found in HBase; for a write that was not answered that is the only witness.
 */
@ExtendWith(Fixture.Extension.class)
class FastWorkloadTest {

    private static final int THREADS = 8;
    /** Small, so that it is used up now and then. */
    private static final long SPAN = 8;
    private static final int REGIONS = 4;
    private static final int KEYS = 40;
    /** Behind the rows of all keys but the cold ones. */
    private static final String AFTER_KEYS = REGIONS - 1 + "~";
    private static final byte[] COLUMN = Bytes.toBytes("v");
    private static final long LIFETIME_MILLIS = 4_000;
    /** Keys from here on are written by those that die, and nobody reads them: what is left there is the janitor's. */
    private static final int COLD = 1_000;
    /** Out of so many regular transactions one is abandoned before its commit, and one after it. */
    private static final int DEATHS = 100;
    /** Out of so many fast-path writes the answer of one is lost before it is stored, and of one after that. */
    private static final int LOSSES = 100;

    private record Operation(Kind kind, int key, String value) {
    }

    /** A transaction as its client saw it, but for the versions of what it read. */
    private record Seen(boolean fast, long begun, long startTs, Outcome outcome, long commitTs, long answered,
            List<Operation> operations) {
    }

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;
    private FastTable fast;
    private TableName name;
    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger fastWrites = new AtomicInteger();
    /** Of fast-path writes, by value. */
    private final Map<String, Long> versions = new ConcurrentHashMap<>();
    private volatile boolean killed;
    /** Whether to delete on the fast path: not when answers may be lost, since a tombstone does not tell who wrote it. */
    private volatile boolean deletes = true;

    private final Tracer counting = (action, arguments) -> count(action.name());

    /** A small one of the same kind, where everything occurs at least once. */
    @Test
    @Tag("long")
    void mixedTraffic(Fixture fixture) throws Exception {
        run(fixture, 4_000, 1);
    }

    @Test
    @Tag("evidence")
    void mixedTrafficAtLength(Fixture fixture) throws Exception {
        run(fixture, Integer.getInteger("fencepost.workload.transactions", 100_000), 50);
    }

    private void count(String what) {
        counts.computeIfAbsent(what, w -> new LongAdder()).increment();
    }

    private void run(Fixture fixture, int operations, int atLeast) throws Exception {
        hbase = fixture.withSpan(SPAN, TimeUnit.MILLISECONDS.toNanos(LIFETIME_MILLIS + 2_000));
        hbase.conf.setInt(Settings.POST_COMMIT_THREADS, 4);
        hbase.conf.setLong(Settings.LIFETIME, LIFETIME_MILLIS);
        hbase.conf.setInt(Settings.TIMEOUT, 60_000);
        client = hbase.client(new Internals.Seams(store -> store, commits -> commits, counting));
        name = hbase.fastTable(REGIONS);
        table = client.table(name);
        fast = client.fastTable(name);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);
        AtomicBoolean done = new AtomicBoolean();
        FastPathObserver.tracer = counting;
        Stall.loseOneIn(LOSSES);
        long start = System.nanoTime();
        try {
            List<Future<?>> background = List.of(threads.submit(() -> disturb(operations, atLeast, done)),
                    threads.submit(() -> collect(done)));
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                workers.add(threads.submit(() -> work(operations, atLeast, random)));
            }
            while (!workers.stream().allMatch(Future::isDone)) {
                Thread.sleep(5_000);
                System.out.printf("fast-path workload: %,d of %,d in %d s %s%n", started.get(), operations,
                        (System.nanoTime() - start) / 1_000_000_000, new TreeMap<>(counts));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
            done.set(true);
            for (Future<?> each : background) {
                each.get();
            }
        } finally {
            done.set(true);
            Stall.loseOneIn(0);
            threads.shutdownNow();
            threads.awaitTermination(60, TimeUnit.SECONDS);
            FastPathObserver.tracer = Tracer.OFF;
            hbase.managerUp();
        }
        System.out.printf("fast-path workload: %,d in %d s %s%n", started.get() - THREADS, (System.nanoTime() - start) / 1_000_000_000,
                new TreeMap<>(counts));
        assertEquals(List.of(), RelaxedChecker.check(history()));
        assertEquals(List.of(), tooSeldom(atLeast), "too seldom, so the run proves nothing: " + new TreeMap<>(counts));
    }

    /** What a run must have seen; the killed server counts once. */
    private List<String> tooSeldom(int atLeast) {
        List<String> must = new ArrayList<>(List.of("Brc", "Br", "Bwc", "Wc", "tombstone", "commit", "scan", "move", "died"));
        for (FastAbortCause cause : FastAbortCause.values()) {
            must.add(cause.name());
        }
        for (Action action : List.of(Action.BumpClock, Action.AwaitFastWrites, Action.StoreVersion, Action.BootstrapClock,
                Action.RefusePut, Action.LoseFastAnswer, Action.HealCommitCell, Action.InvalidatePending, Action.HealLeftover,
                Action.CleanLeftover, Action.PostCommit)) {
            must.add(action.name());
        }
        List<String> seldom = new ArrayList<>();
        for (String what : must) {
            LongAdder times = counts.get(what);
            if (times == null || times.sum() < atLeast) {
                seldom.add(what);
            }
        }
        if (!killed) {
            seldom.add("kill");
        }
        return seldom;
    }

    // ---- what goes wrong

    /** Moves regions, some of them while their servers cannot reach the transaction manager; half-way kills a server. */
    private Void disturb(int operations, int atLeast, AtomicBoolean done) throws Exception {
        SplittableRandom random = new SplittableRandom(99);
        for (int round = 0; !done.get(); round++) {
            boolean down = round % 2 == 0;
            if (down) {
                hbase.managerDown();
            }
            try {
                hbase.move(name, row(random.nextInt(KEYS)));
                count("move");
            } catch (IOException e) {
                count("move failed");
            }
            Thread.sleep(down ? 900 : 300);
            hbase.managerUp();
            Thread.sleep(operations / 100);
            if (!killed && started.get() > operations / 2) {
                deletes = false;
                Thread.sleep(3_000); // until those under way are answered
                hbase.killServerOf(name, row(0));
                killed = true;
                hbase.startServer();
                for (int key = 0; key < REGIONS; key++) {
                    fast.read(get(key)); // when it is answered, the region is open again
                }
                deletes = true;
            }
        }
        return null;
    }

    private Void collect(AtomicBoolean done) throws Exception {
        Janitor janitor = new Janitor(client, hbase.manager, Duration.ofMillis(500), counting);
        while (!done.get()) {
            Thread.sleep(1_000);
            pass(janitor);
        }
        for (int i = 0; i < 3; i++) { // until the last of the dead have been given up
            Thread.sleep(LIFETIME_MILLIS);
            pass(janitor);
        }
        return null;
    }

    private void pass(Janitor janitor) {
        try {
            janitor.pass();
        } catch (StoreException e) {
            count("pass failed");
        }
    }

    // ---- transactions

    private static String row(int key) {
        return key >= COLD ? AFTER_KEYS + key : key % REGIONS + "-" + key;
    }

    private static int key(byte[] row) {
        String text = Bytes.toString(row);
        return Integer.parseInt(text.substring(text.indexOf('-') + 1));
    }

    private static Get get(int key) {
        return new Get(Bytes.toBytes(row(key))).addColumn(Fixture.F, COLUMN);
    }

    private static Put put(int key, String value) {
        return new Put(Bytes.toBytes(row(key))).addColumn(Fixture.F, COLUMN, Bytes.toBytes(value));
    }

    private static Delete delete(int key) {
        return new Delete(Bytes.toBytes(row(key))).addColumns(Fixture.F, COLUMN);
    }

    private static String value(Result row) {
        return row.isEmpty() ? "" : Bytes.toString(row.value());
    }

    /** Goes on, but not for ever, until everything has occurred often enough. */
    private Void work(int operations, int atLeast, SplittableRandom random) throws Exception {
        for (int n = started.getAndIncrement(); n < operations || n < 10 * operations && !tooSeldom(atLeast).isEmpty(); n = started.getAndIncrement()) {
            switch (random.nextInt(6)) {
                case 0 -> readFast(random);
                case 1, 2 -> writeFast(random);
                case 3 -> modifyFast(random);
                default -> regular(random);
            }
        }
        return null;
    }

    private void readFast(SplittableRandom random) {
        int key = random.nextInt(KEYS);
        long begun = System.nanoTime();
        try {
            String found = value(fast.read(get(key)));
            note(true, begun, 0, Outcome.COMMITTED, 0, List.of(new Operation(Kind.READ, key, found)));
        } catch (StoreException e) {
            count("read failed");
        }
    }

    private void writeFast(SplittableRandom random) {
        int key = random.nextInt(KEYS);
        boolean delete = deletes && random.nextInt(10) == 0;
        String value = "f" + fastWrites.incrementAndGet();
        Operation write = new Operation(delete ? Kind.DELETE : Kind.WRITE, key, value);
        fastUpdate(List.of(write), () -> delete ? fast.write(delete(key)) : fast.write(put(key, value)));
    }

    private void modifyFast(SplittableRandom random) {
        int key = random.nextInt(KEYS);
        String value = "f" + fastWrites.incrementAndGet();
        List<Operation> operations = new ArrayList<>();
        fastUpdate(operations, () -> fast.readModifyWrite(get(key), row -> {
            operations.add(new Operation(Kind.READ, key, value(row)));
            operations.add(new Operation(Kind.WRITE, key, value));
            return put(key, value);
        }));
    }

    private void fastUpdate(List<Operation> operations, java.util.function.LongSupplier update) {
        long begun = System.nanoTime();
        try {
            long version = update.getAsLong();
            note(true, begun, version, Outcome.COMMITTED, version, operations);
            Operation write = operations.get(operations.size() - 1);
            if (write.kind() == Kind.DELETE) {
                count("tombstone");
            } else {
                found(write.value(), version);
            }
        } catch (FastPathAbortedException e) {
            count(e.abortCause().name());
            note(true, begun, 0, Outcome.ABORTED, 0, operations);
        } catch (FastOutcomeUnknownException e) {
            note(true, begun, 0, Outcome.UNKNOWN, 0, operations);
            look(operations.get(operations.size() - 1));
        } catch (StoreException e) {
            count("write failed");
        }
    }

    /** Before it is collected: was it stored, and where? Answers when the region is open again. */
    private void look(Operation unanswered) {
        if (unanswered.kind() == Kind.DELETE) {
            throw new AssertionError("A deletion was not answered, and nobody can find out what became of it: no verdict.");
        }
        try (Table raw = hbase.connection.getTable(name)) {
            readStored(raw.get(get(unanswered.key()).readAllVersions()));
        } catch (IOException e) {
            count("look failed");
        }
    }

    private void regular(SplittableRandom random) throws IOException {
        long begun = System.nanoTime();
        List<Operation> operations = new ArrayList<>();
        Transaction tx = client.begin();
        try {
            if (random.nextInt(20) == 0) {
                scan(tx, operations);
            }
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                access(tx, operations, random);
            }
            int fate = random.nextInt(DEATHS);
            if (fate < 2) {
                int cold = COLD + random.nextInt(COLD);
                String value = "r" + tx.startTimestamp();
                table.put(tx, put(cold, value));
                operations.add(new Operation(Kind.WRITE, cold, value));
            }
            if (fate == 0) {
                Internals.protocol(client).write(Internals.state(tx)); // and dies
                count("died");
                note(false, begun, tx.startTimestamp(), Outcome.ABORTED, 0, operations);
                return;
            }
            if (fate == 1) {
                Internals.protocol(client).commit(Internals.state(tx)); // and dies before post-commit
                count("died");
            } else {
                tx.commit();
            }
            count("commit");
            note(false, begun, tx.startTimestamp(), Outcome.COMMITTED, tx.commitTimestamp(), operations);
        } catch (TransactionAbortedException e) {
            count("regular " + e.abortCause());
            note(false, begun, tx.startTimestamp(), Outcome.ABORTED, 0, operations);
        } catch (OutcomeUnknownException e) {
            count("regular unknown");
            note(false, begun, tx.startTimestamp(), Outcome.UNKNOWN, e.possibleCommitTs(), operations);
        } catch (StoreException | TransactionManagerException e) {
            count("regular failed");
            tx.close();
            note(false, begun, tx.startTimestamp(), Outcome.ABORTED, 0, operations);
        }
    }

    private void access(Transaction tx, List<Operation> operations, SplittableRandom random) {
        int key = random.nextInt(KEYS);
        int what = random.nextInt(8);
        if (what < 5) {
            operations.add(new Operation(Kind.READ, key, value(table.get(tx, get(key)))));
        }
        if (what == 0) {
            table.delete(tx, delete(key));
            operations.add(new Operation(Kind.DELETE, key, null));
        } else if (what > 2) {
            String value = "r" + tx.startTimestamp();
            table.put(tx, put(key, value));
            operations.add(new Operation(Kind.WRITE, key, value));
        }
    }

    private void scan(Transaction tx, List<Operation> operations) throws IOException {
        Map<Integer, String> found = new HashMap<>();
        try (ResultScanner rows = table.getScanner(tx, new Scan().addColumn(Fixture.F, COLUMN)
                .withStopRow(Bytes.toBytes(AFTER_KEYS)).setCaching(7))) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
                found.put(key(row.getRow()), value(row));
            }
        }
        for (int key = 0; key < KEYS; key++) {
            operations.add(new Operation(Kind.READ, key, found.getOrDefault(key, "")));
        }
        count("scan");
    }

    private void note(boolean isFast, long begun, long startTs, Outcome outcome, long commitTs, List<Operation> operations) {
        seen.add(new Seen(isFast, begun, startTs, outcome, commitTs, System.nanoTime(), List.copyOf(operations)));
    }

    // ---- the history

    private History history() throws IOException {
        readStored();
        History history = new History();
        for (Seen each : seen) {
            history.add(judged(each));
        }
        return history;
    }

    /** Where each value is found must be where its writer was told. Some are collected by now. */
    private void readStored() throws IOException {
        try (Table raw = hbase.connection.getTable(name);
                ResultScanner rows = raw.getScanner(new Scan().readAllVersions())) {
            for (Result row : rows) {
                readStored(row);
            }
        }
    }

    private void readStored(Result row) {
        for (Cell cell : row.rawCells()) {
            byte[] value = Layout.isCommitCell(cell) ? null : Layout.decode(cell);
            if (value != null && value[0] == 'f') {
                found(Bytes.toString(value), cell.getTimestamp());
            }
        }
    }

    private void found(String value, long version) {
        Long before = versions.put(value, version);
        if (before != null && before != version) {
            throw new AssertionError("Value " + value + " has version " + before + " and version " + version + ".");
        }
    }

    private HistoryTransaction judged(Seen each) {
        HistoryTransaction judged = each.fast() ? HistoryTransaction.fast(each.begun())
                : new HistoryTransaction(each.begun(), each.startTs());
        long unansweredVersion = 0;
        for (Operation operation : each.operations()) {
            switch (operation.kind()) {
                case READ -> judged.read(operation.key(), versionOf(operation.value()));
                case WRITE -> {
                    judged.write(operation.key());
                    unansweredVersion = versions.getOrDefault(operation.value(), 0L);
                }
                default -> judged.delete(operation.key());
            }
        }
        if (!each.fast() || each.outcome() != Outcome.UNKNOWN) {
            return judged.end(each.outcome(), each.commitTs(), each.answered());
        }
        // What was stored has committed, although nobody knows when it would have been answered.
        return unansweredVersion == 0 ? judged.end(Outcome.ABORTED, 0, 0)
                : judged.end(Outcome.COMMITTED, unansweredVersion, Long.MAX_VALUE);
    }

    private long versionOf(String value) {
        if (value.isEmpty()) {
            return 0;
        }
        return value.startsWith("r") ? Long.parseLong(value.substring(1)) : versions.getOrDefault(value, Long.MAX_VALUE);
    }
}
