package org.fencepost.audit.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.report.Dossier.Cell;
import org.fencepost.audit.report.Dossier.Kind;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.report.Dossier.Suspicion;
import org.fencepost.audit.report.Dossier.SystemPart;

/** The first page: the verdict, all systems by all evidence, what to look at, and the way to each counterexample. */
final class Overview {
    /** So many suspicions are read; more tell no more, and are folded. */
    private static final int FIRST = 12;

    private final Dossier dossier;
    private final Comparison comparison;
    private final StringBuilder out = new StringBuilder();

    /** @param comparison with another revision, or null */
    Overview(Dossier dossier, Comparison comparison) {
        this.dossier = dossier;
        this.comparison = comparison;
    }

    String html() {
        verdict();
        if (dossier.evidence().fails()) {
            out.append("<p class=\"verdict failed\">✗ A run of the Java code failed.</p>\n");
        }
        matrix();
        attention();
        if (comparison != null) {
            out.append(Html.section("comparison", "Compared with " + comparison.base(), comparison.html()));
        }
        counterexamples();
        return out.toString();
    }

    private void verdict() {
        List<Status> all = dossier.systems().stream().flatMap(s -> Stream.concat(s.models().stream().map(Dossier.Model::status),
                s.mutants().stream().map(Dossier.Mutant::status))).toList();
        long unknown = all.stream().filter(s -> s == Status.UNKNOWN).count();
        boolean failed = !dossier.passed() && (unknown == 0 || all.contains(Status.FAILED));
        out.append("<p class=\"verdict " + Site.status(dossier.passed() ? Status.OK : failed ? Status.FAILED : Status.UNKNOWN) + "\">")
                .append(dossier.passed() ? "✓ Every verdict of the model checker is the expected one."
                        : failed ? "✗ Not every verdict of the model checker is the expected one."
                        : unknown == all.size() ? "? No model has been run on these specs in this tree yet: <code>make check</code> runs them."
                        : "? Of " + all.size() + " models and mutants, " + unknown + " have not been run: <code>make check</code> runs them. "
                                + "The verdicts of the others are the expected ones.")
                .append("</p>\n");
    }

    // ---- all systems by all evidence

    private void matrix() {
        List<String> head = new ArrayList<>(List.of("system"));
        List.of(Kind.values()).forEach(k -> head.add(k.title));
        List<Html.Row> rows = dossier.systems().stream().map(system -> {
            List<String> cells = new ArrayList<>(List.of(Html.link("system-" + system.name(), system.name())));
            List.of(Kind.values()).forEach(kind -> cells.add(picture(system, kind)));
            return new Html.Row(null, cells);
        }).toList();
        out.append(Html.section("matrix", "All systems by all evidence", "<p class=\"legend\">A square is a property of the system: "
                + square(Status.OK) + " holds, " + square(Status.FAILED) + " fails, " + square(Status.UNKNOWN) + " unknown, "
                + square(Status.NONE) + " does not apply. They stand in the order of the system's page.</p>\n"
                + Html.table("picture", "Properties of each system, by the evidence for them", head, rows)
                + Html.details(null, "Which command gathers what", "<ul>" + List.of(Kind.values()).stream()
                        .map(k -> "<li>" + Html.text(k.title) + ": " + Html.inline(k.command) + "</li>").collect(Collectors.joining()) + "</ul>\n")));
    }

