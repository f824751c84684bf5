package org.fencepost.clustertest.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.protocol.manager.TransactionManager;

/**
 * A run's own tables: a commit table, and a table with a fast path or without; or a table of Mediator's. Nothing of other runs is in them, and their region servers
 * begin with clocks that know nothing.
 *
 * @param commits null: Mediator's
 * @param span    of the fast path or of native puts; 0: there are none
 */
public record RunTables(TableName commits, TableName table, long span) {

    static final int REGIONS = 6;
    /** Small, so that fast-path writes use it up now and then. */
    private static final long WIDEST_SPAN = 64;
    private static final int COMMIT_SHARDS = 4;
    private static final int TIMESTAMPS_LOOKED_AT = 8;

    static RunTables named(String run, boolean fast, TransactionManager manager) {
        return new RunTables(TableName.valueOf("commits-" + run), TableName.valueOf("table-" + run), fast ? span(manager) : 0);
    }

    static RunTables mediated(String run, TransactionManager manager) {
        return new RunTables(null, TableName.valueOf("table-" + run), span(manager));
    }

    /** The transaction manager's leap, as several of its timestamps show it, or a divisor of it. */
    private static long span(TransactionManager manager) {
        long all = 0;
        for (int i = 0; i < TIMESTAMPS_LOOKED_AT; i++) {
            long ts = manager.begin();
            manager.end(ts);
            all |= ts;
        }
        return Math.min(WIDEST_SPAN, Long.lowestOneBit(all));
    }

    void create(Admin admin) throws IOException {
        TableDescriptor plain = TableDescriptorBuilder.newBuilder(table).setColumnFamily(ColumnFamilyDescriptorBuilder.of(Cells.FAMILY))
                .build();
        TableDescriptor described;
        if (commits == null) {
            described = Tables.mediated(plain, span);
        } else {
            Tables.createCommitTable(admin, commits, COMMIT_SHARDS);
            TableDescriptor regular = Tables.transactional(plain, commits);
            described = span == 0 ? regular : Tables.fastPath(regular, span);
        }
        admin.createTable(described, IntStream.range(1, REGIONS).mapToObj(i -> Bytes.toBytes(Integer.toString(i))).toArray(byte[][]::new));
    }

    void drop(Admin admin) throws IOException {
        for (TableName name : commits == null ? List.of(table) : List.of(table, commits)) {
            if (admin.tableExists(name)) {
                admin.disableTable(name);
                admin.deleteTable(name);
            }
        }
    }

    /** Of every value that HBase has, its row and tag as "row tag", and its version. */
    public Map<String, Long> versions(Connection connection) throws IOException {
        Map<String, Long> versions = new HashMap<>();
        try (Table raw = connection.getTable(table); ResultScanner rows = raw.getScanner(new Scan().readAllVersions().addColumn(Cells.FAMILY, Cells.COLUMN))) {
            for (Result row : rows) {
                for (Cell cell : row.rawCells()) {
                    versions.put(place(Bytes.toString(row.getRow()), Cells.tag(Bytes.toString(CellUtil.cloneValue(cell)))), cell.getTimestamp());
                }
            }
        }
        return versions;
    }

    public static String place(String row, Object tag) {
        return row + " " + tag;
    }
}
