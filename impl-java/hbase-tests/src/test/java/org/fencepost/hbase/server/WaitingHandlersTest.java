package org.fencepost.hbase.server;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.Fixture;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** While the transaction manager is away, its tables' writers leave most handlers of a region server to others. */
@ExtendWith(Fixture.Extension.class)
class WaitingHandlersTest {

    /** More than the embedded HBase has handlers. */
    private static final int WRITERS = 24;
    /** A quarter of its 16 handlers. */
    private static final int PLACES = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private Fixture hbase;
    private TransactionClient client;

    @BeforeEach
    void setUp(Fixture fixture) {
        hbase = fixture.withSpan(8);
        client = hbase.client();
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        hbase.configureServers(Settings.FAST_WAIT, Fixture.SERVERS.get(Settings.FAST_WAIT));
    }

    /** Longer than the test waits for anything else. */
    private TableName patient(TableName name) throws IOException {
        hbase.managerDown();
        hbase.configureServers(Settings.FAST_WAIT, "20000");
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).setValue("opened", "again").build());
        }
        return name;
    }

    private WaitingHandlers handlers(TableName name) throws IOException {
        try (RegionLocator locator = hbase.connection.getRegionLocator(name)) {
            ServerName server = locator.getRegionLocation(F, true).getServerName();
            return WaitingHandlers.of(server, hbase.conf);
        }
    }

    private List<Future<Void>> start(Callable<Void> write) {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(threads.submit(write));
        }
        return writers;
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 1_000 && !condition.call(); i++) {
            Thread.sleep(10);
        }
        assertTrue(condition.call());
    }

    @Test
    void fastPathWriters() throws Exception {
        FastTable fast = client.fastTable(hbase.fastTable(1));
        patient(fast.name());
        WaitingHandlers handlers = handlers(fast.name());
        assertEquals(PLACES, handlers.places());
        AtomicInteger refused = new AtomicInteger();
        List<Future<Void>> writers = start(() -> {
            FastPathAbortedException e = assertThrows(FastPathAbortedException.class, () -> fast.write(put("r", "a", "1")));
            assertEquals(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, e.abortCause());
            refused.incrementAndGet();
            return null;
        });
        await(() -> refused.get() == WRITERS - PLACES); // at once, long before the others
        assertEquals(PLACES, handlers.waiting());
        othersGoOn();
        writers.forEach(writer -> writer.cancel(true));
        hbase.managerUp();
        await(() -> handlers.waiting() == 0);
    }

    /** HBase's client tries again by itself, so native puts wait there and not here. */
    @Test
    void nativePuts() throws Exception {
        TableName name = patient(hbase.mediatedTable(1));
        WaitingHandlers handlers = handlers(name);
        AtomicInteger stored = new AtomicInteger();
        List<Future<Void>> writers = start(() -> {
            try (Table table = hbase.connection.getTable(name)) {
                table.put(put("r", "a", "1"));
                stored.incrementAndGet();
            }
            return null;
        });
        await(() -> handlers.waiting() == PLACES);
        othersGoOn();
        assertEquals(PLACES, handlers.waiting());
        assertEquals(0, stored.get());
        hbase.managerUp();
        for (Future<Void> writer : writers) {
            writer.get();
        }
        assertEquals(WRITERS, stored.get());
        assertEquals(0, handlers.waiting());
    }

    private void othersGoOn() throws Exception {
        TransactionalTable other = client.table(hbase.table());
        for (int i = 0; i < 20; i++) {
            commit(client, other, "r", "v" + i);
            try (Transaction tx = client.begin()) {
                assertEquals("f:a=v" + i, read(other, tx, "r"));
            }
        }
    }
}
