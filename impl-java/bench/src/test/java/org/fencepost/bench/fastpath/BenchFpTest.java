package org.fencepost.bench.fastpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fencepost.bench.fastpath.FpSummary.Comparison;
import org.fencepost.bench.fastpath.Operation.Kind;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The ratios are right, the results can be read, bad input is refused. HBase is not started: `make bench-fp QUICK=1` does. */
class BenchFpTest {

    @TempDir
    Path directory;

    /** Within a pair the ratio is 1.1, while the machine becomes five times slower from pair to pair. */
    private static List<Slice> slowingDown(int threads) {
        List<Slice> slices = new ArrayList<>();
        for (int pair = 1; pair <= 5; pair++) {
            double base = 100 * Math.pow(5, pair);
            for (Kind kind : List.of(Kind.WRITE, Kind.READ)) {
                slices.add(slice(kind, Operation.NATIVE, threads, pair, base));
                slices.add(slice(kind, Operation.FP, threads, pair, 1.1 * base));
                slices.add(slice(kind, Operation.LL, threads, pair, 2.2 * base));
            }
            slices.add(slice(Kind.TEN, Operation.LL, threads, pair, base));
            slices.add(slice(Kind.TEN, Operation.LL_BESIDE_FP, threads, pair, 1.04 * base));
        }
        return slices;
    }

    private static Slice slice(Kind kind, String system, int threads, int pair, double p50) {
        return new Slice(kind, system, threads, pair, 100 * pair, 1e6 / p50, 0, 2 * p50, p50, 3 * p50, 10, 1000, 5);
    }

    private static Comparison comparison(FpSummary summary, Kind kind, String system, String to) {
        return summary.comparisons().stream().filter(c -> c.goal().kind() == kind && c.goal().system().equals(system) && c.goal().to().equals(to))
                .findAny().orElseThrow();
    }

    @Test
    void ratiosAreOfPairs() {
        FpSummary summary = new FpSummary(slowingDown(1), List.of());
        Comparison write = comparison(summary, Kind.WRITE, Operation.FP, Operation.NATIVE);
        assertEquals(1.1, write.p50().median(), 1e-9);
        assertEquals(1.1, write.mean().lower(), 1e-9);
        assertEquals("at most 1.15: met", write.verdict());
        assertEquals("at most 1.05: missed", comparison(summary, Kind.READ, Operation.FP, Operation.NATIVE).verdict());
        assertEquals("at least 2.30: missed", comparison(summary, Kind.WRITE, Operation.LL, Operation.FP).verdict());
        assertEquals("at most 1.05: met", comparison(summary, Kind.TEN, Operation.LL_BESIDE_FP, Operation.LL).verdict());
        assertEquals("", comparison(summary, Kind.READ, Operation.LL, Operation.FP).verdict());
        assertEquals(6, summary.comparisons().size(), "what was not measured is not compared");
        assertEquals(8, summary.rows().size());
    }

    @Test
    void quartilesLieBetweenFigures() {
        Spread spread = Spread.of(DoubleStream.of(4, 1, 3, 2));
        assertEquals(1.75, spread.lower());
        assertEquals(2.5, spread.median());
        assertEquals(3.25, spread.upper());
        assertTrue(Double.isNaN(Spread.of(DoubleStream.of()).median()));
    }

    @Test
    void resultsCanBeRead() throws Exception {
        List<Slice> slices = new ArrayList<>(slowingDown(1));
        slices.addAll(slowingDown(8));
        BenchFp options = new BenchFp();
        new CommandLine(options).parseArgs();
        Trips regular = new Trips(Kind.WRITE, Operation.ONE_PHASE, 1, 1.01, 2, 0);
        Trips blind = new Trips(Kind.WRITE, Operation.BLIND, 1, 1, 2, 1);
        FpResults.write(directory, Machine.describe(), options, slices, new FpSummary(slices, List.of(regular, blind)));

        assertEquals(slices.size(), Checks.csv(directory.resolve("bench-fp.csv")).size());
        JsonNode json = new ObjectMapper().readTree(directory.resolve("bench-fp.json").toFile());
        assertEquals(slices.size(), json.get("slices").size());
        assertEquals(16, json.get("medians").size());
        assertEquals("at most 1 sync, 3 requests: met", json.get("trips").get(0).get("verdict").asText());
        assertEquals("at most 1 sync, 2 requests: missed", json.get("trips").get(1).get("verdict").asText());
        assertEquals(12, json.get("ratios").size());
        assertEquals(1.1, json.get("ratios").get(0).get("p50").asDouble());
        assertTrue(json.get("ratios").get(0).get("met").asBoolean());
        assertTrue(json.get("ratios").get(3).get("bound").isNull());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(directory.resolve("bench-fp.svg").toFile());
    }

    @Test
    void badInputGetsOneSentence() {
        assertRefused("--threads are 1 to 16: HBase has no more handlers here.", "--threads", "17");
        assertRefused("--threads and --kinds name each once.", "--kinds", "READ,READ");
        assertRefused("Invalid value for option '--kinds' (KIND): expected one of [WRITE, READ, READ_WRITE, FIVE, TEN] (case-sensitive) but was 'x'", "--kinds", "x");
        assertRefused("--pairs must be at least 1.", "--pairs", "0");
        assertRefused("--keys must be 100 to 10000000.", "--keys", "99");
        assertRefused("--value-bytes must be 1 to 100000.", "--value-bytes", "0");
        assertRefused("--heap-mb must be at least 512.", "--heap-mb", "511");
        assertRefused("--replicas must be 1 to 5.", "--replicas", "0");
    }

    private static void assertRefused(String sentence, String... arguments) {
        Checks.assertRefused(sentence, new BenchFp().command(), arguments);
    }
}
