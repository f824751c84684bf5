package org.fencepost.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.token.TokenProvider;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.store.Kerberos;
import org.fencepost.mediator.LocalProcess;

/**
 * An installation that lets nobody in without Kerberos: a key distribution center, ZooKeeper that closes sessions which do not authenticate, HBase with
 * encryption and access control, a bookie, and a transaction manager with Mediator. Each has a keytab of its own. HBase is in this JVM, the others
 * in theirs.
 */
final class SecureCluster implements AutoCloseable {

    static final long LEAP = 64;

    /** Between two logins of one process. Short, as our tickets are. */
    private static final int RELOGIN_SECONDS = 1;
    /** The same for clients of ZooKeeper. */
    private static final String ZOOKEEPER_RELOGIN = "zookeeper.kerberos.minReLoginTimeMs";

    static final TableName COMMITS = TableName.valueOf(Settings.DEFAULT_COMMIT_TABLE);
    static final TableName REGULAR = TableName.valueOf("regular");
    static final TableName FAST = TableName.valueOf("fast");
    static final TableName MEDIATED = TableName.valueOf("mediated");

    private static final Path BUILT = Path.of("..", "mediator", "target");
    private static final Path COMMAND = Path.of("..", "cli", "target");
    private static final String ZOOKEEPER = "zookeeper/localhost";
    private static final String HBASE = "hbase/localhost";
    private static final long SECONDS = 120;
    private static final String CLASS_PATH = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    final Kdc kdc;
    final Configuration clients;
    /** HBase's own superuser. */
    final Connection admin;
    private final Path directory;
    private final int zooKeeperPort = Kdc.freePort();
    private final HBaseTestingUtility utility;
    private final LocalHBaseCluster hbase;
    private final List<AutoCloseable> parts = new ArrayList<>();
    private LocalProcess zooKeeper;
    private final LocalProcess manager;

    SecureCluster(Path directory, long ticketSeconds) throws Exception {
        this.directory = directory;
        if (!Files.isDirectory(BUILT.resolve("lib")) || !Files.isDirectory(COMMAND.resolve("lib"))) {
            throw new IllegalStateException("The launcher's processes are not built: run 'make build'.");
        }
        kdc = new Kdc(Files.createDirectories(directory.resolve("kdc")), ticketSeconds);
        kdc.add(ZOOKEEPER);
        kdc.add(HBASE);
        kdc.add("bookie");
        kdc.add("tm");
        Files.writeString(directory.resolve("zoo.cfg"), "clientPortAddress=127.0.0.1\nclientPort=" + zooKeeperPort + "\ndataDir=" + directory.resolve("zookeeper")
                + "\ntickTime=1000\nmaxSessionTimeout=90000\nadmin.enableServer=false\nforceSync=no\n"
                + "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider\nsessionRequireClientSASLAuth=true\n");
        startZooKeeper();
        clients = clientConfiguration();
        System.setProperty("test.build.data.basedirectory", directory.toString());
        System.setProperty(ZOOKEEPER_RELOGIN, Integer.toString(RELOGIN_SECONDS * 1000));
        utility = new HBaseTestingUtility(serverConfiguration());
        utility.createRootDir();
        UserGroupInformation.setConfiguration(utility.getConfiguration());
        UserGroupInformation.loginUserFromKeytab(Kdc.principal(HBASE), kdc.keytab(HBASE).toString());
        hbase = new LocalHBaseCluster(utility.getConfiguration(), 1);
        hbase.startup();
        LocalProcess bookie = process("bookie", builtPath(), "org.fencepost.mediator.LocalBookie",
                List.of(metadata(), directory.resolve("bookie.data").toString(), "0"));
        bookie.await("Bookie on", SECONDS);
        // What fencepost tm is, with the options that docs/operate.md names for Kerberos.
        Path bookKeeper = Files.writeString(directory.resolve("bk.properties"), "readEntryTimeout=10\n");
        Path passwords = Files.writeString(directory.resolve("ledgers.passwords"), "of ledgers\n");
        manager = process("tm", builtPath(), "org.fencepost.mediator.MediatorTm", List.of("--zookeeper", zooKeeper(), "--port", "0",
                "--metrics-port", "0", "--leap", Long.toString(LEAP), "--conflict-table-size", "1024", "--helper-ms", "300", "--log-copies", "1",
                "--bookkeeper", metadata(), "--hbase-site", site("tm", new Configuration(clients)).toString(),
                "--bookkeeper-conf", bookKeeper.toString(), "--ledger-passwords", passwords.toString()));
        manager.await("Mediator serves", SECONDS);
        admin = ConnectionFactory.createConnection(utility.getConfiguration());
        parts.add(0, admin);
        utility.waitFor(SECONDS * 1000, () -> hbase.getActiveMaster() != null && hbase.getActiveMaster().isInitialized());
    }

