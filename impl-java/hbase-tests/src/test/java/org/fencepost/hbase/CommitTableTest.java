package org.fencepost.hbase;

import static org.fencepost.protocol.Timestamps.COLLECTED;
import static org.fencepost.protocol.Timestamps.INVALIDATED;
import static org.fencepost.protocol.Timestamps.NIL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.server.CommitTableGuard;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The commit table's contract, on HBase. */
@ExtendWith(Fixture.Extension.class)
class CommitTableTest {

    /** So that the transaction manager has given all the timestamps that the tests make up. */
    @BeforeEach
    void setUp(Fixture hbase) {
        hbase.giveUpTo(200_000);
    }

    @Test
    void anEntryIsWrittenOnceAndTheLoserLearnsIt(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        assertEquals(NIL, table.get(5));
        assertEquals(NIL, table.checkAndMutate(5, 9));
        assertEquals(9, table.checkAndMutate(5, INVALIDATED));
        assertEquals(9, table.checkAndMutate(5, 9), "the answer to a repeated request is the own entry");
        assertEquals(9, table.get(5));
        assertEquals(NIL, table.checkAndMutate(6, INVALIDATED));
        assertEquals(INVALIDATED, table.checkAndMutate(6, 11));
        table.remove(5);
        table.remove(5);
        assertEquals(NIL, table.get(5));
        assertEquals(List.of("6=-1"), hbase.entries());
    }

    @Test
    void belowTheWatermarkNothingIsStored(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        LongStream.range(1, 40).forEach(ts -> assertEquals(NIL, table.checkAndMutate(ts, ts + 100)));
        table.raiseWatermark(60);
        assertEquals(60, table.watermark());
        assertEquals(120, table.checkAndMutate(20, INVALIDATED), "entries that are there stay what they are");
        assertEquals(120, table.checkAndMutate(20, 120));
        for (long ts = 40; ts < 60; ts++) {
            assertEquals(COLLECTED, table.checkAndMutate(ts, 200));
            assertEquals(INVALIDATED, table.checkAndMutate(ts, INVALIDATED));
            assertEquals(NIL, table.get(ts));
        }
        assertEquals(NIL, table.checkAndMutate(60, 200));
        table.raiseWatermark(50);
        assertEquals(60, table.watermark(), "it never sinks");
    }

    @Test
    void entriesOfAllShardsAreListed(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        LongStream.rangeClosed(1, 50).forEach(ts -> table.checkAndMutate(ts, ts + 100));
        table.raiseWatermark(10);
        long[] below = LongStream.generate(table.entriesBelow(31)::nextLong).limit(30).sorted().toArray();
        assertEquals(LongStream.rangeClosed(1, 30).boxed().toList(), LongStream.of(below).boxed().toList());
        assertArrayEquals(new long[] {150, NIL, 101}, table.get(new long[] {50, 51, 1}));
    }

    /** The watermark is in the region's memory and in its row: a region that opens elsewhere must know it at once. */
    @Test
    void theWatermarkSurvivesRegionMoves(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        table.checkAndMutate(7, 8);
        table.raiseWatermark(100);
        moveAllRegions(hbase);
        assertEquals(100, table.watermark());
        for (long ts = 20; ts < 40; ts++) {
            assertEquals(COLLECTED, table.checkAndMutate(ts, 200), "shard of " + ts);
        }
        assertEquals(8, table.get(7));
        table.raiseWatermark(110);
        moveAllRegions(hbase);
        assertEquals(COLLECTED, table.checkAndMutate(105, 200));
    }

    /** What the client finds out only by asking the old server is not a lost answer: the request is sent again. */
    @Test
    void commitsGoOnWhileRegionsMove(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong next = new AtomicLong(1);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> committers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                committers.add(threads.submit(() -> {
                    while (!stop.get()) {
                        long ts = next.getAndIncrement();
                        assertEquals(NIL, table.checkAndMutate(ts, ts + 1_000_000));
                    }
                }));
            }
            moveAllRegions(hbase);
            stop.set(true);
            for (Future<?> committer : committers) {
                committer.get();
            }
        } finally {
            stop.set(true);
            threads.shutdown();
        }
        for (long ts = 1; ts < next.get(); ts++) {
            assertEquals(ts + 1_000_000, table.get(ts));
        }
    }

    private static void moveAllRegions(Fixture hbase) throws Exception {
        try (Admin admin = hbase.connection.getAdmin();
                RegionLocator locator = hbase.connection.getRegionLocator(hbase.commits)) {
            List<ServerName> servers = List.copyOf(admin.getRegionServers());
            for (RegionInfo region : admin.getRegions(hbase.commits)) {
                ServerName from = locator.getRegionLocation(region.getStartKey(), true).getServerName();
                admin.move(region.getEncodedNameAsBytes(), servers.get(servers.get(0).equals(from) ? 1 : 0));
                while (locator.getRegionLocation(region.getStartKey(), true).getServerName().equals(from)) {
                    Thread.sleep(50);
                }
            }
        }
    }

    /** Eight threads commit while the watermark rises: once it stands, an entry below it is readable or never comes. */
    @Test
    void theWatermarkWaitsForEntriesThatAreBeingStored(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> writers = new ArrayList<>();
            AtomicLong next = new AtomicLong(1);
            Map<Long, Long> answers = new ConcurrentHashMap<>();
            IntStream.range(0, 8).forEach(i -> writers.add(threads.submit(() -> {
                while (!stop.get()) {
                    long ts = next.getAndIncrement();
                    answers.put(ts, table.checkAndMutate(ts, ts + 1_000_000));
                }
            })));
            for (int round = 0; round < 30; round++) {
                Thread.sleep(20);
                long watermark = next.get() + 3;
                table.raiseWatermark(watermark);
                long[] range = LongStream.range(Math.max(1, watermark - 20), watermark).toArray();
                long[] atOnce = table.get(range);
                Thread.sleep(10);
                long[] later = table.get(range);
                assertEquals(LongStream.of(atOnce).boxed().toList(), LongStream.of(later).boxed().toList());
            }
            stop.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
            assertTrue(answers.containsValue(COLLECTED) && answers.containsValue(NIL), "both must have happened");
        } finally {
            stop.set(true);
            threads.shutdown();
        }
    }

    @Test
    void withoutItsCoprocessorTheTableStoresNothing(Fixture hbase) throws Exception {
        HBaseCommitTable table = hbase.commitTable();
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(hbase.commits))
                    .removeCoprocessor(CommitTableGuard.class.getName()).build());
        }
        InvalidTableException e = assertThrows(InvalidTableException.class, () -> table.checkAndMutate(5, 9));
        assertTrue(e.getMessage().contains("has lost its coprocessor"), e.getMessage());
        assertEquals(NIL, table.get(5));
    }
}
