package org.fencepost.protocol.mediator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.Test;

/** The client's steps, in both modes, with an oracle that answers what the test wants. */
class MediatorTest {

    private static final long DELTA = TestWorld.DELTA;

    private final TestWorld world = new TestWorld();
    private final Mediator<String, String> snapshot = world.client(false);
    private final Mediator<String, String> serializable = world.client(true);

    private static String read(Mediator<String, String> client, MediatorTransaction<String, String> tx, String key) {
        Version<String> found = client.read(tx, List.of(key)).get(key);
        return found == null ? null : found.value();
    }

    private String get(String key) {
        Version<String> found = world.get(List.of(key)).get(key);
        return found == null ? null : found.value();
    }

    private void assertAborted(AbortCause cause, MediatorTransaction<String, String> tx, Mediator<String, String> client) {
        assertEquals(cause, assertThrows(TransactionAbortedException.class, () -> client.commit(tx)).abortCause());
        assertEquals(TransactionStatus.ABORTED, tx.status());
        assertThrows(TransactionFinishedException.class, () -> client.commit(tx));
    }

    /** A transaction that has read a and written b and c. */
    private MediatorTransaction<String, String> readWrite(Mediator<String, String> client) {
        MediatorTransaction<String, String> tx = client.begin();
        read(client, tx, "a");
        client.txPut(tx, "b", "one");
        client.txPut(tx, "c", "two");
        return tx;
    }

    @Test
    void aCommitTakesItsStepsInOrder() {
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        world.calls.clear();
        snapshot.commit(tx);
        assertEquals(List.of("txTryCommit", "txCheckConflict", "append", "writeBack", "txCommit"), world.calls);
        assertEquals(TransactionStatus.COMMITTED, tx.status());
        assertEquals("one", get("b"));
        assertEquals(Map.of("b", "one", "c", "two"), world.records.get(tx.commitTs()).writes());
        assertEquals(tx.startTs(), world.records.get(tx.commitTs()).startTs());
    }

    @Test
    void underSnapshotIsolationWritesAreComparedSinceTheStart() {
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        snapshot.commit(tx);
        long[] written = {TestWorld.hash("b"), TestWorld.hash("c")};
        assertArrayEquals(written, world.lastWrites);
        assertArrayEquals(written, world.lastConflicts);
        assertArrayEquals(new long[] {tx.startTs(), tx.startTs()}, world.lastSince);
    }

    @Test
    void underSerializabilityReadsAreComparedSinceTheirVersions() {
        long ts = world.put("a", "old");
        MediatorTransaction<String, String> tx = readWrite(serializable);
        read(serializable, tx, "d");
        serializable.commit(tx);
        assertArrayEquals(new long[] {TestWorld.hash("b"), TestWorld.hash("c")}, world.lastWrites);
        assertArrayEquals(new long[] {TestWorld.hash("a"), TestWorld.hash("d")}, world.lastConflicts);
        assertArrayEquals(new long[] {ts, 0}, world.lastSince);
    }

    // ---- the social status of SYSTOR'14 section 1

    @Test
    void aStatusPostedMeanwhileIsNotOverwritten() {
        world.put("a", "asleep");
        MediatorTransaction<String, String> tx = snapshot.begin();
        assertEquals("asleep", read(snapshot, tx, "a"));
        world.put("a", "dancing");
        snapshot.txPut(tx, "a", "still asleep");
        assertAborted(AbortCause.NATIVE_CONFLICT, tx, snapshot);
        assertEquals("tsoAbort", world.calls.get(world.calls.size() - 1));
        assertEquals("dancing", get("a"));
        assertTrue(world.records.isEmpty());
    }

    @Test
    void aStatusPostedAfterTheCheckIsTheLast() {
        world.put("a", "asleep");
        MediatorTransaction<String, String> tx = snapshot.begin();
        read(snapshot, tx, "a");
        snapshot.txPut(tx, "a", "still asleep");
        snapshot.commit(tx);
        long ts = world.put("a", "dancing");
        assertTrue(ts > tx.commitTs());
        assertEquals("dancing", get("a"));
    }

    // ---- reads

    @Test
    void aSnapshotHasWhatWasPutBeforeTheStartAndNothingLater() {
        world.put("a", "old");
        MediatorTransaction<String, String> tx = snapshot.begin();
        read(snapshot, tx, "b");
        world.put("a", "new");
        assertEquals("old", read(snapshot, tx, "a"));
    }

