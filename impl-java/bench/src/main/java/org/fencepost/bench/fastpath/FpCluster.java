package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.bench.harness.ClientCluster;
import org.fencepost.hbase.admin.Tables;

/** What {@link BenchFp} measures. */
final class FpCluster extends ClientCluster {

    /** Without coprocessors. */
    static final TableName NATIVE = TableName.valueOf("native");
    /** For single-key transactions: with the fast path, and without. */
    static final TableName FAST = TableName.valueOf("fast");
    static final TableName REGULAR = TableName.valueOf("regular");
    /** For regular transactions on a table with the fast path. */
    static final TableName ONE_PHASE = TableName.valueOf("one-phase");
    /** For transactions of several operations: with the fast path, and without. */
    static final TableName LONG_FAST = TableName.valueOf("long-fast");
    static final TableName LONG = TableName.valueOf("long");

    FpCluster(Path directory) {
        super(directory);
    }

    @Override
    protected void createTables(Admin admin) throws IOException {
        admin.createTable(unsplit(NATIVE));
        for (TableName name : List.of(REGULAR, LONG)) {
            admin.createTable(Tables.transactional(unsplit(name), COMMITS));
        }
        for (TableName name : List.of(FAST, ONE_PHASE, LONG_FAST)) {
            admin.createTable(Tables.fastPath(Tables.transactional(unsplit(name), COMMITS), LEAP));
        }
    }

    /** Stays one region, however much is written: a transaction that lies in two syncs the log for each. */
    private static TableDescriptor unsplit(TableName name) {
        return TableDescriptorBuilder.newBuilder(plain(name)).setSplitEnabled(false).build();
    }
}
