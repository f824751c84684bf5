package org.fencepost.bench.mediator;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fencepost.bench.harness.ClientCluster;
import org.fencepost.bench.harness.Probe;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.tm.client.RemoteOracle;

/**
 * What {@link BenchMediator} measures. The status oracle is in the transaction manager's process, its log on bookies in processes
 * of their own. These have a class path of their own, since BookKeeper and HBase's servers want different versions of a library.
 */
final class MixCluster extends ClientCluster {

    /** Without coprocessors. */
    static final TableName BARE = TableName.valueOf("bare");
    static final TableName MEDIATED = TableName.valueOf("mediated");
    static final TableName TRANSACTIONAL = TableName.valueOf("transactional");

    private static final List<String> BOOKIE_JVM = List.of("-Xms128m", "-Xmx128m", "-XX:MaxDirectMemorySize=128m", "-XX:+UseSerialGC");

    private final int bookies;
    private final boolean sync;
    private final Path build;
    private MediatorClient mediator;

    /**
     * @param sync  whether bookies acknowledge what is on the disk only; HBase's data nodes acknowledge what the operating system has
     * @param build of the transaction manager with BookKeeper: has classes and lib in it
     */
    MixCluster(Path directory, int bookies, boolean sync, Path build) {
        super(directory);
        this.bookies = bookies;
        this.sync = sync;
        this.build = build;
    }

    @Override
    public void start(List<String> hbaseJvm, int dataNodes) throws IOException {
        super.start(hbaseJvm, dataNodes);
        RemoteOracle oracle = new RemoteOracle(manager());
        mediator = opened(MediatorClient.open(conf(), oracle, oracle));
    }

    @Override
    protected void createTables(Admin admin) throws IOException {
        admin.createTable(plain(BARE));
        admin.createTable(Tables.transactional(plain(TRANSACTIONAL), COMMITS));
        admin.createTable(Tables.mediated(plain(MEDIATED), LEAP));
    }

    @Override
    protected ServerProcess transactionManager(List<String> arguments, Path log) throws IOException {
        String metadata = "zk+hierarchical://" + zooKeeper() + "/ledgers";
        for (int i = 1; i <= bookies; i++) {
            startBookie(i, metadata);
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--bookkeeper", metadata, "--log-copies", Integer.toString(bookies), "--hbase-site", hbaseSite().toString()));
        return new ServerProcess("the transaction manager", ServerProcess.ANY_CORE, TM_JVM, classPath(), "org.fencepost.mediator.MediatorTm", all, log);
    }

    private void startBookie(int number, String metadata) throws IOException {
        Path log = directory().resolve("bookie-" + number + ".log");
        List<String> jvm = new ArrayList<>(BOOKIE_JVM);
        jvm.add("-Dfencepost.bookie.sync=" + sync);
        ServerProcess bookie = opened(new ServerProcess("bookie " + number, ServerProcess.ANY_CORE, jvm, classPath(),
                "org.fencepost.mediator.LocalBookie", List.of(metadata, data().resolve("bookie-" + number).toString(), "0"), log));
        await(bookie, () -> Files.readString(log).contains("Bookie on "));
    }

    private String classPath() {
        return String.join(":", build.resolve("classes").toString(), build.resolve("lib") + "/*", ServerProcess.classes(Probe.class));
    }

    private Path hbaseSite() throws IOException {
        Configuration site = new Configuration(false);
        site.set(HConstants.ZOOKEEPER_QUORUM, conf().get(HConstants.ZOOKEEPER_QUORUM));
        site.set(HConstants.ZOOKEEPER_CLIENT_PORT, conf().get(HConstants.ZOOKEEPER_CLIENT_PORT));
        Path file = directory().resolve("hbase-site.xml").toAbsolutePath();
        try (OutputStream out = Files.newOutputStream(file)) {
            site.writeXml(out);
        }
        return file;
    }

    MediatorClient mediator() {
        return mediator;
    }
}
