package org.fencepost.simulation.omid;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;

/**
 * Where the commit cells of leaders are commit entries (specs/Fragola.tla). It keeps the truth for the judge: which transactions ever got
 * their entry, and hence committed, and whether each of their records is there, with its commit cell or its leader (NoLostFollower).
 */
public final class Leaders {

    private final StoreServer store;
    private final Map<Long, Long> committed = new HashMap<>();
    private final Map<Long, String> leaders = new HashMap<>();
    private final Map<Long, Set<String>> written = new HashMap<>();
    /** By key, versions of leaders that the log need not have yet: they were sent once, and their commit cells are empty. */
    private final Map<String, Set<Long>> unlogged = new HashMap<>();
    private String lost;

    Leaders(StoreServer store) {
        this.store = store;
    }

    /** Of a transaction's write. */
    public void put(String key, long version, String leader, Write<Long> write) {
        written.computeIfAbsent(version, v -> new TreeSet<>()).add(key);
        unlogged(key).remove(version);
        store.put(key, version, key.equals(leader) ? null : leader, write);
    }

    /** The same of a leader, which the log has later. */
    void putOnce(String leader, long version, Write<Long> write) {
        boolean logged = store.isStored(leader, version);
        put(leader, version, leader, write);
        if (!logged) {
            unlogged(leader).add(version);
        }
    }

    private Set<Long> unlogged(String key) {
        return unlogged.computeIfAbsent(key, k -> new TreeSet<>());
    }

    boolean mayLose(String key) {
        return !unlogged(key).isEmpty();
    }

    /** The server of a key dies. */
    void die(String key) {
        unlogged(key).forEach(version -> store.unput(key, version));
        unlogged(key).clear();
    }

    public void removeAborted(String key, long version) {
        if (committed.containsKey(version)) {
            lose("version " + version + " of key " + key + " has committed, and is taken for aborted");
        }
        store.removeValue(key, version);
    }

    /** One atomic step: HBase executes it under the lock of the leader's row. */
    public long checkAndMutate(String leader, long version, long entry) {
        long previous = LeaderStore.previous(store.isStored(leader, version), store.entry(leader, version));
        if (previous == Timestamps.NIL) {
            if (Timestamps.isTimestamp(entry)) {
                committed.put(version, entry);
                leaders.put(version, leader);
                written.get(version).stream().filter(key -> !store.isStored(key, version)).forEach(key -> lose("version " + version
                        + " commits at " + entry + ", and its record of key " + key + " is gone"));
            }
            unlogged(leader).remove(version);
            store.putCommitCell(leader, version, entry);
        }
        return previous;
    }

    /** A cell of that version has changed. */
    void changed(long version) {
        if (!committed.containsKey(version)) {
            return;
        }
        long commitTs = committed.get(version);
        String leader = leaders.get(version);
        for (String key : store.keys()) {
            Record<Long> record = store.record(key, version);
            if (record != null && !record.hasCommitCell()
                    && (!store.isStored(leader, version) || store.entry(leader, version) != commitTs)) {
                lose("version " + version + " of key " + key + " has committed at " + commitTs + ", and neither its commit cell nor leader "
                        + leader + " tells");
            }
        }
    }

    private void lose(String sentence) {
        lost = lost == null ? sentence : lost;
    }

    /** The first record that violates NoLostFollower, in a sentence; null if there is none. */
    String lost() {
        return lost;
    }

    /** The commit timestamp of a transaction; NIL if it has not committed. For the judge only. */
    public long committed(long startTs) {
        return committed.getOrDefault(startTs, Timestamps.NIL);
    }
}
