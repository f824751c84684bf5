package org.fencepost.tm.mediator;

import static org.fencepost.protocol.manager.TransactionManager.BELOW_WATERMARK;
import static org.fencepost.protocol.manager.TransactionManager.CONFLICT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fencepost.protocol.mediator.Replica;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

class StatusOracleTest {

    private static final long DELTA = 16;

    private long clock = 100 * DELTA;

    private StatusOracle oracle(int entries) {
        return new StatusOracle(entries, () -> clock += DELTA, 100 * DELTA, Tracer.OFF);
    }

    /** Under snapshot isolation: the write set, since the start. */
    private static long commit(StatusOracle oracle, long startTs, long... keys) {
        long[] since = new long[keys.length];
        Arrays.fill(since, startTs);
        return oracle.txTryCommit(startTs, keys, keys, since);
    }

    @Test
    void ofTwoOverlappingWritersOfAKeyTheSecondIsRefused() {
        StatusOracle oracle = oracle(8);
        long first = oracle.begin();
        long second = oracle.begin();
        assertTrue(commit(oracle, first, 1, 2) > second);
        assertEquals(CONFLICT, commit(oracle, second, 3, 2));
        assertTrue(commit(oracle, oracle.begin(), 2) > 0, "begun after the commit");
    }

    @Test
    void anActiveEntryCountsAndAnAbortedOneDoesNot() {
        StatusOracle oracle = oracle(8);
        long late = oracle.begin();
        long commitTs = commit(oracle, oracle.begin(), 1);
        assertEquals(CONFLICT, commit(oracle, late, 1));
        oracle.tsoAbort(commitTs);
        assertTrue(commit(oracle, late, 1) > 0);
    }

    @Test
    void aCommittedEntryStillCounts() {
        StatusOracle oracle = oracle(8);
        long late = oracle.begin();
        oracle.settleEntry(commit(oracle, oracle.begin(), 1), true);
        assertEquals(CONFLICT, commit(oracle, late, 1));
    }

    /** Under serializability the version that was read is no conflict, whoever began when; a newer one is, whatever was read of other keys. */
    @Test
    void eachReadKeyIsComparedWithItsOwnVersion() {
        StatusOracle oracle = oracle(8);
        long reader = oracle.begin();
        long one = commit(oracle, oracle.begin(), 1);
        long two = commit(oracle, oracle.begin(), 2);
        assertEquals(CONFLICT, oracle.txTryCommit(reader, new long[] {3}, new long[] {2, 1}, new long[] {two, 0}));
        assertEquals(CONFLICT, oracle.txTryCommit(reader, new long[0], new long[] {1, 2}, new long[] {one, one}));
        assertTrue(oracle.txTryCommit(reader, new long[] {3}, new long[] {1, 2}, new long[] {one, two}) > two);
    }

    @Test
    void aTransactionWithoutWritesLeavesNoEntry() {
        StatusOracle oracle = oracle(8);
        assertTrue(oracle.txTryCommit(oracle.begin(), new long[0], new long[] {1}, new long[] {0}) > 0);
        assertEquals(0, oracle.size());
        assertEquals(0, oracle.active().length);
    }

    @Test
    void evictionAbortsWhoBeganBefore() {
        StatusOracle oracle = oracle(2);
        long old = oracle.begin();
        long a = commit(oracle, oracle.begin(), 1);
        long between = oracle.begin();
        long b = commit(oracle, oracle.begin(), 2);
        oracle.settleEntry(a, true);
        oracle.settleEntry(b, true);
        long c = commit(oracle, oracle.begin(), 3);
        assertEquals(BELOW_WATERMARK, commit(oracle, old, 9));
        assertEquals(a, oracle.tsMin());
        oracle.tsoAbort(c);
        assertEquals(CONFLICT, commit(oracle, between, 2));
    }

    @Test
    void anAbortedEntryIsForgottenWithoutConsequences() {
        StatusOracle oracle = oracle(1);
        long old = oracle.begin();
        oracle.tsoAbort(commit(oracle, oracle.begin(), 1));
        assertTrue(commit(oracle, old, 1) > 0);
    }

    @Test
    void anActiveEntryIsNeverEvicted() {
        StatusOracle oracle = oracle(2);
        long a = commit(oracle, oracle.begin(), 1);
        oracle.settleEntry(commit(oracle, oracle.begin(), 2), true);
        oracle.evict();
        assertEquals(BELOW_WATERMARK, commit(oracle, oracle.begin(), 3), "there is no room");
        assertArrayEquals(new long[] {a}, oracle.active());
        assertEquals(a, oracle.settledBelow());
        oracle.settleEntry(a, true);
        assertTrue(commit(oracle, oracle.begin(), 3) > a);
    }

    @Test
    void whoBeganWithAnEarlierOracleIsRefused() {
        assertEquals(BELOW_WATERMARK, commit(oracle(8), 99 * DELTA, 1));
    }

    @Test
    void anEntryIsSettledOnce() {
        StatusOracle oracle = oracle(8);
        long late = oracle.begin();
        long a = commit(oracle, oracle.begin(), 1);
        oracle.settleEntry(a, true);
        oracle.tsoAbort(a);
        assertEquals(CONFLICT, commit(oracle, late, 1));
        assertFalse(oracle.isActive(a));
    }

