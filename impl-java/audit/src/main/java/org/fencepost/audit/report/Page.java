package org.fencepost.audit.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.fencepost.audit.report.Dossier.Kind;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.Json;
import org.fencepost.lanes.SwimLane;

/** Writes an audit as one HTML page that needs nothing else. The script only adds stepping through counterexamples: without it all is there. */
final class Page {
    private final Dossier dossier;
    private final Comparison comparison;
    private final StringBuilder out = new StringBuilder();

    private Page(Dossier dossier, Comparison comparison) {
        this.dossier = dossier;
        this.comparison = comparison;
    }

    /** @param comparison with another revision, or null */
    static String of(Dossier dossier, Comparison comparison) {
        return new Page(dossier, comparison).write();
    }

    private String write() {
        String revision = dossier.revision() == null ? "" : " of " + dossier.revision();
        out.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, "
                + "initial-scale=1\">\n"
                + "<meta name=\"color-scheme\" content=\"light dark\"><title>Fencepost audit" + Html.text(revision) + "</title>\n<style>\n"
                + resource("audit.css")
                + "</style></head><body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header><h1>Fencepost audit</h1><p>"
                + Html.text("Commit" + (dossier.revision() == null ? " unknown" : " " + dossier.revision()) + ". Model checker: TLC "
                        + dossier.tool().get("version") + ".") + "</p></header>\n");
        navigation();
        out.append("<main id=\"main\">\n");
        attention();
        if (comparison != null) {
            section("comparison", "Compared with " + comparison.base(), comparison.html());
        }
        matrix();
        dossier.systems().forEach(this::system);
        section("proofs", "Proofs", dossier.proofs().html());
        departures();
        section("not-modelled", "What is not modelled", Html.markdown(dossier.notModelled()));
        javaRuns();
        clusters();
        benchmarks();
        out.append("</main>\n<footer><p>Made by <code>make audit</code> from specs, sources and the results of runs in this tree. <em>unknown</em>: "
                + "it did not run "
                + "here, or the sources have changed since.</p></footer>\n<script>\n" + resource("audit.js") + "</script></body></html>\n");
        return out.toString();
    }

    private void section(String id, String title, String content) {
        out.append("<section aria-labelledby=\"").append(id).append("\"><h2 id=\"").append(id).append("\">").append(Html.text(title))
                .append("</h2>\n")
                .append(content).append("</section>\n");
    }

    private void navigation() {
        List<String> links = new ArrayList<>(List.of(Html.link("attention", "What to look at")));
        if (comparison != null) {
            links.add(Html.link("comparison", "Comparison"));
        }
        links.add(Html.link("matrix", "Evidence"));
        dossier.systems().forEach(s -> links.add(Html.link("system-" + s.name(), s.name())));
        links.addAll(List.of(Html.link("proofs", "Proofs"), Html.link("departures", "Departures and errata"), Html.link("not-modelled", "Not modelled"),
                Html.link("simulation", "Simulation and tests"), Html.link("clusters", "Clusters"), Html.link("benchmarks", "Benchmarks")));
        out.append("<nav aria-label=\"Contents\"><ul><li>").append(String.join("</li><li>", links)).append("</li></ul></nav>\n");
    }

    // ---- what to look at

    private void attention() {
        StringBuilder content = new StringBuilder("<p class=\"verdict " + (dossier.passed() ? "ok" : "failed") + "\">"
                + (dossier.passed() ? "✓ Every verdict of the model checker is the expected one."
                        : "✗ Not every verdict of the model checker is the expected one.") + "</p>\n");
        if (dossier.evidence().fails()) {
            content.append("<p class=\"verdict failed\">✗ A run of the Java code failed.</p>\n");
        }
        if (dossier.suspicions().isEmpty()) {
            content.append("<p>Nothing else stands out.</p>\n");
        } else {
            content.append("<ol class=\"suspicions\">\n");
            dossier.suspicions().forEach(s -> content.append("<li>").append(Html.text(s.what()))
                    .append(s.link() == null ? "" : " " + Html.link(s.link(), "Show")).append("</li>\n"));
            content.append("</ol>\n");
        }
        content.append("<ul class=\"plain\">").append(dossier.summary().stream().map(s -> "<li>" + Html.text(s.replaceAll("\\s+", " ")) + "</li>")
                .collect(Collectors.joining())).append("</ul>\n");
        section("attention", "What to look at", content.toString());
    }

    // ---- the matrix

    private void matrix() {
        List<String> head = new ArrayList<>(List.of("property"));
        List.of(Kind.values()).forEach(k -> head.add(k.title));
        StringBuilder content = new StringBuilder("<p>What each cell rests on: " + List.of(Kind.values()).stream()
                .map(k -> Html.text(k.title) + ", " + Html.inline(k.command))
                .collect(Collectors.joining("; ")) + ".</p>\n");
        for (Dossier.SystemPart system : dossier.systems()) {
            content.append(Html.table("Evidence for " + system.name(), head, system.properties().stream().map(p -> {
                List<String> row = new ArrayList<>(List.of(Html.link(property(system, p.name()), p.name())));
                p.evidence().values().forEach(cell -> row.add(cell(cell)));
                return new Html.Row(null, row);
            }).toList()));
        }
        section("matrix", "Evidence", content.toString());
    }

    private static String property(Dossier.SystemPart system, String name) {
        return "property-" + system.name() + "-" + name;
    }

    private static String cell(Dossier.Cell cell) {
        String mark = switch (cell.status()) {
            case OK -> "✓ ";
            case FAILED -> "✗ ";
            case UNKNOWN -> "? ";
            case NONE -> "– ";
        };
        return "<span class=\"" + name(cell.status()) + "\">" + mark
                + (cell.link() == null ? Html.text(cell.text()) : Html.link(cell.link(), cell.text()))
                + "</span>";
    }

    private static String name(Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static String status(Status status, String text) {
        return cell(new Dossier.Cell(status, text, null));
    }

    // ---- a system

    private void system(Dossier.SystemPart system) {
        StringBuilder content = new StringBuilder();
        if (!system.about().isEmpty()) {
            content.append("<p>").append(Html.inline(Character.toUpperCase(system.about().charAt(0)) + system.about().substring(1)))
                    .append(".</p>\n");
        }
        content.append("<h3>Properties of ").append(system.name()).append("</h3>\n<dl>\n");
        for (Dossier.Property p : system.properties()) {
            content.append("<dt id=\"").append(Html.text(property(system, p.name()))).append("\">").append(Html.code(p.name()))
                    .append(p.temporal() ? " (temporal)" : "").append("</dt><dd>").append(Html.text(p.says())).append(" ")
                    .append(Html.code(p.where())).append("</dd>\n");
        }
        content.append("</dl>\n");
        if (!system.actions().isEmpty()) {
            content.append("<h3>Actions of ").append(system.name()).append("</h3>\n").append(actions(system));
        }
        if (!system.guards().isEmpty()) {
            content.append("<h3>Guards of ").append(system.name()).append("</h3>\n").append(guards(system));
        }
        content.append("<h3 id=\"models-").append(system.name()).append("\">Models of ").append(system.name()).append("</h3>\n")
                .append(models(system));
        if (!system.mutants().isEmpty()) {
            content.append("<h3 id=\"mutants-").append(system.name()).append("\">Mutants of ").append(system.name()).append("</h3>\n")
                    .append(mutants(system))
                    .append("<h3>Counterexamples of ").append(system.name()).append("</h3>\n");
            system.mutants().forEach(m -> content.append(mutant(system, m)));
        }
        section("system-" + system.name(), system.name(), content.toString());
    }

    private static String actions(Dossier.SystemPart system) {
        String s = system.name();
        return Html.table("The ledger of " + s + ": paper, spec, code, properties, mutants",
                List.of("action", "paper", "what it does", "Java", "guards", "properties", "mutants", "taken"), system.actions().stream()
                        .map(a -> Html.row(
                                "action-" + s + "-" + a.name(), Html.code(a.name()), a.source().isEmpty() ? "not in the paper" : Html.text(a.source()),
                                Html.details(null, Html.text(a.says()), "<p>" + Html.code(a.where()) + "</p><pre>" + Html.text(a.text()) + "</pre>"),
                                a.java().isEmpty() ? "no method of this name" : a.java().stream().map(Page::place).collect(Collectors.joining("<br>")),
                                a.guards().stream().map(g -> system.guards().stream().anyMatch(own -> own.name().equals(g))
                                        ? Html.link("guard-" + s + "-" + g, g)
                                        : Html.code(g)).collect(Collectors.joining(", ")),
                                Html.links("property-" + s + "-", a.properties().stream().filter(p -> has(system, p)).toList()),
                                a.mutants().stream().map(m -> Html.link("mutant-" + m.replace('/', '-'), m.replaceFirst("^" + s + "/", "")))
                                        .collect(Collectors.joining(", ")),
                                a.taken() == null ? status(Status.UNKNOWN, "unknown") : String.format(Locale.ROOT, "%,d", a.taken()))).toList());
    }

    private static boolean has(Dossier.SystemPart system, String property) {
        return system.properties().stream().anyMatch(p -> p.name().equals(property));
    }

    /** The file's name and line, with the whole path for who wants it. */
    private static String place(String path) {
        return "<span title=\"" + Html.text(path) + "\">" + Html.code(path.replaceAll(".*/", "")) + "</span>";
    }

    private static String guards(Dossier.SystemPart system) {
        String s = system.name();
        return Html.table("The guards of " + s + ", and the mutants that remove them",
                List.of("guard", "what it prevents", "actions", "Java", "mutants"),
                system.guards().stream().map(g -> Html.row("guard-" + s + "-" + g.name(), Html.code(g.name()),
                        Html.details(null, Html.text(g.says()), "<p>" + Html.code(g.where()) + "</p><pre>" + Html.text(g.text()) + "</pre>"),
                        Html.links("action-" + s + "-", g.actions()), g.java().stream().map(Page::place).collect(Collectors.joining("<br>")),
                        g.mutants().stream().map(m -> Html.link("mutant-" + m.replace('/', '-'), m.replaceFirst("^" + s + "/", "")))
                                .collect(Collectors.joining(", ")))).toList());
    }

    private String models(Dossier.SystemPart system) {
        StringBuilder content = new StringBuilder(Html.table("Models of " + system.name() + ": bounds and what was found",
                List.of("model", "verdict", "bounds", "states", "depth", "seconds", "witnesses", "leaves out"), system.models().stream()
                        .map(m -> Html.row(
                                "model-" + system.name() + "-" + m.name(), Html.code(m.name()),
                                status(m.status(), m.verdict() + (m.message() == null ? "" : ": " + m.message())) + (m.steps() == null ? ""
                                        : " " + Html.link("steps-" + system.name() + "-" + m.name(), "Show")),
                                m.bounds().entrySet().stream().map(b -> Html.code(b.getKey() + " = " + b.getValue()))
                                        .collect(Collectors.joining(", ", "<span class=\"bounds\">", "</span>")),
                                number(m.states()), number(m.depth()), String.format(Locale.ROOT, "%.1f", m.seconds()), witnesses(m),
                                Html.text(String.join(", ", m.uncovered())))).toList()));
        system.models().stream().filter(m -> m.steps() != null).forEach(m -> content.append(Html.details("steps-" + system.name() + "-" + m.name(),
                Html.code(m.name()) + " violates " + Html.text(m.steps().property()), steps(system, m.name(), m.steps(), null))));
        return content.toString();
    }

    private static String witnesses(Dossier.Model m) {
        if (m.witnesses().isEmpty()) {
            return "";
        }
        int reached = m.witnesses().size() - m.missed().size();
        return Html.details(null, reached + " of " + m.witnesses().size() + " reached", "<p>" + Html.text(String.join(", ", m.witnesses()))
                + (m.missed().isEmpty() ? "" : ". Not reached: " + Html.text(String.join(", ", m.missed()))) + "</p>");
    }

    private static String number(Long n) {
        return n == null ? "" : String.format(Locale.ROOT, "%,d", n);
    }

    private static String mutants(Dossier.SystemPart system) {
        return Html.table("Mutants of " + system.name() + ": the smallest bound that was seen to kill each",
                List.of("mutant", "removes", "verdict", "model", "shortest counterexample", "states", "in Java"), system.mutants().stream()
                        .map(m -> Html.row(null,
                                Html.link("mutant-" + system.name() + "-" + m.name(), m.name()),
                                Html.link("guard-" + system.name() + "-" + m.guard(), String.valueOf(m.guard())),
                                status(m.status(), m.verdict() + (m.expected().equals(m.verdict()) ? "" : ", expected " + m.expected())),
                                Html.link("model-" + system.name() + "-" + m.model(), String.valueOf(m.model())), m.bound() == null ? ""
                                        : Html.text(m.bound()), number(m.states()),
                                m.code().isEmpty() ? status(Status.UNKNOWN, "unknown") : m.code().stream().map(Page::code)
                                        .collect(Collectors.joining("<br>")))).toList());
    }

    private static String code(Dossier.CodeMutant code) {
        String where = code.where() == null ? status(Status.FAILED, "its guard is gone from " + code.java().replaceAll(".*\\.", ""))
                : code.where().isEmpty() ? Html.code(code.java().replaceAll(".*\\.", "")) : place(code.where());
        String found = !code.fresh() ? status(Status.UNKNOWN, "unknown, sources changed")
                : code.seeds() == null ? status(code.found() ? Status.NONE : Status.FAILED, code.property())
                : status(Status.OK, code.property() + " after " + number(code.seeds()) + " seeds");
        return where + "<br>" + found + (code.note().isEmpty() ? "" : "<br>" + Html.text(code.note()));
    }

    private String mutant(Dossier.SystemPart system, Dossier.Mutant m) {
        String id = "mutant-" + system.name() + "-" + m.name();
        String summary = "<strong>" + Html.text(m.name()) + "</strong> " + status(m.status(), m.verdict());
        if (m.steps() == null) {
            return Html.details(id, summary, "<p>" + Html.text((m.message() == null ? "" : m.message() + ". ") + (m.why() == null ? "" : m.why()))
                    + "</p>");
        }
        return Html.details(id, summary + ", " + Html.text(m.bound()), steps(system, m.name(), m.steps(), m));
    }

    // ---- counterexamples

    private String steps(Dossier.SystemPart system, String name, Dossier.Steps steps, Dossier.Mutant mutant) {
        StringBuilder content = new StringBuilder("<p class=\"violated\">Violated: " + Html.code(steps.property()) + ". " + Html.text(steps.says())
                + "</p>\n");
        String guard = mutant == null ? null : mutant.guard();
        Dossier.Guard known = system.guards().stream().filter(g -> g.name().equals(guard)).findFirst().orElse(null);
        if (guard != null) {
            content.append("<div class=\"guard\"><p>Removed: ").append(Html.link("guard-" + system.name() + "-" + guard, guard)).append(". ")
                    .append(Html.text(known == null ? "" : known.says())).append("</p>")
                    .append(known == null ? "" : "<pre>" + Html.text(known.text()) + "</pre>")
                    .append(mutant.why() == null ? "" : "<p>" + Html.text(mutant.why()) + "</p>").append("<p>")
                    .append(Html.text(prevented(steps.guarded())))
                    .append("</p></div>\n");
        }
        content.append("<div class=\"stepper\" role=\"group\" tabindex=\"0\" aria-label=\"Steps of ").append(Html.text(name))
                .append("; arrow keys left and right\">\n<div class=\"controls\" hidden><button type=\"button\" data-go=\"first\">First</button>")
                .append("<button type=\"button\" data-go=\"back\">Back</button><button type=\"button\" data-go=\"next\">Next</button>")
                .append("<button type=\"button\" data-go=\"all\">All</button></div>\n<p class=\"now\" aria-live=\"polite\"></p>\n")
                .append(picture(steps, guard)).append("</div>\n");
        return content.toString();
    }

    private static String prevented(Integer guarded) {
        return guarded == null ? "Which step it prevents is unknown."
                : guarded == 0 ? "The spec allows each of these steps with the guard too: either it brings about that something else happens in the "
                        + "end, or the property "
                        + "is defined with it, or it is gone from the spec."
                : "It prevents step " + guarded + ", which is marked.";
    }

    private static String picture(Dossier.Steps steps, String guard) {
        SwimLane picture = steps.picture();
        StringBuilder table = new StringBuilder("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + Html.text(picture.title())
                + "\"><table class=\"lanes\"><caption>" + Html.text(picture.title()) + "</caption><thead><tr><th scope=\"col\">step</th>");
        picture.lanes().forEach(l -> table.append("<th scope=\"col\">").append(Html.text(l.label())).append("</th>"));
        table.append("</tr></thead><tbody>\n");
        for (SwimLane.Row row : picture.rows()) {
            boolean guarded = steps.guarded() != null && steps.guarded() == row.number() && guard != null;
            table.append(guarded ? "<tr class=\"guarded\">" : "<tr>").append("<th scope=\"row\"><span>").append(row.number()).append(" ")
                    .append(Html.text(row.action()).replaceAll("(?<=[a-z])(?=[A-Z])", "<wbr>")).append("</span>")
                    .append(row.source().isEmpty() ? "" : "<small>" + Html.text(row.source()) + "</small>")
                    .append(guarded ? "<small class=\"stop\">" + Html.text(guard) + " would prevent this</small>" : "").append("</th>");
            picture.lanes().forEach(l -> table.append("<td>").append(row.cells().getOrDefault(l, List.of()).stream().map(Html::text)
                    .collect(Collectors.joining("<br>"))).append("</td>"));
            table.append("</tr>\n");
        }
        return table.append("</tbody></table></div>\n").append(picture.ending() == null ? "" : "<p>↻ " + Html.text(picture.ending()) + "</p>\n")
                .toString();
    }

    // ---- what is shared

    private void departures() {
        List<Html.Row> rows = dossier.departures().stream().map(d -> Html.row(null, Html.inline(d.where()), Html.inline(d.what()),
                Html.inline(d.evidence(), this::mutantLink),
                d.systems().stream().map(s -> Html.link("system-" + s, s)).collect(Collectors.joining(", ")))).toList();
        section("departures", "Departures from the papers, and errata",
                rows.isEmpty() ? "<p>None are noted beside the specs.</p>\n"
                        : Html.table("Departures and errata, as specs/README.md has them", List.of("where", "what", "evidence", "system"), rows));
    }

    /** A mutant's name as a link to it; any other piece of code as it is. */
    private String mutantLink(String name) {
        return dossier.systems().stream().filter(s -> s.mutants().stream().anyMatch(m -> m.name().equals(name))).findFirst()
                .map(s -> Html.link("mutant-" + s.name() + "-" + name, name)).orElseGet(() -> Html.code(name));
    }

    private void javaRuns() {
        JavaEvidence evidence = dossier.evidence();
        StringBuilder content = new StringBuilder("<h3>Simulator</h3>\n");
        if (evidence.torture().isEmpty()) {
            content.append("<p>").append(status(Status.UNKNOWN, "unknown")).append(": <code>make torture</code> did not run in this tree.</p>\n");
        }
        for (JavaEvidence.Torture torture : evidence.torture()) {
            content.append(torture.failed() == null ? "" : "<p>" + status(Status.FAILED, "Seed " + torture.failed().get("seed") + " violates "
                    + torture.failed().get("property") + ": " + torture.failed().get("message")) + "</p>\n"
                    + (torture.picture() == null ? "" : image("What happened in this run, step by step; the same as text: target/torture",
                            torture.picture())));
            content.append(torture.fresh() ? "" : "<p>" + status(Status.UNKNOWN, "The sources have changed since.") + "</p>\n")
                    .append(values("The last campaign", torture.says()));
        }
        content.append("<h3>Conformance: behaviours of the spec, driven into the code</h3>\n");
        if (evidence.conformance().isEmpty()) {
            content.append("<p>").append(status(Status.UNKNOWN, "unknown")).append(": nothing in <code>target/conformance</code>.</p>\n");
        }
        evidence.conformance().forEach(c -> content.append(c.fresh() ? "" : "<p>"
                + status(Status.UNKNOWN, c.name() + ": specs or sources have changed since.")
                + "</p>\n").append(c.says() instanceof Map<?, ?> map ? map.containsKey("visited") ? visited(map) : values(c.name(), map) : "<pre>"
                        + Html.text(Json.write(c.says())) + "</pre>"));
        content.append("<h3 id=\"tests\">Tests of the Java modules</h3>\n");
        content.append(evidence.tests().isEmpty() ? "<p>" + status(Status.UNKNOWN, "unknown")
                + ": <code>make test</code> did not run in this tree.</p>\n"
                : Html.table("The last run of the tests of each module", List.of("module", "tests", "skipped", "failing"), evidence.tests().stream()
                        .map(t -> Html.row(null, Html.code(t.module()), number(t.run()), number(t.skipped()), !t.fresh()
                                ? status(Status.UNKNOWN, "unknown, sources changed since")
                                : t.failing().isEmpty() ? status(Status.OK, "none") : status(Status.FAILED, String.join("; ", t.failing()))))
                        .toList()));
        section("simulation", "Simulation, conformance and tests", content.toString());
    }

    /** How many states of the spec the simulator comes to. */
    private static String visited(Map<?, ?> says) {
        return Html.table("Distinct states of two writers of a key that the simulator's first seeds come to", List.of("seeds", "states", "of the "
                + value(says.get("statesOfTheModels")) + " of the small models"), ((List<?>) says.get("visited")).stream().map(row -> (Map<?, ?>) row)
                        .map(row -> Html.row(null, value(row.get("seeds")), value(row.get("states")), value(row.get("ofTheModels")))).toList());
    }

    /** A map as a table; maps and lists in it on one line. */
    private static String values(String caption, Map<?, ?> map) {
        return Html.table(caption, List.of("what", "value"), map.entrySet().stream()
                .map(e -> Html.row(null, Html.text(e.getKey()), value(e.getValue()))).toList());
    }

    private static String value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(e -> Html.text(e.getKey()) + " " + value(e.getValue())).collect(Collectors.joining(", "));
        } else if (value instanceof List<?> list) {
            return list.stream().map(Page::value).collect(Collectors.joining(", "));
        }
        return value instanceof Long n ? number(n) : Html.text(value);
    }

    private void clusters() {
        StringBuilder content = new StringBuilder();
        for (JavaEvidence.ClusterRun run : dossier.evidence().clusters()) {
            content.append("<h3>").append(Html.text(run.name())).append("</h3>\n<p>").append(status(run.status(), run.status() == Status.OK ? "valid"
                    : run.status() == Status.FAILED ? "invalid" : run.fresh() ? "unknown" : "unknown, the sources have changed since"))
                    .append("</p>\n");
            run.pictures().forEach(picture -> content.append(image("Plot of " + run.name() + ", shaded where a fault was in effect", picture)));
            content.append(Html.details(null, "What came of " + Html.text(run.name()), values(run.name(), run.says())));
        }
        section("clusters", "Clusters under faults", content.length() == 0
                ? "<p>" + status(Status.UNKNOWN, "unknown") + ": <code>make cluster-test</code> did not run in this tree.</p>\n"
                : content.toString());
    }

    private void benchmarks() {
        StringBuilder content = new StringBuilder();
        for (JavaEvidence.Benchmark b : dossier.evidence().benchmarks()) {
            content.append("<h3>").append(Html.text(b.name())).append("</h3>\n<p>").append(Html.text(b.machine().isEmpty() ? "On an unknown machine."
                    : "Recorded: " + b.machine().entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).collect(Collectors.joining(", "))
                            + ".")).append("</p>\n");
            b.pictures().forEach(picture -> content.append(image("Plot of " + b.name() + "; the numbers are in the table below, or in docs/"
                    + b.name(), picture)));
            content.append(Html.details(null, "The numbers of " + Html.text(b.name()), Html.table(b.name(), b.table().get(0),
                    b.table().stream().skip(1).map(row -> new Html.Row(null, row.stream().map(Html::text).toList())).toList())));
        }
        section("benchmarks", "Benchmarks", content.length() == 0 ? "<p>None are recorded in docs.</p>\n" : content.toString());
    }

    /** An SVG that keeps its styles to itself. */
    private static String image(String says, String svg) {
        return "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + Html.text(says) + "\"><img alt=\"" + Html.text(says)
                + "\" src=\"data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)) + "\"></div>\n";
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
