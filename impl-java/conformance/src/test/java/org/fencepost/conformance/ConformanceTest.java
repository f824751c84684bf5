package org.fencepost.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fencepost.audit.models.StateGraph;
import org.fencepost.audit.models.StateGraphs;
import org.fencepost.audit.text.Json;
import org.fencepost.conformance.replay.Step;
import org.fencepost.simulation.CheckpointMutants;
import org.fencepost.simulation.CodeMutant;
import org.fencepost.simulation.FailoverMutants;
import org.fencepost.simulation.FastPathMutants;
import org.fencepost.simulation.FragolaMutants;
import org.fencepost.simulation.IndexMutants;
import org.fencepost.simulation.MediatorMutants;
import org.fencepost.simulation.MutantLoader;
import org.fencepost.simulation.OnePhaseMutants;
import org.fencepost.simulation.world.Carriers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The code takes the specification's steps; and were one of the two otherwise, it would show. In {@code make test-long} 1,500 paths through each
 * small model, in {@code make test-all} all steps.
 */
@Tag("long")
class ConformanceTest {

    private static final boolean ALL = Boolean.getBoolean("fencepost.test.all");

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
        List<String> options = new ArrayList<>(List.of("--specs", SPECS.toString(), "--out", OUT.toString(), "--behaviours", "1000", "--seeds", ALL ? "300" : "100"));
        if (!ALL) {
            options.addAll(List.of("--paths", "1500"));
        }
        exit = Conformance.run(options.toArray(String[]::new), stream, stream);
        printed = out.toString(StandardCharsets.UTF_8);
        System.out.println(printed);
    }

    private static Path dump(String model) {
        return StateGraphs.dump(OUT.resolve(model));
    }

    @Test
    void theCodeTakesTheStepsOfTheSpecification() throws Exception {
        assertEquals(0, exit, printed);
        try (StateGraphs graphs = new StateGraphs(SPECS, folder)) {
            for (Protocol protocol : Protocol.values()) {
                assertTrue(printed.contains(protocol + ": every action was taken"), printed);
                for (String model : graphs.replayed(protocol.name()).keySet()) {
                    assertTrue(Files.readString(OUT.resolve(model + ".json")).contains("\"difference\": null"), model);
                }
            }
        }
    }

    @Test
    void theSimulatorComesToMostStatesOfTheModels() throws Exception {
        Map<?, ?> says = (Map<?, ?>) Json.read(Files.readString(OUT.resolve("Visited.json")));
        List<?> rows = (List<?>) says.get("visited");
        Map<?, ?> visited = (Map<?, ?>) rows.get(rows.size() - 1);
        long ofTheModels = (Long) visited.get("ofTheModels");
        assertTrue(ofTheModels <= (Long) says.get("statesOfTheModels") && ofTheModels < (Long) visited.get("states"), says.toString());
        assertTrue(2 * ofTheModels > (Long) says.get("statesOfTheModels"), says.toString());
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

    private static String differenceOf(CodeMutant mutant, Protocol protocol, String model) throws Exception {
        return (String) MutantLoader.of(mutant).loadClass(Hunt.class.getName()).getMethod("run", String.class, String.class, Path.class)
                .invoke(null, protocol.name(), model, dump(model));
    }

    private static void assertNoticed(String mutant, String model, String... what) throws Exception {
        assertNoticed(CodeMutant.ALL, Protocol.OmidLL, mutant, model, what);
    }

    private static void assertNoticed(List<CodeMutant> all, Protocol protocol, String mutant, String model, String... what) throws Exception {
        String difference = differenceOf(all.stream().filter(m -> m.spec().equals(mutant)).findFirst().orElseThrow(), protocol, model);
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
    void aGuardOfTheFailoverThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = FailoverMutants.ALL;
        assertNoticed(all, Protocol.TMFailover, "NoConflictCheck", "ReplayConflict1x2", "RequestCommit(m1)", "lastCommit");
        assertNoticed(all, Protocol.TMFailover, "NoLowWatermark", "ReplayFailover2x1", "lowWatermark");
        assertNoticed(all, Protocol.TMFailover, "LeaseOneUnitLonger", "ReplayRenewals2", "Tick", "age");
        assertNoticed(all, Protocol.TMFailover, "LeaseFromAnswer", "ReplayRenewals2", "HoldLease(", "age");
        assertNoticed(all, Protocol.TMFailover, "WaitsFromLastLook", "ReplayRenewals2", "AcquireLease(");
    }

    @Test
    void aGuardOfTheFastPathThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = FastPathMutants.ALL;
        assertNoticed(all, Protocol.FastPath, "PutsOverNewerCommit", "ReplayFast1x1", "RefusePut(");
        assertNoticed(all, Protocol.FastPath, "IgnoresMovedVersion", "ReplayUpdate1x1", "Wc(", "status");
        assertNoticed(all, Protocol.FastPath, "ReadsWithoutLifting", "ReplayFast1x1", "BumpClock(");
        assertNoticed(all, Protocol.FastPath, "SequenceRunsOver", "ReplaySequence0x1", "Bwc(", "status");
        assertNoticed(all, Protocol.FastPath, "WaitsForRegulars", "ReplaySequence0x1", "BootstrapClock(");
        assertNoticed(all, Protocol.FastPath, "WritesOverTentative", "ReplayFast1x1", "Bwc(", "status");
    }

    @Test
    void aGuardOfOnePhaseThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = OnePhaseMutants.ALL;
        assertNoticed(all, Protocol.OnePhase, "ReadLeavesClock", "ReplayMixed2x1", "BumpClock(", "rowClock");
        assertNoticed(all, Protocol.OnePhase, "ClockNotChecked", "ReplayMixed2x1", "RefuseBatch(");
        assertNoticed(all, Protocol.OnePhase, "OwnCertificationCounts", "ReplayMixed2x1", "RequestCommit(");
        assertNoticed(all, Protocol.OnePhase, "BatchLeavesClock", "ReplayMixed2x1", "AcceptBatch(", "lvc");
        assertNoticed(all, Protocol.OnePhase, "BlindUntold", "ReplayBlind2x1", "CommitBlindly(", "lastCommit");
        assertNoticed(all, Protocol.OnePhase, "RetriesAnyway", "ReplayRegions2x1", "ResolveBatch(");
        assertNoticed(all, Protocol.OnePhase, "StoresOverNewerVersion", "ReplayShort1x1", "RefuseBatch(");
        assertNoticed(all, Protocol.OnePhase, "BesideUnchecked", "ReplayBeside2x1", "RetryPut(", "way");
    }

    @Test
    void aGuardOfFragolaThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = FragolaMutants.ALL;
        assertNoticed(all, Protocol.Fragola, "HelpsAbort", "ReplayFollowers2x2", "ReReadRecord(", "step=REMOVE");
        assertNoticed(all, Protocol.Fragola, "MarksAbsence", "ReplayFollowers2x2", "leaderCell");
        assertNoticed(all, Protocol.Fragola, "CommitsWithoutLeader", "ReplayFollowers2x2", "leaderCell");
        assertNoticed(all, Protocol.Fragola, "RetryMistrustsItself", "ReplayFollowers2x2", "WriteCommitEntry(", "status");
        assertNoticed(all, Protocol.Fragola, "HealsNothing", "ReplayOrphans1x2", "HealLeftover(");
        assertNoticed(all, Protocol.Fragola, "AbortRemovesMarker", "ReplayOrphans1x2", "CleanUp(", "leaderCell");
    }

    @Test
    void aGuardOfTheIndexThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = IndexMutants.ALL;
        assertNoticed(all, Protocol.IndexFence, "BuildsInFence", "ReplayParts0x2", "BuildBegin(p1)", "readTs");
        assertNoticed(all, Protocol.IndexFence, "PopulatesAtOwnVersion", "ReplayParts0x2", "Populate(p1", "commitCell");
        assertNoticed(all, Protocol.IndexFence, "PopulatesTentative", "ReplayParts0x2", "Populate(p1", "commitCell");
        assertNoticed(all, Protocol.IndexFence, "ReadyFromFirstPart", "ReplayParts0x2", "Ready(p2)", "readyFrom");
        assertNoticed(all, Protocol.IndexFence, "CommitsBeforeIndex", "Build1x1", "RequestCommit(t1)", "with PUT");
        assertNoticed(all, Protocol.IndexFence, "LeavesOldEntry", "Build1x1", "WriteIndex(t1, e0)");
        assertNoticed(all, Protocol.IndexFence, "NoFence", "Build1x1", "RequestCommit(t1)", "status");
        assertNoticed(all, Protocol.IndexFence, "RemovesEntryBeforeIndex", "Build1x1", "WriteCommitEntry(t1)", "todo");
    }

    @Test
    void aGuardOfCheckpointsThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = CheckpointMutants.ALL;
        assertNoticed(all, Protocol.Checkpoints, "ReadsOwnStatement", "Fast1x1", "Read(t1", "level=1, own=TRUE");
        assertNoticed(all, Protocol.Checkpoints, "DrawsLevels", "Fast1x1", "FastWrite(f1", "commitTs");
        assertNoticed(all, Protocol.Checkpoints, "PutsOverNewerCommit", "Fast1x1", "RefusePut(t1");
        assertNoticed(all, Protocol.Checkpoints, "ReadsWithoutLifting", "Fast1x1", "Read(t1", "lvc");
        assertNoticed(all, Protocol.Checkpoints, "HealsEveryLevel", "Fast1x1", "PostCommit(t1");
        assertNoticed(all, Protocol.Checkpoints, "RemovesLastLevelOnly", "Fast1x1", "CleanUp(t1");
        assertNoticed(all, Protocol.Checkpoints, "InvalidatesItself", "Fast1x1", "Read(t1", "CHECK_AND_MUTATE");
        assertNoticed(all, Protocol.Checkpoints, "HealsMetLevel", "Steps2x1", "HealCommitCell(t2", "stored");
        assertNoticed(all, Protocol.Checkpoints, "RereadsMetLevel", "Steps2x1", "InvalidatePending(t2", "cursor");
        assertNoticed(all, Protocol.Checkpoints, "AsksForLevel", "Steps2x1", "InvalidatePending(t2", "commitTable");
        assertNoticed(all, Protocol.Checkpoints, "ReaderTakesLevelForFast", "Steps2x1", "GetRecord(t2");
        assertNoticed(all, Protocol.Checkpoints, "ListsVisibleOnly", "List2x1", "ReadAll(t1", "listed");
        assertNoticed(all, Protocol.Checkpoints, "AsksForEveryLevel", "List2x1", "ReadAll(t2", "pending");
        assertNoticed(all, Protocol.Checkpoints, "CleansLastLevelOnly", "Collect3x1", "CleanLeftover(");
    }

    @Test
    void aGuardOfMediatorThatTheCodeLacks() throws Exception {
        List<CodeMutant> all = MediatorMutants.ALL;
        assertNoticed(all, Protocol.Mediator, "NoFenceAtBegin", "ReplayServers1x2", "FenceRead(", "local");
        assertNoticed(all, Protocol.Mediator, "NoFenceAtCheck", "ReplayServers1x2", "FenceCommit(", "local");
        assertNoticed(all, Protocol.Mediator, "PutTransactionBeforeBegin", "ReplayFaults1x1", "LocalCommit(", "local");
        assertNoticed(all, Protocol.Mediator, "TrustsLostClock", "ReplayFaults1x1", "CrashServer(");
        assertNoticed(all, Protocol.Mediator, "RecoversWithoutTsMin", "ReplayFaults1x1", "OpenTso", "tsMin");
        assertNoticed(all, Protocol.Mediator, "NoRingCheck", "ReplaySerial2x1", "TxTryCommit(", "status");
        assertNoticed(all, Protocol.Mediator, "DatabaseRemembers", "ReplaySerial2x1", "Evict(", "tsMin");
        assertNoticed(all, Protocol.Mediator, "NoDatabaseCheck", "ReplaySerial2x1", "TxCheckConflict(");
        assertNoticed(all, Protocol.Mediator, "CommitsUnchecked", "ReplaySerial2x1", "TxTryCommit(");
        assertNoticed(all, Protocol.Mediator, "ReadsPastRing", "ReplayRing2x1", "GiveUp(");
        assertNoticed(all, Protocol.Mediator, "AbortsUnlogged", "ReplayRing2x1", "HelperAbort(");
    }

    @Test
    void codeThatRefusesWhatTheSpecificationPromises() throws Exception {
        CodeMutant strict = new CodeMutant("", "org.fencepost.simulation.omid.CommitTableServer",
                List.of(new CodeMutant.Edit("if (startTs < watermarks[", "if (startTs <= watermarks[")), "");
        String difference = differenceOf(strict, Protocol.OmidLL, "ReplayCollect2x1");
        assertNotNull(difference);
        assertTrue(difference.contains("WriteCommitEntry(") && difference.contains("spec [t1:committed"), difference);
    }

    // ---- a specification that is otherwise

    /** The specs with one of the texts changed, and one small model that checks nothing and promises no number of states. */
    private StateGraph changed(String model, String was, String becomes) throws Exception {
        try (Stream<Path> files = Files.walk(SPECS)) {
            String wanted = ".*/specs/(proof/)?\\w+\\.tla|.*/models/OmidLL/(MCOmidLL\\.tla|" + model + "\\.cfg)";
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
        try (StateGraphs graphs = new StateGraphs(folder, folder)) {
            return graphs.of("OmidLL", model, folder.resolve("out"));
        }
    }

    private void assertRefused(StateGraph graph, String... what) {
        String difference = ModelReplay.of(Protocol.OmidLL, graph, new Carriers(), Integer.MAX_VALUE).difference();
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
