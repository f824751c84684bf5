package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads TLC's output in {@code -tool} mode line by line. There every message stands between {@code @!@!@STARTMSG code:severity} and
 * {@code @!@!@ENDMSG}; what stands outside is the parser's own text and what the model prints. Codes were taken from runs of 2.18.
 *
 * <p>Written by the thread that reads the process, read by the one that shows progress: every method is synchronized.
 */
public final class TlcOutput {
    private static final Pattern START = Pattern.compile("@!@!@STARTMSG (\\d+):(\\d) @!@!@");
    private static final Pattern END = Pattern.compile("@!@!@ENDMSG (\\d+) @!@!@");
    private static final Pattern WITNESS = Pattern.compile("\"?WITNESS ([^\"]*)\"?\\s*");
    private static final Pattern COUNTS = Pattern.compile(
            "([\\d,]+) states generated[^,]*(?:\\([^)]*\\))?, ([\\d,]+) distinct states found.*?, ([\\d,]+) states left on queue");
    private static final Pattern DEPTH = Pattern.compile("search is (\\d+)");
    private static final Pattern VIOLATED = Pattern.compile("(?:Invariant|Action property|Temporal property|Property) (\\w+) is violated");
    private static final Pattern ACTION = Pattern.compile("<(\\w+) [^>]*>: ([\\d,]+):([\\d,]+)");
    private static final Pattern BACK_TO = Pattern.compile("(\\d+): Back to state");
    private static final Pattern VERSION = Pattern.compile("Version (\\S+.*)");
    private static final int SEVERITY_ERROR = 1;
    private static final int UNNAMED_LIMIT = 400;

    private int code = -1;
    private int severity;
    private final StringBuilder body = new StringBuilder();

    private String version;
    private String error;
    private final List<String> parserText = new ArrayList<>();
    private String violated;
    private boolean temporalViolated;
    private boolean noError;
    private boolean finished;
    private boolean unsoundSymmetry;
    private long generated;
    private long distinct;
    private long queued;
    private boolean finalCounts;
    private int depth;
    private final Set<String> witnesses = new TreeSet<>();
    private final Map<String, Long> taken = new LinkedHashMap<>();
    private final Map<String, Long> discovered = new LinkedHashMap<>();
    private final List<Trace.State> states = new ArrayList<>();
    private int backTo;

    /** Takes one line; false for a witness printed before, which need not be kept in the log either. */
    synchronized boolean line(String line) {
        Matcher witness = WITNESS.matcher(line);
        if (witness.matches()) { // several workers may print one into another's message
            return witnesses.add(witness.group(1).strip());
        }
        Matcher start = START.matcher(line);
        Matcher end = END.matcher(line);
        if (start.matches()) {
            code = Integer.parseInt(start.group(1));
            severity = Integer.parseInt(start.group(2));
            body.setLength(0);
        } else if (end.matches()) {
            message(body.toString().strip());
            code = -1;
        } else if (code >= 0) {
            body.append(line).append('\n');
        } else if (parserText.size() < UNNAMED_LIMIT && !line.matches("Parsing file .*|Semantic processing .*|\\s*")) {
            parserText.add(line.strip());
        }
        return true;
    }

    private void message(String text) {
        switch (code) {
            case 2262 -> version = find(VERSION, text);
            case 2200, 2199 -> counts(text);
            case 2194 -> depth = Integer.parseInt(find(DEPTH, text));
            case 2193 -> noError = true;
            case 2186 -> finished = true;
            case 2279 -> unsoundSymmetry = true;
            case 2107, 2108 -> initialViolation(text);
            case 2110, 2111, 2112, 2113 -> {
                violated = find(VIOLATED, text);
                temporalViolated = violated == null; // of a specification that is a property, only the line is told
            }
            case 2114 -> violated = "Deadlock";
            case 2116 -> temporalViolated = true;
            case 2217 -> addState(Trace.state(text));
            case 2218 -> backTo = Trace.STUTTERS;
            case 2122 -> backTo = Integer.parseInt(find(BACK_TO, text));
            case 2201 -> { // a new report; the last one counts
                taken.clear();
                discovered.clear();
            }
            case 2772 -> coverage(text);
            default -> {}
        }
        if (severity == SEVERITY_ERROR && error == null) {
            error = text;
        }
    }

