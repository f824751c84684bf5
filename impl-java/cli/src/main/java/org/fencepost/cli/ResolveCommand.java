package org.fencepost.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.admin.Inquiry;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.tm.client.RemoteTransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells an operator what {@link Inquiry} finds out. */
@Command(name = "resolve", description = "Reports the outcome of a transaction of Omid, by its start timestamp, which a client's exceptions and traces"
        + " name. Where the commit table has no entry for it, looks for what it has written, which takes long in large tables. Needs READ and"
        + " WRITE on all of them and on the commit table.",
        footer = {"", "Exit code: 0 it has committed, or aborted, for good; 1 it is under way, or nothing is left that tells; 2 it could not be found"
                + " out, with the reason in one line."})
final class ResolveCommand implements Callable<Integer> {
    @Parameters(paramLabel = "START", description = "the start timestamp")
    private long startTs;

    @Option(names = "--invalidate", description = "prevent it from committing, if it has not committed yet, as a reader that meets it does")
    private boolean invalidate;

    @Option(names = "--table", paramLabel = "TABLE", description = "where it may have written, several times for several tables; otherwise all"
            + " tables of the commit table are looked through")
    private List<String> tables = List.of();

    @Mixin
    private CommitTableOption commitTable;

    @Mixin
    private HBaseOptions hbase;

    @Mixin
    private ManagerOptions manager;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() {
        Configuration conf = hbase.forUser();
        commitTable.set(conf);
        try (RemoteTransactionManager remote = manager.connect(conf); TransactionClient client = TransactionClient.open(conf, remote)) {
            Inquiry inquiry = new Inquiry(client, remote);
            List<TableName> where = tables.isEmpty() ? inquiry.tables() : tables.stream().map(TableName::valueOf).toList();
            Inquiry.Answer answer = inquiry.ask(startTs, where, invalidate);
            System.out.println(sentence(answer));
            return answer.state() == Inquiry.State.COMMITTED || answer.state() == Inquiry.State.ABORTED ? 0 : 1;
        }
    }

    private String sentence(Inquiry.Answer answer) {
        String found = "it has written " + (answer.records() == 1 ? "a column" : answer.records() + " columns");
        return switch (answer.state()) {
            case COMMITTED -> "committed: transaction " + startTs + " committed at " + answer.commitTs() + ".";
            case ABORTED -> "aborted: transaction " + startTs + " has not committed and cannot commit any more"
                    + (answer.records() == 0 ? "." : "; " + found + ", which readers or the janitor remove.");
            case UNDER_WAY -> answer.records() > 0 ? "under way: transaction " + startTs + " has not committed and still may; " + found + "."
                    : "under way, if it began at all and was not rolled back: nothing that transaction " + startTs + " wrote is there, and it may still commit.";
            case UNKNOWN -> "unknown: nothing is left of transaction " + startTs
                    + ", which may have aborted, or committed long ago and been overwritten"
                    + (tables.isEmpty() ? "." : ", or have written to other tables.");
        };
    }
}
