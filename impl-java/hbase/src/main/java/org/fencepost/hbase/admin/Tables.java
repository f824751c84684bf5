package org.fencepost.hbase.admin;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.Coprocessors;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.region.LocalVersionClock;

/**
 * Makes and checks the tables that transactions use. HBase itself must not drop any version of a transactional table:
 * which ones nobody needs any more is the business of our coprocessor. A transactional table names
 * its commit table, so that the janitor of that commit table finds it.
 */
public final class Tables {

    /** A class of HBase's servers. */
    private static final String NO_SPLITS = "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy";
    static final int OPERATOR_TIMEOUT_MILLIS = 30_000;

    private Tables() {
    }

    /**
     * Creates a commit table, one region per shard.
     *
     * @param shards 1 to 256, for good; 16 suit a small cluster, a few per region server a large one
     */
    public static void createCommitTable(Admin admin, TableName name, int shards) throws IOException {
        CommitRows rows = new CommitRows(shards);
        TableDescriptor table = TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(CommitRows.FAMILY)
                        .setMaxVersions(1).setInMemory(true).setBloomFilterType(BloomType.ROW).build())
                .setCoprocessor(Coprocessors.COMMIT_TABLE).setValue(TableAttributes.DELETE_EXPIRED, "false")
                .setRegionSplitPolicyClassName(NO_SPLITS)
                .setSplitEnabled(false).setMergeEnabled(false).setNormalizationEnabled(false)
                .setValue(CommitRows.SHARDS, Integer.toString(shards)).build();
        if (shards == 1) {
            admin.createTable(table);
        } else {
            admin.createTable(table, rows.splitKeys());
        }
    }

    /**
     * Binds a commit table to the transaction manager that its region servers are configured for: when the one before is lost for good. The
     * new one must begin above all that the old one can have given.
     *
     * @return the timestamps that the old one can have given are below this
     */
    public static long bindCommitTable(Connection connection, TableName name) throws IOException {
        return operatorsView(connection, name).bindAnew();
    }

    /**
     * Puts the watermark of a commit table back that was raised above the transaction manager's timestamps, so that nothing commits any more.
     *
     * @return what it was
     */
    public static long resetWatermark(Connection connection, TableName name) throws IOException {
        return operatorsView(connection, name).resetWatermark();
    }

    /** Throws InvalidTableException if there is no such commit table, or it would lose entries. */
    public static void requireCommitTable(Connection connection, TableName name) throws IOException {
        TableAttributes.requireCommitTable(Descriptions.read(connection, name, CommitRows.FAMILY));
    }

    private static HBaseCommitTable operatorsView(Connection connection, TableName name) throws IOException {
        return new HBaseCommitTable(connection, connection, name, OPERATOR_TIMEOUT_MILLIS);
    }

    /** Creates a transactional table of one region. For another layout, pass {@link #transactional} to HBase's Admin. */
    public static void create(Admin admin, TableName name, TableName commitTable, String... families)
            throws IOException {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
        for (String family : families) {
            table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
        }
        admin.createTable(transactional(table.build(), commitTable));
    }

    /**
     * Makes an existing, empty table transactional.
     *
     * @throws InvalidTableException if it has rows: they were written outside transactions
     */
    public static void enable(Connection connection, TableName name, TableName commitTable) throws IOException {
        TableDescriptor present = Descriptions.read(connection, name);
        try (Table table = connection.getTable(name);
                ResultScanner rows = table.getScanner(new Scan().setLimit(1))) {
            if (rows.next() != null) {
                throw new InvalidTableException("HBase table " + name + " has rows that were written outside transactions:"
                        + " make a new table and copy them there, in transactions.");
            }
        }
        try (Admin admin = connection.getAdmin()) {
            admin.modifyTable(transactional(present, commitTable));
        }
    }

    /**
     * The description with what transactions need added.
     *
     * @throws InvalidTableException if it asks for what they cannot have: replication, or writes that are not logged
     */
    public static TableDescriptor transactional(TableDescriptor table, TableName commitTable) throws IOException {
        TableDescriptorBuilder builder = keepingAll(table, KeepDeletedCells.FALSE)
                .setValue(TableAttributes.COMMIT_TABLE, commitTable.getNameAsString());
        if (!Coprocessors.isTransactional(table)) {
            builder.setCoprocessor(Coprocessors.OMID);
        }
        TableDescriptor transactional = builder.build();
        TableAttributes.requireTransactional(transactional, commitTable);
        TableAttributes.requireNotReplicated(transactional);
        return transactional;
    }

    /**
     * Gives an existing transactional table a fast path. Region servers find the transaction manager by
     * {@code Settings.TM_ZOOKEEPER}.
     *
     * @param span the leap of the transaction manager, or a divisor of it: a power of two, at least 2. One less is how many
     *             fast-path writes fit between two timestamps, on each region server
     * @throws InvalidTableException if the table is not transactional, or has versions that leave no room: all of them are
     *                               looked at first
     */
    public static void enableFastPath(Connection connection, TableName name, long span) throws IOException {
        TableDescriptor present = Descriptions.read(connection, name);
        TableDescriptor described = fastPath(present, span);
        if (TableAttributes.spanOf(present) == TableAttributes.NO_SPAN) {
            requireRoom(connection, name, span);
        }
        try (Admin admin = connection.getAdmin()) {
            admin.modifyTable(described);
        }
    }

    /** Versions of a transaction manager of smaller leap would count as committed. The region server refuses later ones. */
    private static void requireRoom(Connection connection, TableName name, long span) throws IOException {
        Scan all = new Scan().readAllVersions().setFilter(new KeyOnlyFilter()).setCacheBlocks(false);
        try (Table table = connection.getTable(name); ResultScanner rows = table.getScanner(all)) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
                for (Cell cell : row.rawCells()) {
                    if (cell.getTimestamp() % span != 0) {
                        throw new InvalidTableException("HBase table " + name + " has versions of a transaction manager whose leap"
                                + " was not " + span + ": make a new table and copy them there, in transactions.");
                    }
                }
            }
        }
    }

    /**
     * Gives transactions that write an existing table checkpoints: versions for {@link Versions#LEVELS} levels. A table with a fast path has
     * them, if its span is wide enough.
     *
     * @param span see {@link #enableFastPath}; more than twice the levels
     * @throws InvalidTableException as {@link #enableFastPath} does
     */
    public static void enableCheckpoints(Connection connection, TableName name, long span) throws IOException {
        TableDescriptor present = Descriptions.read(connection, name);
        TableDescriptor described = checkpoints(present, span);
        requireRoom(connection, name, span);
        try (Admin admin = connection.getAdmin()) {
            admin.modifyTable(described);
        }
    }

    /** The description of a transactional table with what checkpoints need added; see {@link #enableCheckpoints}. */
    public static TableDescriptor checkpoints(TableDescriptor table, long span) throws IOException {
        if (levels(span) == 1) {
            throw new IllegalArgumentException("Checkpoints need a span of more than " + 2 * Versions.LEVELS + ", not " + span + ".");
        }
        TableDescriptor described = withSpan(table, span).build();
        if (TableAttributes.versionsOf(described).levels() == 1) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " has a fast path that took all versions: make a new"
                    + " table for checkpoints, and copy the rows there, in transactions.");
        }
        return described;
    }

    /** Where the fast path would have less than half of the numbers, transactions have one level. */
    private static int levels(long span) {
        return span > 2 * Versions.LEVELS ? Versions.LEVELS : 1;
    }

    private static TableDescriptorBuilder withSpan(TableDescriptor table, long span) throws IOException {
        new LocalVersionClock(span); // which knows what a span is
        if (TableAttributes.hasLeaders(table)) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " has leaders, and no model covers a fast path or checkpoints"
                    + " there: make another table for that.");
        }
        if (TableAttributes.commitTableOf(table) == null) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " is not transactional: create it with"
                    + " Tables.create, or, if it is empty, convert it with Tables.enable.");
        }
        if (TableAttributes.spanOf(table) != TableAttributes.NO_SPAN && TableAttributes.spanOf(table) != span) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " has versions of span "
                    + TableAttributes.spanOf(table) + ": keep to that.");
        }
        TableAttributes.requireProtocol(table, false);
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table).setValue(TableAttributes.SPAN, Long.toString(span));
        return TableAttributes.spanOf(table) == span ? builder : builder.setValue(TableAttributes.LEVELS, Integer.toString(levels(span)));
    }

    /** The description of a transactional table with what a fast path needs added; see {@link #enableFastPath}. */
    public static TableDescriptor fastPath(TableDescriptor table, long span) throws IOException {
        TableDescriptorBuilder builder = withSpan(table, span);
        if (table.hasCoprocessor(Coprocessors.OMID)) {
            builder.removeCoprocessor(Coprocessors.OMID);
        }
        if (!TableAttributes.hasFastPath(table)) {
            builder.setCoprocessor(Coprocessors.FAST_PATH);
        }
        return builder.build();
    }

    /** The description of a new transactional table for Omid 2PC; see {@code Settings.PROTOCOL}. */
    public static TableDescriptor twoPhase(TableDescriptor table) throws IOException {
        if (TableAttributes.commitTableOf(table) == null || TableAttributes.spanOf(table) != TableAttributes.NO_SPAN) {
            throw new InvalidTableException("HBase table " + table.getTableName()
                    + " is not transactional, or has a fast path: give Tables.twoPhase what Tables.transactional returns.");
        }
        return TableDescriptorBuilder.newBuilder(table).removeCoprocessor(Coprocessors.OMID)
                .setCoprocessor(Coprocessors.TWO_PHASE).build();
    }

    // ---- tables with leaders: Fragola

    /** Creates a table of one region with leaders. For another layout, pass {@link #withLeaders} to HBase's Admin. */
    public static void createWithLeaders(Admin admin, TableName name, TransactionManager manager, String... families) throws IOException {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
        for (String family : families) {
            table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
        }
        admin.createTable(withLeaders(table.build(), manager));
    }

    /**
     * The description of a new table whose commit entries are with leaders (specs/Fragola.tla), so that it has no commit table. It is bound to
     * the transaction manager, whose tables with leaders have one janitor. Clients have {@code Settings.PLACEMENT} leader.
     *
     * @throws InvalidTableException if it asks for what it cannot have: replication, writes that are not logged, a fast path and so on
     */
    public static TableDescriptor withLeaders(TableDescriptor table, TransactionManager manager) throws IOException {
        TableDescriptorBuilder builder = keepingAll(table, KeepDeletedCells.FALSE).setValue(TableAttributes.PLACEMENT, TableAttributes.LEADER)
                .setValue(TableAttributes.MANAGER, manager.info().identity());
        if (!table.hasCoprocessor(Coprocessors.LEADER)) {
            builder.setCoprocessor(Coprocessors.LEADER);
        }
        TableDescriptor described = builder.build();
        TableAttributes.requireLeaders(described);
        TableAttributes.requireNotReplicated(described);
        return described;
    }

    /** What HBase drops by itself would be lost to transactions. */
    private static TableDescriptorBuilder keepingAll(TableDescriptor table, KeepDeletedCells deleted) {
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table).setValue(TableAttributes.DELETE_EXPIRED, "false");
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            builder.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setMaxVersions(Integer.MAX_VALUE).setMinVersions(0).setTimeToLive(HConstants.FOREVER)
                    .setKeepDeletedCells(deleted).setNewVersionBehavior(false).build());
        }
        return builder;
    }

    // ---- tables that Mediator's transactions share with native clients

    /** The description of a table of Mediator, bound to a transaction manager: region servers and clients refuse any other. */
    public static TableDescriptor boundTo(TableDescriptor mediated, TransactionManager manager) {
        TableAttributes.requireMediated(mediated);
        return TableDescriptorBuilder.newBuilder(mediated).setValue(TableAttributes.MANAGER, manager.info().identity()).build();
    }

    /** Creates a table of one region for Mediator. For another layout, pass {@link #mediated} to HBase's Admin. */
    public static void createMediated(Admin admin, TableName name, long span, String... families) throws IOException {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
        for (String family : families) {
            table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
        }
        admin.createTable(mediated(table.build(), span));
    }

    /**
     * The description of a new table with what Mediator needs added: it keeps all versions, and what was deleted. Region servers
     * find the transaction manager by {@code Settings.TM_ZOOKEEPER}.
     *
     * @param span the leap of the transaction manager, or a divisor of it: a power of two, at least 2. One less is how many native
     *             puts a region server stamps between two timestamps
     */
    public static TableDescriptor mediated(TableDescriptor table, long span) throws IOException {
        new LocalVersionClock(span); // which knows what a span is
        TableDescriptorBuilder builder = keepingAll(table, KeepDeletedCells.TRUE).setValue(TableAttributes.MEDIATOR_SPAN, Long.toString(span));
        if (!table.hasCoprocessor(Coprocessors.MEDIATOR)) {
            builder.setCoprocessor(Coprocessors.MEDIATOR);
        }
        TableDescriptor mediated = builder.build();
        TableAttributes.requireMediated(mediated);
        TableAttributes.requireNotReplicated(mediated);
        return mediated;
    }
}
