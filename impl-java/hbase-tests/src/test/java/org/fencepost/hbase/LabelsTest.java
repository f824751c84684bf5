package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.scan;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cells with visibility labels, which a user has not: hidden with their records, and never taken for something else. */
class LabelsTest {

    private static final long SPAN = 1 << 10;
    private static final String LABEL = "secret";
    private static final byte[] A = Bytes.toBytes("a");

    private static EmbeddedHBase cluster;

    private Fixture hbase;
    private TransactionClient admin;
    private User user;

    @BeforeAll
    static void start() throws Exception {
        String controller = VisibilityController.class.getName();
        Fixture.stopShared();
        cluster = EmbeddedHBase.start(1, 1, Fixture.servers(Map.of("hbase.security.authorization", "true", "hbase.coprocessor.master.classes", controller,
                "hbase.coprocessor.region.classes", controller, "hbase.superuser", User.getCurrent().getShortName())));
        try (Connection connection = ConnectionFactory.createConnection(cluster.configuration())) {
            boolean added = false;
            for (int i = 0; i < 100 && !added; i++) {
                added = added(connection);
                Thread.sleep(200);
            }
            assertTrue(added);
        }
    }

    private static boolean added(Connection connection) {
        try {
            return VisibilityClient.addLabel(connection, LABEL).getResultList().stream().noneMatch(result -> result.hasException());
        } catch (Throwable e) {
            return false; // the labels' table is not there yet
        }
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
    }

    @BeforeEach
    void open() throws IOException {
        hbase = Fixture.on(cluster).withSpan(SPAN);
        admin = hbase.client();
        user = User.createUserForTesting(hbase.conf, "unlabelled", new String[0]);
    }

    @AfterEach
    void close() throws Exception {
        hbase.close();
    }

    /** The transaction's value cell once more, with the label. */
    private void label(TableName name, Transaction tx, String row, String value) throws IOException {
        try (Table raw = hbase.connection.getTable(name)) {
            Put labelled = OmidWrites.mark(new Put(Bytes.toBytes(row))).addColumn(F, A, tx.startTimestamp(), Bytes.toBytes(value));
            labelled.setCellVisibility(new CellVisibility(LABEL));
            raw.put(labelled);
        }
    }

    @Test
    void regularReads() throws Exception {
        TableName name = hbase.table();
        commit(admin, admin.table(name), "r", "open");
        label(name, commit(admin, admin.table(name), "s", "hidden"), "s", "hidden");
        TransactionClient client = user.runAs((PrivilegedExceptionAction<TransactionClient>) () -> hbase.client());
        TransactionalTable table = client.table(name);
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=open", read(table, tx, "r"));
            assertEquals("", read(table, tx, "s"));
            assertEquals(List.of("r{f:a=open}"), scan(table, tx, new Scan()));
        }
        commit(client, table, "r", "mine");
        hbase.expireAll();
        assertThrows(StoreException.class, () -> hbase.janitor(client).pass(), "it may not see all");
        Transaction left = pending(admin, admin.table(name), "t", "1");
        Internals.protocol(admin).commit(Internals.state(left));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "t"), "commit entries have no labels");
        }
    }

    @Test
    void fastPath() throws Exception {
        TableName name = hbase.fastTable(1);
        Transaction hidden = pending(admin, admin.table(name), "s", "hidden");
        label(name, hidden, "s", "hidden");
        hidden.commit();
        TransactionClient client = user.runAs((PrivilegedExceptionAction<TransactionClient>) () -> hbase.client());
        FastTable fast = client.fastTable(name);
        assertEquals("", show(fast.read(get("s").addColumn(F, A))));
        fast.write(put("r", "a", "1"));
        assertEquals("f:a=1", show(fast.read(get("r").addColumn(F, A))));
    }

    @Test
    void mediator() throws Exception {
        MediatorWorld world = new MediatorWorld(hbase, SPAN, Tracer.OFF);
        TableName name = hbase.mediatedTable(1);
        world.put(name, "r", "a", "open");
        world.put(name, "s", "a", "open");
        world.nativeClient(name, raw -> {
            Put labelled = put("s", "a", "hidden");
            labelled.setCellVisibility(new CellVisibility(LABEL));
            raw.put(labelled);
        });
        MediatorClient client = user.runAs((PrivilegedExceptionAction<MediatorClient>) () -> world.client("snapshot"));
        TransactionalTable table = client.table(name);
        Get r = get("r").addColumn(F, A);
        Get s = get("s").addColumn(F, A);
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=open", show(table.get(tx, r)));
            StoreException e = assertThrows(StoreException.class, () -> table.get(tx, s), "neither the old value nor none is right");
            assertTrue(e.getMessage().contains("is hidden from the caller"), e.getMessage());
        }
    }
}
