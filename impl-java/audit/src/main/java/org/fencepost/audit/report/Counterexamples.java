package org.fencepost.audit.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.fencepost.audit.report.Dossier.Mutant;
import org.fencepost.audit.report.Dossier.Steps;
import org.fencepost.audit.report.Dossier.SystemPart;
import org.fencepost.lanes.SwimLane;

/** The pages of a system's mutants and of its models that violate something: the steps, which can be taken one by one, and what they teach. */
final class Counterexamples {
    private final SystemPart system;
    private final Sources sources;

    Counterexamples(SystemPart system, Sources sources) {
        this.system = system;
        this.sources = sources;
    }

    /** @param mutant null for a model @param steps null where there is no counterexample */
    record Run(String name, Mutant mutant, Steps steps, String verdict) {}

    /** Those with steps. */
    static List<Run> of(SystemPart system) {
        return all(system).stream().filter(r -> r.steps != null).toList();
    }

    private static List<Run> all(SystemPart system) {
        List<Run> all = new ArrayList<>();
        system.models().stream().filter(m -> m.steps() != null).forEach(m -> all.add(new Run(m.name(), null, m.steps(), m.verdict())));
        system.mutants().forEach(m -> all.add(new Run(m.name(), m, m.steps(), m.verdict())));
        return all;
    }

    void addTo(Site site) {
        List<Run> all = all(system);
        for (int i = 0; i < all.size(); i++) {
            String around = "<p class=\"around\">" + Html.link((all.get(i).mutant == null ? "models-" : "mutants-") + system.name(), "All of " + system.name())
                    + (i == 0 ? "" : " · " + link("Before: ", all.get(i - 1))) + (i == all.size() - 1 ? "" : " · " + link("Next: ", all.get(i + 1)))
                    + "</p>\n";
            Run run = all.get(i);
            site.add(system.name() + "." + run.name + ".html", system.name() + "/" + run.name, around + html(run));
        }
    }

    private String link(String words, Run run) {
        return Html.link("steps-" + system.name() + "-" + run.name, words + run.name);
    }

    private String html(Run run) {
        Mutant mutant = run.mutant;
        Dossier.Status status = mutant == null ? system.models().stream().filter(m -> m.name().equals(run.name)).findFirst().orElseThrow().status()
                : mutant.status();
        StringBuilder content = new StringBuilder("<p>").append(mutant == null ? "A model of " : "A mutant of ")
                .append(Html.link("system-" + system.name(), system.name())).append(": ").append(Site.status(status, run.verdict))
                .append(mutant == null || mutant.bound() == null ? "" : ", " + Html.text(mutant.bound()))
                .append(mutant == null || mutant.model() == null ? "" : ", in model " + Html.link("model-" + system.name() + "-" + mutant.model(),
                        mutant.model()))
                .append(".</p>\n");
        if (mutant != null && mutant.message() != null) {
            content.append("<p>").append(Html.text(mutant.message())).append(".</p>\n");
        }
        if (run.steps != null) {
            content.append("<p class=\"violated\">Violated: ").append(SystemPage.property(system, run.steps.property()))
                    .append(". ").append(Html.text(run.steps.says())).append("</p>\n");
        }
        content.append(guard(mutant));
        if (run.steps != null) {
            content.append(stepper(run.name, run.steps, mutant == null ? null : mutant.guard()));
        }
        if (mutant != null && !mutant.code().isEmpty()) {
            content.append("<h3>The same guard, removed in Java</h3>\n<p>").append(mutant.code().stream().map(c -> SystemPage.code(c, sources))
                    .collect(Collectors.joining("</p><p>"))).append("</p>\n");
        }
        return Html.section("steps", run.name, content.toString());
    }

    private String guard(Mutant mutant) {
        if (mutant == null || mutant.guard() == null) {
            return "";
        }
        Dossier.Guard known = system.guards().stream().filter(g -> g.name().equals(mutant.guard())).findFirst().orElse(null);
        return "<div class=\"guard\"><p>Removed: " + Html.link("guard-" + system.name() + "-" + mutant.guard(), mutant.guard()) + ". "
                + Html.text(known == null ? "" : known.says()) + "</p>"
                + (known == null ? "" : "<pre>" + Html.text(known.text()) + "</pre><p>" + sources.link(known.where()) + "</p>")
                + (mutant.why() == null ? "" : "<p>" + Html.text(mutant.why()) + "</p>")
                + (mutant.steps() == null ? "" : "<p>" + Html.text(prevented(mutant.steps().guarded())) + "</p>") + "</div>\n";
    }

    private static String prevented(Integer guarded) {
        return guarded == null ? "Which step it prevents is unknown."
                : guarded == 0 ? "The spec allows each of these steps with the guard too: either it brings about that something else happens in the "
                        + "end, or the property is defined with it, or it is gone from the spec."
                : "It prevents step " + guarded + ", which is marked.";
    }

    private static String stepper(String name, Steps steps, String guard) {
        return "<div class=\"stepper\" role=\"group\" tabindex=\"0\" aria-label=\"Steps of " + Html.text(name)
                + "; arrow keys left and right\">\n<div class=\"controls\" hidden><button type=\"button\" data-go=\"first\">First</button>"
                + "<button type=\"button\" data-go=\"back\">Back</button><button type=\"button\" data-go=\"next\">Next</button>"
                + "<button type=\"button\" data-go=\"all\">All</button></div>\n<p class=\"now\" aria-live=\"polite\"></p>\n"
                + picture(steps, guard) + "</div>\n";
    }

    private static String picture(Steps steps, String guard) {
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
}
