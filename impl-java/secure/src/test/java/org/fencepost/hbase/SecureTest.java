package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.fencepost.hbase.store.Kerberos;
import org.fencepost.mediator.LocalProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On an installation that lets nobody in without Kerberos ({@link SecureCluster}): alice has rights and a keytab, mallory has a keytab and no
 * rights, and nobody has neither.
 */
@Tag("long")
class SecureTest {

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
        cluster.createTables("alice");
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
        await("Read one.", "alice", alice, "commit", SecureCluster.REGULAR, "one");
    }

    @Test
    void aFastPathWriteIsStored() throws IOException {
        await("Read two.", "alice", alice, "fast", SecureCluster.FAST, "two");
    }

    /** The helper acts under the transaction manager's name, and with its rights alone. */
    @Test
    void theHelperWritesBackWhatADeadClientHasLogged() throws Exception {
        await("Logged.", "alice", alice, "die-before-write-back", SecureCluster.MEDIATED, "three");
        String refused = cluster.manager().await("The helper could not settle", SECONDS);
        assertTrue(refused.contains("tm"), refused);
        assertNull(cluster.writtenBack());
        cluster.grant(SecureCluster.MEDIATED, "tm", Action.READ, Action.WRITE);
        cluster.awaitWrittenBack("three");
    }

    /** Without the right to see a table, HBase does not tell of it, and what was committed in it would be lost. */
    @Test
    void theJanitorCollectsIfItSeesAllTables() throws Exception {
        cluster.kdc.add("janitor");
        Path janitor = cluster.site("janitor", new Configuration(cluster.clients));
        cluster.grant(SecureCluster.COMMITS, "janitor", Action.READ, Action.WRITE, Action.ADMIN);
        String refused = await("Refused: ", "janitor", janitor, "collect", SecureCluster.COMMITS, "-");
        assertTrue(refused.contains("InvalidTableException: The janitor may not read the description of HBase table "), refused);
        cluster.grantAll("janitor", Action.READ, Action.WRITE, Action.ADMIN);
        await("Collected below ", "janitor", janitor, "collect", SecureCluster.COMMITS, "-");
    }

    @Test
    void checkTableLogsIn() throws IOException {
        try (LocalProcess command = cluster.checkTable("alice", SecureCluster.REGULAR)) {
            command.await("Table regular is set up right.", SECONDS);
        }
    }

    // ---- without

    @Test
    void aPrincipalWithoutRightsIsRefused() throws IOException {
        for (TableName table : new TableName[] {SecureCluster.REGULAR, SecureCluster.FAST}) {
            String refused = await("Refused: ", "mallory", mallory, table == SecureCluster.FAST ? "fast" : "commit", table, "x");
            assertTrue(refused.contains("AccessDeniedException: Insufficient permissions (user=mallory@" + Kdc.REALM), refused);
        }
    }

    /** ZooKeeper lets alice in; but HBase is not told who she is. */
    @Test
    void whoDoesNotLogInIsRefused() throws IOException {
        Configuration simple = new Configuration(cluster.clients);
        simple.set("hbase.security.authentication", "simple");
        simple.set("hadoop.security.authentication", "simple");
        await("Refused: ", "alice", cluster.write("simple", simple), "commit", SecureCluster.REGULAR, "x");
        String refused = await("Refused: ", "alice", cluster.write("no-keytab", new Configuration(cluster.clients)), "commit", SecureCluster.REGULAR, "x");
        assertTrue(refused.contains("HBase asks for Kerberos and this process has no ticket: set " + Kerberos.KEYTAB + " and " + Kerberos.PRINCIPAL
                + ", or run kinit"), refused);
    }

    @Test
    void whomZooKeeperDoesNotKnowIsRefused() throws IOException {
        try (LocalProcess stranger = cluster.stranger(alice, "commit", SecureCluster.REGULAR.getNameAsString(), "x")) {
            String refused = stranger.await("Refused: ", SECONDS);
            assertTrue(refused.contains("no HBase answers at ZooKeeper"), refused);
        }
    }
}
