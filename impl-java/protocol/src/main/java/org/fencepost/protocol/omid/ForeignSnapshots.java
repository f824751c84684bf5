package org.fencepost.protocol.omid;

import java.util.Iterator;
import java.util.function.LongPredicate;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.trace.Tracer;

/**
 * Reads in the snapshots of transactions that somebody else has begun: what a region server does that filters and aggregates by itself.
 * It reads as {@link SnapshotReader} says, but not what the transactions have written themselves, which their client must have sent. Whether
 * the transaction still lives is its client's to know; here a time limit keeps what was forgotten from going on.
 *
 * <p>Thread-safe; what {@link #of} returns belongs to one thread at a time.
 */
public final class ForeignSnapshots<K, V> {

    private final SnapshotReader<K, V> reader;
    private final Clock clock;
    private final long lifetimeNanos;

    /** @param manager asked whether a writer is pending, before that is invalidated */
    public ForeignSnapshots(VersionedStore<K, V> store, CommitTable commitTable, TransactionManager manager, Clock clock, OmidLL.Settings settings) {
        this.clock = clock;
        this.lifetimeNanos = settings.lifetimeNanos();
        this.reader = new SnapshotReader<>(store, new TablePlacement<>(store, commitTable), clock, settings, Tracer.OFF,
                tx -> new TransactionAbortedException(tx.startTs(), AbortCause.EXPIRED, null), false, asking(manager));
    }

    /** Who gets no answer does what he would do without asking. */
    private static LongPredicate asking(TransactionManager manager) {
        return writer -> {
            try {
                return manager.isPending(writer);
            } catch (TransactionManagerException e) {
                return false;
            }
        };
    }

    /** The snapshot of the transaction that began at that timestamp. */
    public OmidLLTransaction<K, V> of(long startTs) {
        OmidLLTransaction<K, V> snapshot = new OmidLLTransaction<>(startTs, clock.nanos() + lifetimeNanos);
        snapshot.outcomes().gather();
        return snapshot;
    }

    /**
     * What others have committed of a key before the snapshot; null if there is none.
     *
     * @param records newest first, every one with a version below the snapshot's
     * @throws TransactionAbortedException if the snapshot is too old to be read here
     */
    public Record<V> read(OmidLLTransaction<K, V> snapshot, K key, Iterator<Record<V>> records) {
        return reader.traverse(snapshot, key, records);
    }

    /** Writes the commit cells that were found missing. */
    public void heal(OmidLLTransaction<K, V> snapshot) {
        reader.healGathered(snapshot);
    }
}
