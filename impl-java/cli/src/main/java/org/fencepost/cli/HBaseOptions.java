package org.fencepost.cli;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import picocli.CommandLine.Option;

/** Where commands find HBase. */
final class HBaseOptions {
    @Option(names = "--zookeeper", paramLabel = "HOST[:PORT][,...]",
            description = "HBase's ZooKeeper; otherwise as hbase-site.xml on the class path says")
    private String zooKeeper;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "any of HBase's configuration keys")
    private Map<String, String> more = Map.of();

    Configuration configuration() {
        Configuration conf = HBaseConfiguration.create();
        more.forEach(conf::set);
        if (zooKeeper != null) {
            conf.set("hbase.zookeeper.quorum", zooKeeper);
        }
        return conf;
    }

    /** The same, for a user who waits: HBase's client would try for many minutes. */
    Configuration forUser() {
        Configuration conf = configuration();
        conf.setInt("hbase.client.retries.number", conf.getInt("fencepost.check.retries", 3));
        return conf;
    }
}
