package org.fencepost.ph1.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.UnversionedStore;

/**
 * HBase with one version of each cell, whose timestamp is the commit timestamp: of two puts the one with the greater timestamp stays,
 * whenever they arrive. What is written with HBase's own timestamps is older than that, and no value of pH1's: such tables have no other writers.
 * Thread-safe.
 */
public final class HBaseUnversionedStore implements UnversionedStore<Key, ByteBuffer> {

    private static final byte[] FAMILY = {'v'};
    private static final byte[] COLUMN = {'v'};

    private final Connection connection;

    /** @param connection stays the caller's */
    public HBaseUnversionedStore(Connection connection) {
        this.connection = connection;
    }

    /**
     * Creates a table for transactions.
     *
     * @throws IOException as {@link Admin#createTable} does, also if there is one
     */
    public static void createTable(Connection connection, String table) throws IOException {
        ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(1).build();
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(Key.requireTable(table))).setColumnFamily(family).build());
        }
    }

    private interface Request<T> {
        T on(Table table) throws IOException;
    }

    private <T> T execute(String what, String name, Request<T> request) {
        TableName table = TableName.valueOf(name);
        try (Table opened = connection.getTable(table)) {
            return request.on(opened);
        } catch (IOException e) {
            throw Failures.store(what, table, e);
        }
    }

    @Override
    public Cell<ByteBuffer> get(Key key) {
        return cell(key, execute("read", key.table(), table -> table.get(getting(key))));
    }

    private static Get getting(Key key) {
        return new Get(key.bytes()).addColumn(FAMILY, COLUMN);
    }

    private static Put putting(Key key, Cell<ByteBuffer> cell) {
        return new Put(key.bytes()).addColumn(FAMILY, COLUMN, cell.ts(), Codec.encode(cell));
    }

    private static Cell<ByteBuffer> cell(Key key, Result row) {
        org.apache.hadoop.hbase.Cell cell = row.getColumnLatestCell(FAMILY, COLUMN);
        return cell == null ? null : Codec.decode(key, cell.getTimestamp(), ByteBuffer.wrap(CellUtil.cloneValue(cell)));
    }

    @Override
    public void put(Key key, Cell<ByteBuffer> cell) {
        execute("write", key.table(), table -> {
            table.put(putting(key, cell));
            return null;
        });
    }

    /** Of a table in one batch. */
    @Override
    public Map<Key, Cell<ByteBuffer>> get(Collection<Key> keys) {
        Map<Key, Cell<ByteBuffer>> cells = new HashMap<>();
        byTable(keys).forEach((name, all) -> {
            Result[] rows = execute("read", name, table -> table.get(all.stream().map(key -> getting(key)).toList()));
            for (int i = 0; i < rows.length; i++) {
                Cell<ByteBuffer> cell = cell(all.get(i), rows[i]);
                if (cell != null) {
                    cells.put(all.get(i), cell);
                }
            }
        });
        return cells;
    }

    /** The same. */
    @Override
    public void put(Map<Key, Cell<ByteBuffer>> cells) {
        byTable(cells.keySet()).forEach((name, all) -> execute("write", name, table -> {
            table.put(all.stream().map(key -> putting(key, cells.get(key))).toList());
            return null;
        }));
    }

    private static Map<String, List<Key>> byTable(Collection<Key> keys) {
        return keys.stream().collect(Collectors.groupingBy(Key::table));
    }

    /** HBase keeps a marker until the next major compaction: until then no older put brings the key back. */
    @Override
    public void delete(Key key, long ts) {
        execute("delete", key.table(), table -> {
            table.delete(new Delete(key.bytes()).addColumns(FAMILY, COLUMN, ts));
            return null;
        });
    }

    @Override
    public Map<Key, Cell<ByteBuffer>> scan(Key from, Key to, int limit) {
        String name = CassandraStore.tableOf(from, to);
        Scan scan = new Scan().addColumn(FAMILY, COLUMN).setLimit(limit).setCaching(limit);
        if (from != null) {
            scan.withStartRow(from.bytes());
        }
        if (to != null) {
            scan.withStopRow(to.bytes());
        }
        return execute("scan", name, table -> {
            Map<Key, Cell<ByteBuffer>> cells = new LinkedHashMap<>();
            try (ResultScanner rows = table.getScanner(scan)) {
                for (Result row : rows) {
                    Key key = new Key(name, row.getRow());
                    cells.put(key, cell(key, row));
                }
            }
            return cells;
        });
    }
}
