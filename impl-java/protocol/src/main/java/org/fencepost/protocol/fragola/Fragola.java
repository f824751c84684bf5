package org.fencepost.protocol.fragola;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/**
 * Fragola, the client's part (Fragola sections 3.2 and 3.3, specs/Fragola.tla): Omid LL without commit table. The commit entry of a
 * transaction is the commit cell of the first key that it writes, its leader; the records of all other keys, its followers, point to it.
 *
 * <p>To commit, a client writes its commit timestamp into the leader's commit cell by check-and-mutate, and later copies it to the
 * followers. There is no entry to remove after that, and with one key nothing to copy. Whoever meets a follower without commit cell looks
 * at the leader, and marks it if it has none either. A leader that is missing has not come yet, or was aborted, or was lost with a server
 * whose log did not have it, or has been collected; then the follower has its commit cell, or it is passed over: whatever commit timestamp
 * its transaction may still get is later than the reader's snapshot. Nothing is written then, for the leader may come.
 *
 * <p>All clients of a table use this class, or none.
 */
public final class Fragola<K, V> extends OmidLL<K, V> {

    private final LeaderStore<K, V> store;

    /** Over keys that no fence is ever put around. */
    public Fragola(LeaderStore<K, V> store, TransactionManager manager, Clock clock, ToLongFunction<? super K> conflictHash,
            Settings settings, Tracer tracer) {
        this(store, manager, clock, conflictHash, keys -> TransactionManager.NO_TABLES, settings, tracer);
    }

    /** The parameters are those of {@link OmidLL}. */
    public Fragola(LeaderStore<K, V> store, TransactionManager manager, Clock clock, ToLongFunction<? super K> conflictHash,
            Function<Collection<K>, long[]> tables, Settings settings, Tracer tracer) {
        super(store, new LeaderPlacement<>(store), manager, clock, conflictHash, tables, settings, tracer);
        this.store = store;
    }

    @Override
    protected K leader(OmidLLTransaction<K, V> tx) {
        return tx.firstWritten();
    }

    /**
     * All in parallel: the leader need not be stored before its followers. Where there are none, it need not be in the store's log, either:
     * its commit cell is in the same. Guard (SentOnce): a put that was sent before is, for a copy of it may bring back what is lost.
     */
    @Override
    protected void put(OmidLLTransaction<K, V> tx, Map<K, Write<V>> batch) {
        if (batch.size() == 1 && tx.writeSet().size() == 1 && !tx.resends()) {
            store.putOnce(tx.startTs(), leader(tx), batch.get(leader(tx)));
        } else if (!batch.isEmpty()) {
            store.put(tx.startTs(), leader(tx), batch);
        }
    }

    /**
     * As in {@link OmidLL}; throws {@link TransactionAbortedException} (EXPIRED), too. Guard: what was stored after the deadline does not
     * count, since followers may have been cleaned before, for want of a leader.
     */
    @Override
    public void write(OmidLLTransaction<K, V> tx) {
        super.write(tx);
        if (clock.nanos() - tx.deadlineNanos() > 0) {
            throw expire(tx);
        }
    }

    /** As in {@link OmidLL}. The result has the followers alone. */
    @Override
    public Committed<K> commit(OmidLLTransaction<K, V> tx) {
        Committed<K> committed = super.commit(tx);
        return committed.isReadOnly() ? committed : new Committed<>(committed.startTs(), committed.commitTs(),
                committed.keys().stream().filter(key -> !key.equals(leader(tx))).toList());
    }

    /** As in {@link OmidLL}; no commit entries are left to be removed. */
    @Override
    public List<Long> postCommit(List<Committed<K>> committed) {
        super.postCommit(committed);
        return List.of();
    }

    /** Refused where some are not compared: no model covers leaders with indexes. */
    @Override
    public void buffer(OmidLLTransaction<K, V> tx, Map<K, Write<V>> writes, Map<K, Write<V>> conflictFree) {
        if (!conflictFree.isEmpty()) {
            throw refused("conflict-free writes");
        }
        super.buffer(tx, writes, conflictFree);
    }

    /** Refused: two numbers do not tell the leader. */
    @Override
    public TransactionStatus resolve(long startTs, long commitTs) {
        throw new IllegalArgumentException("Two timestamps do not tell where the commit entry of transaction " + startTs
                + " is: give resolve the OutcomeUnknownException itself.");
    }

    /** Refused: no model covers leaders with several levels. */
    @Override
    public void checkpoint(OmidLLTransaction<K, V> tx) {
        throw refused("checkpoints");
    }

    /** Refused, as checkpoints are. */
    @Override
    public void flush(OmidLLTransaction<K, V> tx) {
        throw refused("flushes");
    }

    private static TransactionException refused(String what) {
        return new TransactionException("A transaction over tables with leaders has no " + what
                + ": use tables whose commit entries are in the commit table, or keep the transaction small.");
    }
}
