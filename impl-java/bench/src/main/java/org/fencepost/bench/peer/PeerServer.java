package org.fencepost.bench.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import one.profiler.AsyncProfiler;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.bench.harness.Cluster;
import org.fencepost.bench.harness.Probe;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.load.Generator;
import org.fencepost.bench.load.Load;
import org.fencepost.bench.load.OmidProtocol;
import org.fencepost.bench.load.Scenario;

/**
 * Apache Omid's transaction manager in a process of its own, in one of its two modes, and its tables. Commit tables are in HBase, as it comes; its
 * timestamps are in memory, and its lease is taken for granted.
 *
 * @param process   of the server
 * @param address   where it listens
 * @param classPath of its clients, with what drives them
 */
public record PeerServer(ServerProcess process, InetSocketAddress address, String classPath) {

    /**
     * Starts it, and waits until it serves.
     *
     * @param name     one of {@link OmidProtocol}'s modes
     * @param profiles whether async-profiler is on the class path
     */
    public static PeerServer start(Cluster cluster, PeerOptions options, String name, List<String> jvm, boolean profiles) throws IOException {
        InetSocketAddress address = ServerProcess.freeAddress();
        Path configuration = Files.createDirectories(cluster.directory().resolve(name));
        Files.writeString(configuration.resolve("omid-server-configuration.yml"), """
                port: %d
                networkIfaceName: lo
                conflictMapSize: %d
                lowLatency: %b
                timestampStoreModule: !!org.apache.omid.tso.InMemoryTimestampStorageModule [ ]
                commitTableStoreModule: !!org.apache.omid.committable.hbase.DefaultHBaseCommitTableStorageModule
                    tableName: "%s"
                leaseModule: !!org.apache.omid.tso.VoidLeaseManagementModule [ ]
                """.formatted(address.getPort(), options.conflictEntries, name.equals(OmidProtocol.LL), commits(name)));
        Files.writeString(configuration.resolve("hbase-site.xml"), """
                <configuration>
                  <property><name>%s</name><value>127.0.0.1</value></property>
                  <property><name>%s</name><value>%s</value></property>
                </configuration>
                """.formatted(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT, cluster.conf().get(HConstants.ZOOKEEPER_CLIENT_PORT)));
        String classPath = classPath(configuration, options, profiles);
        ServerProcess process = cluster.opened(new ServerProcess(name + "'s server", ServerProcess.ANY_CORE, jvm, classPath, "org.apache.omid.tso.TSOServer", List.of(),
                cluster.directory().resolve(name + "-server.log")));
        Cluster.await(process, () -> {
            try {
                new Generator(address, OmidProtocol::new, Load.closed(new Scenario(1, 0), 1, 2)).close();
                return true;
            } catch (IOException | IllegalStateException e) {
                return false;
            }
        });
        return new PeerServer(process, address, classPath);
    }

    /** Apache Omid's libraries, and of ours only what drives them. */
    private static String classPath(Path configuration, PeerOptions options, boolean profiles) {
        String libraries = String.join(":", configuration.toString(), options.libraries + "/*", ServerProcess.classes(Probe.class));
        return profiles ? libraries + ":" + ServerProcess.classes(AsyncProfiler.class) : libraries;
    }

    /** The name of its commit table. */
    public static String commits(String name) {
        return name + "-commits";
    }

    /** Before it is started. Its keys begin with the last four bits of the timestamp. */
    public static void createCommitTable(Admin admin, String name) throws IOException {
        admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(commits(name)))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("F")).setColumnFamily(ColumnFamilyDescriptorBuilder.of("LWF")).build(),
                IntStream.range(1, Cluster.COMMIT_SHARDS).mapToObj(i -> new byte[] {(byte) i}).toArray(byte[][]::new));
    }

    /** A table of transactions. */
    public static TableDescriptor table(TableName name) {
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Cluster.FAMILY).setMaxVersions(Integer.MAX_VALUE).build()).build();
    }
}
