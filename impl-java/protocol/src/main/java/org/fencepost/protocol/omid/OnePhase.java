package org.fencepost.protocol.omid;

import java.util.Collection;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * What {@link OmidLL} commits with fewer trips than the long way takes (specs/OnePhase.tla, the client's part). All writes are buffered until
 * the commit.
 *
 * <p>Where they lie in one region, the manager certifies the transaction, and one batch stores its records with their commit cells: that is
 * the commit. The region server refuses a batch that somebody with a later snapshot may have missed; then the transaction goes the long way, for
 * which it asks for another commit timestamp. An answer that is lost is looked for in the rows.
 *
 * <p>A blind transaction, which reads nothing, is begun and certified by one request.
 *
 * <p>Where they lie in several regions whose servers have clocks, they are put while the manager certifies the transaction. Each put is answered
 * with the clock of its row. If one has passed the commit timestamp, the transaction asks for another one.
 *
 * <p>Stateless; each transaction belongs to one thread at a time.
 */
public final class OnePhase<K, V> {

    private final OmidLL<K, V> ll;
    private final BatchStore<K, V> batches;
    /** Null only where the store takes no batches. */
    private final CommitTable commitTable;
    private final TransactionManager manager;
    private final int attempts;
    private final Tracer tracer;

    /** @param attempts at finding out what became of a batch, before that is given up as unknown */
    OnePhase(OmidLL<K, V> ll, BatchStore<K, V> batches, CommitTable commitTable, TransactionManager manager, int attempts, Tracer tracer) {
        this.ll = ll;
        this.batches = batches;
        this.commitTable = commitTable;
        this.manager = manager;
        this.attempts = attempts;
        this.tracer = tracer;
    }

    /** Whether one batch can hold what the transaction writes. */
    boolean takesBatch(OmidLLTransaction<K, V> tx) {
        return isBuffered(tx) && batches.inOneRegion(tx.writeSet());
    }

    /** Whether its puts tell if it has to ask for another commit timestamp. */
    boolean takesBeside(OmidLLTransaction<K, V> tx) {
        return isBuffered(tx) && batches.tellsClocks(tx.writeSet());
    }

    /** No model has conflict-free writes here. */
    private static boolean isBuffered(OmidLLTransaction<?, ?> tx) {
        return tx.nothingSent() && !tx.hasConflictFreeWrites();
    }

    // ---- one batch

    void certifyBatch(OmidLLTransaction<K, V> tx) {
        if (tx.hasBegun()) {
            bufferWrite(tx);
            ll.requestCommit(tx);
        } else {
            commitBlindly(tx);
        }
    }

    /** What the batch has. It was buffered before, but nobody else sees when. */
    private void bufferWrite(OmidLLTransaction<K, V> tx) {
        if (tracer.on()) {
            tx.writeSet().forEach(key -> tracer.event(Action.BufferWrite, "txn", tx.startTs(), "key", key, "delete", tx.ownWrite(key).isTombstone()));
        }
    }

    private void commitBlindly(OmidLLTransaction<K, V> tx) {
        long sent = ll.clock.nanos(); // guard: as at begin
        ll.requesting(tx);
        long ts;
        try {
            ts = manager.commitBlindly(ll.conflictHashes(tx));
        } catch (TransactionManagerException e) {
            throw ll.abort(tx, AbortCause.MANAGER_UNREACHABLE, e); // a timestamp more or less: nothing was ever sent
        }
        tx.begunAndCertified(ts, ll.deadline(sent));
        bufferWrite(tx);
        if (tracer.on()) {
            tracer.event(Action.CommitBlindly, "txn", ts);
        }
    }

    /** On return the batch is stored, which is the commit, or never will be: then the transaction is active, and goes the long way. */
    void commitInOnePhase(OmidLLTransaction<K, V> tx) {
        boolean stored;
        try {
            stored = batches.putBatch(tx.startTs(), tx.commitTs(), tx.writes());
        } catch (StoreException e) {
            stored = loseBatchAnswer(tx, e);
        }
        if (stored) {
            tx.finish(TransactionStatus.COMMITTED);
        } else {
            tx.goLongWay();
        }
    }

    private boolean loseBatchAnswer(OmidLLTransaction<K, V> tx, StoreException lost) {
        if (tracer.on()) {
            tracer.event(Action.LoseBatchAnswer, "txn", tx.startTs());
        }
        for (int attempt = 0; attempt < attempts; attempt++) {
            try {
                TransactionStatus status = resolveBatch(tx.startTs(), tx.commitTs(), tx.writeSet());
                if (status == TransactionStatus.UNKNOWN) {
                    break;
                }
                return status == TransactionStatus.COMMITTED;
            } catch (StoreException e) {
                lost.addSuppressed(e);
            }
        }
        tx.finish(TransactionStatus.UNKNOWN);
        throw new OutcomeUnknownException(tx.startTs(), new OutcomeUnknownException.Batch(tx.commitTs(), tx.writeSet()), lost);
    }

    /** By a look at its rows. If it is not stored, it never will be. UNKNOWN means that it is too late to tell and will stay so. */
    TransactionStatus resolveBatch(long startTs, long commitTs, Collection<K> keys) {
        TransactionStatus status = batches.findsRecord(startTs, commitTs, keys) ? TransactionStatus.COMMITTED
                : absenceDecides(startTs) ? TransactionStatus.ABORTED : TransactionStatus.UNKNOWN;
        if (tracer.on()) {
            tracer.event(Action.ResolveBatch, "txn", startTs, "found", status);
        }
        return status;
    }

    /** Guard: that there is no record tells nothing once it may have been collected. Asked after the look, which was earlier then. */
    private boolean absenceDecides(long startTs) {
        return commitTable.watermark() <= startTs;
    }

    // ---- puts beside the certification

    /**
     * Puts all while the manager certifies it: on return it is certified. Or a clock has passed its commit timestamp; then it is active, and
     * has to ask for another one, for which everything is in the store.
     */
    void putBeside(OmidLLTransaction<K, V> tx) {
        bufferWrite(tx);
        if (tracer.on()) {
            tracer.event(Action.PutBeside, "txn", tx.startTs());
        }
        ll.requesting(tx);
        LongSupplier certification = manager.commitLater(tx.startTs(), tx.startTs(), ll.conflictHashes(tx), ll.tablesOf(tx));
        ll.requireDeparts(tx);
        long clock;
        Map<K, Write<V>> batch = tx.nextBatch();
        try {
            clock = batches.putTelling(tx.startTs(), batch, () -> requireDepartsNow(tx));
        } catch (PutRefusedException e) {
            throw ll.refusePut(tx, e);
        } catch (StoreException e) {
            throw losePuts(tx, batch, e);
        }
        ll.traceWrites(tx, batch);
        tx.batchStored();
        ll.certify(tx, certification);
        keepTimestamp(tx, clock);
    }

    /** The same guard for each request, of which others may already be under way. Throws {@link StoreException}: nothing more is sent. */
    private void requireDepartsNow(OmidLLTransaction<K, V> tx) {
        if (!ll.mayDepart(tx)) {
            throw new StoreException("Transaction " + tx.startTs() + " had no time left to send all its writes.");
        }
    }

    /** The manager ends it, so that nothing of it can be sent again. */
    private TransactionAbortedException losePuts(OmidLLTransaction<K, V> tx, Map<K, Write<V>> batch, StoreException lost) {
        ll.traceWrites(tx, batch, "lost", true);
        return ll.giveUp(tx, AbortCause.STORE_UNREACHABLE, lost);
    }

    /** Guard (HasPassed): who has read one of its keys with a later snapshot than its commit timestamp may have missed it. */
    private void keepTimestamp(OmidLLTransaction<K, V> tx, long clock) {
        if (clock > tx.commitTs()) {
            tx.passed();
        } else if (tracer.on()) {
            tracer.event(Action.KeepTimestamp, "txn", tx.startTs());
        }
    }
}
