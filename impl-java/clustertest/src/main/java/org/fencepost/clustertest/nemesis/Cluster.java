package org.fencepost.clustertest.nemesis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Where a run takes place: HBase, transaction managers, and the commands of {@code cluster/cluster} that disturb them. */
public interface Cluster extends AutoCloseable {

    /** Of HBase, with the transaction managers' ZooKeeper. */
    Configuration configuration();

    /**
     * Runs a command, such as {@code pause tm n4}, and returns what it printed.
     *
     * @throws IOException with a sentence, if it failed
     */
    String run(String... command) throws IOException, InterruptedException;

    /** Nodes with a role, such as regionserver; none if the cluster has no such role. */
    List<String> nodes(String role) throws IOException, InterruptedException;

    /** What the nodes wrote goes into a directory. */
    void collectLogs(Path directory) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
