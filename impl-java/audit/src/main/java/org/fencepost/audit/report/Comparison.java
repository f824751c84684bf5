package org.fencepost.audit.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.fencepost.audit.report.Dossier.Status;

/**
 * What differs between two audits, for the reviewer of a change. What is unknown on one side is not compared: runs of the Java code, of
 * which a revision that was only checked out has none.
 *
 * @param base the revision that is compared with
 * @param parts the differences by kind, each a line; without those of which there are none
 */
record Comparison(String base, Map<String, List<String>> parts) {

    static Comparison of(Dossier before, Dossier after) {
        Comparison found = new Comparison(before.revision(), new LinkedHashMap<>());
        List.of("Evidence lost", "Mutants no longer killed", "Evidence gained", "Mutants killed now", "Removed", "Added", "Definitions changed",
                "Counts changed").forEach(title -> found.parts.put(title, new ArrayList<>()));
        Map<String, Dossier.SystemPart> old = byName(before.systems(), Dossier.SystemPart::name);
        Map<String, Dossier.SystemPart> now = byName(after.systems(), Dossier.SystemPart::name);
        found.names("system", "", old.keySet(), now.keySet());
        now.forEach((name, system) -> {
            if (old.containsKey(name)) {
                found.compare(old.get(name), system);
            }
        });
        found.parts.values().removeIf(List::isEmpty);
        return found;
    }

    private static <T> Map<String, T> byName(List<T> parts, Function<T, String> name) {
        return parts.stream().collect(Collectors.toMap(name, p -> p, (a, b) -> a, LinkedHashMap::new));
    }

    private void note(String part, String line) {
        parts.get(part).add(line);
    }

    private void names(String what, String system, Set<String> before, Set<String> after) {
        Set<String> removed = new LinkedHashSet<>(before);
        removed.removeAll(after);
        removed.forEach(n -> note("Removed", what + " " + system + n));
        Set<String> added = new LinkedHashSet<>(after);
        added.removeAll(before);
        added.forEach(n -> note("Added", what + " " + system + n));
    }

    private void compare(Dossier.SystemPart before, Dossier.SystemPart after) {
        String system = after.name() + "/";
        both("property", system, byName(before.properties(), Dossier.Property::name), byName(after.properties(), Dossier.Property::name),
                this::property);
        both("action", system, byName(before.actions(), Dossier.Action::name), byName(after.actions(), Dossier.Action::name),
                (name, a, b) -> definition("action " + name, a.text(), b.text()));
        both("guard", system, byName(before.guards(), Dossier.Guard::name), byName(after.guards(), Dossier.Guard::name),
                (name, a, b) -> definition("guard " + name, a.text(), b.text()));
        both("model", system, byName(before.models(), Dossier.Model::name), byName(after.models(), Dossier.Model::name), this::model);
        both("mutant", system, byName(before.mutants(), Dossier.Mutant::name), byName(after.mutants(), Dossier.Mutant::name), this::mutant);
    }

    private interface Difference<T> {
        void of(String name, T before, T after);
    }

    private <T> void both(String what, String system, Map<String, T> before, Map<String, T> after, Difference<T> difference) {
        names(what, system, before.keySet(), after.keySet());
        after.forEach((name, now) -> {
            if (before.containsKey(name)) {
                difference.of(system + name, before.get(name), now);
            }
        });
    }

    private void property(String name, Dossier.Property before, Dossier.Property after) {
        after.evidence().forEach((kind, now) -> {
            Dossier.Cell old = before.evidence().get(kind);
            if (old.status() == Status.UNKNOWN || now.status() == Status.UNKNOWN || old.status() == now.status() && old.text().equals(now.text())) {
                return;
            }
            String line = name + ", " + kind.title + ": " + old.text() + " → " + now.text();
            boolean ok = now.status() == Status.OK;
            boolean wasOk = old.status() == Status.OK;
            note(wasOk && !ok || !wasOk && !ok && now.status() == Status.FAILED ? "Evidence lost" : ok && !wasOk ? "Evidence gained"
                    : "Counts changed", line);
        });
        definition("property " + name, before.says(), after.says());
    }

    private void definition(String name, String before, String after) {
        if (!before.equals(after)) {
            note("Definitions changed", name);
        }
    }

    private void model(String name, Dossier.Model before, Dossier.Model after) {
        if (before.status() == Status.UNKNOWN || after.status() == Status.UNKNOWN) {
            return;
        }
        if (!before.verdict().equals(after.verdict())) {
            note(after.status() == Status.OK ? "Evidence gained" : "Evidence lost", "model " + name + ": " + before.verdict() + " → "
                    + after.verdict());
        } else if (!Objects.equals(before.states(), after.states()) || !Objects.equals(before.depth(), after.depth())) {
            note("Counts changed", String.format(Locale.ROOT, "model %s: %,d → %,d states, depth %d → %d", name, before.states(), after.states(),
                    before.depth(), after.depth()));
        }
    }

    private void mutant(String name, Dossier.Mutant before, Dossier.Mutant after) {
        if (before.status() == Status.UNKNOWN || after.status() == Status.UNKNOWN) {
            return;
        }
        if (!before.verdict().equals(after.verdict())) {
            note(after.status() == Status.OK ? "Mutants killed now" : "Mutants no longer killed",
                    name + " (removes " + after.guard() + "): " + before.verdict() + " → " + after.verdict());
        } else if (!Objects.equals(before.bound(), after.bound())) {
            note("Counts changed", "mutant " + name + ": " + before.bound() + " → " + after.bound());
        }
    }

    String html() {
        return lists(title -> "<h3>" + Html.text(title) + "</h3>\n<ul>\n", line -> "<li>" + Html.text(line) + "</li>\n", "</ul>\n",
                "<p>Nothing differs.</p>\n");
    }

    /** For a pull request. */
    String markdown(String revision) {
        return "## Audit of " + revision + ", compared with " + base + "\n\n" + lists(title -> "### " + title + "\n\n",
                line -> "- " + line.replaceAll("([*_`<|\\\\])", "\\\\$1") + "\n", "\n", "Nothing differs.\n");
    }

    private String lists(UnaryOperator<String> title, UnaryOperator<String> line, String end, String nothing) {
        return parts.isEmpty() ? nothing : parts.entrySet().stream()
                .map(p -> title.apply(p.getKey()) + p.getValue().stream().map(line).collect(Collectors.joining()) + end)
                .collect(Collectors.joining());
    }
}