    // ---- ZooKeeper

    String zooKeeper() {
        return "127.0.0.1:" + zooKeeperPort;
    }

    private String metadata() {
        return "zk+hierarchical://" + zooKeeper() + "/ledgers";
    }

    private void startZooKeeper() throws IOException {
        zooKeeper = new LocalProcess(jvm(CLASS_PATH, "Server", ZOOKEEPER), "org.apache.zookeeper.server.ZooKeeperServerMain", List.of(directory.resolve("zoo.cfg").toString()),
                directory.resolve("zookeeper.log"));
    }

    /** All connections to it break, and each client has to authenticate again. */
    void restartZooKeeper() throws IOException {
        zooKeeper.kill();
        startZooKeeper();
    }

    // ---- HBase

    private Configuration clientConfiguration() {
        Configuration conf = new Configuration(false);
        conf.setInt("hadoop.kerberos.min.seconds.before.relogin", RELOGIN_SECONDS);
        // An idle connection is closed soon: the next one needs a valid ticket.
        conf.setInt("hbase.ipc.client.connection.minIdleTimeBeforeClose", 1_000);
        conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
        conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeperPort);
        conf.set("hbase.security.authentication", "kerberos");
        conf.set("hadoop.security.authentication", "kerberos");
        conf.set("hbase.rpc.protection", "privacy");
        conf.set("hbase.master.kerberos.principal", Kdc.principal(HBASE));
        conf.set("hbase.regionserver.kerberos.principal", Kdc.principal(HBASE));
        conf.set(Settings.TM_ZOOKEEPER, zooKeeper());
        conf.setInt(Settings.TIMEOUT, 20_000);
        return conf;
    }

    private Configuration serverConfiguration() {
        Configuration conf = HBaseConfiguration.create();
        clients.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
        for (String server : List.of("master", "regionserver")) {
            conf.set("hbase." + server + ".keytab.file", kdc.keytab(HBASE).toString());
            conf.set("hbase." + server + ".ipc.address", "127.0.0.1");
            conf.set("hbase.unsafe." + server + ".hostname", "localhost");
            conf.setInt("hbase." + server + ".port", 0);
            conf.setInt("hbase." + server + ".info.port", -1);
            conf.set("hbase.coprocessor." + server + ".classes", AccessController.class.getName());
        }
        conf.set("hbase.coprocessor.region.classes", AccessController.class.getName() + "," + TokenProvider.class.getName());
        conf.setBoolean("hbase.security.authorization", true);
        conf.set("hbase.superuser", "hbase");
        conf.set("hbase.zookeeper.client.keytab.file", kdc.keytab(HBASE).toString());
        conf.set("hbase.zookeeper.client.kerberos.principal", Kdc.principal(HBASE));
        conf.setInt("hbase.regionserver.handler.count", 16);
        conf.setInt("hbase.master.wait.on.regionservers.maxtostart", 1);
        conf.setInt("hbase.regionserver.msginterval", 250);
        conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
        conf.set("hbase.wal.provider", "filesystem");
        return conf;
    }

    /** The commit table, a regular table, one with a fast path and one of Mediator, which a user may use. */
    void createTables(String user) throws IOException {
        try (Admin tables = admin.getAdmin()) {
            Tables.createCommitTable(tables, COMMITS, 1);
            Tables.create(tables, REGULAR, COMMITS, "f");
            createFastTable(FAST);
            Tables.createMediated(tables, MEDIATED, LEAP, "f");
        }
        for (TableName table : List.of(COMMITS, REGULAR, FAST, MEDIATED)) {
            grantUse(table, user);
        }
    }

    void createFastTable(TableName name) throws IOException {
        try (Admin tables = admin.getAdmin()) {
            tables.createTable(Tables.fastPath(Tables.transactional(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), COMMITS), LEAP));
        }
    }

    /** Nothing more is needed to open it. */
    void grantUse(TableName table, String user) throws IOException {
        grant(table, user, Permission.Action.READ, Permission.Action.WRITE);
    }

    /** Rights: of READ, WRITE, CREATE, ADMIN, EXEC. */
    void grant(TableName table, String user, Permission.Action... actions) throws IOException {
        try {
            AccessControlClient.grant(admin, table, user, null, null, actions);
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    /** The same, on all tables. */
    void grantAll(String user, Permission.Action... actions) throws IOException {
        try {
            AccessControlClient.grant(admin, user, actions);
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    // ---- processes of others

    /** The configuration of a client with a keytab. */
    Path site(String user, Configuration conf) throws IOException {
        conf.set(Kerberos.KEYTAB, kdc.keytab(user).toString());
        conf.set(Kerberos.PRINCIPAL, Kdc.principal(user));
        return write(user, conf);
    }

    Path write(String name, Configuration conf) throws IOException {
        Path site = directory.resolve(name + "-site.xml");
        try (OutputStream out = Files.newOutputStream(site)) {
            conf.writeXml(out);
        }
        return site;
    }

    private static String builtPath() {
        return BUILT.resolve("classes") + ":" + BUILT.resolve("lib") + "/*";
    }

    /** Runs {@link SecureClient} as a user, who is the same to ZooKeeper. */
    LocalProcess client(String user, Path site, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(site.toString()));
        all.addAll(List.of(arguments));
        return process(user, CLASS_PATH, SecureClient.class.getName(), all);
    }

    /** The same, whom ZooKeeper does not know. */
    LocalProcess stranger(Path site, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(site.toString()));
        all.addAll(List.of(arguments));
        LocalProcess process = new LocalProcess(List.of("-cp", CLASS_PATH, "-Djava.security.krb5.conf=" + kdc.conf()), SecureClient.class.getName(), all,
                directory.resolve("stranger.log"));
        parts.add(0, process);
        return process;
    }

    /** {@code fencepost check-table}, told by -D what is in the user's hbase-site.xml. */
    LocalProcess checkTable(String user, TableName table) throws IOException {
        Configuration conf = new Configuration(clients);
        site(user, conf);
        List<String> arguments = new ArrayList<>(List.of("check-table", table.getNameAsString()));
        conf.forEach(entry -> arguments.add("-D" + entry.getKey() + "=" + entry.getValue()));
        return process(user, COMMAND.resolve("classes") + ":" + COMMAND.resolve("lib") + "/*", "org.fencepost.cli.Fencepost", arguments);
    }

    private LocalProcess process(String user, String classPath, String main, List<String> arguments) throws IOException {
        LocalProcess process = new LocalProcess(jvm(classPath, "Client", user), main, arguments, directory.resolve(user + "-" + parts.size() + ".log"));
        parts.add(0, process);
        return process;
    }

    /** @param section of JAAS: a client of ZooKeeper, or its server */
    private List<String> jvm(String classPath, String section, String name) throws IOException {
        return List.of("-cp", classPath, "-Djava.security.krb5.conf=" + kdc.conf(), "-Djava.security.auth.login.config=" + kdc.jaas(section, name),
                "-D" + ZOOKEEPER_RELOGIN + "=" + RELOGIN_SECONDS * 1000);
    }

    /** What {@link SecureClient} has written to Mediator's table, and is written back; null if nothing is. */
    String writtenBack() throws IOException {
        try (Table table = admin.getTable(MEDIATED)) {
            return Bytes.toString(table.get(new Get(Bytes.toBytes("row"))).getValue(Bytes.toBytes("f"), Bytes.toBytes("a")));
        }
    }

    void awaitWrittenBack(String value) throws Exception {
        utility.waitFor(TimeUnit.SECONDS.toMillis(SECONDS), () -> value.equals(writtenBack()));
    }

    LocalProcess manager() {
        return manager;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable part : parts) {
            part.close();
        }
        hbase.shutdown();
        hbase.join();
        zooKeeper.kill();
        kdc.close();
    }
}
