package org.fencepost.bench.ph1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.ph1.KeyValueServer.Figures;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.bench.ph1.KeyValues.Found;
import org.fencepost.bench.ph1.KeyValues.Tx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchPH1Test {

    /** In memory, one transaction at a time; every so many updates of a key may be lost. */
    private static final class Memory implements Tx {

        private final Map<String, NavigableMap<byte[], byte[]>> tables = new HashMap<>();
        private String lost = "";

        private NavigableMap<byte[], byte[]> table(String name) {
            return tables.computeIfAbsent(name, n -> new TreeMap<>(Bytes.BYTES_COMPARATOR));
        }

        @Override
        public byte[] get(String table, byte[] key) {
            return table(table).get(key);
        }

        @Override
        public void put(String table, byte[] key, byte[] value) {
            if (table.equals(lost)) {
                lost = "";
            } else {
                table(table).put(key, value);
            }
        }

        @Override
        public void scan(String table, byte[] from, int limit, Found found) {
            table(table).tailMap(from, true).entrySet().stream().limit(limit).forEach(each -> found.accept(each.getKey(), each.getValue()));
        }

        @Override
        public void commit() {
        }

        @Override
        public void rollback() {
        }
    }

    private static Memory run(Workload workload, String loses, int transactions) throws IOException, Aborted {
        Memory memory = new Memory();
        for (Workload.Load load : workload.loads()) {
            load.run(memory);
        }
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < transactions; i++) {
            memory.lost = i == transactions / 2 ? loses : memory.lost;
            workload.next(random, 1).run(memory);
        }
        return memory;
    }

    @Test
    void conditionsHoldOfTransactionsOneAfterTheOther() throws Exception {
        Tpcc workload = new Tpcc(3, 30, 50);
        List<String> conditions = workload.check(run(workload, "", 2_000));
        assertEquals(10, conditions.size());
        conditions.forEach(condition -> assertTrue(condition.endsWith(": holds"), condition));
        conditions = workload.check(run(workload, "", 0));
        conditions.forEach(condition -> assertTrue(condition.endsWith(": holds"), condition));
    }

    /** Each table that a transaction writes is in one of them at least. */
    @Test
    void aLostUpdateBreaksAConditionWhereverItIs() throws Exception {
        Tpcc workload = new Tpcc(3, 30, 50);
        for (String table : List.of(Tpcc.WAREHOUSE, Tpcc.DISTRICT, Tpcc.CUSTOMER, Tpcc.HISTORY, Tpcc.ORDERS, Tpcc.NEW_ORDERS, Tpcc.ORDER_LINE, Tpcc.STOCK)) {
            List<String> conditions = workload.check(run(workload, table, 2_000));
            assertTrue(conditions.stream().anyMatch(condition -> condition.contains(": VIOLATED, ")), table);
        }
    }

    @Test
    void theMixIsThePapers() throws Exception {
        Ycsb workload = new Ycsb(1_000, 10);
        assertEquals(10, workload.loads().size());
        SplittableRandom random = new SplittableRandom(7);
        Map<String, Integer> kinds = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            kinds.merge(workload.next(random, 1).kind(), 1, Integer::sum);
        }
        assertEquals(4_500, kinds.get(Ycsb.READ), 200);
        assertEquals(3_000, kinds.get(Ycsb.SCAN), 200);
        assertEquals(1_250, kinds.get(Ycsb.UPDATE), 200);
        assertEquals(1_250, kinds.get(Ycsb.MULTI_UPDATE), 200);
        assertTrue(workload.check(run(workload, "", 100)).isEmpty());
    }

    @Test
    void penaltiesAreOfTheSameRound(@TempDir Path directory) throws Exception {
        List<Turn> turns = new ArrayList<>();
        for (String workload : List.of(KeyValueCluster.YCSB, KeyValueCluster.TPCC)) {
            for (String system : KeyValueCluster.SYSTEMS) {
                for (int round = 1; round <= 3; round++) {
                    boolean store = system.equals(KeyValueCluster.CASSANDRA) || system.equals(KeyValueCluster.HBASE);
                    turns.add(new Turn(workload, system, round, 2, List.of(new Figures(Tpcc.PAYMENT, store ? 1_000 * round : 850 * round, 5, 1, 1, 1))));
                }
            }
        }
        Map<String, List<String>> conditions = new HashMap<>(Map.of(KeyValueCluster.HBASE, List.of("1, a: VIOLATED, x"), KeyValueCluster.PH1, List.of("1, a: holds")));
        PH1Summary summary = new PH1Summary(turns, conditions, true);
        assertEquals("", new PH1Summary(turns, conditions, false).penalties().get(0).verdict());
        assertEquals(0.15, summary.penalties().get(0).share().median(), 1e-9);
        assertEquals("at most 13%: missed", summary.penalties().get(0).verdict());
        assertEquals("at most 22%: met", summary.penalties().get(1).verdict());
        assertFalse(summary.isViolated(), "a store alone need not keep them");
        conditions.put(KeyValueCluster.LL, List.of("1, a: VIOLATED, y"));
        assertTrue(new PH1Summary(turns, conditions, true).isViolated());
        PH1Results.write(directory, Machine.describe(), new BenchPH1(), turns, summary);
        assertEquals(36, Checks.csv(directory.resolve("bench-ph1.csv")).size());
        assertTrue(Files.readString(directory.resolve("bench-ph1.txt")).contains("pH1 on Cassandra"));
    }

    @Test
    void badInputGetsOneSentence() {
        assertRefused("--rounds must be at least 1, and --threads 1 to 64.", "--rounds", "0");
        assertRefused("--instances must be 1 to 5.", "--instances", "6");
        assertRefused("--value-bytes must be 1 to 10000.", "--value-bytes", "0");
        assertRefused("The seconds must be positive.", "--seconds", "NaN");
        assertRefused("Cassandra is not in nowhere: run `make bench-ph1`, which fetches it, or name its place by --cassandra.", "--cassandra", "nowhere");
    }

    private static void assertRefused(String sentence, String... arguments) {
        Checks.assertRefused(sentence, new BenchPH1().command(), arguments);
    }
}