    @Test
    void whatIsDueIsWaitedFor() {
        world.ring = key -> key == TestWorld.hash("a") ? DELTA : 0;
        world.now = DELTA;
        MediatorTransaction<String, String> tx = snapshot.begin();
        assertNullRead(tx, "b");
        assertEquals(AbortCause.UNREADABLE, assertThrows(TransactionAbortedException.class, () -> read(snapshot, tx, "a")).abortCause());
        assertEquals(3, world.calls.stream().filter("txGet"::equals).count() - 1);
        world.store("a", DELTA, "due");
        assertEquals("due", read(snapshot, snapshot.begin(), "a"));
    }

    private void assertNullRead(MediatorTransaction<String, String> tx, String key) {
        assertEquals(null, read(snapshot, tx, key));
    }

    @Test
    void underSerializabilityTheLatestIsReadAndReadAgain() {
        world.put("a", "old");
        MediatorTransaction<String, String> tx = serializable.begin();
        world.put("a", "new");
        assertEquals("new", read(serializable, tx, "a"));
        assertEquals(null, read(serializable, tx, "b"));
        world.put("a", "newer");
        world.put("b", "newer");
        assertEquals("new", read(serializable, tx, "a"));
        assertEquals(null, read(serializable, tx, "b"));
        assertAborted(AbortCause.NATIVE_CONFLICT, tx, serializable);
    }

    @Test
    void ownWritesComeFirst() {
        for (Mediator<String, String> client : List.of(snapshot, serializable)) {
            MediatorTransaction<String, String> tx = client.begin();
            client.txPut(tx, "a", "mine");
            client.txPut(tx, "a", "again");
            assertEquals("again", read(client, tx, "a"));
            client.commit(tx);
            assertEquals("again", get("a"));
        }
    }

    @Test
    void aReadThatFailsMayBeRepeated() {
        world.failing.add("txGet");
        MediatorTransaction<String, String> tx = snapshot.begin();
        assertThrows(StoreException.class, () -> read(snapshot, tx, "a"));
        assertEquals(null, read(snapshot, tx, "a"));
    }

    // ---- the shorter ways

    @Test
    void aReaderNeedsNoCommitUnderSnapshotIsolation() {
        MediatorTransaction<String, String> tx = snapshot.begin();
        read(snapshot, tx, "a");
        world.calls.clear();
        snapshot.commit(tx);
        assertEquals(List.of(), world.calls);
    }

    @Test
    void aReaderIsValidatedUnderSerializability() {
        MediatorTransaction<String, String> tx = serializable.begin();
        read(serializable, tx, "a");
        world.calls.clear();
        serializable.commit(tx);
        assertEquals(List.of("txTryCommit", "txCheckConflict"), world.calls);
    }

    @Test
    void anEmptyTransactionAsksNobody() {
        MediatorTransaction<String, String> tx = serializable.begin();
        world.calls.clear();
        serializable.commit(tx);
        assertEquals(List.of(), world.calls);
    }

    @Test
    void aPutTransactionIsANativePutAfterItsStart() {
        world.put("a", "old");
        MediatorTransaction<String, String> tx = serializable.begin();
        serializable.txPut(tx, "a", "mine");
        world.calls.clear();
        serializable.commit(tx);
        assertEquals(List.of("localCommit"), world.calls);
        assertEquals(tx.startTs() + 1, tx.commitTs());
    }

    @Test
    void theOutcomeOfALostPutTransactionIsUnknownForEver() {
        world.failing.add("localCommit");
        MediatorTransaction<String, String> tx = snapshot.begin();
        snapshot.txPut(tx, "a", "mine");
        OutcomeUnknownException lost = assertThrows(OutcomeUnknownException.class, () -> snapshot.commit(tx));
        assertEquals("Transaction " + tx.startTs() + " may or may not have committed: the answer to its only put was lost.", lost.getMessage());
        assertEquals(TransactionStatus.UNKNOWN, snapshot.resolve(lost.startTs(), lost.commitTs()));
    }

    // ---- failures

