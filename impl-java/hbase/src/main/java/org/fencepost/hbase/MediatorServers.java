package org.fencepost.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
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
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Version;

/**
 * HBase as Mediator's clients and its helper use it. A value is the row's cells; what is written is the cells that change,
 * deletions of columns among them. HBase's client sorts what it is asked by region server, and sends one request to each.
 * Thread-safe.
 */
final class MediatorServers implements DataServers<RowKey, List<Cell>> {

    private final Connections connections;
    private final int timeoutMillis;

    /** @param connections have timeouts, and stay the caller's to close */
    MediatorServers(Connections connections, int timeoutMillis) {
        this.connections = connections;
        this.timeoutMillis = timeoutMillis;
    }

    // ---- reads and checks

    @Override
    public Map<RowKey, Version<List<Cell>>> txGet(Collection<RowKey> keys, long startTs) {
        Map<RowKey, Version<List<Cell>>> found = new HashMap<>();
        ask("read", keys, key -> MediatorRequest.read(key, startTs), (key, answer) -> {
            Version<List<Cell>> version = MediatorRequest.version(key, answer);
            if (version != null) {
                found.put(key, version);
            }
        });
        return found;
    }

    @Override
    public Map<RowKey, Version<List<Cell>>> get(Collection<RowKey> keys) {
        return txGet(keys, MediatorRequest.LATEST);
    }

    @Override
    public boolean txCheckConflict(Map<RowKey, Long> since, Collection<RowKey> fence, long commitTs) {
        Map<RowKey, Long> all = new HashMap<>(since);
        fence.forEach(key -> all.putIfAbsent(key, MediatorRequest.FENCE_ONLY));
        List<RowKey> conflicts = new ArrayList<>();
        ask("check", all.keySet(), key -> MediatorRequest.check(key, all.get(key), commitTs), (key, answer) -> {
            if (MediatorRequest.ts(key, answer) != Timestamps.NIL) {
                conflicts.add(key);
            }
        });
        return conflicts.isEmpty();
    }

    private void ask(String what, Collection<RowKey> keys, Function<RowKey, Get> request, BiConsumer<RowKey, Result> then) {
        byTable(keys).forEach((name, ofTable) -> {
            List<Get> gets = ofTable.stream().map(request).toList();
            try (Table table = connections.repeating().getTable(name)) {
                Result[] answers = gets.size() == 1 ? new Result[] {table.get(gets.get(0))} : table.get(gets);
                for (int i = 0; i < answers.length; i++) {
                    then.accept(ofTable.get(i), answers[i]);
                }
            } catch (IOException e) {
                throw Failures.store(what, name, e);
            }
        });
    }

    private static Map<TableName, List<RowKey>> byTable(Collection<RowKey> keys) {
        return keys.stream().collect(Collectors.groupingBy(RowKey::table));
    }

    // ---- writes

    @Override
    public void writeBack(Map<RowKey, List<Cell>> writes, long commitTs) {
        byTable(writes.keySet()).forEach((name, keys) -> {
            try (Table table = connections.repeating().getTable(name)) {
                List<Row> rows = new ArrayList<>();
                for (RowKey key : keys) {
                    Row row = mutation(key, writes.get(key), commitTs);
                    MediatorRequest.mutations(row).forEach(MediatorRequest::writeBack);
                    rows.add(row);
                }
                if (rows.size() == 1 && rows.get(0) instanceof Put put) {
                    table.put(put);
                } else {
                    table.batch(rows, new Object[rows.size()]);
                }
            } catch (IOException e) {
                throw Failures.store("write", name, e);
            } catch (InterruptedException e) {
                throw Failures.store("write", name, Failures.interrupted(e));
            }
        });
    }

    @Override
    public long localCommit(RowKey key, List<Cell> value, long startTs) {
        try (Table table = connections.once().getTable(key.table())) {
            Row put = mutation(key, value, HConstants.LATEST_TIMESTAMP);
            CheckAndMutate request = MediatorRequest.localCommit(key, put, startTs);
            CheckAndMutateResult answer = Once.send(timeoutMillis, () -> table.checkAndMutate(request));
            return MediatorRequest.ts(key, answer.getResult());
        } catch (IOException e) {
            throw Failures.store("write", key.table(), e);
        }
    }

    /** All of a row at once. The cells are copied: Put takes the whole array that a shallow cell's family is in for the family. */
    private static Row mutation(RowKey key, List<Cell> cells, long ts) throws IOException {
        Put put = new Put(key.row(), ts);
        Delete delete = new Delete(key.row(), ts);
        for (Cell cell : cells) {
            Cell at = CellBuilderFactory.create(CellBuilderType.DEEP_COPY).setRow(key.row())
                    .setFamily(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength())
                    .setQualifier(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength())
                    .setTimestamp(ts).setType(cell.getType())
                    .setValue(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()).build();
            if (cell.getType() == Cell.Type.Put) {
                put.add(at);
            } else {
                delete.add(at);
            }
        }
        if (delete.isEmpty() || put.isEmpty()) {
            return delete.isEmpty() ? put : delete;
        }
        RowMutations both = new RowMutations(key.row());
        both.add(List.of(delete, put));
        return both;
    }
}
