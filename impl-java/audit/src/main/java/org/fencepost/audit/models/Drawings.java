package org.fencepost.audit.models;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Tlc;
import org.fencepost.lanes.SvgLanes;
import org.fencepost.lanes.SwimLane;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Draws how the protocols work: for each line of a list, the shortest behaviour of a model that reaches a witness, as TLC finds it when it
 * is told that the witness cannot be reached. Below the steps stands what was stored in the end. A mutant's counterexample is drawn as it
 * is, one step after the other.
 *
 * <pre>{@literal
 * OmidLL/Plain2x2 FalseInvalidationRepaired: A title.         a witness of the model
 * OmidLL/Plain2x2 Commit = \E t \in Txn : ...: A title.       a condition of its own
 * OmidLL/NoReRead: A title.                                   a mutant
 * }</pre>
 */
@Command(name = "drawings", sortOptions = false, usageHelpWidth = 110, description = "Draws how the protocols work, from behaviours of the specs.",
        footer = {"", "Exit code: 0 all were drawn; 1 with --compare: one is not what is there; 2 nothing could be drawn."})
public final class Drawings implements Callable<Integer> {
    private static final Pattern LINE = Pattern.compile("(\\w+)/(\\w+)(?: (\\w+))?(?: = (.*))?: ([^:]+\\.)");
    private static final String NEVER = "NeverReached";
    private static final int TIMEOUT_SECONDS = 300;
    private static final double SECONDS_PER_STEP = 2;

    private record Drawing(String spec, String run, String witness, String condition, String title) {
        String file() {
            return spec + "-" + (witness == null ? run : witness) + ".svg";
        }
    }

    @Option(names = "--specs", paramLabel = "<folder>", defaultValue = "specs", description = "the specs (default: ${DEFAULT-VALUE})")
    private Path specs;

