package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;

/**
 * What the clients of {@link MediatorWorkload} saw, and what of it can be judged when all is over. Each value is unique and tells who
 * wrote it. All versions are kept, so in the end HBase tells at which timestamp each value was stored: that is how the stamps of
 * native puts are known, and whether a transaction whose outcome is unknown has committed.
 */
final class MediatorHistory {

    record Operation(boolean write, int key, String value) {
    }

    /** What a client saw. */
    record Seen(boolean isNative, Object process, long begun, long startTs, Outcome outcome, long commitTs, long answered,
            List<Operation> operations) {
    }

    private final Queue<Seen> seen = new LinkedBlockingQueue<>();

    void add(Seen operation) {
        seen.add(operation);
    }

    int size() {
        return seen.size();
    }

    /** Where each value was stored: by value, then by key. */
    private static Map<String, Map<Integer, Long>> stored(Table table) throws IOException {
        Map<String, Map<Integer, Long>> stored = new HashMap<>();
        try (ResultScanner rows = table.getScanner(new Scan().readAllVersions())) {
            for (Result row : rows) {
                for (Cell cell : row.rawCells()) {
                    int key = Integer.parseInt(Bytes.toString(CellUtil.cloneQualifier(cell)));
                    String value = Bytes.toString(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
                    Long before = stored.computeIfAbsent(value, v -> new HashMap<>())
                            .put(key, cell.getTimestamp());
                    assertEquals(null, before, "Value " + value + " has two versions in column " + key + ".");
                }
            }
        }
        return stored;
    }

    /** Throws AssertionError if what a client was told is not what is stored. */
    History with(Table table) throws IOException {
        Map<String, Map<Integer, Long>> stored = stored(table);
        History history = new History();
        for (Seen each : seen) {
            Map<Integer, Long> written = new HashMap<>();
            HistoryTransaction judged = each.isNative() ? HistoryTransaction.nativeOperation(each.begun())
                    : new HistoryTransaction(each.begun(), each.startTs());
            for (Operation operation : each.operations()) {
                if (operation.write()) {
                    judged.write(operation.key());
                    written = stored.getOrDefault(operation.value(), Map.of());
                } else {
                    judged.read(operation.key(), operation.value().isEmpty() ? 0
                            : stored.getOrDefault(operation.value(), Map.of()).getOrDefault(operation.key(), Long.MAX_VALUE));
                }
            }
            history.add(end(each, judged.by(each.process()), written));
        }
        return history;
    }

    /** What a client was told must be what is stored, and a transaction is stored as a whole and at once, or not at all. */
    private static HistoryTransaction end(Seen each, HistoryTransaction judged, Map<Integer, Long> written) {
        if (each.operations().stream().noneMatch(Operation::write)) {
            return judged.end(each.outcome() == Outcome.COMMITTED ? Outcome.COMMITTED : Outcome.ABORTED, each.commitTs(), each.answered());
        }
        if (written.isEmpty()) {
            assertTrue(each.outcome() != Outcome.COMMITTED, "lost: " + each);
            return judged.end(Outcome.ABORTED, 0, 0);
        }
        assertTrue(each.outcome() != Outcome.ABORTED, "stored, but aborted: " + each);
        assertEquals(each.operations().stream().filter(Operation::write).map(Operation::key).distinct().count(), written.size(),
                "stored in part: " + each + " " + written);
        long ts = written.values().iterator().next();
        assertTrue(written.values().stream().allMatch(at -> at == ts) && (each.commitTs() == 0 || each.commitTs() == ts),
                "stored elsewhere: " + each + " " + written);
        return judged.end(Outcome.COMMITTED, ts, each.outcome() == Outcome.COMMITTED ? each.answered() : Long.MAX_VALUE);
    }

    /** Pairs of transactions that committed although each of them overwrote what the other one had read. */
    static long writeSkews(History history) {
        Map<HistoryTransaction, Map<Object, Long>> reads = new HashMap<>();
        Map<HistoryTransaction, Set<Object>> writes = new HashMap<>();
        Map<Object, TreeMap<Long, HistoryTransaction>> versions = new HashMap<>();
        List<HistoryTransaction> committed = history.transactions().stream()
                .filter(tx -> !tx.isNative() && tx.outcome() == Outcome.COMMITTED).toList();
        for (HistoryTransaction tx : committed) {
            Map<Object, Long> read = reads.computeIfAbsent(tx, t -> new HashMap<>());
            Set<Object> written = writes.computeIfAbsent(tx, t -> new HashSet<>());
            for (HistoryTransaction.Operation operation : tx.operations()) {
                if (operation.kind() != Kind.READ) {
                    written.add(operation.key());
                    versions.computeIfAbsent(operation.key(), k -> new TreeMap<>()).put(tx.commitTs(), tx);
                } else if (!written.contains(operation.key())) {
                    read.putIfAbsent(operation.key(), operation.version());
                }
            }
        }
        long skews = 0;
        for (HistoryTransaction second : committed) {
            Set<HistoryTransaction> overwrote = new HashSet<>();
            reads.get(second).forEach((key, version) -> {
                if (version < second.commitTs()) {
                    overwrote.addAll(versions.getOrDefault(key, new TreeMap<>()).subMap(version, false, second.commitTs(), false).values());
                }
            });
            skews += overwrote.stream().filter(first -> writes.get(second).stream().anyMatch(reads.get(first)::containsKey)).count();
        }
        return skews;
    }
}
