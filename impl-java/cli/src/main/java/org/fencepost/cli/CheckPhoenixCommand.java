package org.fencepost.cli;

import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.fencepost.hbase.admin.PhoenixCheck;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.hbase.store.Connections;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what Apache Phoenix on Fencepost lacks. */
@Command(name = "check-phoenix", description = "Checks that HBase and the transaction manager are set up for Apache Phoenix, and all of Phoenix's transactional tables."
        + " Changes nothing.", footer = {"", "Exit code: 0 all is well; 1 something is wrong, one line each on the standard output; 2 HBase did not"
                + " answer; 4 nothing is wrong as far as can be told, and something could not be found out, one line each."})
final class CheckPhoenixCommand implements Callable<Integer> {

    @Option(names = "--commit-table", paramLabel = "TABLE", description = "that Phoenix's tables are to have; otherwise as " + Settings.COMMIT_TABLE + " says, or "
            + Settings.DEFAULT_COMMIT_TABLE)
    private String commitTable;

    @Mixin
    private HBaseOptions hbase;

    @Mixin
    private ManagerOptions manager;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        Configuration conf = hbase.forUser();
        if (commitTable != null) {
            conf.set(Settings.COMMIT_TABLE, commitTable);
        }
        PhoenixCheck.Findings found;
        try (RemoteTransactionManager remote = manager.connect(conf); Connection connection = Connections.ordinary(conf)) {
            found = PhoenixCheck.find(connection, Settings.from(conf).commitTable(), remote);
        }
        found.problems().forEach(System.out::println);
        found.unknown().forEach(line -> System.out.println("Unknown: " + line));
        if (!found.problems().isEmpty()) {
            return 1;
        }
        System.out.println("HBase and the transaction manager are set up right for Apache Phoenix" + (found.unknown().isEmpty() ? "." : ", as far as can be told."));
        return found.unknown().isEmpty() ? 0 : 4;
    }
}
