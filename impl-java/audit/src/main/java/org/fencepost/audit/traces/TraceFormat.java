package org.fencepost.audit.traces;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What the traces of one protocol tell, and what their trace spec asks about the events to come. An instance belongs to one trace, to
 * which it adds in {@link #lookAhead} the fields that its trace spec wants.
 */
public abstract class TraceFormat {
    private static final Map<String, Supplier<TraceFormat>> ALL = Map.ofEntries(Map.entry("OmidLL", OmidLLFormat::new),
            Map.entry("TMFailover", TMFailoverFormat::new), Map.entry("FastPath", FastPathFormat::new), Map.entry("Mediator", MediatorFormat::new),
            Map.entry("OmidTwoPhase", TwoPhaseFormat::new), Map.entry("Fragola", FragolaFormat::new), Map.entry("Checkpoints", CheckpointsFormat::new),
            Map.entry("IndexFence", IndexFenceFormat::new), Map.entry("OnePhase", OnePhaseFormat::new), Map.entry("PH1", PH1Format::new),
            Map.entry("OmidBaseline", OmidBaselineFormat::new));

    private final String protocol;
    private final List<String> sources;
    private final Map<String, String> account;

    /**
     * @param protocol also the name of the spec, of which {@code <protocol>Trace} is the trace spec
     * @param sources  the folders below impl-java in which the code of the actions is; none where it is somebody else's
     * @param account  the fields of each line of the account
     */
    TraceFormat(String protocol, List<String> sources, Map<String, String> account) {
        this.protocol = protocol;
        this.sources = sources;
        this.account = account;
    }

    /** Null where there is none. */
    static TraceFormat of(Object protocol) {
        return protocol instanceof String && ALL.containsKey(protocol) ? ALL.get(protocol).get() : null;
    }

    /** Those that there are trace specs for. */
    public static List<String> protocols() {
        return ALL.keySet().stream().sorted().toList();
    }

    /** Whether there is a trace spec of the protocol, for traces of what is built here: those of Apache Omid say nothing of our code. */
    public static boolean isOfOurCode(String protocol) {
        TraceFormat format = of(protocol);
        return format != null && !format.sources().isEmpty();
    }

    final String protocol() {
        return protocol;
    }

    /**
     * The files of the spec and the trace spec, below the folder of the specs, with those that they instantiate; each with what stands before its
     * operators where the trace spec uses them.
     */
    Map<String, String> modules() {
        Map<String, String> modules = new LinkedHashMap<>();
        modules.put(protocol() + ".tla", "");
        modules.put("traces/" + protocol() + "Trace.tla", "");
        return modules;
    }

    final List<String> sources() {
        return sources;
    }

    /** The fields of each action's event. */
    abstract Map<String, String> fields();

    final Map<String, String> account() {
        return account;
    }

    /** Takes from the header what else it tells of the run, and may add constants. Returns a sentence for one that is wrong, otherwise null. */
    String read(Map<String, Object> header) {
        return null;
    }

    /** What the header tells of each key, in fields that begin so. */
    static Map<String, Object> ofKeys(Map<String, Object> header, String prefix) {
        Map<String, Object> told = new TreeMap<>();
        header.keySet().stream().filter(name -> name.startsWith(prefix)).forEach(name -> told.put(name.substring(prefix.length()), header.get(name)));
        return told;
    }

    /** Why the header is of a run that the trace spec does not speak about; null if it may be. */
    String cannotBe(Map<String, Object> header) {
        return null;
    }

    /** Numbers in the header that are constants of the trace spec, so that only traces that agree in them are checked together. */
    List<String> constants() {
        return List.of();
    }

    /** What else traces must agree in to be checked together. */
    String alike() {
        return "";
    }

    /** Whether the model checker gets the numbers of this field as they are. */
    boolean isCounted(String field) {
        return true;
    }

    /** Whether an event may tell that nobody was answered. */
    boolean canBeLost(String action) {
        return false;
    }

    /** Puts the events into the order in which the spec takes them, and adds what their conditions are about. */
    abstract void lookAhead(RecordedTrace trace);

    /** The names of a kind that the trace speaks of: a set of the trace spec. */
    abstract Stream<?> names(String kind);

    /** A function of the trace spec: its values by transaction and key. */
    Map<List<Object>, Object> function(String name) {
        throw new UnsupportedOperationException(protocol() + "Trace asks for no function.");
    }

    /** Whether the trace, after its first so many events, tells such a thing about a transaction and a key. */
    boolean tells(int first, String what, long txn, String key) {
        throw new UnsupportedOperationException(protocol() + "Trace asks nothing.");
    }

    /** Why an event that does not fit is one that the spec does not speak about; null if it is not. */
    String unsupported(int event) {
        return null;
    }

    /** The operator of the trace spec that an event is held against. */
    String operator(Map<String, Object> event) {
        return "On" + event.get("action");
    }

    /** The spec's action that an event is about. */
    String action(String event) {
        return event;
    }

    /** Calls of actions that might have been possible instead, of t, k and other names. */
    abstract List<String> alternatives(Map<String, Object> event);

    /** The sets that these names are from. */
    Map<String, String> ranges(Map<String, Object> event) {
        return Map.of("t", "{e.txn} \\cap Txn", "k", "Key");
    }

    /** Whose alternatives they are, in words. */
    String whose(Map<String, Object> event) {
        return Long.valueOf(0).equals(event.get("txn")) ? "" : "for transaction " + event.get("txn");
    }
}
