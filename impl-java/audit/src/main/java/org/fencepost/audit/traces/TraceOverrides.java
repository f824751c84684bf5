package org.fencepost.audit.traces;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tlc2.overrides.TLAPlusOperator;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.FcnRcdValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.RecordValue;
import tlc2.value.impl.SetEnumValue;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.TupleValue;
import tlc2.value.impl.Value;
import util.UniqueString;

/**
 * What the trace specs take from Java, within TLC's process: the recorded traces, which {@link TraceRun} has listed in a file, and a note
 * of how far each was matched, which goes into another file when the process ends. One worker only.
 */
public final class TraceOverrides {
    static final String TRACES = "fencepost.traces";
    static final String RESULTS = "fencepost.results";
    static final String LIMIT = "fencepost.limit";

    private static final int STATES_PER_TRACE = Integer.getInteger(LIMIT, 20_000);
    private static final int STATES_PER_EVENT = 20;
    private static final List<RecordedTrace> RECORDED = new ArrayList<>();
    private static Value traces;
    private static final Map<String, Value> NAMES = new HashMap<>();
    private static final Map<String, Value> FUNCTIONS = new HashMap<>();
    private static int[] reached;
    private static int[] states;

    private TraceOverrides() {}

    /** The traces, each a sequence of records. */
    @TLAPlusOperator(identifier = "Traces", module = "Recorded", warn = false)
    public static Value traces() throws IOException {
        if (traces == null) {
            for (String file : Files.readAllLines(Path.of(System.getProperty(TRACES)))) {
                RECORDED.add(RecordedTrace.read(Path.of(file)));
            }
            reached = new int[RECORDED.size()];
            states = new int[RECORDED.size()];
            traces = new TupleValue(RECORDED.stream().map(t -> tuple(t.events())).toArray(Value[]::new));
            traces.deepNormalize();
            Runtime.getRuntime().addShutdownHook(new Thread(TraceOverrides::writeResults));
        }
        return traces;
    }

    /** The names of a kind that one of them speaks of. */
    @TLAPlusOperator(identifier = "Names", module = "Recorded", warn = false)
    public static Value names(StringValue kind) throws IOException {
        traces();
        return NAMES.computeIfAbsent(kind.val.toString(), k -> set(RECORDED.stream().flatMap(t -> t.format().names(k)).distinct()));
    }

    /** What all headers tell. */
    @TLAPlusOperator(identifier = "Constant", module = "Recorded", warn = false)
    public static Value constant(StringValue name) throws IOException {
        traces();
        return value(RECORDED.get(0).header().get(name.val.toString()));
    }

    /** What they tell of a transaction and a key, the same wherever it is told. */
    @TLAPlusOperator(identifier = "Function", module = "Recorded", warn = false)
    public static Value function(StringValue name) throws IOException {
        traces();
        return FUNCTIONS.computeIfAbsent(name.val.toString(), n -> {
            Map<List<Object>, Object> all = new HashMap<>();
            RECORDED.forEach(t -> all.putAll(t.format().function(n)));
            return function(all);
        });
    }

    /** See {@link TraceFormat#tells}. */
    @TLAPlusOperator(identifier = "Tells", module = "Recorded", warn = false)
    public static Value tells(IntValue trace, IntValue events, StringValue what, IntValue txn, StringValue key) {
        return bool(RECORDED.get(trace.val - 1).format().tells(events.val, what.val.toString(), txn.val, key.val.toString()));
    }

    /** Notes that so many events of a trace are matched. FALSE if all are, or if the trace has had its share of the search. */
    @TLAPlusOperator(identifier = "Reached", module = "Recorded", warn = false)
    public static Value reached(IntValue trace, IntValue events) {
        int i = trace.val - 1;
        reached[i] = Math.max(reached[i], events.val);
        return bool(reached[i] < RECORDED.get(i).events().size() && ++states[i] < limit(i));
    }

    private static int limit(int trace) {
        return STATES_PER_TRACE + STATES_PER_EVENT * RECORDED.get(trace).events().size();
    }

    private static Value bool(boolean value) {
        return value ? BoolValue.ValTrue : BoolValue.ValFalse;
    }

    private static Value set(Stream<?> values) {
        Value set = new SetEnumValue(values.map(TraceOverrides::value).toArray(Value[]::new), false);
        set.deepNormalize();
        return set;
    }

    private static Value function(Map<List<Object>, Object> values) {
        Value[] domain = values.keySet().stream().map(pair -> new TupleValue(pair.stream().map(TraceOverrides::value).toArray(Value[]::new))).toArray(Value[]::new);
        Value function = new FcnRcdValue(domain, values.values().stream().map(TraceOverrides::value).toArray(Value[]::new), false);
        function.deepNormalize();
        return function;
    }

    private static Value tuple(List<Map<String, Object>> events) {
        return new TupleValue(events.stream().map(TraceOverrides::record).toArray(Value[]::new));
    }

    private static Value record(Map<?, ?> fields) {
        UniqueString[] names = fields.keySet().stream().map(name -> UniqueString.uniqueStringOf((String) name)).toArray(UniqueString[]::new);
        return new RecordValue(names, fields.values().stream().map(TraceOverrides::value).toArray(Value[]::new), false);
    }

    private static Value value(Object value) {
        return value instanceof Long number ? IntValue.gen(Math.toIntExact(number))
                : value instanceof Boolean flag ? bool(flag)
                : value instanceof Set<?> names ? set(names.stream())
                : value instanceof Map<?, ?> fields ? record(fields)
                : new StringValue((String) value);
    }

    /** One line for each trace: events matched, states searched, and whether that was its whole share. */
    private static void writeResults() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < reached.length; i++) {
            out.append(reached[i]).append(' ').append(states[i]).append(' ').append(states[i] >= limit(i)).append('\n');
        }
        try {
            Files.writeString(Path.of(System.getProperty(RESULTS)), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
