package org.fencepost.bench.tm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.fencepost.bench.harness.Checks;
import org.fencepost.bench.harness.Machine;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The harness drives all three systems, counts right and writes what can be read. How fast they are is not tested. */
class BenchTmTest {

    @TempDir
    Path directory;

    @Test
    void shortRun() throws Exception {
        Assumptions.assumeTrue(Machine.countCores() > 1, "The benchmark needs two cores.");
        int code = run("--seconds", "0.3", "--settle-seconds", "0.1", "--warm-up-seconds", "0.4", "--pairs", "1", "--write-sets", "3", "--conflicts", "0,20",
                "--heap-mb", "256", "--conflict-table-size", "1048576", "--jvm", "-XX:TieredStopAtLevel=1", "--outstanding", "64", "--connections", "2");
        assertEquals(0, code);

        List<Map<String, String>> rows = Checks.csv(directory.resolve("bench-tm.csv"));
        assertEquals(2 * (3 + 3 + 1), rows.size());
        for (Map<String, String> row : rows) {
            double aborts = Double.parseDouble(row.get("abort_share"));
            if (row.get("conflict_percent").equals("0")) {
                assertEquals(0, aborts, 0.01, row.toString());
            } else if (row.get("phase").equals("saturation")) { // enough of them to say so
                assertEquals(0.2, aborts, 0.1, row.toString());
            }
            assertTrue(Double.parseDouble(row.get("tps")) > 0, row.toString());
            assertEquals(row.get("phase").equals("saturation"), row.get("p99_us").isEmpty(), row.toString());
        }

        JsonNode json = new ObjectMapper().readTree(directory.resolve("bench-tm.json").toFile());
        assertEquals(6, json.get("medians").size());
        assertEquals(rows.size(), json.get("runs").size());
        for (JsonNode median : json.get("medians")) {
            if (median.get("system").asText().equals("omid-ll")) {
                assertEquals(1, median.get("tpsToOmidLL").asDouble());
            }
        }
        assertFalse(json.get("machine").get("commit").asText().isEmpty());
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(directory.resolve("bench-tm.svg").toFile());
    }

    @Test
    void badInputGetsOneSentence() {
        assertRefused("--systems knows fencepost, omid-ll, omid-default, not 'x'.", "--systems", "x");
        assertRefused("--systems names each system once.", "--systems", "fencepost,fencepost");
        assertRefused("--write-sets are of 1 to 600 cells: Apache Omid's frames hold no more.", "--write-sets", "601");
        assertRefused("--conflicts are of 0 to 50 percent.", "--conflicts", "51");
        assertRefused("--outstanding must be at least 2 for each of the --connections.", "--outstanding", "7");
        assertRefused("Invalid value for option '--pairs': 'x' is not an int", "--pairs", "x");
        assertRefused("--pairs and the seconds must be positive.", "--pairs", "0");
    }

    private static void assertRefused(String sentence, String... arguments) {
        Checks.assertRefused(sentence, new BenchTm().command(), arguments);
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--out", directory.toString(), "--peer", "../bench-peer/target/lib"));
        all.addAll(List.of(arguments));
        return new BenchTm().command().execute(all.toArray(String[]::new));
    }
}
