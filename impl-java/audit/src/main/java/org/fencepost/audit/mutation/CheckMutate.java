package org.fencepost.audit.mutation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.fencepost.audit.models.Job;
import org.fencepost.audit.models.Result;
import org.fencepost.audit.models.Runner;
import org.fencepost.audit.models.Suite;
import org.fencepost.audit.models.Verdict;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Folders;
import org.fencepost.audit.text.SpecText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Tries small changes of the specs that nobody wrote ({@link SpecMutation}), drawn at random, on the models of the size for pull
 * requests, the smallest first, until a property fails. Where only a model's pinned counts differ, a few more models are asked for a
 * property that does. What survives all models shows what none reaches or no property speaks about: each is to be killed by a better model
 * or property, or argued to change nothing that matters.
 */
@Command(name = "check-mutate", sortOptions = false, usageHelpWidth = 110,
        description = "Tries changes of the specs that nobody wrote, and reports which of them no model notices.",
        footer = {"", "Exit code: 0 if the goal is reached; 1 if not; 2 nothing could be run."})
final class CheckMutate implements Callable<Integer> {
    private static final int MISSED = 1;
    /** TLC's exit codes for modules and configurations that it cannot read, and for what it cannot evaluate. */
    private static final Set<Integer> EXITS_UNREADABLE = Set.of(150, 151);
    private static final Set<Integer> EXITS_EVALUATING = Set.of(75, 76, 77, 255);

    /** How a mutation ended, from the best to the worst. */
    enum Fate {
        KILLED("killed by a property"),
        COUNTED("noticed by its counts or witnesses only, or because it cannot be evaluated"),
        ARGUED("survives, argued"),
        SURVIVES("survives"),
        UNKNOWN("no verdict"),
        NONSENSE("no specification");

        private final String words;

        Fate(String words) {
            this.words = words;
        }
    }

    private record Ended(SpecMutation mutation, Fate fate, String how) {
    }

    @Mixin
    private Trials trials;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/check-mutate", description = "results (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--only", paramLabel = "<spec[/operator]>", description = "just those of one spec, or of one of its operators")
    private String only;

    @Option(names = "--largest", paramLabel = "<states>", defaultValue = "150000",
            description = "no model of more states is run (default: ${DEFAULT-VALUE})")
    private long largest;

    @Option(names = "--more", paramLabel = "<models>", defaultValue = "1",
            description = "of a change that only counts have noticed, so many more models look for a property that fails (default: ${DEFAULT-VALUE})")
    private int more;

    @Option(names = "--seconds", paramLabel = "<n>", description = "no mutant begins later (default: no limit)")
    private Integer seconds;

    @Option(names = "--goal", paramLabel = "<percent>", defaultValue = "95",
            description = "of those that make sense, so many must be noticed or argued (default: ${DEFAULT-VALUE})")
    private int goal;

    private final PrintStream console;
    private Map<String, String> argued;

    CheckMutate(PrintStream console) {
        this.console = console;
    }

    public static void main(String[] args) {
        System.exit(run(args, new PrintStream(System.out, true, StandardCharsets.UTF_8), System.err));
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new CheckMutate(out), args, out, err, "Cannot write the results");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (more < 0 || goal < 0 || goal > 100) {
            throw new AuditException("--more must be at least 0, and --goal a percentage.");
        }
        trials.begin();
        argued = argued();
        List<SpecMutation> all = all();
        List<SpecMutation> drawn = trials.draw(all);
        console.printf(Locale.ROOT, "%,d changes are possible; %,d of them, seed %d:%n", all.size(), drawn.size(), trials.seed);
        List<Ended> ended = tryAll(drawn);
        String table = table(ended);
        console.println();
        console.print(table);
        Files.writeString(Files.createDirectories(out).resolve("results.txt"), table);
        return conclude(ended);
    }

