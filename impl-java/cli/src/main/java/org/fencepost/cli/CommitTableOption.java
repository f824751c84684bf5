package org.fencepost.cli;

import org.apache.hadoop.conf.Configuration;
import org.fencepost.hbase.layout.Settings;
import picocli.CommandLine.Option;

/** Which commit table a command's transactions have. */
final class CommitTableOption {
    @Option(names = "--commit-table", paramLabel = "TABLE", description = "otherwise as " + Settings.COMMIT_TABLE + " says, or "
            + Settings.DEFAULT_COMMIT_TABLE)
    private String commitTable;

    /** @param conf gets what the option says, if it is given */
    void set(Configuration conf) {
        if (commitTable != null) {
            conf.set(Settings.COMMIT_TABLE, commitTable);
        }
    }
}