    @Option(names = "--list", paramLabel = "<file>", defaultValue = "docs/drawings/list.txt", description = "what to draw (default: ${DEFAULT-VALUE})")
    private Path list;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "docs/drawings", description = "the drawings (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--work", paramLabel = "<folder>", defaultValue = "target/drawings", description = "for TLC (default: ${DEFAULT-VALUE})")
    private Path work;

    @Option(names = "--only", paramLabel = "<part of a name>", description = "just these")
    private String only;

    @Option(names = "--compare", description = "write nothing: tell which drawings are not what the specs do now")
    private boolean compare;

    @Option(names = "--tlc", paramLabel = "<jar>", defaultValue = "${env:TLA2TOOLS}", description = "another TLC than the pinned one")
    private String tlcJar;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console;

    private Drawings(PrintStream console) {
        this.console = console;
    }

    public static void main(String[] args) {
        System.exit(run(args, new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8), System.err));
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new Drawings(out), args, out, err, "Cannot write the drawings");
    }

    @Override
    public Integer call() throws IOException {
        Suite suite = Suite.load(specs);
        Tlc tlc = Tlc.ofOption(tlcJar);
        int differing = 0;
        for (Drawing drawing : read()) {
            String svg = draw(drawing, suite, tlc);
            Path file = out.resolve(drawing.file());
            boolean same = Files.isRegularFile(file) && Files.readString(file).equals(svg);
            if (compare && !same) {
                console.println("DIFFERS  " + file + ": run make drawings, look at it, and commit it.");
                differing++;
            } else if (!compare) {
                Files.createDirectories(out);
                Files.writeString(file, svg);
                console.println((same ? "as before  " : "drawn      ") + file);
            }
        }
        return differing == 0 ? 0 : Check.NOT_AS_EXPECTED;
    }

    private List<Drawing> read() throws IOException {
        List<Drawing> drawings = new ArrayList<>();
        for (String line : Files.readAllLines(list)) {
            Matcher m = LINE.matcher(line);
            if (m.matches()) {
                drawings.add(new Drawing(m.group(1), m.group(2), m.group(3), m.group(4), m.group(5)));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                throw new AuditException("'" + list + "' has a line that names no drawing: " + line);
            }
        }
        drawings.removeIf(d -> only != null && !d.file().contains(only));
        if (drawings.isEmpty()) {
            throw new AuditException("Nothing is to be drawn" + (only == null ? "" : " for '" + only + "'") + ": see '" + list + "'.");
        }
        return drawings;
    }

    private String draw(Drawing drawing, Suite suite, Tlc tlc) throws IOException {
        Job job = suite.jobs().stream().filter(j -> j.id().equals(drawing.spec + "/" + drawing.run)).findFirst()
                .orElseThrow(() -> new AuditException("There is no model or mutant " + drawing.spec + "/" + drawing.run + "."));
        if (job.problem() != null) {
            throw new AuditException(job.id() + " cannot run: " + job.problem() + ".");
        }
        Job run = drawing.witness == null ? job : reaching(drawing, job);
        TlcRun tlcRun = new TlcRun(run, tlc, suite.library(run.spec()), work.toAbsolutePath().resolve(run.spec()).resolve(run.name()),
                new TlcRun.Resources(1, 1024, TIMEOUT_SECONDS));
        Result result = tlcRun.run();
        if (result.verdict().kind() != Verdict.Kind.VIOLATES) {
            throw new AuditException(drawing.file() + ": TLC finds no such behaviour (" + result.verdict() + "); its log is in '" + result.folder() + "'.");
        }
        SwimLane lane = Counterexample.of(result, suite.texts().get(run.spec()));
        if (drawing.witness == null) {
            return SvgLanes.play(new SwimLane(drawing.title, lane.lanes(), lane.rows(), lane.ending(), lane.lesson()), SECONDS_PER_STEP);
        }
        List<SwimLane.Row> rows = new ArrayList<>(lane.rows());
        Map<SwimLane.Lane, List<String>> stored = Counterexample.stored(result, suite.texts().get(run.spec()));
        if (!stored.isEmpty()) {
            rows.add(new SwimLane.Row(0, "stored in the end", "against the beginning", stored));
        }
        return SvgLanes.draw(new SwimLane(drawing.title, lane.lanes(), rows, lane.ending(), List.of("Model " + job.id() + ", witness " + drawing.witness + ".")));
    }

    /** The model, with nothing to check but that the witness is never reached. */
    private Job reaching(Drawing drawing, Job model) throws IOException {
        Path module = model.file().resolveSibling(model.module() + ".tla");
        String condition = drawing.condition != null ? drawing.condition : condition(Files.readString(module), drawing.witness);
        if (condition == null) {
            throw new AuditException("'" + module + "' has no witness " + drawing.witness + ".");
        }
        String name = "Drawn" + drawing.witness;
        Path file = work.toAbsolutePath().resolve(drawing.spec).resolve(name + ".tla");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "---- MODULE " + name + " ----\nEXTENDS " + model.module() + "\n\n" + NEVER + " ==\n    ~(" + condition + ")\n====\n");
        Config config = model.config().checking(List.of(NEVER), List.of());
        return new Job(drawing.spec, name, Job.Kind.MODEL, file, name, config, new Job.Expected(NEVER), model.states(), null, List.of(), null, List.of(),
                List.of(), false, Job.Size.CI, null, null, null, null);
    }

    /** The condition of {@code Witness(7, "Name", condition)}: what stands before the parenthesis that closes it. */
    private static String condition(String module, String witness) {
        Matcher begins = Pattern.compile("Witness\\(\\d+, \"" + witness + "\",").matcher(module);
        if (!begins.find()) {
            return null;
        }
        int open = 1;
        int at = begins.end();
        for (; open > 0 && at < module.length(); at++) {
            open += module.charAt(at) == '(' ? 1 : module.charAt(at) == ')' ? -1 : 0;
        }
        return module.substring(begins.end(), at - 1).strip();
    }
}
