package org.fencepost.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.Settings;

/**
 * HBase in a process of its own: one region server, with ZooKeeper, and HDFS with so many DataNodes as the second argument
 * tells. Writes the port of its ZooKeeper to the file that the first argument names once it serves, and runs until it is
 * killed.
 */
final class HBaseServer {

    /** What the {@link Probe} counts: syncs of the log, and requests to the region server. */
    static final String SYNCS = "syncs";
    static final String REQUESTS = "requests";

    private HBaseServer() {
    }

    public static void main(String[] arguments) throws IOException {
        EmbeddedHBase hbase = EmbeddedHBase.start(1, Integer.parseInt(arguments[1]), Map.of(Settings.TM_ZOOKEEPER, EmbeddedHBase.OWN_ZOOKEEPER));
        LongAdder syncs = new LongAdder();
        hbase.onSync(syncs::increment);
        Probe.count(SYNCS, syncs::sum);
        Probe.count(REQUESTS, hbase::requests);
        Configuration conf = hbase.configuration();
        Path ready = Path.of(arguments[0]);
        Path written = Files.writeString(ready.resolveSibling(ready.getFileName() + ".part"), conf.get(HConstants.ZOOKEEPER_CLIENT_PORT));
        Files.move(written, ready, StandardCopyOption.ATOMIC_MOVE);
    }
}
