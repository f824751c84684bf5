package org.fencepost.audit.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the prose of the TLA+ modules says, found by their layout and not by parsing: a definition's comment is the block of comment lines
 * directly above it. From it come a variable's lane ({@code Lane: client}), an action's place in the paper, whether an operator is a
 * guard ({@code \* Guard ...}), and what breaks for a user when a property fails.
 */
public final class SpecText {
    /** An operator or variable with the comment above it, line by line, without type annotations. */
    public record Definition(String module, String name, int line, String comment) {
        public boolean isGuard() {
            return comment.startsWith("Guard");
        }

        /** The part of the paper that the comment cites, e.g. {@code VLDB'18 Alg. 3, Commit}; else the first clause; else empty. */
        public String source() {
            return citation().isEmpty() ? sentences(1).replaceAll("[:;].*", "") : citation();
        }

        /** The same, but empty where the comment cites nothing. */
        public String citation() {
            Matcher cited = CITATION.matcher(comment);
            return cited.find() ? cited.group().strip().replaceAll("[,:.]$", "") : "";
        }

        /** The first sentences of the comment, without tags, and without citations that stand behind a sentence. */
        public String sentences(int count) {
            String prose = comment.replaceAll("(?<=\\.)\\s+" + CITATION.pattern() + "\\.?", "").replaceAll(LANE.pattern(), "")
                    .replaceAll("\\s+", " ").strip();
            Matcher end = SENTENCE_END.matcher(prose);
            int stop = prose.length();
            for (int i = 0; i < count && end.find(); i++) {
                stop = end.start() + 1;
            }
            return prose.substring(0, stop);
        }
    }

    private static final Pattern OPERATOR = Pattern.compile("^(?:LOCAL\\s+)?(\\w+)(?:\\([^)]*\\)|\\[[^\\]]*\\])?\\s*==.*");
    private static final Pattern VARIABLE = Pattern.compile("^\\s*VARIABLES?\\b(.*)");
    private static final Pattern UNITS = Pattern.compile("^\\s*(?:(?:LOCAL\\s+)?INSTANCE|EXTENDS|\\w+(?:\\([^)]*\\))?\\s*==\\s*INSTANCE)\\b(.*)");
    private static final Pattern TEMPORAL = Pattern.compile("\\[\\]|<>|~>|\\b[WS]F_|!Spec\\b");
    /** That a step is possible says something of this state alone. */
    private static final Pattern POSSIBLE = Pattern.compile("\\bENABLED\\s+\\w+(?:\\([^)]*\\))?");
    private static final Pattern NEXT_VALUE = Pattern.compile("\\w'|[)\\]]'|\\bUNCHANGED\\b");
    private static final Pattern INSTANCE = Pattern.compile("^INSTANCE\\s+(\\w+)");
    private static final Pattern WORD = Pattern.compile("(\\w+)(?:!(\\w+))?");
    private static final Pattern LANE = Pattern.compile("\\bLane: *(\\w+)");
    /** A stop ends a citation or sentence unless it stands after one of the usual abbreviations or within a number. */
    private static final String STOP = "(?<!\\b(?:[Aa]lg|[Ss]ec|[Ff]ig|[Dd]ef|No|vs|cf|pp|e\\.g|i\\.e))\\.(?=\\s|$)";
    private static final Pattern SENTENCE_END = Pattern.compile(STOP);
    private static final Pattern CITATION = Pattern.compile(
            "(?:\\b(?:VLDB|SYSTOR|SOCC|SoCC)'\\d\\d|\\bFragola\\b|\\bpH1\\b|\\bAlg\\. *\\d|§ *\\d)(?:(?!" + STOP + "|  )[^;()\\n])*");

    private final Map<String, Definition> operators = new LinkedHashMap<>();
    private final Map<String, Definition> variables = new LinkedHashMap<>();
    /** For each module, what it defines: modules may use a name each for something of its own. */
    private final Map<String, Map<String, String>> bodies = new LinkedHashMap<>();
    private final Map<String, StringBuilder> sources = new LinkedHashMap<>();
    private final Map<String, TreeSet<String>> uses = new LinkedHashMap<>();

