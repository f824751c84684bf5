package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.Write;

/**
 * The state of one transaction at its client. {@link OmidLL} moves it; callers only look. Used by one thread at a time.
 *
 * <p>A write is buffered here first, then sent, then acknowledged. Its key joins the write set before anything is sent,
 * so that whatever may have reached the store can be cleaned up.
 *
 * <p>It writes in levels (VLDB'18 section 6.2): level n has version startTs + n. Only writes of the present level are in memory;
 * of what was left to the store, here is which levels each key has.
 */
public final class OmidLLTransaction<K, V> {

    private long startTs;
    private long deadlineNanos;
    private long departsUntilNanos = Long.MAX_VALUE;
    private final Map<K, Write<V>> writes = new LinkedHashMap<>();
    /** Part of writes: not sent yet. */
    private final Map<K, Write<V>> buffered = new LinkedHashMap<>();
    /** Part of writes: sent, perhaps stored. Disjoint from buffered. */
    private final Map<K, Write<V>> unacknowledged = new LinkedHashMap<>();
    private boolean resends;
    /** Of keys left to the store: their levels there, as bits. Disjoint from writes, as far as the present level goes. */
    private final Map<K, Long> inStore = new LinkedHashMap<>();
    /** Keys that the manager is not to compare with what others write. */
    private final Set<K> conflictFree = new HashSet<>();
    private int level;
    private boolean excluding;
    private boolean refused;
    private boolean passed;
    private final Outcomes<K> outcomes = new Outcomes<>();
    private TransactionStatus status = TransactionStatus.ACTIVE;
    private long commitTs = Timestamps.NIL;

    OmidLLTransaction(long startTs, long deadlineNanos) {
        this.startTs = startTs;
        this.deadlineNanos = deadlineNanos;
    }

    /** One that begins later: a blind one when it commits. */
    OmidLLTransaction() {
        this(Timestamps.NIL, Long.MAX_VALUE);
    }

    /** ts_r: the snapshot it reads, and the version of its first level; NIL of a blind one that does not commit yet. */
    public long startTs() {
        return startTs;
    }

    /** ts_c, from CERTIFIED on; NIL before, and for a transaction without writes. */
    public long commitTs() {
        return commitTs;
    }

    public TransactionStatus status() {
        return status;
    }

    /** On the client's monotonic clock: what the store answers later than this is not used. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    /** Whether it has begun: a blind one has not before it commits. Until then it reads nothing, and sends nothing. */
    public boolean hasBegun() {
        return startTs != Timestamps.NIL;
    }

    /** What reads, or sends before the commit, takes a snapshot and a version. */
    void requireBegun() {
        if (!hasBegun()) {
            throw new TransactionException("A blind transaction buffers writes and commits them, and does nothing else: use begin for one that reads,"
                    + " or sends its writes early.");
        }
    }

    void begun(long ts, long untilNanos) {
        if (hasBegun()) {
            throw new IllegalStateException("Transaction " + startTs + " begins for a second time.");
        }
        startTs = ts;
        deadlineNanos = untilNanos;
    }

    void liveUntil(long nanos) {
        deadlineNanos = nanos;
    }

    /** How many checkpoints it has made. */
    public int level() {
        return level;
    }

    /** Whether it is between a checkpoint and a snapshot, and so does not read what it writes. */
    public boolean isExcluding() {
        return excluding;
    }

    /** tau_w: the version of what it writes now. */
    public long writePoint() {
        return startTs + level;
    }

    /** tau_r: the last of its own versions that it reads. Guard: between checkpoint and snapshot that is the level before. */
    public long readPoint() {
        return excluding ? writePoint() - 1 : writePoint();
    }

    /** Up to here a read fetches: below its snapshot, and its own versions if it has left any to the store. */
    public long fetchPoint() {
        requireBegun();
        return inStore.isEmpty() ? startTs - 1 : writePoint();
    }

    /** The keys written so far, in the order of their first write; read-only, and live while all of them are in memory. */
    public Set<K> writeSet() {
        if (inStore.isEmpty()) {
            return Collections.unmodifiableSet(writes.keySet());
        }
        Set<K> all = new LinkedHashSet<>(inStore.keySet());
        all.addAll(writes.keySet());
        return all;
    }

