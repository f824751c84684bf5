package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.MediatorRequest;
import org.fencepost.hbase.store.Connections;
import org.fencepost.hbase.store.Once;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.Write;

/**
 * HBase as Mediator's clients and its helper use it. A key is a column of a row, a value what was put there, or that it was
 * deleted. The columns of a row go in one request, and HBase's client sends one request to each region server. Thread-safe.
 */
public final class MediatorServers implements DataServers<CellKey, Write<byte[]>> {

    private final Connections connections;
    private final int timeoutMillis;

    /** @param connections have timeouts, and stay the caller's to close */
    public MediatorServers(Connections connections, int timeoutMillis) {
        this.connections = connections;
        this.timeoutMillis = timeoutMillis;
    }

    // ---- reads and checks

    @Override
    public Map<CellKey, Version<Write<byte[]>>> txGet(Map<CellKey, Long> due, long startTs) {
        Map<CellKey, Version<Write<byte[]>>> found = new HashMap<>();
        ask("read", due, columns -> MediatorRequest.read(columns, startTs),
                (name, answer) -> found.putAll(MediatorRequest.versions(name, answer)));
        return found;
    }

    @Override
    public Map<CellKey, Version<Write<byte[]>>> get(Collection<CellKey> keys) {
        return txGet(keys.stream().collect(Collectors.toMap(key -> key, key -> Timestamps.NIL)), MediatorRequest.LATEST);
    }

    @Override
    public boolean txCheckConflict(Map<CellKey, Long> since, Collection<CellKey> fence, long commitTs) {
        Map<CellKey, Long> all = new HashMap<>(since);
        fence.forEach(key -> all.putIfAbsent(key, MediatorRequest.FENCE_ONLY));
        List<Long> conflicts = new ArrayList<>();
        ask("check", all, columns -> MediatorRequest.check(columns, commitTs), (name, answer) -> {
            long conflict = MediatorRequest.ts(name, answer);
            if (conflict != Timestamps.NIL) {
                conflicts.add(conflict);
            }
        });
        return conflicts.isEmpty();
    }

    /** @param asked columns, with what is to be told of each */
    private void ask(String what, Map<CellKey, Long> asked, Function<NavigableMap<CellKey, Long>, Get> request,
            BiConsumer<TableName, Result> then) {
        byRow(asked).forEach((name, rows) -> {
            List<Get> gets = rows.values().stream().map(request).toList();
            try (Table table = connections.repeating().getTable(name)) {
                Result[] answers = gets.size() == 1 ? new Result[] {table.get(gets.get(0))} : table.get(gets);
                for (Result answer : answers) {
                    then.accept(name, answer);
                }
            } catch (IOException e) {
                throw Failures.store(what, name, e);
            }
        });
    }

    /** By table and row. */
    private static <T> Map<TableName, Map<byte[], NavigableMap<CellKey, T>>> byRow(Map<CellKey, T> columns) {
        Map<TableName, Map<byte[], NavigableMap<CellKey, T>>> rows = new HashMap<>();
        columns.forEach((key, value) -> rows.computeIfAbsent(key.table(), name -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
                .computeIfAbsent(key.row(), row -> new TreeMap<>(CellKey.COLUMN_ORDER)).put(key, value));
        return rows;
    }

    // ---- writes

    @Override
    public void writeBack(Map<CellKey, Write<byte[]>> writes, long commitTs) {
        byRow(writes).forEach((name, rows) -> {
            try (Table table = connections.repeating().getTable(name)) {
                List<Row> mutations = new ArrayList<>();
                for (Map.Entry<byte[], NavigableMap<CellKey, Write<byte[]>>> row : rows.entrySet()) {
                    Row mutation = mutation(row.getKey(), row.getValue(), commitTs);
                    MediatorRequest.mutations(mutation).forEach(MediatorRequest::writeBack);
                    mutations.add(mutation);
                }
                if (mutations.size() == 1 && mutations.get(0) instanceof Put put) {
                    table.put(put);
                } else {
                    table.batch(mutations, new Object[mutations.size()]);
                }
            } catch (IOException e) {
                throw Failures.store("write", name, e);
            } catch (InterruptedException e) {
                throw Failures.store("write", name, Failures.interrupted(e));
            }
        });
    }

    @Override
    public long localCommit(CellKey key, Write<byte[]> value, long startTs) {
        try (Table table = connections.once().getTable(key.table())) {
            Row put = mutation(key.row(), Map.of(key, value), HConstants.LATEST_TIMESTAMP);
            CheckAndMutate request = MediatorRequest.localCommit(key, put, startTs);
            CheckAndMutateResult answer = Once.send(timeoutMillis, () -> table.checkAndMutate(request));
            return MediatorRequest.ts(key.table(), answer.getResult());
        } catch (IOException e) {
            throw Failures.store("write", key.table(), e);
        }
    }

    /** All of a row at once. */
    private static Row mutation(byte[] row, Map<CellKey, Write<byte[]>> columns, long ts) throws IOException {
        Put put = new Put(row, ts);
        Delete delete = new Delete(row, ts);
        columns.forEach((key, write) -> {
            if (write.isTombstone()) {
                delete.addColumns(key.family(), key.qualifier(), ts);
            } else {
                put.addColumn(key.family(), key.qualifier(), ts, write.value());
            }
        });
        if (delete.isEmpty() || put.isEmpty()) {
            return delete.isEmpty() ? put : delete;
        }
        RowMutations both = new RowMutations(row);
        both.add(List.of(delete, put));
        return both;
    }
}
