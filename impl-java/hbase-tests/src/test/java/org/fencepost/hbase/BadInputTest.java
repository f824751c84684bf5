package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.TransactionFinishedException;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** Bad input gets one sentence that says what to do, and loses nothing. */
@ExtendWith(Fixture.Extension.class)
class BadInputTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        client = hbase.client();
        table = client.table(hbase.table());
    }

    /** The message holds the words, is one sentence on one line, and the exception is of this very type. */
    private static void refused(Class<? extends Exception> type, String words, Executable call) {
        Exception e = assertThrows(type, call);
        assertEquals(type, e.getClass());
        assertTrue(e.getMessage().contains(words), e.getMessage());
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
        assertTrue(e.getMessage().endsWith("."), e.getMessage());
    }

    private static void refused(String words, Executable call) {
        refused(IllegalArgumentException.class, words, call);
    }

    @Test
    void requestsThatMakeNoSenseInATransaction() throws Exception {
        byte[] reserved = Layout.commitQualifier(Bytes.toBytes("a"));
        byte[] tombstone = Layout.encode(org.fencepost.protocol.store.Write.tombstone());
        Transaction tx = client.begin();
        table.put(tx, put("r", "a", "1"));

        refused("is reserved", () -> table.put(tx, new Put(F).addColumn(F, reserved, F)));
        refused("is reserved", () -> table.get(tx, get("r").addColumn(F, reserved)));
        refused("is reserved", () -> table.getScanner(tx, new Scan().addColumn(F, reserved)));
        refused("is reserved", () -> table.delete(tx, new Delete(F).addColumns(F, reserved)));
        refused("value is reserved", () -> table.put(tx, new Put(F).addColumn(F, F, tombstone)));

        refused("leave the timestamp of column f:f out", () -> table.put(tx, new Put(F).addColumn(F, F, 5L, F)));
        refused("leave the timestamp of column f:f out", () -> table.delete(tx, new Delete(F).addColumn(F, F, 5L)));
        refused("leave the timestamp", () -> table.delete(tx, new Delete(F).addFamilyVersion(F, 5L)));
        refused("time to live", () -> table.put(tx, new Put(F).addColumn(F, F, F).setTTL(5)));
        refused("visibility labels and access lists, would be lost: leave [label] out",
                () -> table.put(tx, put("r", "a", "2").setAttribute("label", F)));
        refused("leave versions and time ranges out of the Get", () -> table.get(tx, get("r").readAllVersions()));
        refused("leave versions and time ranges out of the Get", () -> table.get(tx, get("r").setTimeRange(1, 5)));
        refused("leave versions, time ranges and raw out of the Scan", () -> table.getScanner(tx, new Scan().setTimestamp(5)));
        refused("leave versions, time ranges and raw out of the Scan", () -> table.getScanner(tx, new Scan().setRaw(true)));
        refused("leave time ranges out", () -> table.getScanner(tx, new Scan().setColumnFamilyTimeRange(F, 1, 5)));
        refused("TimestampsFilter cannot be used", () -> table.getScanner(tx, new Scan().setFilter(
                new FilterList(new TimestampsFilter(List.of(1L))))));

        refused("leave batch, partial results and cursors", () -> table.getScanner(tx, new Scan().setBatch(2)));
        refused("leave them out of the Scan", () -> table.getScanner(tx, new Scan().setMaxResultsPerColumnFamily(2)));
        refused("leave them out of the Get", () -> table.get(tx, get("r").setRowOffsetPerColumnFamily(2)));
        refused("Result of a Get for emptiness", () -> table.get(tx, get("r").setCheckExistenceOnly(true)));
        refused("timeline consistency", () -> table.get(tx, get("r").setConsistency(Consistency.TIMELINE)));

        refused("has no columns", () -> table.put(tx, new Put(F)));
        refused("has no family nofamily", () -> table.put(tx, new Put(F).addColumn(Bytes.toBytes("nofamily"), F, F)));
        refused("has no family nofamily", () -> table.get(tx, get("r").addFamily(Bytes.toBytes("nofamily"))));
        refused("has no family nofamily", () -> table.delete(tx, new Delete(F).addFamily(Bytes.toBytes("nofamily"))));

        tx.commit();
        try (Transaction after = client.begin()) {
            assertEquals("f:a=1", read(table, after, "r"), "what was written before is not lost");
        }
    }

    @Test
    void cellsOverTheLimitsOfHBase() throws Exception {
        hbase.conf.setInt("hbase.client.keyvalue.maxsize", 1000);
        TransactionClient limited = hbase.client();
        TransactionalTable same = limited.table(table.name());
        Transaction tx = limited.begin();
        refused("HBase takes at most 1000", () -> same.put(tx, List.of(put("r", "a", "1"), put("s", "a", "x".repeat(1000)))));
        same.put(tx, put("s", "a", "x".repeat(900)));
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> put("k".repeat(40_000), "a", "1"));
        assertTrue(e.getMessage().contains("32767"), e.getMessage()); // HBase's own sentence, from its own class
        tx.commit();
        try (Transaction after = client.begin()) {
            assertEquals("", read(table, after, "r"), "a list of puts is taken as a whole or not at all");
        }
    }

    @Test
    void aTransactionThatGrowsTooLarge() throws Exception {
        hbase.conf.setLong(Settings.MAX_WRITE_BYTES, 50);
        TransactionClient limited = hbase.client();
        TransactionalTable same = limited.table(table.name());
        Transaction tx = limited.begin();
        same.put(tx, put("r", "a", "1"));
        refused("would hold more than 50 bytes of writes", () -> same.put(tx, put("r", "b", "x".repeat(50))));
        tx.commit();
    }

    @Test
    void transactionsThatAreOver() throws Exception {
        Transaction tx = client.begin();
        tx.commit();
        Class<TransactionFinishedException> over = TransactionFinishedException.class;
        refused(over, "is already over (COMMITTED): begin a new one", tx::commit);
        refused(over, "is already over", tx::rollback);
        refused(over, "is already over", () -> table.put(tx, put("r", "a", "1")));
        refused(over, "is already over", () -> table.delete(tx, delete("r", "a")));
        refused(over, "is already over", () -> read(table, tx, "r"));
        refused(over, "is already over", () -> table.getScanner(tx, new Scan()));
        tx.close();
        Transaction scanning = client.begin();
        var scanner = table.getScanner(scanning, new Scan());
        scanning.rollback();
        refused(over, "is already over (ABORTED)", scanner::next);
        Transaction foreign = hbase.client().begin();
        refused("begun by another TransactionClient", () -> table.put(foreign, put("r", "a", "1")));
    }

    @Test
    void clientsThatAreClosed() {
        TransactionClient closed = hbase.client();
        closed.close();
        closed.close();
        refused(IllegalStateException.class, "This TransactionClient is closed", closed::begin);
        refused(IllegalStateException.class, "This TransactionClient is closed", () -> closed.table(TableName.valueOf("nowhere")));
    }

    @Test
    void tablesThatAreNotSetUp() throws Exception {
        Class<InvalidTableException> invalid = InvalidTableException.class;
        refused(invalid, "There is no HBase table nowhere: create it", () -> client.table(TableName.valueOf("nowhere")));
        try (Admin admin = hbase.connection.getAdmin()) {
            TableName plain = TableName.valueOf("plain" + hbase.commits);
            admin.createTable(TableDescriptorBuilder.newBuilder(plain)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build());
            refused(invalid, "convert it with Tables.enable", () -> client.table(plain));
            try (Table rows = hbase.connection.getTable(plain)) {
                rows.put(put("r", "a", "1"));
                refused(invalid, "has rows that were written outside transactions",
                        () -> Tables.enable(hbase.connection, plain, hbase.commits));
                rows.delete(new Delete(Bytes.toBytes("r")));
            }
            Tables.enable(hbase.connection, plain, hbase.commits);
            client.table(plain);
            admin.modifyColumnFamily(plain, ColumnFamilyDescriptorBuilder.of(F));
            refused(invalid, "set VERSIONS to 2147483647", () -> client.table(plain));
        }
        hbase.conf.set(Settings.COMMIT_TABLE, "nowhere");
        refused(invalid, "There is no HBase table nowhere", () -> hbase.client());
        hbase.conf.set(Settings.COMMIT_TABLE, table.name().getNameAsString());
        refused(invalid, "is not a commit table", () -> hbase.client());
    }

    @Test
    void settingsThatMakeNoSense() {
        hbase.conf.set(Settings.CONFLICTS, "table");
        refused("fencepost.conflicts is row or cell, not table", () -> hbase.client());
        hbase.conf.set(Settings.CONFLICTS, "row");
        hbase.conf.setInt(Settings.TIMEOUT, 0);
        refused("must be positive", () -> hbase.client());
        refused("1 to 256 shards", () -> Tables.createCommitTable(null, hbase.commits, 257));
    }

    /** Whether nothing listens there, or something that never answers. */
    @Test
    void hbaseOutOfReachIsFoundOutInTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0)) {
            int dead;
            try (ServerSocket socket = new ServerSocket(0)) {
                dead = socket.getLocalPort();
            }
            for (int port : List.of(dead, silent.getLocalPort())) {
                Configuration elsewhere = new Configuration(hbase.conf);
                elsewhere.setInt("hbase.zookeeper.property.clientPort", port);
                elsewhere.set("hbase.zookeeper.quorum", "localhost:" + port);
                elsewhere.setInt(Settings.TIMEOUT, 3_000);
                assertTimeout(Duration.ofSeconds(15), () -> refused(StoreException.class, "no HBase answers at ZooKeeper",
                        () -> TransactionClient.open(elsewhere, hbase.manager)));
            }
        }
    }

    @Test
    void aTableThatIsDisabledMeanwhile() throws Exception {
        hbase.conf.setInt(Settings.TIMEOUT, 3_000);
        TransactionClient hasty = hbase.client();
        TransactionalTable same = hasty.table(table.name());
        Transaction reader = hasty.begin();
        Transaction writer = hasty.begin();
        same.put(writer, put("r", "a", "1"));
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.disableTable(table.name());
            refused(StoreException.class, "Could not read in HBase table", () -> read(same, reader, "r"));
            refused(StoreException.class, "Could not write in HBase table", writer::commit);
            admin.enableTable(table.name());
        }
        Internals.protocol(client); // still open
        Internals.protocol(hasty).write(Internals.state(writer));
        writer.commit();
        assertEquals("", read(same, reader, "r"));
        try (Transaction after = client.begin()) {
            assertEquals("f:a=1", read(table, after, "r"));
        }
    }
}
