package org.fencepost.prove;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.TlaValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Proves the invariants of {@code specs/proof} for sets of any size, and that they imply what their specifications promise ({@link Proof}). */
@Command(name = "prove", sortOptions = false, usageHelpWidth = 110,
        description = "Proves promises of the specifications for any number of transactions, keys, transaction managers and faults.",
        footer = {"", "Exit code: 0 everything is proved, or each mutant leaves something open; 1 not so; 2 nothing could be run.",
                "What was proved, and what is open, is in results.txt in the output folder, with the solver's steps, the same on every machine."})
public final class Prove implements Callable<Integer> {
    private static final int NOT_PROVED = 1;
    private static final String INVARIANT = "Inv.tla";

    @Option(names = "--only", paramLabel = "<part>", description = {"just this specification, such as OmidLL, or a part of it: OmidLL/GetRecord,",
            "OmidLL/Init, Lemmas, ByInduction, Consequences or Promises; with --mutants, this mutant"})
    private String only;

    @Option(names = "--mutants", description = "whether each safety mutant of the specification leaves something open, instead")
    private boolean mutants;

    @Option(names = "--seeds", paramLabel = "<number>", defaultValue = "1", description = "do it with so many seeds of the solver (default: ${DEFAULT-VALUE})")
    private int seeds;

