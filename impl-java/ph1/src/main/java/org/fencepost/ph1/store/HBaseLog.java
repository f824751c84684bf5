package org.fencepost.ph1.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.protocol.ph1.RedoLog.RedoRecord;

/**
 * The redo log in a table of HBase: a row for each part, with the generation and a column for each record. What changes it is a
 * check-and-put of the row. Thread-safe.
 */
public final class HBaseLog implements GenerationLog {

    private static final TableName TABLE = TableName.valueOf("fencepost_redo");
    private static final byte[] STATE = {'s'};
    private static final byte[] RECORDS = {'r'};
    private static final byte[] GENERATION = {'g'};
    private static final byte[] FLUSHED_BELOW = {'f'};
    private static final byte[] ABORT = {};
    /** No record has this value: whether a column is there can only be asked by comparing it. */
    private static final byte[] NO_RECORD = {1};

    private final Connection connection;

    /**
     * Creates the table, unless it is there.
     *
     * @param connection stays the caller's
     * @throws org.fencepost.protocol.store.StoreException if HBase does not answer
     */
    public HBaseLog(Connection connection) {
        this.connection = connection;
        try (Admin admin = connection.getAdmin()) {
            if (!admin.tableExists(TABLE)) {
                admin.createTable(TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(ColumnFamilyDescriptorBuilder.of(STATE))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(RECORDS)).build());
            }
        } catch (TableExistsException e) {
            return; // another instance was faster
        } catch (IOException e) {
            throw Failures.store("create", TABLE, e);
        }
    }

    private interface Request<T> {
        T on(Table table) throws IOException;
    }

    private <T> T execute(String what, Request<T> request) {
        try (Table table = connection.getTable(TABLE)) {
            return request.on(table);
        } catch (IOException e) {
            throw Failures.store(what, TABLE, e);
        }
    }

    private static byte[] row(int part) {
        return new byte[] {(byte) part};
    }

    private static byte[] row(long commitTs) {
        return row(GenerationLog.part(commitTs));
    }

    @Override
    public boolean begin(long generation) {
        for (int part = 0; part < PARTS; part++) {
            byte[] row = row(part);
            byte[] present = execute("read", table -> table.get(new Get(row).addColumn(STATE, GENERATION)).getValue(STATE, GENERATION));
            if (present != null && Bytes.toLong(present) > generation) {
                return false;
            }
            CheckAndMutate.Builder request = CheckAndMutate.newBuilder(row);
            CheckAndMutate put = (present == null ? request.ifNotExists(STATE, GENERATION) : request.ifEquals(STATE, GENERATION, present))
                    .build(new Put(row).addColumn(STATE, GENERATION, Bytes.toBytes(generation)));
            if (!execute("begin a generation", table -> table.checkAndMutate(put)).isSuccess()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public RedoRecord<Key, ByteBuffer> append(long generation, RedoRecord<Key, ByteBuffer> record) {
        byte[] row = row(record.commitTs());
        byte[] column = Bytes.toBytes(record.commitTs());
        Filter missing = new SingleColumnValueFilter(RECORDS, column, CompareOperator.EQUAL, NO_RECORD);
        CheckAndMutate put = CheckAndMutate.newBuilder(row).ifMatches(new FilterList(FilterList.Operator.MUST_PASS_ALL, isIn(generation), missing))
                .build(new Put(row).addColumn(RECORDS, column, record.commits() ? Codec.encode(record.writes()) : ABORT));
        if (execute("append", table -> table.checkAndMutate(put)).isSuccess()) {
            return record;
        }
        RedoRecord<Key, ByteBuffer> first = find(record.commitTs());
        return first == null ? new RedoRecord<>(record.commitTs(), null) : first;
    }

    private static Filter isIn(long generation) {
        SingleColumnValueFilter filter = new SingleColumnValueFilter(STATE, GENERATION, CompareOperator.EQUAL, Bytes.toBytes(generation));
        filter.setFilterIfMissing(true);
        return filter;
    }

    @Override
    public RedoRecord<Key, ByteBuffer> find(long commitTs) {
        byte[] column = Bytes.toBytes(commitTs);
        byte[] found = execute("read", table -> table.get(new Get(row(commitTs)).addColumn(RECORDS, column)).getValue(RECORDS, column));
        return found == null ? null : new RedoRecord<>(commitTs, Arrays.equals(found, ABORT) ? null : Codec.decodeWrites(found));
    }

    @Override
    public List<Long> unflushed() {
        List<Long> found = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            byte[] row = row(part);
            Result all = execute("read", table -> table.get(new Get(row)));
            byte[] below = all.getValue(STATE, FLUSHED_BELOW);
            NavigableMap<byte[], byte[]> records = all.isEmpty() ? Collections.emptyNavigableMap() : all.getFamilyMap(RECORDS);
            records.forEach((column, value) -> {
                if (value.length > 0 && Bytes.toLong(column) >= (below == null ? 0 : Bytes.toLong(below))) {
                    found.add(Bytes.toLong(column));
                }
            });
        }
        Collections.sort(found);
        return found;
    }

    @Override
    public void flushed(long generation, long below) {
        for (int part = 0; part < PARTS; part++) {
            byte[] row = row(part);
            CheckAndMutate put = CheckAndMutate.newBuilder(row).ifEquals(STATE, GENERATION, Bytes.toBytes(generation))
                    .build(new Put(row).addColumn(STATE, FLUSHED_BELOW, Bytes.toBytes(below)));
            execute("write", table -> table.checkAndMutate(put));
        }
    }

    @Override
    public void trim(long below) {
        for (int part = 0; part < PARTS; part++) {
            byte[] row = row(part);
            execute("trim", table -> {
                Result all = table.get(new Get(row).addFamily(RECORDS));
                Delete delete = new Delete(row);
                if (!all.isEmpty()) {
                    all.getFamilyMap(RECORDS).headMap(Bytes.toBytes(below)).keySet().forEach(column -> delete.addColumns(RECORDS, column));
                }
                if (!delete.isEmpty()) {
                    table.delete(delete);
                }
                return null;
            });
        }
    }
}
