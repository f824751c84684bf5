package org.fencepost.protocol.fragola;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.omid.Interposed;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.World;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** What Fragola asks of its servers, and what it refuses; the simulator has the races. */
class FragolaTest {

    private final World world = new World();
    private final InMemoryStore<String, String> memory = new InMemoryStore<>();
    private final List<String> calls = new ArrayList<>();
    @SuppressWarnings("unchecked")
    private final LeaderStore<String, String> store = Interposed.wrap(LeaderStore.class, memory, call -> {
        calls.add(call.name().replace("LeaderStore.", ""));
        return call.proceed();
    });
    private final Fragola<String, String> fragola = new Fragola<>(store, world.manager, world.clock, String::hashCode, World.SETTINGS, Tracer.OFF);

    private OmidLLTransaction<String, String> buffered(String... keys) {
        OmidLLTransaction<String, String> tx = fragola.begin();
        for (String key : keys) {
            fragola.buffer(tx, key, Write.of("of " + tx.startTs()));
        }
        return tx;
    }

    @Test
    void oneKeyNeedsNoRequestAfterTheCommit() {
        fragola.finishCommit(fragola.commit(buffered("a")));
        assertEquals(List.of("putOnce", "checkAndMutate"), calls);
        calls.clear();
        assertEquals("of 1", fragola.read(fragola.begin(), "a").value());
        assertEquals(List.of("get"), calls, "nor does who reads it");
    }

    @Test
    void whatIsWrittenTwiceIsSentOnce() {
        fragola.write(fragola.begin());
        OmidLLTransaction<String, String> tx = buffered("a");
        fragola.write(tx);
        fragola.write(tx);
        fragola.commit(tx);
        assertEquals(List.of("putOnce", "checkAndMutate"), calls);
    }

    @Test
    void followersAloneGetTheirCommitCellsLater() {
        Committed<String> committed = fragola.commit(buffered("b", "a", "c"));
        assertEquals(List.of("a", "c"), List.copyOf(committed.keys()));
        calls.clear();
        fragola.finishCommit(committed);
        assertEquals(List.of("putCommitCells"), calls);
    }

    @Test
    void aReaderLooksAtTheLeaderAndHealsTheFollower() {
        fragola.commit(buffered("a", "b"));
        Record<String> found = fragola.read(fragola.begin(), "b");
        assertEquals("of 1", found.value());
        assertTrue(memory.reread("b", 1).hasCommitCell());
    }

    /** Fragola Alg. 3 would abort it in the record. */
    @Test
    void aFollowerWithoutLeaderIsPassedOverAndMayCommit() {
        OmidLLTransaction<String, String> tx = buffered("a", "b");
        memory.put(tx.startTs(), "a", Map.of("b", Write.of("of 1")));
        assertNull(fragola.read(fragola.begin(), "b"));
        fragola.finishCommit(fragola.commit(tx));
        assertEquals("of 1", fragola.read(fragola.begin(), "b").value());
    }

    @Test
    void aReaderTakesTheRightToCommit() {
        OmidLLTransaction<String, String> tx = buffered("a", "b");
        fragola.write(tx);
        assertNull(fragola.read(fragola.begin(), "b"));
        assertEquals(AbortCause.INVALIDATED, assertThrows(TransactionAbortedException.class, () -> fragola.commit(tx)).abortCause());
        assertNull(memory.reread("a", tx.startTs()));
        assertEquals(-1, memory.commitCell("a", tx.startTs()), "the marker stays, against late copies");
    }

    @Test
    void whatIsStoredTooLateDoesNotCount() {
        OmidLLTransaction<String, String> tx = buffered("a", "b");
        world.clock.advance(World.LIFETIME + 1);
        assertEquals(AbortCause.EXPIRED, assertThrows(TransactionAbortedException.class, () -> fragola.commit(tx)).abortCause());
    }

    /** The leader is overwritten, and its client is dead; whoever reads the follower later finds it. */
    @Test
    void aLeaderIsCollectedAfterItsFollowersAreHealed() {
        fragola.commit(buffered("a", "b"));
        fragola.finishCommit(fragola.commit(buffered("a")));
        long watermark = fragola.begin().startTs();
        new FragolaCollector<>(store, world.manager, Tracer.OFF).collect(List.of("a", "b"), watermark);
        assertNull(memory.reread("a", 1));
        assertEquals("of 1", fragola.read(fragola.begin(), "b").value());
    }

    @Test
    void levelsAreRefused() {
        OmidLLTransaction<String, String> tx = buffered("a");
        assertTrue(assertThrows(TransactionException.class, () -> fragola.checkpoint(tx)).getMessage().contains("has no checkpoints: use tables"));
        assertTrue(assertThrows(TransactionException.class, () -> fragola.flush(tx)).getMessage().contains("has no flushes: use tables"));
    }
}
