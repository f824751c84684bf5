package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.MediatorRequest;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.TransactionManagerFactory;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * Requests with timestamps that the transaction manager never gave. Were they believed, the region server's clock would be ahead for good:
 * what is written without the transaction manager would be acknowledged, and no transaction would see it.
 */
@ExtendWith(Fixture.Extension.class)
class PoisonedClockTest {

    private static final long SPAN = 8;
    private static final long NEVER_GIVEN = 1L << 60;
    private static final byte[] A = Bytes.toBytes("a");

    private Fixture hbase;

    @BeforeEach
    void setUp(Fixture fixture) {
        hbase = fixture.withSpan(SPAN);
    }

    private static void refused(String words, Executable request) {
        DoNotRetryIOException e = assertThrows(DoNotRetryIOException.class, request);
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }

    private static Get forged() throws IOException {
        Get get = Fixture.get("r").addColumn(Fixture.F, A).setTimeRange(0, NEVER_GIVEN);
        FastRequest.setSnapshot(get, NEVER_GIVEN);
        return get;
    }

    @Test
    void aReadLiftsTheClockOnlyToATimeThatHasCome() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        FastTable fast = client.fastTable(name);
        fast.orElseRegular(20).write(put("r", "a", "1"));
        try (Table raw = hbase.connection.getTable(name)) {
            refused("was not given", () -> raw.get(forged()));
            Scan scan = new Scan().setTimeRange(0, NEVER_GIVEN);
            FastRequest.setSnapshot(scan, NEVER_GIVEN);
            refused("was not given", () -> {
                try (ResultScanner rows = raw.getScanner(scan)) {
                    rows.next();
                }
            });
        }
        assertVisible(client, name, fast);
    }

    @Test
    void aCommitCellDoesNotLiftItFurtherEither() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        FastTable fast = client.fastTable(name);
        fast.orElseRegular(20).write(put("r", "a", "1"));
        try (Transaction tx = client.begin()) {
            assertThrows(org.fencepost.protocol.store.StoreException.class, () -> Internals.rows(client).putCommitCells(
                    java.util.List.of(new CellKey(name, Bytes.toBytes("r"), Fixture.F, A)), tx.startTimestamp(), NEVER_GIVEN));
        }
        assertVisible(client, name, fast);
    }

    /** A write of the fast path is seen by whoever begins afterwards. */
    private static void assertVisible(TransactionClient client, TableName name, FastTable fast) {
        long version = fast.orElseRegular(20).write(put("r", "a", "2"));
        try (Transaction tx = client.begin()) {
            assertTrue(version < tx.startTimestamp(), version + " is not below " + tx.startTimestamp());
            assertEquals("f:a=2", show(client.table(name).get(tx, Fixture.get("r"))));
        }
    }

    /** While a server cannot ask, it may answer such a read or refuse it, and does not remember it either way. */
    @Test
    void aServerThatCannotAskForgetsWhatItWasAsked() throws Exception {
        TransactionClient client = hbase.client();
        hbase.managerDown();
        TableName name = hbase.fastTable(1);
        Configuration impatient = new Configuration(hbase.conf);
        impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        try (Connection connection = ConnectionFactory.createConnection(impatient); Table raw = connection.getTable(name)) {
            raw.get(forged());
        } catch (IOException e) {
            assertTrue(Failures.reason(e).contains("cannot ask its transaction manager"), e.getMessage());
        }
        hbase.managerUp();
        assertVisible(client, name, client.fastTable(name));
    }

    @Test
    void transactionsOfMediatorDoNotLiftItEither() throws Exception {
        MediatorWorld world = new MediatorWorld(hbase, 1 << 10, Tracer.OFF);
        TableName name = hbase.mediatedTable(1);
        CellKey key = new CellKey(name, Bytes.toBytes("r"), Fixture.F, A);
        TreeMap<CellKey, Long> column = new TreeMap<>(CellKey.COLUMN_ORDER);
        column.put(key, 0L);
        try (Table raw = hbase.connection.getTable(name)) {
            raw.put(put("r", "a", "1"));
            refused("was not given", () -> raw.get(MediatorRequest.read(column, NEVER_GIVEN)));
            refused("was not given", () -> raw.get(MediatorRequest.check(column, NEVER_GIVEN)));
            refused("was not given", () -> raw.checkAndMutate(MediatorRequest.localCommit(key, put("r", "a", "2"), NEVER_GIVEN)));
            raw.put(put("r", "a", "3"));
        }
        MediatorClient client = world.client("snapshot");
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=3", show(client.table(name).get(tx, Fixture.get("r").addColumn(Fixture.F, A))));
        }
    }

    /** Who owns a table cannot lead a region server to a transaction manager of their own, nor to a class of their own. */
    @Test
    void aTableDoesNotSayWhereItsTransactionManagerIs() throws Exception {
        TransactionClient client = hbase.client();
        TableName name = hbase.fastTable(1);
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                    .setValue(Settings.TM_FACTORY, Stranger.class.getName()).setValue(Settings.TM_ZOOKEEPER, "127.0.0.1:1")
                    .setValue(Settings.FAST_WAIT, "3600000").build());
        }
        assertVisible(client, name, client.fastTable(name));
    }

    /** Whoever loads it has been led astray. */
    public static final class Stranger implements TransactionManagerFactory {

        public Stranger() {
            throw new IllegalStateException("a table's owner has chosen this class");
        }

        @Override
        public String address(org.apache.hadoop.conf.Configuration server, TableName table) {
            throw new IllegalStateException();
        }

        @Override
        public org.fencepost.protocol.manager.TransactionManager connect(org.apache.hadoop.conf.Configuration server, String address) {
            throw new IllegalStateException();
        }
    }
}
