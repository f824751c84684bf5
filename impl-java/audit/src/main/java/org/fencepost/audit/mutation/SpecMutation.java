package org.fencepost.audit.mutation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.SpecText;

/**
 * One small change of a specification that nobody thought of: one line reads otherwise. Lines are changed by their layout, not by parsing,
 * so some changes make no sense, which TLC says.
 *
 * <p>A conjunct that says nothing of the next state becomes TRUE, a disjunct FALSE; a comparison becomes strict, or no longer so; a variable keeps its value; a
 * condition is always true, or never; for all becomes for some; an addition, or a change of a set, is left out.
 *
 * @param line in the module, from 1 on
 * @param operator whose definition it is part of
 * @param was the part of the line that goes, without spaces around it
 * @param becomes the part in its place
 */
record SpecMutation(String spec, int line, String operator, Kind kind, String was, String becomes, String newLine) {

    enum Kind { CONJUNCT, DISJUNCT, COMPARISON, KEEP, CONDITION, QUANTIFIER, CHANGE }

    private static final Pattern DEFINITION = Pattern.compile("^(\\w+)(?:\\([^)]*\\)|\\[[^\\]]*\\])?\\s*==\\s*");
    private static final Pattern BULLET = Pattern.compile("^\\s*(?:IN\\s+)?((?:/\\\\|\\\\/)\\s+)*");
    private static final Pattern KEEPS = Pattern.compile("(\\w+)' = (.+)");
    private static final Pattern CONDITION = Pattern.compile("\\bIF (.+?) THEN .+ ELSE ");
    private static final Map<String, String> COMPARISONS = Map.of(" < ", " <= ", " <= ", " < ", " > ", " >= ", " >= ", " > ");
    private static final Pattern CHANGE = Pattern.compile("( \\+ 1\\b)|(?<=@)( \\\\cup \\{[^{}]*\\}| \\\\ \\{[^{}]*\\})");

    /** What it is called in {@code specs/mutants/argued.txt}: line numbers change too often. */
    String id() {
        return spec + "/" + operator + ": " + was + " -> " + becomes;
    }

    /**
     * All that these operators' definitions in the text of the module give. A conjunct stays that says something of the next state, since a
     * variable would have no next value, or that models give its meaning.
     *
     * @param all the module, and those that it uses
     */
    static List<SpecMutation> of(String spec, String text, Set<String> operators, SpecText all) {
        List<String> lines = text.lines().toList();
        Map<String, SpecMutation> found = new LinkedHashMap<>();
        String open = null;
        for (int i = 0; i < lines.size(); i++) {
            String code = lines.get(i).replaceAll("\\\\\\*.*", "").stripTrailing();
            Matcher definition = DEFINITION.matcher(code);
            int begin = 0;
            if (definition.find()) {
                open = definition.group(1);
                begin = definition.end();
            } else if (isRule(code)) {
                open = null;
            }
            if (open == null || !operators.contains(open) || code.isBlank()) {
                continue;
            }
            for (SpecMutation mutation : new Line(spec, i, open, code, begin, isWhole(lines, i, code)).mutations()) {
                if (mutation.kind != Kind.CONJUNCT || !all.changesState(spec, mutation.was) && !all.leavesToModels(spec, mutation.was)) {
                    found.putIfAbsent(mutation.line + mutation.newLine, mutation);
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static boolean isRule(String line) {
        return line.startsWith("----") || line.startsWith("====");
    }

    /** The next line does not go on with what this one begins. */
    private static boolean isWhole(List<String> lines, int i, String code) {
        String next = i + 1 < lines.size() ? lines.get(i + 1).replaceAll("\\\\\\*.*", "") : "";
        return next.isBlank() || indentation(next) <= indentation(code);
    }

    private static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    private record Line(String spec, int number, String operator, String code, int begin, boolean whole) {

        List<SpecMutation> mutations() {
            List<SpecMutation> all = new ArrayList<>();
            Matcher bullet = BULLET.matcher(code);
            int from = begin > 0 ? begin : bullet.find() ? bullet.end() : 0;
            int to = whole ? code.length() : from;
            boolean disjunct = from > 0 && code.substring(0, from).stripTrailing().endsWith("\\/");
            parts(all, from, to, "/\\", Kind.CONJUNCT, "TRUE", disjunct);
            parts(all, from, to, "\\/", Kind.DISJUNCT, "FALSE", !disjunct);
            COMPARISONS.forEach((was, becomes) -> everywhere(all, was, Kind.COMPARISON, becomes));
            everywhere(all, "\\A ", Kind.QUANTIFIER, "\\E ");
            Matcher keeps = KEEPS.matcher(code.substring(from, to));
            if (keeps.matches()) {
                replace(all, from, to, Kind.KEEP, keeps.group(1) + "' = " + keeps.group(1));
            }
            for (Matcher m = CONDITION.matcher(code); m.find();) {
                replace(all, m.start(1), m.end(1), Kind.CONDITION, "TRUE");
                replace(all, m.start(1), m.end(1), Kind.CONDITION, "FALSE");
            }
            for (Matcher m = CHANGE.matcher(code); m.find();) {
                replace(all, m.start(), m.end(), Kind.CHANGE, "");
            }
            return all;
        }

        /** The parts between these connectives, outside of parentheses; a lone one only where it stands behind a bullet of the kind. */
        private void parts(List<SpecMutation> all, int from, int to, String connective, Kind kind, String neutral, boolean onlySeveral) {
            List<int[]> parts = new ArrayList<>();
            int depth = 0;
            int start = from;
            for (int i = from; i < to; i++) {
                char c = code.charAt(i);
                depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
                if (depth == 0 && code.startsWith(" " + connective + " ", i)) {
                    parts.add(new int[] {start, i});
                    start = i + connective.length() + 2;
                }
            }
            parts.add(new int[] {start, to});
            if (depth != 0 || parts.size() == 1 && onlySeveral) {
                return;
            }
            for (int[] part : parts) {
                String was = code.substring(part[0], part[1]).strip();
                if (!was.isEmpty() && !was.contains("'") && !was.contains("UNCHANGED") && !was.equals("TRUE") && !was.equals("FALSE")) {
                    replace(all, part[0], part[1], kind, neutral);
                }
            }
        }

        private void everywhere(List<SpecMutation> all, String was, Kind kind, String becomes) {
            for (int at = code.indexOf(was); at >= 0; at = code.indexOf(was, at + was.length())) {
                replace(all, at, at + was.length(), kind, becomes);
            }
        }

        /** What is told is the word before and behind, too, where the part alone would say little. */
        private void replace(List<SpecMutation> all, int from, int to, Kind kind, String becomes) {
            boolean says = kind == Kind.CONJUNCT || kind == Kind.DISJUNCT || kind == Kind.KEEP;
            int next = code.indexOf(' ', to + 1);
            int left = says ? from : code.lastIndexOf(' ', from - 2) + 1;
            int right = says ? to : next < 0 ? code.length() : next;
            all.add(new SpecMutation(spec, number + 1, operator, kind, code.substring(left, right).strip(),
                    (code.substring(left, from) + becomes + code.substring(to, right)).strip(), code.substring(0, from) + becomes + code.substring(to)));
        }
    }
}
