package org.fencepost.clustertest.nemesis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.Settings;

/** The process of HBase in a {@link LocalCluster}. Writes the port of its ZooKeeper to the file that the argument names once it serves, and runs until it is killed. */
final class LocalHBase {

    private static final int REGION_SERVERS = 2;

    private LocalHBase() {
    }

    public static void main(String[] arguments) throws IOException {
        Path ready = Path.of(arguments[0]);
        String port = EmbeddedHBase.start(REGION_SERVERS, 1, Map.of(Settings.TM_ZOOKEEPER, EmbeddedHBase.OWN_ZOOKEEPER))
                .configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
        Files.move(Files.writeString(ready.resolveSibling(ready.getFileName() + ".part"), port), ready, StandardCopyOption.ATOMIC_MOVE);
    }
}