    /** The first of them: the leader, where a transaction has one (Fragola section 3.2). Only if it is not {@link #isReadOnly}. */
    public K firstWritten() {
        return writeSet().iterator().next();
    }

    public boolean isReadOnly() {
        return writes.isEmpty() && inStore.isEmpty();
    }

    /** The transaction's own write of a key at its present level; null if it has none in memory. */
    public Write<V> ownWrite(K key) {
        return writes.get(key);
    }

    Outcomes<K> outcomes() {
        return outcomes;
    }

    /** The spec's guard of RequestCommit: whatever was sent has been acknowledged. */
    boolean writesStored() {
        return unacknowledged.isEmpty();
    }

    /** All that it has written is in memory, and nothing of it may be in the store. */
    boolean nothingSent() {
        return level == 0 && inStore.isEmpty() && buffered.size() == writes.size();
    }

    /** Of the present level, as far as they are in memory. */
    Map<K, Write<V>> writes() {
        return Collections.unmodifiableMap(writes);
    }

    boolean hasBufferedWrites() {
        return !buffered.isEmpty();
    }

    /** A late copy of the first put would replace the second: a version has one value for ever. */
    void requireUnsent(K key) {
        if (isSent(key)) {
            throw new TransactionException("Key " + key + " of transaction " + startTs
                    + " was sent to the store already: buffer all writes of a key before they are sent, or make a checkpoint.");
        }
    }

    /** Guard: a key that was written in both ways is compared. */
    void bufferConflictFree(K key, Write<V> write) {
        boolean isNew = !writes.containsKey(key) && levelsInStore(key) == 0;
        boolean stays = isNew || conflictFree.contains(key);
        buffer(key, write);
        if (stays) {
            conflictFree.add(key);
        }
    }

    /** Whether the manager is to compare the key with what others write. */
    boolean isCompared(K key) {
        return !conflictFree.contains(key);
    }

    boolean hasConflictFreeWrites() {
        return !conflictFree.isEmpty();
    }

    void buffer(K key, Write<V> write) {
        requireUnsent(key);
        conflictFree.remove(key);
        writes.put(key, write);
        buffered.put(key, write);
    }

    /** Whether the key was sent at the present level, and cannot be written again at that. */
    public boolean isSent(K key) {
        return writes.containsKey(key) ? !buffered.containsKey(key) : (levelsInStore(key) >>> level & 1) != 0;
    }

    /** Gives up what {@link #bufferConflictFree} has allowed: to compare more is always right. */
    public void compareAll() {
        conflictFree.clear();
    }

    /** Whether the transaction reads its own write of the key, and has it in memory. */
    boolean readsFromMemory(K key) {
        return !excluding && writes.containsKey(key);
    }

    /** Whether the transaction reads its own write of the key, wherever that is. */
    public boolean readsOwn(K key) {
        return readsFromMemory(key) || ownVersion(key) != Timestamps.NIL;
    }

    /** The version at which the transaction reads its own write of the key from the store; NIL if it does not. */
    long ownVersion(K key) {
        long read = levelsInStore(key) & (1L << readPoint() - startTs + 1) - 1;
        return read == 0 ? Timestamps.NIL : startTs + last(read);
    }

    private long levelsInStore(K key) {
        return inStore.getOrDefault(key, 0L);
    }