    private static String picture(SystemPart system, Kind kind) {
        Map<Status, Long> counts = new EnumMap<>(Status.class);
        StringBuilder squares = new StringBuilder();
        for (Dossier.Property p : system.properties()) {
            Cell cell = p.evidence().get(kind);
            counts.merge(cell.status(), 1L, Long::sum);
            squares.append("<i class=\"square ").append(Site.status(cell.status())).append("\" title=\"")
                    .append(Html.text(p.name() + ": " + cell.text())).append("\"></i>");
        }
        long applies = system.properties().size() - counts.getOrDefault(Status.NONE, 0L);
        String words = applies == 0 ? "–" : counts.containsKey(Status.FAILED) ? counts.get(Status.FAILED) + " of " + applies + " fail"
                : counts.containsKey(Status.OK) ? counts.get(Status.OK) + " of " + applies : "unknown";
        Status whole = applies == 0 ? Status.NONE : counts.containsKey(Status.FAILED) ? Status.FAILED
                : counts.containsKey(Status.UNKNOWN) ? Status.UNKNOWN : Status.OK;
        return "<span class=\"squares\" aria-hidden=\"true\">" + squares + "</span><small class=\"" + Site.status(whole) + "\">" + Html.text(words)
                + "</small>";
    }

    private static String square(Status status) {
        return "<i class=\"square " + Site.status(status) + "\"></i>";
    }

    // ---- what to look at

    private void attention() {
        List<Suspicion> all = dossier.suspicions();
        StringBuilder content = new StringBuilder();
        if (all.isEmpty()) {
            content.append("<p>Nothing else stands out.</p>\n");
        } else {
            content.append(list(all.subList(0, Math.min(FIRST, all.size())), 1));
        }
        if (all.size() > FIRST) {
            content.append(Html.details(null, (all.size() - FIRST) + " more", list(all.subList(FIRST, all.size()), FIRST + 1)));
        }
        content.append(Html.details(null, "Counts", "<ul class=\"plain\">" + dossier.summary().stream()
                .map(s -> "<li>" + Html.text(s.replaceAll("\\s+", " ")) + "</li>").collect(Collectors.joining()) + "</ul>\n"));
        out.append(Html.section("attention", "What to look at", content.toString()));
    }

    private static String list(List<Suspicion> suspicions, int from) {
        return "<ol class=\"suspicions\" start=\"" + from + "\">\n" + suspicions.stream().map(s -> "<li>" + Html.text(s.what())
                + (s.link() == null ? "" : " " + Html.link(s.link(), "Show")) + "</li>\n").collect(Collectors.joining()) + "</ol>\n";
    }

    // ---- counterexamples

    private void counterexamples() {
        StringBuilder content = new StringBuilder();
        for (SystemPart system : dossier.systems()) {
            List<String> links = Counterexamples.of(system).stream().map(c -> Html.link("steps-" + system.name() + "-" + c.name(), c.name())).toList();
            if (!links.isEmpty()) {
                content.append(Html.details(null, "<strong>" + Html.text(system.name()) + "</strong>, " + links.size(),
                        "<p class=\"names\">" + String.join(" ", links) + "</p>"));
            }
        }
        out.append(Html.section("counterexamples", "Counterexamples, step by step", content.isEmpty()
                ? "<p>" + Site.status(Status.UNKNOWN, "unknown") + ": <code>make check</code> did not run in this tree.</p>\n"
                : "<p>What happens without a guard, and which step the guard would have prevented. Each has a page of its own, and its name "
                        + "can be searched for.</p>\n" + content));
    }

    // ---- departures

    static String departures(Dossier dossier) {
        List<Html.Row> rows = dossier.departures().stream().map(d -> Html.row(null, Html.inline(d.where()), Html.inline(d.what()),
                Html.inline(d.evidence(), name -> mutantLink(dossier, name)),
                d.systems().stream().map(s -> Html.link("system-" + s, s)).collect(Collectors.joining(", ")))).toList();
        return Html.section("departures", "Departures from the papers, and errata", rows.isEmpty() ? "<p>None are noted beside the specs.</p>\n"
                : Html.table("cards", "Departures and errata, as specs/README.md has them", List.of("where", "what", "evidence", "system"), rows));
    }

    /** A mutant's name as a link to it; any other piece of code as it is. */
    private static String mutantLink(Dossier dossier, String name) {
        return dossier.systems().stream().filter(s -> s.mutants().stream().anyMatch(m -> m.name().equals(name))).findFirst()
                .map(s -> Html.link("mutant-" + s.name() + "-" + name, name)).orElseGet(() -> Html.code(name));
    }
}
