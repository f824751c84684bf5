package org.fencepost.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.fencepost.audit.StateGraph;
import org.fencepost.simulation.Carriers;
import org.fencepost.simulation.CodeMutant;
import org.fencepost.simulation.MutantLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code takes the specification's steps; and were one of the two otherwise, it would show. */
class ConformanceTest {

    private static final Path SPECS = Path.of("..", "..", "specs");
    private static final Path OUT = Path.of("target", "conformance");

    private static int exit;
    private static String printed;

    @TempDir
    private Path folder;

    @BeforeAll
    static void replayAll() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        exit = Conformance.run(new String[] {"--specs", SPECS.toString(), "--out", OUT.toString(), "--behaviours", "1000"}, stream,
                stream);
        printed = out.toString(StandardCharsets.UTF_8);
        System.out.println(printed);
    }

    private static Path dump(String model) {
        return OUT.resolve(model).resolve("graph.dot");
    }

    @Test
    void theCodeTakesTheStepsOfTheSpecification() throws Exception {
        assertEquals(0, exit, printed);
        assertTrue(printed.contains("every action was taken"), printed);
        for (String model : StateGraph.replayed(SPECS, "OmidLL").keySet()) {
            assertTrue(Files.readString(OUT.resolve(model + ".json")).contains("\"difference\": null"), model);
        }
    }

    /** A reason that nothing needs any more would only hide what comes. */
    @Test
    void everyKnownRefusalOccurs() {
        for (Refusal refusal : Refusal.values()) {
            assertTrue(printed.contains("(" + refusal + ")"), refusal + " is in none of\n" + printed);
        }
    }

    @Test
    void theNameThatTlcGivesAStepIsTheOneReadFromItsChanges() throws Exception {
        StateGraph graph = StateGraph.read("ReplayDeaths2x1", dump("ReplayDeaths2x1"));
        for (StateGraph.Edge edge : graph.edges()) {
            assertEquals(edge.action(), Step.of(graph.states().get(edge.from()), graph.states().get(edge.to())).action());
        }
    }

    // ---- code that is otherwise

    private static String differenceOf(CodeMutant mutant, String model) throws Exception {
        return (String) MutantLoader.of(mutant).loadClass(Hunt.class.getName()).getMethod("run", String.class, Path.class)
                .invoke(null, model, dump(model));
    }

    private static void assertNoticed(String mutant, String model, String... what) throws Exception {
        String difference = differenceOf(CodeMutant.ALL.stream().filter(m -> m.spec().equals(mutant)).findFirst().orElseThrow(), model);
        assertNotNull(difference, mutant);
        for (String part : what) {
            assertTrue(difference.contains(part), difference);
        }
    }

    @Test
    void aGuardThatTheCodeLacks() throws Exception {
        assertNoticed("NoReRead", "ReplayRace2x2", "ReReadRecord(");
        assertNoticed("SkipsPending", "ReplayRace2x2", "GetCommitEntry(", "step=pending");
        assertNoticed("NoConflictCheck", "ReplayRace2x2", "RequestCommit(", "status");
        assertNoticed("RemovesEntryEarly", "ReplayRace2x2", "WriteCommitEntry(t1)", "todo");
        assertNoticed("AbortRemovesMarker", "ReplayRace2x2", "CleanUp(", "with REMOVE_ENTRY");
        assertNoticed("RefusalTakenForAbort", "ReplayDeaths2x1", "WriteCommitEntry(", "unresolved");
        assertNoticed("CommitsBelowWatermark", "ReplayCollect2x1", "WriteCommitEntry(");
        assertNoticed("EvictsSilently", "ReplayFaults2x1", "Evict(k1)", "lowWatermark");
    }

    @Test
    void codeThatRefusesWhatTheSpecificationPromises() throws Exception {
        CodeMutant strict = new CodeMutant("", "org.fencepost.simulation.CommitTableServer",
                List.of(new CodeMutant.Edit("if (startTs < watermarks[", "if (startTs <= watermarks[")), "");
        String difference = differenceOf(strict, "ReplayCollect2x1");
        assertNotNull(difference);
        assertTrue(difference.contains("WriteCommitEntry(") && difference.contains("spec [t1:committed"), difference);
    }

    // ---- a specification that is otherwise

    /** The specs with one of the texts changed, and one small model that checks nothing and promises no number of states. */
    private StateGraph changed(String model, String was, String becomes) throws Exception {
        try (Stream<Path> files = Files.walk(SPECS)) {
            String wanted = ".*/specs/\\w+\\.tla|.*/models/OmidLL/(MCOmidLL\\.tla|" + model + "\\.cfg)";
            for (Path file : files.filter(f -> f.toString().matches(wanted)).toList()) {
                String text = Files.readString(file);
                if (file.endsWith("OmidLL.tla")) {
                    assertTrue(text.contains(was), was);
                    text = text.replace(was, becomes);
                }
                Path copy = folder.resolve(SPECS.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, text.replaceAll("\\\\\\* (states|depth): \\d+", "").replaceAll("INVARIANTS.*", ""));
            }
        }
        return StateGraph.of(folder, "OmidLL", model, folder.resolve("out"));
    }

    private void assertRefused(StateGraph graph, String... what) {
        String difference = ModelReplay.of(graph, new Carriers()).difference();
        assertNotNull(difference);
        for (String part : what) {
            assertTrue(difference.contains(part), difference);
        }
    }

    @Test
    void aSpecificationThatAllowsMore() throws Exception {
        assertRefused(changed("ReplayDeaths2x1", "    /\\ status[t] = \"committed\"\n    /\\ CommitCellsDurable(t)\n",
                "    /\\ status[t] = \"committed\"\n"), "RemoveCommitEntry(t1)", "waits with PUT_COMMIT_CELLS");
    }

    @Test
    void aSpecificationThatDoesOtherwise() throws Exception {
        assertRefused(changed("ReplayDeaths2x1", "EntryAfterCleanUp(t) == commitTable[t]", "EntryAfterCleanUp(t) == NoTs"),
                "CleanUp(", "commitTable", "spec [t1:0", "code [t1:-1");
    }
}