    @Test
    void refusalsOfTheOracle() {
        world.refusal = TransactionManager.CONFLICT;
        assertAborted(AbortCause.CONFLICT, readWrite(snapshot), snapshot);
        world.refusal = TransactionManager.BELOW_WATERMARK;
        assertAborted(AbortCause.BELOW_WATERMARK, readWrite(serializable), serializable);
        assertFalse(world.calls.contains("tsoAbort"));
    }

    @Test
    void anOracleThatDoesNotAnswer() {
        world.failing.add("txTryCommit");
        assertAborted(AbortCause.MANAGER_UNREACHABLE, readWrite(snapshot), snapshot);
        world.failing.add("begin");
        assertThrows(TransactionManagerException.class, snapshot::begin);
    }

    @Test
    void aCheckIsRepeated() {
        world.failing.add("txCheckConflict");
        snapshot.commit(readWrite(snapshot));
        world.failing.addAll(List.of("txCheckConflict", "txCheckConflict", "tsoAbort"));
        assertAborted(AbortCause.UNCHECKED, readWrite(snapshot), snapshot);
    }

    @Test
    void aRecordThatWasNotAnsweredIsSentAgain() {
        world.failing.add("append");
        snapshot.commit(readWrite(snapshot));
        world.failing.addAll(List.of("append", "append"));
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        OutcomeUnknownException lost = assertThrows(OutcomeUnknownException.class, () -> snapshot.commit(tx));
        assertEquals(TransactionStatus.ABORTED, snapshot.resolve(lost.startTs(), lost.commitTs()));
        assertFalse(world.append(new LogRecord<>(tx.startTs(), tx.commitTs(), tx.writes())), "the abort was first");
    }

    @Test
    void anAbortInTheLogStays() {
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        world.append(LogRecord.abort(world.now + DELTA));
        assertAborted(AbortCause.SETTLED, tx, snapshot);
        assertEquals(null, get("b"));
    }

    @Test
    void aCommitThatIsNotWrittenBackIsNotAnswered() {
        world.failing.addAll(List.of("writeBack", "writeBack"));
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        OutcomeUnknownException late = assertThrows(OutcomeUnknownException.class, () -> snapshot.commit(tx));
        assertFalse(world.calls.contains("txCommit"));
        assertEquals(TransactionStatus.COMMITTED, snapshot.resolve(late.startTs(), late.commitTs()));
    }

    @Test
    void anOracleThatIsNotToldLearnsFromTheLog() {
        world.failing.add("txCommit");
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        snapshot.commit(tx);
        assertEquals(TransactionStatus.COMMITTED, tx.status());
    }

    /** Neither an answer nor what the interfaces throw. */
    @Test
    void whatNobodyExpectsLeavesAStatusThatIsTrue() {
        world.unexpected = new IllegalStateException("broken");
        Map<String, TransactionStatus> statuses = Map.of("txTryCommit", TransactionStatus.ABORTED, "txCheckConflict", TransactionStatus.ABORTED, "append", TransactionStatus.UNKNOWN,
                "writeBack", TransactionStatus.UNKNOWN, "localCommit", TransactionStatus.UNKNOWN);
        statuses.forEach((call, status) -> {
            MediatorTransaction<String, String> tx = call.equals("localCommit") ? snapshot.begin() : readWrite(snapshot);
            snapshot.txPut(tx, "b", "new");
            world.failing.add(call);
            assertThrows(IllegalStateException.class, () -> snapshot.commit(tx), call);
            assertEquals(status, tx.status(), call);
            assertThrows(TransactionFinishedException.class, () -> snapshot.commit(tx), call);
        });
        world.failing.add("txCommit");
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        snapshot.commit(tx);
        assertEquals(TransactionStatus.COMMITTED, tx.status());
    }

    @Test
    void aRollbackTellsNobody() {
        MediatorTransaction<String, String> tx = readWrite(snapshot);
        world.calls.clear();
        snapshot.rollback(tx);
        assertEquals(List.of(), world.calls);
        assertThrows(TransactionFinishedException.class, () -> read(snapshot, tx, "a"));
        assertThrows(TransactionFinishedException.class, () -> snapshot.txPut(tx, "a", "late"));
        assertThrows(TransactionFinishedException.class, () -> snapshot.rollback(tx));
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Mediator.Settings(false, 0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Mediator.Settings(false, 1, -1, 1));
        assertThrows(IllegalArgumentException.class, () -> new Mediator.Settings(false, 1, 0, 0));
    }
}
