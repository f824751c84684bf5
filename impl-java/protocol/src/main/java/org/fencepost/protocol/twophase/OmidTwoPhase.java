package org.fencepost.protocol.twophase;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Omid 2PC, the client's part (VLDB'18 sections 3.1 and 5.1.1, specs/OmidTwoPhase.tla): finds conflicts where the data is, as
 * Percolator does. {@link OmidLL} is compared with it; use that.
 *
 * <p>Writes stay in memory until commit. Then they are prewritten, the first one alone and the others after that: the store
 * checks each key, and writes the tentative record, the intent, only if nobody committed the key since the transaction began
 * and nobody else has an intent there. The commit timestamp is asked for when all intents are stored; the manager checks
 * nothing, except that it still gives up on transactions older than its memory of conflicts, which costs an abort. The rest
 * is Omid LL.
 *
 * <p>An intent may have lost its owner. A prewrite that meets an older one reads the key, which takes the right to commit
 * from a pending owner and does away with the intent ({@code SnapshotReader}), and tries again. At a younger one, or at a
 * later commit, the transaction gives up.
 *
 * <p>All clients of a table use this class, or none: the other one does not look for intents.
 */
public final class OmidTwoPhase<K, V> extends OmidLL<K, V> {

    private static final long[] NOTHING = {};

    private final IntentStore<K, V> store;

    /** Over keys that no fence is ever put around. */
    public OmidTwoPhase(IntentStore<K, V> store, CommitTable commitTable, TransactionManager manager, Clock clock,
            Settings settings, Tracer tracer) {
        this(store, commitTable, manager, clock, keys -> TransactionManager.NO_TABLES, settings, tracer);
    }

    /** @param tables see {@link OmidLL} */
    public OmidTwoPhase(IntentStore<K, V> store, CommitTable commitTable, TransactionManager manager, Clock clock,
            Function<Collection<K>, long[]> tables, Settings settings, Tracer tracer) {
        super(store, commitTable, manager, clock, key -> 0, tables, settings, tracer, true);
        this.store = store;
    }

    /**
     * Prewrites what is buffered and what earlier calls left unacknowledged; commit does it. Throws
     * {@link TransactionAbortedException} (CONFLICT, or EXPIRED); after a {@link StoreException} the transaction can call
     * this or commit again, or roll back.
     */
    @Override
    public void write(OmidLLTransaction<K, V> tx) {
        requireBegun(tx);
        if (tx.isReadOnly()) {
            return;
        }
        prewriteAll(tx, tx.primaryBatch());
        prewriteAll(tx, tx.nextBatch());
    }

    /** Conflict-free writes are refused: nobody would look for their conflicts anyway, and no fence binds here. */
    @Override
    public void buffer(OmidLLTransaction<K, V> tx, Map<K, Write<V>> writes, Map<K, Write<V>> conflictFree) {
        if (!conflictFree.isEmpty()) {
            throw new TransactionException("Omid 2PC has no conflict-free writes, and so no secondary indexes: use Omid LL.");
        }
        super.buffer(tx, writes, conflictFree);
    }

    /** Refused: no model covers intents at several levels. */
    @Override
    public void checkpoint(OmidLLTransaction<K, V> tx) {
        throw noLevels("checkpoints");
    }

    /** Refused: what is left to the store would be in others' way until commit. */
    @Override
    public void flush(OmidLLTransaction<K, V> tx) {
        throw noLevels("flushes");
    }

    private static TransactionException noLevels(String what) {
        return new TransactionException("Omid 2PC has no " + what + ": use Omid LL, or keep the transaction small.");
    }

    @Override
    protected long[] conflictHashes(OmidLLTransaction<K, V> tx) {
        return NOTHING;
    }

    /** Until all are stored. Each turn does away with the intents that the last one met. */
    private void prewriteAll(OmidLLTransaction<K, V> tx, Map<K, Write<V>> batch) {
        Map<K, Write<V>> left = new LinkedHashMap<>(batch);
        while (!left.isEmpty()) {
            Map<K, Long> refused = prewrite(tx, left);
            left.keySet().retainAll(refused.keySet());
            refused.forEach((key, obstacle) -> {
                if (obstacle == IntentStore.NEWER_COMMIT || obstacle > tx.startTs()) {
                    throw refusePrewrite(tx, key, obstacle);
                }
                meetIntent(tx, key, obstacle);
            });
        }
    }

    private Map<K, Long> prewrite(OmidLLTransaction<K, V> tx, Map<K, Write<V>> writes) {
        Map<K, Long> refused;
        try {
            refused = store.prewrite(tx.startTs(), writes);
        } catch (StoreException e) {
            traceEach(Action.Prewrite, tx, writes, "lost", true);
            throw e;
        }
        Map<K, Write<V>> stored = new LinkedHashMap<>(writes);
        stored.keySet().removeAll(refused.keySet());
        traceEach(Action.Prewrite, tx, stored);
        stored.keySet().forEach(tx::stored);
        return refused;
    }

    private void meetIntent(OmidLLTransaction<K, V> tx, K key, long met) {
        if (tracer.on()) {
            tracer.event(Action.MeetIntent, "txn", tx.startTs(), "key", key, "met", met);
        }
        traverse(tx, key, store.get(key, tx.startTs() - 1));
    }

    private TransactionAbortedException refusePrewrite(OmidLLTransaction<K, V> tx, K key, long obstacle) {
        endQuietly(tx);
        if (tracer.on()) {
            tracer.event(Action.RefusePrewrite, "txn", tx.startTs(), "key", key, "obstacle", obstacle);
        }
        return abort(tx, AbortCause.CONFLICT, null);
    }
}
