package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.Guarded;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Requests of every kind with nonsense in them, against all kinds of tables, which also hold cells with nonsense in them. Each is
 * answered, by data or by one sentence; no region server is lost; and transactions go on beside it.
 */
@ExtendWith(Fixture.Extension.class)
class HostileRequestsTest {

    private static final long SPAN = 1 << 10;
    private static final int THREADS = 4;
    private static final int ROUND = 5_000;
    /** HBase's clients give up after 60, and the server may go on for good. */
    private static final int MOST_SECONDS = 30;
    private static final int PLANTED = 40;
    private static final byte[] A = Bytes.toBytes("a");

    private Fixture hbase;
    private MediatorWorld world;
    private TransactionClient client;
    private TransactionClient twoPhaseClient;
    private MediatorClient mediatorClient;
    private TableName plain;
    private TableName fast;
    private TableName twoPhase;
    private TableName mediated;
    private List<TableName> all;
    private int written;

    @BeforeEach
    void setUp(Fixture fixture) throws IOException {
        hbase = fixture;
        world = new MediatorWorld(fixture, SPAN, Tracer.OFF);
        client = hbase.client();
        mediatorClient = world.client("snapshot");
        plain = hbase.table();
        fast = hbase.fastTable(2);
        mediated = hbase.mediatedTable(2);
        twoPhase = TableName.valueOf("hostile" + hbase.commits);
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(Tables.twoPhase(Tables.transactional(TableDescriptorBuilder.newBuilder(twoPhase)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), hbase.commits)));
        }
        hbase.conf.set(Settings.PROTOCOL, "2pc");
        twoPhaseClient = hbase.client();
        all = List.of(plain, fast, twoPhase, mediated, hbase.commits);
    }

    /** Some never end in HBase, with coprocessors and without; and their region can not be closed then. */
    @Test
    void rawScansThatMightNotEndAreRefused() throws Exception {
        List<Scan> endless = List.of(
                new Scan().readAllVersions().addColumn(F, A), new Scan().readAllVersions().setFilter(new FirstKeyOnlyFilter()),
                new Scan().readAllVersions().setColumnFamilyTimeRange(F, 0, Long.MAX_VALUE));
        for (TableName name : all) {
            try (Table table = hbase.connection.getTable(name)) {
                for (Scan scan : endless) {
                    IOException e = assertThrows(IOException.class, () -> table.getScanner(scan.setRaw(true)).next(), name + " " + scan);
                    assertTrue(Failures.reason(e).contains("A raw scan of this table asks for whole families"), e.toString());
                }
                table.getScanner(new Scan().setRaw(true).readAllVersions()).next();
                IOException e = assertThrows(IOException.class, () -> table.get(new Get(A).setAttribute("_raw_", Bytes.toBytes(true))), name.toString());
                assertTrue(Failures.reason(e).contains("A get of this table is not raw"), e.toString());
            }
        }
    }

    /** As in any table of HBase, also in a column without qualifier. */
    @Test
    void rawScansTakeVersionsAndTimes() throws Exception {
        TableName own = TableName.valueOf("raw" + hbase.commits);
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(own)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(Integer.MAX_VALUE).build()).build());
            for (TableName name : List.of(own, plain)) {
                try (Table table = hbase.connection.getTable(name)) {
                    for (long version = SPAN; version <= 6 * SPAN; version += SPAN) {
                        table.put(OmidWrites.mark(new Put(A).addColumn(F, A, version, A).addColumn(F, F, version, A)));
                        if (version % (2 * SPAN) == 0) {
                            table.delete(OmidWrites.mark(new Delete(A).addColumn(F, A, version)));
                            admin.flush(name);
                        }
                    }
                }
            }
            for (int versions : new int[] {1, 2, 3, Integer.MAX_VALUE}) {
                for (long since = 0; since <= 5 * SPAN; since += SPAN) {
                    Scan scan = new Scan().setRaw(true).readVersions(versions).setTimeRange(since, 6 * SPAN);
                    assertEquals(cells(own, scan), cells(plain, scan), scan.toString());
                }
            }
            try (Table table = hbase.connection.getTable(plain)) {
                table.put(OmidWrites.mark(new Put(A).addColumn(F, new byte[0], SPAN, A)));
                admin.flush(plain);
                table.delete(OmidWrites.mark(new Delete(A).addColumn(F, new byte[0], SPAN)));
                admin.flush(plain);
            }
        }
        assertEquals(2, cells(plain, new Scan().setRaw(true).readVersions(1)).stream().filter(cell -> cell.startsWith("a/f:/")).count());
    }

    private List<String> cells(TableName name, Scan scan) throws IOException {
        List<String> cells = new ArrayList<>();
        try (Table table = hbase.connection.getTable(name); ResultScanner rows = table.getScanner(scan)) {
            for (Result row : rows) {
                for (Cell cell : row.rawCells()) {
                    cells.add(CellUtil.toString(cell, false));
                }
            }
        }
        return cells;
    }

    /** 5,000 requests; 20,000 in {@code make test-all}. */
    @Test
    void areAnsweredAndHurtNobody() throws Exception {
        attack(Boolean.getBoolean("fencepost.test.all") ? 4 : 1, 1);
    }

    /** A million. */
    @Test
    @Tag("evidence")
    void atLength() throws Exception {
        attack(Integer.getInteger("fencepost.hostile.requests", 1_000_000) / ROUND, 1_000);
    }

    private void attack(int rounds, long seed) throws Exception {
        int servers = servers();
        Configuration impatient = new Configuration(hbase.conf);
        impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        PrintStream err = System.err;
        System.setErr(new PrintStream(OutputStream.nullOutputStream())); // where HBase's client writes a stack trace for each refusal
        try (Connection connection = ConnectionFactory.createConnection(impatient)) {
            for (int round = 0; round < rounds; round++) {
                long seedOfRound = seed + round * THREADS;
                if (round % 20 == 0) {
                    plant(new HostileRequests(seedOfRound, SPAN));
                }
                AtomicInteger refused = new AtomicInteger();
                List<Future<?>> attackers = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    long seedOfThread = seedOfRound + i;
                    attackers.add(threads.submit(() -> attack(connection, seedOfThread, refused)));
                }
                wellBehaved();
                for (Future<?> attacker : attackers) {
                    attacker.get();
                }
                assertEquals(servers, servers(), "after the round of seed " + seedOfRound);
                assertTrue(refused.get() > ROUND / 10 && refused.get() < ROUND, refused + " of a round refused");
                wellBehaved();
                if (round % 20 == 1) {
                    collect();
                    System.out.println(round * ROUND + " of " + rounds * ROUND + " requests");
                }
            }
        } finally {
            System.setErr(err);
            threads.shutdownNow();
        }
        assertEquals(servers, servers());
    }

    /** Each answer is data or a sentence. */
    private Void attack(Connection connection, long seed, AtomicInteger refused) throws IOException {
        HostileRequests requests = new HostileRequests(seed, SPAN);
        Random random = new Random(seed);
        for (int i = 0; i < ROUND / THREADS; i++) {
            TableName name = all.get(random.nextInt(all.size()));
            long begun = System.nanoTime();
            try (Table table = connection.getTable(name)) {
                requests.send(table);
            } catch (IllegalArgumentException e) {
                // HBase's client did not send it.
            } catch (IOException e) {
                refused.incrementAndGet();
                String sentence = Failures.reason(e);
                String where = "request " + i + " of seed " + seed + " to " + name + ": " + sentence;
                assertFalse(sentence.isBlank() || sentence.contains(Guarded.UNFORESEEN) || sentence.contains("RuntimeException"), where);
                assertTrue(sentence.endsWith("."), where);
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            assertTrue(seconds < MOST_SECONDS, "request " + i + " of seed " + seed + " to " + name + " took " + seconds + " s: " + requests.last);
        }
        return null;
    }

    private int servers() throws IOException {
        try (Admin admin = hbase.connection.getAdmin()) {
            return new TreeSet<>(admin.getRegionServers()).size();
        }
    }

    private void plant(HostileRequests cells) throws IOException {
        for (TableName name : all) {
            hbase.writePast(name, raw -> raw.put(cells.cells(name.equals(hbase.commits) ? CommitRows.FAMILY : F, PLANTED)));
        }
    }

    /** What somebody has spoilt is told of, and in nobody's way. */
    private void collect() throws IOException {
        hbase.expireAll();
        answered(() -> hbase.janitor(client).pass());
        for (TableName name : all) {
            hbase.compact(name);
        }
    }

    private static void answered(Callable<?> call) throws IOException {
        try {
            call.call();
        } catch (StoreException e) {
            assertTrue(e.getMessage().endsWith("."), e.getMessage());
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    // ---- and beside it

    private void wellBehaved() throws IOException {
        for (int i = 0; i < 5; i++) {
            String value = "v" + ++written;
            for (TableName name : List.of(plain, fast)) {
                TransactionalTable table = client.table(name);
                Fixture.commit(client, table, "good", value);
                try (Transaction tx = client.begin()) {
                    assertEquals("f:a=" + value, read(table, tx, "good"));
                }
            }
            TransactionalTable intents = twoPhaseClient.table(twoPhase);
            Fixture.commit(twoPhaseClient, intents, "good", value);
            try (Transaction tx = twoPhaseClient.begin()) {
                assertEquals("f:a=" + value, read(intents, tx, "good"));
            }
            FastTable single = client.fastTable(fast);
            Get get = new Get(Bytes.toBytes("good")).addColumn(F, A);
            single.orElseRegular(5).write(put("good", "a", "w" + value));
            assertEquals("f:a=w" + value, show(single.read(get)));
            TransactionalTable shared = mediatorClient.table(mediated);
            try (Transaction tx = mediatorClient.begin()) {
                shared.put(tx, put("good", "a", value));
                tx.commit();
            }
            world.tso.settle(world::writeBack);
            assertEquals("f:a=" + value, world.get(mediated, "good"));
        }
    }
}
