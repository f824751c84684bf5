package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
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
import org.junit.jupiter.api.Test;

/** Each guard of the specification, removed in Java, is noticed by the simulator within {@value #LIMIT} seeds. */
class CodeMutantTest {

    private static final int LIMIT = 2_000;
    private static final Map<String, List<CodeMutant>> BY_SPEC = new TreeMap<>(Map.of("OmidLL", CodeMutant.ALL,
            "TMFailover", FailoverMutants.ALL, "FastPath", FastPathMutants.ALL, "OmidTwoPhase", TwoPhaseMutants.ALL,
            "Mediator", MediatorMutants.ALL));
    /** Shown to be no guard: the specification's mutant survives as well. */
    private static final Set<String> REDUNDANT = Set.of("TMFailover/ChecksLeaseBeforeReply", "OmidTwoPhase/SecondariesFirst",
            "Mediator/DatabaseRemembers");
    private static final Path SPEC_MUTANTS = Path.of("..", "..", "specs", "mutants");
    private static final Path TABLE = Path.of("target", "code-mutants.json");

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

    /** Side by side, since a run mostly waits for its own threads. */
    @Test
    void theSimulatorFindsEveryMutant() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<String> rows = new ArrayList<>();
        Set<String> survivors = new TreeSet<>();
        try {
            Map<String, Map<CodeMutant, Future<String>>> hunts = new TreeMap<>();
            BY_SPEC.forEach((spec, mutants) -> mutants.stream().filter(mutant -> !mutant.edits().isEmpty()).forEach(mutant -> hunts
                    .computeIfAbsent(spec, s -> new LinkedHashMap<>()).put(mutant, threads.submit(() -> hunt(spec, mutant)))));
            for (String spec : BY_SPEC.keySet()) {
                for (CodeMutant mutant : BY_SPEC.get(spec)) {
                    Future<String> hunt = hunts.get(spec).get(mutant);
                    String found = hunt == null ? null : hunt.get();
                    if (hunt != null && found == null) {
                        survivors.add(spec + "/" + mutant.spec());
                    }
                    String[] parts = found == null ? new String[] {"null", hunt == null ? "cannot exist"
                            : REDUNDANT.contains(spec + "/" + mutant.spec()) ? "redundant" : "not found", ""} : found.split("\t");
                    System.out.printf("%-10s %-26s %-22s %5s seeds  %s%n", spec, mutant.spec(), mutant.type().replaceAll(".*\\.", ""), parts[0], parts[1]);
                    rows.add(String.format("{\"module\":%s,\"spec\":%s,\"java\":%s,\"was\":%s,\"seeds\":%s,\"property\":%s,\"replay\":%s,\"note\":%s}",
                            JsonText.quote(spec), JsonText.quote(mutant.spec()), JsonText.quote(mutant.type()), JsonText.quote(was(mutant)), parts[0],
                            JsonText.quote(parts[1]), JsonText.quote(parts[2]), JsonText.quote(mutant.note())));
                }
            }
        } finally {
            threads.shutdownNow();
        }
        Files.createDirectories(TABLE.getParent());
        Files.writeString(TABLE, "[\n  " + String.join(",\n  ", rows) + "\n]\n");
        assertEquals(REDUNDANT, survivors, "not found within " + LIMIT + " seeds");
    }

    /** What the mutant takes out. */
    private static String was(CodeMutant mutant) {
        return mutant.edits().isEmpty() ? "" : mutant.edits().get(0).was();
    }

    private static String hunt(String spec, CodeMutant mutant) throws Exception {
        return (String) MutantLoader.of(mutant).loadClass(Hunt.class.getName()).getMethod("run", boolean.class, long.class, int.class)
                .invoke(null, spec.equals("Mediator"), 0L, LIMIT);
    }
}
