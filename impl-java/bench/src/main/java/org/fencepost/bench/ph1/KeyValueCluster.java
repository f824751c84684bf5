package org.fencepost.bench.ph1;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.bench.harness.Cluster;
import org.fencepost.bench.harness.CommandedProcess;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.load.OmidProtocol;
import org.fencepost.bench.peer.PeerServer;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.ph1.demo.CassandraNode;

/**
 * A Cassandra of one node and an HBase, our transaction manager for both, and Apache Omid's; for each system tables and a client's process of its own. A
 * system's processes are idle while others have their turn.
 */
final class KeyValueCluster extends Cluster {

    static final String CASSANDRA = "cassandra";
    static final String PH1 = "ph1";
    static final String HBASE = "hbase";
    static final String LL = "ll";
    /** Omid LL on tables with the fast path. */
    static final String FAST = "llfast";
    static final String PEER = OmidProtocol.LL;
    static final List<String> ON_CASSANDRA = List.of(CASSANDRA, PH1);
    private static final List<String> ON_HBASE = List.of(HBASE, LL, FAST, PEER);
    static final List<String> SYSTEMS = Stream.of(ON_CASSANDRA, ON_HBASE).flatMap(List::stream).toList();

    static final String YCSB = "ycsb";
    static final String TPCC = "tpcc";

    private static final String NODE = "127.0.0.48";
    private static final String COMMITS = "commits";
    private static final List<String> CLIENT_JVM = List.of("-Xms1g", "-Xmx1g");

    private final BenchPH1 options;

    KeyValueCluster(BenchPH1 options, Path directory) {
        super(directory);
        this.options = options;
    }

    /** The systems' clients, in the order of {@link #SYSTEMS}. */
    List<CommandedProcess> start() throws IOException {
        startHBase(options.hbaseJvm(), options.replicas);
        connect(startTransactionManager(0));
        CassandraNode node = opened(CassandraNode.start(options.cassandra.resolve("lib"), data().resolve("cassandra"), NODE, NODE, options.cassandraHeap));
        List<String> tables = options.workloads().stream().flatMap(workload -> workload.tables().stream()).toList();
        try (Connection connection = ConnectionFactory.createConnection(conf()); Admin admin = connection.getAdmin()) {
            Tables.createCommitTable(admin, TableName.valueOf(COMMITS), COMMIT_SHARDS);
            for (String system : ON_HBASE) {
                for (String name : tables) {
                    admin.createTable(describe(system, TableName.valueOf(KeyValues.table(system, name))));
                }
            }
            PeerServer.createCommitTable(admin, PEER);
        }
        node.await();
        OnCassandra.createTables(NODE, ON_CASSANDRA, tables);
        PeerServer peer = PeerServer.start(this, options.peer, PEER, CLIENT_JVM, false);
        List<CommandedProcess> clients = new ArrayList<>();
        for (String system : SYSTEMS) {
            clients.add(startClient(system, peer));
        }
        return clients;
    }

    private static TableDescriptor describe(String system, TableName name) throws IOException {
        TableDescriptor plain = plain(name);
        return switch (system) {
            case HBASE -> plain;
            case LL -> Tables.transactional(plain, TableName.valueOf(COMMITS));
            case FAST -> Tables.fastPath(Tables.transactional(plain, TableName.valueOf(COMMITS)), LEAP);
            default -> PeerServer.table(name);
        };
    }

    private CommandedProcess startClient(String system, PeerServer peer) throws IOException {
        boolean ours = !system.equals(PEER);
        List<String> ports = new ArrayList<>();
        for (int i = 0; i < options.instances; i++) {
            ports.add(Integer.toString(ServerProcess.freeAddress().getPort()));
        }
        return startCommanded(system, CLIENT_JVM, ours ? ServerProcess.ownClassPath() : peer.classPath(), KeyValueServer.class,
                List.of(system, conf().get(HConstants.ZOOKEEPER_CLIENT_PORT), "127.0.0.1:" + peer.address().getPort(), ours ? COMMITS : PeerServer.commits(system), NODE,
                        String.join(",", ports)));
    }
}
