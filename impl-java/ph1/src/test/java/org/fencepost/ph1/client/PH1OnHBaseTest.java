package org.fencepost.ph1.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.ph1.store.HBaseLog;
import org.fencepost.ph1.store.HBaseUnversionedStore;
import org.fencepost.tm.TmProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three instances on a real HBase with one version of each cell, and a transaction manager in a process of its own. */
@Tag("evidence")
class PH1OnHBaseTest {

    @TempDir
    static Path directory;

    private static EmbeddedHBase hbase;
    private static TmProcess manager;
    private static Connection connection;
    private static Instances instances;

    @BeforeAll
    static void start() throws IOException {
        hbase = EmbeddedHBase.start(1);
        String zooKeeper = "127.0.0.1:" + hbase.configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
        manager = new TmProcess(zooKeeper, "--lease-ms", "60000");
        connection = ConnectionFactory.createConnection(hbase.configuration());
        HBaseUnversionedStore.createTable(connection, "accounts");
        HBaseUnversionedStore.createTable(connection, "other");
        HBaseUnversionedStore.createTable(connection, "cells");
        instances = new Instances(3, zooKeeper, () -> new HBaseUnversionedStore(connection), () -> new HBaseLog(connection));
    }

    @AfterAll
    static void stop() throws IOException {
        instances.close();
        connection.close();
        manager.close();
        hbase.close();
    }

    @Test
    void theStoreKeepsTheGreaterTimestamp() {
        Contract.storeKeepsTheGreaterTimestamp(new HBaseUnversionedStore(connection), "cells");
    }

    @Test
    void theStoreScansInOrder() {
        Contract.storeScansInOrder(new HBaseUnversionedStore(connection), "cells");
    }

    @Test
    void transactionsSeeSnapshots() {
        Contract.transactionsSeeSnapshots(instances.get(0), instances.get(1), "other");
    }

    @Test
    void moneyIsNotLostWhenTheKeeperStops() throws InterruptedException {
        int commits = Contract.transfers(instances, 3, "accounts", 8_000, () -> instances.get(0).close());
        assertTrue(commits > 50, () -> commits + " commits");
    }
}