    private void initialViolation(String text) {
        violated = find(VIOLATED, text);
        int colon = text.indexOf(":\n");
        if (colon >= 0) {
            addState(new Trace.State(1, "Init", Trace.variables(text.substring(colon + 2))));
        }
    }

    private void addState(Trace.State state) {
        if (state != null) {
            states.add(state);
        }
    }

    private void counts(String text) {
        Matcher m = COUNTS.matcher(text);
        if (m.find()) {
            generated = number(m.group(1));
            distinct = number(m.group(2));
            queued = number(m.group(3));
            finalCounts |= code == 2199;
        }
    }

    /** An operator may stand in Next more than once, and is then reported once for each. */
    private void coverage(String text) {
        Matcher m = ACTION.matcher(text);
        if (m.find()) {
            discovered.merge(m.group(1), number(m.group(2)), Long::sum);
            taken.merge(m.group(1), number(m.group(3)), Long::sum);
        }
    }

    private static String find(Pattern pattern, String text) {
        Matcher m = pattern.matcher(text);
        return m.find() ? m.group(1) : null;
    }

    private static long number(String digits) {
        return Long.parseLong(digits.replace(",", ""));
    }

    /** Such as {@code 2.18 of 20 March 2023}; null while unknown. */
    public synchronized String version() {
        return version;
    }

    /** One line for people out of TLC's first error message, or null where it printed none. */
    public synchronized String error() {
        String parser = parserError();
        if (error == null || error.startsWith("Parsing or semantic analysis failed")) {
            return parser != null ? parser : error;
        }
        return error.replaceAll("(?s)TLC threw an unexpected exception.*?The exception was an? ", "").replaceAll("\\s+", " ").strip();
    }

    /** SANY prints its errors below a line of stars; the two lines after it say what and where. */
    private String parserError() {
        for (int i = 0; i < parserText.size(); i++) {
            if (parserText.get(i).startsWith("***") && i + 1 < parserText.size()) {
                return String.join(" ", parserText.subList(i + 1, Math.min(i + 3, parserText.size())));
            }
        }
        return null;
    }

    /** What was printed outside of any message, such as the JVM's own complaints. */
    synchronized List<String> unframed() {
        return List.copyOf(parserText);
    }

    /** The violated property, {@code Deadlock}, or null; TLC 2.18 does not name a temporal property. */
    synchronized String violated() {
        return violated;
    }

    synchronized boolean temporalViolated() {
        return temporalViolated;
    }

    /** Whether TLC said that it searched everything, found no error, counted what it found, and came to its end. */
    synchronized boolean completed() {
        return noError && finalCounts && queued == 0 && finished;
    }

    /** Symmetry together with a liveness property: TLC may miss violations. */
    synchronized boolean unsoundSymmetry() {
        return unsoundSymmetry;
    }

    synchronized long generated() {
        return generated;
    }

    public synchronized long distinct() {
        return distinct;
    }

    public synchronized int depth() {
        return depth;
    }

    public synchronized Set<String> witnesses() {
        return new TreeSet<>(witnesses);
    }

    /**
     * How often each action was taken; empty where coverage was not asked for. TLC counts a step before it looks at the constraints, which
     * may forbid it: where there are any, only the steps are sure that led to a new state.
     */
    synchronized Map<String, Long> taken(boolean constrained) {
        return new LinkedHashMap<>(constrained ? discovered : taken);
    }

    /** The counterexample, or null. */
    public synchronized Trace trace() {
        return states.isEmpty() ? null : new Trace(List.copyOf(states), backTo);
    }
}
