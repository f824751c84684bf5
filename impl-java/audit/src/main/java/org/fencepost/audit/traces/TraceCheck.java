package org.fencepost.audit.traces;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Json;
import org.fencepost.audit.text.JavaSources;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.Tlc;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Checks recorded traces: is what the code did a behaviour of the spec?
 *
 * <p>First the file: header, end marker and number of events, and for each event the fields of its action. Then TLC, which matches event
 * after event by the trace spec that the header chooses. If it gets to the end of the trace, the trace is accepted; the number of events matched is
 * compared with the trace's own count. If not, TLC runs once more and tells, where it got stuck, which condition of the event is false and what the
 * spec allows instead.
 */
@Command(name = "trace-check", sortOptions = false, usageHelpWidth = 110,
        description = "Checks recorded traces (NDJSON) against the spec.",
        footer = {"", "Exit code: 0 all accepted; 1 one rejected; 3 one unsupported; 4 one unknown (the worst one counts: 1, 4, 3);",
                "2 nothing could be run."})
public final class TraceCheck implements Callable<Integer> {
    static final int REJECTED = 1;
    static final int UNSUPPORTED = 3;
    static final int UNKNOWN = 4;
    private static final int SECONDS = 600;

    /** What became of a trace. */
    public enum Kind { ACCEPTED, REJECTED, UNSUPPORTED, UNKNOWN }

    /**
     * @param event   number of the first event that does not fit, counted from 0; -1 where there is none
     * @param message a sentence
     */
    public record Outcome(Kind kind, int event, String message) {}

    @Parameters(paramLabel = "<trace>", arity = "1..*",
            description = "files that an NdjsonTracer has written; a folder with those of transaction managers (fencepost tm --trace) is one trace")
    private List<Path> files;

    @Option(names = "--specs", paramLabel = "<folder>", defaultValue = "specs", description = "the specs (default: ${DEFAULT-VALUE})")
    private Path specs;

    @Option(names = "--sources", paramLabel = "<folder>", defaultValue = "impl-java",
            description = "Java sources, to tell which method logged an event (default: ${DEFAULT-VALUE})")
    private Path sources;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/trace-check", description = "TLC's log (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--tlc", paramLabel = "<jar>", defaultValue = "${env:TLA2TOOLS}", description = "another TLC than the pinned one")
    private String tlcJar;

    @Option(names = "--timeout", paramLabel = "<seconds>", defaultValue = "600", description = "limit of each run (default: ${DEFAULT-VALUE})")
    private int timeout;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console;

    TraceCheck(PrintStream console) {
        this.console = console;
    }

