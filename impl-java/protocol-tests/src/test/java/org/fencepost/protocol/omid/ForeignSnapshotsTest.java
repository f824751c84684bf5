package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.Test;

class ForeignSnapshotsTest {

    private final World world = new World();
    private final ForeignSnapshots<String, String> foreign = new ForeignSnapshots<>(world.store, world.commitTable, world.manager, world.clock, World.SETTINGS);

    private String read(long startTs, String key) {
        Record<String> found = foreign.read(foreign.of(startTs), key, world.store.get(key, startTs - 1));
        return found == null ? null : found.value();
    }

    @Test
    void whoIsPendingIsPassedOverAndCommits() {
        world.put("x", "old");
        OmidLLTransaction<String, String> writer = world.ll.begin();
        world.write(writer, "x", "new");
        OmidLLTransaction<String, String> reader = world.ll.begin();
        assertEquals("old", read(reader.startTs(), "x"));
        assertEquals(Timestamps.NIL, world.table.get(writer.startTs()));
        world.ll.finishCommit(world.ll.commit(writer));
        assertEquals("old", read(reader.startTs(), "x"));
        assertEquals("new", read(world.ll.begin().startTs(), "x"));
    }

    /** It may have a commit timestamp below the snapshot already. */
    @Test
    void whoHasAskedToCommitIsInvalidated() {
        OmidLLTransaction<String, String> writer = world.ll.begin();
        world.write(writer, "x", "new");
        long commitTs = world.manager.commit(writer.startTs(), new long[] {"x".hashCode()});
        OmidLLTransaction<String, String> reader = world.ll.begin();
        assertEquals(true, commitTs < reader.startTs());
        assertNull(read(reader.startTs(), "x"));
        assertEquals(Timestamps.INVALIDATED, world.table.get(writer.startTs()));
    }

    @Test
    void withoutTheManagerWritersAreInvalidatedAsEver() {
        OmidLLTransaction<String, String> writer = world.ll.begin();
        world.write(writer, "x", "new");
        OmidLLTransaction<String, String> reader = world.ll.begin();
        world.hook = call -> {
            if (call.name().equals("TransactionManager.isPending")) {
                throw call.lost();
            }
            return call.proceed();
        };
        assertNull(read(reader.startTs(), "x"));
        TransactionAbortedException aborted = assertThrows(TransactionAbortedException.class, () -> world.ll.commit(writer));
        assertEquals(AbortCause.INVALIDATED, aborted.abortCause());
    }

    @Test
    void aSnapshotThatIsTooOldIsNotRead() {
        world.put("x", "old");
        OmidLLTransaction<String, String> snapshot = foreign.of(world.ll.begin().startTs());
        world.clock.advance(World.LIFETIME + 1);
        assertThrows(TransactionAbortedException.class, () -> foreign.read(snapshot, "x", world.store.get("x", snapshot.startTs() - 1)));
    }

    @Test
    void whatIsFoundCommittedIsHealed() {
        OmidLLTransaction<String, String> writer = world.ll.begin();
        world.ll.buffer(writer, Map.of("x", Write.of("new")));
        world.ll.commit(writer);
        OmidLLTransaction<String, String> snapshot = foreign.of(world.ll.begin().startTs());
        assertEquals("new", foreign.read(snapshot, "x", world.store.get("x", snapshot.startTs() - 1)).value());
        foreign.heal(snapshot);
        assertEquals(true, world.records("x").get(0).hasCommitCell());
    }
}
