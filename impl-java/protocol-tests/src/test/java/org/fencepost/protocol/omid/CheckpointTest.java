package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.protocol.twophase.OmidTwoPhase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** specs/Checkpoints.tla, on stores in memory. */
class CheckpointTest {

    private static final long SPAN = 128;

    private final TestClock clock = new TestClock();
    private final InMemoryStore<String, String> store = new InMemoryStore<>(new Versions(SPAN, Versions.LEVELS));
    private final InMemoryCommitTable table = new InMemoryCommitTable();
    private final LocalTransactionManager manager = new LocalTransactionManager(new TransactionManagerCore(
            new TransactionManagerCore.Settings(SPAN, 1024, World.MANAGER_LIFETIME, 1024), 0, Long.MAX_VALUE, 0, 0, Tracer.OFF), clock);
    private final OmidLL<String, String> ll = client(store);

    private OmidLL<String, String> client(InMemoryStore<String, String> on) {
        return new OmidLL<>(on, table, manager, clock, String::hashCode, World.SETTINGS, Tracer.OFF);
    }

    @BeforeEach
    void before() {
        OmidLLTransaction<String, String> tx = ll.begin();
        write(tx, "a", "0");
        ll.finishCommit(ll.commit(tx));
    }

    private void write(OmidLLTransaction<String, String> tx, String key, String value) {
        ll.buffer(tx, key, new Write<>(value));
    }

    private String read(OmidLLTransaction<String, String> tx, String key) {
        Record<String> found = ll.read(tx, key);
        return found == null ? null : found.value();
    }

    private List<String> readAll(OmidLLTransaction<String, String> tx, String key) {
        return ll.readAll(tx, key).stream().map(Record::value).toList();
    }

    private List<Long> versions(String key) {
        List<Long> versions = new ArrayList<>();
        for (Iterator<Record<String>> records = store.get(key, Long.MAX_VALUE); records.hasNext();) {
            versions.add(records.next().version());
        }
        return versions;
    }

    @Test
    void aStatementDoesNotSeeWhatItWrites() {
        OmidLLTransaction<String, String> tx = ll.begin();
        write(tx, "a", "1");
        assertEquals("1", read(tx, "a"));
        ll.checkpoint(tx);
        assertEquals("1", read(tx, "a"));
        write(tx, "a", "2");
        write(tx, "b", "2");
        assertEquals("1", read(tx, "a"));
        assertNull(read(tx, "b"));
        ll.takeSnapshot(tx);
        assertEquals("2", read(tx, "a"));
        ll.checkpoint(tx);
        write(tx, "a", null);
        assertEquals("2", read(tx, "a"));
        assertEquals("2", read(tx, "b"));
        ll.flush(tx);
        assertEquals("2", read(tx, "a"));
        ll.takeSnapshot(tx);
        assertNull(read(tx, "a"));
        assertEquals(2, ll.commit(tx).keys().size());
    }

    @Test
    void othersSeeTheLastLevelWhichAloneGetsACommitCell() {
        OmidLLTransaction<String, String> tx = ll.begin();
        write(tx, "a", "1");
        write(tx, "b", "1");
        ll.checkpoint(tx);
        write(tx, "a", "2");
        OmidLLTransaction<String, String> before = ll.begin();
        ll.finishCommit(ll.commit(tx));
        OmidLLTransaction<String, String> after = ll.begin();
        assertEquals("2", read(after, "a"));
        assertEquals("1", read(after, "b"));
        assertEquals("0", read(before, "a"));
        assertEquals(tx.commitTs(), store.reread("a", tx.startTs() + 1).commit());
        assertEquals(Timestamps.NIL, store.reread("a", tx.startTs()).commit());
        assertEquals(TransactionStatus.COMMITTED, ll.resolve(tx.startTs(), tx.commitTs()));
    }

    @Test
    void snapshotAllListsTombstonesAndWhatIsReplaced() {
        OmidLLTransaction<String, String> tx = ll.begin();
        write(tx, "a", "1");
        ll.checkpoint(tx);
        write(tx, "a", null);
        ll.checkpoint(tx);
        write(tx, "a", "3");
        List<String> all = new ArrayList<>(readAll(tx, "a"));
        assertEquals(4, all.size());
        assertEquals("3", all.get(0));
        assertNull(all.get(1));
        assertEquals(List.of("1", "0"), all.subList(2, 4));
        ll.flush(tx);
        assertEquals(all, readAll(tx, "a"));
        assertEquals(List.of(), readAll(tx, "b"));
    }

