package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** What is collected, what is not, and in which order. Deaths and races are in ClientDeathTest and InterleavingTest. */
class CollectorTest {

    private final World world = new World();
    private final OmidLL<String, String> ll = world.ll;
    private final Collector<String, String> collector = new Collector<>(world.store, world.commitTable, world.manager, Tracer.OFF);

    private void collect() {
        collector.collect(List.of("a", "b"));
    }

    @Test
    void anActiveReaderKeepsItsSnapshot() {
        world.put("a", "1");
        world.put("a", "2");
        OmidLLTransaction<String, String> reader = ll.begin();
        world.put("a", "3");
        world.put("a", null);
        collect();
        assertEquals("2", world.read(reader, "a"));
        assertEquals(3, world.records("a").size(), "version 1 is gone: nobody reads below the reader");
        ll.commit(reader);
        collect();
        assertEquals(List.of(), world.records("a"));
        assertNull(world.readNow("a"));
    }

    /** The reader holds a page with a tombstone, still tentative, and the version that it hides; then both are collected. */
    @Test
    void aTombstoneThatIsCollectedUnderAReaderUncoversNothingFetchedBefore() {
        world.put("a", "1");
        OmidLLTransaction<String, String> delete = ll.begin();
        ll.buffer(delete, "a", Write.tombstone());
        Committed<String> committed = ll.commit(delete);
        OmidLLTransaction<String, String> reader = ll.begin();
        List<Record<String>> page = world.records("a");
        ll.finishCommit(committed);
        collect();
        assertEquals(List.of(), world.records("a"));
        assertNull(ll.read(reader, "a", page.iterator()));
    }

    @Test
    void aPendingTransactionIsLeftAloneWhileItIsActive() {
        OmidLLTransaction<String, String> pending = ll.begin();
        world.write(pending, "a", "1");
        collect();
        ll.finishCommit(ll.commit(pending));
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void aTransactionThatOutlivedItsLifetimeCannotCommitAnyMore() {
        OmidLLTransaction<String, String> idle = ll.begin();
        world.write(idle, "a", "1");
        world.collectEverything();
        assertEquals(List.of(), world.records("a"));
        assertEquals(AbortCause.COLLECTED, assertThrows(TransactionAbortedException.class, () -> ll.commit(idle)).abortCause());
        assertNull(world.readNow("a"));
    }

    @Test
    void theWatermarkIsRaisedBeforeAnythingIsLookedAt() {
        world.put("a", "1");
        List<String> calls = Faults.names();
        world.hook = Faults.record(calls);
        collect();
        assertEquals(List.of("TransactionManager.collectableBelow", "CommitTable.raiseWatermark", "VersionedStore.get"), calls.subList(0, 3));
        assertEquals("CommitTable.entriesBelow", calls.get(calls.size() - 1));
    }

    @Test
    void aPassThatFailsCollectsNoEntry() {
        OmidLLTransaction<String, String> tx = ll.begin();
        world.write(tx, "a", "1");
        ll.commit(tx);
        world.hook = Faults.loseRequest("VersionedStore.putCommitCells", 1);
        assertThrows(StoreException.class, this::collect);
        assertEquals(tx.commitTs(), world.table.get(tx.startTs()));
        collect();
        assertEquals(0, world.table.size());
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void anOlderWatermarkCollectsLess() {
        long watermark = world.manager.collectableBelow();
        world.put("a", "1");
        world.put("a", "2");
        collector.collect(List.of("a"), watermark);
        assertEquals(2, world.records("a").size());
    }

    /** An orphan that arrives in the middle of a pass keeps the tombstone above it until it has been judged itself. */
    @Test
    void aTombstoneStaysAsLongAsSomethingOlderIsThere() {
        OmidLLTransaction<String, String> aborted = ll.begin();
        world.write(aborted, "a", "1");
        ll.rollback(aborted);
        world.put("a", null);
        boolean[] settled = {false};
        world.hook = call -> {
            if (call.name().equals("VersionedStore.get")) {
                if (settled[0]) {
                    world.memory.put(aborted.startTs(), Map.of("a", Write.of("1")));
                }
                settled[0] = true;
            }
            return call.proceed();
        };
        collector.collect(List.of("a"));
        assertEquals(2, world.records("a").size());
        world.hook = Interposed.Hook.NONE;
        collect();
        assertEquals(List.of(), world.records("a"));
    }

    @Test
    void commitTableBelowItsWatermark() {
        world.table.checkAndMutate(3, 4);
        world.table.raiseWatermark(10);
        world.table.raiseWatermark(5);
        assertEquals(10, world.table.watermark());
        assertEquals(Timestamps.COLLECTED, world.table.checkAndMutate(9, 20));
        assertEquals(Timestamps.INVALIDATED, world.table.checkAndMutate(9, Timestamps.INVALIDATED));
        assertEquals(Timestamps.NIL, world.table.get(9), "nothing is stored below");
        assertEquals(4, world.table.checkAndMutate(3, Timestamps.INVALIDATED), "what is there is still told");
        assertEquals(Timestamps.NIL, world.table.checkAndMutate(10, 20));
        assertEquals(3, world.table.entriesBelow(10).nextLong());
        assertTrue(world.table.entriesBelow(11).hasNext());
    }
}
