package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Each guard of the fast path, removed in Java, is noticed by the simulator within {@value #LIMIT} seeds, most of which have none. */
class FastPathMutantTest {

    private static final int LIMIT = 2_000;
    private static final Path SPEC_MUTANTS = Path.of("..", "..", "specs", "mutants", "FastPath");
    private static final Path TABLE = Path.of("target", "code-mutants-fast-path.json");

    @Test
    void everySpecMutantHasOneInJava() throws IOException {
        try (Stream<Path> files = Files.list(SPEC_MUTANTS)) {
            assertEquals(files.map(f -> f.getFileName().toString().replace(".tla", "")).sorted().toList(),
                    FastPathMutants.ALL.stream().map(CodeMutant::spec).sorted().toList());
        }
    }

    @Test
    void theSimulatorFindsEveryMutant() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<String> rows = new ArrayList<>();
        List<String> survivors = new ArrayList<>();
        try {
            List<Future<String>> hunts = FastPathMutants.ALL.stream().map(mutant -> threads.submit(() -> hunt(mutant))).toList();
            for (int i = 0; i < hunts.size(); i++) {
                CodeMutant mutant = FastPathMutants.ALL.get(i);
                String found = hunts.get(i).get();
                String[] parts = found == null ? new String[] {"null", "not found", ""} : found.split("\t");
                if (found == null) {
                    survivors.add(mutant.spec());
                }
                System.out.printf("%-28s %-22s %5s seeds  %s%n", mutant.spec(), mutant.type().replaceAll(".*\\.", ""), parts[0], parts[1]);
                rows.add(String.format("{\"spec\":\"%s\",\"java\":\"%s\",\"seeds\":%s,\"property\":\"%s\",\"replay\":\"%s\",\"note\":\"%s\"}",
                        mutant.spec(), mutant.type(), parts[0], parts[1], parts[2], mutant.note()));
            }
        } finally {
            threads.shutdownNow();
        }
        Files.createDirectories(TABLE.getParent());
        Files.writeString(TABLE, "[\n  " + String.join(",\n  ", rows) + "\n]\n");
        assertEquals(List.of(), survivors, "not found within " + LIMIT + " seeds");
    }

    private static String hunt(CodeMutant mutant) throws Exception {
        return (String) MutantLoader.of(mutant).loadClass(Hunt.class.getName()).getMethod("runFastPath", long.class, int.class)
                .invoke(null, 0L, LIMIT);
    }
}
