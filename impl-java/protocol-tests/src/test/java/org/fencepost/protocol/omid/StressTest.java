package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.TimestampChecker;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.omid.Faults.Death;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/**
 * Eight threads, 50,000 transactions, while calls are delayed, repeated and lost, clients die, post-commits run late on
 * another thread, and a collector is at work all the time. The timestamp checker judges; the workload's own invariant
 * (the total; the order of the lists) does too, in the end and after everything has been collected.
 */
class StressTest {

    private static final int THREADS = 8;
    private static final int TRANSACTIONS = 50_000;
    private static final Clock CLOCK = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    };

    /** A world for values of one type, with random faults. */
    private static final class Arena<V> {
        private final InMemoryStore<Integer, V> memory = new InMemoryStore<>();
        private final InMemoryCommitTable table = new InMemoryCommitTable();
        private final LocalTransactionManager localManager = new LocalTransactionManager(new TransactionManagerCore(
                new TransactionManagerCore.Settings(1 << 4, 1 << 14, TimeUnit.MILLISECONDS.toNanos(2_400), 1 << 14),
                0, Long.MAX_VALUE, 0, CLOCK.nanos(), Tracer.OFF), CLOCK);
        private volatile boolean faulty = true;
        private final VersionedStore<Integer, V> store = wrapStore();
        private final CommitTable commitTable = Interposed.wrap(CommitTable.class, table, this::maybe);
        private final TransactionManager manager = Interposed.wrap(TransactionManager.class, localManager, this::maybe);
        private final OmidLL<Integer, V> ll = new OmidLL<>(store, commitTable, manager, CLOCK, k -> k,
                new OmidLL.Settings(TimeUnit.MILLISECONDS.toNanos(2_000), 1_000, TimeUnit.SECONDS.toNanos(1), 2, true), Tracer.OFF);
        private final History history = new History();
        private final ConcurrentLinkedQueue<Runnable> late = new ConcurrentLinkedQueue<>();
        private final AtomicInteger putOff = new AtomicInteger();
        private final AtomicInteger caughtUp = new AtomicInteger();
        private final AtomicInteger committed = new AtomicInteger();
        private final AtomicInteger unknown = new AtomicInteger();
        private final AtomicInteger dead = new AtomicInteger();
        private final AtomicInteger collections = new AtomicInteger();

        @SuppressWarnings("unchecked")
        private VersionedStore<Integer, V> wrapStore() {
            return Interposed.wrap(VersionedStore.class, memory, this::maybe);
        }

        /** One call in so many is delayed, repeated at once or later, lost, or the last one of its client. */
        private Object maybe(Interposed.Call call) {
            if (!faulty || call.name().startsWith("Iterator")) {
                return call.proceed();
            }
            int dice = ThreadLocalRandom.current().nextInt(2_000);
            int lost = call.name().startsWith("CommitTable") ? 100 : 10; // an outcome is unknown only if several in a row are
            if (dice < 100) {
                Thread.yield();
            } else if (dice < 110 && call.name().startsWith("VersionedStore")) {
                call.proceed();
            } else if (dice < 120 && mayComeAgain(call.name())) {
                putOff(call::proceed);
            } else if (dice < 120 + lost) {
                throw call.lost();
            } else if (dice < 120 + 2 * lost) {
                call.proceed();
                throw call.lost();
            } else if (dice < 122 + 2 * lost) {
                throw new Death(call.name());
            }
            return call.proceed();
        }

        private void putOff(Runnable work) {
            putOff.incrementAndGet();
            late.add(work);
        }

        /** Everything may have a late copy, but no one repeats a begin or a commit request. */
        private static boolean mayComeAgain(String name) {
            return !name.equals("TransactionManager.begin") && !name.equals("TransactionManager.commit");
        }

        private interface Body<V> {
            void run(OmidLLTransaction<Integer, V> tx, HistoryTransaction record);
        }

        /** Runs one transaction, whatever happens to it; false if it did not commit for certain. */
        boolean transact(Body<V> body) {
            long begun = CLOCK.nanos();
            OmidLLTransaction<Integer, V> tx;
            try {
                tx = ll.begin();
            } catch (TransactionManagerException | Death e) {
                return false;
            }
            HistoryTransaction record = new HistoryTransaction(begun, tx.startTs());
            Outcome outcome = Outcome.ABORTED;
            try {
                body.run(tx, record);
                Committed<Integer> done = ll.commit(tx);
                outcome = Outcome.COMMITTED;
                record.end(outcome, tx.commitTs(), CLOCK.nanos());
                committed.incrementAndGet();
                putOff(() -> ll.finishCommit(done));
            } catch (OutcomeUnknownException e) {
                outcome = Outcome.UNKNOWN;
                unknown.incrementAndGet();
            } catch (StoreException e) {
                giveUp(tx);
            } catch (TransactionAbortedException e) {
                // recorded below
            } catch (Death e) {
                dead.incrementAndGet();
                outcome = tx.commitTs() != 0 ? Outcome.UNKNOWN : Outcome.ABORTED;
            }
            if (outcome != Outcome.COMMITTED) {
                record.end(outcome, tx.commitTs(), 0);
            }
            history.add(record);
            return outcome == Outcome.COMMITTED;
        }

        private void giveUp(OmidLLTransaction<Integer, V> tx) {
            try {
                ll.rollback(tx);
            } catch (Death e) {
                dead.incrementAndGet();
            }
        }

        V read(OmidLLTransaction<Integer, V> tx, HistoryTransaction record, int key) {
            Record<V> found = ll.read(tx, key);
            record.read(key, found);
            return found == null ? null : found.value();
        }

        void write(OmidLLTransaction<Integer, V> tx, HistoryTransaction record, int key, V value) {
            ll.buffer(tx, key, Write.of(value));
            record.write(key);
        }

        void delete(OmidLLTransaction<Integer, V> tx, HistoryTransaction record, int key) {
            ll.buffer(tx, key, Write.tombstone());
            record.delete(key);
        }

        /** Clients, one thread that does what was put off, one that collects. */
        void run(Body<V> body) throws InterruptedException, ExecutionException {
            ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);
            try {
                List<Future<?>> clients = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    clients.add(threads.submit(() -> {
                        for (int n = 0; n < TRANSACTIONS / THREADS; n++) {
                            transact(body);
                        }
                    }));
                }
                List<Future<?>> helpers = List.of(threads.submit(this::catchUp), threads.submit(this::collect));
                for (Future<?> client : clients) {
                    client.get();
                }
                faulty = false;
                for (Future<?> helper : helpers) {
                    helper.get();
                }
            } finally {
                threads.shutdownNow();
            }
        }

        private void catchUp() {
            while (faulty || !late.isEmpty()) {
                Runnable next = late.poll();
                if (next == null) {
                    CLOCK.sleep(100_000);
                    continue;
                }
                try {
                    next.run();
                } catch (Death e) {
                    dead.incrementAndGet();
                }
                caughtUp.incrementAndGet();
            }
        }

        /**
         * Waits until what was put off before the watermark was read has been done: NoPutInFlight. Every other pass is
         * without faults, for few complete with them.
         */
        private void collect() {
            for (int pass = 0; faulty; pass++) {
                Collector<Integer, V> collector = pass % 2 == 0 ? new Collector<>(store, commitTable, manager, Tracer.OFF)
                        : new Collector<>(memory, table, localManager, Tracer.OFF);
                try {
                    long watermark = manager.collectableBelow();
                    int before = putOff.get();
                    while (caughtUp.get() < before) {
                        CLOCK.sleep(100_000);
                    }
                    collector.collect(memory.keys(), watermark);
                    collections.incrementAndGet();
                } catch (StoreException | TransactionManagerException | Death e) {
                    // begin another
                }
                CLOCK.sleep(2_000_000);
            }
        }

        /** Until one committed record per key is left at most, and no commit entry; first the dead must expire. */
        void collectEverything() {
            long start = CLOCK.nanos();
            while (table.size() > 0 || !memory.keys().stream().allMatch(this::isTidy)) {
                assertTrue(CLOCK.nanos() - start < TimeUnit.SECONDS.toNanos(300), () -> "left over: " + table.size() + " entries, keys "
                        + memory.keys().stream().filter(key -> !isTidy(key)).toList());
                new Collector<>(store, commitTable, manager, Tracer.OFF).collect(memory.keys());
                CLOCK.sleep(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }

        private boolean isTidy(int key) {
            Iterator<Record<V>> records = memory.get(key, Long.MAX_VALUE);
            return !records.hasNext() || records.next().hasCommitCell() && !records.hasNext();
        }

        void assertIsolated() {
            assertEquals(List.of(), TimestampChecker.check(history));
            assertTrue(committed.get() > TRANSACTIONS / 10, committed + " committed");
            assertTrue(unknown.get() > 0 && dead.get() > 0 && collections.get() > 0,
                    unknown + " unknown, " + dead + " dead, " + collections + " collections");
        }
    }

    @Test
    void bank() throws Exception {
        int accounts = 50;
        Arena<Long> arena = new Arena<>();
        arena.faulty = false;
        arena.transact((tx, record) -> {
            for (int i = 0; i < accounts; i++) {
                arena.write(tx, record, i, 100L);
            }
        });
        arena.faulty = true;
        arena.run((tx, record) -> {
            Random random = ThreadLocalRandom.current();
            if (random.nextInt(20) == 0) {
                assertEquals(accounts * 100L, total(arena, tx, record, accounts));
                return;
            }
            int from = random.nextInt(accounts);
            int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
            long balance = orZero(arena.read(tx, record, from));
            long other = orZero(arena.read(tx, record, to));
            long amount = Math.min(balance, 1 + random.nextInt(50));
            if (amount == 0) {
                return;
            }
            if (balance == amount) {
                arena.delete(tx, record, from);
            } else {
                arena.write(tx, record, from, balance - amount);
            }
            arena.write(tx, record, to, other + amount);
        });
        assertTrue(arena.transact((tx, record) -> assertEquals(accounts * 100L, total(arena, tx, record, accounts))));
        arena.collectEverything();
        assertTrue(arena.transact((tx, record) -> assertEquals(accounts * 100L, total(arena, tx, record, accounts))));
        arena.assertIsolated();
    }

    private static long total(Arena<Long> arena, OmidLLTransaction<Integer, Long> tx, HistoryTransaction record, int accounts) {
        long total = 0;
        for (int i = 0; i < accounts; i++) {
            total += orZero(arena.read(tx, record, i));
        }
        return total;
    }

    private static long orZero(Long balance) {
        return balance == null ? 0 : balance;
    }

    @Test
    void listAppend() throws Exception {
        int lists = 16;
        AtomicInteger appended = new AtomicInteger();
        Arena<List<Long>> arena = new Arena<>();
        arena.run((tx, record) -> {
            Random random = ThreadLocalRandom.current();
            int era = appended.get() / 1_000; // new keys every so often, or the lists grow too long
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                int key = era * lists + random.nextInt(lists);
                List<Long> list = arena.read(tx, record, key);
                if (random.nextBoolean() && !tx.writeSet().contains(key)) {
                    List<Long> longer = new ArrayList<>(list == null ? List.of() : list);
                    longer.add(tx.startTs());
                    arena.write(tx, record, key, longer);
                    appended.incrementAndGet();
                }
            }
        });
        arena.collectEverything();
        Map<Integer, List<HistoryTransaction>> appenders = new HashMap<>();
        for (HistoryTransaction t : arena.history.transactions()) {
            t.operations().stream().filter(op -> op.kind() == Kind.WRITE).map(op -> (Integer) op.key()).distinct()
                    .forEach(key -> appenders.computeIfAbsent(key, k -> new ArrayList<>()).add(t));
        }
        appenders.forEach((key, writers) -> arena.transact((tx, record) -> assertList(writers, arena.read(tx, record, key))));
        arena.assertIsolated();
    }

    /** The list holds what every certain committer appended, in the order of commits, and besides only unknown ones. */
    private static void assertList(List<HistoryTransaction> writers, List<Long> list) {
        List<Long> elements = list == null ? List.of() : list;
        List<Long> expected = writers.stream()
                .filter(t -> t.outcome() == Outcome.COMMITTED || t.outcome() == Outcome.UNKNOWN && elements.contains(t.startTs()))
                .sorted(Comparator.comparingLong(HistoryTransaction::commitTs)).map(HistoryTransaction::startTs).toList();
        assertEquals(expected, elements);
    }
}
