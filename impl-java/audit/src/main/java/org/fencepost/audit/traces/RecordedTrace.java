package org.fencepost.audit.traces;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Json;

/**
 * A trace as the protocol's NdjsonTracer writes it: a header, one flat JSON object per event, perhaps an account of how the run ended, and
 * an end marker that carries the number of lines between. Every event, and every line of the account, is held against the
 * {@link TraceFormat} of its protocol, so that the trace spec finds each field that it looks at.
 *
 * <p>What is wrong with a trace is found here or by TLC, and never skipped: {@link #flaw} for a trace that cannot be one of a whole run,
 * {@link #unsupported} for one that the spec does not speak about.
 */
final class RecordedTrace {
    static final long FORMAT = 1;

    /** TLC's integers have 32 bits. */
    static final long LARGEST = Integer.MAX_VALUE / 2;

    /** Fields that are neither whole numbers nor these are text. */
    private static final Set<String> TEXTS = Set.of("action", "account", "key", "keys", "row", "index", "told", "tm", "client", "cause", "found");
    private static final Set<String> FLAGS = Set.of("delete", "gone", "lost", "commits", "committed", "room", "stored");

    private final List<Map<String, Object>> events = new ArrayList<>();
    private final List<String> lines;
    private Map<String, Object> header = Map.of();
    private TraceFormat format;
    private int account = -1;
    /** How many lines there are between header and end marker. */
    private int count;
    private String flaw;
    private String unsupported;

    private RecordedTrace(List<String> lines) {
        this.lines = lines;
    }

    /** @throws AuditException where the file cannot be read */
    static RecordedTrace read(Path file) {
        try {
            RecordedTrace trace = new RecordedTrace(Files.readAllLines(file));
            trace.parse();
            trace.count = trace.events.size();
            if (trace.format != null) {
                trace.format.lookAhead(trace);
            }
            return trace;
        } catch (MalformedInputException e) {
            throw new AuditException("'" + file + "' is not a trace: it is not UTF-8 text.");
        } catch (IOException e) {
            throw new AuditException("Cannot read the trace '" + file + "': give a file that an NdjsonTracer has written.");
        }
    }

    /**
     * Events up to the first flaw, in the order in which the spec takes them, each with its action, the fields of that, line (its number in
     * the file, counted from 0) and what the format adds; then the lines of the account, each as an event whose action is what it is about.
     */
    List<Map<String, Object>> events() {
        return events;
    }

    /** What the file says about the run as a whole. */
    Map<String, Object> header() {
        return header;
    }

    /** Null where there is none for the protocol. */
    TraceFormat format() {
        return format;
    }

    /** How many events the file has. */
    int count() {
        return count;
    }

    /** How many of the file's events stand before this one of {@link #events}. */
    int number(int event) {
        return ((Long) events.get(event).get("line")).intValue() - 1;
    }

    /** The line of an event as it stands in the file. */
    String line(int event) {
        return lines.get(number(event) + 1);
    }

    /** Where the account begins, or -1. */
    int account() {
        return account;
    }

    /** Why this cannot be the trace of a whole run, or null. */
    String flaw() {
        return flaw;
    }

    /** What the spec does not know, or null. */
    String unsupported() {
        return unsupported;
    }

    /** Traces that agree in it can be checked together. */
    String constants() {
        Map<String, Object> values = new LinkedHashMap<>();
        format.constants().forEach(name -> values.put(name, header.get(name)));
        return format.protocol() + " " + values + format.alike();
    }

    /** For formats: what only a look at the whole trace shows. */
    void hasFlaw(String sentence) {
        if (flaw == null && unsupported == null) {
            flaw = sentence;
        }
    }

    /** The same for a trace that the trace spec does not speak about. */
    void isUnsupported(String sentence) {
        if (flaw == null && unsupported == null) {
            unsupported = sentence;
        }
    }

