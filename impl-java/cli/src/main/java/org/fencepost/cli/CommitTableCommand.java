package org.fencepost.cli;

import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.store.Kerberos;
import org.fencepost.protocol.store.StoreException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** An operator's two ways back, when a commit table has lost its transaction manager or its watermark has run away. */
@Command(name = "commit-table", description = "Repairs a commit table. Needs the right to administer it (A), and region servers that know the"
        + " transaction manager (" + Settings.TM_ZOOKEEPER + ").",
    footer = {"", "Exit code: 0 done; 1 it could not be done, with the reason in one sentence."})
final class CommitTableCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TABLE", description = "the commit table; default: ${DEFAULT-VALUE}", defaultValue = Settings.DEFAULT_COMMIT_TABLE)
  private String table;

  @ArgGroup(multiplicity = "1")
  private Repair repair;

  static final class Repair {
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
    Kerberos.prepare(conf);
    TableName name = TableName.valueOf(table);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      if (repair.bind) {
        System.out.println("Commit table " + table + " is bound to the transaction manager of its region servers; timestamps before that were"
            + " below " + Tables.bindCommitTable(connection, name) + ".");
      } else {
        System.out.println("The watermark of commit table " + table + " was " + Tables.resetWatermark(connection, name)
            + ", and is no higher than the transaction manager's next timestamp.");
      }
      return 0;
    } catch (InvalidTableException | StoreException e) {
      System.err.println(e.getMessage());
      return 1;
    }
  }
}
