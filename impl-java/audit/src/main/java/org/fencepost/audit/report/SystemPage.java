package org.fencepost.audit.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.fencepost.audit.report.Dossier.Kind;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.report.Dossier.SystemPart;

/** A system's page: its properties with their evidence, and the ledger that ties paper, spec, code, guards and mutants. */
final class SystemPage {
    private final SystemPart system;
    private final String name;
    private final Sources sources;
    private final List<String> parts = new ArrayList<>();
    private final StringBuilder content = new StringBuilder();

    SystemPage(SystemPart system, Sources sources) {
        this.system = system;
        this.name = system.name();
        this.sources = sources;
    }

    String html() {
        if (system.properties().isEmpty() && system.models().isEmpty()) {
            return Html.section("system-" + name, name, about() + "<p>It has no models of its own: others refine it.</p>\n");
        }
        part("evidence", "Properties", properties());
        if (!system.actions().isEmpty()) {
            part("actions", "Actions", actions());
        }
        if (!system.guards().isEmpty()) {
            part("guards", "Guards", guards());
        }
        part("models-" + name, "Models", models());
        if (!system.mutants().isEmpty()) {
            part("mutants-" + name, "Mutants", mutants());
        }
        return Html.section("system-" + name, name, about() + "<p class=\"around\">On this page: " + String.join(" · ", parts) + "</p>\n"
                + "<form class=\"filter\" hidden><label for=\"filter\">Filter</label> <input type=\"search\" id=\"filter\" autocomplete=\"off\" "
                + "placeholder=\"words that a row has\"> <label><input type=\"checkbox\" id=\"open\"> only what fails or is unknown</label>"
                + "<p class=\"count\" aria-live=\"polite\"></p></form>\n" + content);
    }

    private String about() {
        return system.about().isEmpty() ? "" : "<p>" + Html.inline(Character.toUpperCase(system.about().charAt(0)) + system.about().substring(1)) + ".</p>\n";
    }

    private void part(String id, String title, String table) {
        parts.add("<a href=\"#" + id + "\">" + title + "</a>");
        content.append("<h3 id=\"").append(id).append("\">").append(title).append("</h3>\n").append(table);
    }

    private String id(String kind, String of) {
        return kind + "-" + name + "-" + of;
    }

    private String properties() {
        List<String> head = new ArrayList<>(List.of("property"));
        List.of(Kind.values()).forEach(k -> head.add(k.title));
        return Html.table("evidence cards", "Evidence for the properties of " + name, head, system.properties().stream().map(p -> {
            List<String> row = new ArrayList<>(List.of(Html.code(p.name()) + (p.temporal() ? " (temporal)" : "")
                    + Html.details(null, "what it says", "<p>" + Html.text(p.says()) + "</p><p>" + sources.link(p.where()) + "</p>")));
            p.evidence().values().forEach(cell -> row.add(Site.cell(cell)));
            return new Html.Row(id("property", p.name()), row);
        }).toList());
    }

    // ---- the ledger

    private String actions() {
        return Html.table("ledger cards", "The ledger of " + name + ": paper, spec, code, guards, and the mutants without them",
                List.of("action", "what it does", "in Java", "guards, and what dies without them"), system.actions().stream()
                        .map(a -> Html.row(id("action", a.name()),
                                Html.code(a.name()) + "<small>" + (a.source().isEmpty() ? "not in the paper" : Html.text(a.source())) + "</small><small>"
                                        + (a.taken() == null ? "taken: " + Site.status(Status.UNKNOWN, "unknown")
                                                : String.format(Locale.ROOT, "taken %,d times", a.taken())) + "</small>",
                                Html.text(a.says()) + Html.details(null, "definition", "<p>" + sources.link(a.where()) + "</p><pre>" + Html.text(a.text())
                                        + "</pre>"),
                                a.java().isEmpty() ? "no method of this name" : places(a.java()), guards(a))).toList());
    }

    /** Each guard of an action, the mutants that remove it, and of which property these die. */
    private String guards(Dossier.Action action) {
        List<String> lines = new ArrayList<>();
        for (String guard : action.guards()) {
            Dossier.Guard own = system.guards().stream().filter(g -> g.name().equals(guard)).findFirst().orElse(null);
            List<String> mutants = own == null ? List.of() : own.mutants().stream().filter(action.mutants()::contains).toList();
            lines.add((own == null ? Html.code(guard) : Html.link(id("guard", guard), guard)) + (mutants.isEmpty() ? "" : ": " + mutantLinks(mutants)));
        }
        String dies = action.properties().stream().map(p -> property(system, p)).collect(Collectors.joining(", "));
        return "<ul class=\"lines\">" + lines.stream().map(l -> "<li>" + l + "</li>").collect(Collectors.joining()) + "</ul>"
                + (dies.isEmpty() ? "" : "<small>Properties that depend on them: " + dies + "</small>");
    }

