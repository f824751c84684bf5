package org.fencepost.hbase.layout;

import java.util.Locale;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;

/**
 * What the description of a table tells about transactions: by which protocol, over which commit table, and how far its timestamps are
 * apart. Clients, region servers and the operator's tools read it here, and refuse here what would lose versions or writes.
 */
public final class TableAttributes {

    public static final String COMMIT_TABLE = "fencepost.commit.table";
    public static final String SPAN = "fencepost.fastpath.span";
    public static final String LEVELS = "fencepost.levels";
    public static final String MEDIATOR_SPAN = "fencepost.mediator.span";
    public static final String MANAGER = "fencepost.manager";
    /** Where the commit entries of those are who write the table first: {@link #LEADER}, or, without it, in the commit table. */
    public static final String PLACEMENT = "fencepost.placement";
    public static final String LEADER = "leader";
    /** Of an index: the table and the column that it is of. */
    public static final String INDEX_OF = "fencepost.index.of";
    /** Of an index: the timestamp from which on it is ready; none while it is not. */
    public static final String INDEX_READY = "fencepost.index.ready";
    public static final long NO_SPAN = 1;
    /** Whether HBase removes files that are too old by a time to live, unseen by any coprocessor. */
    public static final String DELETE_EXPIRED = "hbase.store.delete.expired.storefile";
    /** HBase's endpoint for them. Each row is a put of its own here. */
    private static final String SEVERAL_ROWS = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

    private TableAttributes() {
    }

    /** Throws InvalidTableException if the table is for the other protocol: LL does not look for intents. */
    public static void requireProtocol(TableDescriptor table, boolean twoPhase) {
        if (table.hasCoprocessor(Coprocessors.TWO_PHASE) != twoPhase) {
            throw new InvalidTableException("HBase table " + table.getTableName() + " is " + (twoPhase ? "not " : "")
                    + "for Omid 2PC: set " + Settings.PROTOCOL + " to " + (twoPhase ? "ll" : "2pc") + ".");
        }
    }

    public static boolean hasFastPath(TableDescriptor table) {
        return table.hasCoprocessor(Coprocessors.FAST_PATH);
    }

    /** The span of a table with a fast path. Throws InvalidTableException for other tables. */
    public static long fastSpanOf(TableDescriptor table) {
        if (spanOf(table) == NO_SPAN || !hasFastPath(table)) {
            throw new InvalidTableException("HBase table " + table.getTableName()
                    + " has no fast path: add it with Tables.enableFastPath.");
        }
        return spanOf(table);
    }

    /** What the versions of its records tell. It stays when a fast path is taken away, since the records stay. */
    public static Versions versionsOf(TableDescriptor table) {
        String levels = table.getValue(LEVELS);
        long span = spanOf(table);
        int number = levels != null && levels.matches("[1-9][0-9]?") ? Integer.parseInt(levels) : 1;
        return new Versions(span, (int) Math.min(span, Math.min(Versions.LEVELS, number)));
    }

