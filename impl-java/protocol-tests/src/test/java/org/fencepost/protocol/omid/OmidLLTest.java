package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** What a user of the protocol sees when nothing fails, and which calls it costs. */
class OmidLLTest {

    private final World world = new World();
    private final OmidLL<String, String> ll = world.ll;

    @Test
    void committedWritesAreVisibleToLaterTransactionsOnly() {
        OmidLLTransaction<String, String> before = ll.begin();
        world.put("a", "1");
        assertNull(world.read(before, "a"));
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void snapshotStaysWhileOthersCommit() {
        world.put("a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.put("a", "2");
        world.put("a", "3");
        assertEquals("1", world.read(reader, "a"));
    }

    @Test
    void ownWritesAreReadWithoutAnyCall() {
        world.put("a", "old");
        OmidLLTransaction<String, String> tx = ll.begin();
        ll.write(tx, Map.of("b", Write.of("sent")));
        ll.buffer(tx, "a", Write.of("buffered"));
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        assertEquals("buffered", world.read(tx, "a"));
        assertEquals("sent", world.read(tx, "b"));
        ll.buffer(tx, "a", Write.tombstone());
        assertTrue(ll.read(tx, "a").isTombstone());
        assertEquals(List.of(), calls);
    }

    @Test
    void ownWriteDoesNotInvalidateItsOwnTransaction() {
        OmidLLTransaction<String, String> tx = ll.begin();
        world.write(tx, "a", "1");
        world.read(tx, "a");
        ll.finishCommit(ll.commit(tx));
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void deleteHidesOlderVersionsFromLaterSnapshotsOnly() {
        world.put("a", "1");
        OmidLLTransaction<String, String> before = ll.begin();
        world.put("a", null);
        assertEquals("1", world.read(before, "a"));
        assertNull(world.readNow("a"));
        world.put("a", "2");
        assertEquals("2", world.readNow("a"));
    }

    @Test
    void firstCommitterWins() {
        OmidLLTransaction<String, String> first = ll.begin();
        OmidLLTransaction<String, String> second = ll.begin();
        world.write(first, "a", "1");
        world.write(second, "a", "2");
        ll.finishCommit(ll.commit(second));
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, () -> ll.commit(first));
        assertEquals(AbortCause.CONFLICT, e.abortCause());
        assertEquals(TransactionStatus.ABORTED, first.status());
        assertEquals("2", world.readNow("a"));
        assertEquals(1, world.records("a").size(), "the loser's record is cleaned up");
    }

    @Test
    void readerInvalidatesPendingWriter() {
        world.put("a", "1");
        OmidLLTransaction<String, String> writer = ll.begin();
        world.write(writer, "a", "2");
        assertEquals("1", world.readNow("a"));
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, () -> ll.commit(writer));
        assertEquals(AbortCause.INVALIDATED, e.abortCause());
        assertEquals(Timestamps.INVALIDATED, world.table.get(writer.startTs()), "the marker stays: a late commit entry must find it");
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void readerFindsCommitOfUnfinishedPostCommitAndHeals() {
        OmidLLTransaction<String, String> writer = ll.begin();
        world.write(writer, "a", "1");
        Committed<String> committed = ll.commit(writer);
        assertEquals("1", world.readNow("a"));
        assertEquals(writer.commitTs(), world.records("a").get(0).commit(), "healed");
        assertEquals(writer.commitTs(), world.table.get(writer.startTs()), "healing one record does not end the entry");
        ll.finishCommit(committed);
        ll.finishCommit(committed);
        assertEquals(0, world.table.size());
    }

    @Test
    void healingCanBeSwitchedOff() {
        OmidLL<String, String> noHeal = world.client(new OmidLL.Settings(World.LIFETIME, 0, World.DEPART, 3, false), Tracer.OFF);
        OmidLLTransaction<String, String> writer = ll.begin();
        world.write(writer, "a", "1");
        ll.commit(writer);
        assertEquals("1", noHeal.read(noHeal.begin(), "a").value());
        assertEquals(Timestamps.NIL, world.records("a").get(0).commit());
    }

    @Test
    void graceLetsAPendingWriterCommit() {
        OmidLL<String, String> patient = world.client(new OmidLL.Settings(World.LIFETIME, 10, World.DEPART, 3, true), Tracer.OFF);
        world.put("a", "1");
        OmidLLTransaction<String, String> writer = ll.begin();
        world.write(writer, "a", "2");
        world.clock.duringSleep(() -> ll.finishCommit(ll.commit(writer)));
        assertEquals("1", patient.read(patient.begin(), "a").value());
        assertEquals(TransactionStatus.COMMITTED, writer.status());
        assertEquals(0, world.table.size(), "the false invalidation is removed");
    }

    @Test
    void readsRecordsThatTheCallerFetched() {
        world.put("a", "1");
        world.put("a", "2");
        OmidLLTransaction<String, String> reader = ll.begin();
        List<Record<String>> fetched = world.records("a");
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        assertEquals("2", ll.read(reader, "a", fetched.iterator()).value());
        assertNull(ll.read(reader, "a", List.<Record<String>>of().iterator()));
        assertEquals(List.of(), calls);
    }

    /** The slow reader of VLDB'18 section 3.2: between its look at the record and at the table the writer gets all done. */
    @Test
    void falseInvalidationIsRepaired() {
        List<String> calls = Faults.names();
        assertEquals("2", readSlowly(calls, () -> {}));
        assertEquals(List.of("CommitTable.get", "CommitTable.checkAndMutate", "VersionedStore.reread", "CommitTable.remove"), calls);
    }

    /** The same with the marker of another slow reader, which the first look at the table finds. */
    @Test
    void anotherReadersFalseInvalidationIsRepaired() {
        List<String> calls = Faults.names();
        assertEquals("2", readSlowly(calls, () -> world.table.checkAndMutate(3, Timestamps.INVALIDATED)));
        assertEquals(List.of("CommitTable.get", "VersionedStore.reread", "CommitTable.remove"), calls);
    }

    /** A reader begins and meets the record between commit request and commit entry of its writer, and goes on when all is done. */
    private String readSlowly(List<String> calls, Runnable meanwhile) {
        world.put("a", "1");
        OmidLLTransaction<String, String> writer = ll.begin();
        assertEquals(3, writer.startTs());
        world.write(writer, "a", "2");
        List<OmidLLTransaction<String, String>> slow = new ArrayList<>();
        List<Record<String>> fetched = new ArrayList<>();
        world.hook = Faults.before(world, "CommitTable.checkAndMutate", () -> {
            slow.add(ll.begin());
            fetched.addAll(world.records("a"));
        });
        ll.finishCommit(ll.commit(writer));
        meanwhile.run();
        world.hook = Faults.record(calls);
        String value = ll.read(slow.get(0), "a", fetched.iterator()).value();
        world.hook = Interposed.Hook.NONE;
        assertEquals(0, world.table.size());
        return value;
    }

    @Test
    void recordsOutOfOrderAreRefused() {
        world.put("a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.put("a", "2");
        assertThrows(IllegalStateException.class, () -> ll.read(reader, "a", world.records("a").iterator()));
    }

    @Test
    void readOnlyTransactionCostsNoCommit() {
        OmidLLTransaction<String, String> tx = ll.begin();
        world.read(tx, "a");
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        ll.finishCommit(ll.commit(tx));
        assertEquals(List.of("TransactionManager.end"), calls);
        assertEquals(TransactionStatus.COMMITTED, tx.status());
    }

    @Test
    void aCommitIsThreeCallsAndItsPostCommitTwo() {
        Map<String, Write<String>> writes = new LinkedHashMap<>();
        for (int i = 0; i < 10; i++) {
            writes.put("k" + i, Write.of("v"));
        }
        OmidLLTransaction<String, String> tx = ll.begin();
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        writes.forEach((key, write) -> ll.buffer(tx, key, write));
        Committed<String> committed = ll.commit(tx);
        assertEquals(List.of("VersionedStore.put", "TransactionManager.commit", "CommitTable.checkAndMutate"), calls);
        calls.clear();
        ll.finishCommit(committed);
        assertEquals(List.of("VersionedStore.putCommitCells", "CommitTable.remove"), calls);
    }

    @Test
    void postCommitsOfSeveralTransactionsAreTwoCalls() {
        List<Committed<String>> committed = List.of(commit("a", "1"), commit("a", "2"), ll.commit(ll.begin()), commit("b", "3"));
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        List<Long> removable = ll.postCommit(committed);
        assertEquals(List.of("VersionedStore.putCommitCells"), calls);
        assertEquals(Stream.of(0, 1, 3).map(i -> committed.get(i).startTs()).toList(), removable);
        ll.removeCommitEntry(removable);
        assertEquals(List.of("VersionedStore.putCommitCells", "CommitTable.remove"), calls);
        assertTrue(world.records("a").stream().allMatch(Record::hasCommitCell));
        assertTrue(world.records("b").stream().allMatch(Record::hasCommitCell));
        assertEquals(0, world.table.size());
    }

    @Test
    void noEntryGoesWhereTheCommitCellsOfSeveralTransactionsDidNotGetThrough() {
        List<Committed<String>> committed = List.of(commit("a", "1"), commit("b", "2"));
        world.hook = Faults.loseRequest("VersionedStore.putCommitCells", 1);
        assertEquals(List.of(), ll.postCommit(committed));
        assertEquals("1", world.readNow("a"));
        assertEquals("2", world.readNow("b"));
    }

    private Committed<String> commit(String key, String value) {
        OmidLLTransaction<String, String> tx = ll.begin();
        ll.buffer(tx, key, Write.of(value));
        return ll.commit(tx);
    }

    @Test
    void aBufferedWriteCanBeReplacedASentOneCannot() {
        OmidLLTransaction<String, String> tx = ll.begin();
        ll.buffer(tx, "a", Write.of("1"));
        ll.buffer(tx, "a", Write.of("2"));
        ll.write(tx);
        TransactionException e = assertThrows(TransactionException.class, () -> ll.buffer(tx, "a", Write.of("3")));
        assertThrows(TransactionException.class, () -> ll.buffer(tx, new TreeMap<>(Map.of("Z", Write.of("1"), "a", Write.of("3")))));
        assertEquals(Set.of("a"), tx.writeSet(), "all or none");
        assertTrue(e.getMessage().contains("a"), e.getMessage());
        ll.finishCommit(ll.commit(tx));
        assertEquals("2", world.readNow("a"));
    }

    @Test
    void rollbackRemovesRecordsAndEndsTheTransaction() {
        world.put("a", "1");
        OmidLLTransaction<String, String> tx = ll.begin();
        world.write(tx, "a", "2");
        ll.buffer(tx, "b", Write.of("2"));
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        ll.rollback(tx);
        assertEquals(List.of("TransactionManager.end", "VersionedStore.removeAborted"), calls);
        assertEquals("1", world.readNow("a"));
        assertEquals(1, world.records("a").size());
        assertEquals(0, world.table.size());
    }

    @Test
    void afterTheEndEveryCallIsRefusedInOneSentence() {
        OmidLLTransaction<String, String> committed = world.put("a", "1");
        OmidLLTransaction<String, String> rolledBack = ll.begin();
        ll.rollback(rolledBack);
        for (OmidLLTransaction<String, String> tx : List.of(committed, rolledBack)) {
            for (Runnable use : List.<Runnable>of(() -> ll.read(tx, "a"), () -> ll.read(tx, "a", world.records("a").iterator()),
                    () -> ll.buffer(tx, "b", Write.of("2")), () -> ll.write(tx), () -> ll.commit(tx), () -> ll.rollback(tx))) {
                TransactionFinishedException e = assertThrows(TransactionFinishedException.class, use::run);
                assertEquals("Transaction " + tx.startTs() + " is already over (" + tx.status() + "): begin a new one.", e.getMessage());
            }
        }
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void badSettingsAndValuesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new OmidLL.Settings(0, 0, 1, 1, true));
        assertThrows(IllegalArgumentException.class, () -> new OmidLL.Settings(1, -1, 1, 1, true));
        assertThrows(IllegalArgumentException.class, () -> new OmidLL.Settings(1, 0, 1, 0, true));
        assertThrows(IllegalArgumentException.class, () -> Write.of(null));
    }

    // ---- deadline

    @Test
    void aRecordThatTheStoreReturnsAfterTheDeadlineIsNotUsed() {
        world.put("a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.hook = call -> {
            Object answer = call.proceed();
            if (call.name().equals("Iterator.next")) {
                world.clock.advance(World.LIFETIME + 1);
            }
            return answer;
        };
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, () -> ll.read(reader, "a"));
        assertEquals(AbortCause.EXPIRED, e.abortCause());
        assertEquals(TransactionStatus.ABORTED, reader.status());
    }

    /** While others overwrite, and all is collected that may be. */
    @Test
    void whoIsRenewedReadsItsSnapshotForManyLifetimes() {
        world.put("a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        Collector<String, String> collector = new Collector<>(world.store, world.commitTable, world.manager, Tracer.OFF);
        for (int i = 0; i < 20; i++) {
            world.clock.advance(World.LIFETIME / 2);
            assertTrue(ll.renew(reader));
            world.put("a", "later " + i);
            collector.collect(List.of("a"));
            assertEquals("1", world.read(reader, "a"));
        }
        world.clock.advance(World.LIFETIME + 1);
        assertEquals(AbortCause.EXPIRED, assertThrows(TransactionAbortedException.class, () -> ll.read(reader, "a")).abortCause());
    }

    @Test
    void aRenewalCountsFromBeforeItWasAskedFor() {
        world.put("a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.hook = call -> {
            Object answer = call.proceed();
            if (call.name().equals("TransactionManager.renew")) {
                world.clock.advance(World.LIFETIME + 1);
            }
            return answer;
        };
        assertTrue(ll.renew(reader));
        assertThrows(TransactionAbortedException.class, () -> ll.read(reader, "a"));
    }

    @Test
    void whoIsNotRenewedKeepsTheTimeThatItHas() {
        world.put("a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.clock.advance(World.LIFETIME / 2);
        world.hook = Faults.loseRequest("TransactionManager.renew", 1);
        assertThrows(TransactionManagerException.class, () -> ll.renew(reader));
        world.localManager.end(reader.startTs());
        assertFalse(ll.renew(reader));
        assertEquals("1", world.read(reader, "a"));
        world.clock.advance(World.LIFETIME / 2 + 1);
        assertThrows(TransactionAbortedException.class, () -> ll.read(reader, "a"));
        assertThrows(TransactionFinishedException.class, () -> ll.renew(reader));
    }

    @Test
    void aReReadAfterTheDeadlineIsNotUsed() {
        OmidLLTransaction<String, String> writer = ll.begin();
        world.write(writer, "a", "1");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.hook = Faults.before(world, "VersionedStore.reread", () -> world.clock.advance(World.LIFETIME + 1));
        assertThrows(TransactionAbortedException.class, () -> ll.read(reader, "a"));
    }

    @Test
    void aRecordReadInTimeCountsHoweverLateTheCommitTableAnswers() {
        OmidLLTransaction<String, String> writer = ll.begin();
        world.write(writer, "a", "1");
        ll.commit(writer);
        OmidLLTransaction<String, String> reader = ll.begin();
        world.hook = Faults.before(world, "CommitTable.get", () -> world.clock.advance(World.LIFETIME + 1));
        assertEquals("1", world.read(reader, "a"));
    }

    @Test
    void theDeadlineCountsFromBeforeBeginWasSent() {
        world.put("a", "1");
        world.hook = Faults.before(world, "TransactionManager.begin", () -> world.clock.advance(World.LIFETIME + 1));
        OmidLLTransaction<String, String> reader = ll.begin();
        assertThrows(TransactionAbortedException.class, () -> ll.read(reader, "a"));
    }
}
