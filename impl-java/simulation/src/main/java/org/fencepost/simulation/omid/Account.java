package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.trace.NdjsonTracer;
import org.fencepost.simulation.world.Memo;

/**
 * How a run ended: for each transaction, what its clients were told and what they had read, and what is left of it in the
 * servers. Without it a trace says nothing about what applications saw, and a lost event may hide where nothing met its
 * effect afterwards.
 */
public final class Account {

    private static final TreeMap<Integer, Boolean> FIRST = new TreeMap<>(Map.of(0, false));

    private final List<Memo> memos;
    private final StoreServer store;
    private final CommitTableServer table;

    public Account(List<Memo> memos, StoreServer store, CommitTableServer table) {
        this.memos = memos;
        this.store = store;
        this.table = table;
    }

    public void write(NdjsonTracer tracer) {
        Map<Long, List<Memo>> writers = new TreeMap<>(); // two servers may draw one version
        memos.forEach(memo -> writers.computeIfAbsent(memo.record.isFast() ? memo.commitTs : memo.record.startTs(), version -> new ArrayList<>()).add(memo));
        writers.remove(Timestamps.NIL); // fast-path transactions that wrote nothing
        writers.forEach((version, all) -> all.forEach(memo -> {
            if (!memo.record.isFast()) {
                transaction(tracer, memo, writers);
            }
            memo.record.operations().stream().filter(op -> op.kind() != Kind.READ).map(Operation::key).distinct()
                    .forEach(key -> memo.levels.getOrDefault(key, FIRST).keySet().forEach(level -> record(tracer, (String) key, version + level)));
        }));
    }

    /** How many fast-path transactions have read, and how many were told that they were refused. */
    public void writeFast(NdjsonTracer tracer) {
        List<Memo> fast = memos.stream().filter(memo -> memo.record.isFast()).toList();
        tracer.account("Fast", "reads", fast.stream().filter(memo -> memo.record.operations().stream().anyMatch(op -> op.kind() == Kind.READ)).count(),
                "refused", fast.stream().filter(memo -> memo.told.contains(Outcome.ABORTED)).count());
    }

    private void transaction(NdjsonTracer tracer, Memo memo, Map<Long, List<Memo>> writers) {
        long startTs = memo.record.startTs();
        Map<Object, Long> reads = reads(memo, writers);
        tracer.account("Transaction", "met", startTs, "told", told(memo), "reads", reads.size() + memo.asked.size(), "entry", table.get(startTs));
        reads.forEach((key, from) -> tracer.account("Read", "met", startTs, "key", key, "from", from));
    }

    /**
     * What clients received from transaction managers: start timestamps, and the answers to commit requests.
     *
     * @param answers by start timestamp
     */
    public void writeReceived(NdjsonTracer tracer, Map<Object, Object> answers) {
        memos.forEach(memo -> tracer.account("Received", "txn", memo.record.startTs(), "commit",
                answers.getOrDefault(memo.record.startTs(), Timestamps.NIL)));
    }

    private void record(NdjsonTracer tracer, String key, long version) {
        Record<Long> record = store.record(key, version);
        tracer.account("Record", "met", version, "key", key, "gone", record == null,
                "commit", record == null ? Timestamps.NIL : record.commit(), "delete", record != null && record.isTombstone());
    }

    private static String told(Memo memo) {
        return (memo.told.contains(Outcome.COMMITTED) ? Outcome.COMMITTED
                : memo.told.contains(Outcome.ABORTED) ? Outcome.ABORTED : Outcome.UNKNOWN).name().toLowerCase();
    }

    /** What it got for each key from others: the writer, or 0 where there is no value or a tombstone. */
    private static Map<Object, Long> reads(Memo memo, Map<Long, List<Memo>> writers) {
        Map<Object, Long> reads = new LinkedHashMap<>();
        for (Operation op : memo.record.operations()) {
            if (op.kind() == Kind.READ && op.version() != memo.record.startTs()) {
                List<Operation> written = writers.getOrDefault(op.version(), List.of()).stream().flatMap(writer -> writer.record.operations().stream()).toList();
                reads.put(op.key(), written.isEmpty() || written.contains(new Operation(Kind.DELETE, op.key(), 0)) ? 0 : op.version());
            }
        }
        return reads;
    }
}
