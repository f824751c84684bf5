package org.fencepost.bench.mix;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.bench.harness.Cluster;
import org.fencepost.bench.harness.HBaseBenchmark;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.load.FencepostProtocol;
import org.fencepost.bench.load.OmidProtocol;
import org.fencepost.bench.load.Protocol;
import org.fencepost.bench.peer.PeerOptions;
import org.fencepost.bench.peer.PeerServer;
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
    /** Of Apache Omid's clients. */
    private final Map<String, String> classPaths = new HashMap<>();
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
                PeerServer server = PeerServer.start(this, peer, system, jvm(), profiles);
                managers.put(system, new Manager(server.process(), server.address(), OmidProtocol::new));
                classPaths.put(system, server.classPath());
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
                admin.createTable(PeerServer.table(TableName.valueOf(system)));
                PeerServer.createCommitTable(admin, system);
            }
        }
    }

    private static String commits(String system) {
        return isOurs(system) ? COMMITS : PeerServer.commits(system);
    }

    private static List<String> jvm() {
        return List.of("-Xms" + HEAP, "-Xmx" + HEAP);
    }

    private ContenderProcess startContender(String system) throws IOException {
        String omid = isOurs(system) ? "" : "127.0.0.1:" + managers.get(system).address().getPort();
        String classPath = isOurs(system) ? ServerProcess.ownClassPath() : classPaths.get(system);
        return new ContenderProcess(startCommanded(system, jvm(), classPath, ContenderServer.class, List.of(system, conf().get(HConstants.ZOOKEEPER_CLIENT_PORT), omid,
                system, commits(system), Integer.toString(valueBytes))));
    }

    List<ContenderProcess> contenders() {
        return contenders;
    }

    /** Null for HBase alone. */
    Manager manager(String system) {
        return managers.get(system);
    }
}