    @Test
    void aReplicaHasWhatIsActiveAndStaysAsItWas() {
        StatusOracle oracle = oracle(8);
        long a = commit(oracle, oracle.begin(), 1);
        long b = commit(oracle, oracle.begin(), 1, 2);
        Replica replica = oracle.replica();
        oracle.settleEntry(b, true);
        assertEquals(b, replica.latestCommitted(1));
        assertEquals(b, replica.latestCommitted(2));
        assertEquals(0, replica.latestCommitted(3));
        assertEquals(a, oracle.replica().latestCommitted(1));
    }

    @Test
    void badInputIsRefusedInOneSentence() {
        assertEquals("The ring holds 1 to 16777216 transactions, not 0.",
                assertThrows(IllegalArgumentException.class, () -> oracle(0)).getMessage());
        assertEquals("A change of the ring of 5 numbers makes no sense.",
                assertThrows(IllegalArgumentException.class, () -> new RingReplica().apply(new long[] {1, 0, 1, 5, 7})).getMessage());
    }

    /** Against a list of entries with exact key sets: keys are so few that no filter holds one by chance. */
    @Property(tries = 300)
    void decidesAsAListOfEntriesDoes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int entries) {
        Random random = new Random(seed);
        StatusOracle oracle = oracle(entries);
        TreeMap<Long, Set<Long>> model = new TreeMap<>();
        Map<Long, String> status = new HashMap<>();
        long tsMin = 100 * DELTA;
        List<Long> begun = new ArrayList<>(List.of(oracle.begin()));
        RingReplica[] clients = {new RingReplica(), new RingReplica()};
        for (int step = 0; step < 200; step++) {
            long some = model.isEmpty() ? 0 : new ArrayList<>(model.keySet()).get(random.nextInt(model.size()));
            switch (random.nextInt(6)) {
                case 0 -> {
                    begun.add(oracle.begin());
                    RingReplica client = clients[random.nextInt(2)];
                    long[] changes = oracle.changesSince(client.revision());
                    client.apply(changes);
                    client.apply(changes);
                    assertSameReplica(model, status, client.snapshot());
                }
                case 1, 2 -> {
                    long startTs = begun.get(begun.size() - 1 - random.nextInt(Math.min(begun.size(), 5)));
                    Set<Long> keys = Set.of((long) random.nextInt(6), 10L + random.nextInt(6));
                    if (model.size() == entries && status.get(model.firstKey()).equals("active")) {
                        long answer = commit(oracle, startTs, keys.stream().mapToLong(k -> k).toArray());
                        assertTrue(answer < 0, "no room");
                        continue;
                    }
                    boolean free = model.entrySet().stream().noneMatch(e -> e.getKey() > startTs && !status.get(e.getKey()).equals("aborted")
                            && e.getValue().stream().anyMatch(keys::contains));
                    long expected = startTs < tsMin ? BELOW_WATERMARK : free ? clock + DELTA : CONFLICT;
                    assertEquals(expected, commit(oracle, startTs, keys.stream().mapToLong(k -> k).toArray()));
                    if (expected > 0) {
                        if (model.size() == entries) {
                            tsMin = status.get(model.firstKey()).equals("aborted") ? tsMin : model.firstKey();
                            model.pollFirstEntry();
                        }
                        model.put(expected, keys);
                        status.put(expected, "active");
                    }
                }
                case 3 -> settle(status, some, "committed", () -> oracle.settleEntry(some, true));
                case 4 -> settle(status, some, "aborted", () -> oracle.tsoAbort(some));
                default -> {
                    if (random.nextInt(4) == 0) {
                        oracle.evict();
                        while (!model.isEmpty() && !status.get(model.firstKey()).equals("active")) {
                            tsMin = status.get(model.firstKey()).equals("aborted") ? tsMin : model.firstKey();
                            model.pollFirstEntry();
                        }
                    }
                }
            }
            assertEquals(tsMin, oracle.tsMin());
            assertEquals(model.size(), oracle.size());
            assertArrayEquals(model.keySet().stream().filter(c -> status.get(c).equals("active")).mapToLong(c -> c).toArray(), oracle.active());
        }
    }

    private static void settle(Map<Long, String> status, long commitTs, String as, Runnable action) {
        action.run();
        if ("active".equals(status.get(commitTs))) {
            status.put(commitTs, as);
        }
    }

    private static void assertSameReplica(TreeMap<Long, Set<Long>> model, Map<Long, String> status, Replica replica) {
        for (long key = 0; key < 16; key++) {
            long k = key;
            long expected = model.descendingMap().entrySet().stream().filter(e -> status.get(e.getKey()).equals("active") && e.getValue().contains(k))
                    .map(Map.Entry::getKey).findFirst().orElse(0L);
            assertEquals(expected, replica.latestCommitted(key));
        }
    }

    /** A client that comes from another oracle, or was away for long, is told everything. */
    @Test
    void whoComesFromAnotherOracleIsToldEverything() {
        StatusOracle oracle = oracle(4);
        RingReplica client = new RingReplica();
        commit(oracle, oracle.begin(), 1);
        client.apply(oracle.changesSince(client.revision()));
        clock = 200 * DELTA;
        StatusOracle next = new StatusOracle(4, () -> clock += DELTA, clock, Tracer.OFF);
        long a = commit(next, next.begin(), 2);
        client.apply(next.changesSince(client.revision()));
        assertEquals(0, client.snapshot().latestCommitted(1));
        assertEquals(a, client.snapshot().latestCommitted(2));
    }
}
