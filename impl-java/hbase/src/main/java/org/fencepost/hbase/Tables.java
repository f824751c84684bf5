package org.fencepost.hbase;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.LocalVersionClock;
import org.fencepost.protocol.ManagerInfo;
import org.fencepost.protocol.TransactionManager;

/**
 * Makes and checks the tables that transactions use. HBase itself must not drop any version of a transactional table:
 * which ones nobody needs any more is the business of {@link TransactionalRegionObserver}. A transactional table names
 * its commit table, so that the janitor of that commit table finds it.
 */
public final class Tables {

    private static final String COMMIT_TABLE = "fencepost.commit.table";
    private static final String SPAN = "fencepost.fastpath.span";
    private static final String MEDIATOR_SPAN = "fencepost.mediator.span";
    private static final String MANAGER = "fencepost.manager";
    private static final long NO_SPAN = 1;
    private static final int OPERATOR_TIMEOUT_MILLIS = 30_000;

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
                .setCoprocessor(CommitTableGuard.class.getName()).setValue(DELETE_EXPIRED, "false")
                .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
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
        TableDescriptor present = describe(connection, name);
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
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table)
                .setValue(COMMIT_TABLE, commitTable.getNameAsString()).setValue(DELETE_EXPIRED, "false");
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            builder.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setMaxVersions(Integer.MAX_VALUE).setMinVersions(0).setTimeToLive(HConstants.FOREVER)
                    .setKeepDeletedCells(KeepDeletedCells.FALSE).setNewVersionBehavior(false).build());
        }
        if (!table.hasCoprocessor(TransactionalRegionObserver.class.getName()) && !hasFastPath(table)
                && !table.hasCoprocessor(TwoPhaseObserver.class.getName())) {
            builder.setCoprocessor(TransactionalRegionObserver.class.getName());
        }
        TableDescriptor transactional = builder.build();
        requireTransactional(transactional, commitTable);
        requireNotReplicated(transactional);
        return transactional;
    }

    /**
     * Gives an existing transactional table a fast path. Region servers find the transaction manager by
     * {@link Settings#TM_ZOOKEEPER}.
     *
     * @param span the leap of the transaction manager, or a divisor of it: a power of two, at least 2. One less is how many
     *             fast-path writes fit between two timestamps, on each region server
     * @throws InvalidTableException if the table is not transactional, or has versions that leave no room: all of them are
     *                               looked at first
     */
    public static void enableFastPath(Connection connection, TableName name, long span) throws IOException {
        TableDescriptor present = describe(connection, name);
        TableDescriptor described = fastPath(present, span);
        if (spanOf(present) == NO_SPAN) {
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
                    if (Layout.isFast(cell.getTimestamp(), span)) {
                        throw new InvalidTableException("HBase table " + name + " has versions of a transaction manager whose leap"
                                + " was not " + span + ": make a new table and copy them there, in transactions.");
                    }
                }
            }
        }
    }

    /** The description of a transactional table with what a fast path needs added; see {@link #enableFastPath}. */
    public static TableDescriptor fastPath(TableDescriptor table, long span) throws IOException {
        new LocalVersionClock(span); // which knows what a span is
        if (commitTableOf(table) == null) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " is not transactional: create it with"
                    + " Tables.create, or, if it is empty, convert it with Tables.enable.");
        }
        if (spanOf(table) != NO_SPAN && spanOf(table) != span) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " has records of a fast path of span "
                    + spanOf(table) + ": keep to that.");
        }
        requireProtocol(table, false);
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table).setValue(SPAN, Long.toString(span));
        if (table.hasCoprocessor(TransactionalRegionObserver.class.getName())) {
            builder.removeCoprocessor(TransactionalRegionObserver.class.getName());
        }
        if (!hasFastPath(table)) {
            builder.setCoprocessor(FastPathObserver.class.getName());
        }
        return builder.build();
    }

    /** The description of a new transactional table for Omid 2PC; see {@link Settings#PROTOCOL}. */
    public static TableDescriptor twoPhase(TableDescriptor table) throws IOException {
        if (commitTableOf(table) == null || spanOf(table) != NO_SPAN) {
            throw new InvalidTableException("HBase table " + table.getTableName()
                    + " is not transactional, or has a fast path: give Tables.twoPhase what Tables.transactional returns.");
        }
        return TableDescriptorBuilder.newBuilder(table).removeCoprocessor(TransactionalRegionObserver.class.getName())
                .setCoprocessor(TwoPhaseObserver.class.getName()).build();
    }

    /** Throws InvalidTableException if the table is for the other protocol: LL does not look for intents. */
    static void requireProtocol(TableDescriptor table, boolean twoPhase) {
        if (table.hasCoprocessor(TwoPhaseObserver.class.getName()) != twoPhase) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " is " + (twoPhase ? "not " : "")
                    + "for Omid 2PC: set " + Settings.PROTOCOL + " to " + (twoPhase ? "ll" : "2pc") + ".");
        }
    }

    static boolean hasFastPath(TableDescriptor table) {
        return table.hasCoprocessor(FastPathObserver.class.getName());
    }

    /** The span of a table with a fast path. Throws InvalidTableException for other tables. */
    static long fastSpanOf(TableDescriptor table) {
        if (spanOf(table) == NO_SPAN || !hasFastPath(table)) {
            throw new InvalidTableException("HBase table " + table.getTableName()
                    + " has no fast path: add it with Tables.enableFastPath.");
        }
        return spanOf(table);
    }

    /**
     * How far regular versions are apart: the numbers in between are versions of the fast path. It stays when the coprocessor
     * is taken away, since the records stay. 1: the table has never had a fast path, or somebody has spoilt its description.
     */
    static long spanOf(TableDescriptor table) {
        return spanOf(table, SPAN);
    }

    private static long spanOf(TableDescriptor table, String key) {
        String span = table.getValue(key);
        return span != null && span.matches("[1-9][0-9]{0,17}") ? Long.parseLong(span) : NO_SPAN;
    }

    /**
     * Throws InvalidTableException unless the transaction manager's timestamps are so far apart. Two of them tell: if its
     * leap is smaller, they are not both multiples of the span.
     */
    static void requireRoom(TableName name, long span, TransactionManager manager) {
        for (int i = 0; i < 2; i++) {
            long ts = manager.begin();
            manager.end(ts);
            if (ts % span != 0) {
                throw new InvalidTableException("HBase table " + name + " has a fast path of span " + span
                        + ", and the transaction manager leaves no room for it: start that with a leap of " + span + ".");
            }
        }
    }

    // ---- tables that Mediator's transactions share with native clients

    /** The description of a table of Mediator, bound to a transaction manager: region servers and clients refuse any other. */
    public static TableDescriptor boundTo(TableDescriptor mediated, TransactionManager manager) {
        requireMediated(mediated);
        return TableDescriptorBuilder.newBuilder(mediated).setValue(MANAGER, manager.info().identity()).build();
    }

    /** Throws InvalidTableException if a table of Mediator is bound to another manager. */
    static void requireManager(TableDescriptor mediated, ManagerInfo manager) {
        String bound = mediated.getValue(MANAGER);
        new Binding(bound, 0, 0).requireIdentity(mediated.getTableName(), manager.identity());
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
     * find the transaction manager by {@link Settings#TM_ZOOKEEPER}.
     *
     * @param span the leap of the transaction manager, or a divisor of it: a power of two, at least 2. One less is how many native
     *             puts a region server stamps between two timestamps
     */
    public static TableDescriptor mediated(TableDescriptor table, long span) throws IOException {
        new LocalVersionClock(span); // which knows what a span is
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table).setValue(MEDIATOR_SPAN, Long.toString(span))
                .setValue(DELETE_EXPIRED, "false");
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            builder.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(family)
                    .setMaxVersions(Integer.MAX_VALUE).setMinVersions(0).setTimeToLive(HConstants.FOREVER)
                    .setKeepDeletedCells(KeepDeletedCells.TRUE).setNewVersionBehavior(false).build());
        }
        if (!table.hasCoprocessor(MediatorObserver.class.getName())) {
            builder.setCoprocessor(MediatorObserver.class.getName());
        }
        TableDescriptor mediated = builder.build();
        requireMediated(mediated);
        requireNotReplicated(mediated);
        return mediated;
    }

    /** The span of a table of Mediator. Throws InvalidTableException for other tables, and where it would lose versions. */
    static long requireMediated(TableDescriptor table) {
        TableName name = table.getTableName();
        long span = spanOf(table, MEDIATOR_SPAN);
        if (span == NO_SPAN || !table.hasCoprocessor(MediatorObserver.class.getName())) {
            throw new InvalidTableException("HBase table " + name
                    + " is none of Mediator's: create it with Tables.createMediated.");
        }
        if (commitTableOf(table) != null || table.hasCoprocessor(SEVERAL_ROWS)) {
            throw new InvalidTableException("HBase table " + name + " is Mediator's and cannot have "
                    + (commitTableOf(table) != null ? "a commit table" : "mutations of several rows at once") + " as well.");
        }
        requireKept(table, KeepDeletedCells.TRUE);
        return span;
    }

    /** HBase's endpoint for them. Each row is a put of its own here. */
    private static final String SEVERAL_ROWS = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

    /** The commit table that a transactional table belongs to; null for other tables. */
    static TableName commitTableOf(TableDescriptor table) {
        String name = table.getValue(COMMIT_TABLE);
        return name == null ? null : TableName.valueOf(name);
    }

    /** Throws InvalidTableException unless transactions over this commit table can use the table. */
    static void requireTransactional(TableDescriptor table, TableName commitTable) {
        TableName name = table.getTableName();
        if (!commitTable.equals(commitTableOf(table))) {
            throw new InvalidTableException("HBase table " + name + " is not a transactional table of commit table "
                    + commitTable + ": create it with Tables.create, or, if it is empty, convert it with Tables.enable.");
        }
        requireKept(table, KeepDeletedCells.FALSE);
        if (!hasFastPath(table) && !table.hasCoprocessor(TransactionalRegionObserver.class.getName())
                && !table.hasCoprocessor(TwoPhaseObserver.class.getName())) {
            throw new InvalidTableException("HBase table " + name + " has lost its coprocessor "
                    + TransactionalRegionObserver.class.getName() + ": add it to the table's description again.");
        }
    }

    // ---- what all of them need

    /** Whether HBase removes files that are too old by a time to live, unseen by any coprocessor. */
    private static final String DELETE_EXPIRED = "hbase.store.delete.expired.storefile";

    /** Throws InvalidTableException if HBase would drop versions of the table by itself, or lose acknowledged writes. */
    static void requireKept(TableDescriptor table, KeepDeletedCells deleted) {
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            if (family.getMaxVersions() != Integer.MAX_VALUE || family.getTimeToLive() != HConstants.FOREVER
                    || family.getKeepDeletedCells() != deleted || family.isNewVersionBehavior()) {
                throw new InvalidTableException("Family " + family.getNameAsString() + " of HBase table " + table.getTableName()
                        + " would lose versions that transactions need: set VERSIONS to " + Integer.MAX_VALUE
                        + ", TTL to FOREVER, KEEP_DELETED_CELLS to " + deleted.toString().toLowerCase(Locale.ROOT)
                        + " and NEW_VERSION_BEHAVIOR to false.");
            }
        }
        requireLogged(table);
    }

    private static void requireLogged(TableDescriptor table) {
        if (table.getDurability() == Durability.SKIP_WAL || table.getDurability() == Durability.ASYNC_WAL) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " would lose acknowledged writes if a region"
                    + " server died: set DURABILITY to SYNC_WAL, not " + table.getDurability() + ".");
        }
    }

    /** Throws InvalidTableException if it is: the other cluster would get a transaction's writes and its commit one by one. */
    static void requireNotReplicated(TableDescriptor table) {
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            if (family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
                throw new InvalidTableException("Family " + family.getNameAsString() + " of HBase table " + table.getTableName()
                        + " is replicated, which shows transactions by halves elsewhere: set REPLICATION_SCOPE to 0.");
            }
        }
    }

    /** The rows of a commit table. Throws InvalidTableException if it is none, or would lose entries. */
    static CommitRows requireCommitTable(TableDescriptor table) {
        CommitRows rows = CommitRows.of(table);
        TableName name = table.getTableName();
        if (!table.hasCoprocessor(CommitTableGuard.class.getName())) {
            throw new InvalidTableException("Commit table " + name + " has lost its coprocessor " + CommitTableGuard.class.getName()
                    + ": add it to the table's description again.");
        }
        ColumnFamilyDescriptor family = table.getColumnFamily(CommitRows.FAMILY);
        if (family == null || family.getTimeToLive() != HConstants.FOREVER || family.getMaxVersions() != 1) {
            throw new InvalidTableException("Commit table " + name + " would lose entries: set VERSIONS of its family "
                    + Bytes.toString(CommitRows.FAMILY) + " to 1 and TTL to FOREVER.");
        }
        requireLogged(table);
        requireNotReplicated(table);
        return rows;
    }

    /** Throws InvalidTableException if there is no such table. See {@link Descriptions}. */
    static TableDescriptor describe(Connection connection, TableName name, byte[]... families) throws IOException {
        return Descriptions.read(connection, name, families);
    }
}
