package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.memory.InMemoryCommitTable;
import org.fencepost.protocol.memory.InMemoryStore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.protocol.twophase.OmidTwoPhase;
import org.junit.jupiter.api.Test;

/** Rows "r..." with an index at "value/row". */
class IndexBuildTest {

    private static final long TABLE = 7;
    private static final OmidLL.Settings SETTINGS = new OmidLL.Settings(1_000, 0, 100, 1, true);

    private long now = 1;
    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
        }
    };
    private final InMemoryStore<String, String> store = new InMemoryStore<>();
    private final InMemoryCommitTable commitTable = new InMemoryCommitTable();
    private final TransactionManager manager = new LocalTransactionManager(new TransactionManagerCore(
            new TransactionManagerCore.Settings(1, 64, 1_000_000, 64), 0, Long.MAX_VALUE, 0, 0, Tracer.OFF), clock);
    private final OmidLL<String, String> ll = new OmidLL<>(store, commitTable, manager, clock, String::hashCode,
            keys -> new long[] {TABLE}, SETTINGS, Tracer.OFF, false);
    private final SecondaryIndex<String, String> index = new SecondaryIndex<>(ll, (row, value) -> new SecondaryIndex.Entry<>(value + "/" + row, row), Tracer.OFF);

    private IndexBuild<String, String> build() {
        return new IndexBuild<>(ll, store, manager, index, TABLE, Tracer.OFF);
    }

    private void put(String row, String value) {
        OmidLLTransaction<String, String> tx = ll.begin();
        Record<String> was = ll.read(tx, row);
        index.writeIndex(tx, row, was == null ? null : was.value(), value == null ? Write.tombstone() : Write.of(value));
        ll.finishCommit(ll.commit(tx));
    }

    private String look(String key) {
        OmidLLTransaction<String, String> tx = ll.begin();
        Record<String> found = ll.read(tx, key);
        ll.commit(tx);
        return found == null ? null : found.value();
    }

    private Map<String, Record<String>> rows(OmidLLTransaction<String, String> part, String row) {
        return Collections.singletonMap(row, ll.read(part, row));
    }

    @Test
    void writersKeepTheIndex() {
        put("r1", "red");
        assertEquals("r1", look("red/r1"));
        put("r1", "blue");
        assertNull(look("red/r1"));
        assertEquals("r1", look("blue/r1"));
        put("r1", "blue");
        assertEquals("r1", look("blue/r1"));
        put("r1", null);
        assertNull(look("blue/r1"));
    }

    @Test
    void aBuildBringsInWhatWasThereBeforeInParts() {
        for (String row : List.of("r1", "r2")) {
            OmidLLTransaction<String, String> tx = ll.begin();
            ll.buffer(tx, row, Write.of("red"));
            ll.finishCommit(ll.commit(tx));
        }
        IndexBuild<String, String> build = build();
        assertThrows(IllegalStateException.class, build::buildBegin);
        build.fence();
        OmidLLTransaction<String, String> first = build.buildBegin();
        build.populate(first, rows(first, "r1"));
        build.populate(first, rows(first, "r1"));
        build.endPart(first);
        put("r2", "blue");
        OmidLLTransaction<String, String> second = build.buildBegin();
        build.populate(second, rows(second, "r2"));
        build.populate(second, rows(second, "r3"));
        long readyFrom = build.ready(second);
        assertFalse(SecondaryIndex.mayUse(Timestamps.NIL, readyFrom));
        assertFalse(SecondaryIndex.mayUse(readyFrom, first.startTs()));
        assertTrue(SecondaryIndex.mayUse(readyFrom, second.startTs()));
        assertEquals("r1", look("red/r1"));
        assertNull(look("red/r2"));
        assertEquals("r2", look("blue/r2"));
    }

    @Test
    void nothingIsPopulatedWhenThePartsTimeIsUp() {
        put("r1", "red");
        IndexBuild<String, String> build = build();
        build.fence();
        OmidLLTransaction<String, String> part = build.buildBegin();
        Map<String, Record<String>> rows = rows(part, "r1");
        store.remove(List.of("red/r1"), rows.get("r1").version());
        now += 2_000;
        assertEquals(AbortCause.EXPIRED, assertThrows(TransactionAbortedException.class, () -> build.populate(part, rows)).abortCause());
        assertNull(look("red/r1"));
    }

    @Test
    void conflictFreeWritesAreNotComparedButFenced() {
        OmidLLTransaction<String, String> one = ll.begin();
        OmidLLTransaction<String, String> two = ll.begin();
        OmidLLTransaction<String, String> both = ll.begin();
        OmidLLTransaction<String, String> fenced = ll.begin();
        ll.buffer(one, Map.of(), Map.of("x", Write.of("1")));
        ll.buffer(two, Map.of(), Map.of("x", Write.of("2")));
        ll.buffer(fenced, Map.of(), Map.of("x", Write.of("4")));
        ll.buffer(both, "y", Write.of("3"));
        ll.buffer(both, Map.of(), Map.of("y", Write.of("3")));
        ll.commit(one);
        ll.commit(two);
        put("y", "z");
        assertEquals(AbortCause.CONFLICT, assertThrows(TransactionAbortedException.class, () -> ll.commit(both)).abortCause());
        manager.fence(TABLE);
        assertEquals(AbortCause.FENCED, assertThrows(TransactionAbortedException.class, () -> ll.commit(fenced)).abortCause());
        assertNull(store.reread("x", fenced.startTs()));
    }

    @Test
    void checkpointsAndIntentsAreRefused() {
        OmidLLTransaction<String, String> tx = ll.begin();
        ll.buffer(tx, Map.of(), Map.of("x", Write.of("1")));
        assertTrue(assertThrows(TransactionException.class, () -> ll.checkpoint(tx)).getMessage().contains("conflict-free"));
        OmidLLTransaction<String, String> other = ll.begin();
        ll.checkpoint(other);
        assertThrows(TransactionException.class, () -> ll.buffer(other, Map.of(), Map.of("x", Write.of("1"))));
        OmidTwoPhase<String, String> twoPhase = new OmidTwoPhase<>(store, commitTable, manager, clock, SETTINGS, Tracer.OFF);
        assertThrows(TransactionException.class, () -> twoPhase.buffer(twoPhase.begin(), Map.of(), Map.of("x", Write.of("1"))));
        assertThrows(IllegalArgumentException.class, () -> new SecondaryIndex<String, String>(ll, (row, value) -> null, Tracer.OFF)
                .writeIndex(ll.begin(), "r", null, Write.of("1")));
    }
}
