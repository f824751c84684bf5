package org.fencepost.tm.mediator;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.mediator.BloomFilter;
import org.fencepost.protocol.mediator.Replica;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * The ring of recent transactions (SYSTOR'14 Alg. 2). A transaction is entered when it asks to commit and meets no conflict: with its
 * commit timestamp, the Bloom filter of its write set, and the status ACTIVE. It is settled when it is known to be written back, or aborted.
 *
 * <p>Entries stand in the order of their commit timestamps. When the ring is full, its oldest entry is deleted if it is
 * settled, and transactions that began before it cannot commit any more; if it is active, nobody is let in until the helper has settled it.
 *
 * <p>Whoever begins gets a replica of the active entries. Each change of the set of active entries has a number, the revision, and a client that tells the
 * last one it knows gets what has changed since: {@link #changesSince}, {@link RingReplica}. Settled entries are left out of replicas: what
 * they wrote is in the database.
 *
 * <p>Not thread-safe.
 */
public final class StatusOracle {

    private static final int COMMIT_TS = 0;
    private static final int STATUS = 1;
    private static final int FILTER = 2;
    private static final int WIDTH = FILTER + BloomFilter.WORDS;

    private static final long ACTIVE = 1;
    private static final long COMMITTED = 2;
    private static final long ABORTED = 3;

    private final LongSupplier timestamps;
    private final Tracer tracer;
    private final int capacity;
    /** Entry number n is at {@code n % capacity * WIDTH}. */
    private final long[] ring;
    /** The number of the oldest entry, and one more than that of the latest. */
    private long oldest;
    private long end;
    private int active;
    private long lastCommitTs;
    /** Transactions that began before it cannot commit: the ring has forgotten later ones. Only grows. */
    private long tsMin;
    /** The commit timestamps of the entries that were entered or settled last, by revision. */
    private final long[] changed;
    private long revision;
    private final long firstRevision;

    /**
     * @param entries    at least 1; 160 bytes each
     * @param timestamps each call one more, at least 2 above the last and above tsMin
     * @param tsMin      no transaction that began before it is known here; a later oracle's is higher
     */
    public StatusOracle(int entries, LongSupplier timestamps, long tsMin, Tracer tracer) {
        if (entries < 1 || entries > 1 << 24) {
            throw new IllegalArgumentException("The ring holds 1 to " + (1 << 24) + " transactions, not " + entries + ".");
        }
        this.capacity = entries;
        this.ring = new long[entries * WIDTH];
        this.changed = new long[2 * entries];
        this.timestamps = timestamps;
        this.tsMin = tsMin;
        // An entry takes a timestamp and changes twice: the revisions stay below the timestamps, and below a later oracle's.
        this.firstRevision = tsMin;
        this.revision = tsMin;
        this.lastCommitTs = tsMin - 1;
        this.tracer = tracer;
    }

    // ---- begin

    /** A start timestamp. */
    public long begin() {
        return timestamps.getAsLong();
    }

    /** Guard (SYSTOR'14 Lemma 1): an entry counts from the moment it enters the ring, not only when it is known to have committed. */
    private boolean inReplica(int entry) {
        return ring[entry + STATUS] == ACTIVE;
    }

    /** The ring as it is now. */
    public Replica replica() {
        RingReplica replica = new RingReplica();
        replica.apply(changesSince(0));
        return replica.snapshot();
    }

    /**
     * What a client has to be told, in the form that {@link RingReplica#apply} takes: the revision; 1 if this is
     * all that is active, 0 if it is what has changed; how many are settled, and their commit timestamps; for each new entry its commit
     * timestamp and its filter.
     *
     * @param known the last revision it knows, of whichever oracle; 0 if none
     */
    public long[] changesSince(long known) {
        boolean all = known < firstRevision || known > revision || revision - known > changed.length;
        long from = all ? Long.MAX_VALUE : known + 1;
        int settled = 0;
        int entered = all ? active : 0;
        for (long change = from; change <= revision; change++) {
            if (isSettled(changed(change))) {
                settled++;
            } else {
                entered++;
            }
        }
        long[] changes = new long[3 + settled + entered * (1 + BloomFilter.WORDS)];
        changes[0] = revision;
        changes[1] = all ? 1 : 0;
        changes[2] = settled;
        int nextSettled = 3;
        int nextEntered = 3 + settled;
        for (long change = from; change <= revision; change++) {
            long commitTs = changed(change);
            if (isSettled(commitTs)) {
                changes[nextSettled++] = commitTs;
            } else {
                nextEntered = copy(find(commitTs), changes, nextEntered);
            }
        }
        for (long number = all ? oldest : end; number < end; number++) {
            if (inReplica(at(number))) {
                nextEntered = copy(at(number), changes, nextEntered);
            }
        }
        return changes;
    }

    private boolean isSettled(long commitTs) {
        int entry = find(commitTs);
        return entry < 0 || !inReplica(entry);
    }

    private int copy(int entry, long[] to, int at) {
        to[at] = ring[entry + COMMIT_TS];
        System.arraycopy(ring, entry + FILTER, to, at + 1, BloomFilter.WORDS);
        return at + 1 + BloomFilter.WORDS;
    }

    private long changed(long change) {
        return changed[(int) (change % changed.length)];
    }

    private void change(long commitTs) {
        revision++;
        changed[(int) (revision % changed.length)] = commitTs;
    }

    // ---- commit

    /**
     * See {@link org.fencepost.protocol.mediator.Oracle#txTryCommit}. {@link TransactionManager#BELOW_WATERMARK} also if the ring is full of
     * transactions that are not settled.
     */
    public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        if (!ringReachesBack(startTs)) {
            return TransactionManager.BELOW_WATERMARK;
        }
        if (!noConflictInRing(conflicts, since)) {
            return TransactionManager.CONFLICT;
        }
        if (writes.length > 0 && !makeRoom()) {
            return TransactionManager.BELOW_WATERMARK;
        }
        long commitTs = timestamps.getAsLong();
        lastCommitTs = commitTs;
        if (writes.length > 0) {
            append(commitTs, writes);
        }
        return commitTs;
    }

    /** Guard (SYSTOR'14 Alg. 2, line 52). */
    private boolean ringReachesBack(long startTs) {
        return tsMin <= startTs;
    }

    /** Guard (SYSTOR'14 Alg. 2, line 68): an entry counts before its transaction is known to have committed. */
    private boolean counts(int entry) {
        return ring[entry + STATUS] != ABORTED;
    }

    /** Guard (SYSTOR'14 Alg. 2, lines 64 to 70, with errata): each key is compared with its own timestamp, whatever was found for the others. */
    private boolean noConflictInRing(long[] conflicts, long[] since) {
        long earliest = Arrays.stream(since).min().orElse(Long.MAX_VALUE);
        for (long number = end - 1; number >= oldest && ring[at(number)] > earliest; number--) {
            int entry = at(number);
            if (counts(entry) && conflicts(entry, conflicts, since)) {
                return false;
            }
        }
        return true;
    }

    private boolean conflicts(int entry, long[] conflicts, long[] since) {
        long commitTs = ring[entry + COMMIT_TS];
        for (int i = 0; i < conflicts.length; i++) {
            if (commitTs > since[i] && BloomFilter.mayContain(ring, entry + FILTER, conflicts[i])) {
                return true;
            }
        }
        return false;
    }

    private void append(long commitTs, long[] writes) {
        int entry = at(end++);
        Arrays.fill(ring, entry, entry + WIDTH, 0);
        ring[entry + COMMIT_TS] = commitTs;
        ring[entry + STATUS] = ACTIVE;
        for (long key : writes) {
            BloomFilter.add(ring, entry + FILTER, key);
        }
        active++;
        change(commitTs);
    }

    // ---- settled entries

    /** The client was aborted by the check and has sent no record to the log. Nothing happens if the entry is settled. */
    public void tsoAbort(long commitTs) {
        settle(commitTs, ABORTED);
    }

    /**
     * What became of a transaction that came to the log: its client tells when all is written back, or the helper finds it out.
     * Nothing happens if the entry is settled.
     */
    public void settleEntry(long commitTs, boolean committed) {
        if (settle(commitTs, committed ? COMMITTED : ABORTED) && tracer.on()) {
            tracer.event(Action.SettleEntry, "commit", commitTs, "committed", committed);
        }
    }

    private boolean settle(long commitTs, long status) {
        int entry = find(commitTs);
        if (entry < 0 || ring[entry + STATUS] != ACTIVE) {
            return false;
        }
        ring[entry + STATUS] = status;
        active--;
        change(commitTs);
        return true;
    }

    /** The commit timestamps of active entries, oldest first. */
    public long[] active() {
        long[] found = new long[active];
        int next = 0;
        for (long number = oldest; number < end; number++) {
            if (ring[at(number) + STATUS] == ACTIVE) {
                found[next++] = ring[at(number)];
            }
        }
        return found;
    }

    public boolean isActive(long commitTs) {
        int entry = find(commitTs);
        return entry >= 0 && ring[entry + STATUS] == ACTIVE;
    }

    // ---- eviction

    /** Deletes all settled entries up to the oldest active one. */
    public void evict() {
        while (end > oldest && isComplete(at(oldest))) {
            evictOldest(false);
        }
    }

    private boolean makeRoom() {
        if (end - oldest == capacity && isComplete(at(oldest))) {
            evictOldest(true);
        }
        return end - oldest < capacity;
    }

    /** Guard (SYSTOR'14 section 4.3): readers need the others, to know what they wait for. */
    private boolean isComplete(int entry) {
        return ring[entry + STATUS] != ACTIVE;
    }

    /** @param room for a transaction that is being let in */
    private void evictOldest(boolean room) {
        int entry = at(oldest);
        tsMin = tsMinAfterEviction(entry);
        oldest++;
        if (tracer.on()) {
            tracer.event(Action.Evict, "commit", ring[entry + COMMIT_TS], "room", room);
        }
    }

    /** Guard (SYSTOR'14 Alg. 2, line 52): who began before an entry that was deleted cannot commit. */
    private long tsMinAfterEviction(int entry) {
        return counts(entry) ? Math.max(tsMin, ring[entry + COMMIT_TS]) : tsMin;
    }

    /** Transactions that began before it cannot commit. */
    public long tsMin() {
        return tsMin;
    }

    /** Entries in the ring, settled ones included. */
    public int size() {
        return (int) (end - oldest);
    }

    /** No entry has a lower commit timestamp, or ever will. */
    public long reachesBackTo() {
        return end == oldest ? lastCommitTs + 1 : ring[at(oldest)];
    }

    /** No active entry has a lower commit timestamp, or ever will. */
    public long settledBelow() {
        long number = oldest;
        while (number < end && isComplete(at(number))) {
            number++;
        }
        return number == end ? lastCommitTs + 1 : ring[at(number)];
    }

    // ---- the array

    private int at(long number) {
        return (int) (number % capacity) * WIDTH;
    }

    /** Where the entry is; -1 if there is none. */
    private int find(long commitTs) {
        long low = oldest;
        long high = end;
        while (low < high) {
            long middle = low + high >>> 1;
            if (ring[at(middle)] < commitTs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < end && ring[at(low)] == commitTs ? at(low) : -1;
    }
}
