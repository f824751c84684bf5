package org.fencepost.bench.mix;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import one.profiler.AsyncProfiler;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.bench.harness.Cluster;
import org.fencepost.bench.harness.HBaseBenchmark;
import org.fencepost.bench.harness.Probe;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.load.FencepostProtocol;
import org.fencepost.bench.load.Generator;
import org.fencepost.bench.load.Load;
import org.fencepost.bench.load.OmidProtocol;
import org.fencepost.bench.load.Protocol;
import org.fencepost.bench.load.Scenario;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.protocol.manager.TransactionManager;

/**
 * The systems that are compared: one HBase for all, a transaction manager for ours and one for each mode of Apache
 * Omid, and for each system a table and a client's process of its own. A system's processes are idle while others have their
 * turn.
 *
 * <p>Apache Omid's commit tables are in HBase, too, as it comes; its timestamps are in memory, and its lease is taken for
 * granted. Ours has its lease and epochs in ZooKeeper.
 */
final class BenchCluster extends Cluster {

    static final String NATIVE = "native";
    static final String OMID_DEFAULT = OmidProtocol.DEFAULT;
    static final String OMID_LL = OmidProtocol.LL;
    static final String LL = "ll";
    /** Omid LL on a table with the fast path, which commits what lies in one row in one phase. */
    static final String ONE_PHASE = "one-phase";
    static final String FP = "fp";
    static final String TWO_PHASE = "2pc";
    static final String FRAGOLA = "fragola";
    /** Omid LL on a table with checkpoints. */
    static final String LEVELS = "levels";
    static final List<String> NAMES = List.of(NATIVE, OMID_DEFAULT, OMID_LL, LL, ONE_PHASE, FP, TWO_PHASE, FRAGOLA);

    /** A transaction manager, as the background load meets it. */
    record Manager(ServerProcess process, InetSocketAddress address, Supplier<Protocol> protocols) {
    }

    private static final String COMMITS = "commits";
    private static final String HEAP = "1g";

    private final HBaseBenchmark options;
    private final PeerOptions peer;
    private final int valueBytes;
    private final List<String> systems;
    private final boolean profiles;
    /** Null while it is not needed. */
    private TransactionManager ours;
    private final Map<String, Manager> managers = new HashMap<>();
    private final List<ContenderProcess> contenders = new ArrayList<>();

    /**
     * @param valueBytes size of each value that is loaded or written, but for a closure's
     * @param systems  which are to run
     * @param profiles whether async-profiler is on the class path of Apache Omid's processes
     */
    BenchCluster(HBaseBenchmark options, PeerOptions peer, int valueBytes, List<String> systems, boolean profiles, Path directory) {
        super(directory);
        this.options = options;
        this.peer = peer;
        this.valueBytes = valueBytes;
        this.systems = systems;
        this.profiles = profiles;
    }

    void start() throws IOException {
        startHBase(options.hbaseJvm(), options.replicas);
        if (systems.stream().anyMatch(system -> isOurs(system) && !system.equals(NATIVE))) {
            startOurManager();
        }
        try (Connection connection = ConnectionFactory.createConnection(conf()); Admin admin = connection.getAdmin()) {
            Tables.createCommitTable(admin, TableName.valueOf(COMMITS), COMMIT_SHARDS);
            for (String system : systems) {
                createTable(admin, system);
            }
        }
        for (String system : systems) {
            if (!isOurs(system)) {
                managers.put(system, startOmid(system));
            }
        }
        for (String system : systems) {
            contenders.add(startContender(system));
        }
    }

    private static boolean isOurs(String system) {
        return !system.equals(OMID_LL) && !system.equals(OMID_DEFAULT);
    }

    private void startOurManager() throws IOException {
        InetSocketAddress address = ServerProcess.freeAddress();
        ServerProcess process = startTransactionManager(address.getPort());
        Manager manager = new Manager(process, address, FencepostProtocol::new);
        ours = connect(process);
        List.of(LL, ONE_PHASE, FP, TWO_PHASE, FRAGOLA, LEVELS).forEach(system -> managers.put(system, manager));
    }

