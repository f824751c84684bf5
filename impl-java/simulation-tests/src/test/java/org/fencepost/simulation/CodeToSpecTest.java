package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.fencepost.audit.traces.TraceCheck.Kind;
import org.fencepost.audit.traces.TraceCheck.Outcome;
import org.fencepost.audit.traces.TraceCheck;
import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Plan;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the code does is a behaviour of the specs: TLC accepts the traces of simulated runs, with faults and without,
 * and rejects those of broken code, and altered ones, in {@code make test-long}. {@code make test-all} does more of all, and
 * {@code make test-traces} as much as is wanted.
 */
class CodeToSpecTest {

    private static final Path SPECS = Path.of("..", "..", "specs");
    private static final Path KEPT = Path.of("target", "traces");
    private static final boolean ALL = Boolean.getBoolean("fencepost.test.all");
    private static final int TRACES = Integer.getInteger("fencepost.traces", ALL ? 24 : 3);
    private static final int ALTERATIONS = Integer.getInteger("fencepost.alterations", ALL ? 200 : 20);
    private static final int AT_ONCE = 100;
    private static final Path REJECTED_SEEDS = Path.of("src", "test", "resources", "rejected-seeds.txt");
    /** So many seeds are tried where the one before does not show it any more. */
    private static final int SEEDS_PER_MUTANT = 64;
    private static final int SEEDS_AT_ONCE = 8;

    /** A protocol and its trace spec. */
    private enum Subject {
        OmidLL(CodeMutant.ALL, 4) {
            /**
             * Without faults; of more than one key, and with collectors that mostly find something to do: to raise the watermark to
             * what it is, is nothing, and so is to leave that out or to do it twice.
             */
            @Override
            List<String> toAlter() {
                return LongStream.of(4, 31, 44, 52).mapToObj(this::calm).toList();
            }
        },
        TMFailover(FailoverMutants.ALL, 0) {
            /** With faults, since otherwise nobody fails; but ZooKeeper answers, and clocks keep time. */
            @Override
            List<String> toAlter() {
                return LongStream.of(6, 39, 62, 69).mapToObj(seed -> Hunt.trace(name(), seed)).toList();
            }

            /** One in twenty-one is nothing: so many that chance does not decide whether that is more than one in twenty. */
            @Override
            int alterations() {
                return ALL ? Math.max(1_000, ALTERATIONS) : ALTERATIONS;
            }
        },
        FastPath(FastPathMutants.ALL, 0) {
            /** With region servers that die, and with collectors that seldom raise the watermark to what it is. */
            @Override
            List<String> toAlter() {
                return LongStream.of(25, 26, 29, 31).mapToObj(this::lossless).toList();
            }
        },
        OnePhase(OnePhaseMutants.ALL, 0) {
            /** One in twenty-five is nothing (a read that waits for nobody, a clock that is ahead anyway): of twenty, two would be too many already. */
            @Override
            int alterations() {
                return Math.max(100, ALTERATIONS);
            }

            @Override
            List<String> toAlter() {
                return Stream.of(calm(25), calm(29), Hunt.trace(name(), 29), Hunt.trace(name(), 31)).toList();
            }
        },
        Fragola(FragolaMutants.ALL, 0) {
            /** With one collector, which seldom raises the watermark to what it is. */
            @Override
            List<String> toAlter() {
                return LongStream.of(4, 23, 44, 51).mapToObj(seed -> Hunt.trace(name(), seed)).toList();
            }
        },
        Checkpoints(CheckpointMutants.ALL, 0) {
            @Override
            List<String> toAlter() {
                return LongStream.of(4, 31, 44, 52).mapToObj(this::calm).toList();
            }
        },
        IndexFence(IndexMutants.ALL, 0) {
            /** With one collector, and few events that have no consequence: ends of those who have written nothing, reads of own writes. */
            @Override
            List<String> toAlter() {
                return LongStream.of(35, 78, 132, 148).mapToObj(seed -> Hunt.trace(name(), seed)).toList();
            }
        },
        Mediator(MediatorMutants.ALL, 3) {
            /** Of both modes, with one delta, and with many native puts; without faults and small rings, and with servers and oracles that die. */
            @Override
            List<String> toAlter() {
                return List.of(calm(15), calm(70), Hunt.trace(name(), 61), Hunt.trace(name(), 67));
            }
        },
        PH1(PH1Mutants.ALL, 0) {
            /** Without faults; with few events that have no consequence: writes that are written over, evictions of nothing, flushes by two. */
            @Override
            List<String> toAlter() {
                return LongStream.of(43, 48, 140).mapToObj(this::calm).toList();
            }
        },
        OmidTwoPhase(TwoPhaseMutants.ALL, 0) {
            @Override
            List<String> toAlter() {
                return LongStream.of(4, 31, 44, 52).mapToObj(this::calm).toList();
            }
        };