    public static void main(String[] args) {
        System.exit(run(args, new PrintStream(System.out, true, StandardCharsets.UTF_8), System.err));
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new TraceCheck(out), args, out, err, "Cannot run the model checker");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Files.isRegularFile(specs.resolve("traces").resolve("Recorded.tla"))) {
            throw new AuditException("No trace spec in '" + specs.resolve("traces") + "': give the folder of the specs with --specs.");
        }
        Tlc tlc = Tlc.ofOption(tlcJar);
        TraceRun run = new TraceRun(specs, out, tlc, timeout);
        List<ManagerTraces.Merged> traces = new ArrayList<>();
        for (Path file : files) {
            traces.add(Files.isDirectory(file) ? ManagerTraces.merge(ManagerTraces.in(file), out.resolve("merged-" + traces.size()))
                    : new ManagerTraces.Merged(file, 0, null));
        }
        Iterator<Outcome> checked = check(traces.stream().filter(t -> t.problem() == null).map(ManagerTraces.Merged::file).toList(), run).iterator();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            ManagerTraces.Merged trace = traces.get(i);
            Outcome outcome = trace.problem() == null ? trace.outcome(checked.next()) : trace.problem();
            outcomes.add(outcome);
            console.println(files.get(i) + ": " + outcome.kind().name().toLowerCase() + ". " + outcome.message());
            if (outcome.kind() == Kind.REJECTED && outcome.event() >= 0) {
                explain(trace.file(), outcome.event(), run);
            }
        }
        Set<Kind> kinds = new LinkedHashSet<>(outcomes.stream().map(Outcome::kind).toList());
        return kinds.contains(Kind.REJECTED) ? REJECTED : kinds.contains(Kind.UNKNOWN) ? UNKNOWN
                : kinds.contains(Kind.UNSUPPORTED) ? UNSUPPORTED : 0;
    }

    /**
     * The outcomes, in the order of the files. Throws {@link AuditException} where a file cannot be read.
     *
     * @param specs  the folder of the specs
     * @param folder for TLC's log and whatever it writes; one run at a time
     */
    public static List<Outcome> check(List<Path> files, Path specs, Path folder) throws IOException, InterruptedException {
        return check(files, specs, folder, null);
    }

    /**
     * The same.
     *
     * @param tlc another TLC's jar; null for the pinned one, beside this module's classes
     */
    public static List<Outcome> check(List<Path> files, Path specs, Path folder, Path tlc) throws IOException, InterruptedException {
        return check(files, new TraceRun(specs, folder, Tlc.locate(tlc), SECONDS));
    }

    /** The outcomes, in the order of the files. TLC is run once for all that have the same constants. */
    static List<Outcome> check(List<Path> files, TraceRun run) throws IOException, InterruptedException {
        List<RecordedTrace> traces = files.stream().map(RecordedTrace::read).toList();
        Outcome[] outcomes = new Outcome[files.size()];
        Map<String, List<Integer>> together = new TreeMap<>();
        for (int i = 0; i < files.size(); i++) {
            RecordedTrace trace = traces.get(i);
            if (trace.unsupported() == null && !trace.events().isEmpty()) {
                together.computeIfAbsent(trace.constants(), c -> new ArrayList<>()).add(i);
            } else {
                outcomes[i] = outcome(trace, new TraceRun.Match(0, true));
            }
        }
        for (List<Integer> group : together.values()) {
            List<TraceRun.Match> matches = run.match(traces.get(group.get(0)).format().protocol(), group.stream().map(files::get).toList());
            for (int n = 0; n < group.size(); n++) {
                outcomes[group.get(n)] = matches != null ? outcome(traces.get(group.get(n)), matches.get(n))
                        : new Outcome(Kind.UNKNOWN, -1, "TLC did not come to its end; its log is in " + run.log() + ".");
            }
        }
        return List.of(outcomes);
    }

    private static Outcome outcome(RecordedTrace trace, TraceRun.Match match) {
        if (trace.unsupported() != null) {
            return new Outcome(Kind.UNSUPPORTED, -1, trace.unsupported());
        }
        int all = trace.events().size();
        int event = match.events();
        if (event < all && !match.complete()) {
            return new Outcome(Kind.UNKNOWN, -1, "The search was given up after " + trace.number(event) + " of " + trace.count() + " events.");
        } else if (event < all) {
            String unsupported = trace.format().unsupported(event);
            return new Outcome(unsupported == null ? Kind.REJECTED : Kind.UNSUPPORTED, event, "Event " + (trace.number(event) + 1) + " of "
                    + trace.count() + " " + (unsupported == null ? "does not fit" : unsupported) + ": " + trace.line(event));
        } else if (trace.flaw() != null) {
            return new Outcome(Kind.REJECTED, -1, trace.flaw());
        }
        return new Outcome(Kind.ACCEPTED, -1, "All " + trace.count() + " events are those of a behaviour of " + trace.format().protocol() + ".");
    }

    // ---- why an event does not fit

    private void explain(Path file, int number, TraceRun run) throws IOException, InterruptedException {
        RecordedTrace trace = RecordedTrace.read(file);
        TraceFormat format = trace.format();
        Map<String, Object> event = trace.events().get(number);
        String action = format.action((String) event.get("action"));
        Explanation explanation = new Explanation();
        for (Map.Entry<String, String> module : format.modules().entrySet()) {
            explanation.add(Files.readString(specs.resolve(module.getKey())), module.getValue());
        }
        explanation.collect(format.operator(event) + "(e)");
        List<String> printed = run.print(format.protocol(), file, "Explain", explanation.module("Explain", number, format, event));
        State nearest = nearest(printed);
        for (int condition : nearest.falseConditions) {
            console.println("  false     " + explanation.conditions().get(condition).replaceAll("\\s+", " "));
        }
        if (nearest.falseConditions.isEmpty()) {
            console.println("  false     no single condition: the steps before it exclude each other, or what it is about never was");
        }
        console.println("  possible  " + (nearest.enabled.isEmpty() ? "nothing" : String.join(", ", nearest.enabled)) + " " + format.whose(event));
        Object logged = Json.flat(trace.line(number)).get("action");
        if (logged == null) {
            return; // a line of the account: nobody's step
        }
        format.sources().stream().map(sources::resolve).flatMap(root -> Stream.ofNullable(JavaSources.locate(root, format.action((String) logged)))
                .map(root::resolve)).findFirst().ifPresent(java -> console.println("  code      " + java));
        String spec = format.protocol() + ".tla";
        SpecText text = new SpecText();
        text.add(format.protocol(), Files.readString(specs.resolve(spec)));
        text.operator(action).ifPresent(d -> console.println("  spec      " + specs.resolve(spec) + ":" + d.line() + " " + action
                + (d.source().isEmpty() ? "" : " (" + d.source() + ")")));
    }

    private record State(Set<Integer> falseConditions, Set<String> enabled) {}

    /** Of the states in which the search ended, the one in which the fewest conditions are false. */
    private static State nearest(List<String> printed) {
        Pattern line = Pattern.compile("<<\"(STATE|FALSE-CONDITION|ENABLED)\"(?:, (\\d+)|, \"(\\w+)\")?>>");
        List<State> states = new ArrayList<>();
        for (String l : printed) {
            Matcher m = line.matcher(l);
            if (!m.matches()) {
                continue;
            } else if (m.group(1).equals("STATE")) {
                states.add(new State(new LinkedHashSet<>(), new LinkedHashSet<>()));
            } else if (m.group(2) != null) {
                states.get(states.size() - 1).falseConditions.add(Integer.parseInt(m.group(2)));
            } else {
                states.get(states.size() - 1).enabled.add(m.group(3));
            }
        }
        return states.stream().filter(s -> !s.falseConditions.isEmpty())
                .min((a, b) -> Integer.compare(a.falseConditions.size(), b.falseConditions.size()))
                .orElse(states.isEmpty() ? new State(Set.of(), Set.of()) : states.get(0));
    }
}
