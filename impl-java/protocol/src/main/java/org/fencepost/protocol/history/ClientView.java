package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;

/**
 * The committed transactions of a history as specs/Isolation.tla sees them: who wrote what, who read from whom, who was
 * answered before whom began. Start timestamps serve as names of transactions only. Those of unknown outcome count as
 * committed if somebody read from them.
 */
final class ClientView {

    /** The writer of what a read returned. */
    static final int NOTHING = -1;
    /** What a read returned was written by nobody who committed, or not under this key. */
    static final int NOBODY = -2;

    /** A read that was not of an own write. */
    record Read(Object key, int from) {
    }

    /** The committed ones; all else is by their indices. */
    final List<HistoryTransaction> done = new ArrayList<>();
    final List<Set<Object>> writes = new ArrayList<>();
    final List<Set<Object>> deletes = new ArrayList<>();
    final List<Set<Read>> reads = new ArrayList<>();
    /** Committed writers that were answered before the transaction began. */
    final List<Set<Integer>> precedes = new ArrayList<>();
    /** The first transaction that did not read its own write; null if all did. */
    HistoryTransaction forgetful;

    ClientView(History history) {
        List<HistoryTransaction> all = history.judged();
        // No more than a good guess: searches that begin with the timestamps' own order end soon where that explains all.
        all.sort(Comparator.comparingLong(t -> t.commitTs() == 0 ? t.startTs() : t.commitTs()));
        Set<Long> readFrom = new HashSet<>();
        all.forEach(t -> t.operations().stream().filter(op -> op.kind() == Kind.READ && op.version() != t.startTs())
                .forEach(op -> readFrom.add(op.version())));
        Map<Long, Integer> index = new HashMap<>();
        for (HistoryTransaction t : all) {
            if (t.outcome() == Outcome.COMMITTED || t.outcome() == Outcome.UNKNOWN && readFrom.contains(t.startTs())) {
                index.put(t.startTs(), done.size());
                done.add(t);
            }
        }
        done.forEach(this::addWrites);
        done.forEach(t -> addReads(t, index));
        done.forEach(this::addPrecedes);
    }

    private void addWrites(HistoryTransaction t) {
        Set<Object> written = new HashSet<>();
        Set<Object> deleted = new HashSet<>();
        for (Operation op : t.operations()) {
            if (op.kind() != Kind.READ) {
                written.add(op.key());
                deleted.remove(op.key());
            }
            if (op.kind() == Kind.DELETE) {
                deleted.add(op.key());
            }
        }
        writes.add(written);
        deletes.add(deleted);
    }

    private void addReads(HistoryTransaction t, Map<Long, Integer> index) {
        Set<Read> found = new HashSet<>();
        Map<Object, Kind> own = new HashMap<>();
        for (Operation op : t.operations()) {
            if (op.kind() != Kind.READ) {
                own.put(op.key(), op.kind());
            } else if (own.containsKey(op.key())) {
                boolean seen = op.version() == t.startTs() || op.version() == 0 && own.get(op.key()) == Kind.DELETE;
                forgetful = seen || forgetful != null ? forgetful : t;
            } else {
                found.add(new Read(op.key(), from(op, index)));
            }
        }
        reads.add(found);
    }

    private int from(Operation read, Map<Long, Integer> index) {
        int writer = read.version() == 0 ? NOTHING : index.getOrDefault(read.version(), NOBODY);
        return writer < 0 ? writer : writes.get(writer).contains(read.key()) ? seen(writer, read.key()) : NOBODY;
    }

    private void addPrecedes(HistoryTransaction t) {
        Set<Integer> before = new HashSet<>();
        for (int a = 0; a < done.size(); a++) {
            HistoryTransaction other = done.get(a);
            if (other.outcome() == Outcome.COMMITTED && !writes.get(a).isEmpty() && other.answeredNanos() < t.begunNanos()) {
                before.add(a);
            }
        }
        precedes.add(before);
    }

    /** What a reader of a transaction's version sees: a delete leaves nothing. */
    int seen(int writer, Object key) {
        return deletes.get(writer).contains(key) ? NOTHING : writer;
    }
}