    private void createTable(Admin admin, String system) throws IOException {
        TableDescriptor plain = plain(TableName.valueOf(system));
        TableDescriptor transactional = Tables.transactional(plain, TableName.valueOf(COMMITS));
        switch (system) {
            case NATIVE -> admin.createTable(plain);
            case LL -> admin.createTable(transactional);
            case LEVELS -> admin.createTable(Tables.checkpoints(transactional, LEAP));
            case ONE_PHASE, FP -> admin.createTable(Tables.fastPath(transactional, LEAP));
            case FRAGOLA -> admin.createTable(Tables.withLeaders(plain, ours));
            case TWO_PHASE -> admin.createTable(Tables.twoPhase(transactional));
            default -> {
                admin.createTable(TableDescriptorBuilder.newBuilder(plain).modifyColumnFamily(
                        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(Integer.MAX_VALUE).build()).build());
                admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(commits(system)))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("F")).setColumnFamily(ColumnFamilyDescriptorBuilder.of("LWF")).build(),
                        IntStream.range(1, COMMIT_SHARDS).mapToObj(i -> new byte[] {(byte) i}).toArray(byte[][]::new));
            }
        }
    }

    /** Apache Omid's keys begin with the last four bits of the timestamp; ours with the number of the shard. */
    private static String commits(String system) {
        return isOurs(system) ? COMMITS : system + "-commits";
    }

    private Manager startOmid(String system) throws IOException {
        InetSocketAddress address = ServerProcess.freeAddress();
        Path configuration = Files.createDirectories(directory().resolve(system));
        Files.writeString(configuration.resolve("omid-server-configuration.yml"), """
                port: %d
                networkIfaceName: lo
                conflictMapSize: %d
                lowLatency: %b
                timestampStoreModule: !!org.apache.omid.tso.InMemoryTimestampStorageModule [ ]
                commitTableStoreModule: !!org.apache.omid.committable.hbase.DefaultHBaseCommitTableStorageModule
                    tableName: "%s"
                leaseModule: !!org.apache.omid.tso.VoidLeaseManagementModule [ ]
                """.formatted(address.getPort(), peer.conflictEntries, system.equals(OMID_LL), commits(system)));
        Files.writeString(configuration.resolve("hbase-site.xml"), """
                <configuration>
                  <property><name>%s</name><value>127.0.0.1</value></property>
                  <property><name>%s</name><value>%s</value></property>
                </configuration>
                """.formatted(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT, conf().get(HConstants.ZOOKEEPER_CLIENT_PORT)));
        ServerProcess process = opened(new ServerProcess(system + "'s server", ServerProcess.ANY_CORE, jvm(), peerClassPath(configuration),
                "org.apache.omid.tso.TSOServer", List.of(), directory().resolve(system + "-server.log")));
        Manager manager = new Manager(process, address, OmidProtocol::new);
        await(process, () -> {
            try {
                new Generator(address, manager.protocols(), Load.closed(new Scenario(1, 0), 1, 2)).close();
                return true;
            } catch (IOException | IllegalStateException e) {
                return false;
            }
        });
        return manager;
    }

    private static List<String> jvm() {
        return List.of("-Xms" + HEAP, "-Xmx" + HEAP);
    }

    /** Apache Omid's libraries, and of ours only what drives them. */
    private String peerClassPath(Path configuration) {
        String libraries = String.join(":", configuration.toString(), peer.libraries + "/*", ServerProcess.classes(Probe.class));
        return profiles ? libraries + ":" + ServerProcess.classes(AsyncProfiler.class) : libraries;
    }

    private ContenderProcess startContender(String system) throws IOException {
        Path ready = directory().resolve(system + "-client.port");
        Files.deleteIfExists(ready);
        String omid = isOurs(system) ? "" : "127.0.0.1:" + managers.get(system).address().getPort();
        String classPath = isOurs(system) ? ServerProcess.ownClassPath() : peerClassPath(directory().resolve(system));
        ServerProcess process = opened(new ServerProcess("the client of " + system, ServerProcess.ANY_CORE, jvm(), classPath, ContenderServer.class.getName(),
                List.of(ready.toString(), system, conf().get(HConstants.ZOOKEEPER_CLIENT_PORT), omid, system, commits(system),
                        Integer.toString(valueBytes)), directory().resolve(system + "-client.log")));
        await(process, () -> Files.exists(ready));
        return opened(new ContenderProcess(system, process, Integer.parseInt(Files.readString(ready))));
    }

    List<ContenderProcess> contenders() {
        return contenders;
    }

    /** Null for HBase alone. */
    Manager manager(String system) {
        return managers.get(system);
    }
}
