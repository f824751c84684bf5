package org.fencepost.audit.models;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.TlaValue;

/**
 * A counterexample: the states of a behaviour, and for a liveness violation how it goes on for ever.
 *
 * @param backTo number of the state that follows the last one again and again; {@link #STUTTERS} where nothing happens any more;
 *     0 where the violation is in the last state
 */
public record Trace(List<State> states, int backTo) {
    static final int STUTTERS = -1;

    /**
     * @param number 1 for the initial state
     * @param action name of the action that led here, {@code Init} for the initial state
     */
    public record State(int number, String action, Map<String, TlaValue> variables) {}

    private static final Pattern HEAD = Pattern.compile("(\\d+): (?:<(Initial predicate)>|<(\\w+)[^>]*>)\\s*");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^/\\\\ (\\w+) = ");
    private static final Pattern ONLY_VARIABLE = Pattern.compile("^(\\w+) = ");

    /** Reads the body of TLC's message for one state of a trace, or returns null where it is none. */
    static State state(String body) {
        Matcher head = HEAD.matcher(body);
        if (!head.lookingAt()) {
            return null;
        }
        String action = head.group(2) != null ? "Init" : head.group(3);
        return new State(Integer.parseInt(head.group(1)), action, variables(body.substring(head.end())));
    }

    /** Reads {@code /\ x = 1} lines; a value that cannot be parsed is kept as it was printed. */
    static Map<String, TlaValue> variables(String text) {
        Map<String, TlaValue> variables = new LinkedHashMap<>();
        Matcher m = VARIABLE.matcher(text);
        boolean found = m.find();
        if (!found) {
            Matcher only = ONLY_VARIABLE.matcher(text);
            if (only.lookingAt()) {
                variables.put(only.group(1), value(text.substring(only.end())));
            }
        }
        while (found) {
            String name = m.group(1);
            int start = m.end();
            found = m.find();
            variables.put(name, value(text.substring(start, found ? m.start() : text.length())));
        }
        return variables;
    }

    private static TlaValue value(String text) {
        try {
            return TlaValue.parse(text);
        } catch (IllegalArgumentException e) {
            return new TlaValue.Atom(text.strip().replaceAll("\\s+", " "));
        }
    }
}
