package org.fencepost.bench.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.index.IndexSlice.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The ratios are right, the results can be read, bad input is refused. HBase is not started: `make bench-index QUICK=1` does. */
class BenchIndexTest {

    @TempDir
    Path directory;

    /** The ratios stay, while the machine becomes five times slower from pair to pair. */
    private static List<IndexSlice> slowingDown(double p99) {
        List<IndexSlice> slices = new ArrayList<>();
        for (int pair = 1; pair <= 3; pair++) {
            double base = 100 * Math.pow(5, pair);
            slices.add(new IndexSlice(Kind.WRITERS, IndexSlice.BEFORE, pair, 1e6 / base, base, 3 * base, 0));
            slices.add(new IndexSlice(Kind.WRITERS, IndexSlice.DURING, pair, 0.8e6 / base, base, 3 * p99 * base, pair));
            slices.add(new IndexSlice(Kind.POPULATE, IndexSlice.COPY, pair, 1e6 / base, Double.NaN, Double.NaN, 0));
            slices.add(new IndexSlice(Kind.POPULATE, IndexSlice.BUILD, pair, 0.5e6 / base, Double.NaN, Double.NaN, 0));
            slices.add(new IndexSlice(Kind.EXCLUDE_CURRENT, IndexSlice.PLAIN, pair, 1e6 / base, base, 2 * base, 0));
            slices.add(new IndexSlice(Kind.EXCLUDE_CURRENT, IndexSlice.EXCLUDING, pair, 1e6 / base, 1.04 * base, 2 * base, 0));
            slices.add(new IndexSlice(Kind.VERSIONS, IndexSlice.CLIENT, pair, 1e6 / base, base, 2 * base, 0));
            slices.add(new IndexSlice(Kind.VERSIONS, IndexSlice.SERVER, pair, 1e6 / base, 0.25 * base, base, 0));
        }
        return slices;
    }

    @Test
    void ratiosAreOfPairs() {
        IndexSummary summary = new IndexSummary(slowingDown(1.1));
        assertEquals(List.of("at most 1.20: met", "", "", "at most 1.05: met", ""), summary.comparisons().stream().map(IndexSummary.Comparison::verdict).toList());
        double[] expected = {1.1, 0.8, 0.5, 1.04, 0.25};
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], summary.comparisons().get(i).ratio().median(), 1e-9);
        }
        assertEquals("at most 1.20: missed", new IndexSummary(slowingDown(1.3)).comparisons().get(0).verdict());
        assertEquals(8, summary.rows().size());
        assertEquals(3, summary.rows().stream().mapToLong(IndexSummary.Row::aborts).max().orElseThrow());
        assertTrue(summary.text().contains("p99, during / before         1.10 (1.10 to 1.10)  at most 1.20: met"), summary::text);
    }

    @Test
    void resultsCanBeRead() throws Exception {
        List<IndexSlice> slices = slowingDown(1.3);
        BenchIndex options = new BenchIndex();
        new CommandLine(options).parseArgs();
        IndexResults.write(directory, Machine.describe(), options, slices, new IndexSummary(slices));
        assertEquals(slices.size(), Checks.csv(directory.resolve("bench-index.csv")).size());
        JsonNode json = new ObjectMapper().readTree(directory.resolve("bench-index.json").toFile());
        assertEquals(slices.size(), json.get("slices").size());
        assertEquals(8, json.get("medians").size());
        assertEquals(1.3, json.get("ratios").get(0).get("median").asDouble());
        assertEquals(false, json.get("ratios").get(0).get("met").asBoolean());
        assertTrue(json.get("ratios").get(1).get("atMost").isNull());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(directory.resolve("bench-index.svg").toFile());
    }

    @Test
    void badInputGetsOneSentence() {
        Checks.assertRefused("--threads must be 1 to 16: HBase has no more handlers here.", new BenchIndex().command(), "--threads", "17");
        Checks.assertRefused("--pairs must be at least 1.", new BenchIndex().command(), "--pairs", "0");
        Checks.assertRefused("--keys must be 100 to 10000000.", new BenchIndex().command(), "--keys", "99");
    }
}
