package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Memo;
import org.fencepost.simulation.world.Plan;

/**
 * The index of a run (specs/IndexFence.tla): what everybody is told of it, and what it is judged by. IndexIsFunction is looked at after
 * each change of a server: at every snapshot that somebody has or may get, the index has what the rows tell, as they are stored.
 */
final class Index {

    private static final long TABLE = 1;
    private static final long INDEX = 2;

    private final Plan plan;
    private final StoreServer store;
    private final CommitTableServer table;
    /** The rows whose writers keep the index from now on. */
    private final Set<String> triggers = new HashSet<>();
    private final List<Long> fences = new ArrayList<>();
    /** The rows of which is known that they were populated: what a build leaves to the one that goes on. */
    private final Set<String> populated = new HashSet<>();
    private long readyFrom = Timestamps.NIL;
    private Failure failure;

    Index(Plan plan, StoreServer store, CommitTableServer table) {
        this.plan = plan;
        this.store = store;
        this.table = table;
        store.watch(this::look);
        table.watch(this::look);
    }

    /** Of the tables that keys are in, each once. */
    long[] tables(Collection<String> keys) {
        return keys.isEmpty() ? TransactionManager.NO_TABLES : keys.stream().mapToLong(key -> plan.isRow(key) ? TABLE : INDEX).distinct().toArray();
    }

    long table() {
        return TABLE;
    }

    /** As a client keeps it. */
    SecondaryIndex<String, Long> kept(OmidLL<String, Long> ll, Tracer tracer) {
        return new SecondaryIndex<>(ll, (row, value) -> new SecondaryIndex.Entry<>(key(row, value), value), tracer);
    }

    private String key(String row, long value) {
        List<String> keys = plan.indexKeys(row);
        return keys.get((int) Math.floorMod(value, keys.size()));
    }

    /** Null where there is none. */
    Long value(Record<Long> row) {
        return row == null ? null : row.value();
    }

    // ---- what everybody is told

    boolean hasAllRows() {
        return plan.keys().stream().allMatch(row -> at(row, Long.MAX_VALUE) != null);
    }

    void keep(String row) {
        triggers.add(row);
    }

    boolean isKept(String row) {
        return triggers.contains(row);
    }

    void fenced(long fence) {
        fences.add(fence);
    }

    Set<String> populated() {
        return populated;
    }

    void ready(long from) {
        if (!isReady()) {
            readyFrom = from;
            look();
        }
    }

    boolean isReady() {
        return readyFrom != Timestamps.NIL;
    }

    boolean mayUse(long startTs) {
        return SecondaryIndex.mayUse(readyFrom, startTs);
    }

    // ---- what it is judged by

    /** IndexReads. */
    void requireSame(OmidLLTransaction<String, Long> tx, String row, Record<Long> found, String key, Record<Long> entry) {
        boolean expected = found != null && !found.isTombstone() && key(row, found.value()).equals(key);
        if (expected != (entry != null && !entry.isTombstone())) {
            throw new IllegalStateException("IndexReads: transaction " + tx.startTs() + " read " + found + " of row " + row + ", and " + entry
                    + " of key " + key + " of its index");
        }
    }

    private void look() {
        if (!isReady() || failure != null) {
            return;
        }
        long oldest = Math.max(readyFrom + 1, table.watermark());
        TreeSet<Long> snapshots = new TreeSet<>(Set.of(oldest));
        plan.storedKeys().forEach(key -> records(key).forEach(record -> snapshots.add(outcome(record) + 1)));
        for (long snapshot : snapshots.tailSet(oldest)) {
            for (String row : plan.keys()) {
                look(row, snapshot);
            }
        }
    }

    private void look(String row, long snapshot) {
        Record<Long> found = at(row, snapshot);
        for (String key : plan.indexKeys(row)) {
            boolean expected = found != null && key(row, found.value()).equals(key);
            if (expected != (at(key, snapshot) != null)) {
                failure = new Failure("IndexIsFunction", "at " + snapshot + " row " + row + " has " + found + ", and key " + key + " of its index "
                        + at(key, snapshot) + "; it is ready from " + readyFrom + " on", null);
            }
        }
    }

    /** What the key holds for a snapshot, by the records that are stored now; null for nothing. */
    private Record<Long> at(String key, long snapshot) {
        return records(key).stream().filter(record -> outcome(record) != Timestamps.NIL && outcome(record) < snapshot).findFirst()
                .filter(record -> !record.isTombstone()).orElse(null);
    }

    private List<Record<Long>> records(String key) {
        return store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    private long outcome(Record<Long> record) {
        long entry = record.hasCommitCell() ? record.commit() : table.get(store.versions().writerOf(record.version()));
        return Timestamps.isTimestamp(entry) ? entry : Timestamps.NIL;
    }

    /** Null if all is well. FencedNeverCommits: who began below a fence commits below it, or never. */
    Failure judge(List<Memo> memos) {
        for (Memo memo : memos) {
            long startTs = memo.record.startTs();
            long commitTs = table.committed(startTs);
            for (long fence : fences) {
                if (commitTs > fence && startTs < fence) {
                    return new Failure("FencedNeverCommits", startTs + " committed at " + commitTs + ", and there is a fence at " + fence, null);
                }
            }
        }
        return failure;
    }
}
