package org.fencepost.bench.mediator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.harness.Machine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Ratios and equilibria are right, the results can be read, bad input is refused. No server is started: `make bench-mediator QUICK=1` does. */
class BenchMediatorTest {

    @TempDir
    Path directory;

    /** Mediator's throughput doubles from half of Omid LL's with each half of native operations, while the machine becomes slower from pair to pair. */
    private static List<MixSlice> slices() {
        List<MixSlice> slices = new ArrayList<>();
        for (int pair = 1; pair <= 3; pair++) {
            double base = 1e4 / pair;
            for (double reads : List.of(0.0, 1.0)) {
                Mix alone = new Mix(1, reads, 1);
                slices.add(slice(MixSlice.LATENCY, alone, MixSlice.BARE, 1, pair, base, 100 * pair));
                slices.add(slice(MixSlice.LATENCY, alone, MixSlice.MEDIATOR, 1, pair, base, 104 * pair));
                slices.add(slice(MixSlice.LATENCY, alone, MixSlice.LL, 1, pair, base, 200 * pair));
                for (int largest : List.of(1, 4)) {
                    for (double natives : List.of(0.0, 0.5, 1.0)) {
                        Mix mix = new Mix(largest, reads, natives);
                        double ratio = largest == 1 ? 3 : (reads == 0 ? 0.5 : 0.9) * Math.pow(4, natives);
                        slices.add(slice(MixSlice.THROUGHPUT, mix, MixSlice.LL, 8, pair, base, 100));
                        slices.add(slice(MixSlice.THROUGHPUT, mix, MixSlice.MEDIATOR, 8, pair, base * ratio, 100));
                    }
                }
            }
        }
        return slices;
    }

    private static MixSlice slice(String phase, Mix mix, String system, int threads, int pair, double perSecond, double p50) {
        return new MixSlice(phase, mix, system, threads, pair, (long) perSecond, perSecond, 0.01, mix.natives() > 0 ? p50 : Double.NaN, p50, 50, 40);
    }

    @Test
    void ratiosAreOfPairs() {
        MixSummary summary = new MixSummary(slices());
        MixSummary.Latency put = summary.latencies().stream().filter(l -> l.system().equals(MixSlice.MEDIATOR) && l.mix().reads() == 0).findAny().orElseThrow();
        assertEquals(1.04, put.ratio().median(), 1e-9);
        assertEquals("at most 1.05: met", put.verdict());
        assertEquals(6, summary.latencies().size());
        assertEquals(12, summary.throughputs().size());
        List<MixSummary.Throughput> line = summary.line(4, 0);
        assertEquals(List.of(0.0, 0.5, 1.0), line.stream().map(t -> t.mix().natives()).toList());
        assertEquals(1.0, line.get(1).ratio().upper(), 1e-9);
        assertEquals(List.of("", "above 1: missed", "above 1: met"), line.stream().map(MixSummary.Throughput::verdict).toList());
    }

    @Test
    void anEquilibriumLiesWhereTheRatioIsOne() {
        List<MixSummary.Equilibrium> found = new MixSummary(slices()).equilibria();
        assertEquals(List.of(new MixSummary.Equilibrium(1, 0, 0), new MixSummary.Equilibrium(4, 0, 0.5), new MixSummary.Equilibrium(1, 1, 0)),
                found.subList(0, 3));
        assertEquals(Math.log(1 / 0.9) / Math.log(4), found.get(3).natives(), 1e-9);
        assertTrue(Double.isNaN(MixSummary.crossing(new MixSummary(slices()).line(4, 0).subList(0, 1))), "never ahead");
    }

    @Test
    void aMixHasItsShareOfNativeOperations() {
        Mix mix = new Mix(20, 0.5, 0.25);
        SplittableRandom random = new SplittableRandom(7);
        int natives = 0;
        int all = 0;
        while (all < 1_000_000) {
            boolean isNative = mix.drawNative(random);
            natives += isNative ? 1 : 0;
            all += isNative ? 1 : mix.drawSize(random);
        }
        assertEquals(0.25, (double) natives / all, 0.01);
        for (int i = 0; i < 1_000; i++) {
            assertTrue(new Mix(1, 0, 1).drawNative(random) && !new Mix(1, 0, 0).drawNative(random));
        }
    }

    @Test
    void resultsCanBeRead() throws Exception {
        BenchMediator options = new BenchMediator();
        new CommandLine(options).parseArgs();
        assertEquals(65, options.mixes().size());
        MixResults.write(directory, Machine.describe(), options, slices(), new MixSummary(slices()));
        assertEquals(slices().size(), Checks.csv(directory.resolve("bench-mediator.csv")).size());
        JsonNode json = new ObjectMapper().readTree(directory.resolve("bench-mediator.json").toFile());
        assertEquals(slices().size(), json.get("slices").size());
        assertEquals(12, json.get("throughput").size());
        assertEquals(4, json.get("equilibrium").size());
        assertEquals(6, json.get("nativeLatency").size());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(directory.resolve("bench-mediator.svg").toFile());
    }

    @Test
    void badInputGetsOneSentence() {
        assertRefused("--sizes are 1 to 1000.", "--sizes", "0");
        assertRefused("--gets and --natives are shares, from 0 to 1.", "--natives", "1.5");
        assertRefused("--sizes, --gets and --natives name each once.", "--gets", "1,1");
        assertRefused("--threads are 1 to 16: HBase has no more handlers here.", "--threads", "17");
        assertRefused("--pairs and --native-pairs must be at least 1.", "--pairs", "0");
        assertRefused("--keys must be 100 to 10000000.", "--keys", "99");
        assertRefused("--value-bytes must be 1 to 100000.", "--value-bytes", "0");
        assertRefused("--bookies must be 1 to 5.", "--bookies", "0");
        assertRefused("--heap-mb must be at least 512.", "--heap-mb", "511");
        assertRefused("There is no transaction manager with BookKeeper in nowhere: run `make bench-mediator`, which builds it, or name its place"
                + " by --mediator.", "--mediator", "nowhere");
    }

    private static void assertRefused(String sentence, String... arguments) {
        Checks.assertRefused(sentence, new BenchMediator().command(), arguments);
    }
}
