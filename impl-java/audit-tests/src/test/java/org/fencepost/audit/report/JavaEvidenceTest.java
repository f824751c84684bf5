package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.models.Completeness;
import org.fencepost.audit.models.Suite;
import org.fencepost.audit.models.Toy;
import org.fencepost.audit.report.Dossier.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs of the Java code left behind, and when it counts no more. */
class JavaEvidenceTest {
    private static final String SOURCE = "impl-java/protocol/src/main/java/p/Reader.java";

    @TempDir
    Path folder;

    @BeforeEach
    void aTree() throws IOException {
        write(SOURCE, "class Reader {\n    void read() {\n        if (seen) {\n        }\n    }\n}\n", 1);
        write("impl-java/simulation/src/main/java/p/Sim.java", "class Sim {}", 1);
        write("impl-java/tm/src/main/java/p/Lease.java", "class Lease {}", 1);
        write("specs/Toy.tla", "", 1);
        write("impl-java/simulation-tests/target/code-mutants.json",
                "[{\"module\":\"OmidLL\",\"spec\":\"NoReRead\",\"java\":\"p.Reader\",\"was\":\"if (seen) {\\n"
                        + "\",\"seeds\":7,\"property\":\"Snapshot\",\"replay\":\"--replay 6\",\"note\":\"\"}]", 2);
        write("target/torture/summary.json", "{\"seeds\": 10, \"judged\": {\"Toy\": [\"Snapshot\"]}, \"failed\": null}", 2);
        write("impl-java/protocol/target/surefire-reports/TEST-p.ReaderTest.xml",
                "<testsuite name=\"p.ReaderTest\" time=\"1\" tests=\"3\" errors=\"0\" skipped=\"1\" "
                        + "failures=\"1\">\n<testcase name=\"reads\" classname=\"p.ReaderTest\" time=\"0.1\"/>\n"
                        + "<testcase name=\"readsAgain\" classname=\"p.ReaderTest\" "
                        + "time=\"0.1\">\n<failure message=\"expected: &lt;1&gt; but was: &lt;2&gt;\" type=\"E\">trace</failure>\n</testcase>\n</testsuite>",
                2);
    }