    /** A link to a property; what is none of the system's, such as its types, is only named. */
    static String property(SystemPart system, String name) {
        return system.properties().stream().anyMatch(p -> p.name().equals(name)) ? Html.link("property-" + system.name() + "-" + name, name)
                : Html.code(name);
    }

    private String mutantLinks(List<String> mutants) {
        return mutants.stream().map(m -> Html.link("mutant-" + m.replace('/', '-'), m.replaceFirst("^" + name + "/", ""))).collect(Collectors.joining(", "));
    }

    private String places(List<String> java) {
        return java.stream().map(sources::link).collect(Collectors.joining("<br>"));
    }

    private String guards() {
        return Html.table("ledger cards", "The guards of " + name + ", and the mutants that remove them",
                List.of("guard", "what it prevents", "in Java", "actions and mutants"), system.guards().stream()
                        .map(g -> Html.row(id("guard", g.name()), Html.code(g.name()),
                                Html.text(g.says()) + Html.details(null, "definition", "<p>" + sources.link(g.where()) + "</p><pre>" + Html.text(g.text())
                                        + "</pre>"),
                                g.java().isEmpty() ? "no method of this name" : places(g.java()),
                                (g.actions().isEmpty() ? "" : "In " + Html.links("action-" + name + "-", g.actions()) + ". ")
                                        + (g.mutants().isEmpty() ? "No mutant." : "Removed by " + mutantLinks(g.mutants()) + "."))).toList());
    }

    // ---- models and mutants

    private String models() {
        return Html.table("Models of " + name + ": bounds and what was found",
                List.of("model", "verdict", "bounds", "states", "depth", "seconds", "witnesses", "leaves out"), system.models().stream()
                        .map(m -> Html.row(id("model", m.name()), Html.code(m.name()),
                                Site.status(m.status(), m.verdict() + (m.message() == null ? "" : ": " + m.message())) + (m.steps() == null ? ""
                                        : " " + Html.link(id("steps", m.name()), "Show")),
                                m.bounds().entrySet().stream().map(b -> Html.code(b.getKey() + " = " + b.getValue()))
                                        .collect(Collectors.joining(", ", "<span class=\"bounds\">", "</span>")),
                                number(m.states()), number(m.depth()), String.format(Locale.ROOT, "%.1f", m.seconds()), witnesses(m),
                                Html.text(String.join(", ", m.uncovered())))).toList());
    }

    private static String witnesses(Dossier.Model m) {
        if (m.witnesses().isEmpty()) {
            return "";
        }
        int reached = m.witnesses().size() - m.missed().size();
        return Html.details(null, reached + " of " + m.witnesses().size() + " reached", "<p>" + Html.text(String.join(", ", m.witnesses()))
                + (m.missed().isEmpty() ? "" : ". Not reached: " + Html.text(String.join(", ", m.missed()))) + "</p>");
    }

    static String number(Long n) {
        return n == null ? "" : String.format(Locale.ROOT, "%,d", n);
    }

    private String mutants() {
        return Html.table("cards", "Mutants of " + name + ": each name leads to its counterexample, the shortest that was seen",
                List.of("mutant", "removes", "verdict", "model", "counterexample", "states", "in Java"), system.mutants().stream()
                        .map(m -> Html.row(null,
                                Html.link(id("mutant", m.name()), m.name()),
                                m.guard() == null ? "" : Html.link(id("guard", m.guard()), m.guard()),
                                Site.status(m.status(), m.verdict() + (m.expected().equals(m.verdict()) ? "" : ", expected " + m.expected())),
                                m.model() == null ? "" : Html.link(id("model", m.model()), m.model()), m.bound() == null ? "" : Html.text(m.bound()),
                                number(m.states()), m.code().isEmpty() ? Site.status(Status.UNKNOWN, "unknown")
                                        : m.code().stream().map(c -> code(c, sources)).collect(Collectors.joining("<br>")))).toList());
    }

    /** What became of a guard's removal in Java. */
    static String code(Dossier.CodeMutant code, Sources sources) {
        String where = code.where() == null ? Site.status(Status.FAILED, "its guard is gone from " + code.java().replaceAll(".*\\.", ""))
                : code.where().isEmpty() ? Html.code(code.java().replaceAll(".*\\.", "")) : sources.link(code.where());
        String found = !code.fresh() ? Site.status(Status.UNKNOWN, "unknown, sources changed")
                : code.seeds() == null ? Site.status(code.found() ? Status.NONE : Status.FAILED, code.property())
                : Site.status(Status.OK, code.property() + " after " + number(code.seeds()) + " seeds");
        return where + "<br>" + found + (code.note().isEmpty() ? "" : "<br>" + Html.text(code.note()));
    }
}
