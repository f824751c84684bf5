package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.MediatorHistory.Operation;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.MediatorObserver;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.MixedChecker;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/**
 * Native puts and gets and Mediator's transactions on the same rows, of two columns each, on eight threads, while clients, the helper
 * and the status oracle die between any two of their steps, clients are slow, log records are lost or late, regions are moved, and
 * the transaction manager is out of the region servers' reach. In both modes; the history is judged by {@link MixedChecker}. A run
 * in which something did not occur often enough proves nothing, and fails.
 *
 * <p>Where the oracle runs, and how it dies, is its tests' affair.
 */
abstract class MediatorWorkload {

    static final String WRITE_SKEW = "write skew";
    private static final int THREADS = 8;
    private static final int REGIONS = 4;
    private static final int KEYS = 40;
    /** Out of so many transactions one dies. */
    private static final int DEATHS = 15;
    private static final int STEPS = 16;
    /** Out of so many log records one is late, and out of ten times as many one is never answered. */
    private static final int LATE = 10;
    /**
     * Out of so many clients one is slow to ask for its commit timestamp, and another oracle may serve by then; and one to send its
     * record, and the helper has given it up.
     */
    private static final int SLOW = 100;
    private static final long SLOW_MILLIS = 400;

    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    Fixture hbase;
    private long span;
    /** What the region servers ask. */
    private TransactionManager manager;
    private Oracle oracle;
    private Log<byte[]> log;
    private MediatorClient client;
    private TransactionalTable table;
    private TableName name;
    private MediatorHistory seen;
    private double nativeFraction;
    /** The present run is over, or has failed. */
    private final AtomicBoolean done = new AtomicBoolean();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    /** Goes on from run to run. */
    private final SplittableRandom disturbing = new SplittableRandom(99);
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger nativePuts = new AtomicInteger();
    private final ExecutorService late = Executors.newFixedThreadPool(4);
    /** How many steps the client of this thread has left; absent: it does not die. */
    private final ThreadLocal<int[]> stepsLeft = new ThreadLocal<>();

    final Tracer counting = (action, arguments) -> count(action.name());

    // ---- where the oracle runs

    /** The oracle is killed, and another one takes over. */
    abstract void killOracle(SplittableRandom random) throws Exception;

    /** One pass of the helper, if that is not where the oracle is. */
    void help() {
    }

    /** Returns when whatever was begun is written back or aborted. Nobody begins anything. */
    abstract void settle() throws Exception;

    /** All runs are over: what else is to be counted. */
    void tell() throws Exception {
    }

    /** @param natives stamps between two timestamps; if they are few, they are used up now and then */
    <T extends Oracle & Log<byte[]>> void use(Fixture fixture, long natives, TransactionManager asked, T status) {
        hbase = fixture;
        span = natives;
        manager = asked;
        oracle = status;
        log = status;
    }

    void count(String what) {
        count(what, 1);
    }

    void count(String what, long times) {
        counts.computeIfAbsent(what, w -> new LongAdder()).add(times);
    }

    // ---- runs

    /**
     * Two runs, one in each mode, for each fraction of native operations.
     *
     * @param operations of each run, at least
     * @param rounds     of disturbances in each, at least; the first one and every other one after it kills the oracle
     * @param atLeast    what must occur in them, and how often
     */
    void runAll(int operations, int rounds, Map<String, Integer> atLeast, double... fractions) throws Exception {
        MediatorObserver.tracer = counting;
        try {
            for (double fraction : fractions) {
                for (String isolation : List.of("snapshot", "serializable")) {
                    nativeFraction = fraction;
                    run(isolation, operations, rounds);
                }
            }
            tell();
        } finally {
            MediatorObserver.tracer = Tracer.OFF;
            late.shutdownNow();
        }
        System.out.println(getClass().getSimpleName() + ", all runs: " + new TreeMap<>(counts));
        assertEquals(null, counts.get("native failed"), "native operations never abort");
        List<String> tooSeldom = atLeast.keySet().stream().filter(what -> !counts.containsKey(what) || counts.get(what).sum() < atLeast.get(what))
                .sorted().toList();
        assertEquals(List.of(), tooSeldom, "too seldom, so the runs prove nothing: " + new TreeMap<>(counts));
    }

