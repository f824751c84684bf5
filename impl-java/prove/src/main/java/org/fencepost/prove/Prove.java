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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Proves the invariants of {@code specs/proof} for sets of any size, and that they imply what their specifications promise ({@link Proof}). */
@Command(name = "prove", sortOptions = false, usageHelpWidth = 110,
        description = "Proves promises of the specifications for any number of transactions, keys, transaction managers and faults.",
        footer = {"", "Exit code: 0 everything is proved, or each mutant leaves something open; 1 not so; 2 nothing could be run.",
                "What was proved, and what is open, is in results.txt in the output folder."})
public final class Prove implements Callable<Integer> {
    private static final int NOT_PROVED = 1;
    private static final String INVARIANT = "Inv.tla";
    private static final Pattern OVERRIDE = Pattern.compile("(?m)^\\\\\\* override: *(\\w+) *<- *(\\w+)");
    private static final Pattern DIES = Pattern.compile("(?m)^\\\\\\* dies: *(\\w+)");

    @Option(names = "--only", paramLabel = "<part>", description = {"just this specification, such as OmidLL, or a part of it: OmidLL/GetRecord,",
            "OmidLL/Init, Lemmas, ByInduction, Consequences or Promises; with --mutants, this mutant"})
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

    /** @param name of the specification of which the module states an invariant */
    private record Subject(String name, Path module) {
    }

    private List<Subject> subjects() throws IOException {
        try (Stream<Path> listed = Files.list(specs.resolve("proof"))) {
            return listed.filter(f -> f.toString().endsWith(INVARIANT)).sorted()
                    .map(f -> new Subject(f.getFileName().toString().replace(INVARIANT, ""), f)).toList();
        }
    }

    private Specification specification(Subject subject) {
        return Specification.read(subject.module(), List.of(specs), Map.of());
    }

    /** Whether --only names the specification, or the part of it; or nothing. */
    private boolean isWanted(String specification, String part) {
        return only == null || only.equals(specification) || only.equals(specification + "/" + part);
    }

    private int proof() throws IOException {
        List<Proved> proofs = new ArrayList<>();
        List<String> lines = new ArrayList<>(List.of(String.format("%-12s %-24s %-26s %6s %6s %8s", "spec", "action", "conjunct", "proved", "open", "seconds")));
        int open = 0;
        int inAll = 0;
        for (int seed = 0; seed < seeds; seed++) {
            for (Subject subject : subjects()) {
                Specification spec = specification(subject);
                Proof proof = new Proof(spec, limit, seed);
                List<String> parts = proof.parts().stream().filter(part -> isWanted(subject.name(), part)).toList();
                if (parts.isEmpty()) {
                    continue;
                }
                console.println(subject.name() + (seeds == 1 ? ":" : ", seed " + seed + ":"));
                long begun = System.nanoTime();
                List<Proof.Result> results = all(proof, parts, true);
                for (Proof.Result r : results) {
                    lines.add(String.format(Locale.ROOT, "%-12s %-24s %-26s %6d %6d %8.1f", subject.name(), r.part(), r.conjunct(), r.obligations() - r.open(), r.open(), r.seconds()));
                }
                int obligations = results.stream().mapToInt(Proof.Result::obligations).sum();
                int notProved = results.stream().mapToInt(Proof.Result::open).sum();
                inAll += obligations;
                open += notProved;
                if (only == null && seed == 0) {
                    proofs.add(Proved.of(subject.name(), spec, specs, results));
                }
                console.printf(Locale.ROOT, "%d obligations, %d open, %.0f s%n", obligations, notProved, (System.nanoTime() - begun) / 1e9);
            }
        }
        if (lines.size() == 1) {
            throw new AuditException("There is nothing to prove named '" + only + "': --only takes one of " + names() + ", or a part of it, such as OmidLL/Begin.");
        }
        Files.write(out.resolve("results.txt"), lines);
        if (only == null) {
            Files.writeString(out.resolve("proof.json"), Json.write(proofs) + "\n");
        }
        return open == 0 && (inAll > 0 || only != null) ? 0 : NOT_PROVED;
    }

    private String names() throws IOException {
        return String.join(", ", subjects().stream().map(Subject::name).toList());
    }

    /** Parts of a proof side by side, told in their order. */
    private List<Proof.Result> all(Proof proof, List<String> parts, boolean tell) {
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
        List<String> lines = new ArrayList<>();
        int unnoticed = 0;
        for (Subject subject : subjects()) {
            Set<String> promises = new Proof(specification(subject), limit, 0).promises().keySet();
            for (Path file : mutantsOf(subject)) {
                String name = file.getFileName().toString().replace(".tla", "");
                String text = Files.readString(file, StandardCharsets.UTF_8);
                Matcher dies = DIES.matcher(text);
                if ((only != null && !only.equals(name)) || !dies.find() || !promises.contains(dies.group(1))) {
                    continue;
                }
                List<String> open = openOf(subject, file, name, text);
                unnoticed += open.isEmpty() ? 1 : 0;
                lines.add(String.format("%-12s %-28s %s", subject.name(), name, open.isEmpty() ? "NOTHING IS OPEN" : String.join(" ", open)));
                console.println(lines.get(lines.size() - 1));
            }
        }
        if (lines.isEmpty()) {
            throw new AuditException("There is no safety mutant '" + only + "' of " + names() + ": --only takes the name of a file below specs/mutants.");
        }
        Files.write(out.resolve("mutants.txt"), lines);
        console.println(lines.size() + " safety mutants, of " + unnoticed + " nothing is open");
        return unnoticed == 0 ? 0 : NOT_PROVED;
    }

    private List<Path> mutantsOf(Subject subject) throws IOException {
        try (Stream<Path> listed = Files.list(specs.resolve("mutants").resolve(subject.name()))) {
            return listed.filter(f -> f.toString().endsWith(".tla")).sorted().toList();
        }
    }

    private List<String> openOf(Subject subject, Path file, String name, String text) throws IOException {
        Map<String, String> overrides = new LinkedHashMap<>();
        OVERRIDE.matcher(text).results().forEach(m -> overrides.put(m.group(1), m.group(2)));
        String invariant = subject.module().getFileName().toString().replace(".tla", "");
        Path module = out.resolve("Prove" + name + ".tla");
        Files.writeString(module, "---- MODULE Prove" + name + " ----\nEXTENDS " + name + ", " + invariant + "\n====\n");
        List<Path> library = List.of(specs, specs.resolve("proof"), specs.resolve("models").resolve(subject.name()), file.getParent());
        Specification spec = Specification.read(module, library, overrides);
        Proof proof = new Proof(spec, limit, 0);
        boolean everywhere = spec.isChanged("Inductive");
        List<String> parts = proof.parts().stream().filter(part -> everywhere || spec.defines(part) && spec.isChanged(part)).toList();
        return all(proof, parts, false).stream().filter(r -> r.open() > 0).map(r -> r.part() + "/" + r.conjunct()).toList();
    }
}
