package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.TimestampChecker;
import org.fencepost.protocol.omid.Interleavings.Scenario;
import org.fencepost.protocol.omid.Interleavings.Turns;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/**
 * Small scenarios under every schedule, or every one with few preemptions, judged by the timestamp checker. A final
 * transaction reads all keys, and again after everything has been collected.
 */
class InterleavingTest {

    /** Of preemptions, for the smallest scenario: all schedules in {@code make test-all}. */
    private static final int MOST = Boolean.getBoolean("fencepost.test.all") ? Integer.MAX_VALUE : 6;

    /** What the actors of a scenario do: each step of theirs is a scheduling point. */
    private static final class Run implements Scenario {
        private final World world = new World();
        private final History history = new History();
        private final AtomicLong time = new AtomicLong();
        private final List<Runnable> actors = new ArrayList<>();
        /** One call per key, as far as the schedule is concerned: batches are not atomic. */
        private final OmidLL<String, String> ll;
        private final Collector<String, String> collector;
        private int committed;

        Run(Turns turns) {
            world.hook = call -> {
                turns.await();
                return call.proceed();
            };
            VersionedStore<String, String> store = new PerKeyStore<>(world.store);
            ll = new OmidLL<>(store, world.commitTable, world.manager, world.clock, String::hashCode, World.SETTINGS, Tracer.OFF);
            collector = new Collector<>(store, world.commitTable, world.manager, Tracer.OFF);
            transaction("put a", "put b").run();
        }

        Run with(Runnable... more) {
            actors.addAll(List.of(more));
            return this;
        }

        @Override
        public List<Runnable> actors() {
            return actors;
        }

        /** A transaction of these operations: "get k", "put k", "delete k". Gives up when aborted. */
        Runnable transaction(String... operations) {
            return () -> {
                long begun = time.incrementAndGet();
                OmidLLTransaction<String, String> tx = ll.begin();
                HistoryTransaction record = new HistoryTransaction(begun, tx.startTs());
                Outcome outcome = Outcome.ABORTED;
                try {
                    for (String operation : operations) {
                        operate(tx, record, operation.split(" ")[0], operation.split(" ")[1]);
                    }
                    Committed<String> done = ll.commit(tx);
                    outcome = Outcome.COMMITTED;
                    committed++;
                    record.end(outcome, tx.commitTs(), time.incrementAndGet());
                    ll.finishCommit(done);
                } catch (TransactionAbortedException e) {
                    record.end(outcome, tx.commitTs(), 0);
                } finally {
                    history.add(record);
                }
            };
        }

        private void operate(OmidLLTransaction<String, String> tx, HistoryTransaction record, String verb, String key) {
            switch (verb) {
                case "get" -> record.read(key, ll.read(tx, key));
                case "put" -> {
                    record.write(key);
                    ll.write(tx, Map.of(key, Write.of("by " + tx.startTs())));
                }
                case "delete" -> {
                    record.delete(key);
                    ll.write(tx, Map.of(key, Write.tombstone()));
                }
                default -> throw new IllegalArgumentException(verb);
            }
        }

        Runnable collection() {
            return () -> collector.collect(List.of("a", "b"));
        }

        /** First lets every transaction that is under way expire, by the manager's clock. */
        Runnable collectionUnderExpiredReaders() {
            return () -> {
                world.clock.advance(2 * World.MANAGER_LIFETIME);
                world.manager.collectableBelow();
                world.clock.advance(2 * World.MANAGER_LIFETIME);
                collector.collect(List.of("a", "b"));
            };
        }

        @Override
        public void judge() {
            transaction("get a", "get b").run();
            world.collectEverything();
            transaction("get a", "get b").run();
            assertEquals(List.of(), TimestampChecker.check(history));
            assertEquals(0, world.table.size());
            for (String key : List.of("a", "b")) {
                assertTrue(world.records(key).size() <= 1, () -> world.records(key).toString());
            }
        }
    }

    private static final class PerKeyStore<K, V> implements VersionedStore<K, V> {
        private final VersionedStore<K, V> store;

        PerKeyStore(VersionedStore<K, V> store) {
            this.store = store;
        }

        @Override
        public void put(long version, Map<K, Write<V>> writes) {
            writes.forEach((key, write) -> store.put(version, Map.of(key, write)));
        }

        @Override
        public java.util.Iterator<Record<V>> get(K key, long fromVersion) {
            return store.get(key, fromVersion);
        }

        @Override
        public Record<V> reread(K key, long version) {
            return store.reread(key, version);
        }

        @Override
        public void putCommitCells(java.util.Collection<K> keys, long version, long commitTs) {
            keys.forEach(key -> store.putCommitCells(List.of(key), version, commitTs));
        }

        @Override
        public void remove(java.util.Collection<K> keys, long version) {
            keys.forEach(key -> store.remove(List.of(key), version));
        }
    }

    private static void explore(int preemptions, int atLeast, java.util.function.Function<Run, Run> scenario) {
        int schedules = Interleavings.explore(preemptions, turns -> scenario.apply(new Run(turns)));
        assertTrue(schedules >= atLeast, schedules + " schedules");
    }

    @Test
    void readerMeetsWriter() {
        explore(MOST, 2_000, run -> run.with(run.transaction("put a"), run.transaction("get a")));
    }

    @Test
    void readerOfTwoKeysMeetsWriterOfBoth() {
        explore(4, 2_000, run -> run.with(run.transaction("put a", "put b"), run.transaction("get b", "get a")));
    }

    @Test
    void twoReadersMeetOneWriter() {
        explore(2, 500, run -> run.with(run.transaction("put a"), run.transaction("get a"), run.transaction("get a")));
    }

    @Test
    void twoWritersOfOneKey() {
        explore(3, 500, run -> run.with(run.transaction("get a", "put a"), run.transaction("get a", "put a")));
    }

    @Test
    void writeSkewIsAllowedButBothReadTheirSnapshots() {
        explore(3, 500, run -> run.with(run.transaction("get a", "get b", "put a"), run.transaction("get a", "get b", "put b")));
    }

    @Test
    void readerMeetsDelete() {
        explore(4, 1_000, run -> run.with(run.transaction("delete a", "put b"), run.transaction("get a", "get b")));
    }

    @Test
    void collectorMeetsWriterAndReader() {
        explore(2, 1_000, run -> run.with(run.transaction("put a", "put b"), run.transaction("get a", "get b"), run.collection()));
    }

    @Test
    void collectorMeetsDeleteAndReader() {
        explore(2, 1_000, run -> run.with(run.transaction("delete a"), run.transaction("get a"), run.collection()));
    }

    @Test
    void collectorUnderExpiredReaders() {
        explore(2, 1_000, run -> run.with(run.transaction("put a"), run.transaction("get a"), run.collectionUnderExpiredReaders()));
    }

    @Test
    void twoCollectors() {
        explore(2, 1_000, run -> run.with(run.transaction("put a"), run.collection(), run.collection()));
    }
}
