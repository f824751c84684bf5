package org.fencepost.protocol.omid;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Builds a {@link SecondaryIndex} while its table is written (VLDB'18 section 6.1, specs/IndexFence.tla). To be done in this order, by
 * one thread:
 *
 * <ol>
 * <li>All who write the table keep the index, from now on.
 * <li>{@link #fence}: who began earlier, perhaps before that, and wrote the table aborts at commit.
 * <li>{@link #buildBegin}: a part of the build, a transaction that begins above the fence. It reads rows in its snapshot and
 * {@link #populate populates} the index with them: puts what their writer would have put, at his version and with his commit timestamp,
 * committed at once and without looking for conflicts. Before its time is up, {@link #endPart}; the next part goes on with the rows that are
 * left. So nobody holds the collector up until all is done.
 * <li>{@link #ready}: the index may be asked, for snapshots from the last part's on.
 * </ol>
 *
 * <p>After a death another build goes on: with a fence of its own, and with the rows that are left, as far as somebody remembers them;
 * to populate a row twice is harmless.
 *
 * <p>This assumes that no put of a part is under way when the watermark has been above its snapshot for the collector's grace
 * ({@code AgedWatermarks}): a part puts nothing when its time is up, and looks at the clock right before a put departs.
 */
public final class IndexBuild<K, V> {

    private final OmidLL<K, V> ll;
    private final VersionedStore<K, V> store;
    private final TransactionManager manager;
    private final SecondaryIndex<K, V> index;
    private final long table;
    private final Tracer tracer;
    private long fencedAt = Timestamps.NIL;

    /** @param table the 64-bit id of the table that the rows are in */
    public IndexBuild(OmidLL<K, V> ll, VersionedStore<K, V> store, TransactionManager manager, SecondaryIndex<K, V> index, long table, Tracer tracer) {
        this.ll = ll;
        this.store = store;
        this.manager = manager;
        this.index = index;
        this.table = table;
        this.tracer = tracer;
    }

    /** Only when all who write the table keep the index. Throws as {@link TransactionManager#fence} does; then put another. */
    public long fence() {
        fencedAt = manager.fence(table);
        if (tracer.on()) {
            tracer.event(Action.Fence, "fence", fencedAt);
        }
        return fencedAt;
    }

    /**
     * A part of the build. Guard: above the fence; below, somebody could commit above its snapshot who did not keep the index. And with a
     * transaction of its own: the fence's timestamp is no snapshot that anything is kept for.
     */
    public OmidLLTransaction<K, V> buildBegin() {
        if (fencedAt == Timestamps.NIL) {
            throw new IllegalStateException("A build begins above a fence: put one on the table first.");
        }
        OmidLLTransaction<K, V> part = ll.begin();
        if (tracer.on()) {
            tracer.event(Action.BuildBegin, "txn", part.startTs());
        }
        return part;
    }

    /**
     * Puts the index records of rows that the part has read by {@link OmidLL#read}, which passes over nobody. Throws
     * {@link StoreException}: call it again; or {@code TransactionAbortedException} (EXPIRED) when the part's time is up: begin another.
     *
     * @param rows null, or a tombstone, where there is none
     */
    public void populate(OmidLLTransaction<K, V> part, Map<K, Record<V>> rows) {
        OmidLL.requireActive(part);
        ll.requireInTime(part); // also that there is no row is known only if it was looked for in time
        Map<K, Record<V>> records = new LinkedHashMap<>();
        Map<K, K> keys = new LinkedHashMap<>();
        rows.forEach((row, found) -> {
            if (found != null && !found.isTombstone()) {
                SecondaryIndex.Entry<K, V> entry = index.entry(row, found.value());
                records.put(entry.key(), new Record<>(storedAs(part, found), entry.value(), bornCommitted(part, found)));
                keys.put(row, entry.key());
            }
        });
        store.putCommitted(records, () -> ll.requireInTime(part)); // guard: putsInTime. What was deleted since may have been collected
        if (tracer.on()) {
            rows.forEach((row, found) -> tracer.event(Action.Populate, "txn", part.startTs(), "key", row, "met", keys.containsKey(row) ? found.version() : 0,
                    "index", keys.containsKey(row) ? keys.get(row) : ""));
        }
    }

    /**
     * Guard (erratum to section 6.1): as a record of the row's writer. At the part's own version it would lie above the tombstone of
     * somebody who began before the part and commits after it.
     */
    private static long storedAs(OmidLLTransaction<?, ?> part, Record<?> found) {
        return found.version();
    }

    /** Guard: committed from the beginning, as the row is. A build never commits. */
    private static long bornCommitted(OmidLLTransaction<?, ?> part, Record<?> found) {
        if (!Timestamps.isTimestamp(found.commit()) || found.commit() >= part.startTs()) {
            throw new IllegalArgumentException("A record with commit timestamp " + found.commit() + " is not in the snapshot of " + part.startTs() + ".");
        }
        return found.commit();
    }

    /** The part has populated some rows, and others are left. */
    public void endPart(OmidLLTransaction<K, V> part) {
        end(part, Action.EndPart);
    }

    /**
     * All rows were populated, by this part or those before it.
     *
     * @return the index is ready for snapshots from this timestamp on
     */
    public long ready(OmidLLTransaction<K, V> part) {
        end(part, Action.Ready);
        return part.startTs();
    }

    private void end(OmidLLTransaction<K, V> part, Action how) {
        ll.commit(part);
        if (tracer.on()) {
            tracer.event(how, "txn", part.startTs());
        }
    }
}
