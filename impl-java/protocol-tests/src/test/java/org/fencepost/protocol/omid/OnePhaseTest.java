package org.fencepost.protocol.omid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** What the client makes of the answers to a batch, and to puts beside the certification: which calls, and in which order. */
class OnePhaseTest {

    private final World world = new World();
    private final Batches batches = new Batches();
    private final List<String> asked = new ArrayList<>();
    /** What happens when the manager has decided. */
    private Runnable certified = () -> {};
    private final TransactionManager manager = Interposed.wrap(TransactionManager.class, world.localManager, call -> {
        if (!call.name().endsWith(".lifetimeNanos")) { // no request
            asked.add(call.name());
        }
        Object answer = call.proceed();
        if (call.name().startsWith("TransactionManager.commit")) {
            certified.run();
        }
        return answer;
    });
    private final OmidLL<String, String> ll = new OmidLL<>(store(), world.table, manager, world.clock, String::hashCode, World.SETTINGS, Tracer.OFF);

    /** A region server that does as a test says. */
    private final class Batches implements BatchStore<String, String> {
        private boolean oneRegion;
        private Runnable put = () -> {};
        private Runnable stored = () -> {};
        private long clock;
        private boolean takes = true;
        private boolean found;

        @Override
        public boolean inOneRegion(Collection<String> keys) {
            return oneRegion;
        }

        @Override
        public boolean tellsClocks(Collection<String> keys) {
            return !oneRegion;
        }

        @Override
        public long putTelling(long version, Map<String, Write<String>> writes, Runnable departs) {
            writes.forEach((key, write) -> {
                departs.run();
                put.run();
                world.memory.put(version, Map.of(key, write));
                stored.run();
            });
            return clock;
        }

        @Override
        public boolean putBatch(long startTs, long commitTs, Map<String, Write<String>> writes) {
            put.run();
            if (takes) {
                world.memory.put(startTs, writes);
                world.memory.putCommitCells(List.of(new Committed<>(startTs, commitTs, List.copyOf(writes.keySet()))));
            }
            return takes;
        }

        @Override
        public boolean findsRecord(long startTs, long commitTs, Collection<String> keys) {
            return found;
        }
    }

