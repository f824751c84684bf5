package org.fencepost.hbase.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.JVMClusterUtil;

/**
 * A real HBase in this JVM: HBase's mini cluster with its ZooKeeper and HDFS, on loopback only, in a temporary
 * directory that goes with it. For tests and the demo.
 *
 * <p>On JDK 17 the JVM needs {@code --add-opens} for java.base/java.lang, java.base/java.nio and
 * java.base/java.lang.reflect.
 */
public final class EmbeddedHBase implements AutoCloseable {

    /** HBase's ZooKeeper, as a value in its servers' configuration; it is not known before it has started. */
    public static final String OWN_ZOOKEEPER = "127.0.0.1:${hbase.zookeeper.property.clientPort}";

    /** Of java.base: what HBase asks for on JDK 17. What fails for want of them fails later, and is hard to tell. */
    private static final List<String> OPENED = List.of("java.lang", "java.nio", "java.lang.reflect");
    /** From this version of Java on, Hadoop cannot tell who its user is. */
    private static final int TOO_NEW = 23;

    private final HBaseTestingUtility cluster;
    private final Path directory;

    private EmbeddedHBase(HBaseTestingUtility cluster, Path directory) {
        this.cluster = cluster;
        this.directory = directory;
    }

    /** The same with one HDFS DataNode. */
    public static EmbeddedHBase start(int regionServers) throws IOException {
        return start(regionServers, 1);
    }

    /** The same with HBase's default configuration. */
    public static EmbeddedHBase start(int regionServers, int dataNodes) throws IOException {
        return start(regionServers, dataNodes, Map.of());
    }

