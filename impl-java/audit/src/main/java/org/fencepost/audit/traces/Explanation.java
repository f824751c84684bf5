package org.fencepost.audit.traces;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Why an event does not fit: a module that prints, where a trace could not be matched any further, which conditions of the event's
 * action are false and which actions of the same transaction are enabled. The conditions are found in the text of the specs: the
 * conjuncts of the operator for the event, and of the actions that it names, as far as they do not speak about the next state.
 */
final class Explanation {
    private static final Pattern DEFINITION = Pattern.compile("(?ms)^(\\w+)(?:\\(([^)]*)\\))? ==(.*?)(?=\\n\\s*\\n|\\n[-=]{4}|\\n\\\\\\*)");
    private static final Pattern NAME = Pattern.compile("(?<![!\\w\"])[A-Z]\\w*");
    private static final Pattern CALL = Pattern.compile("([\\w!]+)(?:\\(([^()]*)\\))?");

    /** @param prefix of the names in the body */
    private record Definition(List<String> parameters, String body, String prefix) {}

    private final Map<String, Definition> definitions = new LinkedHashMap<>();
    /** The names that are defined behind each prefix. */
    private final Map<String, Set<String>> instances = new HashMap<>();
    private final List<String> conditions = new ArrayList<>();

    /**
     * Takes the definitions of a module.
     *
     * @param prefix what stands before them where they are used
     */
    void add(String text, String prefix) {
        Matcher m = DEFINITION.matcher(text + "\n\n");
        Map<String, Definition> added = new LinkedHashMap<>();
        while (m.find()) {
            List<String> parameters = m.group(2) == null ? List.of() : List.of(m.group(2).split("\\s*,\\s*"));
            added.put(m.group(1), new Definition(parameters, m.group(3), prefix));
        }
        instances.computeIfAbsent(prefix, p -> new HashSet<>()).addAll(added.keySet());
        added.forEach((name, definition) -> definitions.put(prefix + name, definition));
    }

    /** As it would be written where the trace spec is. */
    private String body(Definition definition) {
        return definition.prefix().isEmpty() ? definition.body() : NAME.matcher(definition.body()).replaceAll(
                m -> instances.get(definition.prefix()).contains(m.group()) ? definition.prefix() + m.group() : m.group());
    }

    /** What {@link #module} numbers, as it stands in the specs. */
    List<String> conditions() {
        return conditions;
    }

    /** A module that prints, for each state with so many events matched, FALSE-CONDITION with a number, and ENABLED with an action. */
    String module(String name, int matched, TraceFormat format, Map<String, Object> event) {
        StringBuilder out = new StringBuilder("---- MODULE " + name + " ----\nEXTENDS " + format.protocol() + "Trace, TLC\n");
        for (int i = 0; i < conditions.size(); i++) {
            out.append("Condition").append(i).append("(e) ==\n").append(conditions.get(i).indent(4)).append('\n');
        }
        out.append("Told(e) ==\n    /\\ PrintT(<<\"STATE\">>)\n");
        for (int i = 0; i < conditions.size(); i++) {
            out.append("    /\\ Condition").append(i).append("(e) \\/ PrintT(<<\"FALSE-CONDITION\", ").append(i).append(">>)\n");
        }
        for (String action : format.alternatives(event)) {
            String arguments = action.substring(action.indexOf('('));
            String over = format.ranges(event).entrySet().stream().filter(r -> arguments.matches(".*\\b" + r.getKey() + "\\b.*"))
                    .map(r -> r.getKey() + " \\in " + r.getValue()).sorted().collect(Collectors.joining(", "));
            out.append("    /\\ \\A ").append(over).append(" : ENABLED ").append(action).append(" => PrintT(<<\"ENABLED\", \"")
                    .append(action, 0, action.indexOf('(')).append("\">>)\n");
        }
        out.append("Explain ==\n    /\\ matched = ").append(matched).append(" => Told(Events[").append(matched + 1).append("])\n")
                .append("    /\\ matched <= ").append(matched).append("\n====\n");
        return out.toString();
    }

    /** Adds the conditions that a call of an operator stands for; a call without primes stands for itself. */
    void collect(String call) {
        Matcher m = CALL.matcher(call);
        Definition definition = m.matches() ? definitions.get(m.group(1)) : null;
        if (definition == null || !isAction(call, 0)) {
            if (!isAction(call, 0)) {
                conditions.add(call);
            }
            return;
        }
        String body = body(definition);
        List<String> arguments = m.group(2) == null ? List.of() : List.of(m.group(2).split("\\s*,\\s*"));
        for (int i = 0; i < arguments.size(); i++) {
            body = body.replaceAll("(?<![\\w.])" + definition.parameters().get(i) + "\\b(?!\\s*\\|->)", Matcher.quoteReplacement(arguments.get(i)));
        }
        Matcher let = Pattern.compile("(?s)\\s*(LET.*?\\n\\s*IN )(\\s*/\\\\.*)").matcher(body);
        String prefix = let.matches() ? let.group(1) : "";
        for (String conjunct : conjuncts(let.matches() ? " ".repeat(column(body)) + let.group(2) : body)) {
            if (!isAction(conjunct, 0)) {
                conditions.add((prefix + conjunct).strip());
            } else if (conjunct.contains("\\/") && !conjunct.contains("IF ")) {
                collect(conjunct.replaceFirst("^\\s*\\\\/", "").split("\\\\/")[0].strip());
            } else {
                collect(conjunct.strip());
            }
        }
    }

    /** Where the first conjunct behind IN begins. */
    private static int column(String body) {
        for (String line : body.split("\n")) {
            if (line.strip().startsWith("IN ")) {
                return line.indexOf("IN ") + 3;
            }
        }
        return 0;
    }

    /** The parts of a conjunction: a list with bullets in one column, or a line. */
    private static List<String> conjuncts(String body) {
        List<String> lines = body.lines().filter(l -> !l.isBlank()).toList();
        if (lines.isEmpty() || !lines.get(0).strip().startsWith("/\\")) {
            return body.contains("\n    ") && lines.size() > 1 ? List.of(body) : List.of(body.strip().split(" /\\\\ "));
        }
        int column = lines.get(0).indexOf("/\\");
        List<String> conjuncts = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(" ".repeat(column) + "/\\")) {
                conjuncts.add("  " + " ".repeat(column) + line.substring(column + 2));
            } else {
                conjuncts.set(conjuncts.size() - 1, conjuncts.get(conjuncts.size() - 1) + "\n" + line);
            }
        }
        return conjuncts.stream().flatMap(c -> c.contains("\n") || c.contains("\\/") || c.contains("=>") || c.contains(" : ")
                || c.contains("IF ") ? List.of(c.stripIndent().strip()).stream() : List.of(c.strip().split(" /\\\\ ")).stream()).toList();
    }

    /** Whether it speaks about the next state, itself or through an operator. */
    private boolean isAction(String text, int depth) {
        if (text.contains("'") || text.contains("UNCHANGED")) {
            return true;
        }
        Matcher word = Pattern.compile("(?<![!\\w])(?:\\w+!)?[A-Z]\\w*").matcher(text.replaceAll("\"[^\"]*\"", ""));
        while (depth < 6 && word.find()) {
            Definition used = definitions.get(word.group());
            if (used != null && isAction(body(used), depth + 1)) {
                return true;
            }
        }
        return false;
    }
}
