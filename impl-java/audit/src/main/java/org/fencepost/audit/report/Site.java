package org.fencepost.audit.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.fencepost.audit.report.Dossier.SystemPart;

/**
 * An audit as a site of static pages in one folder, which needs no server and fetches nothing from elsewhere: an overview, a page for each
 * system, for each counterexample, for other evidence, and for each source file that something links to. The script only adds search,
 * filters and stepping: without it all is there.
 *
 * <p>Whatever can be linked to has an id, such as {@code guard-OmidLL-NoConflict}, which tells the page that it is on.
 */
final class Site {
    /** In each page. */
    static final String MADE_BY = "Made by <code>make audit</code>";

    private static final Map<String, String> OTHERS = new LinkedHashMap<>();

    static {
        OTHERS.put("proofs", "Proofs");
        OTHERS.put("departures", "Departures and errata");
        OTHERS.put("not-modelled", "Not modelled");
        OTHERS.put("simulation", "Simulation and tests");
        OTHERS.put("clusters", "Clusters");
        OTHERS.put("benchmarks", "Benchmarks");
    }

    private final Dossier dossier;
    private final Map<String, String> files = new LinkedHashMap<>();

    private Site(Dossier dossier) {
        this.dossier = dossier;
    }

    /**
     * The site's files by name.
     *
     * @param comparison with another revision, or null
     * @param root the tree that was audited, whose files the pages show
     */
    static Map<String, String> of(Dossier dossier, Comparison comparison, Path root) {
        Site site = new Site(dossier);
        Sources sources = new Sources(root);
        site.add("index.html", "Overview", new Overview(dossier, comparison).html());
        for (SystemPart system : dossier.systems()) {
            site.add(system.name() + ".html", system.name(), new SystemPage(system, sources).html());
            new Counterexamples(system, sources).addTo(site);
        }
        RunPages runs = new RunPages(dossier.evidence());
        site.add("proofs.html", OTHERS.get("proofs"), Html.section("proofs", "Proofs", dossier.proofs().html()));
        site.add("departures.html", OTHERS.get("departures"), Overview.departures(dossier));
        site.add("not-modelled.html", OTHERS.get("not-modelled"),
                Html.section("not-modelled", "What is not modelled", Html.markdown(dossier.notModelled())));
        site.add("simulation.html", OTHERS.get("simulation"), runs.java());
        site.add("clusters.html", OTHERS.get("clusters"), runs.clusters());
        site.add("benchmarks.html", OTHERS.get("benchmarks"), runs.benchmarks());
        sources.addTo(site);
        site.files.put("audit.css", resource("audit.css"));
        site.files.put("audit.js", resource("audit.js"));
        site.files.put("search.js", Search.script(dossier));
        return site.files;
    }

    /** The page, and the place on it, of an id. */
    static String href(String id) {
        String[] parts = id.split("-", 3);
        return switch (parts[0]) {
            case "system" -> parts[1] + ".html";
            case "property", "action", "guard", "model", "models", "mutants" -> parts[1] + ".html#" + id;
            case "mutant", "steps" -> parts[1] + "." + parts[2] + ".html";
            case "tests" -> "simulation.html#tests";
            default -> OTHERS.containsKey(id) ? id + ".html" : "index.html#" + id;
        };
    }

    void add(String name, String title, String content) {
        String revision = dossier.revision() == null ? "" : " of " + dossier.revision();
        StringBuilder out = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\"><title>"
                + Html.text(title + " – Fencepost audit" + revision) + "</title>\n<link rel=\"stylesheet\" href=\"audit.css\"></head><body>\n"
                + "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
                + "<header><h1><a href=\"index.html\">Fencepost audit</a></h1><p>"
                + Html.text("Commit" + (dossier.revision() == null ? " unknown" : revision.substring(3)) + ". Model checker: TLC "
                        + (dossier.tool().get("version") == null ? "version unknown" : dossier.tool().get("version")) + ".")
                + "</p>\n<form class=\"search\" role=\"search\" hidden><label for=\"search\">Search</label> <input type=\"search\" id=\"search\" "
                + "autocomplete=\"off\" placeholder=\"a property, an action, a guard, a mutant\"><p class=\"count\" aria-live=\"polite\"></p>"
                + "<ul class=\"found\"></ul></form></header>\n");
        navigation(name, out);
        out.append("<main id=\"main\">\n").append(content)
                .append("</main>\n<footer><p>" + MADE_BY + " from specs, sources and the results of runs in this tree. <em>unknown</em>: "
                        + "it did not run here, or the sources have changed since. The same for machines: <code>audit.json</code>.</p></footer>\n"
                        + "<script src=\"search.js\"></script><script src=\"audit.js\"></script></body></html>\n");
        if (files.put(name, out.toString()) != null) {
            throw new IllegalStateException("two pages are called " + name);
        }
    }

    private void navigation(String page, StringBuilder out) {
        out.append("<nav aria-label=\"Pages\"><ul>");
        item(page, "index.html", "Overview", out);
        dossier.systems().forEach(s -> item(page, s.name() + ".html", s.name(), out));
        OTHERS.forEach((id, title) -> item(page, id + ".html", title, out));
        out.append("</ul></nav>\n");
    }

    private static void item(String page, String name, String title, StringBuilder out) {
        boolean isHere = page.equals(name);
        boolean isBelow = !isHere && page.startsWith(name.replace("html", ""));
        out.append("<li><a href=\"").append(Html.text(name)).append('"').append(isHere ? " aria-current=\"page\"" : isBelow ? " aria-current=\"true\"" : "")
                .append('>').append(Html.text(title)).append("</a></li>");
    }

    /** What pages of all kinds show of a status: a mark, and words. */
    static String status(Dossier.Status status, String text) {
        return cell(new Dossier.Cell(status, text, null));
    }

    static String cell(Dossier.Cell cell) {
        return "<span class=\"" + status(cell.status()) + "\">" + mark(cell.status()) + " "
                + (cell.link() == null ? Html.text(cell.text()) : Html.link(cell.link(), cell.text())) + "</span>";
    }

    static String mark(Dossier.Status status) {
        return switch (status) {
            case OK -> "✓";
            case FAILED -> "✗";
            case UNKNOWN -> "?";
            case NONE -> "–";
        };
    }

    /** The class of its elements. */
    static String status(Dossier.Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static String resource(String name) {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