    /**
     * Starts it and waits until it serves; some 10 seconds.
     *
     * @param regionServers at least 1
     * @param dataNodes     of HDFS, at least 1; each has all data
     * @param settings      of HBase, besides the default configuration
     * @throws IllegalStateException with one sentence, and at once, if this JVM is too new or lacks options that HBase needs
     */
    public static EmbeddedHBase start(int regionServers, int dataNodes, Map<String, String> settings) throws IOException {
        requireJvm();
        Path directory = Files.createTempDirectory("fencepost-hbase-");
        // The mini cluster writes below the working directory unless it is told otherwise.
        System.setProperty("test.build.data.basedirectory", directory.toString());
        System.setProperty("test.build.data", directory.toString());
        System.setProperty("hadoop.log.dir", directory.resolve("logs").toString());
        Configuration conf = smallAndLocal(HBaseConfiguration.create(), dataNodes);
        settings.forEach(conf::set);
        HBaseTestingUtility cluster = new HBaseTestingUtility(conf);
        EmbeddedHBase hbase = new EmbeddedHBase(cluster, directory);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteQuietly(directory), "deletes " + directory));
        try {
            cluster.startMiniCluster(StartMiniClusterOption.builder()
                    .numRegionServers(regionServers).numDataNodes(dataNodes).build());
            return hbase;
        } catch (Exception e) {
            hbase.close();
            throw new IOException("The embedded HBase did not start: " + e.getMessage(), e);
        }
    }

    private static void requireJvm() {
        if (Runtime.version().feature() >= TOO_NEW) {
            throw new IllegalStateException("The embedded HBase does not run on Java " + Runtime.version().feature() + ": use Java 17.");
        }
        Module own = EmbeddedHBase.class.getModule();
        String missing = OPENED.stream().filter(name -> !Object.class.getModule().isOpen(name, own))
                .map(name -> "--add-opens java.base/" + name + "=ALL-UNNAMED").collect(Collectors.joining(" "));
        if (!missing.isEmpty()) {
            throw new IllegalStateException("The embedded HBase needs options that this JVM was started without: add " + missing + ".");
        }
    }

    private static Configuration smallAndLocal(Configuration conf, int replicas) {
        conf.set("hbase.master.ipc.address", "127.0.0.1");
        conf.set("hbase.regionserver.ipc.address", "127.0.0.1");
        conf.set("hbase.unsafe.master.hostname", "localhost");
        conf.set("hbase.unsafe.regionserver.hostname", "localhost");
        conf.setInt("hbase.master.info.port", -1);
        conf.setInt("hbase.regionserver.info.port", -1);
        conf.setInt("hbase.regionserver.handler.count", 16);
        conf.setInt("hbase.regionserver.metahandler.count", 4);
        // The master saves up requests to region servers for this long; a fifth of a second per table adds up in tests.
        conf.setInt("hbase.procedure.remote.dispatcher.delay.msec", 5);
        conf.setInt("hbase.assignment.dispatch.wait.msec", 5); // and assignments for this long
        conf.setInt("hbase.client.pause", 20); // between two questions whether an operation of the master is done
        conf.setInt("hbase.regionserver.msginterval", 250); // until a region server that has started tells the master
        conf.setInt("dfs.replication", replicas);
        // HDFS closes a file when its DataNode has reported the block, and asks again this much later where it has not yet: by default after
        // 400 ms, twice for each new table.
        conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
        // A region server that was killed would end this JVM, and with it all others, twenty minutes later.
        conf.setLong("hbase.regionserver.abort.timeout", TimeUnit.DAYS.toMillis(1));
        return conf;
    }

    /** What a client needs to connect; the caller may change its copy. */
    public Configuration configuration() {
        return new Configuration(cluster.getConfiguration());
    }

    /** Changes a setting of all region servers, for regions that are opened later. */
    public void configureServers(String key, String value) {
        cluster.getHBaseCluster().getLiveRegionServerThreads()
                .forEach(server -> server.getRegionServer().getConnection().getConfiguration().set(key, value));
    }

    /** Writes what the table's regions have in memory to files, while the caller waits. */
    public void flush(TableName table) throws IOException {
        cluster.flush(table);
    }

    /** Rewrites all files of the table's regions, while the caller waits. */
    public void majorCompact(TableName table) throws IOException {
        cluster.compact(table, true);
    }

    /** Requests to the region servers since they started, whoever sent them. */
    public long requests() {
        return cluster.getHBaseCluster().getLiveRegionServerThreads().stream()
                .mapToLong(server -> server.getRegionServer().getMetrics().getRegionServerWrapper().getTotalRequestCount()).sum();
    }

    /** Calls this, from several threads, whenever a region server that runs now has synced its log of user tables. */
    public void onSync(Runnable synced) throws IOException {
        WALActionsListener listener = new WALActionsListener() {
            @Override
            public void postSync(long nanos, int waiting) {
                synced.run();
            }
        };
        for (JVMClusterUtil.RegionServerThread server : cluster.getHBaseCluster().getLiveRegionServerThreads()) {
            server.getRegionServer().getWAL(null).registerWALActionsListener(listener);
        }
    }

    /** Kills a region server, as a crash does: it closes no region and flushes nothing. Others take its regions over. */
    public void killRegionServer(ServerName server) throws IOException {
        cluster.getHBaseCluster().killRegionServer(server);
    }

    /** Starts another region server. */
    public void startRegionServer() throws IOException {
        cluster.getHBaseCluster().startRegionServer();
    }

    @Override
    public void close() throws IOException {
        try {
            cluster.shutdownMiniCluster();
        } catch (Exception e) {
            throw new IOException("The embedded HBase did not stop: " + e.getMessage(), e);
        } finally {
            delete(directory);
        }
    }

    /** Deletes its files under it, as far as they are there: for a process that ends at once and does not stop its servers. */
    public void deleteFiles() {
        deleteQuietly(directory);
        deleteQuietly(directory); // what was written meanwhile
    }

    private static void deleteQuietly(Path directory) {
        try {
            delete(directory);
        } catch (IOException | UncheckedIOException e) {
            // The system's temporary folder is emptied sooner or later.
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
