package org.fencepost.cli;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.hbase.store.Connections;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a table as {@link Tables} describes it. */
@Command(name = "create-table", description = "Creates an HBase table for transactions: of Omid LL, unless an option says otherwise.",
        footer = {"", "Exit code: 0 done; 1 rejected, and nothing was created, with the reason in one line; 2 HBase did not answer."})
final class CreateTableCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "TABLE", description = "the table; namespace:name unless it is in the default namespace")
    private String table;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "FAMILY", description = "its column families")
    private List<String> families;

    @Option(names = "--commit-table", paramLabel = "TABLE", description = "the commit table, made by `fencepost commit-table --create`; otherwise"
            + " as " + Settings.COMMIT_TABLE + " says, or " + Settings.DEFAULT_COMMIT_TABLE + ". Not for Mediator, and not with leaders")
    private String commitTable;

    @ArgGroup(multiplicity = "0..1")
    private Kind kind = new Kind();

    static final class Kind {
        @Option(names = "--fast-path", paramLabel = "SPAN",
                description = "with a fast path. The span is the leap of the transaction manager, which is"
                        + " 2048 unless it is told otherwise, or a divisor of it, for good")
        private Long fastPath;

        @Option(names = "--mediator", paramLabel = "SPAN", description = "for Mediator: native clients use it as well. The span as above")
        private Long mediator;

        @Option(names = "--placement", paramLabel = "table|leader", description = "where commit entries are: in the commit table; or with leaders, which"
                + " needs none (Fragola): clients have " + Settings.PLACEMENT + " leader, and the table is bound to the transaction manager that is named."
                + " Otherwise table")
        private CommitTableOption.Placement placement;

        @Option(names = "--two-phase", description = "for Omid 2PC, to be compared with: its clients have " + Settings.PROTOCOL + " 2pc")
        private boolean twoPhase;

        boolean leaders() {
            return placement == CommitTableOption.Placement.leader;
        }
    }

    @Option(names = "--split", paramLabel = "KEY", split = ",", description = "first keys of its regions but the first one, as in HBase's shell"
            + " (\\x00 is a byte); otherwise it begins as one region")
    private List<String> splits = List.of();

    @Mixin
    private HBaseOptions hbase;

    @Mixin
    private ManagerOptions manager;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        Configuration conf = hbase.forUser();
        try (Connection connection = Connections.ordinary(conf); Admin admin = connection.getAdmin()) {
            TableName commits = TableName.valueOf(commitTable == null ? conf.get(Settings.COMMIT_TABLE, Settings.DEFAULT_COMMIT_TABLE) : commitTable);
            TableDescriptor description = description(conf, commits);
            if (admin.tableExists(description.getTableName())) {
                throw new TableExistsException(table);
            }
            if (kind.mediator == null && !kind.leaders()) {
                Tables.requireCommitTable(connection, commits);
            }
            admin.createTable(description, splits.isEmpty() ? null : splits.stream().map(Bytes::toBytesBinary).toArray(byte[][]::new));
            System.out.println("Table " + table + " is created for " + purpose(commits) + ".");
            return 0;
        } catch (TableExistsException e) {
            return refused("There is an HBase table " + table + " already, and nothing was changed: give another name, or drop it first.");
        } catch (NamespaceNotFoundException e) {
            return refused("There is no namespace " + TableName.valueOf(table).getNamespaceAsString() + ": create it in HBase's shell first.");
        } catch (InvalidTableException | TransactionManagerException | IllegalArgumentException e) {
            return refused(e.getMessage());
        }
    }

    /** Throws IllegalArgumentException or InvalidTableException for what cannot be. */
    private TableDescriptor description(Configuration conf, TableName commits) throws IOException {
        TableDescriptorBuilder plain = TableDescriptorBuilder.newBuilder(TableName.valueOf(table));
        Set<String> seen = new HashSet<>();
        for (String family : families) {
            if (!seen.add(family)) {
                throw new IllegalArgumentException("Family " + family + " is named twice.");
            }
            plain.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
        }
        if (kind.mediator != null) {
            if (commitTable != null) {
                throw new IllegalArgumentException("A table of Mediator has no commit table: leave out --commit-table.");
            }
            return Tables.mediated(plain.build(), kind.mediator);
        }
        if (kind.leaders()) {
            if (commitTable != null) {
                throw new IllegalArgumentException("A table with leaders has no commit table: leave out --commit-table.");
            }
            try (RemoteTransactionManager remote = manager.connect(conf)) {
                return Tables.withLeaders(plain.build(), remote);
            }
        }
        TableDescriptor transactional = Tables.transactional(plain.build(), commits);
        return kind.fastPath != null ? Tables.fastPath(transactional, kind.fastPath) : kind.twoPhase ? Tables.twoPhase(transactional) : transactional;
    }

    private String purpose(TableName commits) {
        return kind.leaders() ? "Fragola, with its commit entries with leaders; clients need " + Settings.PLACEMENT + " leader" : kind.mediator != null ? "Mediator; transaction managers need a --leap of " + kind.mediator + ", or a multiple"
                : (kind.twoPhase ? "Omid 2PC" : "Omid LL") + " with commit table " + commits
                        + (kind.fastPath == null ? "" : ", with a fast path; transaction managers need a --leap of " + kind.fastPath
                                + ", or a multiple");
    }

    private static int refused(String why) {
        System.err.println(why);
        return 1;
    }
}
