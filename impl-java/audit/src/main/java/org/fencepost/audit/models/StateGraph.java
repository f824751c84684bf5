package org.fencepost.audit.models;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.audit.text.Tlc;

/**
 * The reachable states of a model and all steps between them, as TLC dumps them (-dump dot,actionlabels). States are numbered from 0 in
 * the order of the search.
 *
 * @param name of the model
 * @param constants of the model, see {@link #constants}
 * @param initial the states in which a behaviour begins
 */
public record StateGraph(String name, Map<String, String> constants, List<State> states, List<Integer> initial, List<Edge> edges) {
    /** The variables and their values. */
    public record State(Map<String, TlaValue> variables) {
        public TlaValue get(String variable) {
            return variables.get(variable);
        }
    }

    /** @param action the name that TLC gives the step; a model's override has its own */
    public record Edge(int from, int to, String action) {}

    private static final String FILE = "graph.dot";
    private static final int HEAP_MIB = 2048;
    private static final int TIMEOUT_SECONDS = 3600;
    private static final Pattern EDGE = Pattern.compile("(-?\\d+) -> (-?\\d+) \\[label=\"(\\w*)\".*");
    private static final Pattern NODE = Pattern.compile("(-?\\d+) \\[label=\"(.*)\"(,style = filled)?\\];?");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^/\\\\ (\\w+) = ");

    /**
     * The models whose state graphs are replayed in the code, each with the share of its steps that must be taken there, in percent: the
     * field {@code replay} of their headers.
     */
    public static Map<String, Long> replayed(Path specs, String spec) throws IOException {
        Map<String, Long> goals = new TreeMap<>();
        for (Job job : Suite.load(specs).jobs()) {
            if (job.spec().equals(spec) && !job.isMutant()) {
                Long goal = Header.read(Files.readString(job.file()), Header.MODEL_FIELDS).count("replay");
                if (goal != null) {
                    goals.put(job.name(), goal);
                }
            }
        }
        return goals;
    }

    /**
     * Runs TLC on a model, which must have as many states as its header says; its properties are not checked.
     *
     * @param specs the folder of the specs
     * @param spec the spec's name, such as {@code OmidLL}
     * @param model the model's, without ending
     * @param folder for TLC's files, which are overwritten; the dump stays there
     * @throws AuditException where there is no such model, or TLC's verdict is not the expected one
     */
    public static StateGraph of(Path specs, String spec, String model, Path folder) throws IOException {
        Suite suite = Suite.load(specs);
        Job job = job(suite, spec, model);
        if (!job.pinned()) {
            throw new AuditException("The model '" + model + "' of " + spec + " must violate something, so TLC would not come to all of its states.");
        }
        Result result = run(suite, job.unchecked(), folder, List.of("-dump", "dot,actionlabels", FILE));
        if (result.verdict().kind() != Verdict.Kind.PASS) {
            throw failed(result);
        }
        return read(model, folder.resolve(FILE));
    }

    /**
     * Behaviours that TLC has drawn at random from a model (-simulate), each from an initial state on; its properties must hold in them. TLC does
     * not name their steps.
     *
     * @param seed the same seed gives the same behaviours
     * @param depth states of each at most
     */
    public static List<List<State>> simulate(Path specs, String spec, String model, Path folder, long seed, int number, int depth)
            throws IOException {
        Suite suite = Suite.load(specs);
        Result result = run(suite, job(suite, spec, model), folder, List.of("-simulate", "file=" + folder.toAbsolutePath().resolve("behaviour") + ",num=" + number,
                "-depth", Integer.toString(depth), "-seed", Long.toString(seed)));
        if (result.exit() != 0) { // who draws has seen no whole graph, and gives no verdict of it
            throw failed(result);
        }
        List<List<State>> behaviours = new ArrayList<>();
        Map<String, TlaValue> known = new HashMap<>();
        for (int i = 0; i < number; i++) {
            Path file = folder.resolve("behaviour_0_" + i);
            List<State> behaviour = new ArrayList<>();
            for (String state : Files.readString(file).split("STATE_\\d+ ==")) {
                if (state.contains("/\\ ")) {
                    behaviour.add(state(state.replaceAll("(?m)^==+$", ""), known));
                }
            }
            Files.delete(file);
            behaviours.add(behaviour);
        }
        return behaviours;
    }

    private static Job job(Suite suite, String spec, String model) {
        Job job = suite.jobs().stream().filter(j -> j.spec().equals(spec) && j.name().equals(model) && !j.isMutant()).findFirst()
                .orElseThrow(() -> new AuditException("There is no model '" + model + "' of " + spec + "."));
        if (job.problem() != null) {
            throw new AuditException("The model '" + model + "' of " + spec + " cannot run: " + job.problem() + ".");
        }
        return job;
    }

    private static Result run(Suite suite, Job job, Path folder, List<String> options) {
        return new TlcRun(job, Tlc.locate(null), suite.library(job.spec()), folder.toAbsolutePath(), new TlcRun.Resources(1, HEAP_MIB, TIMEOUT_SECONDS), options,
                null).run();
    }

    private static AuditException failed(Result result) {
        Verdict verdict = result.verdict();
        return new AuditException("TLC on the model '" + result.job().name() + "': " + verdict + (verdict.message() == null ? "" : ", " + verdict.message())
                + "; its log is in " + result.folder() + ".");
    }

    /** What the constants of a model are, but for those that just stand for themselves, from the folder with TLC's files. */
    public static Map<String, String> constants(String model, Path folder) throws IOException {
        return Config.parse(Files.readString(folder.resolve(model + ".cfg"))).constants();
    }

    /** Reads a dump, from the folder with TLC's files. */
    public static StateGraph read(String name, Path dump) throws IOException {
        StateGraph graph = new StateGraph(name, constants(name, dump.toAbsolutePath().getParent()), new ArrayList<>(), new ArrayList<>(),
                new ArrayList<>());
        Map<String, Integer> numbers = new HashMap<>();
        Map<String, TlaValue> known = new HashMap<>();
        List<String[]> edges = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(dump)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Matcher edge = EDGE.matcher(line);
                Matcher node = NODE.matcher(line);
                if (edge.matches()) {
                    edges.add(new String[] {edge.group(1), edge.group(2), edge.group(3)});
                } else if (node.matches() && !numbers.containsKey(node.group(1))) {
                    numbers.put(node.group(1), graph.states.size());
                    if (node.group(3) != null) {
                        graph.initial.add(graph.states.size());
                    }
                    graph.states.add(state(node.group(2).replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"), known));
                }
            }
        }
        edges.forEach(e -> graph.edges.add(new Edge(numbers.get(e[0]), numbers.get(e[1]), e[2])));
        return graph;
    }

    /** Most values occur in many states: each is kept once. */
    private static State state(String text, Map<String, TlaValue> known) {
        Map<String, TlaValue> variables = new HashMap<>();
        Matcher m = VARIABLE.matcher(text);
        boolean found = m.find();
        while (found) {
            String variable = m.group(1);
            int start = m.end();
            found = m.find();
            String value = text.substring(start, found ? m.start() : text.length()).strip();
            variables.put(variable, known.computeIfAbsent(value, TlaValue::parse));
        }
        return new State(variables);
    }
}