        private final List<CodeMutant> all;
        private final long firstSeed;

        Subject(List<CodeMutant> all, long firstSeed) {
            this.all = all;
            this.firstSeed = firstSeed;
        }

        /** Guards that a trace shows to be missing, whatever the run comes to; each with a seed of such a run. */
        Map<String, Long> mutants() throws IOException {
            Map<String, Long> mutants = new TreeMap<>();
            for (String line : Files.readAllLines(REJECTED_SEEDS)) {
                String[] parts = line.split("[/ ]");
                if (parts[0].equals(name())) {
                    mutants.put(parts[1], Long.parseLong(parts[2]));
                }
            }
            assertTrue(!mutants.isEmpty(), REJECTED_SEEDS + " has no mutant of " + name());
            return mutants;
        }

        abstract List<String> toAlter();

        int alterations() {
            return ALTERATIONS;
        }

        String lossless(long seed) {
            return Simulation.run(Plan.of(seed).traced(name()).lossless(), new Carriers()).trace();
        }

        String calm(long seed) {
            return Simulation.run(Plan.of(seed).traced(name()).without(List.of(Fault.values())), new Carriers()).trace();
        }
    }

    @TempDir
    private Path folder;

    private static Stream<Subject> subjects() {
        String only = System.getProperty("fencepost.only");
        List<Subject> subjects = Stream.of(Subject.values()).filter(subject -> only == null || subject.name().equals(only)).toList();
        assertTrue(!subjects.isEmpty(), "No traces are of '" + only + "'; give one of " + List.of(Subject.values()) + ".");
        return subjects.stream();
    }

