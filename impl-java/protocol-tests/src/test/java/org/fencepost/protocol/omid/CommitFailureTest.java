package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.Interposed.Hook;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.NdjsonTracer;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every step of a commit fails in turn, once before and once after it was carried out. */
class CommitFailureTest {

    private static final String PUT = "VersionedStore.put";
    private static final String COMMIT_ENTRY = "CommitTable.checkAndMutate";

    private final World world = new World();
    private final OmidLL<String, String> ll = world.ll;
    private OmidLLTransaction<String, String> tx;

    @BeforeEach
    void oldValueAndNewWrite() {
        world.put("a", "old");
        tx = ll.begin();
        ll.buffer(tx, "a", Write.of("new"));
    }

    // ---- write

    @Test
    void commitSendsUnacknowledgedWritesAgain() {
        for (Hook fault : List.of(Faults.loseAnswer(PUT, 2), Faults.loseRequest(PUT, 2))) {
            OmidLLTransaction<String, String> writer = ll.begin();
            ll.buffer(writer, "a", Write.of("new"));
            world.hook = fault;
            assertThrows(StoreException.class, () -> ll.write(writer));
            ll.buffer(writer, "b", Write.of("another"));
            assertThrows(StoreException.class, () -> ll.commit(writer));
            assertEquals(TransactionStatus.ACTIVE, writer.status());
            ll.finishCommit(ll.commit(writer));
            assertEquals("new", world.readNow("a"));
            assertEquals("another", world.readNow("b"));
        }
    }

    @Test
    void commitThatCannotSendItsWritesAsksTheManagerForNothing() {
        List<String> calls = Faults.names();
        Hook fault = Faults.loseRequest(PUT, 1);
        world.hook = call -> {
            calls.add(call.name());
            return fault.around(call);
        };
        assertThrows(StoreException.class, () -> ll.commit(tx));
        assertEquals(List.of(PUT), calls);
        ll.commit(tx);
        assertEquals(List.of(PUT, PUT, "TransactionManager.commit", COMMIT_ENTRY), calls);
    }

    @Test
    void rollbackAfterALostPutRemovesIt() {
        world.hook = Faults.loseAnswer(PUT, 1);
        assertThrows(StoreException.class, () -> ll.write(tx));
        ll.rollback(tx);
        assertEquals(1, world.records("a").size());
        assertEquals("old", world.readNow("a"));
    }

    // ---- commit request

    @Test
    void lostAnswerOfTheManagerAborts() {
        for (Hook fault : List.of(Faults.loseAnswer("TransactionManager.commit", 1), Faults.loseRequest("TransactionManager.commit", 1))) {
            OmidLLTransaction<String, String> writer = ll.begin();
            ll.buffer(writer, "b", Write.of("new"));
            List<String> calls = Faults.names();
            world.hook = call -> {
                calls.add(call.name());
                return fault.around(call);
            };
            TransactionAbortedException e = assertThrows(TransactionAbortedException.class, () -> ll.commit(writer));
            assertEquals(AbortCause.MANAGER_UNREACHABLE, e.abortCause());
            assertEquals(List.of(PUT, "TransactionManager.commit", "VersionedStore.removeAborted"), calls, "no commit entry, and not asked twice");
            assertNull(world.readNow("b"));
            assertEquals(List.of(), world.records("b"));
        }
    }

