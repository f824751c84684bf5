package org.fencepost.protocol;

/**
 * The commit timestamps of recently written keys (VLDB'18 section 3.2, conflictDetect), in bounded memory.
 *
 * <p>A hash falls into one bucket, which remembers the {@value #WAYS} hashes committed last. When a bucket is full, its
 * oldest entry is evicted and the low watermark rises to that entry's commit timestamp: from then on a transaction that
 * began earlier cannot be checked and must abort. Hence a conflict may be reported that is none (equal hashes, old
 * transactions), but none is missed. Slots at or below the watermark are as good as empty.
 *
 * <p>Not thread-safe; allocates nothing after construction.
 */
final class ConflictTable {

    static final int WAYS = 8;

    /** Each bucket: WAYS hashes, then their WAYS commit timestamps. An empty slot is zero, older than everything. */
    private final long[] cells;
    private final int shift;
    private final Tracer tracer;
    /** No write committed after this is forgotten; only grows. */
    private long lowWatermark;

    /**
     * @param entries      capacity; rounded up to a power of two, at least 2 buckets
     * @param lowWatermark transactions that began below it abort: what they conflict with is not in here
     */
    ConflictTable(int entries, long lowWatermark, Tracer tracer) {
        if (entries < 1 || entries > 1 << 29) {
            throw new IllegalArgumentException("A conflict table holds 1 to " + (1 << 29) + " entries, not " + entries + ".");
        }
        int bucketBits = Math.max(1, 32 - Integer.numberOfLeadingZeros((entries + WAYS - 1) / WAYS - 1));
        this.cells = new long[(1 << bucketBits) * 2 * WAYS];
        this.shift = 64 - bucketBits;
        this.lowWatermark = lowWatermark;
        this.tracer = tracer;
    }

    long lowWatermark() {
        return lowWatermark;
    }

    boolean belowWatermark(long startTs) {
        return startTs < lowWatermark;
    }

    /** True if one of the hashes was committed after the transaction began. */
    boolean conflicts(long startTs, long[] writeSet, int count) {
        for (int i = 0; i < count; i++) {
            if (lastCommit(writeSet[i]) > startTs) {
                return true;
            }
        }
        return false;
    }

    /** Remembers a commit, which must be later than all before it. */
    void committed(long[] writeSet, int count, long commitTs) {
        for (int i = 0; i < count; i++) {
            store(writeSet[i], commitTs);
        }
    }

    private long lastCommit(long hash) {
        int bucket = bucket(hash);
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (cells[slot] == hash) {
                return cells[slot + WAYS];
            }
        }
        return 0;
    }

    private void store(long hash, long commitTs) {
        int bucket = bucket(hash);
        int oldest = bucket;
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (cells[slot] == hash) {
                cells[slot + WAYS] = commitTs;
                return;
            }
            if (cells[slot + WAYS] < cells[oldest + WAYS]) {
                oldest = slot;
            }
        }
        if (cells[oldest + WAYS] > lowWatermark) {
            evict(cells[oldest + WAYS]);
        }
        cells[oldest] = hash;
        cells[oldest + WAYS] = commitTs;
    }

    private void evict(long commitTs) {
        lowWatermark = commitTs;
        if (tracer.on()) {
            tracer.event(Action.Evict, "commit", commitTs);
        }
    }

    /** Start of the bucket. The multiplication spreads hashes that differ in few bits. */
    private int bucket(long hash) {
        return (int) (hash * 0x9E3779B97F4A7C15L >>> shift) * 2 * WAYS;
    }
}
