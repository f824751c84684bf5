package org.fencepost.hbase;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.fencepost.mediator.LocalProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets that last for half a minute, and processes that go on for several of them. Minutes: {@code make test-secure}. */
@Tag("evidence")
class RenewalTest {

    private static final long TICKET_SECONDS = 30;
    private static final long SECONDS = 240;

    @TempDir
    static Path directory;
    private static SecureCluster cluster;
    private static Path alice;

    @BeforeAll
    static void start() throws Exception {
        cluster = new SecureCluster(directory, TICKET_SECONDS);
        cluster.kdc.add("alice");
        alice = cluster.site("alice", new Configuration(cluster.clients));
        cluster.createTables("alice");
        cluster.grant(SecureCluster.MEDIATED, "tm", Action.READ, Action.WRITE);
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static LocalProcess client(Path site, String what, TableName table, String value) throws IOException {
        return cluster.client("alice", site, what, table.getNameAsString(), value);
    }

    /** Else the next test shows nothing. */
    @Test
    void withoutRenewalHBaseRefusesWhenTheTicketIsOver() throws IOException {
        Path noKeytab = cluster.write("no-keytab", new Configuration(cluster.clients));
        try (LocalProcess client = client(noKeytab, "go-on-with-one-ticket", SecureCluster.REGULAR, Long.toString(SECONDS))) {
            client.await("Read round 3.", SECONDS);
            client.await("No valid credentials provided (Mechanism level: Failed to find any Kerberos tgt)", SECONDS);
        }
    }

    /** The client's connections to HBase, the manager's to HBase, and, after a restart, everybody's to ZooKeeper. */
    @Test
    void everyProcessOutlivesItsTickets() throws Exception {
        try (LocalProcess going = client(alice, "go-on", SecureCluster.REGULAR, Long.toString(5 * TICKET_SECONDS))) {
            going.await("Read round 1.", SECONDS);
            TimeUnit.SECONDS.sleep(2 * TICKET_SECONDS);
            cluster.restartZooKeeper();
            going.await("Went on.", SECONDS);
        }
        // The region server asks the transaction manager for the time.
        TableName later = TableName.valueOf("later");
        cluster.createFastTable(later);
        cluster.grantUse(later, "alice");
        try (LocalProcess fast = client(alice, "fast", later, "later")) {
            fast.await("Read later.", SECONDS);
        }
        try (LocalProcess dying = client(alice, "die-before-write-back", SecureCluster.MEDIATED, "late")) {
            dying.await("Logged.", SECONDS);
        }
        cluster.awaitWrittenBack("late");
    }
}