    /**
     * How far regular versions are apart: the numbers in between are levels and versions of the fast path. 1: the table has never had
     * either, or somebody has spoilt its description.
     */
    public static long spanOf(TableDescriptor table) {
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
    public static void requireRoom(TableName name, long span, TransactionManager manager) {
        for (int i = 0; i < 2; i++) {
            long ts = manager.begin();
            manager.end(ts);
            if (ts % span != 0) {
                throw new InvalidTableException("HBase table " + name + " has a span of " + span + " for a fast path or checkpoints,"
                        + " and the transaction manager leaves no room for it: start that with a leap of " + span + ".");
            }
        }
    }

    /** Throws InvalidTableException if a table without commit table is bound to another manager. */
    public static void requireManager(TableDescriptor table, ManagerInfo manager) {
        String bound = table.getValue(MANAGER);
        new Binding(bound, 0, 0).requireIdentity(table.getTableName(), manager.identity());
    }

    /** The span of a table of Mediator. Throws InvalidTableException for other tables, and where it would lose versions. */
    public static long requireMediated(TableDescriptor table) {
        TableName name = table.getTableName();
        long span = spanOf(table, MEDIATOR_SPAN);
        if (span == NO_SPAN || !table.hasCoprocessor(Coprocessors.MEDIATOR)) {
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

    /** The commit table that a transactional table belongs to; null for other tables. */
    public static TableName commitTableOf(TableDescriptor table) {
        String name = table.getValue(COMMIT_TABLE);
        return name == null ? null : TableName.valueOf(name);
    }

    /** Throws InvalidTableException unless transactions over this commit table can use the table. */
    public static void requireTransactional(TableDescriptor table, TableName commitTable) {
        TableName name = table.getTableName();
        if (hasLeaders(table)) {
            throw new InvalidTableException("HBase table " + name + " has its commit entries with leaders, and no transaction uses it together with"
                    + " tables of a commit table: open a client whose " + Settings.PLACEMENT + " is " + LEADER + ".");
        }
        if (!commitTable.equals(commitTableOf(table))) {
            throw new InvalidTableException("HBase table " + name + " is not a transactional table of commit table "
                    + commitTable + ": create it with Tables.create, or, if it is empty, convert it with Tables.enable.");
        }
        requireKept(table, KeepDeletedCells.FALSE);
        if (!Coprocessors.isTransactional(table)) {
            throw new InvalidTableException("HBase table " + name + " has lost its coprocessor "
                    + Coprocessors.OMID + ": add it to the table's description again.");
        }
    }

    // ---- tables with leaders

    /** Whether commit entries are with leaders (specs/Fragola.tla). */
    public static boolean hasLeaders(TableDescriptor table) {
        return LEADER.equals(table.getValue(PLACEMENT));
    }

    /** Whether its janitor is that of this transaction manager. */
    public static boolean hasLeadersOf(TableDescriptor table, String manager) {
        return hasLeaders(table) && manager.equals(table.getValue(MANAGER));
    }

    /** Throws InvalidTableException unless transactions whose commit entries are with leaders can use the table. */
    public static void requireLeaders(TableDescriptor table) {
        TableName name = table.getTableName();
        if (!hasLeaders(table)) {
            throw new InvalidTableException("HBase table " + name + (commitTableOf(table) == null ? " has no leaders: create it with"
                    + " Tables.withLeaders." : " has commit table " + commitTableOf(table) + ", and no transaction uses it together with tables that have"
                            + " leaders: open a client whose " + Settings.PLACEMENT + " is table."));
        }
        if (commitTableOf(table) != null || spanOf(table) != NO_SPAN || table.getValue(MEDIATOR_SPAN) != null || table.getValue(INDEX_OF) != null) {
            throw new InvalidTableException("HBase table " + name + " has leaders and cannot have a commit table, a fast path, checkpoints, an index or"
                    + " Mediator as well, which no model covers: make another table for that.");
        }
        requireKept(table, KeepDeletedCells.FALSE);
        if (!table.hasCoprocessor(Coprocessors.LEADER)) {
            throw new InvalidTableException("HBase table " + name + " has lost its coprocessor " + Coprocessors.LEADER
                    + ": add it to the table's description again.");
        }
        if (table.getValue(MANAGER) == null) {
            throw new InvalidTableException("HBase table " + name + " has leaders and tells no transaction manager: create it with Tables.withLeaders.");
        }
    }

    // ---- what all of them need

    /** Throws InvalidTableException if HBase would drop versions of the table by itself, or lose acknowledged writes. */
    public static void requireKept(TableDescriptor table, KeepDeletedCells deleted) {
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
    public static void requireNotReplicated(TableDescriptor table) {
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            if (family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
                throw new InvalidTableException("Family " + family.getNameAsString() + " of HBase table " + table.getTableName()
                        + " is replicated, which shows transactions by halves elsewhere: set REPLICATION_SCOPE to 0.");
            }
        }
    }

    /** The rows of a commit table. Throws InvalidTableException if it is none, or would lose entries. */
    public static CommitRows requireCommitTable(TableDescriptor table) {
        CommitRows rows = CommitRows.of(table);
        TableName name = table.getTableName();
        if (!table.hasCoprocessor(Coprocessors.COMMIT_TABLE)) {
            throw new InvalidTableException("Commit table " + name + " has lost its coprocessor " + Coprocessors.COMMIT_TABLE
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
}