    private void write(String name, String text, long seconds) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1000));
    }

    @Test
    void benchmarksAreShownByTheirGoalsOrTheirFigures() throws IOException {
        write("docs/bench/bench.csv", "# a machine, with commas\nsystem,p50\nll,3\n", 2);
        write("docs/bench/bench.json",
                "{\"machine\": {\"cpu\": \"some\"}, \"goals\": [{\"goal\": \"p50\", \"aim\": \"at_most\", \"bound\": 2.2, \"value\": 3.1, "
                        + "\"verdict\": \"missed\"}]}", 2);
        write("docs/bench/bench.svg", "<svg/>", 2);
        write("docs/bench/load.svg", "<svg/>", 2);
        write("docs/bench-tm/bench-tm.csv", "# a machine, with commas\nsystem,p50\nll,3\n", 2);
        write("docs/benches/benches.csv", "x", 2);
        List<JavaEvidence.Benchmark> found = JavaEvidence.of(folder).benchmarks();
        assertEquals(List.of("bench", "bench-tm"), found.stream().map(JavaEvidence.Benchmark::name).toList());
        assertEquals(List.of("p50", "at most", "2.2", "3.1", "", "", "missed"), found.get(0).table().get(1));
        assertEquals(2, found.get(0).pictures().size());
        assertEquals(List.of(List.of("system", "p50"), List.of("ll", "3")), found.get(1).table());
    }

    @Test
    void whatRanIsTold() {
        JavaEvidence evidence = JavaEvidence.of(folder);
        Dossier.CodeMutant mutant = evidence.codeMutants().get(0);
        assertEquals(SOURCE + ":3", mutant.where());
        assertTrue(mutant.fresh() && mutant.found() && mutant.system().equals("OmidLL"));
        assertEquals(10L, evidence.torture().get(0).says().get("seeds"));
        assertNull(evidence.torture().get(0).failed());
        assertEquals(List.of("ReaderTest.readsAgain: expected: <1> but was: <2>"), evidence.tests().get(0).failing());
        assertEquals(Status.FAILED, evidence.tested("protocol", "ReaderTest"));
        assertTrue(evidence.fails());
        assertEquals(Status.UNKNOWN, evidence.tested("protocol", "OtherTest"));
        assertEquals(Status.UNKNOWN, evidence.tested("tm", "ReaderTest"));
    }

    @Test
    void whatIsOlderThanTheSourcesCountsNoMore() throws IOException {
        write(SOURCE, "class Reader {\n    void read() {\n    }\n}\n", 3);
        JavaEvidence evidence = JavaEvidence.of(folder);
        assertFalse(evidence.codeMutants().get(0).fresh() || evidence.torture().get(0).fresh() || evidence.tests().get(0).fresh());
        assertEquals(Status.UNKNOWN, evidence.tested("protocol", "ReaderTest"));
        assertFalse(evidence.fails(), "nobody knows");
        assertNull(evidence.codeMutants().get(0).where(), "the guard's text is gone");
        List<Dossier.Suspicion> all = suspicions(evidence);
        assertEquals("Java guard of NoReRead: what the test removes is not in Reader.java any more.", all.get(0).what());
    }

    /** The simulator runs the transaction manager's own classes. */
    @Test
    void theSimulatorsRunsAreAboutTheTransactionManagerToo() throws IOException {
        write("impl-java/tm/src/main/java/p/Lease.java", "class Lease { }", 3);
        JavaEvidence evidence = JavaEvidence.of(folder);
        assertFalse(evidence.codeMutants().get(0).fresh() || evidence.torture().get(0).fresh());
    }

    @Test
    void mediatorsCampaignIsBesideTheOther() throws IOException {
        write("target/torture/summary-mediator.json", "{\"seeds\": 5, \"judged\": {\"Other\": [\"Snapshot\"]}, \"failed\": null}", 2);
        List<JavaEvidence.Torture> campaigns = JavaEvidence.of(folder).torture();
        assertEquals(List.of(false, true), campaigns.stream().map(c -> c.judges("Toy", "Snapshot")).toList());
        assertEquals(List.of(true, false), campaigns.stream().map(c -> c.judges("Other", "Snapshot")).toList());
    }

    @Test
    void runsOnClustersCountButForBrokenBuilds() throws IOException {
        String judged = "\"judged\": {\"Toy\": [\"Snapshot\"]}, \"local\": false, ";
        write("target/cluster-test/1/results.json", "{" + judged + "\"broken\": null, \"valid\": true}", 2);
        write("target/cluster-test/1/latency.svg", "<svg/>", 2);
        write("target/cluster-test/2/results.json", "{" + judged + "\"broken\": \"re-read\", \"valid\": false}", 2);
        write("target/cluster-test/3/results.json", "{" + judged + "\"broken\": null, \"valid\": \"unknown\"}", 2);
        List<JavaEvidence.ClusterRun> runs = JavaEvidence.of(folder).clusters();
        assertEquals(List.of("1", "3"), runs.stream().map(JavaEvidence.ClusterRun::name).toList());
        assertEquals(List.of(Status.OK, Status.UNKNOWN), runs.stream().map(JavaEvidence.ClusterRun::status).toList());
        assertEquals(List.of("<svg/>"), runs.get(0).pictures());
        assertTrue(runs.get(0).judges("Toy", "Snapshot") && runs.get(0).isOnCluster());
        write("target/cluster-test/4/results.json", "{" + judged + "\"broken\": null, \"valid\": false}", 2);
        assertTrue(JavaEvidence.of(folder).fails());
    }

    @Test
    void aFailingSeedNamesTheMutantThatItFinds() throws IOException {
        write("target/torture/summary.json", "{\"seeds\": 7, \"failed\": {\"seed\": 6, \"property\": \"Snapshot\", \"message\": \"two versions\"}}",
                2);
        write("target/torture/seed-6.svg", "<svg/>", 2);
        JavaEvidence evidence = JavaEvidence.of(folder);
        assertEquals("<svg/>", evidence.torture().get(0).picture());
        assertEquals("The simulator violates Snapshot with seed 6: two versions. This is the first seed that finds code mutant NoReRead.",
                suspicions(evidence).get(0).what());
    }

    @Test
    void whatIsHalfWrittenIsNotThere() throws IOException {
        write("target/torture/summary.json", "{\"seeds\": 7, ", 2);
        write("impl-java/simulation-tests/target/code-mutants.json", "[", 2);
        write("target/conformance/Small.json", "{\"difference\": \"After Begin(t1)\"}", 2);
        JavaEvidence evidence = JavaEvidence.of(folder);
        assertEquals(List.of(), evidence.torture());
        assertEquals(List.of(), evidence.codeMutants());
        assertTrue(suspicions(evidence).get(0).what().contains("After Begin(t1)"));
        JavaEvidence nothing = JavaEvidence.of(folder.resolve("nowhere"));
        assertTrue(nothing.tests().isEmpty() && nothing.torture().isEmpty() && nothing.benchmarks().isEmpty());
    }

    private static List<Dossier.Suspicion> suspicions(JavaEvidence evidence) {
        Check.Findings found = new Check.Findings(Suite.load(Toy.ORIGINAL), null, List.of(), new Completeness(List.of(), List.of()));
        return new Suspicions(found, List.of(), evidence).all();
    }
}
