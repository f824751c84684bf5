package org.fencepost.ph1.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.fencepost.ph1.demo.CassandraNode;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraSessions;
import org.fencepost.ph1.store.CassandraStore;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.TmProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three instances on a real Cassandra, with a real transaction manager, each in a process of its own, and ZooKeeper. */
@Tag("long")
class PH1OnCassandraTest {

    private static final String HOST = "127.0.0.43";
    private static final String KEYSPACE = "test";

    @TempDir
    static Path directory;

    private static CassandraNode node;
    private static TestZooKeeper zooKeeper;
    private static TmProcess manager;
    private static CqlSession session;
    private static Instances instances;

    @BeforeAll
    static void start() throws Exception {
        node = CassandraNode.start(Path.of(System.getProperty("fencepost.cassandra"), "lib"), directory.resolve("cassandra"), HOST, HOST);
        zooKeeper = new TestZooKeeper(directory.resolve("zookeeper"));
        manager = new TmProcess(zooKeeper.address(), "--lease-ms", "60000");
        node.await();
        session = CassandraSessions.open(List.of(new InetSocketAddress(HOST, CassandraNode.PORT)), "datacenter1");
        CassandraSessions.createKeyspace(session, KEYSPACE, 1);
        CassandraStore.createTable(session, KEYSPACE, "accounts");
        CassandraStore.createTable(session, KEYSPACE, "other");
        CassandraStore.createTable(session, KEYSPACE, "cells");
        instances = new Instances(3, zooKeeper.address(), () -> new CassandraStore(session, KEYSPACE), () -> new CassandraLog(session, KEYSPACE));
    }

    @AfterAll
    static void stop() {
        for (AutoCloseable part : new AutoCloseable[] {instances, session, manager, zooKeeper, node}) {
            try {
                part.close();
            } catch (Exception e) {
                System.err.println("not started, or not stopped: " + e);
            }
        }
    }

    @Test
    void theStoreKeepsTheGreaterTimestamp() {
        Contract.storeKeepsTheGreaterTimestamp(new CassandraStore(session, KEYSPACE), "cells");
    }

    @Test
    void theStoreScansInOrder() {
        Contract.storeScansInOrder(new CassandraStore(session, KEYSPACE), "cells");
    }

    @Test
    void theLogTakesOneRecordOfItsGeneration() {
        CassandraSessions.createKeyspace(session, "log_test", 1);
        Contract.logTakesOneRecordOfItsGeneration(new CassandraLog(session, "log_test"), 1L << 40);
    }

    @Test
    void transactionsSeeSnapshots() {
        Contract.transactionsSeeSnapshots(instances.get(0), instances.get(1), "other");
    }

    @Test
    void moneyIsNotLostWhenTheKeeperStops() throws InterruptedException {
        int commits = Contract.transfers(instances, 3, "accounts", 12_000, () -> {
            instances.get(0).close();
            Instances.until(() -> instances.get(1).instances() == 2);
            instances.start(0);
        });
        assertTrue(commits > 50, () -> commits + " commits");
        Instances.until(() -> instances.get(0).instances() == 3);
        Instances.until(() -> instances.get(1).versions() == 0); // all that nobody needs is evicted
    }

    @Test
    void aTableThatIsMissingIsNamed() {
        try (Transaction tx = instances.get(0).begin()) {
            StoreException e = assertThrows(StoreException.class, () -> instances.get(0).table("missing").get(tx, new byte[] {1}));
            assertTrue(e.getMessage().contains("missing"), e.getMessage());
            assertFalse(e.getMessage().contains("\n"));
            assertThrows(IllegalArgumentException.class, () -> instances.get(0).table("Missing"));
            assertThrows(IllegalArgumentException.class, () -> instances.get(0).table("other").put(tx, new byte[0], new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> instances.get(0).table("other").put(tx, new byte[1], new byte[2 << 20]));
        }
    }
}
