package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.Names;

/**
 * The fields in the comment lines at the top of a model's .cfg or a mutant's module: {@code \* field: value}.
 *
 * <p>Comment lines that name no known field are prose. A value goes on over the following comment lines while it ends in a comma;
 * a prose field ({@code why}, {@code survives}) goes on until the next field or an empty comment line. Because a misspelt field would
 * silently turn into prose (and a misspelt {@code witnesses} into a check that checks nothing), a name close to a known one is an error.
 */
final class Header {
    static final Set<String> MODEL_FIELDS =
            Set.of("module", "size", "expect", "states", "depth", "witnesses", "uncovered", "rediscovers", "coverage", "replay", "checks");
    static final Set<String> MUTANT_FIELDS =
            Set.of("removes", "dies", "model", "override", "survives", "why", "symmetry");
    private static final Set<String> PROSE = Set.of("why", "survives");
    private static final Set<String> REPEATABLE = Set.of("override");
    private static final Pattern FIELD = Pattern.compile("([A-Za-z]+)\\s*:(?:\\s+(.*))?");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    /** Reads the fields of the leading comment of a file. Never fails: what is wrong is told by {@link #problems}. */
    static Header read(String text, Set<String> known) {
        Header header = new Header();
        String open = null; // the field that the next comment line may continue
        for (String line : text.lines().toList()) {
            String trimmed = line.strip();
            if (trimmed.isEmpty() || trimmed.startsWith("----")) {
                continue;
            }
            if (!trimmed.startsWith("\\*")) {
                break;
            }
            String comment = trimmed.substring(2).strip();
            Matcher field = FIELD.matcher(comment);
            if (field.matches() && known.contains(field.group(1))) {
                open = field.group(1);
                header.put(open, field.group(2) == null ? "" : field.group(2).strip());
            } else if (comment.isEmpty()) {
                open = null;
            } else if (open != null && header.goesOn(open)) {
                header.values.merge(open, comment, (a, b) -> a.isEmpty() ? b : a + " " + b);
            } else {
                open = null;
                if (field.matches()) {
                    header.suspect(field.group(1), known);
                }
            }
        }
        return header;
    }

    private void put(String field, String value) {
        if (values.containsKey(field) && !REPEATABLE.contains(field)) {
            problems.add("the field '" + field + "' is given twice");
        }
        values.merge(field, value, (a, b) -> a + ", " + b);
    }

    private boolean goesOn(String field) {
        String value = values.get(field);
        return PROSE.contains(field) || value.isEmpty() || value.endsWith(",");
    }

    private void suspect(String name, Set<String> known) {
        for (String near : Names.near(name, known)) {
            problems.add("unknown field '" + name + "': write '" + near + "', or reword the comment");
            return;
        }
    }

    List<String> problems() {
        return problems;
    }

    /** The value, or null where the field is absent or empty. */
    String get(String field) {
        String value = values.get(field);
        return value == null || value.isEmpty() ? null : value;
    }

    /** The comma-separated values, in order; empty where the field is absent. */
    List<String> list(String field) {
        String value = get(field);
        return value == null ? List.of() : List.of(value.split(",")).stream().map(String::strip).filter(s -> !s.isEmpty()).toList();
    }

    /** The value, which must be there; notes a problem where it is not. */
    String require(String field) {
        if (get(field) == null) {
            problems.add("the field '" + field + "' is missing");
        }
        return get(field);
    }

    /** A count, or null where absent; notes a problem where it is no number. */
    Long count(String field) {
        String value = get(field);
        if (value == null) {
            return null;
        }
        try {
            return Long.valueOf(value.replaceAll("[,_ ]", ""));
        } catch (NumberFormatException e) {
            problems.add("the field '" + field + "' must be a number, not '" + value + "'");
            return null;
        }
    }
}
