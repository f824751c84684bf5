package org.fencepost.audit.models;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Names;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.Tlc;
import org.fencepost.lanes.SvgLanes;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.TextLanes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the models and mutants of the specs in TLC and judges what came out.
 *
 * <p>A model must show what its header expects, with the pinned number of states and every witness reached. A mutant, which is the spec
 * with one guard removed, must die of the property named in its header and no other. Over all, every guard must have a mutant and every
 * action must be taken. The exit code is 0 only if all of this was seen; what could not be run counts as unknown, never as passed.
 */
@Command(name = "check", sortOptions = false, usageHelpWidth = 110,
        description = "Model-checks the specs: every model, and every mutant (the spec without one of its guards).",
        footer = {"", "Exit code: 0 every verdict is the expected one; 1 some is not; 2 nothing could be run.",
                "The logs, counterexamples (text and SVG), results.txt and results.json are in the output folder. What is there from an earlier run",
                "on the same inputs (modules, configuration, TLC) is not run again."})
public final class Check implements Callable<Integer> {
    public static final int NOT_AS_EXPECTED = 1;
    /** So many rows are shown where all is as expected; of more, the file tells. */
    private static final int FEW = 20;
    private static final int LEAST_WIDTH = 80;
    private static final int DEFAULT_WIDTH = 120;

    @Option(names = "--only", paramLabel = "<pattern>",
            description = "run just what matches (part of a name, or a glob over Spec/Name) and draw its counterexamples")
    private String only;

    @Option(names = "--deep", description = "run the deep models too, one at a time on all cores")
    private boolean deep;

    @Option(names = "--pin", description = "write the counts of passing models into their headers instead of comparing them")
    private boolean pin;

    @Option(names = "--specs", paramLabel = "<folder>", defaultValue = "specs", description = "the specs (default: ${DEFAULT-VALUE})")
    private Path specs;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/check", description = "results (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--tlc", paramLabel = "<jar>", defaultValue = "${env:TLA2TOOLS}",
            description = "another TLC than the pinned one; also from the environment variable TLA2TOOLS")
    private String tlcJar;

    @Option(names = "--jobs", paramLabel = "<n>", description = "runs side by side (default: the number of cores)")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--timeout", paramLabel = "<seconds>", description = "limit of each run (default: 900; none for deep models)")
    private Integer timeout;

    @Option(names = "--reuse", paramLabel = "<folder>", description = "look here, too, for results of earlier runs")
    private List<Path> reuse = List.of();

    @Option(names = "--fresh", description = "run everything, also what an earlier run on the same inputs has answered")
    private boolean fresh;

    @Option(names = "--known", description = "run nothing: what no earlier run on the same inputs has answered is unknown")
    private boolean known;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console;

    public Check(PrintStream console) {
        this.console = console;
    }

    /** For the launcher. Prints to the standard output. */
    public Check() {
        this(standardOutput());
    }

    public static void main(String[] args) {
        System.exit(run(args, standardOutput(), System.err));
    }