    private void run(String isolation, int operations, int disturbances) throws Exception {
        name = hbase.mediatedTable(REGIONS);
        Configuration conf = new Configuration(hbase.conf);
        conf.set(Settings.MEDIATOR_ISOLATION, isolation);
        conf.setLong(Settings.MEDIATOR_WAIT, 100);
        client = hbase.closing(Internals.open(conf, new Faulty(), this::lateAppend, new Internals.MediatorSeams(DyingServers::new, counting)));
        table = client.table(name);
        seen = new MediatorHistory();
        rounds.set(0);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);
        done.set(false);
        long start = System.nanoTime();
        try {
            List<Future<?>> background = List.of(threads.submit(this::disturb), threads.submit(this::helpAlong));
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                workers.add(threads.submit(() -> work(operations, disturbances, random)));
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
            managerUp();
        }
        settle();
        judge(isolation.equals("serializable"), (System.nanoTime() - start) / 1_000_000_000);
    }

    private void judge(boolean serializable, long seconds) throws IOException {
        try (Table raw = hbase.connection.getTable(name)) {
            History history = seen.with(raw);
            long skews = MediatorHistory.writeSkews(history);
            System.out.printf("%s: %s, %.0f%% native: %,d operations in %d s, %d times write skew%n", getClass().getSimpleName(),
                    serializable ? "serializable" : "snapshot isolation", 100 * nativeFraction, seen.size(), seconds, skews);
            count("operation", seen.size());
            if (serializable) {
                assertEquals(List.of(), MixedChecker.checkSerializability(history));
                assertEquals(0, skews, WRITE_SKEW);
            } else {
                assertEquals(List.of(), MixedChecker.checkSnapshotIsolation(history));
                count(WRITE_SKEW, skews);
            }
        }
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
            return oracle.begin(replica);
        }

        @Override
        public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
            beSlow();
            return step(() -> oracle.txTryCommit(startTs, writes, conflicts, since));
        }

        @Override
        public void tsoAbort(long commitTs) {
            mayDie();
            oracle.tsoAbort(commitTs);
        }

        @Override
        public void txCommit(long commitTs) {
            mayDie();
            oracle.txCommit(commitTs);
        }
    }

    private static void beSlow() {
        if (ThreadLocalRandom.current().nextInt(SLOW) == 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS));
        }
    }

    /** A record that is not answered arrives some time later. */
    private boolean lateAppend(LogRecord<byte[]> record) {
        if (record.commits()) {
            beSlow();
        }
        boolean never = record.commits() && record.commitTs() / span % (10 * LATE) == 0;
        if (never || ThreadLocalRandom.current().nextInt(LATE) == 0) {
            late.submit(() -> {
                Thread.sleep(ThreadLocalRandom.current().nextInt(500));
                return log.append(record);
            });
            throw new StoreException("lost, for a test");
        }
        return step(() -> log.append(record));
    }

    /** HBase, as clients reach it that may die before or after each request, and between two columns that they write back. */
    final class DyingServers extends ServersInBetween {

        DyingServers(DataServers<CellKey, Write<byte[]>> servers) {
            super(servers);
        }

        @Override
        public Map<CellKey, Version<Write<byte[]>>> txGet(Map<CellKey, Long> due, long startTs) {
            return step(() -> super.txGet(due, startTs));
        }

        @Override
        public Map<CellKey, Version<Write<byte[]>>> get(Collection<CellKey> keys) {
            return step(() -> super.get(keys));
        }

        @Override
        public boolean txCheckConflict(Map<CellKey, Long> since, Collection<CellKey> fence, long commitTs) {
            return step(() -> super.txCheckConflict(since, fence, commitTs));
        }

        @Override
        public void writeBack(Map<CellKey, Write<byte[]>> writes, long commitTs) {
            mayDie();
            for (Map.Entry<CellKey, Write<byte[]>> write : writes.entrySet()) {
                super.writeBack(Map.of(write.getKey(), write.getValue()), commitTs);
                mayDie();
            }
        }

        @Override
        public long localCommit(CellKey key, Write<byte[]> value, long startTs) {
            return step(() -> super.localCommit(key, value, startTs));
        }
    }

    /** Whatever it does, it may die in between. */
    void dying(Runnable what) {
        stepsLeft.set(new int[] {ThreadLocalRandom.current().nextInt(6)});
        try {
            what.run();
        } finally {
            stepsLeft.remove();
        }
    }

    /** Until there are so many more, or the run is over. */
    void awaitOperations(int more) throws InterruptedException {
        for (int until = seen.size() + more; seen.size() < until && !done.get();) {
            Thread.sleep(5);
        }
    }

    private Void disturb() throws Exception {
        for (int round = 0; !done.get(); round++) {
            Thread.sleep(disturbing.nextInt(300));
            if (round % 2 == 0) {
                killOracle(disturbing);
            } else {
                move(disturbing, round % 4 == 1);
            }
            rounds.incrementAndGet();
        }
        return null;
    }

    private void move(SplittableRandom random, boolean out) throws Exception {
        if (out) {
            hbase.managerDown();
        }
        try {
            hbase.move(name, row(random.nextInt(KEYS)));
            count("move");
        } catch (IOException e) {
            count("move failed");
        }
        Thread.sleep(out ? 500 : 0);
        managerUp();
    }

    private void managerUp() {
        TestManagers.up(hbase.commits, manager);
    }

    private Void helpAlong() throws Exception {
        while (!done.get()) {
            Thread.sleep(100);
            try {
                help();
            } catch (Death e) {
                count("helper died");
            } catch (StoreException | TransactionManagerException e) {
                count("helper failed");
            }
        }
        return null;
    }

    // ---- clients

    /** Of two keys that follow each other. */
    private static String row(int key) {
        return key / 2 % REGIONS + "-" + key / 2;
    }

    /** The key itself. */
    private static byte[] column(int key) {
        return Bytes.toBytes(Integer.toString(key));
    }

    private static Get get(int key) {
        return new Get(Bytes.toBytes(row(key))).addColumn(Fixture.F, column(key));
    }

    private static Put put(int key, String value) {
        return new Put(Bytes.toBytes(row(key))).addColumn(Fixture.F, column(key), Bytes.toBytes(value));
    }

    private static String value(Result row) {
        return row.isEmpty() ? "" : Bytes.toString(row.value());
    }

    private Void work(int operations, int disturbances, SplittableRandom random) throws IOException {
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
        try (Table raw = hbase.connection.getTable(name)) {
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
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
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

    /** Often it only reads, or there would be hardly any write skew. */
    private void access(Transaction tx, List<Operation> operations, SplittableRandom random) {
        int key = random.nextInt(KEYS);
        int what = random.nextInt(5);
        if (what < 4) {
            operations.add(new Operation(false, key, value(table.get(tx, get(key)))));
        }
        if (what > 1) {
            String value = "t" + tx.startTimestamp();
            table.put(tx, put(key, value));
            operations.add(new Operation(true, key, value));
        }
    }

    private void note(boolean isNative, Object process, long begun, long startTs, Outcome outcome, long commitTs, List<Operation> operations) {
        seen.add(new MediatorHistory.Seen(isNative, process, begun, startTs, outcome, commitTs, System.nanoTime(), operations));
    }
}
