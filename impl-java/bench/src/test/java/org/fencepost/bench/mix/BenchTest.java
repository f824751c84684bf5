package org.fencepost.bench.mix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.harness.HBaseBenchmark;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Spread;
import org.fencepost.bench.mix.BenchSummary.Goal;
import org.fencepost.bench.mix.ContenderServer.Figures;
import org.fencepost.bench.mix.Turn.Scene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mixes are what they say, the ratios right, the results readable, bad input refused. HBase is not started: `make bench QUICK=1` does. */
class BenchTest {

    private static final int DRAWS = 100_000;
    private static final int KEYS = 1_000;

    @TempDir
    Path directory;

    // ---- workloads

    private static Map<String, Integer> kinds(Workload workload) {
        Supplier<Job> jobs = workload.jobs(KEYS);
        Map<String, Integer> kinds = new TreeMap<>();
        IntStream.range(0, DRAWS).forEach(i -> kinds.merge(jobs.get().kind(), 1, Integer::sum));
        return kinds;
    }

    private static double share(Map<String, Integer> kinds, String kind) {
        return (double) kinds.getOrDefault(kind, 0) / DRAWS;
    }

    @Test
    void ycsbCoreWorkloads() {
        Map<Workload, Map<String, Double>> expected = Map.of(Workload.A, Map.of(Job.READ, 0.5, Job.WRITE, 0.5), Workload.B, Map.of(Job.READ, 0.95, Job.WRITE, 0.05),
                Workload.C, Map.of(Job.READ, 1.0), Workload.F, Map.of(Job.READ, 0.5, Job.READ_WRITE, 0.5));
        expected.forEach((workload, shares) -> {
            Map<String, Integer> kinds = kinds(workload);
            assertEquals(shares.keySet(), kinds.keySet());
            shares.forEach((kind, share) -> assertEquals(share, share(kinds, kind), 0.02, workload + " " + kind));
        });
    }

    /** VLDB'18 sec. 5.1.3: 63% of the transactions access three keys or less, and only 3% access 10. */
    @Test
    void theRandomMix() {
        Supplier<Job> jobs = Workload.RANDOM.jobs(KEYS);
        int[] sizes = new int[11];
        int writes = 0;
        Set<String> rows = new HashSet<>();
        for (int i = 0; i < DRAWS; i++) {
            Job job = jobs.get();
            sizes[job.accesses().size()]++;
            writes += job.accesses().get(0).write() ? 1 : 0;
            job.accesses().forEach(access -> rows.add(new String(access.row(), java.nio.charset.StandardCharsets.US_ASCII)));
        }
        assertEquals(0.63, (double) (sizes[1] + sizes[2] + sizes[3]) / DRAWS, 0.02);
        assertEquals(0.03, (double) sizes[10] / DRAWS, 0.01);
        assertEquals(0.5, (double) writes / DRAWS, 0.02);
        Set<String> loaded = new HashSet<>();
        IntStream.range(0, KEYS).forEach(n -> loaded.add(new String(Workload.row(n), java.nio.charset.StandardCharsets.US_ASCII)));
        assertEquals(loaded, rows);
    }

    /** VLDB'18 sec. 5.1.3: among 23 million keys the first has 0.7% of the accesses. */
    @Test
    void thePapersKeys() {
        Supplier<Job> jobs = Workload.SPARSE.jobs(KEYS);
        byte[] first = Workload.row(0);
        long accesses = 0;
        long ofFirst = 0;
        for (int i = 0; i < DRAWS; i++) {
            List<Job.Access> job = jobs.get().accesses();
            accesses += job.size();
            ofFirst += job.stream().filter(access -> java.util.Arrays.equals(access.row(), first)).count();
        }
        assertEquals(0.007, (double) ofFirst / accesses, 0.0005);
    }

    @Test
    void everyFifthOfBrwcReadsAndWritesAKey() {
        assertEquals(0.2, share(kinds(Workload.BRWC), Job.READ_WRITE), 0.01);
        Job job = Workload.F.jobs(KEYS).get();
        while (!job.kind().equals(Job.READ_WRITE)) {
            job = Workload.F.jobs(KEYS).get();
        }
        assertArrayEquals(job.accesses().get(0).row(), job.accesses().get(1).row());
        assertTrue(!job.accesses().get(0).write() && job.accesses().get(1).write());
    }