    @Test
    void tooOldForTheConflictTableAborts() {
        for (int i = 0; i < 5_000; i++) {
            world.put("key" + i, "v");
        }
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, () -> ll.commit(tx));
        assertEquals(AbortCause.BELOW_WATERMARK, e.abortCause());
        assertEquals("old", world.readNow("a"));
    }

    @Test
    void commitTimestampNotAfterTheStartIsAnError() {
        world.hook = call -> call.name().equals("TransactionManager.commit") ? (Object) tx.startTs() : call.proceed();
        assertThrows(IllegalStateException.class, () -> ll.commit(tx));
        assertEquals(Timestamps.NIL, world.table.get(tx.startTs()));
    }

    // ---- commit entry

    @Test
    void lostCommitAnswerIsFoundOutByAskingAgain() {
        for (Hook fault : List.of(Faults.loseAnswer(COMMIT_ENTRY, 2), Faults.loseRequest(COMMIT_ENTRY, 2))) {
            OmidLLTransaction<String, String> writer = ll.begin();
            ll.buffer(writer, "b", Write.of("new"));
            world.hook = fault;
            ll.finishCommit(ll.commit(writer));
            assertEquals(TransactionStatus.COMMITTED, writer.status());
            assertEquals("new", world.readNow("b"));
            assertEquals(0, world.table.size());
        }
    }

    @Test
    void invalidatedWhileTheAnswerWasLost() {
        Hook fault = Faults.loseRequest(COMMIT_ENTRY, 1);
        boolean[] invalidated = {false};
        world.hook = call -> {
            try {
                return fault.around(call);
            } finally {
                if (call.name().equals(COMMIT_ENTRY) && !invalidated[0]) {
                    invalidated[0] = true;
                    world.table.checkAndMutate(tx.startTs(), Timestamps.INVALIDATED);
                }
            }
        };
        assertEquals(AbortCause.INVALIDATED, assertThrows(TransactionAbortedException.class, () -> ll.commit(tx)).abortCause());
        assertEquals("old", world.readNow("a"));
        assertEquals(1, world.records("a").size());
    }

    @Test
    void unknownOutcomeThatHadCommittedIsResolved() {
        world.hook = Faults.loseAnswer(COMMIT_ENTRY, 3);
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, () -> ll.commit(tx));
        assertEquals(TransactionStatus.UNKNOWN, tx.status());
        assertEquals(tx.startTs(), e.startTs());
        assertEquals(tx.commitTs(), e.commitTs());
        assertTrue(e.getMessage().contains("resolve(" + tx.startTs() + ", " + tx.commitTs() + ")"), e.getMessage());
        assertEquals(2, world.records("a").size(), "nothing is cleaned up while it may have committed");
        assertThrows(TransactionFinishedException.class, () -> ll.commit(tx));
        assertThrows(TransactionFinishedException.class, () -> ll.rollback(tx));
        OmidLL<String, String> anotherClient = world.client(World.SETTINGS, Tracer.OFF);
        assertEquals(TransactionStatus.COMMITTED, anotherClient.resolve(e.startTs(), e.commitTs()));
        assertEquals("new", world.readNow("a"));
    }

    @Test
    void unknownOutcomeThatWasPendingCommitsWhenResolved() {
        world.hook = Faults.loseRequest(COMMIT_ENTRY, 3);
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, () -> ll.commit(tx));
        assertEquals(TransactionStatus.COMMITTED, ll.resolve(e.startTs(), e.commitTs()));
        assertEquals("new", world.readNow("a"));
    }

    @Test
    void unknownOutcomeThatAReaderInvalidatedResolvesToAborted() {
        world.hook = Faults.loseRequest(COMMIT_ENTRY, 3);
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, () -> ll.commit(tx));
        assertEquals("old", world.readNow("a"));
        assertEquals(TransactionStatus.ABORTED, ll.resolve(e.startTs(), e.commitTs()));
        assertEquals("old", world.readNow("a"));
    }

    @Test
    void resolvingWhileTheCommitTableIsAwayCanBeRepeated() {
        world.hook = Faults.loseRequest(COMMIT_ENTRY, 4);
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, () -> ll.commit(tx));
        assertThrows(StoreException.class, () -> ll.resolve(e.startTs(), e.commitTs()));
        assertEquals(TransactionStatus.COMMITTED, ll.resolve(e.startTs(), e.commitTs()));
    }

    @Test
    void refusedByTheWatermarkAtFirstMeansAbortedAndTheCollectorCleans() {
        world.hook = Faults.before(world, COMMIT_ENTRY, () -> world.table.raiseWatermark(tx.startTs() + 1));
        assertEquals(AbortCause.COLLECTED, assertThrows(TransactionAbortedException.class, () -> ll.commit(tx)).abortCause());
        assertEquals(2, world.records("a").size(), "left to the collector");
        assertEquals("old", world.readNow("a"));
        world.collectEverything();
        world.assertNothingLeftBut(Map.of("a", "old"));
    }

    @Test
    void refusedByTheWatermarkAfterALostAnswerStaysUnknown() {
        Hook fault = Faults.loseAnswer(COMMIT_ENTRY, 1);
        world.hook = call -> {
            try {
                return fault.around(call);
            } catch (StoreException e) {
                // It has committed. While we wait for the answer, everything about it is collected.
                new Collector<>(world.memory, world.table, world.localManager, Tracer.OFF).collect(List.of("a"), tx.commitTs() + 1);
                throw e;
            }
        };
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, () -> ll.commit(tx));
        assertEquals("new", world.readNow("a"), "a clean-up would have lost this");
        assertEquals(TransactionStatus.UNKNOWN, ll.resolve(e.startTs(), e.commitTs()));
    }

    @Test
    void anotherCommitTimestampInTheTableIsAnError() {
        world.hook = Faults.before(world, COMMIT_ENTRY, () -> world.table.checkAndMutate(tx.startTs(), 999));
        assertThrows(IllegalStateException.class, () -> ll.commit(tx));
        assertEquals(TransactionStatus.UNKNOWN, tx.status());
    }

    // ---- what nobody expects: neither an answer nor a StoreException

    private static Hook fail(String method, boolean carriedOut, Throwable failure) {
        return call -> {
            if (!call.name().equals(method)) {
                return call.proceed();
            }
            if (carriedOut) {
                call.proceed();
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        };
    }

    @Test
    void whatNobodyExpectsLeavesAStatusThatIsTrue() {
        Map<String, TransactionStatus> statuses = Map.of(PUT, TransactionStatus.ACTIVE, "TransactionManager.commit", TransactionStatus.ABORTED, COMMIT_ENTRY, TransactionStatus.UNKNOWN);
        for (Throwable failure : List.of(new RejectedExecutionException(), new OutOfMemoryError())) {
            for (boolean carriedOut : List.of(false, true)) {
                statuses.forEach((method, status) -> {
                    World w = new World();
                    OmidLLTransaction<String, String> writer = w.ll.begin();
                    w.ll.buffer(writer, "a", Write.of("new"));
                    w.hook = fail(method, carriedOut, failure);
                    Throwable thrown = assertThrows(Throwable.class, () -> w.ll.commit(writer), method);
                    assertSame(failure, thrown instanceof OutcomeUnknownException ? thrown.getCause() : thrown, method);
                    assertEquals(status == TransactionStatus.UNKNOWN && failure instanceof RuntimeException, thrown instanceof OutcomeUnknownException);
                    assertEquals(status, writer.status(), method);
                    w.hook = Hook.NONE;
                    switch (status) {
                        case ACTIVE -> {
                            w.ll.commit(writer);
                            assertEquals("new", w.readNow("a"));
                        }
                        case ABORTED -> assertNull(w.readNow("a"));
                        default -> {
                            assertEquals(TransactionStatus.COMMITTED, w.ll.resolve(writer.startTs(), writer.commitTs()));
                            assertEquals("new", w.readNow("a"));
                        }
                    }
                });
            }
        }
    }

    @Test
    void anAbortStandsWhateverCleaningUpThrows() {
        world.hook = call -> {
            if (call.name().equals("VersionedStore.removeAborted") || call.name().equals("TransactionManager.end")) {
                throw new IllegalStateException(call.name());
            }
            return call.proceed();
        };
        ll.write(tx);
        ll.rollback(tx);
        assertEquals(TransactionStatus.ABORTED, tx.status());
        OmidLLTransaction<String, String> reader = ll.begin();
        ll.commit(reader);
        assertEquals(TransactionStatus.COMMITTED, reader.status());
    }

    /** The disk is full: the trace shows that it is not complete, and the commit stands. */
    @Test
    void aTraceThatCannotBeWrittenFailsNoCommit() {
        StringWriter text = new StringWriter();
        NdjsonTracer trace = new NdjsonTracer(new FilterWriter(text) {
            @Override
            public Writer append(CharSequence line) throws IOException {
                if (line.toString().contains("WriteCommitEntry")) {
                    throw new IOException("No space left on device");
                }
                return super.append(line);
            }
        });
        OmidLL<String, String> traced = world.client(World.SETTINGS, trace);
        OmidLLTransaction<String, String> writer = traced.begin();
        traced.buffer(writer, "b", Write.of("new"));
        traced.commit(writer);
        assertEquals(TransactionStatus.COMMITTED, writer.status());
        assertEquals("new", world.readNow("b"));
        trace.close();
        String lines = text.toString();
        assertEquals(3, lines.lines().filter(line -> line.contains("\"action\"")).count(), lines);
        assertTrue(lines.contains("\"events\":4}"), lines);
    }

    // ---- afterwards

    @Test
    void failedPostCommitLeavesTheCommitStanding() {
        for (String method : List.of("VersionedStore.putCommitCells", "CommitTable.remove")) {
            for (Hook fault : List.of(Faults.loseAnswer(method, 1), Faults.loseRequest(method, 1))) {
                World w = new World();
                OmidLLTransaction<String, String> writer = w.ll.begin();
                w.write(writer, "a", "new");
                w.hook = fault;
                w.ll.finishCommit(w.ll.commit(writer));
                assertEquals(TransactionStatus.COMMITTED, writer.status());
                assertEquals("new", w.readNow("a"));
                w.collectEverything();
                w.assertNothingLeftBut(Map.of("a", "new"));
            }
        }
    }

    @Test
    void failedPostCommitKeepsTheCommitEntry() {
        world.hook = Faults.loseAnswer("VersionedStore.putCommitCells", 1);
        ll.finishCommit(ll.commit(tx));
        assertEquals(tx.commitTs(), world.table.get(tx.startTs()));
    }

    @Test
    void failedCleanUpLeavesTheAbortStanding() {
        for (Hook fault : List.of(Faults.loseAnswer("VersionedStore.removeAborted", 1), Faults.loseRequest("VersionedStore.removeAborted", 1))) {
            OmidLLTransaction<String, String> writer = ll.begin();
            world.write(writer, "a", "new");
            world.hook = fault;
            ll.rollback(writer);
            assertEquals(TransactionStatus.ABORTED, writer.status());
            assertEquals("old", world.readNow("a"));
        }
    }

    @Test
    void unreachableManagerAtTheEndIsNoMatter() {
        world.hook = Faults.loseRequest("TransactionManager.end", 2);
        OmidLLTransaction<String, String> reader = ll.begin();
        ll.commit(reader);
        ll.rollback(tx);
        assertEquals(TransactionStatus.COMMITTED, reader.status());
        assertEquals(TransactionStatus.ABORTED, tx.status());
    }

    @Test
    void unreachableManagerAtBeginIsReported() {
        world.hook = Faults.loseAnswer("TransactionManager.begin", 1);
        assertThrows(TransactionManagerException.class, ll::begin);
    }

    // ---- reads

    @Test
    void failedReadCanBeRepeated() {
        for (String method : List.of("VersionedStore.get", "Iterator.next", "CommitTable.get", COMMIT_ENTRY, "VersionedStore.reread")) {
            World w = new World();
            w.put("a", "old");
            w.write(w.ll.begin(), "a", "pending");
            OmidLLTransaction<String, String> reader = w.ll.begin();
            w.hook = Faults.loseAnswer(method, 1);
            assertThrows(StoreException.class, () -> w.ll.read(reader, "a"), method);
            assertEquals("old", w.read(reader, "a"), method);
        }
    }

    @Test
    void failedHealingIsNoMatterOfTheRead() {
        ll.commit(tx);
        world.hook = Faults.loseRequest("VersionedStore.putCommitCells", 1);
        assertEquals("new", world.readNow("a"));
    }

    @Test
    void causesAreKept() {
        List<TransactionException> thrown = new ArrayList<>();
        world.hook = call -> {
            if (call.name().equals("TransactionManager.commit")) {
                thrown.add(call.lost());
                throw thrown.get(0);
            }
            return call.proceed();
        };
        assertSame(assertThrows(TransactionAbortedException.class, () -> ll.commit(tx)).getCause(), thrown.get(0));
    }
}
