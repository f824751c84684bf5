package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.mediator.LocalProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On an installation that lets nobody in without Kerberos ({@link SecureCluster}): alice has rights and a keytab, mallory has a keytab and no
 * rights, and nobody has neither.
 */
class SecureTest {

    private static final TableName COMMITS = TableName.valueOf(Settings.DEFAULT_COMMIT_TABLE);
    private static final TableName REGULAR = TableName.valueOf("regular");
    private static final TableName FAST = TableName.valueOf("fast");
    private static final TableName MEDIATED = TableName.valueOf("mediated");
    private static final long SECONDS = 120;

    @TempDir
    static Path directory;
    private static SecureCluster cluster;
    private static Path alice;
    private static Path mallory;

    @BeforeAll
    static void start() throws Exception {
        cluster = new SecureCluster(directory, TimeUnit.HOURS.toSeconds(1));
        cluster.kdc.add("alice");
        cluster.kdc.add("mallory");
        alice = cluster.site("alice", new Configuration(cluster.clients));
        mallory = cluster.site("mallory", new Configuration(cluster.clients));
        try (Admin admin = cluster.admin.getAdmin()) {
            Tables.createCommitTable(admin, COMMITS, 1);
            Tables.create(admin, REGULAR, COMMITS, "f");
            admin.createTable(Tables.fastPath(Tables.transactional(TableDescriptorBuilder.newBuilder(FAST)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), COMMITS), SecureCluster.LEAP));
            Tables.createMediated(admin, MEDIATED, SecureCluster.LEAP, "f");
        }
        // A table is opened by its description, for which HBase asks for CREATE or ADMIN.
        for (TableName table : new TableName[] {COMMITS, REGULAR, FAST, MEDIATED}) {
            cluster.grant(table, "alice", Action.READ, Action.WRITE, Action.CREATE);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** Waits for what the program says, and returns the line. */
    private static String await(String expected, String user, Path site, String what, TableName table, String value) throws IOException {
        try (LocalProcess client = cluster.client(user, site, what, table.getNameAsString(), value)) {
            return client.await(expected, SECONDS);
        }
    }

    // ---- with rights

    @Test
    void aTransactionCommits() throws IOException {
        await("Read one.", "alice", alice, "commit", REGULAR, "one");
    }

    @Test
    void aFastPathWriteIsStored() throws IOException {
        await("Read two.", "alice", alice, "fast", FAST, "two");
    }

    /** The helper acts under the transaction manager's name, and with its rights alone. */
    @Test
    void theHelperWritesBackWhatADeadClientHasLogged() throws Exception {
        await("Logged.", "alice", alice, "die-before-write-back", MEDIATED, "three");
        String refused = cluster.manager().await("The helper could not settle", SECONDS);
        assertTrue(refused.contains("tm"), refused);
        assertEquals(null, stored());
        cluster.grant(MEDIATED, "tm", Action.READ, Action.WRITE);
        for (long start = System.nanoTime(); !"three".equals(stored()); TimeUnit.MILLISECONDS.sleep(100)) {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS), "not written back");
        }
    }

    private static String stored() throws IOException {
        try (Table table = cluster.admin.getTable(MEDIATED)) {
            return Bytes.toString(table.get(new Get(Bytes.toBytes("row"))).getValue(Bytes.toBytes("f"), Bytes.toBytes("a")));
        }
    }

    /** Without the right to see a table, HBase does not tell of it, and what was committed in it would be lost. */
    @Test
    void theJanitorCollectsIfItSeesAllTables() throws Exception {
        cluster.kdc.add("janitor");
        Path janitor = cluster.site("janitor", new Configuration(cluster.clients));
        cluster.grant(COMMITS, "janitor", Action.READ, Action.WRITE, Action.CREATE);
        String refused = await("Refused: ", "janitor", janitor, "collect", COMMITS, "-");
        assertTrue(refused.contains("InvalidTableException: The janitor may not read the description of HBase table "), refused);
        cluster.grantAll("janitor", Action.READ, Action.WRITE, Action.CREATE);
        await("Collected below ", "janitor", janitor, "collect", COMMITS, "-");
    }

    @Test
    void checkTableLogsIn() throws IOException {
        try (LocalProcess command = cluster.checkTable("alice", REGULAR)) {
            command.await("Table regular is set up right.", SECONDS);
        }
    }

    // ---- without

    @Test
    void aPrincipalWithoutRightsIsRefused() throws IOException {
        for (TableName table : new TableName[] {REGULAR, FAST}) {
            String refused = await("Refused: ", "mallory", mallory, table == FAST ? "fast" : "commit", table, "x");
            assertTrue(refused.contains("AccessDeniedException: Insufficient permissions (user=mallory@" + Kdc.REALM), refused);
        }
    }

    /** ZooKeeper lets alice in; but HBase is not told who she is. */
    @Test
    void whoDoesNotLogInIsRefused() throws IOException {
        Configuration simple = new Configuration(cluster.clients);
        simple.set("hbase.security.authentication", "simple");
        simple.set("hadoop.security.authentication", "simple");
        await("Refused: ", "alice", cluster.write("simple", simple), "commit", REGULAR, "x");
        String refused = await("Refused: ", "alice", cluster.write("no-keytab", new Configuration(cluster.clients)), "commit", REGULAR, "x");
        assertTrue(refused.contains("HBase asks for Kerberos and this process has no ticket: set " + Kerberos.KEYTAB + " and " + Kerberos.PRINCIPAL
                + ", or run kinit"), refused);
    }
}