    // ---- results

    /** Omid LL takes 2 times as long as ours, and ours as native, while the machine becomes slower from round to round. */
    private static List<Turn> slowingDown() {
        List<Turn> turns = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            double base = 100 * Math.pow(5, round);
            for (int background : List.of(0, 100_000)) {
                for (int threads : List.of(1, 8)) {
                    turns.add(turn(Workload.RANDOM, threads, background, BenchCluster.NATIVE, round, base));
                    turns.add(turn(Workload.RANDOM, threads, background, BenchCluster.LL, round, 2 * base));
                    turns.add(turn(Workload.RANDOM, threads, background, BenchCluster.ONE_PHASE, round, 2 * base));
                    turns.add(turn(Workload.RANDOM, threads, background, BenchCluster.OMID_LL, round, 4 * base));
                }
            }
        }
        return turns;
    }

    private static Turn turn(Workload workload, int threads, int background, String system, int round, double mean) {
        List<Figures> figures = new ArrayList<>();
        for (String kind : List.of(ContenderServer.ALL, Job.READ, Job.WRITE, Job.operations(10))) {
            figures.add(new Figures(kind, 1000, 1, mean, mean, 3 * mean, new double[] {mean / 4, mean / 4, mean / 4, mean / 4}));
        }
        return new Turn(workload, threads, background, background == 0 ? Double.NaN : background, system, round, 1e6 / mean, 10, Double.NaN, 5, 9_000, 4_000, figures);
    }

    @Test
    void ratiosAreOfRounds() {
        BenchSummary summary = new BenchSummary(slowingDown());
        assertEquals(2, summary.ratio(new Scene(Workload.RANDOM, 8, 0), Job.WRITE, BenchCluster.LL, BenchCluster.NATIVE).p50().upper(), 1e-9);
        Map<String, String> verdicts = new TreeMap<>();
        summary.goals().forEach(goal -> verdicts.put(goal.text(), goal.verdict()));
        assertEquals("met", verdicts.get("p50 of write, one-phase to native; RANDOM, 8 threads"));
        assertEquals("not measured", verdicts.get("p50 of write, one-phase to native; A, 8 threads"));
        assertEquals("missed", verdicts.get("p50 of read, one-phase to native; RANDOM, 8 threads"));
        assertEquals("met", verdicts.get("p50 of write, omid-ll to one-phase; RANDOM, 8 threads"));
        assertEquals("missed", verdicts.get("p50 of 10 operations, omid-ll to one-phase; RANDOM, 8 threads"));
        assertEquals("not measured", verdicts.get("p50 of write, omid-default to ll; RANDOM, 8 threads, 100,000 tps behind"));
        assertEquals("met", verdicts.get("peak throughput of RANDOM, one-phase to omid-ll"));
        assertTrue(summary.text().contains("CPU us of a transaction of any kind: one-phase 15 (HBase 10, client 5, transaction manager 0); native 15"), summary.text());
        assertEquals("met", verdicts.get("aborted share, ll; RANDOM, 8 threads"));
        BenchSummary.Paper write = summary.paper().get(0);
        assertEquals(new Scene(Workload.RANDOM, 1, 0), write.scene(), "native HBase has no load behind it");
        assertEquals(2, write.ours().median(), 1e-9);
    }

    private static Goal goal(boolean atMost, double value) {
        return new Goal("", atMost, 2, new Spread(value, value, value), "", 2);
    }

    @Test
    void goalsAreMetOrMissedOrUnknown() {
        assertEquals("met", goal(true, 2).verdict());
        assertEquals("missed", goal(false, 1.9).verdict());
        assertEquals("not measured", goal(false, Double.NaN).verdict());
        assertEquals("too short a run to tell", new Goal("", true, 2, new Spread(1, 1, 1), "", 1).verdict());
    }

    @Test
    void figuresCrossTheSocket() {
        Figures figures = new Figures(Job.operations(10), 3, 4, 5.5, 6.5, 7.5, new double[] {1, 2, 3, 4});
        assertEquals(figures.line(), Figures.parse(figures.line()).line());
        assertEquals(10, DoubleStream.of(Figures.parse(figures.line()).phases()).sum());
    }

    @Test
    void resultsCanBeRead() throws Exception {
        List<Turn> turns = slowingDown();
        BenchResults.write(directory, Machine.describe(), "{\"rounds\": 3}", turns, new BenchSummary(turns), new Profile());

        assertEquals(4 * turns.size(), Checks.csv(directory.resolve("bench.csv")).size());
        JsonNode json = new ObjectMapper().readTree(directory.resolve("bench.json").toFile());
        assertEquals(4 * 4 * 4, json.get("medians").size());
        assertEquals(12, json.get("goals").size());
        assertTrue(json.get("goals").get(0).get("value").isNull());
        assertEquals(13, json.get("paper").size());
        assertEquals(4 * 4 * (3 + 3), json.get("ratios").size(), "of three systems to native, and to Omid LL");
        for (String plot : List.of("bench.svg", "load.svg")) {
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(directory.resolve(plot).toFile());
        }
        assertTrue(Files.readString(directory.resolve("bench.txt")).contains(new BenchSummary(turns).text()));
    }

    @Test
    void reportsCanBeWrittenAgain() throws Exception {
        List<Turn> turns = slowingDown();
        Profile profile = new Profile();
        profile.add(turns.get(0).scene(), BenchCluster.LL, Profile.HBASE, "reads", 20, 5);
        BenchResults.write(directory, Machine.describe(), "{\"rounds\":3}", turns, new BenchSummary(turns), profile);
        Path again = directory.resolve("again");
        assertEquals(0, new Bench().command().execute("--from", directory.toString(), "--out", again.toString()));
        for (String file : List.of("bench.csv", "bench.json", "bench.txt", "bench.svg", "load.svg", "profile.svg")) {
            assertEquals(Files.readString(directory.resolve(file)), Files.readString(again.resolve(file)), file);
        }
        Files.writeString(directory.resolve("bench.csv"), "#\nother,columns\n");
        assertEquals(1, new Bench().command().execute("--from", directory.toString(), "--out", again.toString()));
    }

    @Test
    void fewHaveNo99thPercentile() {
        List<Turn> turns = List.of(turn(Workload.C, 8, 0, BenchCluster.LL, 1, 100));
        Scene scene = turns.get(0).scene();
        assertEquals(300, new BenchSummary(turns).find(scene, Job.READ, BenchCluster.LL).p99());
        Figures few = new Figures(Job.READ, 99, 0, 1, 1, 1, new double[4]);
        Turn other = new Turn(Workload.C, 8, 0, Double.NaN, BenchCluster.LL, 1, 1, 1, 1, 1, 1, 1, List.of(few));
        assertTrue(Double.isNaN(new BenchSummary(List.of(other)).find(scene, Job.READ, BenchCluster.LL).p99()));
    }

    @Test
    void badInputGetsOneSentence() {
        assertRefused("--systems knows native, omid-default, omid-ll, ll, one-phase, fp, 2pc, fragola, not 'x'.", "--systems", "x");
        assertRefused("--systems, --workloads, --threads and --background name each once.", "--threads", "8,8");
        assertRefused("Invalid value for option '--workloads' (NAME): expected one of [A, B, C, F, RANDOM, BRWC, SPARSE, WRITES] (case-sensitive) but was 'x'", "--workloads", "x");
        assertRefused("--threads are 1 to 64.", "--threads", "0");
        assertRefused("--background is 0 to 2000000 transactions per second.", "--background", "-1");
        assertRefused("--rounds must be at least 1.", "--rounds", "0");
        assertRefused("--profile-seconds is 0 to 30.", "--profile-seconds", "31");
        assertRefused("--keys must be 100 to 10000000.", "--keys", "99");
        assertRefused("--value-bytes must be 1 to 100000.", "--value-bytes", "0");
        assertRefused("--replicas must be 1 to 5.", "--replicas", "0");
        assertRefused("--heap-mb must be at least 512.", "--heap-mb", "511");
        assertRefused("--heap-mb is at most " + HBaseBenchmark.mostHeap() + " here, three quarters of the machine's memory.", "--heap-mb", "10000000");
        assertRefused("Apache Omid is not in nowhere: run `make bench`, which fetches it, or name its place by --peer.", "--peer", "nowhere");
    }

    private static void assertRefused(String sentence, String... arguments) {
        Checks.assertRefused(sentence, new Bench().command(), arguments);
    }
}
