package org.fencepost.clustertest.nemesis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.fencepost.hbase.layout.Settings;

/** The cluster of {@code cluster/cluster}, seen from its place for clients: {@code cluster/cluster run} sets $CLUSTER_CONF. */
public final class ScriptCluster implements Cluster {

    private static final long COMMAND_SECONDS = 360;

    private final Path script;
    private final Configuration conf;

    /** Throws IllegalArgumentException, with a sentence, if this is not run in a cluster. */
    public ScriptCluster(Path script) {
        String directory = System.getenv("CLUSTER_CONF");
        Path site = directory == null ? null : Path.of(directory, "hbase-site.xml");
        if (site == null || !Files.isReadable(site) || !Files.isExecutable(script)) {
            throw new IllegalArgumentException("No cluster is up here: use `make cluster-test`, which runs this command by `cluster/cluster run`, or --local.");
        }
        this.script = script.toAbsolutePath();
        this.conf = HBaseConfiguration.create();
        conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
        if (conf.getTrimmed(Settings.TM_ZOOKEEPER, "").isEmpty()) {
            conf.set(Settings.TM_ZOOKEEPER, "n1:2181,n2:2181,n3:2181");
        }
    }

    @Override
    public Configuration configuration() {
        return new Configuration(conf);
    }

    @Override
    public String run(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(script.toString()));
        all.addAll(List.of(command));
        Path output = Files.createTempFile("cluster", ".out");
        try {
            Process process = new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("'cluster " + String.join(" ", command) + "' took longer than " + COMMAND_SECONDS + " s.");
            }
            String said = Files.readString(output).strip();
            if (process.exitValue() != 0) {
                throw new IOException("'cluster " + String.join(" ", command) + "' failed: " + said);
            }
            return said;
        } finally {
            Files.deleteIfExists(output);
        }
    }

    @Override
    public List<String> nodes(String role) throws IOException, InterruptedException {
        return run("status").lines().map(line -> line.trim().split("\\s+")).filter(words -> words.length > 1 && words[0].equals(role))
                .map(words -> words[1]).distinct().sorted().toList();
    }

    @Override
    public void collectLogs(Path directory) throws IOException, InterruptedException {
        run("logs", directory.toAbsolutePath().toString());
    }

    @Override
    public void close() {
        // It stays up for the next run.
    }
}
