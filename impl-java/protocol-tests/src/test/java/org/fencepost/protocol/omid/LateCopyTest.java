package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.Test;

/** A request that was repeated somewhere on its way takes effect once more, late. */
class LateCopyTest {

    private final World world = new World();
    private final OmidLL<String, String> ll = world.ll;

    private void latePut(OmidLLTransaction<String, String> tx) {
        tx.writeSet().forEach(key -> world.memory.put(tx.startTs(), Map.of(key, tx.ownWrite(key))));
    }

    @Test
    void latePutDoesNotUndoACommit() {
        OmidLLTransaction<String, String> tx = world.put("a", "1");
        latePut(tx);
        assertEquals("1", world.readNow("a"));
        assertEquals(0, world.table.size(), "its commit cell is still there: no reader asked the commit table");
    }

    @Test
    void latePutAfterCleanUpStaysInvisibleAndIsCollected() {
        world.put("a", "1");
        OmidLLTransaction<String, String> tx = ll.begin();
        world.write(tx, "a", "2");
        ll.rollback(tx);
        latePut(tx);
        assertEquals("1", world.readNow("a"));
        world.collectEverything();
        world.assertNothingLeftBut(Map.of("a", "1"));
        latePut(tx);
        assertEquals("1", world.readNow("a"));
        assertEquals(0, world.table.size(), "below the watermark nothing is stored");
    }

    @Test
    void lateCommitEntryOfACommittedTransactionIsHarmlessAndCollected() {
        OmidLLTransaction<String, String> tx = world.put("a", "1");
        world.table.checkAndMutate(tx.startTs(), tx.commitTs());
        assertEquals("1", world.readNow("a"));
        world.put("a", "2");
        assertEquals("2", world.readNow("a"));
        world.collectEverything();
        world.assertNothingLeftBut(Map.of("a", "2"));
    }

    @Test
    void lateCommitEntryOfAnInvalidatedTransactionDoesNotCommitIt() {
        world.put("a", "1");
        OmidLLTransaction<String, String> tx = ll.begin();
        world.write(tx, "a", "2");
        assertEquals("1", world.readNow("a"));
        assertThrows(TransactionAbortedException.class, () -> ll.commit(tx));
        world.table.checkAndMutate(tx.startTs(), tx.commitTs());
        latePut(tx);
        assertEquals("1", world.readNow("a"));

        world.collectEverything();
        world.assertNothingLeftBut(Map.of("a", "1"));
        assertEquals(Timestamps.COLLECTED, world.table.checkAndMutate(tx.startTs(), tx.commitTs()));
        latePut(tx);
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void lateCommitCellIsNoRecord() {
        OmidLLTransaction<String, String> old = world.put("a", "1");
        world.put("a", null);
        world.collectEverything();
        world.memory.putCommitCells(List.of("a"), old.startTs(), old.commitTs());
        assertNull(world.readNow("a"));
        assertEquals(List.of(), world.records("a"));
    }
}