    /** Pictures need more than ASCII, which the POSIX locale of a bare container would reduce them to. */
    private static PrintStream standardOutput() {
        return new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new Check(out), args, out, err, "Cannot write the results");
    }

    /** What a check found. */
    public record Findings(Suite suite, Tlc tlc, List<Result> results, Completeness completeness) {
        public boolean passed() {
            return completeness.failures().isEmpty() && results.stream().allMatch(Result::asExpected);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Findings found = find();
        Path rows = out.resolve("results.txt");
        Files.writeString(rows, Report.table(found.results));
        conclude(found, rows);
        return found.passed() ? 0 : NOT_AS_EXPECTED;
    }

    /** Runs what was asked for, draws the counterexamples and writes the results down. */
    public Findings find() throws IOException, InterruptedException {
        if (jobs < 1 || timeout != null && timeout < 1) {
            throw new AuditException("--jobs and --timeout must be at least 1.");
        }
        Tlc tlc = Tlc.ofOption(tlcJar);
        Suite suite = Suite.load(specs);
        List<Job> selected = select(suite.jobs());
        int width = width();
        boolean terminal = System.console() != null && !"dumb".equals(System.getenv("TERM"));
        List<Result> results;
        try (Runner runner = new Runner(suite, tlc, out, jobs, timeout, new Progress(console, terminal, width, selected.size()), earlier())) {
            results = (known ? runner.known(selected) : runner.run(selected)).stream().map(this::pinned).toList();
        }
        for (Result result : results) {
            drawCounterexample(result, suite.texts().get(result.job().spec()), width, only != null && results.size() <= FEW);
        }
        Findings found = new Findings(suite, tlc, results, Completeness.of(suite, results, only == null && !known, pin));
        Report.json(out.resolve("results.json"), found);
        return found;
    }

    /** Where results may be that need not be found again. */
    private List<Path> earlier() {
        return fresh ? List.of() : Stream.concat(Stream.of(out), reuse.stream()).toList();
    }

    private void conclude(Findings found, Path rows) {
        List<Result> bad = found.results.stream().filter(r -> !r.asExpected()).toList();
        List<Result> shown = found.passed() && found.results.size() <= FEW ? found.results : bad;
        console.println();
        found.completeness.summary().forEach(console::println);
        if (!shown.isEmpty()) {
            console.println();
            console.print(Report.table(shown));
            console.println();
        }
        found.completeness.failures().forEach(f -> console.println("FAIL  " + f));
        console.println((found.passed() ? "Every verdict is the expected one." : bad.size() + " of " + found.results.size()
                + " verdicts are not the expected ones; " + found.completeness.failures().size() + " other failures.") + " All rows: " + rows);
    }

    private List<Job> select(List<Job> all) {
        Predicate<Job> searched = j -> deep ? j.size() != Job.Size.DRAWN : j.size() == Job.Size.CI;
        if (only == null) {
            return all.stream().filter(searched).toList();
        }
        List<Job> matching = all.stream().filter(j -> j.name().equals(only) || j.id().equals(only)).toList();
        if (matching.isEmpty()) {
            matching = all.stream().filter(this::matches).toList();
        }
        if (matching.isEmpty()) {
            boolean whole = only.contains("/");
            throw new AuditException("No model or mutant matches '" + only + "'; near are "
                    + all.stream().map(Job::id).sorted(Comparator.comparingInt(id -> Names.difference(only, whole ? id : id.substring(id.indexOf('/') + 1)))).limit(5)
                            .collect(Collectors.joining(", ")) + ".");
        }
        List<Job> selected = matching.stream().filter(searched).toList();
        if (selected.isEmpty()) {
            String drawn = "'" + matching.get(0).id() + "' is too large to be searched: make conformance draws behaviours from it at random.";
            throw new AuditException(matching.stream().filter(j -> j.size() == Job.Size.DEEP).findFirst()
                    .map(j -> "'" + only + "' is deep, which takes up to hours: run it with make check-deep ONLY='" + j.id() + "' (--deep).").orElse(drawn));
        }
        return selected;
    }

    private boolean matches(Job job) {
        try {
            return job.id().contains(only) || FileSystems.getDefault().getPathMatcher("glob:" + only).matches(Path.of(job.id()))
                    || FileSystems.getDefault().getPathMatcher("glob:" + only).matches(Path.of(job.name()));
        } catch (PatternSyntaxException e) {
            throw new AuditException("'" + only + "' is no pattern: " + e.getDescription() + ".");
        }
    }

    /** With --pin, a run that passed or only drifted is written down and passes. */
    private Result pinned(Result r) {
        boolean wanted = pin && r.job().pinned() && (r.verdict().kind() == Verdict.Kind.PASS || r.verdict().kind() == Verdict.Kind.DRIFTED);
        if (!wanted) {
            return r;
        }
        try {
            Set<String> witnesses = new LinkedHashSet<>(r.job().witnesses());
            witnesses.addAll(r.output().witnesses());
            Pins.write(r.job().file(), r.output().distinct(), r.job().deep() ? null : r.output().depth(), r.job().config().checks(), witnesses);
        } catch (IOException e) {
            throw new AuditException("Cannot write the counts into '" + r.job().file() + "': " + e.getMessage() + ".");
        }
        return new Result(r.job(), new Verdict(Verdict.Kind.PASS, null, null), r.output(), r.exit(), r.seconds(), r.command(), r.folder(), r.known());
    }

    private void drawCounterexample(Result result, SpecText text, int width, boolean few) throws IOException {
        if (result.verdict().kind() != Verdict.Kind.VIOLATES) {
            return;
        }
        SwimLane picture = Counterexample.of(result, text);
        Files.writeString(result.folder().resolve("counterexample.svg"), SvgLanes.draw(picture));
        Files.writeString(result.folder().resolve("counterexample.txt"), TextLanes.draw(picture, DEFAULT_WIDTH));
        if (few || !result.asExpected()) {
            console.println();
            console.println((result.asExpected() ? "" : "FAIL  ") + picture.title());
            console.println();
            console.print(TextLanes.draw(picture, width));
            if (Job.PROOF.equals(result.verdict().property())) {
                console.println(Job.PROOF + " is the invariant of the proof (docs/proof.md). What users are promised holds in this model; a larger one may show"
                        + " that it is violated: make check ONLY='" + result.job().spec() + "/'.");
            }
        }
    }

    /** The terminal's width: COLUMNS where it is exported, else what the terminal says. */
    private static int width() {
        String columns = System.getenv("COLUMNS");
        if (columns == null && System.console() != null) {
            columns = sttyColumns();
        }
        try {
            return Math.max(LEAST_WIDTH, columns == null ? DEFAULT_WIDTH : Integer.parseInt(columns.strip()));
        } catch (NumberFormatException e) {
            return DEFAULT_WIDTH;
        }
    }

    private static String sttyColumns() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return size.contains(" ") ? size.substring(size.indexOf(' ')) : null;
        } catch (IOException e) {
            return null; // no stty here: the default width does
        }
    }
}
