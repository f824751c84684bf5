package org.fencepost.audit.report;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.Json;

/** The pages of what runs of the Java code left in the tree. */
final class RunPages {
    private final JavaEvidence evidence;

    RunPages(JavaEvidence evidence) {
        this.evidence = evidence;
    }

    /** The simulator, conformance, and tests. */
    String java() {
        StringBuilder content = new StringBuilder("<h3>Simulator</h3>\n");
        if (evidence.torture().isEmpty()) {
            content.append("<p>").append(Site.status(Status.UNKNOWN, "unknown")).append(": <code>make torture</code> did not run in this tree.</p>\n");
        }
        for (JavaEvidence.Torture torture : evidence.torture()) {
            content.append(torture.failed() == null ? "" : "<p>" + Site.status(Status.FAILED, "Seed " + torture.failed().get("seed") + " violates "
                    + torture.failed().get("property") + ": " + torture.failed().get("message")) + "</p>\n"
                    + (torture.picture() == null ? "" : image("What happened in this run, step by step; the same as text: target/torture",
                            torture.picture())));
            content.append(torture.fresh() ? "" : "<p>" + Site.status(Status.UNKNOWN, "The sources have changed since.") + "</p>\n")
                    .append(values("The last campaign", torture.says()));
        }
        content.append("<h3>Conformance: behaviours of the spec, driven into the code</h3>\n");
        if (evidence.conformance().isEmpty()) {
            content.append("<p>").append(Site.status(Status.UNKNOWN, "unknown")).append(": nothing in <code>target/conformance</code>.</p>\n");
        }
        evidence.conformance().forEach(c -> content.append(c.fresh() ? "" : "<p>"
                + Site.status(Status.UNKNOWN, c.name() + ": specs or sources have changed since.")
                + "</p>\n").append(c.says() instanceof Map<?, ?> map ? map.containsKey("visited") ? visited(map) : values(c.name(), map) : "<pre>"
                        + Html.text(Json.write(c.says())) + "</pre>"));
        content.append("<h3 id=\"tests\">Tests of the Java modules</h3>\n");
        content.append(evidence.tests().isEmpty() ? "<p>" + Site.status(Status.UNKNOWN, "unknown")
                + ": <code>make test</code> did not run in this tree.</p>\n"
                : Html.table("The last run of the tests of each module", List.of("module", "tests", "skipped", "failing"), evidence.tests().stream()
                        .map(t -> Html.row(null, Html.code(t.module()), SystemPage.number(t.run()), SystemPage.number(t.skipped()), !t.fresh()
                                ? Site.status(Status.UNKNOWN, "unknown, sources changed since")
                                : t.failing().isEmpty() ? Site.status(Status.OK, "none") : Site.status(Status.FAILED, String.join("; ", t.failing()))))
                        .toList()));
        return Html.section("simulation", "Simulation, conformance and tests", content.toString());
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
            return list.stream().map(RunPages::value).collect(Collectors.joining(", "));
        }
        return value instanceof Long n ? SystemPage.number(n) : Html.text(value);
    }

    String clusters() {
        StringBuilder content = new StringBuilder();
        for (JavaEvidence.ClusterRun run : evidence.clusters()) {
            content.append("<h3>").append(Html.text(run.name())).append("</h3>\n<p>").append(Site.status(run.status(), run.status() == Status.OK ? "valid"
                    : run.status() == Status.FAILED ? "invalid" : run.fresh() ? "unknown" : "unknown, the sources have changed since"))
                    .append("</p>\n");
            run.pictures().forEach(picture -> content.append(image("Plot of " + run.name() + ", shaded where a fault was in effect", picture)));
            content.append(Html.details(null, "What came of " + Html.text(run.name()), values(run.name(), run.says())));
        }
        return Html.section("clusters", "Clusters under faults", content.length() == 0
                ? "<p>" + Site.status(Status.UNKNOWN, "unknown") + ": <code>make cluster-test</code> did not run in this tree.</p>\n"
                : content.toString());
    }

    String benchmarks() {
        StringBuilder content = new StringBuilder();
        for (JavaEvidence.Benchmark b : evidence.benchmarks()) {
            content.append("<h3>").append(Html.text(b.name())).append("</h3>\n<p>").append(Html.text(b.machine().isEmpty() ? "On an unknown machine."
                    : "Recorded: " + b.machine().entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).collect(Collectors.joining(", "))
                            + ".")).append("</p>\n");
            b.pictures().forEach(picture -> content.append(image("Plot of " + b.name() + "; the numbers are in the table below, or in docs/"
                    + b.name(), picture)));
            content.append(Html.details(null, "The numbers of " + Html.text(b.name()), Html.table(b.name(), b.table().get(0),
                    b.table().stream().skip(1).map(row -> new Html.Row(null, row.stream().map(Html::text).toList())).toList())));
        }
        return Html.section("benchmarks", "Benchmarks", content.length() == 0 ? "<p>None are recorded in docs.</p>\n" : content.toString());
    }

    /** An SVG that keeps its styles to itself. */
    private static String image(String says, String svg) {
        return "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + Html.text(says) + "\"><img alt=\"" + Html.text(says)
                + "\" src=\"data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)) + "\"></div>\n";
    }
}
