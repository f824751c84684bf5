package org.fencepost.audit.models;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.TlaValue;

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

    private static final Pattern EDGE = Pattern.compile("(-?\\d+) -> (-?\\d+) \\[label=\"(\\w*)\".*");
    private static final Pattern NODE = Pattern.compile("(-?\\d+) \\[label=\"(.*)\"(,style = filled)?\\];?");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^/\\\\ (\\w+) = ");

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
    static State state(String text, Map<String, TlaValue> known) {
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