    /** Of each spec that has models: all changes of what its steps consist of. */
    private List<SpecMutation> all() throws IOException {
        Suite suite = Suite.load(trials.specs);
        String[] wanted = only == null ? new String[] {""} : only.split("/", 2);
        if (only != null && !suite.texts().containsKey(wanted[0])) {
            throw new AuditException("No spec '" + wanted[0] + "' has models; there are " + String.join(", ", suite.texts().keySet()) + ".");
        }
        List<SpecMutation> all = new ArrayList<>();
        for (Map.Entry<String, SpecText> spec : suite.texts().entrySet()) {
            Path module = trials.specs.resolve(spec.getKey() + ".tla");
            boolean hasModel = suite.jobs().stream().anyMatch(job -> job.spec().equals(spec.getKey())); // some are for Apalache alone
            if ((only == null || wanted[0].equals(spec.getKey())) && hasModel && Files.isRegularFile(module)) {
                all.addAll(SpecMutation.of(spec.getKey(), Files.readString(module), spec.getValue().mentions("Next"), spec.getValue()));
            }
        }
        all.removeIf(m -> wanted.length == 2 && !m.operator().equals(wanted[1]));
        if (all.isEmpty()) {
            throw new AuditException("Nothing can be changed in '" + only + "': give a spec, or <spec>/<operator> of one that Next uses.");
        }
        return all;
    }

