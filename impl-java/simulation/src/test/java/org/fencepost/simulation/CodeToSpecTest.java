package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.fencepost.audit.TraceCheck;
import org.fencepost.audit.TraceCheck.Kind;
import org.fencepost.audit.TraceCheck.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the code does is a behaviour of specs/OmidLL.tla: TLC accepts the traces of simulated runs, with faults and without,
 * and rejects those of broken code, and altered ones. {@code make test-traces} does it at length.
 */
class CodeToSpecTest {

    private static final Path SPECS = Path.of("..", "..", "specs");
    private static final Path KEPT = Path.of("target", "traces");
    private static final int TRACES = Integer.getInteger("fencepost.traces", 24);
    private static final int ALTERATIONS = Integer.getInteger("fencepost.alterations", 100);
    private static final int AT_ONCE = 100;
    /**
     * Without faults; of more than one key, and with collectors that mostly find something to do: to raise the watermark to
     * what it is, is nothing, and so is to leave that out or to do it twice.
     */
    private static final long[] ALTERED_SEEDS = {4, 31, 44, 52};
    /** The first ones are of the longest. */
    private static final long FIRST_SEED = 4;
    /** Guards that a trace shows to be missing, whatever the run comes to; each within so many seeds. */
    private static final List<String> MUTANTS = List.of("NoConflictCheck", "RemovesEntryEarly", "SkipsPending", "ReadsLaterCommits");
    private static final int SEEDS_PER_MUTANT = 8;

    @TempDir
    private Path folder;

    private List<Outcome> check(List<String> traces) throws IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (int first = 0; first < traces.size(); first += AT_ONCE) {
            List<Path> files = new ArrayList<>();
            for (String trace : traces.subList(first, Math.min(first + AT_ONCE, traces.size()))) {
                files.add(Files.writeString(folder.resolve(files.size() + ".ndjson"), trace));
            }
            outcomes.addAll(TraceCheck.check(files, SPECS, folder.resolve("run")));
        }
        return outcomes;
    }

    private static String calm(long seed) {
        return Simulation.run(Plan.of(seed).traced().without(List.of(Fault.values())), new Carriers()).trace();
    }

    /** Keeps a trace for whoever wants to look at it. */
    private static Path keep(String name, String trace) throws IOException {
        return Files.writeString(Files.createDirectories(KEPT).resolve(name + ".ndjson"), trace);
    }

    /** Without faults all are accepted; with faults, up to one in six shows what the spec does not speak about. */
    @Test
    void simulatedRunsAreBehaviours() throws Exception {
        List<String> traces = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + TRACES; seed++) {
            traces.add(Hunt.trace("OmidLL", seed));
        }
        int faulty = traces.size();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + TRACES / 3; seed++) {
            traces.add(calm(seed));
        }
        List<Outcome> outcomes = check(traces);
        Map<Kind, Integer> table = new TreeMap<>();
        for (int i = 0; i < traces.size(); i++) {
            Outcome outcome = outcomes.get(i);
            table.merge(outcome.kind(), 1, Integer::sum);
            if (outcome.kind() != Kind.ACCEPTED) {
                System.out.println(keep((i < faulty ? "seed-" : "calm-") + (FIRST_SEED + i % faulty), traces.get(i)) + ": " + outcome.message());
            }
            assertTrue(outcome.kind() == Kind.ACCEPTED || outcome.kind() == Kind.UNSUPPORTED, outcome.message());
        }
        System.out.println("traces of " + faulty + " runs with faults, " + (traces.size() - faulty) + " without: " + table);
        assertTrue(table.get(Kind.ACCEPTED) * 6 >= traces.size() * 5, table.toString());
    }

    @Test
    void brokenCodeIsRejected() throws Exception {
        List<String> traces = new ArrayList<>();
        for (String mutant : MUTANTS) {
            CodeMutant found = CodeMutant.ALL.stream().filter(m -> m.spec().equals(mutant)).findFirst().orElseThrow();
            Method trace = MutantLoader.of(found).loadClass(Hunt.class.getName()).getMethod("trace", String.class, long.class);
            for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS_PER_MUTANT; seed++) {
                traces.add((String) trace.invoke(null, "OmidLL", seed));
            }
        }
        List<Outcome> outcomes = check(traces);
        for (int i = 0; i < MUTANTS.size(); i++) {
            List<Outcome> those = outcomes.subList(i * SEEDS_PER_MUTANT, (i + 1) * SEEDS_PER_MUTANT);
            long rejected = those.stream().filter(o -> o.kind() == Kind.REJECTED).count();
            System.out.println(MUTANTS.get(i) + ": " + rejected + " of " + SEEDS_PER_MUTANT + " traces are rejected");
            assertTrue(rejected > 0, MUTANTS.get(i));
        }
    }

    /** What survives is a run that could have been: see specs/README.md. */
    @Test
    void alteredTracesAreRejected() throws Exception {
        List<List<String>> recorded = new ArrayList<>();
        for (long seed : ALTERED_SEEDS) {
            recorded.add(calm(seed).lines().toList());
        }
        Random random = new Random(5);
        List<String> traces = new ArrayList<>();
        List<Alteration.Kind> kinds = new ArrayList<>();
        while (traces.size() < ALTERATIONS) {
            Alteration.Kind kind = Alteration.Kind.values()[random.nextInt(Alteration.Kind.values().length)];
            int which = random.nextInt(recorded.size());
            List<String> altered = Alteration.apply(kind, recorded.get(which), recorded.get((which + 1) % recorded.size()), random);
            if (altered != null) {
                traces.add(String.join("\n", altered) + "\n");
                kinds.add(kind);
            }
        }
        List<Outcome> outcomes = check(traces);
        Map<Alteration.Kind, int[]> table = new TreeMap<>(); // not accepted, all
        int survivors = 0;
        for (int i = 0; i < traces.size(); i++) {
            assertTrue(outcomes.get(i).kind() != Kind.UNKNOWN, outcomes.get(i).message()); // no verdict is no rejection
            int[] row = table.computeIfAbsent(kinds.get(i), k -> new int[2]);
            row[1]++;
            if (outcomes.get(i).kind() == Kind.ACCEPTED) {
                System.out.println(kinds.get(i) + " " + keep("survivor-" + survivors++, traces.get(i)));
            } else {
                row[0]++;
            }
        }
        StringBuilder report = new StringBuilder();
        table.forEach((kind, n) -> report.append(kind).append(' ').append(n[0]).append(" of ").append(n[1]).append(" rejected\n"));
        System.out.println(report);
        assertTrue(survivors * 100 <= ALTERATIONS * 5, report.toString());
    }

    @Test
    void aSeedGivesTheSameTraceTwice() {
        assertEquals(Hunt.trace("OmidLL", 7), Hunt.trace("OmidLL", 7));
    }
}
