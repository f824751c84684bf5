package org.fencepost.audit.mutation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.fencepost.audit.models.Job;
import org.fencepost.audit.models.Suite;
import org.fencepost.audit.models.Verdict;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Folders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Weakens the gate itself: takes a property or a witness out of a model's configuration, or makes a constant smaller, and asks whether
 * {@code make check} would notice. What it would not is a way to weaken the check unseen.
 */
@Command(name = "check-gate", sortOptions = false, usageHelpWidth = 110,
        description = "Takes properties, witnesses and values out of models, and reports which of these changes make check does not notice.",
        footer = {"", "Exit code: 0 all were noticed; 1 not all; 2 nothing could be run."})
final class CheckGate implements Callable<Integer> {
    private static final int MISSED = 1;

    private record Ended(GateMutation mutation, String noticed) {
    }

    @Mixin
    private Trials trials;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/check-gate", description = "results (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--only", paramLabel = "<spec[/model]>", description = "just those of one spec, or of one of its models")
    private String only;

    @Option(names = "--largest", paramLabel = "<states>", defaultValue = "50000",
            description = "no model of more states is weakened (default: ${DEFAULT-VALUE})")
    private long largest;

    private final PrintStream console;

    CheckGate(PrintStream console) {
        this.console = console;
    }

    public static void main(String[] args) {
        System.exit(run(args, new PrintStream(System.out, true, StandardCharsets.UTF_8), System.err));
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new CheckGate(out), args, out, err, "Cannot write the results");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        trials.begin();
        List<GateMutation> all = all();
        List<GateMutation> drawn = trials.draw(all);
        console.printf(Locale.ROOT, "%,d changes of models are possible; %,d of them, seed %d:%n", all.size(), drawn.size(), trials.seed);
        return conclude(tryAll(drawn));
    }

    private List<GateMutation> all() throws IOException {
        List<GateMutation> all = new ArrayList<>();
        for (Job job : Suite.load(trials.specs).jobs()) {
            if (job.pinned() && !job.deep() && job.states() != null && job.states() <= largest
                    && (only == null || only.equals(job.spec()) || only.equals(job.id()))) {
                all.addAll(GateMutation.of(job.spec(), job.name(), Files.readString(job.file())));
            }
        }
        if (all.isEmpty()) {
            throw new AuditException("Nothing can be weakened" + (only == null ? "" : " in '" + only + "'")
                    + ": give a spec, or <spec>/<model> of a model with pinned counts, of up to --largest states.");
        }
        return all;
    }

    private List<Ended> tryAll(List<GateMutation> drawn) throws IOException, InterruptedException {
        List<Callable<Ended>> runs = new ArrayList<>();
        for (GateMutation mutation : drawn) {
            Path folder = out.resolve("mutants").resolve(Integer.toString(runs.size()));
            runs.add(() -> new Ended(mutation, noticed(mutation, folder)));
        }
        List<Ended> ended = new ArrayList<>();
        trials.sideBySide(runs, one -> {
            ended.add(one);
            console.printf(Locale.ROOT, "%3d of %d  %-8s  %s%n", ended.size(), drawn.size(), one.noticed == null ? "MISSED" : "noticed",
                    one.mutation.id() + (one.noticed == null ? "" : "  (" + one.noticed + ")"));
        });
        return ended;
    }

    /** By which sentence; null if it passes as if nothing had happened. */
    private String noticed(GateMutation mutation, Path folder) throws IOException, InterruptedException {
        Folders.deleteQuietly(folder);
        Suite suite = SpecCopy.of(trials.specs, mutation.spec(), folder.resolve("specs"),
                Path.of("models", mutation.spec(), mutation.model() + ".cfg"), mutation.newText());
        Job job = suite.jobs().stream().filter(j -> j.name().equals(mutation.model())).findFirst().orElseThrow();
        Verdict verdict = trials.run(suite, job, folder).verdict();
        Folders.deleteQuietly(folder);
        return verdict.kind() == Verdict.Kind.PASS ? null
                : verdict.message() == null ? verdict.toString() : verdict.message().lines().findFirst().orElse("");
    }

    private int conclude(List<Ended> ended) throws IOException {
        Map<GateMutation.Kind, int[]> rows = new EnumMap<>(GateMutation.Kind.class); // noticed, all
        for (Ended one : ended) {
            int[] row = rows.computeIfAbsent(one.mutation.kind(), k -> new int[2]);
            row[0] += one.noticed == null ? 0 : 1;
            row[1]++;
        }
        List<String> lines = new ArrayList<>();
        rows.forEach((kind, row) -> lines.add(String.format("%-10s %d of %d noticed", kind.name().toLowerCase(Locale.ROOT), row[0], row[1])));
        List<String> missed = ended.stream().filter(e -> e.noticed == null).map(e -> "not noticed: " + e.mutation.id()).sorted().toList();
        lines.addAll(missed);
        lines.forEach(console::println);
        Files.write(Files.createDirectories(out).resolve("results.txt"), lines);
        return missed.isEmpty() ? 0 : MISSED;
    }
}
