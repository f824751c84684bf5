package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.fencepost.protocol.trace.JsonText;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each guard of the specification, removed in Java, is noticed by the simulator within {@value #LIMIT} seeds. In {@code make test-long} the
 * seed that noticed it before goes first, from {@code first-seeds.txt}; {@code make test-all} looks from seed 0 on, and leaves a new
 * {@code target/first-seeds.txt}.
 */
class CodeMutantTest {

    private static final boolean ALL = Boolean.getBoolean("fencepost.test.all");
    private static final int LIMIT = 2_000;
    /** Where nothing is expected to be found, in {@code make test-long}. */
    private static final int LIMIT_OF_REDUNDANT = ALL ? LIMIT : 100;
    private static final Map<String, List<CodeMutant>> BY_SPEC = new TreeMap<>(Map.of("OmidLL", CodeMutant.ALL,
            "TMFailover", FailoverMutants.ALL, "FastPath", FastPathMutants.ALL, "OmidTwoPhase", TwoPhaseMutants.ALL,
            "Checkpoints", CheckpointMutants.ALL, "OnePhase", OnePhaseMutants.ALL, "Fragola", FragolaMutants.ALL, "IndexFence", IndexMutants.ALL,
            "Mediator", MediatorMutants.ALL, "PH1", PH1Mutants.ALL));
    /** Shown to be no guard: the specification's mutant survives as well. */
    private static final Set<String> REDUNDANT = Set.of("TMFailover/ChecksLeaseBeforeReply", "OmidTwoPhase/SecondariesFirst",
            "Checkpoints/ComparesWithReadPoint", "Fragola/MarksAbsence", "Fragola/StoresLeaderFirst", "Mediator/DatabaseRemembers");
    private static final Path SPEC_MUTANTS = Path.of("..", "..", "specs", "mutants");
    private static final Path TABLE = Path.of("target", "code-mutants.json");
    private static final Path FIRST_SEEDS = Path.of("src", "test", "resources", "first-seeds.txt");

    /** Or the reason why there is none. */
    @Test
    void everySpecMutantHasOneInJava() throws IOException {
        for (Map.Entry<String, List<CodeMutant>> spec : BY_SPEC.entrySet()) {
            try (Stream<Path> files = Files.list(SPEC_MUTANTS.resolve(spec.getKey()))) {
                assertEquals(files.map(f -> f.getFileName().toString().replace(".tla", "")).sorted().toList(),
                        spec.getValue().stream().map(CodeMutant::spec).distinct().sorted().toList());
            }
        }
    }

    /** The audit looks there for what the mutant takes out. */
    @Test
    void theRowOfAMutantNamesTheSourceThatItChanges() throws IOException {
        for (CodeMutant mutant : BY_SPEC.values().stream().flatMap(List::stream).filter(m -> !m.edits().isEmpty()).toList()) {
            assertTrue(Files.readString(MutantLoader.path(type(mutant))).contains(was(mutant)), mutant.spec() + " in " + type(mutant));
        }
    }

    /** Side by side, since a run mostly waits for its own threads. */
    @Test
    @Tag("long")
    void theSimulatorFindsEveryMutant() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<String> rows = new ArrayList<>();
        List<String> firstSeeds = new ArrayList<>();
        Set<String> survivors = new TreeSet<>();
        List<String> before = ALL ? List.of() : Files.readAllLines(FIRST_SEEDS);
        try {
            Map<String, Map<CodeMutant, Future<String>>> hunts = new TreeMap<>();
            BY_SPEC.forEach((spec, mutants) -> mutants.stream().filter(mutant -> !mutant.edits().isEmpty()).forEach(mutant -> hunts
                    .computeIfAbsent(spec, s -> new LinkedHashMap<>()).put(mutant, threads.submit(() -> hunt(spec, mutant, before)))));
            for (String spec : BY_SPEC.keySet()) {
                for (CodeMutant mutant : BY_SPEC.get(spec)) {
                    Future<String> hunt = hunts.get(spec).get(mutant);
                    String found = hunt == null ? null : hunt.get();
                    if (hunt != null && found == null) {
                        survivors.add(spec + "/" + mutant.spec());
                    }
                    String[] parts = found == null ? new String[] {"null", hunt == null ? mutant.isOpen() ? "not found" : "cannot exist"
                            : REDUNDANT.contains(spec + "/" + mutant.spec()) ? "redundant" : "not found", ""} : found.split("\t");
                    System.out.printf("%-10s %-26s %-22s %5s seeds  %s%n", spec, mutant.spec(), mutant.type().replaceAll(".*\\.", ""), parts[0], parts[1]);
                    if (found != null) {
                        firstSeeds.add(key(spec, mutant) + parts[0]);
                    }
                    rows.add(String.format("{\"module\":%s,\"spec\":%s,\"java\":%s,\"was\":%s,\"seeds\":%s,\"property\":%s,\"replay\":%s,\"note\":%s}",
                            JsonText.quote(spec), JsonText.quote(mutant.spec()), JsonText.quote(type(mutant)), JsonText.quote(was(mutant)), parts[0],
                            JsonText.quote(parts[1]), JsonText.quote(parts[2]), JsonText.quote(mutant.note())));
                }
            }
        } finally {
            threads.shutdownNow();
        }
        Files.createDirectories(TABLE.getParent());
        Files.write(TABLE.resolveSibling(FIRST_SEEDS.getFileName()), firstSeeds);
        Files.writeString(TABLE, "[\n  " + String.join(",\n  ", rows) + "\n]\n");
        assertEquals(REDUNDANT, survivors, "not found within " + LIMIT + " seeds");
    }

    /** What the mutant takes out. */
    private static String was(CodeMutant mutant) {
        return mutant.edits().isEmpty() ? "" : mutant.edits().get(0).was();
    }

    /** Whose source has it. */
    private static String type(CodeMutant mutant) {
        return mutant.edits().isEmpty() || mutant.edits().get(0).type() == null ? mutant.type() : mutant.edits().get(0).type();
    }

    private static String key(String spec, CodeMutant mutant) {
        return spec + "/" + mutant.spec() + " " + mutant.type() + " ";
    }

    /** As {@link Hunt#run}; of {@code before}, the line that begins with the mutant's key ends with how many seeds it took. */
    private static String hunt(String spec, CodeMutant mutant, List<String> before) throws Exception {
        Method run = MutantLoader.of(mutant).loadClass(Hunt.class.getName()).getMethod("run", String.class, long.class, int.class);
        String key = key(spec, mutant);
        for (String line : before) {
            if (line.startsWith(key)) {
                String seeds = line.substring(key.length());
                String found = (String) run.invoke(null, spec, Long.parseLong(seeds) - 1, 1);
                if (found != null) {
                    return seeds + found.substring(found.indexOf('\t'));
                }
            }
        }
        return (String) run.invoke(null, spec, 0L, REDUNDANT.contains(spec + "/" + mutant.spec()) ? LIMIT_OF_REDUNDANT : LIMIT);
    }
}