    private void parse() {
        Map<String, Object> first = lines.isEmpty() ? null : Json.flat(lines.get(0));
        if (first == null || !first.containsKey("protocol")) {
            flaw = "The first line is not the header of a trace.";
            return;
        }
        header = first;
        format = TraceFormat.of(header.get("protocol"));
        if (format == null || !Long.valueOf(FORMAT).equals(header.get("format"))) {
            unsupported = "The trace is of protocol " + header.get("protocol") + " in format " + header.get("format")
                    + ", and there are trace specs for " + String.join(", ", TraceFormat.protocols()) + " in format " + FORMAT + " only.";
            format = null;
            return;
        }
        flaw = format.read(header);
        unsupported = flaw == null ? format.cannotBe(header) : null;
        for (String constant : flaw == null ? format.constants() : List.<String>of()) {
            if (!(header.get(constant) instanceof Long value && value >= 0 && value <= LARGEST)) {
                flaw = "The header of a trace of " + format.protocol() + " tells " + constant + ", and this one does not.";
            }
        }
        if (flaw != null || unsupported != null) {
            return;
        }
        for (int i = 1; i < lines.size(); i++) {
            Map<String, Object> object = Json.flat(lines.get(i));
            if (object == null) {
                flaw = "Line " + (i + 1) + " is no event: " + lines.get(i);
            } else if (object.containsKey("end")) {
                end(i, object);
                return;
            } else {
                event(i, object);
            }
            if (flaw != null || unsupported != null) {
                return;
            }
        }
        flaw = "The trace is truncated: it has no end marker after line " + lines.size() + ".";
    }

    private void end(int i, Map<String, Object> marker) {
        if (i + 1 < lines.size()) {
            flaw = "The trace goes on after its end marker in line " + (i + 1) + ".";
        } else if (!marker.equals(Map.of("end", true, "events", (long) events.size()))) {
            flaw = "The end marker tells of " + marker.get("events") + " events, and there are " + events.size() + ".";
        }
    }

    private void event(int i, Map<String, Object> event) {
        String where = "Line " + (i + 1) + ": ";
        boolean accounts = event.get("account") instanceof String about && format.account().containsKey(about);
        if (!accounts && !(event.get("action") instanceof String action && format.fields().containsKey(action))) {
            unsupported = where + "the spec has no action " + event.get("action") + ".";
            return;
        }
        String name = (String) event.get(accounts ? "account" : "action");
        Set<String> expected = new TreeSet<>(List.of((accounts ? format.account() : format.fields()).get(name).split(" ")));
        if (!accounts && Boolean.TRUE.equals(event.get("lost")) && format.canBeLost(name)) {
            expected.remove("previous");
            expected.add("lost");
        }
        expected.add(accounts ? "account" : "action");
        if (!expected.equals(event.keySet())) {
            flaw = where + "an event of " + name + " has the fields " + expected + ", and this one has " + new TreeSet<>(event.keySet()) + ".";
            return;
        }
        if (accounts && account < 0) {
            account = events.size();
        } else if (!accounts && account >= 0) {
            flaw = where + "an event stands after the account of how the run ended.";
            return;
        }
        for (Map.Entry<String, Object> field : event.entrySet()) {
            if (!canBe(name, field.getKey(), field.getValue())) {
                flaw = where + "the field " + field.getKey() + " cannot be " + field.getValue() + ".";
                return;
            }
            if (field.getValue() instanceof Long number && Math.abs(number) > LARGEST && format.isCounted(field.getKey())) {
                unsupported = where + "the model checker does not count as far as " + number + ".";
                return;
            }
        }
        event.put("action", name);
        event.put("line", (long) i);
        events.add(event);
    }

    /**
     * A transaction is none of the numbers that stand for none, except where a reader or a build met nothing. A commit may name no keys, and a row
     * that is not there has no index key.
     */
    private static boolean canBe(String action, String field, Object value) {
        if (TEXTS.contains(field)) {
            return value instanceof String text && (!text.isEmpty() || field.equals("keys") || field.equals("index"));
        }
        return FLAGS.contains(field) ? value instanceof Boolean
                : value instanceof Long number && (number > 0 || !field.equals("txn") && !field.equals("watermark")
                        && !(field.equals("met") && !action.equals("GetRecord") && !action.equals("Populate")));
    }
}
