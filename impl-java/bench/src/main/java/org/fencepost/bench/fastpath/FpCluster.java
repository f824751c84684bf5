package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fencepost.bench.harness.ClientCluster;
import org.fencepost.hbase.admin.Tables;

/** What {@link BenchFp} measures. */
final class FpCluster extends ClientCluster {

    /** Without coprocessors. */
    static final TableName NATIVE = TableName.valueOf("native");
    /** For single-key transactions: with the fast path, and without. */
    static final TableName FAST = TableName.valueOf("fast");
    static final TableName REGULAR = TableName.valueOf("regular");
    /** For transactions of several operations, the same. */
    static final TableName LONG_FAST = TableName.valueOf("long-fast");
    static final TableName LONG = TableName.valueOf("long");

    FpCluster(Path directory) {
        super(directory);
    }

    @Override
    protected void createTables(Admin admin) throws IOException {
        admin.createTable(plain(NATIVE));
        for (TableName name : List.of(REGULAR, LONG)) {
            admin.createTable(Tables.transactional(plain(name), COMMITS));
        }
        for (TableName name : List.of(FAST, LONG_FAST)) {
            admin.createTable(Tables.fastPath(Tables.transactional(plain(name), COMMITS), LEAP));
        }
    }
}
