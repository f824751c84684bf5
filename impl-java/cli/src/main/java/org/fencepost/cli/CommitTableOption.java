package org.fencepost.cli;

import org.apache.hadoop.conf.Configuration;
import org.fencepost.hbase.layout.Settings;
import picocli.CommandLine.Option;

/** Which commit table a command's transactions have, if any. */
final class CommitTableOption {
    /** As {@link Settings#PLACEMENT} says it. */
    enum Placement { table, leader }

    @Option(names = "--commit-table", paramLabel = "TABLE", description = "otherwise as " + Settings.COMMIT_TABLE + " says, or "
            + Settings.DEFAULT_COMMIT_TABLE)
    private String commitTable;

    @Option(names = "--placement", paramLabel = "table|leader", description = "where commit entries are: in a commit table, or with leaders, in tables that"
            + " have those; otherwise as " + Settings.PLACEMENT + " says, or table")
    private Placement placement;

    /** @param conf gets what the options say, if they are given */
    void set(Configuration conf) {
        if (commitTable != null) {
            conf.set(Settings.COMMIT_TABLE, commitTable);
        }
        if (placement != null) {
            conf.set(Settings.PLACEMENT, placement.name());
        }
        if (commitTable != null && placement == Placement.leader) {
            throw new IllegalArgumentException("Tables with leaders have no commit table: leave out --commit-table.");
        }
    }
}
