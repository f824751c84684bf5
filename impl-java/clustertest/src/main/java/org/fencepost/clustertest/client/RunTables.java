package org.fencepost.clustertest.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.protocol.manager.TransactionManager;

/**
 * A run's own tables: a commit table, and a table with a fast path or without; or for Omid 2PC; or a table of Mediator's, or one with leaders. Nothing of other runs is in
 * them, and their region servers begin with clocks that know nothing.
 *
 * @param commits  null: there is none
 * @param span     of the fast path or of native puts; 0: there are none
 * @param twoPhase for Omid 2PC
 * @param leaders  whose transaction manager the table with leaders is bound to; null if it has none
 */
public record RunTables(TableName commits, TableName table, long span, boolean twoPhase, TransactionManager leaders) {

    /** Small, so that fast-path writes use it up now and then. */
    private static final long WIDEST_SPAN = 64;
    private static final int COMMIT_SHARDS = 4;
    private static final int TIMESTAMPS_LOOKED_AT = 8;
    private static final int ADMINISTRATION_MILLIS = 60_000;

    static RunTables named(String run, Workload workload, TransactionManager manager) {
        return new RunTables(workload.leaders() ? null : TableName.valueOf("commits-" + run), TableName.valueOf("table-" + run),
                workload.fastPath() ? span(manager) : 0, workload.twoPhase(), workload.leaders() ? manager : null);
    }

    static RunTables mediated(String run, TransactionManager manager) {
        return new RunTables(null, TableName.valueOf("table-" + run), span(manager), false, null);
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

    void create(Configuration conf) throws IOException {
        administer(conf, this::create);
    }

    void drop(Configuration conf) throws IOException {
        administer(conf, this::drop);
    }

    /** What is done to tables. */
    public interface Administration {
        void on(Admin admin) throws IOException;
    }

    /** With limits of its own: a client's are short, so that it notices faults, and too short for a busy master. */
    public static void administer(Configuration conf, Administration what) throws IOException {
        administer(conf, ADMINISTRATION_MILLIS, what);
    }

    /** @param millis that each request may take */
    static void administer(Configuration conf, int millis, Administration what) throws IOException {
        Configuration patient = new Configuration(conf);
        patient.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
        patient.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
        try (Connection connection = ConnectionFactory.createConnection(patient); Admin admin = connection.getAdmin()) {
            what.on(admin);
        }
    }

    private void create(Admin admin) throws IOException {
        TableDescriptor plain = TableDescriptorBuilder.newBuilder(table).setColumnFamily(ColumnFamilyDescriptorBuilder.of(Cells.FAMILY))
                .build();
        TableDescriptor described;
        if (leaders != null) {
            described = Tables.withLeaders(plain, leaders);
        } else if (commits == null) {
            described = Tables.mediated(plain, span);
        } else {
            Tables.createCommitTable(admin, commits, COMMIT_SHARDS);
            TableDescriptor regular = Tables.transactional(plain, commits);
            described = twoPhase ? Tables.twoPhase(regular) : span == 0 ? regular : Tables.fastPath(regular, span);
        }
        admin.createTable(described, splits());
    }

    private static byte[][] splits() {
        return IntStream.range(1, Workload.REGIONS).mapToObj(i -> Bytes.toBytes(Integer.toString(i))).toArray(byte[][]::new);
    }

    /** A table with nothing of ours, which keeps all versions. */
    public static void createPlain(Admin admin, TableName table) throws IOException {
        admin.createTable(TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Cells.FAMILY).setMaxVersions(Integer.MAX_VALUE).build()).build(), splits());
    }

    private void drop(Admin admin) throws IOException {
        for (TableName name : commits == null ? List.of(table) : List.of(table, commits)) {
            ChangingIndex.drop(admin, name);
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
