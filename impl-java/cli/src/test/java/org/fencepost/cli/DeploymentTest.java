package org.fencepost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.tm.Certificates;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.wire.TlsFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * As docs/use-omid-ll.md tells users to deploy it: HBase in a process of its own with nothing of ours but the jar for region servers,
 * a transaction manager in another, with TLS and rights, and {@code fencepost check-table} in a third.
 */
class DeploymentTest {

    private static final TableName COMMITS = TableName.valueOf("commits");
    private static final TableName ACCOUNTS = TableName.valueOf("accounts");
    private static final byte[] F = Bytes.toBytes("f");
    private static final long SPAN = 1 << 20;
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx1g",
            "--add-opens", "java.base/java.lang=ALL-UNNAMED", "--add-opens", "java.base/java.nio=ALL-UNNAMED",
            "--add-opens", "java.base/java.lang.reflect=ALL-UNNAMED");

    @TempDir
    Path directory;
    private final List<Process> running = new ArrayList<>();
    private int zooKeeper;

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : running) {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    @Tag("long")
    void aRegionServerNeedsNothingButTheJar() throws Exception {
        zooKeeper = freePort();
        Certificates certificates = new Certificates(directory);
        startHBase(certificates.signed("regions", "ip:127.0.0.1"));
        TlsFiles own = certificates.signed("tm", "ip:127.0.0.1");
        TlsFiles app = certificates.signed("app", "ip:127.0.0.1");
        Path roles = Files.writeString(directory.resolve("roles"), "region-server CN=regions\nclient CN=app\n");
        Configuration conf = HBaseConfiguration.create();
        conf.set("hbase.zookeeper.quorum", "127.0.0.1:" + zooKeeper);
        conf.set(Settings.COMMIT_TABLE, COMMITS.getNameAsString());
        String tm = "127.0.0.1:" + zooKeeper;
        try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
            Tables.createCommitTable(admin, COMMITS, 2);
            TableDescriptor accounts = TableDescriptorBuilder.newBuilder(ACCOUNTS)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build();
            admin.createTable(Tables.fastPath(Tables.transactional(accounts, COMMITS), SPAN));
            assertEquals("1: Region " + regionOf(admin), checkTable("accounts").replaceAll(" on .*", ""), "no transaction manager yet");

            start("tm.log", ownClassPath(), "org.fencepost.cli.Fencepost", "tm", "--zookeeper", tm, "--host", "127.0.0.1", "--port", "0",
                    "--metrics-port", "0", "--leap", Long.toString(SPAN), "--tls-cert", own.certificate().toString(), "--tls-key", own.key().toString(),
                    "--tls-ca", own.authority().toString(), "--authorize", roles.toString());
            try (RemoteTransactionManager manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(tm, app));
                    TransactionClient client = TransactionClient.open(conf, manager)) {
                FastTable fast = client.fastTable(ACCOUNTS).orElseRegular(5);
                fast.write(new Put(F).addColumn(F, F, F));
                assertEquals("f", Bytes.toString(fast.read(new Get(F).addColumn(F, F)).value()));
            }
            assertEquals("0: Table accounts is set up right.", checkTable("accounts", "--tm-zookeeper", tm, "--tls-cert", app.certificate().toString(),
                    "--tls-key", app.key().toString(), "--tls-ca", app.authority().toString()));

            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(ACCOUNTS))
                    .removeCoprocessor("org.fencepost.hbase.server.FastPathObserver").build());
            assertTrue(checkTable("accounts").startsWith("1: HBase table accounts has lost its coprocessor"), "the coprocessor is gone");
        }
    }

    @Test
    void theJarSaysUnderWhichTermsItMayBeUsed() throws Exception {
        try (JarFile jar = new JarFile(serverJar().toFile())) {
            assertTrue(text(jar, "META-INF/LICENSE").contains("Apache License") && text(jar, "META-INF/LICENSE").contains("END OF TERMS AND CONDITIONS"));
            String notice = text(jar, "META-INF/NOTICE");
            assertTrue(notice.startsWith("Fencepost\n") && notice.contains("The Netty Project") && notice.contains("Apache Curator"), notice);
            assertTrue(jar.stream().noneMatch(entry -> entry.getName().contains("/codec/compression/")), "NOTICE does not name what this contains");
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        assertEquals(1, jar.stream().filter(entry -> entry.getName().equals(name)).count(), name);
        try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whereNothingAnswersOneSentenceSaysSo() throws Exception {
        zooKeeper = freePort();
        String said = checkTable("accounts", "-Dzookeeper.recovery.retry=0", "-Dhbase.client.operation.timeout=3000", "--tm-zookeeper",
                "127.0.0.1:" + zooKeeper);
        assertTrue(said.startsWith("2: ") && said.lines().count() == 1, said);
    }

    private static String regionOf(Admin admin) throws IOException {
        return admin.getRegions(ACCOUNTS).get(0).getRegionNameAsString();
    }

    // ---- processes

    /** HBase's standalone mode: master, region server and ZooKeeper in one JVM, data on the local file system. */
    private void startHBase(TlsFiles tls) throws Exception {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Files.writeString(conf.resolve("hbase-site.xml"), site(Map.ofEntries(
                Map.entry("hbase.rootdir", directory.resolve("hbase").toUri().toString()), Map.entry("hbase.tmp.dir", directory.resolve("tmp").toString()),
                Map.entry("hbase.zookeeper.property.dataDir", directory.resolve("zookeeper").toString()),
                Map.entry("hbase.zookeeper.quorum", "127.0.0.1"), Map.entry("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeper)),
                Map.entry("hbase.zookeeper.property.clientPortAddress", "127.0.0.1"),
                Map.entry("hbase.master.port", "0"), Map.entry("hbase.regionserver.port", "0"), Map.entry("hbase.master.info.port", "-1"),
                Map.entry("hbase.regionserver.info.port", "-1"), Map.entry("hbase.master.ipc.address", "127.0.0.1"),
                Map.entry("hbase.regionserver.ipc.address", "127.0.0.1"), Map.entry("hbase.unsafe.master.hostname", "localhost"),
                Map.entry("hbase.unsafe.regionserver.hostname", "localhost"), Map.entry("hbase.unsafe.stream.capability.enforce", "false"),
                Map.entry(Settings.TM_TLS_CERT, tls.certificate().toString()), Map.entry(Settings.TM_TLS_KEY, tls.key().toString()),
                Map.entry(Settings.TM_TLS_CA, tls.authority().toString()), Map.entry(Settings.TM_ZOOKEEPER, "127.0.0.1:" + zooKeeper))));
        String libraries = Stream.of(ownClassPath().split(":")).filter(entry -> !entry.contains("fencepost"))
                .filter(entry -> !entry.endsWith("/target/classes") && !entry.endsWith("/target/test-classes")).collect(Collectors.joining(":"));
        start("hbase.log", conf + ":" + serverJar() + ":" + libraries, "org.apache.hadoop.hbase.master.HMaster", "start");
    }

    private static Path serverJar() throws IOException {
        try (Stream<Path> built = Files.list(Path.of("../hbase-server/target"))) {
            return built.filter(file -> file.getFileName().toString().endsWith("-server.jar")).findAny()
                    .orElseThrow(() -> new IllegalStateException("The jar for region servers is not built: run `make build`.")).toAbsolutePath();
        }
    }

    private static String site(Map<String, String> properties) {
        return properties.entrySet().stream().map(e -> "<property><name>" + e.getKey() + "</name><value>" + e.getValue() + "</value></property>")
                .collect(Collectors.joining("\n", "<configuration>", "</configuration>"));
    }

    private static String ownClassPath() {
        return System.getProperty("java.class.path");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Process start(String log, String classPath, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(directory.resolve(log).toFile()).start();
        running.add(process);
        return process;
    }

    /** Exit code and all that a user sees. */
    private String checkTable(String table, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("check-table", "--zookeeper", "127.0.0.1:" + zooKeeper));
        arguments.addAll(List.of(options));
        arguments.add(table);
        Process process = start("check.log", ownClassPath(), "org.fencepost.cli.Fencepost", arguments.toArray(String[]::new));
        int code = process.waitFor();
        return code + ": " + Files.readString(directory.resolve("check.log")).strip();
    }
}
