package org.fencepost.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.RemoteTransactionManagerFactory;
import org.fencepost.hbase.store.Kerberos;
import org.fencepost.tm.RemoteTransactionManager;
import org.fencepost.tm.TlsOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what is wrong with a table. */
@Command(name = "check-table", description = "Checks that an HBase table is set up for transactions, and for the fast path if it has one."
        + " Changes nothing.",
    footer = {"", "Exit code: 0 all is well; 1 something is wrong, one sentence each on the standard output; 2 HBase did not answer."})
final class CheckTableCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TABLE", description = "the table; namespace:name unless it is in the default namespace")
  private String table;

  @Mixin
  private HBaseOptions hbase;

  @Option(names = "--tm-zookeeper", paramLabel = "HOST:PORT[,...][/PATH]",
      description = "the transaction manager's ZooKeeper, as given to it; otherwise " + Settings.TM_ZOOKEEPER
          + ". With neither, its leap is not checked")
  private String tmZooKeeper;

  @ArgGroup(exclusive = false, heading = "TLS to the transaction manager (otherwise as " + Settings.TM_TLS_CERT + " and so on say):%n")
  private TlsOptions tls;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
  private boolean help;

  @Override
  public Integer call() throws Exception {
    Configuration conf = hbase.configuration();
    conf.setInt("hbase.client.retries.number", conf.getInt("fencepost.check.retries", 3));
    if (tmZooKeeper != null) {
      conf.set(Settings.TM_ZOOKEEPER, tmZooKeeper);
    }
    if (tls != null) {
      conf.set(Settings.TM_TLS_CERT, tls.files().certificate().toString());
      conf.set(Settings.TM_TLS_KEY, tls.files().key().toString());
      conf.set(Settings.TM_TLS_CA, tls.files().authority().toString());
    }
    String manager = conf.getTrimmed(Settings.TM_ZOOKEEPER, "");
    Kerberos.prepare(conf);
    List<String> problems;
    try (Connection connection = ConnectionFactory.createConnection(conf);
         RemoteTransactionManager remote = manager.isEmpty() ? null : new RemoteTransactionManagerFactory().connect(conf, manager)) {
      problems = TableCheck.problems(connection, TableName.valueOf(table), remote);
    }
    problems.forEach(System.out::println);
    if (problems.isEmpty()) {
      System.out.println("Table " + table + " is set up right" + (manager.isEmpty() ? ", as far as HBase can tell." : "."));
    }
    return problems.isEmpty() ? 0 : 1;
  }
}