    /** Each line: a mutation's id, two spaces, and why it changes nothing that matters. */
    private Map<String, String> argued() throws IOException {
        Path file = trials.specs.resolve("mutants").resolve("argued.txt");
        Map<String, String> found = new LinkedHashMap<>();
        if (Files.isRegularFile(file)) {
            for (String line : Files.readAllLines(file)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] parts = line.split(" {2,}", 2);
                    if (parts.length < 2) {
                        throw new AuditException("A line of '" + file + "' has no reason: put two spaces and the reason behind '" + line + "'.");
                    }
                    found.put(parts[0], parts[1]);
                }
            }
        }
        return found;
    }

    private List<Ended> tryAll(List<SpecMutation> drawn) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Callable<Ended>> runs = new ArrayList<>();
        for (SpecMutation mutation : drawn) {
            Path folder = out.resolve("mutants").resolve(Integer.toString(runs.size()));
            runs.add(() -> seconds != null && System.nanoTime() - begun > seconds * 1_000_000_000L ? null : tryOne(mutation, folder));
        }
        List<Ended> ended = new ArrayList<>();
        trials.sideBySide(runs, one -> {
            if (one != null) {
                ended.add(one);
                console.printf(Locale.ROOT, "%3d of %d  %-8s  %s:%d  %s%s%n", ended.size(), drawn.size(), one.fate.name().toLowerCase(Locale.ROOT),
                        one.mutation.spec(), one.mutation.line(), one.mutation.id(), one.how.isEmpty() ? "" : "  (" + one.how + ")");
            }
        });
        return ended;
    }

    private Ended tryOne(SpecMutation mutation, Path folder) throws IOException, InterruptedException {
        Folders.deleteQuietly(folder); // of an earlier run, which changed another spec perhaps
        Suite suite = change(mutation, folder.resolve("specs"));
        Ended ended;
        try (Runner runner = trials.inTurn(suite, folder)) {
            ended = run(mutation, suite, runner);
        }
        if (ended.fate != Fate.SURVIVES && ended.fate != Fate.UNKNOWN) {
            Folders.deleteQuietly(folder);
        }
        return ended;
    }

    private Ended run(SpecMutation mutation, Suite suite, Runner runner) throws InterruptedException {
        Ended noticed = null;
        int left = more;
        List<Job> models = suite.jobs().stream().filter(j -> j.pinned() && !j.deep() && j.states() != null && j.states() <= largest)
                .sorted(Comparator.comparing((Job j) -> j.uncovered().contains(mutation.operator())).thenComparing(Job::states)).toList();
        for (Job model : models) {
            if (noticed != null && left-- == 0) {
                break;
            }
            Result result = runner.run(List.of(model.withoutCoverage())).get(0);
            if (result.verdict().kind() != Verdict.Kind.PASS) {
                Ended here = ended(mutation, result);
                if (here.fate != Fate.COUNTED) {
                    return noticed == null || here.fate == Fate.KILLED ? here : noticed;
                }
                noticed = noticed == null ? here : noticed;
            }
        }
        if (noticed != null) {
            return noticed;
        }
        if (models.isEmpty()) {
            return new Ended(mutation, Fate.UNKNOWN, "there is no model of up to " + largest + " states");
        }
        String why = argued.get(mutation.id());
        return why == null ? new Ended(mutation, Fate.SURVIVES, models.size() + " models of up to " + largest + " states")
                : new Ended(mutation, Fate.ARGUED, why);
    }

    /** By a run that did not pass. What TLC could not do for reasons of its own is unknown. */
    private static Ended ended(SpecMutation mutation, Result result) {
        Verdict verdict = result.verdict();
        String model = result.job().name();
        if (result.exit() == Verdict.EXIT_LIVENESS) { // of several temporal properties TLC names none
            return new Ended(mutation, Fate.KILLED, "a temporal property in " + model);
        }
        return switch (verdict.kind()) {
            case VIOLATES -> new Ended(mutation, Fate.KILLED, verdict.property() + " in " + model);
            case DRIFTED, VACUOUS -> new Ended(mutation, Fate.COUNTED, model + ", " + verdict.message());
            default -> {
                if (result.output().distinct() > result.job().states()) {
                    yield new Ended(mutation, Fate.COUNTED, model + ", more than its " + result.job().states() + " states");
                }
                String message = verdict.message().lines().findFirst().orElse("");
                Fate fate = EXITS_UNREADABLE.contains(result.exit()) || message.contains("not completely specified") ? Fate.NONSENSE
                        : EXITS_EVALUATING.contains(result.exit()) && result.output().error() != null ? Fate.COUNTED : Fate.UNKNOWN;
                yield new Ended(mutation, fate, model + ", " + message);
            }
        };
    }

    private Suite change(SpecMutation mutation, Path copy) throws IOException {
        Path module = Path.of(mutation.spec() + ".tla");
        List<String> lines = new ArrayList<>(Files.readAllLines(trials.specs.resolve(module)));
        lines.set(mutation.line() - 1, mutation.newLine());
        return SpecCopy.of(trials.specs, mutation.spec(), copy, module, String.join("\n", lines) + "\n");
    }

    // ---- what came of it

    private static String table(List<Ended> ended) {
        StringBuilder text = new StringBuilder();
        Map<String, Map<Fate, Integer>> rows = new TreeMap<>();
        for (Ended one : ended) {
            rows.computeIfAbsent(one.mutation.spec(), s -> new TreeMap<>()).merge(one.fate, 1, Integer::sum);
            rows.computeIfAbsent("  " + one.mutation.kind().name().toLowerCase(Locale.ROOT), s -> new TreeMap<>()).merge(one.fate, 1, Integer::sum);
        }
        text.append(String.format("%-14s", ""));
        for (Fate fate : Fate.values()) {
            text.append(String.format("%10s", fate.name().toLowerCase(Locale.ROOT)));
        }
        rows.forEach((name, row) -> {
            text.append(String.format("%n%-14s", name));
            for (Fate fate : Fate.values()) {
                text.append(String.format("%10s", row.getOrDefault(fate, 0)));
            }
        });
        text.append(String.format("%n"));
        for (Fate fate : List.of(Fate.SURVIVES, Fate.ARGUED, Fate.UNKNOWN)) {
            ended.stream().filter(e -> e.fate == fate).sorted(Comparator.comparing(e -> e.mutation.id())).forEach(
                    e -> text.append(String.format("%n%s: %s:%d  %s  (%s)", fate.words, e.mutation.spec(), e.mutation.line(), e.mutation.id(), e.how)));
        }
        return text.append(String.format("%n")).toString();
    }

    private int conclude(List<Ended> ended) {
        long sense = ended.stream().filter(e -> e.fate != Fate.NONSENSE).count();
        long good = ended.stream().filter(e -> e.fate.compareTo(Fate.ARGUED) <= 0).count();
        if (sense == 0) {
            console.println("No mutant was tried that makes sense: draw more of them, or give them more time.");
            return MISSED;
        }
        console.printf(Locale.ROOT, "%d of %d that make sense are noticed or argued (%.1f%%); the goal is %d%%. All of it: %s%n", good, sense,
                100.0 * good / sense, goal, out.resolve("results.txt"));
        return good * 100 >= sense * goal ? 0 : MISSED;
    }
}
