package org.fencepost.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.hbase.store.Connections;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what is wrong with a table. */
@Command(name = "check-table", description = "Checks that an HBase table is set up for transactions, and for the fast path if it has one."
        + " Changes nothing. Where no transaction manager is named, its leap is not checked.",
        footer = {"", "Exit code: 0 all is well; 1 something is wrong, one line each on the standard output; 2 HBase did not answer."})
final class CheckTableCommand implements Callable<Integer> {
    @Parameters(paramLabel = "TABLE", description = "the table; namespace:name unless it is in the default namespace")
    private String table;

    @Mixin
    private HBaseOptions hbase;

    @Mixin
    private ManagerOptions manager;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        Configuration conf = hbase.forUser();
        List<String> problems;
        boolean leaders = false;
        boolean all;
        try (RemoteTransactionManager remote = manager.connectIfNamed(conf);
                Connection connection = Connections.ordinary(conf)) {
            all = remote != null;
            problems = TableCheck.problems(connection, TableName.valueOf(table), remote);
            if (problems.isEmpty()) {
                leaders = TableCheck.hasLeaders(connection, TableName.valueOf(table));
            }
        }
        problems.forEach(System.out::println);
        if (problems.isEmpty()) {
            System.out.println("Table " + table + " is set up right" + (leaders ? ", with its commit entries with leaders" : "") + (all ? "." : ", as far as HBase can tell."));
        }
        return problems.isEmpty() ? 0 : 1;
    }
}