    @Option(names = "--limit", paramLabel = "<steps>", defaultValue = "8000000",
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

    private List<Path> library() {
        return List.of(specs, specs.resolve("proof"));
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
        List<String> lines = new ArrayList<>(List.of(String.format("%-12s %-24s %-26s %6s  %-8s %10s %s", "spec", "action", "conjunct", "parts", "verdict", "steps", "seconds, seed by seed")));
        List<String> possible = new ArrayList<>(List.of(String.format("%-12s %-24s %8s %8s", "spec", "action", "branches", "possible")));
        boolean proved = true;
        for (Subject subject : subjects()) {
            Specification spec = specification(subject);
            List<String> parts = new Proof(spec, limit, 0).parts().stream().filter(part -> isWanted(subject.name(), part)).toList();
            if (parts.isEmpty()) {
                continue;
            }
            List<List<Proof.Result>> bySeed = new ArrayList<>();
            for (int seed = 0; seed < seeds; seed++) {
                console.println(subject.name() + (seeds == 1 ? ":" : ", seed " + seed + ":"));
                bySeed.add(results(new Proof(spec, limit, seed), parts));
            }
            for (int i = 0; i < bySeed.get(0).size(); i++) {
                int row = i;
                List<Proof.Result> same = bySeed.stream().map(results -> results.get(row)).toList();
                lines.add(row(subject.name(), same));
                proved = proved && same.stream().allMatch(r -> r.open() == 0);
            }
            if (only == null) {
                proofs.add(Proved.of(subject.name(), spec, specs, bySeed.get(0)));
            }
            List<String> open = bySeed.stream().flatMap(List::stream).filter(r -> r.open() > 0).map(Proof.Result::part).distinct().toList();
            if (!open.isEmpty()) {
                Path folder = Files.createDirectories(out.resolve("open").resolve(subject.name()));
                Drawing.Found found = new Drawing(spec, library(), folder, limit, new Parallel(jobs)).look(subject.name(), Small.World.of(specs.resolve("proof"), subject.name()), open, List.of());
                console.println(found.picture() == null ? "There is no small counterexample to induction: it may be so, and the solver not see it." : "Not so: " + String.join(" ", found.broken()));
                console.print(found.text());
            }
            proved = possible(subject, spec, parts, possible) && proved;
        }
        if (lines.size() == 1) {
            throw new AuditException("There is nothing to prove named '" + only + "': --only takes one of " + names() + ", or a part of it, such as OmidLL/Begin.");
        }
        Files.write(out.resolve("results.txt"), lines);
        Files.write(out.resolve("possible.txt"), possible);
        if (only == null) {
            Files.writeString(out.resolve("proof.json"), Json.write(proofs) + "\n");
        }
        return proved ? 0 : NOT_PROVED;
    }

    /** Of an action and a conjunct with all seeds: a verdict that depends on the seed is luck, and counts as open. */
    private static String row(String subject, List<Proof.Result> bySeed) {
        Proof.Result first = bySeed.get(0);
        long open = bySeed.stream().filter(r -> r.open() > 0).count();
        String verdict = open == 0 ? "proved" : open == bySeed.size() ? "open" : "FLIPS";
        String seconds = bySeed.stream().map(r -> String.format(Locale.ROOT, "%6.1f", r.seconds())).collect(Collectors.joining(" "));
        long steps = bySeed.stream().mapToLong(Proof.Result::steps).sum();
        return String.format("%-12s %-24s %-26s %6d  %-8s %10d %s", subject, first.part(), first.conjunct(), first.obligations(), verdict, steps, seconds);
    }

    private String names() throws IOException {
        return String.join(", ", subjects().stream().map(Subject::name).toList());
    }

    private List<Proof.Result> results(Proof proof, List<String> parts) {
        List<Proof.Result> results = new ArrayList<>();
        long begun = System.nanoTime();
        new Parallel(jobs).each(parts, proof::prove, (part, ended) -> {
            results.addAll(ended);
            tell(part, ended);
        });
        console.printf(Locale.ROOT, "%d obligations, %d open, %.0f s%n", results.stream().mapToInt(Proof.Result::obligations).sum(),
                results.stream().mapToInt(Proof.Result::open).sum(), (System.nanoTime() - begun) / 1e9);
        return results;
    }

    private void tell(String part, List<Proof.Result> ended) {
        List<String> open = ended.stream().filter(r -> r.open() > 0).map(Proof.Result::conjunct).toList();
        console.printf(Locale.ROOT, "  %-24s %4d obligations %6.1f s  %s%n", part, ended.stream().mapToInt(Proof.Result::obligations).sum(),
                ended.stream().mapToDouble(Proof.Result::seconds).sum(), open.isEmpty() ? "proved" : "OPEN: " + String.join(", ", open));
    }

    /**
     * Whether each action can be taken from some state in which the invariant holds: of one that cannot, everything would be proved. The solver
     * gives the states, and TLC takes the steps.
     */
    private boolean possible(Subject subject, Specification spec, List<String> parts, List<String> lines) throws IOException {
        Proof proof = new Proof(spec, limit, 0);
        Map<String, Integer> shown = new LinkedHashMap<>();
        Map<String, Integer> branches = new LinkedHashMap<>();
        List<String> open = new ArrayList<>(proof.actions().stream().filter(parts::contains).toList());
        long begun = System.nanoTime();
        for (Small.World world : Small.World.of(specs.resolve("proof"), subject.name())) {
            List<Examples.Possible> found = new ArrayList<>();
            new Parallel(jobs).each(List.copyOf(open), new Examples(spec, world, limit)::possible, (action, possible) -> found.add(possible));
            ByTlc tlc = new ByTlc(spec, library(), out.resolve("possible").resolve(world.name()), proof.conjuncts("Inductive"));
            List<Map<String, TlaValue>> states = found.stream().flatMap(p -> p.states().stream()).toList();
            List<ByTlc.Seen> seen = states.isEmpty() ? List.of() : tlc.see(world, states);
            int at = 0;
            for (Examples.Possible p : found) {
                List<ByTlc.Seen> of = seen.subList(at, at += p.states().size());
                int confirmed = (int) of.stream().filter(s -> s.allows(p.action())).count();
                branches.merge(p.action(), p.branches(), Math::max);
                shown.merge(p.action(), confirmed, Math::max);
                if (confirmed == p.branches()) {
                    open.remove(p.action());
                }
            }
        }
        List<String> impossible = shown.keySet().stream().filter(action -> shown.get(action) == 0).toList();
        shown.forEach((action, n) -> lines.add(String.format("%-12s %-24s %8d %8d", subject.name(), action, branches.get(action), n)));
        console.printf(Locale.ROOT, "%d actions, %s; %d of their %d branches; %.0f s%n", shown.size(),
                impossible.isEmpty() ? "each is possible where the invariant holds" : "NOT POSSIBLE where the invariant holds: " + String.join(", ", impossible),
                shown.values().stream().mapToInt(n -> n).sum(), branches.values().stream().mapToInt(n -> n).sum(), (System.nanoTime() - begun) / 1e9);
        return impossible.isEmpty();
    }

    // ---- mutants

    /** A safety mutant of which nothing is open would show that the proof proves too much. */
    private int mutants() throws IOException {
        List<String> lines = new ArrayList<>();
        int unnoticed = 0;
        int drawn = 0;
        Mutants mutants = new Mutants(specs, out, limit, new Parallel(jobs));
        for (Subject subject : subjects()) {
            Specification spec = specification(subject);
            Set<String> promises = Set.copyOf(new Proof(spec, limit, 0).conjuncts(Proof.PROMISES));
            for (Path file : mutants.of(subject.name(), promises, spec.beyond())) {
                if (only != null && !only.equals(Mutants.name(file)) && !only.equals(subject.name()) && !only.equals(subject.name() + "/" + Mutants.name(file))) {
                    continue;
                }
                Mutants.Outcome outcome = mutants.outcome(subject.name(), subject.module(), file);
                unnoticed += outcome.open().isEmpty() ? 1 : 0;
                drawn += outcome.picture() == null ? 0 : 1;
                lines.add(Mutants.line(subject.name(), outcome));
                console.println(lines.get(lines.size() - 1));
                if (only != null && !only.equals(subject.name())) {
                    console.print(outcome.text());
                }
            }
        }
        if (lines.isEmpty()) {
            throw new AuditException("There is no safety mutant '" + only + "' of " + names() + ": --only takes the name of a file below specs/mutants.");
        }
        Files.write(out.resolve("mutants.txt"), lines);
        console.println(lines.size() + " safety mutants; of " + drawn + " a counterexample to induction is drawn in " + out.resolve("mutants") + "; of " + unnoticed + " nothing is open");
        return unnoticed == 0 ? 0 : NOT_PROVED;
    }
}
