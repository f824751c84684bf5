package org.fencepost.audit.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.JavaSources;
import org.fencepost.audit.text.Tlc;
import org.fencepost.audit.traces.TraceCheck.Kind;
import org.fencepost.audit.traces.TraceCheck.Outcome;
import org.fencepost.protocol.trace.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kept traces: of the protocol as it was, of broken code, and altered ones. Fresh ones are checked where the simulator is. */
class TraceCheckTest {
    private static final Path SPECS = Path.of("../../specs");
    private static final Path RECORDED = Path.of("src/test/resources/traces");

    @TempDir
    Path folder;

    private List<Outcome> check(List<Path> files) throws Exception {
        return TraceCheck.check(files, new TraceRun(SPECS, folder.resolve("run"), Tlc.locate(null), 600));
    }

    private Path write(String name, List<String> lines) throws Exception {
        return Files.write(folder.resolve(name), lines);
    }

    private record Printed(int exit, String out) {}

    private Printed command(Path... files) {
        List<String> args = new ArrayList<>(List.of("--specs", SPECS.toString(), "--out", folder.resolve("run").toString(), "--tlc", "",
                "--sources", ".."));
        List.of(files).forEach(f -> args.add(f.toString()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        int exit = TraceCheck.run(args.toArray(String[]::new), stream, stream);
        return new Printed(exit, out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void fixtures() throws Exception {
        try (var listed = Files.list(RECORDED)) {
            List<Path> files = listed.sorted().toList();
            List<Outcome> outcomes = check(files);
            for (int i = 0; i < files.size(); i++) {
                Kind expected = Kind.valueOf(files.get(i).getFileName().toString().replaceFirst("-.*", "").toUpperCase());
                assertEquals(expected, outcomes.get(i).kind(), files.get(i) + ": " + outcomes.get(i).message());
            }
        }
    }

    @Test
    void nothingIsLeftOfAnEarlierRun() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("run")).resolve("OmidLLTrace.tla"), "---- MODULE OmidLLTrace ----\n====\n");
        assertEquals(Kind.ACCEPTED, check(List.of(RECORDED.resolve("accepted-fast-path-copy-lost.ndjson"))).get(0).kind());
    }

    @Test
    void aRejectionTellsWhatDoesNotFitAndWhereItComesFrom() {
        Printed printed = command(RECORDED.resolve("rejected-without-re-read.ndjson"));
        assertEquals(TraceCheck.REJECTED, printed.exit(), printed.out());
        assertTrue(printed.out().contains("Event 117 of 135 does not fit: {\"action\":\"GetRecord\",\"txn\":28,"), printed.out());
        assertTrue(printed.out().contains("cursor[e.txn].step = \"record\""), printed.out());
        assertTrue(printed.out().contains("possible  ReReadRecord for transaction 28"), printed.out());
        assertTrue(printed.out()
                .matches("(?s).*code +\\S+SnapshotReader\\.java:\\d+\n.*spec +\\S+OmidLL\\.tla:\\d+ GetRecord \\(VLDB'18 Alg. 3, Read\\).*"),
                printed.out());
    }

    @Test
    void filesThatAreNoWholeTrace() throws Exception {
        List<String> good = Files.readAllLines(RECORDED.resolve("accepted-calm.ndjson"));
        List<String> begun = good.subList(0, 2);
        String end = "{\"end\":true,\"events\":1}";
        List<Path> files = List.of(write("headless", good.subList(1, good.size())), write("truncated", begun), write("empty", List.of()),
                write("miscounted", List.of(begun.get(0), begun.get(1), begun.get(1), end)),
                write("longer", List.of(begun.get(0), begun.get(1), end, end)),
                write("garbage", List.of(begun.get(0), "Begin 1", end)),
                write("twice", List.of(begun.get(0), "{\"action\":\"Begin\",\"txn\":1,\"txn\":2}", end)),
                write("without", List.of(begun.get(0), "{\"action\":\"Begin\"}", end)),
                write("text", List.of(begun.get(0), "{\"action\":\"Begin\",\"txn\":\"1\"}", end)),
                write("foreign", List.of(begun.get(0), "{\"action\":\"Levitate\",\"txn\":1}", end)),
                write("future", List.of("{\"protocol\":\"OmidLL\",\"format\":2}", end)),
                write("other", List.of("{\"protocol\":\"OmidFP\",\"format\":1}", end)));
        List<Kind> kinds = check(files).stream().map(Outcome::kind).toList();
        assertEquals(9, kinds.stream().limit(9).filter(k -> k == Kind.REJECTED).count(), kinds.toString());
        assertEquals(List.of(Kind.UNSUPPORTED, Kind.UNSUPPORTED, Kind.UNSUPPORTED), kinds.subList(9, 12));
        assertEquals(TraceCheck.UNSUPPORTED, command(files.get(9)).exit());
        assertEquals(Commands.USAGE, command(folder.resolve("none")).exit());
    }

    @Test
    void aRejectionOfATraceSpecOnTopOfAnother() {
        Printed printed = command(RECORDED.resolve("rejected-fast-path-without-lifting.ndjson"),
                RECORDED.resolve("rejected-failover-without-wait.ndjson"));
        assertEquals(TraceCheck.REJECTED, printed.exit(), printed.out());
        assertTrue(printed.out().matches("(?s).*spec +\\S+FastPath\\.tla:\\d+ .*spec +\\S+TMFailover\\.tla:\\d+ AcquireLease .*"), printed.out());
        assertTrue(printed.out().contains("false     WaitedOut(e.tm) \\/ OwnLease(e.tm)"), printed.out());
        assertTrue(printed.out().matches("(?s).*code +\\S+HighAvailability\\.java:\\d+\n.*"), printed.out());
    }

    @Test
    void aRejectionOfARunOfMediator() {
        Printed printed = command(RECORDED.resolve("rejected-mediator-reads-latest.ndjson"));
        assertEquals(TraceCheck.REJECTED, printed.exit(), printed.out());
        assertTrue(printed.out().contains("Event 87 of 232 does not fit: {\"action\":\"TxGet\",\"txn\":324,"), printed.out());
        assertTrue(printed.out().contains("false     ~Serializable => e.from = TsOf(e.key, SnapshotAt(e.txn, e.key))"), printed.out());
        assertTrue(printed.out().matches("(?s).*code +\\S+mediator/Mediator\\.java:\\d+\n.*spec +\\S+Mediator\\.tla:\\d+ TxGet \\(SYSTOR'14 .*"),
                printed.out());
    }

    /** A put that is certified meanwhile was answered with a clock that leaves out who has read its row. */
    @Test
    void aRejectionOfAPutBesideTheCertification() {
        Printed printed = command(RECORDED.resolve("rejected-one-phase-beside-unchecked.ndjson"));
        assertEquals(TraceCheck.REJECTED, printed.exit(), printed.out());
        assertTrue(printed.out().contains("Event 33 of 276 does not fit: {\"action\":\"RetryPut\",\"txn\":128,\"key\":\"b\",\"clock\":16}"), printed.out());
        assertTrue(printed.out().matches("(?s).*false +e\\.clock = Answer\\(e\\.key\\)\n.*"), printed.out());
    }

    /** In the low-latency mode of Apache Omid a reader aborts the writer whose pending record it meets; in its default mode it passes over it. */
    @Test
    void theLowLatencyModeIsNotTheBaseline() {
        Printed printed = command(RECORDED.resolve("rejected-baseline-low-latency.ndjson"));
        assertEquals(TraceCheck.REJECTED, printed.exit(), printed.out());
        assertTrue(printed.out().contains("Event 11 of 116 does not fit: {\"action\":\"AnswerCommit\",\"txn\":1,\"answer\":0}"), printed.out());
        assertTrue(printed.out().contains("e.answer = Refused => status[e.txn] = \"aborted\""), printed.out());
    }

    @Test
    void everyActionOfTheCodeHasItsPlaceInTheTraceSpec() throws Exception {
        Set<String> omidLL = names(Action.OF_OMID_LL);
        Set<String> failover = names(Action.OF_TM_FAILOVER);
        failover.addAll(List.of("Begin", "RequestCommit", "WriteLease", "SwapMaxTs"));
        Set<String> fastPath = names(Action.OF_FAST_PATH);
        fastPath.addAll(List.of("PutVersion", "RefuseVersion", "LatePut", "LateCommitCell", "LateRemoval", "LiftClock", "OpenRegion", "CrashServer"));
        fastPath.addAll(omidLL);
        Set<String> mediator = names(Action.OF_MEDIATOR);
        mediator.removeAll(List.of("HelperAbort", "Replay")); // what becomes of them is logged where it is
        mediator.addAll(List.of("Get", "PutFence", "GiveTime", "Record", "CrashServer", "CrashTso"));
        requirePlaces("OmidLL", omidLL);
        requirePlaces("TMFailover", failover);
        requirePlaces("FastPath", fastPath);
        Set<String> onePhase = names(Action.OF_ONE_PHASE);
        onePhase.addAll(fastPath);
        onePhase.addAll(List.of("RetryPut", "FindsRecord"));
        requirePlaces("OnePhase", onePhase);
        requirePlaces("Mediator", mediator);
        Set<String> twoPhase = names(Action.OF_TWO_PHASE);
        twoPhase.addAll(omidLL);
        twoPhase.remove("Write");
        requirePlaces("OmidTwoPhase", twoPhase);
        Set<String> checkpoints = names(Action.OF_CHECKPOINTS);
        checkpoints.addAll(omidLL);
        checkpoints.removeAll(List.of("ReadAll", "LoseCommitAnswer", "Evict")); // Listed tells more than ReadAll
        checkpoints.addAll(List.of("Found", "Listed"));
        requirePlaces("Checkpoints", checkpoints);
        Set<String> indexFence = names(Action.OF_INDEX_FENCE);
        indexFence.addAll(omidLL);
        indexFence.remove("LoseCommitAnswer");
        requirePlaces("IndexFence", indexFence);
        Set<String> ph1 = names(Action.OF_PH1);
        ph1.addAll(List.of("Record", "SaveArrives", "PutArrives", "Crash", "CutOff", "Join"));
        requirePlaces("PH1", ph1);
        requirePlaces("OmidBaseline", new TreeSet<>(List.of("Begin", "Write", "Read", "EndReadOnly", "Rollback", "AnswerCommit")));
        for (String action : omidLL) {
            assertTrue(JavaSources.locate(Path.of("../protocol/src/main/java"), action) != null, "no method logs " + action);
        }
    }

    private static Set<String> names(Set<Action> actions) {
        return actions.stream().map(Action::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void requirePlaces(String protocol, Set<String> actions) throws Exception {
        TraceFormat format = TraceFormat.of(protocol);
        assertEquals(actions, new TreeSet<>(format.fields().keySet()));
        StringBuilder specs = new StringBuilder();
        for (String module : format.modules().keySet()) {
            specs.append(Files.readString(SPECS.resolve(module)));
        }
        for (String action : actions) {
            String event = action.equals("Prewrite") ? "Write" : action; // see TwoPhaseFormat
            assertTrue(specs.indexOf("e.action = \"" + event + "\" -> ") >= 0 && specs.indexOf("\nOn" + action + "(e) ==") >= 0, action);
        }
    }
}