    @SuppressWarnings("unchecked")
    private VersionedStore<String, String> store() {
        return (VersionedStore<String, String>) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {VersionedStore.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("batches") ? batches : method.invoke(world.memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private OmidLLTransaction<String, String> writer() {
        OmidLLTransaction<String, String> tx = ll.begin();
        ll.buffer(tx, "a", Write.of("1"));
        ll.buffer(tx, "b", Write.of("1"));
        asked.clear();
        return tx;
    }

    private AbortCause abortOf(OmidLLTransaction<String, String> tx) {
        AbortCause cause = assertThrows(TransactionAbortedException.class, () -> ll.commit(tx)).abortCause();
        assertEquals(TransactionStatus.ABORTED, tx.status());
        return cause;
    }

    private void assertNothingStored(OmidLLTransaction<String, String> tx) {
        assertEquals(List.of(), world.records("a"));
        assertEquals(List.of(), world.records("b"));
        assertEquals(Timestamps.NIL, world.table.get(tx.startTs()));
    }

    // ---- puts beside the certification

    @Test
    void aPutThatNobodyHasPassedAsksTheManagerOnce() {
        OmidLLTransaction<String, String> tx = writer();
        ll.finishCommit(ll.commit(tx));
        assertEquals(List.of("TransactionManager.commitLater"), asked);
        assertFalse(tx.wasPassed());
        assertEquals("1", world.readNow("b"));
    }

    @Test
    void aPutThatAReaderHasPassedAsksForALaterTimestamp() {
        OmidLLTransaction<String, String> tx = writer();
        certified = () -> {
            certified = () -> {};
            batches.clock = ll.begin().startTs();
        };
        Committed<String> committed = ll.commit(tx);
        assertEquals(List.of("TransactionManager.commitLater", "TransactionManager.begin", "TransactionManager.commit"), asked);
        assertTrue(tx.wasPassed());
        assertTrue(committed.commitTs() > batches.clock, committed.commitTs() + " is not later than the reader's " + batches.clock);
    }

    @Test
    void aPutThatIsRefusedAborts() {
        OmidLLTransaction<String, String> tx = writer();
        batches.stored = () -> {
            throw new PutRefusedException("newer", null); // of the second, when the first is there
        };
        assertEquals(AbortCause.REFUSED, abortOf(tx));
        assertNothingStored(tx);
    }

    /** The manager is told, so that it has ended even where the request to certify it was lost. */
    @Test
    void putsThatAreNotAnsweredAbort() {
        OmidLLTransaction<String, String> tx = writer();
        batches.stored = () -> {
            throw new StoreException("lost");
        };
        assertEquals(AbortCause.STORE_UNREACHABLE, abortOf(tx));
        assertEquals(List.of("TransactionManager.commitLater", "TransactionManager.end"), asked);
        assertNothingStored(tx);
    }

    /** The collector may be past it: nothing departs, and nothing of it comes back. */
    @Test
    void whoStandsStillBetweenAskingAndPuttingDoesNotPut() {
        OmidLLTransaction<String, String> tx = writer();
        certified = () -> world.clock.advance(World.DEPART + 1);
        batches.put = () -> {
            throw new AssertionError("a put departs");
        };
        assertEquals(AbortCause.EXPIRED, abortOf(tx));
        assertNothingStored(tx);
    }

    /** What was sent in time is removed again. */
    @Test
    void whoStandsStillBetweenTwoPutsDoesNotSendTheSecond() {
        OmidLLTransaction<String, String> tx = writer();
        batches.stored = () -> world.clock.advance(World.DEPART + 1);
        assertEquals(AbortCause.STORE_UNREACHABLE, abortOf(tx));
        assertNothingStored(tx);
    }

    @Test
    void aPutMayDepartInTheLastMoment() {
        OmidLLTransaction<String, String> tx = writer();
        certified = () -> world.clock.advance(World.DEPART);
        ll.finishCommit(ll.commit(tx));
        assertEquals("1", world.readNow("a"));
    }

    // ---- one batch

    @Test
    void aBatchThatIsRefusedGoesTheLongWay() {
        OmidLLTransaction<String, String> tx = writer();
        batches.oneRegion = true;
        batches.takes = false;
        Committed<String> committed = ll.commit(tx);
        assertEquals(List.of("TransactionManager.commit", "TransactionManager.commit"), asked);
        assertTrue(tx.wasRefused());
        assertEquals(committed.commitTs(), world.table.get(tx.startTs()));
    }

    @Test
    void whoStandsStillAfterARefusalDoesNotPut() {
        OmidLLTransaction<String, String> tx = writer();
        batches.oneRegion = true;
        batches.takes = false;
        batches.put = () -> world.clock.advance(World.DEPART + 1);
        assertEquals(AbortCause.EXPIRED, abortOf(tx));
        assertNothingStored(tx);
    }

    @Test
    void aLostAnswerIsLookedForInTheRows() {
        batches.oneRegion = true;
        batches.put = () -> {
            throw new StoreException("lost");
        };
        batches.found = true;
        OmidLLTransaction<String, String> stored = writer();
        ll.commit(stored);
        assertEquals(TransactionStatus.COMMITTED, stored.status());
        assertFalse(stored.wasRefused());

        batches.found = false;
        OmidLLTransaction<String, String> missing = writer();
        ll.finishCommit(ll.commit(missing));
        assertTrue(missing.wasRefused());
        assertEquals("1", world.readNow("a"));
    }

    @Test
    void aBatchThatIsNotThereBelowTheWatermarkTellsNothing() {
        OmidLLTransaction<String, String> tx = writer();
        batches.oneRegion = true;
        batches.put = () -> {
            world.table.raiseWatermark(tx.startTs() + 1);
            throw new StoreException("lost");
        };
        OutcomeUnknownException unknown = assertThrows(OutcomeUnknownException.class, () -> ll.commit(tx));
        assertEquals(TransactionStatus.UNKNOWN, tx.status());
        assertEquals(TransactionStatus.UNKNOWN, ll.resolve(unknown));
        batches.found = true;
        assertEquals(TransactionStatus.COMMITTED, ll.resolve(unknown));
    }

    @Test
    void aBlindTransactionAsksTheManagerOnce() {
        batches.oneRegion = true;
        OmidLLTransaction<String, String> tx = ll.beginBlind();
        ll.buffer(tx, "a", Write.of("1"));
        ll.commit(tx);
        assertEquals(List.of("TransactionManager.commitBlindly"), asked);
        assertEquals("1", world.readNow("a"));
    }
}