    private List<Outcome> check(List<String> traces) throws IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (int first = 0; first < traces.size(); first += AT_ONCE) {
            List<Path> files = new ArrayList<>();
            for (String trace : traces.subList(first, Math.min(first + AT_ONCE, traces.size()))) {
                files.add(Files.writeString(folder.resolve(files.size() + ".ndjson"), trace));
            }
            List<Outcome> checked = TraceCheck.check(files, SPECS, folder.resolve("run"));
            if (checked.stream().anyMatch(outcome -> outcome.kind() == Kind.UNKNOWN)) { // its folder ends with the test
                keep("tlc", Files.readString(folder.resolve("run").resolve("tlc.out")));
            }
            outcomes.addAll(checked);
        }
        return outcomes;
    }

    /** Keeps a trace for whoever wants to look at it. */
    private static Path keep(String name, String trace) throws IOException {
        return Files.writeString(Files.createDirectories(KEPT).resolve(name + ".ndjson"), trace);
    }

    /** Without faults all are accepted; with faults, up to one in six shows what the spec does not speak about. */
    @ParameterizedTest
    @MethodSource("subjects")
    void simulatedRunsAreBehaviours(Subject subject) throws Exception {
        List<String> traces = new ArrayList<>();
        for (long seed = subject.firstSeed; seed < subject.firstSeed + TRACES; seed++) {
            traces.add(Hunt.trace(subject.name(), seed));
        }
        int faulty = traces.size();
        for (long seed = subject.firstSeed; seed < subject.firstSeed + TRACES / 3; seed++) {
            traces.add(subject.calm(seed));
        }
        List<Outcome> outcomes = check(traces);
        Map<Kind, Integer> table = new TreeMap<>();
        for (int i = 0; i < traces.size(); i++) {
            Outcome outcome = outcomes.get(i);
            table.merge(outcome.kind(), 1, Integer::sum);
            if (outcome.kind() != Kind.ACCEPTED) {
                System.out.println(keep(subject + (i < faulty ? "-seed-" : "-calm-") + (subject.firstSeed + i % faulty), traces.get(i)) + ": " + outcome.message());
            }
        }
        System.out.println(subject + ": traces of " + faulty + " runs with faults, " + (traces.size() - faulty) + " without: " + table);
        assertEquals(traces.size(), table.getOrDefault(Kind.ACCEPTED, 0) + table.getOrDefault(Kind.UNSUPPORTED, 0), table.toString());
        assertTrue(table.get(Kind.ACCEPTED) * 6 >= traces.size() * 5, table.toString());
    }

    /** What is not broken is not rejected, of the same seed. The one that showed it before goes first, from {@code rejected-seeds.txt}; the test tells of a new one. */
    @ParameterizedTest
    @MethodSource("subjects")
    @Tag("long")
    void brokenCodeIsRejected(Subject subject) throws Exception {
        Map<String, Long> recorded = subject.mutants();
        Map<String, Method> left = new LinkedHashMap<>();
        for (String mutant : recorded.keySet()) {
            CodeMutant found = subject.all.stream().filter(m -> m.spec().equals(mutant)).findFirst().orElseThrow();
            left.put(mutant, MutantLoader.of(found).loadClass(Hunt.class.getName()).getMethod("trace", String.class, long.class));
        }
        Map<String, List<Long>> seeds = new LinkedHashMap<>();
        recorded.forEach((mutant, seed) -> seeds.put(mutant, List.of(seed)));
        takeRejected(subject, left, seeds);
        for (long first = subject.firstSeed; first < subject.firstSeed + SEEDS_PER_MUTANT && !left.isEmpty(); first += SEEDS_AT_ONCE) {
            List<Long> more = LongStream.range(first, first + SEEDS_AT_ONCE).boxed().toList();
            seeds.clear();
            left.keySet().forEach(mutant -> seeds.put(mutant, more));
            takeRejected(subject, left, seeds).forEach((mutant, seed) -> System.out.println("rejected: " + subject + "/" + mutant + " " + seed));
        }
        assertEquals(Set.of(), left.keySet());
    }

    /** Takes out those that one of their seeds shows, and returns that seed. */
    private Map<String, Long> takeRejected(Subject subject, Map<String, Method> left, Map<String, List<Long>> seeds) throws Exception {
        List<String> traces = new ArrayList<>();
        List<Long> unbroken = seeds.values().stream().flatMap(List::stream).distinct().toList();
        for (Map.Entry<String, List<Long>> mutant : seeds.entrySet()) {
            for (long seed : mutant.getValue()) {
                traces.add((String) left.get(mutant.getKey()).invoke(null, subject.name(), seed));
            }
        }
        unbroken.forEach(seed -> traces.add(Hunt.trace(subject.name(), seed)));
        Iterator<Outcome> outcomes = check(traces).iterator();
        Map<String, Long> rejected = new LinkedHashMap<>();
        for (Map.Entry<String, List<Long>> mutant : seeds.entrySet()) {
            for (long seed : mutant.getValue()) {
                Outcome outcome = outcomes.next();
                if (outcome.kind() == Kind.REJECTED && outcome.event() >= 0 && left.remove(mutant.getKey()) != null) {
                    rejected.put(mutant.getKey(), seed);
                }
            }
        }
        for (long seed : unbroken) {
            Outcome outcome = outcomes.next();
            assertTrue(outcome.kind() != Kind.REJECTED, subject + " " + seed + ": " + outcome.message());
        }
        return rejected;
    }

    /** What survives is a run that could have been: see specs/README.md. */
    @ParameterizedTest
    @MethodSource("subjects")
    @Tag("long")
    void alteredTracesAreRejected(Subject subject) throws Exception {
        List<List<String>> recorded = subject.toAlter().stream().map(trace -> trace.lines().toList()).toList();
        Random random = new Random(5);
        List<String> traces = new ArrayList<>();
        List<Alteration.Kind> kinds = new ArrayList<>();
        while (traces.size() < subject.alterations()) {
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
                System.out.println(kinds.get(i) + " " + keep(subject + "-survivor-" + survivors++, traces.get(i)));
            } else {
                row[0]++;
            }
        }
        StringBuilder report = new StringBuilder(subject + "\n");
        table.forEach((kind, n) -> report.append(kind).append(' ').append(n[0]).append(" of ").append(n[1]).append(" rejected\n"));
        System.out.println(report);
        assertTrue(survivors * 100 <= traces.size() * 5, report.toString());
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void aSeedGivesTheSameTraceTwice(Subject subject) {
        assertEquals(Hunt.trace(subject.name(), 7), Hunt.trace(subject.name(), 7));
    }
}