    /**
     * Adds a module, once; who asks for a name alone gets the first definition that was added. A variable without a lane has that of a module
     * added later: a spec that instantiates another one declares its variables again, and does not describe them again.
     */
    public void add(String module, String text) {
        if (uses.containsKey(module)) {
            return;
        }
        uses.put(module, new TreeSet<>());
        Map<String, String> own = new LinkedHashMap<>();
        bodies.put(module, own);
        List<String> comment = new ArrayList<>();
        boolean inBlock = false;
        boolean inVariables = false;
        String open = null; // the operator whose definition goes on
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String bare = line.strip();
            if (inBlock || bare.startsWith("(*")) {
                inBlock = !bare.contains("*)");
                comment.add(bare.replaceAll("^\\(\\*+|\\*+\\)$", "").strip());
                continue;
            }
            if (bare.startsWith("\\*")) {
                comment.add(bare.substring(2).strip());
                continue;
            }
            String code = bare.replaceAll("\\\\\\*.*", "").strip();
            String aside = code.length() < bare.length() ? bare.substring(bare.indexOf("\\*") + 2).strip() : "";
            Matcher variable = VARIABLE.matcher(code);
            Matcher operator = OPERATOR.matcher(line.replaceAll("\\\\\\*.*", ""));
            Matcher unit = UNITS.matcher(code);
            if (variable.matches() || inVariables && code.matches("[\\w,\\s]+")) {
                String names = variable.matches() ? variable.group(1) : code;
                if (!aside.isEmpty()) {
                    comment.add(aside);
                }
                for (String name : names.split("[,\\s]+")) {
                    if (!name.isEmpty()) {
                        variables.merge(name, new Definition(module, name, number, prose(comment)),
                                (first, again) -> isTagged(first) || !isTagged(again) ? first : again);
                    }
                }
                inVariables = names.isBlank() || names.strip().endsWith(",");
                if (names.isBlank()) {
                    continue; // the comment above a lone VARIABLE belongs to the name that follows
                }
            } else if (operator.matches()) {
                open = operator.group(1);
                own.put(open, code.substring(code.indexOf("==") + 2));
                operators.putIfAbsent(open, new Definition(module, open, number, prose(comment)));
                sources.putIfAbsent(open, new StringBuilder());
                append(module, open, line);
                inVariables = false;
            } else if (code.startsWith("----") || code.startsWith("====")) {
                open = null;
            } else if (open != null) {
                own.merge(open, code, (a, b) -> a + "\n" + b);
                append(module, open, line);
            }
            if (unit.matches()) {
                uses.get(module).addAll(List.of(unit.group(1).replaceAll("\\bWITH\\b.*", "").strip().split("[,\\s]+")));
            }
            comment.clear();
        }
    }

    private void append(String module, String operator, String line) {
        if (operators.get(operator).module().equals(module)) {
            StringBuilder source = sources.get(operator);
            source.append(source.length() == 0 ? "" : "\n").append(line);
        }
    }

    /** Type annotations are for Apalache; a rule of dashes is decoration. */
    private static String prose(List<String> comment) {
        StringBuilder out = new StringBuilder();
        for (String line : comment) {
            if (!line.startsWith("@") && !line.matches("[-=*]*")) {
                out.append(out.length() == 0 ? "" : "\n").append(line);
            }
        }
        return out.toString();
    }

    /** An operator's definition as it stands in its module; empty where there is none. */
    public String source(String operator) {
        return sources.getOrDefault(operator, new StringBuilder()).toString().stripTrailing();
    }

    /** What an operator is defined as, without comments, on one line. */
    public String body(String operator) {
        return first(operator).replaceAll("\\s+", " ").strip();
    }

    private String first(String operator) {
        return operator(operator).map(d -> bodies.get(d.module()).get(operator)).orElse("");
    }

    /** The operators that a definition uses, itself or through others, and the names that it takes from instances ({@code LL!Write}). */
    public Set<String> mentions(String operator) {
        Set<String> found = new LinkedHashSet<>();
        List<String> todo = new ArrayList<>(List.of(operator));
        while (!todo.isEmpty()) {
            for (String word : first(todo.remove(0)).split("[^\\w!]+")) {
                if ((operators.containsKey(word) || word.matches("\\w+!\\w+")) && found.add(word)) {
                    todo.add(word);
                }
            }
        }
        return found;
    }

    /** The modules that the added ones extend or instantiate. */
    public Set<String> used() {
        Set<String> used = new TreeSet<>();
        uses.values().forEach(used::addAll);
        return used;
    }

    /** The constants that the spec defines as this number, as it does {@code Invalidated == -1}. */
    public List<String> constants(String number) {
        return operators.keySet().stream().filter(name -> body(name).equals(number)).toList();
    }

    public Optional<Definition> operator(String name) {
        return Optional.ofNullable(operators.get(name));
    }

    Optional<Definition> variable(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    private static boolean isTagged(Definition variable) {
        return LANE.matcher(variable.comment()).find();
    }

    /** The lane that a variable is drawn in, or null where its comment has no tag. */
    public String lane(String variable) {
        Matcher tag = LANE.matcher(variable(variable).map(Definition::comment).orElse(""));
        return tag.find() ? tag.group(1) : null;
    }

    /** The guards of a module and of the modules that it extends or instantiates, as far as they were added. */
    public List<Definition> guards(String module) {
        TreeSet<String> reached = new TreeSet<>();
        List<String> todo = new ArrayList<>(List.of(module));
        while (!todo.isEmpty()) {
            String next = todo.remove(todo.size() - 1);
            if (reached.add(next)) {
                todo.addAll(uses.getOrDefault(next, new TreeSet<>()));
            }
        }
        return operators.values().stream().filter(d -> d.isGuard() && reached.contains(d.module)).toList();
    }

    /**
     * The actions that a next-state relation names: what its disjunctions and quantifiers lead to. Errs on the side of too few, where TLC
     * would split an action in another way.
     */
    public Set<String> actions(String next) {
        Set<String> actions = new LinkedHashSet<>();
        collectActions(next, actions, new LinkedHashSet<>());
        return actions;
    }

    /** The operators of a module that say something of the next state, and to which neither Next nor a temporal formula comes. */
    public List<String> leftOut(String module) {
        Set<String> whole = new LinkedHashSet<>(List.of("Next"));
        operators.keySet().stream().filter(name -> TEMPORAL.matcher(first(name)).find()).forEach(whole::add);
        Set<String> reached = new LinkedHashSet<>(whole);
        whole.forEach(name -> reached.addAll(mentions(name)));
        return operators.values().stream().filter(d -> d.module.equals(module)).map(Definition::name).filter(name -> !reached.contains(name)
                && mentions(name).stream().noneMatch(whole::contains) && changesState(module, name) && !says(TEMPORAL, module, name, new LinkedHashSet<>())).toList();
    }

    private void collectActions(String name, Set<String> actions, Set<String> seen) {
        String body = first(name);
        if (body.isEmpty() || !seen.add(name)) {
            return;
        }
        if (body.contains("/\\") || NEXT_VALUE.matcher(body).find()) {
            if (seen.size() > 1 && changesState(operators.get(name).module(), name)) {
                actions.add(name);
            }
            return;
        }
        for (String word : body.split("\\W+")) {
            collectActions(word, actions, seen);
        }
    }

    /** Whether what stands in a module says something of the next state: by primes, or by operators that do. */
    public boolean changesState(String module, String text) {
        return says(NEXT_VALUE, module, text, new LinkedHashSet<>());
    }

    /** Whether the pattern is found in a module's text, or in what the operators there are defined as. */
    private boolean says(Pattern what, String module, String words, Set<String> seen) {
        String text = POSSIBLE.matcher(words).replaceAll("");
        return what.matcher(text).find() || definitions(module, text).entrySet().stream()
                .anyMatch(d -> seen.add(d.getKey()) && says(what, d.getKey().replaceAll("!.*", ""), d.getValue(), seen));
    }

    /** Whether what stands in a module uses an operator that is just TRUE, which only models give a meaning. */
    public boolean leavesToModels(String module, String text) {
        return definitions(module, text).values().stream().anyMatch(body -> body.strip().equals("TRUE"));
    }

    /** What the operators that stand in a module's text are defined as there, by module and name. */
    private Map<String, String> definitions(String module, String text) {
        Map<String, String> found = new LinkedHashMap<>();
        for (Matcher word = WORD.matcher(text); word.find();) {
            String name = word.group(1);
            String where = home(module, name, new LinkedHashSet<>());
            if (where != null && word.group(2) != null) {
                Matcher instance = INSTANCE.matcher(bodies.get(where).get(name).strip());
                name = word.group(2);
                where = instance.find() ? home(instance.group(1), name, new LinkedHashSet<>()) : null;
            }
            if (where != null) {
                found.put(where + "!" + name, bodies.get(where).get(name));
            }
        }
        return found;
    }

    /** The module that defines a name which another one uses: itself, or one that it extends or instantiates; null where none does. */
    private String home(String module, String name, Set<String> seen) {
        if (!seen.add(module) || !bodies.containsKey(module)) {
            return null;
        }
        return bodies.get(module).containsKey(name) ? module : uses.get(module).stream().filter(used -> !isNamed(module, used))
                .map(used -> home(used, name, seen)).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Of an instance with a name, only what stands behind the name is meant. */
    private boolean isNamed(String module, String used) {
        return bodies.get(module).values().stream().map(body -> INSTANCE.matcher(body.strip())).anyMatch(m -> m.find() && m.group(1).equals(used));
    }
}
