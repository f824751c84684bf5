package org.fencepost.hbase.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.Write;

/**
 * Finds out whether a table is set up for transactions, and for the fast path if it has one: the table's description, the
 * commit table, each region's server and its way to the transaction manager, and the transaction manager's leap. Changes
 * nothing: the fast-path write that it sends to each region expects a version that no record has.
 */
public final class TableCheck {

    private static final long NO_RECORD_HAS_IT = Long.MAX_VALUE;
    private static final byte[] QUALIFIER = Bytes.toBytes("fencepost-check");

    private final Connection connection;
    private final TableName name;
    private final TransactionManager manager;
    private final List<String> problems = new ArrayList<>();

    private TableCheck(Connection connection, TableName name, TransactionManager manager) {
        this.connection = connection;
        this.name = name;
        this.manager = manager;
    }

    /**
     * What is wrong, one line each; empty if all is well.
     *
     * @param manager the transaction manager of the table's clients; null if it is not to be asked
     * @throws IOException if HBase does not answer
     */
    public static List<String> problems(Connection connection, TableName name, TransactionManager manager) throws IOException {
        TableCheck check = new TableCheck(connection, name, manager);
        check.run();
        return check.problems;
    }

    /**
     * Whether commit entries are with leaders, and not in a commit table.
     *
     * @throws InvalidTableException if there is no such table
     * @throws IOException           if HBase does not answer
     */
    public static boolean hasLeaders(Connection connection, TableName name) throws IOException {
        return TableAttributes.hasLeaders(Descriptions.read(connection, name));
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Notes what the step objects to. */
    private boolean passes(Step step) throws IOException {
        try {
            step.run();
            return true;
        } catch (InvalidTableException | IllegalArgumentException | TransactionManagerException e) {
            problems.add(e.getMessage());
            return false;
        }
    }

    private void run() throws IOException {
        TableDescriptor[] table = new TableDescriptor[1];
        if (!passes(() -> table[0] = Descriptions.read(connection, name))) {
            return;
        }
        TableName commitTable = TableAttributes.commitTableOf(table[0]);
        if (TableAttributes.hasLeaders(table[0])) {
            passes(() -> TableAttributes.requireLeaders(table[0]));
            passes(() -> TableAttributes.requireNotReplicated(table[0]));
            if (manager != null) {
                passes(() -> TableAttributes.requireManager(table[0], manager.info()));
            }
            return;
        }
        if (commitTable == null) {
            problems.add("HBase table " + name + " is not transactional: create it with Tables.create, or, if it is empty, convert"
                    + " it with Tables.enable.");
            return;
        }
        passes(() -> TableAttributes.requireTransactional(table[0], commitTable));
        passes(() -> TableAttributes.requireNotReplicated(table[0]));
        boolean sound = passes(() -> TableAttributes.requireCommitTable(Descriptions.read(connection, commitTable)));
        if (sound && manager != null) {
            passes(() -> new HBaseCommitTable(connection, connection, commitTable, Tables.OPERATOR_TIMEOUT_MILLIS)
                    .requireManager(manager.info()));
        }
        if (TableAttributes.hasFastPath(table[0])) {
            passes(() -> checkFastPath(table[0]));
        }
    }

    private void checkFastPath(TableDescriptor table) throws IOException {
        long span = TableAttributes.fastSpanOf(table);
        if (manager != null) {
            passes(() -> TableAttributes.requireRoom(name, span, manager));
        }
        try (RegionLocator locator = connection.getRegionLocator(name)) {
            for (HRegionLocation region : locator.getAllRegionLocations()) {
                String problem = probe(table, region, span);
                if (problem != null) {
                    problems.add("Region " + region.getRegion().getRegionNameAsString() + " on " + region.getServerName() + ": "
                            + problem);
                }
            }
        }
    }

    /** Null if the region's server would draw a version. */
    private String probe(TableDescriptor table, HRegionLocation region, long span) throws IOException {
        byte[] start = region.getRegion().getStartKey();
        ColumnFamilyDescriptor family = table.getColumnFamilies()[0];
        CellKey key = new CellKey(name, start.length == 0 ? new byte[1] : start, family.getName(), QUALIFIER);
        CheckAndMutate request = FastRequest.write(key, Write.of(HConstants.EMPTY_BYTE_ARRAY),
                new FastRequest.Terms(span, NO_RECORD_HAS_IT));
        try (Table regions = connection.getTable(name)) {
            FastRequest.version(key, regions.checkAndMutate(request));
            return "it accepted a write that it must reject.";
        } catch (FastPathAbortedException e) {
            return e.abortCause() == FastAbortCause.CLOCK_NOT_BOOTSTRAPPED ? e.abortCause().sentence() + "." : null;
        } catch (InvalidTableException e) {
            return e.getMessage();
        } catch (IOException e) {
            return Failures.reason(e);
        }
    }
}
