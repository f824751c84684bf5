package org.fencepost.cli;

import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.hbase.store.Connections;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where a commit table begins; and an operator's two ways back, when it has lost its transaction manager or its watermark has run away. */
@Command(name = "commit-table", description = "Creates or repairs a commit table. To repair it, one needs the right to administer it (A), and"
        + " region servers that know the transaction manager (" + Settings.TM_ZOOKEEPER + ").",
        footer = {"", "Exit code: 0 done; 1 it could not be done, with the reason in one line."})
final class CommitTableCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "the commit table; default: ${DEFAULT-VALUE}", defaultValue = Settings.DEFAULT_COMMIT_TABLE)
    private String table;

    @ArgGroup(multiplicity = "1")
    private Task task;

    static final class Task {
        @Option(names = "--create", paramLabel = "SHARDS", description = "create it, with so many shards, each a region, for good: 16 suit a small"
                + " cluster, a few per region server a large one; 256 at most")
        private Integer shards;

        @Option(names = "--bind", description = "bind the table to the transaction manager that its region servers have now. The old one is lost for"
                + " good, and the new one was started with --recover-from")
        private boolean bind;

        @Option(names = "--reset-watermark", description = "put a watermark back that is above the transaction manager's timestamps, so that no"
                + " transaction commits")
        private boolean resetWatermark;
    }

    @Mixin
    private HBaseOptions hbase;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        Configuration conf = hbase.configuration();
        TableName name = TableName.valueOf(table);
        try (Connection connection = Connections.ordinary(conf)) {
            if (task.shards != null) {
                try (Admin admin = connection.getAdmin()) {
                    Tables.createCommitTable(admin, name, task.shards);
                }
                System.out.println("Commit table " + table + " is created.");
            } else if (task.bind) {
                System.out.println("Commit table " + table + " is bound to the transaction manager of its region servers; timestamps before that were"
                        + " below " + Tables.bindCommitTable(connection, name) + ".");
            } else {
                System.out.println("The watermark of commit table " + table + " was " + Tables.resetWatermark(connection, name)
                        + ", and is no higher than the transaction manager's next timestamp.");
            }
            return 0;
        } catch (TableExistsException e) {
            System.err.println("There is an HBase table " + table + " already.");
            return 1;
        } catch (InvalidTableException | StoreException | IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }
}
