package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Memo;

/**
 * What a client does that makes checkpoints, and what it must see then (specs/Checkpoints.tla): of its own writes those before
 * the checkpoint (OwnReads), all of them if it asks for all (AllListed), and of others the last level (LastLevelRead). What it reads of
 * others goes into the history, as if it had come before its own writes.
 */
final class Levels {

    private final OmidLL<String, Long> ll;
    private final Endpoint endpoint;
    private final Versions versions;

    Levels(OmidLL<String, Long> ll, Endpoint endpoint, Versions versions) {
        this.endpoint = endpoint;
        this.ll = ll;
        this.versions = versions;
    }

    /** A checkpoint, a snapshot, a flush, or a look at all own versions of a key. Throws {@link StoreException}. */
    void operate(OmidLLTransaction<String, Long> tx, Memo memo, String key, SplittableRandom random) {
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                if (tx.level() + 1 < versions.levels() || random.nextInt(8) == 0) {
                    checkpoint(tx, memo);
                }
            }
            case 2, 3 -> takeSnapshot(tx, memo);
            case 4 -> ll.flush(tx);
            default -> readAll(tx, memo, key);
        }
    }

    private void checkpoint(OmidLLTransaction<String, Long> tx, Memo memo) {
        ll.checkpoint(tx);
        memo.excluding = true;
    }

    private void takeSnapshot(OmidLLTransaction<String, Long> tx, Memo memo) {
        ll.takeSnapshot(tx);
        memo.excluding = false;
    }

    /** Whether the transaction may write the key now: it does so once at each level. */
    static boolean mayWrite(OmidLLTransaction<String, Long> tx, Memo memo, String key) {
        return !memo.levels.containsKey(key) || !memo.levels.get(key).containsKey(tx.level());
    }

    /** A write that was buffered. */
    static void wrote(OmidLLTransaction<String, Long> tx, Memo memo, String key, boolean delete) {
        memo.levels.computeIfAbsent(key, k -> new TreeMap<>()).put(tx.level(), delete);
    }

    /** Whether what a write threw is the refusal of a level that there is not. */
    boolean isRefusal(TransactionException e, OmidLLTransaction<String, Long> tx) {
        return tx.level() >= versions.levels() && e.getMessage().contains("writes at level");
    }

    // ---- what must be seen

    /** A read has returned this; null for nothing. */
    void read(OmidLLTransaction<String, Long> tx, Memo memo, String key, Record<Long> found) {
        Integer visible = memo.levels.getOrDefault(key, new TreeMap<>()).floorKey(memo.excluding ? tx.level() - 1 : tx.level());
        long version = found == null ? Timestamps.NIL : found.version();
        if (visible == null) {
            require(versions.writerOf(version) != tx.startTs(), "OwnReads", tx, "read its version " + version + " of key " + key);
            ofOthers(memo, key, version);
        } else {
            require(version == tx.startTs() + visible && found.isTombstone() == memo.levels.get(key).get(visible), "OwnReads", tx,
                    "read " + found + " of key " + key + ", not its level " + visible);
            memo.record.read(key, tx.startTs());
        }
    }

    private void readAll(OmidLLTransaction<String, Long> tx, Memo memo, String key) {
        TreeMap<Integer, Boolean> expected = new TreeMap<>(memo.levels.getOrDefault(key, new TreeMap<>()));
        List<Record<Long>> all = new ArrayList<>(endpoint.readAll(ll, tx, key));
        while (!expected.isEmpty()) {
            Map.Entry<Integer, Boolean> last = expected.pollLastEntry();
            Record<Long> own = all.isEmpty() ? null : all.remove(0);
            require(own != null && own.version() == tx.startTs() + last.getKey() && own.isTombstone() == last.getValue(), "AllListed", tx,
                    "found " + own + " of key " + key + ", not its level " + last.getKey());
        }
        require(all.size() <= 1, "AllListed", tx, "found too many versions of key " + key + ": " + all);
        ofOthers(memo, key, all.isEmpty() ? Timestamps.NIL : all.get(0).version());
    }

    /** The read of a transaction that has written nothing has returned this; null for nothing. */
    static void read(Memo memo, String key, Record<Long> found, Versions versions) {
        memo.versionsRead.computeIfAbsent(key, k -> new HashSet<>()).add(found == null ? Timestamps.NIL : found.version());
        memo.record.read(key, found == null ? Timestamps.NIL : versions.writerOf(found.version()));
    }

    private void ofOthers(Memo memo, String key, long version) {
        memo.versionsRead.computeIfAbsent(key, k -> new HashSet<>()).add(version);
        if (memo.levels.containsKey(key)) {
            memo.record.readBefore(key, versions.writerOf(version));
        } else {
            memo.record.read(key, versions.writerOf(version));
        }
    }

    static void require(boolean condition, String property, OmidLLTransaction<String, Long> tx, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(property + ": transaction " + tx.startTs() + " " + otherwise);
        }
    }

    /** LastLevelRead: null if it holds. */
    static Failure judge(List<Memo> memos, Versions versions) {
        Map<Long, Memo> writers = new HashMap<>();
        memos.stream().filter(memo -> !memo.record.isFast()).forEach(memo -> writers.put(memo.record.startTs(), memo));
        for (Memo reader : memos) {
            for (Map.Entry<String, Set<Long>> read : reader.versionsRead.entrySet()) {
                for (long version : read.getValue()) {
                    Memo writer = writers.get(versions.writerOf(version));
                    TreeMap<Integer, Boolean> levels = writer == null ? null : writer.levels.get(read.getKey());
                    if (levels != null && version != writer.record.startTs() + levels.lastKey()) {
                        return new Failure("LastLevelRead", reader.record.startTs() + " read version " + version + " of key " + read.getKey()
                                + ", whose last level is " + levels.lastKey(), null);
                    }
                }
            }
        }
        return null;
    }
}