    @Test
    void anAbortLeavesNothingOfAnyLevel() {
        OmidLLTransaction<String, String> tx = ll.begin();
        for (String value : List.of("1", "2", "3")) {
            write(tx, "a", value);
            ll.checkpoint(tx);
        }
        ll.rollback(tx);
        assertEquals(1, versions("a").size());
    }

    @Test
    void whatWasFlushedIsNotInMemoryAndIsCommitted() {
        OmidLLTransaction<String, String> tx = ll.begin();
        write(tx, "a", "1");
        ll.flush(tx);
        assertNull(tx.ownWrite("a"));
        assertEquals("1", read(tx, "a"));
        TransactionException again = assertThrows(TransactionException.class, () -> write(tx, "a", "2"));
        assertTrue(again.getMessage().contains("make a checkpoint"), again.getMessage());
        ll.checkpoint(tx);
        write(tx, "a", "2");
        ll.finishCommit(ll.commit(tx));
        assertEquals("2", read(ll.begin(), "a"));
    }

    @Test
    void theCollectorRemovesEveryLevel() {
        OmidLLTransaction<String, String> dead = ll.begin();
        write(dead, "b", "1");
        ll.checkpoint(dead);
        write(dead, "b", "2");
        ll.flush(dead);
        OmidLLTransaction<String, String> committed = ll.begin();
        write(committed, "a", "1");
        ll.checkpoint(committed);
        write(committed, "a", "2");
        ll.commit(committed); // and dies
        clock.advance(10 * World.MANAGER_LIFETIME);
        manager.collectableBelow();
        clock.advance(2 * World.MANAGER_LIFETIME);
        new Collector<>(store, table, manager, Tracer.OFF).collect(List.of("a", "b"));
        assertEquals(List.of(committed.startTs() + 1), versions("a"));
        assertEquals(List.of(), versions("b"));
        assertEquals(0, table.size());
    }

    @Test
    void theFiftiethCheckpointIsRefused() {
        OmidLLTransaction<String, String> tx = ll.begin();
        for (int i = 1; i < Versions.LEVELS; i++) {
            ll.checkpoint(tx);
        }
        TransactionException e = assertThrows(TransactionException.class, () -> ll.checkpoint(tx));
        assertTrue(e.getMessage().contains("has made 49 checkpoints"), e.getMessage());
        write(tx, "a", "last");
        ll.finishCommit(ll.commit(tx));
        assertEquals("last", read(ll.begin(), "a"));
        assertThrows(TransactionFinishedException.class, () -> ll.checkpoint(tx));
        assertThrows(TransactionFinishedException.class, () -> ll.flush(tx));
    }

    @Test
    void keysWithoutVersionsForLevelsAreRefused() {
        OmidLL<String, String> dense = client(new InMemoryStore<>());
        OmidLLTransaction<String, String> tx = dense.begin();
        dense.buffer(tx, "a", Write.of("1"));
        dense.checkpoint(tx);
        TransactionException e = assertThrows(TransactionException.class, () -> dense.buffer(tx, "b", Write.of("2")));
        assertTrue(e.getMessage().contains("writes at level 2") && e.getMessage().contains("span of more than 100"), e.getMessage());
        assertThrows(TransactionException.class, () -> dense.buffer(tx, Map.of("b", Write.of("2"))));
        dense.commit(tx);
        assertEquals("1", dense.read(dense.begin(), "a").value());
    }

    /** Without room between timestamps, these are the numbers that levels would have. */
    @Test
    void whoBeganLaterIsLeftInPeace() {
        World world = new World();
        OmidLLTransaction<String, String> tx = world.ll.begin();
        world.ll.buffer(tx, "b", Write.of("1"));
        world.ll.checkpoint(tx);
        world.ll.checkpoint(tx);
        OmidLLTransaction<String, String> later = world.ll.begin();
        assertEquals(tx.startTs() + 1, later.startTs());
        world.write(later, "a", "2");
        assertNull(world.read(tx, "a"));
        assertEquals(List.of(), world.ll.readAll(tx, "a"));
        world.ll.commit(later);
        assertEquals("2", world.readNow("a"));
    }

    @Test
    void omid2pcHasNone() {
        OmidTwoPhase<String, String> twoPhase = new OmidTwoPhase<>(store, table, manager, clock, World.SETTINGS, Tracer.OFF);
        OmidLLTransaction<String, String> tx = twoPhase.begin();
        assertTrue(assertThrows(TransactionException.class, () -> twoPhase.checkpoint(tx)).getMessage().startsWith("Omid 2PC has no checkpoints"));
        assertThrows(TransactionException.class, () -> twoPhase.flush(tx));
        twoPhase.commit(tx);
    }
}
