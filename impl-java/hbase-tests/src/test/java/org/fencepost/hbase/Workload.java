package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.TimestampChecker;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.StoreException;

/**
 * Runs a workload on eight threads while some clients die and while janitor and compactions collect behind them, and
 * has the history judged. The values tell who wrote them, so the history owes nothing to what the code under test says
 * about versions.
 */
abstract class Workload {

    private static final int THREADS = 8;
    /** Short, so that the watermark follows closely although clients die. */
    private static final long LIFETIME_MILLIS = 4_000;
    /** Out of so many transactions one is abandoned before its commit, and one after it, before post-commit. */
    private static final int DEATHS = 200;

    final Fixture hbase;
    final TransactionClient client;
    final TransactionalTable table;
    private final String name;
    private final TransactionManager manager;
    private final History history = new History();
    private final AtomicInteger started = new AtomicInteger();
    private final LongAdder committed = new LongAdder();
    private final LongAdder died = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final Map<AbortCause, LongAdder> aborted = new EnumMap<>(AbortCause.class);

    Workload(Fixture hbase, String name) throws Exception {
        this.hbase = hbase;
        this.name = name;
        hbase.conf.setInt(Settings.POST_COMMIT_THREADS, 4);
        hbase.conf.setLong(Settings.LIFETIME, LIFETIME_MILLIS);
        manager = hbase.manager(TimeUnit.MILLISECONDS.toNanos(LIFETIME_MILLIS + 1_000));
        TestManagers.up(hbase.commits, manager);
        client = openClient();
        TableName tableName = hbase.table();
        table = client.table(tableName);
        for (AbortCause cause : AbortCause.values()) {
            aborted.put(cause, new LongAdder());
        }
    }

    final TransactionClient openClient() {
        return TransactionClient.open(hbase.conf, manager);
    }

    static int transactions() {
        return Integer.getInteger("fencepost.workload.transactions", Boolean.getBoolean("fencepost.test.all") ? 50_000 : 2_000);
    }

    /** The body of one transaction; notes in the history what it reads and writes. */
    abstract void body(Transaction tx, HistoryTransaction seen, SplittableRandom random, int number) throws Exception;

    /** Runs it all; fails on the first violation. */
    final void run() throws Exception {
        int count = transactions();
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
        AtomicBoolean done = new AtomicBoolean();
        try {
            Future<?> collecting = threads.submit(() -> {
                collectUntil(done);
                return null;
            });
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                workers.add(threads.submit(() -> {
                    work(count, random);
                    return null;
                }));
            }
            while (!workers.stream().allMatch(Future::isDone)) {
                Thread.sleep(Math.min(3_000, 20 + count / 10));
                progress(count, start);
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
            done.set(true);
            collecting.get();
        } finally {
            done.set(true);
            threads.shutdownNow();
            client.close();
        }
        progress(count, start);
        assertEquals(List.of(), TimestampChecker.check(history));
    }

    private void progress(int count, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        int so = Math.min(count, started.get());
        StringBuilder causes = new StringBuilder();
        aborted.forEach((cause, n) -> causes.append(n.sum() == 0 ? "" : ", " + cause + " " + n.sum()));
        System.out.printf("%s: %,d of %,d transactions, %,.0f/s; committed %,d, abandoned %,d, unanswered %,d%s%n",
                name, so, count, so / seconds, committed.sum(), died.sum(), unanswered.sum(), causes);
    }

    private void work(int count, SplittableRandom random) throws Exception {
        for (int number = started.getAndIncrement(); number < count; number = started.getAndIncrement()) {
            transaction(number, random);
        }
    }

    private void transaction(int number, SplittableRandom random) throws Exception {
        long begun = System.nanoTime();
        Transaction tx = client.begin();
        HistoryTransaction seen = new HistoryTransaction(begun, tx.startTimestamp());
        try {
            body(tx, seen, random, number);
            int fate = number == 0 ? 1 : random.nextInt(DEATHS);
            if (fate == 0) {
                Internals.protocol(client).write(Internals.state(tx)); // and dies
                died.increment();
                return;
            }
            if (fate == 1) {
                Internals.protocol(client).commit(Internals.state(tx)); // and dies before post-commit
            } else {
                tx.commit();
            }
            seen.end(Outcome.COMMITTED, tx.commitTimestamp(), System.nanoTime());
            committed.increment();
        } catch (TransactionAbortedException e) {
            aborted.get(e.abortCause()).increment();
        } catch (OutcomeUnknownException e) {
            seen.end(Outcome.UNKNOWN, e.possibleCommitTs(), 0);
            unanswered.increment();
        } catch (StoreException e) {
            tx.close(); // HBase is slow or moving; the next transaction may fare better
            unanswered.increment();
        } finally {
            history.add(seen);
        }
    }

    /** The shorter the periods, the nearer the watermark comes to the readers. */
    private void collectUntil(AtomicBoolean done) throws Exception {
        Janitor janitor = new Janitor(client, manager, Duration.ofMillis(200));
        for (int round = 1; !done.get(); round++) {
            Thread.sleep(500);
            try {
                janitor.pass();
            } catch (StoreException e) {
                continue; // the next pass makes up for it
            }
            if (round % 8 == 0) {
                hbase.compact(table.name());
            }
        }
    }
}
