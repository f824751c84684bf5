package org.fencepost.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.clustertest.client.RunTables;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.RemoteTransactionManagerFactory;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code cluster/cluster} needs of clients. They find the cluster through hbase-site.xml in {@code $CLUSTER_CONF}. */
@Command(name = "cluster-client", hidden = true, description = "Used by cluster/cluster.")
final class ClusterClient {
    private static final TableName READY = TableName.valueOf("cluster.ready");
    private static final byte[] F = Bytes.toBytes("f");
    /** The first keys of its regions, one for each region server. */
    private static final byte[][] SPLITS = {Bytes.toBytes("1"), Bytes.toBytes("2")};
    private static final int SERVERS = SPLITS.length + 1;
    private static final int PAUSE_MILLIS = 300;

    @Command(name = "ready", description = "Waits until HBase serves a put and a get in each region of a table, and a transaction manager answers.")
    int ready(@Option(names = "--seconds", required = true) long seconds,
            @Option(names = "--no-manager", description = "but no transaction manager is asked") boolean noManager,
            @Option(names = "--mediator", description = "and its status oracle serves") boolean mediator) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        Configuration conf = configuration();
        String missing;
        do {
            Thread.sleep(PAUSE_MILLIS);
            try (Connection connection = ConnectionFactory.createConnection(conf)) {
                missing = missingUntil(end, connection);
            } catch (IOException e) {
                missing = reason(e);
            }
        } while (missing != null && System.nanoTime() < end);
        if (missing == null && !noManager) {
            missing = managerMissing(conf, end, mediator);
        }
        if (missing != null) {
            System.err.println("The cluster does not serve after " + seconds + " s: " + missing);
        }
        return missing == null ? 0 : 1;
    }

    private static String missingUntil(long end, Connection connection) throws InterruptedException {
        while (true) {
            String missing;
            try {
                missing = missing(connection);
            } catch (IOException e) {
                missing = reason(e);
            }
            if (missing == null || System.nanoTime() > end) {
                return missing;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    private static String managerMissing(Configuration conf, long end, boolean mediator) {
        try (RemoteTransactionManager manager = new RemoteTransactionManagerFactory().connect(conf, conf.getTrimmed(Settings.TM_ZOOKEEPER, ""))) {
            while (true) {
                try {
                    if (mediator) {
                        new RemoteOracle(manager).begin(false);
                    }
                    manager.begin();
                    return null;
                } catch (TransactionManagerException e) {
                    if (System.nanoTime() > end) {
                        return reason(e);
                    }
                }
            }
        }
    }

    /** HBase wraps reasons, and tells all attempts. */
    private static String reason(Throwable e) {
        Throwable first = e;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return String.valueOf(first.getMessage()).lines().findFirst().orElse(first.toString());
    }

    /** Null if nothing is. */
    private static String missing(Connection connection) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            int servers = admin.getRegionServers().size();
            if (servers < SERVERS) {
                return servers + " of " + SERVERS + " region servers are there.";
            }
            if (!admin.tableExists(READY)) {
                admin.createTable(TableDescriptorBuilder.newBuilder(READY).setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build(), SPLITS);
            }
        }
        try (Table table = connection.getTable(READY)) {
            for (byte[] row : new byte[][] {Bytes.toBytes("0"), SPLITS[0], SPLITS[1]}) {
                table.put(new Put(row).addColumn(F, F, F));
                if (table.get(new Get(row)).isEmpty()) {
                    return "HBase lost what was just put.";
                }
            }
        }
        return null;
    }

    @Command(name = "move-region", description = "Moves a region of a table, by chance, to another region server.")
    int moveRegion(@Parameters(paramLabel = "TABLE") String name) throws IOException {
        TableName table = TableName.valueOf(name);
        RunTables.administer(configuration(), admin -> moveRegion(admin, table));
        return 0;
    }

    private static void moveRegion(Admin admin, TableName table) throws IOException {
        try (RegionLocator locator = admin.getConnection().getRegionLocator(table)) {
            HRegionLocation region = anyOf(locator.getAllRegionLocations());
            List<ServerName> others = new ArrayList<>(admin.getRegionServers());
            others.remove(region.getServerName());
            if (others.isEmpty()) {
                throw new IOException("There is no other region server to move a region to.");
            }
            ServerName to = anyOf(others);
            admin.move(region.getRegion().getEncodedNameAsBytes(), to);
            System.out.println(region.getRegion().getEncodedName() + " from " + region.getHostname() + " to " + to.getHostname());
        }
    }

    private static <T> T anyOf(List<T> choices) {
        return choices.get(ThreadLocalRandom.current().nextInt(choices.size()));
    }

    private static Configuration configuration() {
        Configuration conf = HBaseConfiguration.create();
        String directory = System.getenv("CLUSTER_CONF");
        if (directory == null) {
            throw new IllegalStateException("Run this by cluster/cluster.");
        }
        conf.addResource(new org.apache.hadoop.fs.Path(Path.of(directory, "hbase-site.xml").toUri()));
        conf.setInt("hbase.client.retries.number", 3);
        // A look-up of a region that failed waits for as long otherwise, and that is a minute.
        conf.setInt("hbase.client.scanner.timeout.period", 3_000);
        return conf;
    }
}
