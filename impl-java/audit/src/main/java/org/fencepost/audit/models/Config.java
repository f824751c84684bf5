package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TLC configuration as a list of sections (keyword and body), so that a mutant's can be composed from its model's: other properties,
 * no symmetry, one more definition override. Comments are dropped; everything else is passed on as it was written.
 */
public final class Config {
    private static final Pattern KEYWORD = Pattern.compile(
            "\\b(SPECIFICATION|INIT|NEXT|CONSTANTS?|INVARIANTS?|PROPERT(?:Y|IES)|SYMMETRY|VIEW|CONSTRAINTS?|ACTION_CONSTRAINTS?"
                    + "|CHECK_DEADLOCK|ALIAS|POSTCONDITION)\\b");
    private static final Pattern COMMENT = Pattern.compile("\\(\\*.*?\\*\\)|\\\\\\*[^\n]*", Pattern.DOTALL);

    private static final Pattern ASSIGNMENT = Pattern.compile("(\\w+)\\s*=\\s*(\\{[^}]*\\}|[^\\s,]+)");
    private static final Pattern OVERRIDE = Pattern.compile("(\\w+)\\s*<-\\s*(\\w+)");

    private record Section(String keyword, String body) {
        boolean is(String name) {
            return keyword.equals(name);
        }
    }

    private final List<Section> sections;

    private Config(List<Section> sections) {
        this.sections = sections;
    }

    public static Config parse(String text) {
        String bare = COMMENT.matcher(text).replaceAll(" ");
        List<Section> sections = new ArrayList<>();
        Matcher m = KEYWORD.matcher(bare);
        boolean found = m.find();
        while (found) {
            String keyword = m.group(1);
            int start = m.end();
            found = m.find();
            sections.add(new Section(singular(keyword), bare.substring(start, found ? m.start() : bare.length()).strip()));
        }
        return new Config(sections);
    }

    private static String singular(String keyword) {
        return keyword.equals("PROPERTIES") ? "PROPERTY"
                : keyword.endsWith("S") && !keyword.equals("ALIAS") ? keyword.substring(0, keyword.length() - 1) : keyword;
    }

    public List<String> invariants() {
        return names("INVARIANT");
    }

    public List<String> properties() {
        return names("PROPERTY");
    }

    /** How many invariants and temporal properties there are. */
    int checks() {
        return invariants().size() + properties().size();
    }

    /** Whether an invariant just prints what was reached. (As a constraint it would cost more: TLC looks at those after each step.) */
    public static boolean tellsWitnesses(String invariant) {
        return invariant.matches("\\w*Witness(es)?");
    }

    private List<String> names(String keyword) {
        Set<String> names = new LinkedHashSet<>();
        for (Section s : sections) {
            if (s.is(keyword)) {
                names.addAll(List.of(s.body.split("[\\s,]+")));
            }
        }
        names.remove("");
        return List.copyOf(names);
    }

    /** The operators that take the place of others, with the one they stand for; those that stand for several are left out. */
    Map<String, String> standIns() {
        Map<String, String> standIns = new HashMap<>();
        Set<String> several = new HashSet<>();
        for (Section s : sections) {
            Matcher m = OVERRIDE.matcher(s.is("CONSTANT") ? s.body : "");
            while (m.find()) {
                if (standIns.put(m.group(2), m.group(1)) != null) {
                    several.add(m.group(2));
                }
            }
        }
        standIns.keySet().removeAll(several);
        return standIns;
    }

    /** What the constants are, but for those that just stand for themselves. */
    public Map<String, String> constants() {
        Map<String, String> constants = new LinkedHashMap<>();
        for (Section s : sections) {
            Matcher m = ASSIGNMENT.matcher(s.is("CONSTANT") ? s.body : "");
            while (m.find()) {
                if (!m.group(1).equals(m.group(2))) {
                    constants.put(m.group(1), m.group(2).replaceAll("\\s+", " "));
                }
            }
        }
        return constants;
    }

    /** Whether a constant of this name is assigned or overridden. */
    boolean declares(String name) {
        Pattern assigned = Pattern.compile("\\b" + Pattern.quote(name) + "\\s*(=|<-)");
        return sections.stream().anyMatch(s -> s.is("CONSTANT") && assigned.matcher(s.body).find());
    }

    /** The operator that says how the model begins and goes on; null where there is none. */
    String specification() {
        return sections.stream().filter(s -> s.is("SPECIFICATION")).map(Section::body).findFirst().orElse(null);
    }

    /** The constants alone, with another specification and constants of the same name as their values. */
    Config walking(String specification, Set<String> values) {
        Config bare = new Config(sections.stream().filter(s -> s.is("CONSTANT")).toList()).with("SPECIFICATION", specification)
                .with("CHECK_DEADLOCK", "FALSE");
        return values.isEmpty() ? bare
                : bare.with("CONSTANT", values.stream().map(v -> v + " = " + v).collect(java.util.stream.Collectors.joining(" ")));
    }

    private Config without(String keyword) {
        return new Config(sections.stream().filter(s -> !s.is(keyword)).toList());
    }

    private Config with(String keyword, String body) {
        List<Section> more = new ArrayList<>(sections);
        more.add(new Section(keyword, body));
        return new Config(more);
    }

    /** Whether TLC may generate steps that it then discards. */
    boolean isConstrained() {
        return sections.stream().anyMatch(s -> s.keyword.endsWith("CONSTRAINT"));
    }

    Config withoutSymmetry() {
        return without("SYMMETRY");
    }

    /** The same model, checking just these. */
    Config checking(List<String> invariants, List<String> properties) {
        Config bare = without("INVARIANT").without("PROPERTY");
        bare = invariants.isEmpty() ? bare : bare.with("INVARIANT", String.join(" ", invariants));
        return properties.isEmpty() ? bare : bare.with("PROPERTY", String.join(" ", properties));
    }

    /** The same model with {@code operator <- replacement}; an override that the model itself has for the operator gives way. */
    Config overriding(String operator, String replacement) {
        Pattern own = Pattern.compile("\\b" + Pattern.quote(operator) + "\\s*<-\\s*\\w+");
        List<Section> kept = new ArrayList<>();
        for (Section s : sections) {
            kept.add(s.is("CONSTANT") ? new Section(s.keyword, own.matcher(s.body).replaceAll("").strip()) : s);
        }
        return new Config(kept).with("CONSTANT", operator + " <- " + replacement);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (Section s : sections) {
            if (!s.body.isEmpty()) {
                out.append(s.keyword).append(' ').append(s.body).append('\n');
            }
        }
        return out.toString();
    }
}
