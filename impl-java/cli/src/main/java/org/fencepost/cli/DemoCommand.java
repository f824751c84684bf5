package org.fencepost.cli;

import java.util.concurrent.Callable;
import org.fencepost.demo.Demo;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts an HBase in this process and runs the demo on it. */
@Command(name = "demo", description = "Bank transfers on a real HBase in this process, some of whose clients die half-way.",
        footer = {"", "Exit code: 0 the total is intact and nothing is left of the dead; 1 otherwise."})
final class DemoCommand implements Callable<Integer> {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        System.out.println("Starting HBase with its ZooKeeper and HDFS, which takes about 20 s ...");
        try (EmbeddedHBase hbase = EmbeddedHBase.start(1, 1, Demo.SERVERS)) {
            return Demo.run(hbase.configuration(), System.out) ? 0 : 1;
        }
    }
}
