package org.fencepost.prove;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Proves the invariant of Omid LL, for any number of transactions and keys, and that it implies what Omid LL promises ({@link Proof}). */
@Command(name = "prove", sortOptions = false, usageHelpWidth = 110,
        description = "Proves the promises of Omid LL for any number of transactions, keys and faults.",
        footer = {"", "Exit code: 0 everything is proved, or each mutant leaves something open; 1 not so; 2 nothing could be run.",
                "What was proved, and what is open, is in results.txt in the output folder."})
public final class Prove implements Callable<Integer> {
    private static final int NOT_PROVED = 1;
    private static final String SPEC = "OmidLL";
    private static final String MODULE = SPEC + "Inv";
    private static final Pattern OVERRIDE = Pattern.compile("(?m)^\\\\\\* override: *(\\w+) *<- *(\\w+)");
    private static final Pattern DIES = Pattern.compile("(?m)^\\\\\\* dies: *(\\w+)");

    @Option(names = "--only", paramLabel = "<part>", description = "just this action, Init, Lemmas, ByInduction, Consequences or Promises; with --mutants, this mutant")
    private String only;

    @Option(names = "--mutants", description = "whether each safety mutant of the specification leaves something open, instead")
    private boolean mutants;

    @Option(names = "--seeds", paramLabel = "<number>", defaultValue = "1", description = "do it with so many seeds of the solver (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(names = "--limit", paramLabel = "<steps>", defaultValue = "3000000",
            description = "of the solver for one attempt; the same on every machine (default: ${DEFAULT-VALUE})")
    private int limit;

    @Option(names = "--jobs", paramLabel = "<n>", description = "side by side (default: the number of cores)")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--specs", paramLabel = "<folder>", defaultValue = "specs", description = "the specs (default: ${DEFAULT-VALUE})")
    private Path specs;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/prove", description = "results (default: ${DEFAULT-VALUE})")
    private Path out;

    private final PrintStream console;

    Prove(PrintStream console) {
        this.console = console;
    }

    public static void main(String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new Prove(out), args, out, err, "The proof cannot be read or written");
    }

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(out);
        return mutants ? mutants() : proof();
    }

    // ---- the proof

    private int proof() throws IOException {
        Specification spec = Specification.read(specs.resolve("proof").resolve(MODULE + ".tla"), List.of(specs), Map.of());
        List<String> lines = new ArrayList<>(List.of(String.format("%-24s %-26s %6s %6s %8s", "action", "conjunct", "proved", "open", "seconds")));
        int open = 0;
        for (int seed = 0; seed < seeds; seed++) {
            console.println("Seed " + seed + ":");
            long begun = System.nanoTime();
            List<Proof.Result> results = all(new Proof(spec, limit, seed), p -> only == null || p.equals(only), true);
            for (Proof.Result r : results) {
                lines.add(String.format(Locale.ROOT, "%-24s %-26s %6d %6d %8.1f", r.part(), r.conjunct(), r.obligations() - r.open(), r.open(), r.seconds()));
            }
            int inAll = results.stream().mapToInt(Proof.Result::obligations).sum();
            int notProved = results.stream().mapToInt(Proof.Result::open).sum();
            open += notProved;
            console.printf(Locale.ROOT, "%d obligations, %d open, %.0f s%n", inAll, notProved, (System.nanoTime() - begun) / 1e9);
        }
        Files.write(out.resolve("results.txt"), lines);
        return open == 0 ? 0 : NOT_PROVED;
    }

    /** All parts of a proof, in their order. */
    private List<Proof.Result> all(Proof proof, Predicate<String> wanted, boolean tell) {
        List<String> parts = proof.parts().stream().filter(wanted).toList();
        if (parts.isEmpty()) {
            throw new AuditException("There is no action '" + only + "': --only takes one of " + String.join(", ", proof.parts()) + ".");
        }
        ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, jobs));
        try {
            Map<String, Future<List<Proof.Result>>> running = new LinkedHashMap<>();
            parts.forEach(part -> running.put(part, workers.submit(() -> proof.prove(part))));
            List<Proof.Result> results = new ArrayList<>();
            running.forEach((part, future) -> {
                List<Proof.Result> ended = end(future);
                results.addAll(ended);
                if (tell) {
                    tell(part, ended);
                }
            });
            return results;
        } finally {
            workers.shutdownNow();
        }
    }

    private void tell(String part, List<Proof.Result> ended) {
        List<String> open = ended.stream().filter(r -> r.open() > 0).map(Proof.Result::conjunct).toList();
        console.printf(Locale.ROOT, "  %-24s %4d obligations %6.1f s  %s%n", part, ended.stream().mapToInt(Proof.Result::obligations).sum(),
                ended.stream().mapToDouble(Proof.Result::seconds).sum(), open.isEmpty() ? "proved" : "OPEN: " + String.join(", ", open));
    }

    private static <T> T end(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts the command
        }
    }

    // ---- mutants

    /** A safety mutant of which nothing is open would show that the proof proves too much. The other actions are those of the specification. */
    private int mutants() throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(specs.resolve("mutants").resolve(SPEC))) {
            files = listed.filter(f -> f.toString().endsWith(".tla")).sorted().toList();
        }
        List<String> lines = new ArrayList<>();
        int unnoticed = 0;
        Map<String, ?> promises = promises();
        for (Path file : files) {
            String name = file.getFileName().toString().replace(".tla", "");
            String text = Files.readString(file, StandardCharsets.UTF_8);
            Matcher dies = DIES.matcher(text);
            if ((only != null && !only.equals(name)) || !dies.find() || !promises.containsKey(dies.group(1))) {
                continue;
            }
            Map<String, String> overrides = new LinkedHashMap<>();
            OVERRIDE.matcher(text).results().forEach(m -> overrides.put(m.group(1), m.group(2)));
            Path module = out.resolve("Prove" + name + ".tla");
            Files.writeString(module, "---- MODULE Prove" + name + " ----\nEXTENDS " + name + ", " + MODULE + "\n====\n");
            Specification spec = Specification.read(module, List.of(specs, specs.resolve("proof"), specs.resolve("models").resolve(SPEC), file.getParent()), overrides);
            boolean everywhere = spec.isChanged("Inductive");
            List<String> open = all(new Proof(spec, limit, 0), p -> everywhere || spec.isChanged(p), false).stream().filter(r -> r.open() > 0).map(r -> r.part() + "/" + r.conjunct()).toList();
            unnoticed += open.isEmpty() ? 1 : 0;
            lines.add(String.format("%-28s %s", name, open.isEmpty() ? "NOTHING IS OPEN" : String.join(" ", open)));
            console.println(lines.get(lines.size() - 1));
        }
        Files.write(out.resolve("mutants.txt"), lines);
        console.println(lines.size() + " safety mutants, of " + unnoticed + " nothing is open");
        return unnoticed == 0 && !lines.isEmpty() ? 0 : NOT_PROVED;
    }

    private Map<String, ?> promises() {
        Specification spec = Specification.read(specs.resolve("proof").resolve(MODULE + ".tla"), List.of(specs), Map.of());
        return new Proof(spec, limit, 0).promises();
    }
}
