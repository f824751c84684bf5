package org.fencepost.bench.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.bench.harness.ClientCluster;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Index;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;

/** What {@link BenchIndex} measures. */
final class IndexCluster extends ClientCluster {

    static final TableName INDEXED = TableName.valueOf("indexed");
    static final TableName LEVELS = TableName.valueOf("levels");
    static final TableName VERSIONS = TableName.valueOf("versions");
    static final byte[] COLUMN = {'c'};
    /** Of each row of {@link #VERSIONS}. */
    static final int OVERWRITES = 10;
    /** Rows of {@link #LEVELS} and {@link #VERSIONS}, which are scanned as a whole. */
    static final int SCANNED = 100;

    private static final int LOADED_AT_ONCE = 1_000;

    private TransactionClient deciding;
    private int indexes;

    IndexCluster(Path directory) {
        super(directory);
    }

    @Override
    protected void createTables(Admin admin) throws IOException {
        for (TableName name : List.of(INDEXED, LEVELS, VERSIONS)) {
            admin.createTable(Tables.transactional(plain(name), COMMITS));
        }
    }

    static byte[] row(int number) {
        return Bytes.toBytes(String.format("%08d", number));
    }

    static Put put(int row, byte[] value) {
        return new Put(row(row)).addColumn(FAMILY, COLUMN, value);
    }

    /** With all their versions, whose commit cells are there. */
    void load(int rows, byte[] value) throws IOException {
        Tables.enableCheckpoints(connection(), LEVELS, LEAP);
        load(INDEXED, rows, value);
        load(LEVELS, SCANNED, value);
        for (int i = 0; i < OVERWRITES; i++) {
            load(VERSIONS, SCANNED, value);
        }
        Configuration client = new Configuration(conf());
        client.set(Settings.READ, "client");
        deciding = opened(TransactionClient.open(client, manager()));
    }

    private void load(TableName name, int rows, byte[] value) {
        TransactionalTable table = client().table(name);
        for (int first = 0; first < rows; first += LOADED_AT_ONCE) {
            try (Transaction tx = client().begin()) {
                List<Put> puts = new ArrayList<>();
                for (int row = first; row < Math.min(rows, first + LOADED_AT_ONCE); row++) {
                    puts.add(put(row, value));
                }
                table.put(tx, puts);
                tx.commit();
            }
        }
    }

    /** Decides by itself what its transactions see. */
    TransactionClient deciding() {
        return deciding;
    }

    /** Of the same column as the one before, with a table of its own. */
    Index newIndex() throws IOException {
        Index index = new Index(INDEXED, FAMILY, COLUMN, TableName.valueOf("index-" + indexes++), (row, value) -> Bytes.add(Bytes.head(value, 1), row));
        try (Admin admin = connection().getAdmin()) {
            admin.createTable(index.describe(Tables.transactional(TableDescriptorBuilder.newBuilder(index.name())
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Index.FAMILY)).build(), COMMITS)));
        }
        return index;
    }

    TableName newCopy() throws IOException {
        TableName name = TableName.valueOf("copy-" + indexes++);
        try (Admin admin = connection().getAdmin()) {
            admin.createTable(plain(name));
        }
        return name;
    }

    void drop(TableName name) throws IOException {
        try (Admin admin = connection().getAdmin()) {
            admin.disableTable(name);
            admin.deleteTable(name);
        }
    }
}