    private static int last(long levels) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(levels);
    }

    /** All that was written has been stored, and goes from memory. */
    void leaveToStore() {
        writes.keySet().forEach(key -> inStore.merge(key, 1L << level, (a, b) -> a | b));
        writes.clear();
    }

    /** From now on what is written is not read. */
    void nextLevel() {
        level++;
        excluding = true;
    }

    void readOwnAgain() {
        excluding = false;
    }

    /** The last level of each key that has a later one than the first. */
    Map<K, Integer> lastLevels() {
        Map<K, Integer> last = new HashMap<>();
        inStore.forEach((key, levels) -> last.put(key, last(levels)));
        writes.keySet().forEach(key -> last.put(key, level));
        last.values().removeIf(each -> each == 0);
        return last;
    }

    /** The store has acknowledged the transaction's write of the key. */
    boolean isStored(K key) {
        return isSent(key) && !unacknowledged.containsKey(key);
    }

    /** Whether something of the last batch was in an earlier one, too, which nobody has acknowledged. */
    public boolean resends() {
        return resends;
    }

    /** Moves the buffered writes to the unacknowledged ones and returns these all: the next batch to send. */
    public Map<K, Write<V>> nextBatch() {
        resends = !unacknowledged.isEmpty();
        unacknowledged.putAll(buffered);
        buffered.clear();
        return Collections.unmodifiableMap(unacknowledged);
    }

    /** The same for the first write alone, if no other has been stored; empty if it is already. */
    public Map<K, Write<V>> primaryBatch() {
        K primary = writes.keySet().iterator().next();
        if (buffered.containsKey(primary)) {
            unacknowledged.put(primary, buffered.remove(primary));
        }
        return unacknowledged.containsKey(primary) ? Map.of(primary, unacknowledged.get(primary)) : Map.of();
    }

    public void batchStored() {
        unacknowledged.clear();
    }

    public void stored(K key) {
        unacknowledged.remove(key);
    }

    /** Keys that may have a record in the store, by version. Guard (specs/Checkpoints.tla, Removed): at whatever level. */
    Map<Long, Collection<K>> sentKeys() {
        Map<Long, Collection<K>> sent = new LinkedHashMap<>();
        inStore.forEach((key, levels) -> {
            for (int each = 0; each <= last(levels); each++) {
                if ((levels >>> each & 1) != 0) {
                    sent.computeIfAbsent(startTs + each, v -> new ArrayList<>()).add(key);
                }
            }
        });
        List<K> present = new ArrayList<>(writes.keySet());
        present.removeAll(buffered.keySet());
        if (!present.isEmpty()) {
            sent.computeIfAbsent(writePoint(), v -> new ArrayList<>()).addAll(present);
        }
        return sent;
    }

    /** @param putsUntilNanos on the client's monotonic clock: no put departs later than this */
    void requesting(long putsUntilNanos) {
        move(TransactionStatus.ACTIVE, TransactionStatus.REQUESTING);
        departsUntilNanos = putsUntilNanos;
    }

    /** When the last put may depart, once the manager was asked to certify it. */
    long departsUntilNanos() {
        return departsUntilNanos;
    }

    void certified(long ts) {
        if (ts <= Math.max(startTs, commitTs)) {
            throw new IllegalStateException("The transaction manager gave transaction " + startTs
                    + " the commit timestamp " + ts + ", which is not later than its start, or than one before.");
        }
        move(TransactionStatus.REQUESTING, TransactionStatus.CERTIFIED);
        commitTs = ts;
    }

    /** At one timestamp for both. */
    void begunAndCertified(long ts, long untilNanos) {
        if (!Timestamps.isTimestamp(ts)) {
            throw new IllegalStateException("The transaction manager gave a blind transaction the timestamp " + ts + ", which is none.");
        }
        begun(ts, untilNanos);
        move(TransactionStatus.REQUESTING, TransactionStatus.CERTIFIED);
        commitTs = startTs;
    }

    /** Its batch is not stored, and never will be. Until its next certification it keeps its commit timestamp, which it has passed. */
    void goLongWay() {
        move(TransactionStatus.CERTIFIED, TransactionStatus.ACTIVE);
        refused = true;
    }

    /** A clock has passed its commit timestamp. It is to ask for another one, and keeps this one until then. */
    void passed() {
        move(TransactionStatus.CERTIFIED, TransactionStatus.ACTIVE);
        passed = true;
    }

    /** Whether it was certified while it was put, and asked for another commit timestamp then. */
    public boolean wasPassed() {
        return passed;
    }

    /** Whether it was to commit in one phase, and its batch was not stored. */
    public boolean wasRefused() {
        return refused;
    }

    void finish(TransactionStatus outcome) {
        if (isOver()) {
            throw new IllegalStateException("Transaction " + startTs + " ended twice: " + status + ", " + outcome + ".");
        }
        status = outcome;
    }

    boolean isOver() {
        return status.compareTo(TransactionStatus.COMMITTED) >= 0;
    }

    private void move(TransactionStatus from, TransactionStatus to) {
        if (status != from) {
            throw new IllegalStateException("Transaction " + startTs + " is " + status + ", not " + from + ".");
        }
        status = to;
    }

    @Override
    public String toString() {
        return "Transaction[" + startTs + " " + status + " writes " + writeSet() + "]";
    }
}
