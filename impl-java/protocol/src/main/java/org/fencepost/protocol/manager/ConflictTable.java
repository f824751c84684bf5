package org.fencepost.protocol.manager;

import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * The commit timestamps of recently written keys (VLDB'18 section 3.2, conflictDetect), in bounded memory.
 *
 * <p>A hash falls into one bucket, which remembers the {@value #WAYS} hashes committed last. When a bucket is full, its
 * oldest entry is evicted and the low watermark rises to that entry's commit timestamp: from then on a transaction that
 * began earlier cannot be checked and must abort. Hence a conflict may be reported that is none (equal hashes, old
 * transactions), but none is missed. Slots at or below the watermark are as good as empty.
 *
 * <p>A bucket is kept in the order of commits, latest first. So its oldest entry is its last, and a look at its first
 * mostly tells that nothing in it is later than a transaction's begin.
 *
 * <p>Not thread-safe; allocates nothing after construction.
 */
public final class ConflictTable {

    static final int WAYS = 8;

    /**
     * Skips to a cache-line boundary where a large array starts at one, with a header of 16 bytes. With the G1 collector it
     * does, with others it may not. Speed only.
     */
    private static final int FIRST_BUCKET = 14;

    /** More buckets would push each other out of the processor's cache before they are searched. */
    private static final int FETCH_AT_MOST = 1 << 12;

    /**
     * Each bucket: WAYS hashes, the latest first, then their WAYS commit timestamps. Free slots are zero, older than
     * everything.
     */
    private final long[] cells;
    private final int shift;
    private final Tracer tracer;
    /** No write committed after this is forgotten; only grows. */
    private long lowWatermark;
    private int used;
    /** Means nothing; written so that the loads of {@link #fetch} are not optimised away. */
    private long fetched;

    /**
     * @param entries      capacity; rounded up to a power of two, at least 2 buckets
     * @param lowWatermark transactions that began below it abort: what they conflict with is not in here. For the
     *                     specification that is the eviction of everything earlier
     */
    public ConflictTable(int entries, long lowWatermark, Tracer tracer) {
        if (entries < 1 || entries > 1 << 29) {
            throw new IllegalArgumentException("A conflict table holds 1 to " + (1 << 29) + " entries, not " + entries + ".");
        }
        int bucketBits = Math.max(1, 32 - Integer.numberOfLeadingZeros((entries + WAYS - 1) / WAYS - 1));
        this.cells = new long[FIRST_BUCKET + (1 << bucketBits) * 2 * WAYS];
        this.shift = 64 - bucketBits;
        this.lowWatermark = lowWatermark;
        this.tracer = tracer;
        if (lowWatermark > 0 && tracer.on()) {
            tracer.event(Action.Evict, "commit", lowWatermark - 1);
        }
    }

    long lowWatermark() {
        return lowWatermark;
    }

    /** Entries that hold a key. */
    int used() {
        return used;
    }

    /** The commit timestamp that is remembered for a hash; 0 if there is none. */
    long lastCommit(long hash) {
        int bucket = bucket(hash);
        int way = find(bucket, hash);
        return way < WAYS ? cells[bucket + WAYS + way] : 0;
    }

    boolean belowWatermark(long startTs) {
        return startTs < lowWatermark;
    }

    /**
     * Loads the buckets of a write set that is about to be checked and stored. No load depends on another, so they wait for
     * memory together; those of the searches would wait one after the other. Three of them, since a bucket lies in three
     * cache lines where it does not start with one. Speed only.
     */
    void fetch(long[] writeSet, int count) {
        long sum = 0;
        for (int i = 0; i < Math.min(count, FETCH_AT_MOST); i++) {
            int bucket = bucket(writeSet[i]);
            sum += cells[bucket] + cells[bucket + WAYS] + cells[bucket + 2 * WAYS - 1];
        }
        fetched = sum;
    }

    /** True if one of the hashes, {@code from} inclusive to {@code to} exclusive, was committed after the transaction began. */
    boolean conflicts(long startTs, long[] hashes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (committedAfter(startTs, hashes[i])) {
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

    private boolean committedAfter(long startTs, long hash) {
        int bucket = bucket(hash);
        if (cells[bucket + WAYS] <= startTs) {
            return false;
        }
        int way = find(bucket, hash);
        return way < WAYS && cells[bucket + WAYS + way] > startTs;
    }

    /** Moves the hash to the front of its bucket; the last of a full bucket, the oldest one, makes room. */
    private void store(long hash, long commitTs) {
        int bucket = bucket(hash);
        int way = find(bucket, hash);
        if (way == WAYS) {
            way = WAYS - 1;
            if (cells[bucket + WAYS + way] > lowWatermark) {
                evict(cells[bucket + WAYS + way]);
            } else if (cells[bucket + WAYS + way] == 0) {
                used++;
            }
        }
        for (int slot = bucket + way; slot > bucket; slot--) {
            cells[slot] = cells[slot - 1];
            cells[slot + WAYS] = cells[slot + WAYS - 1];
        }
        cells[bucket] = hash;
        cells[bucket + WAYS] = commitTs;
    }

    /** The way of the bucket that holds the hash; WAYS if none does. */
    private int find(int bucket, long hash) {
        int way = 0;
        while (way < WAYS && cells[bucket + way] != hash) {
            way++;
        }
        return way;
    }

    private void evict(long commitTs) {
        lowWatermark = commitTs;
        if (tracer.on()) {
            tracer.event(Action.Evict, "commit", commitTs);
        }
    }

    /** Start of the bucket. The multiplication spreads hashes that differ in few bits. */
    private int bucket(long hash) {
        return FIRST_BUCKET + (int) (hash * 0x9E3779B97F4A7C15L >>> shift) * 2 * WAYS;
    }
}
