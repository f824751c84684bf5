package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.models.Completeness;
import org.fencepost.audit.models.Job;
import org.fencepost.audit.models.Result;
import org.fencepost.audit.models.Suite;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.Tlc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of the project's own specs, when nothing was run. */
class SiteTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path SPECS = ROOT.resolve("specs");
    private static final Pattern TAG = Pattern.compile("<(/?)([a-z][a-z0-9]*)\\b");
    private static final Set<String> EMPTY = Set.of("meta", "link", "br", "img", "input", "wbr");

    /** What is wrong with a site: links to nowhere, ids that occur twice, anything that is fetched from elsewhere, tags that do not match. */
    static List<String> flaws(Map<String, String> site) {
        List<String> flaws = new ArrayList<>();
        Map<String, Set<String>> ids = new HashMap<>();
        site.forEach((name, html) -> {
            ids.put(name, new HashSet<>());
            if (name.endsWith(".html")) {
                all("\\bid=\"([^\"]*)\"", html).stream().filter(id -> !ids.get(name).add(id)).forEach(id -> flaws.add(name + ": id twice: " + id));
            }
        });
        all("\"([^\"\\s]+\\.html(?:#[^\"]*)?)\"", site.getOrDefault("search.js", "")).stream().filter(h -> !isThere(h, "", ids))
                .forEach(h -> flaws.add("search.js: link: " + h));
        all("(@import|url\\()", site.getOrDefault("audit.css", "")).forEach(s -> flaws.add("audit.css fetches: " + s));
        all("(fetch\\(|import\\b|XMLHttpRequest)", site.getOrDefault("audit.js", "")).forEach(s -> flaws.add("audit.js fetches: " + s));
        site.forEach((name, html) -> flaws.addAll(name.endsWith(".html") ? flaws(name, html, ids) : List.of()));
        return flaws;
    }

    private static boolean isThere(String href, String page, Map<String, Set<String>> ids) {
        String[] parts = href.split("#", 2);
        Set<String> there = ids.get(parts[0].isEmpty() ? page : parts[0]);
        return there != null && (parts.length == 1 || there.contains(parts[1]));
    }

    private static List<String> flaws(String name, String html, Map<String, Set<String>> ids) {
        List<String> flaws = new ArrayList<>();
        all("\\bhref=\"([^\"]*)\"", html).stream().filter(h -> !isThere(h, name, ids)).forEach(h -> flaws.add("link: " + h));
        all("\\bsrc=\"([^\"]{0,40})", html).stream().filter(s -> !s.startsWith("data:") && !ids.containsKey(s)).forEach(s -> flaws.add("source: " + s));
        all("(<iframe|<style|<script>|style=\")", html).forEach(s -> flaws.add("fetches: " + s));
        all("aria-labelledby=\"([^\"]*)\"", html).stream().filter(id -> !ids.get(name).contains(id)).forEach(id -> flaws.add("label: " + id));
        Map<String, Integer> open = new TreeMap<>();
        TAG.matcher(html).results().filter(t -> !EMPTY.contains(t.group(2))).forEach(t -> open.merge(t.group(2), t.group(1).isEmpty() ? 1 : -1, Integer::sum));
        open.forEach((tag, more) -> {
            if (more != 0) {
                flaws.add(tag + " opened " + more + " times more than closed");
            }
        });
        return flaws.stream().map(f -> name + ": " + f).toList();
    }

    private static Map<String, String> site(Dossier dossier, Path tree) {
        return Site.of(dossier, null, tree);
    }

    /** Of this tree, which takes seconds: made once. */
    private static final class Whole {
        static final Dossier DOSSIER = nothingRun(ROOT);
        static final Map<String, String> SITE = site(DOSSIER, ROOT);
    }

    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map(m -> m.group(1)).toList();
    }

    private static Dossier nothingRun() {
        return nothingRun(Path.of("nowhere"));
    }

    private static Dossier nothingRun(Path tree) {
        Suite suite = Suite.load(SPECS);
        List<Result> results = suite.jobs().stream().map(j -> Result.notRun(j, Path.of("x"), "not run")).toList();
        Check.Findings found = new Check.Findings(suite, Tlc.locate(null), results, Completeness.of(suite, List.of(), false, false));
        return new Ledger(tree, SPECS, found, Map.of()).dossier(null);
    }

    @Test
    void whatDidNotRunIsUnknown() {
        Dossier dossier = nothingRun();
        assertFalse(dossier.passed());
        for (Dossier.SystemPart system : dossier.systems()) {
            system.properties().forEach(p -> p.evidence().forEach((kind, cell) -> assertTrue(cell.status() == Status.UNKNOWN || cell.status() == Status.NONE, system.name() + " " + p.name() + " " + kind + " "
                    + cell)));
            system.models().forEach(m -> assertEquals(Status.UNKNOWN, m.status(), m.name()));
            system.mutants().forEach(m -> assertEquals(Status.UNKNOWN, m.status(), m.name()));
            system.actions().forEach(a -> assertEquals(null, a.taken(), a.name()));
        }
    }

    @Test
    void theStatesThatTheSimulatorComesToAreATable(@TempDir Path tree) throws IOException {
        Files.createDirectories(tree.resolve("target/conformance"));
        Files.writeString(tree.resolve("target/conformance/Visited.json"),
                "{\"statesOfTheModels\": 77, \"visited\": [{\"seeds\": 10, \"states\": 55, \"ofTheModels\": 33}]}");
        Map<String, String> site = site(nothingRun(tree), tree);
        String html = site.get("simulation.html");
        assertTrue(html.contains("of the 77 of the small models"), html);
        assertTrue(html.contains(">10</th><td>55</td><td>33</td>"), html);
        assertEquals(List.of(), flaws(site));
    }

    /** A guard of the spec may be two places in the code, each with a mutant of its own. */
    @Test
    void allCodeMutantsOfAGuardAreShown(@TempDir Path tree) throws IOException {
        Files.createDirectories(tree.resolve("impl-java/simulation-tests/target"));
        String mutant = "{\"module\":\"OmidLL\",\"spec\":\"NoReRead\",\"java\":\"p.%s\",\"was\":\"\",\"seeds\":7,\"property\":\"Snapshot\","
                + "\"replay\":\"\",\"note\":\"\"}";
        Files.writeString(tree.resolve("impl-java/simulation-tests/target/code-mutants.json"), "[" + mutant.formatted("OnePlace") + ","
                + mutant.formatted("AnotherPlace") + "]");
        Map<String, String> site = site(nothingRun(tree), tree);
        for (String page : List.of("OmidLL.html", "OmidLL.NoReRead.html")) {
            assertTrue(site.get(page).contains("OnePlace") && site.get(page).contains("AnotherPlace"), site.get(page));
        }
        assertEquals(List.of(), flaws(site));
    }

    @Test
    void everyLinkLeadsSomewhere() {
        Map<String, String> site = new HashMap<>(Whole.SITE);
        assertEquals(List.of(), flaws(site));
        site.computeIfPresent("OmidLL.html", (name, html) -> html.replace("id=\"main\"", "id=\"other\""));
        site.computeIfPresent("index.html", (name, html) -> html.replaceFirst("</section>", ""));
        site.remove("specs.Mediator.tla.html");
        List<String> flaws = flaws(site);
        assertTrue(flaws.contains("OmidLL.html: link: #main"), "the test itself sees a broken link");
        assertTrue(flaws.contains("index.html: section opened 1 times more than closed"), "and an open section: " + flaws);
        assertTrue(flaws.stream().anyMatch(f -> f.startsWith("Mediator.html: link: specs.Mediator.tla.html#L")), "and one to a line: " + flaws);
    }

    /** A reviewer comes from an action to its line in the spec and in Java. */
    @Test
    void placesLeadToTheLine() {
        Map<String, String> site = Whole.SITE;
        List<String> spec = all("href=\"(specs\\.OmidLL\\.tla\\.html#L\\d+)\"", site.get("OmidLL.html"));
        String line = spec.stream().map(href -> href.replaceAll(".*#", "")).map(id -> all("<span id=\"" + id + "\">([^<]*)<", site.get("specs.OmidLL.tla.html")).get(0))
                .filter(text -> text.startsWith("ReReadRecord(t) ==")).findFirst().orElse("");
        assertFalse(line.isEmpty(), spec.toString());
        assertTrue(site.get("OmidLL.html").matches("(?s).*href=\"impl-java\\.protocol\\.[\\w.]*SnapshotReader\\.java\\.html#L\\d+\".*"));
    }

    /** From the first page to each counterexample it is one step, by name. */
    @Test
    void everyMutantCanBeSearchedFor() {
        String search = Whole.SITE.get("search.js");
        for (Dossier.SystemPart system : Whole.DOSSIER.systems()) {
            system.mutants().forEach(m -> assertTrue(search.contains("\"" + system.name() + "." + m.name() + ".html\""), m.name()));
        }
    }

    /** The picture has a square for each property and kind of evidence, with the status that the dossier has. */
    @Test
    void thePictureShowsEveryCell() {
        String html = Whole.SITE.get("index.html");
        for (Status status : Status.values()) {
            long cells = Whole.DOSSIER.systems().stream().flatMap(s -> s.properties().stream()).flatMap(p -> p.evidence().values().stream())
                    .filter(c -> c.status() == status).count();
            assertEquals(cells, all("(<i class=\"square " + Site.status(status) + "\" title)", html).size(), status.toString());
        }
    }

    @Test
    void theLedgerTiesPaperSpecAndCode() {
        Dossier dossier = new Ledger(ROOT, SPECS, new Check.Findings(Suite.load(SPECS), Tlc.locate(null), List.of(),
                new Completeness(List.of(), List.of())), Map.of()).dossier(null);
        Dossier.SystemPart omid = dossier.systems().stream().filter(s -> s.name().equals("OmidLL")).findFirst().orElseThrow();
        Dossier.Action action = omid.actions().stream().filter(a -> a.name().equals("ReReadRecord")).findFirst().orElseThrow();
        assertEquals("VLDB'18 Alg. 3, Read", action.source());
        assertEquals(List.of("SawCommitCell"), action.guards());
        assertTrue(action.text().startsWith("ReReadRecord(t) ==") && action.where().startsWith("specs/OmidLL.tla:"), action.toString());
        assertTrue(action.java().get(0).matches("impl-java/protocol/.*/SnapshotReader\\.java:\\d+"), action.java().toString());
        Dossier.SystemPart fast = dossier.systems().stream().filter(s -> s.name().equals("FastPath")).findFirst().orElseThrow();
        Dossier.Action taken = fast.actions().stream().filter(a -> a.name().equals("RequestCommit")).findFirst().orElseThrow();
        assertTrue(taken.guards().contains("NoConflict"), "guards of what is taken from OmidLL: " + taken.guards());
    }

    /** The table beside the specs names mutants, properties and witnesses: they must be there. */
    @Test
    void departuresNameWhatExists() throws Exception {
        Suite suite = Suite.load(SPECS);
        Set<String> known = suite.jobs().stream().map(Job::name).collect(Collectors.toCollection(TreeSet::new));
        suite.jobs().forEach(j -> known.addAll(j.witnesses()));
        for (Dossier.Departure departure : Whole.DOSSIER.departures()) {
            for (String name : all("`([^`]+)`", departure.evidence())) {
                assertTrue(known.stream().anyMatch(k -> k.matches(name.replace("*", "\\w*"))), name + " in: " + departure.where());
            }
        }
        String page = Files.readString(SPECS.resolve("README.md"));
        String section = page.substring(page.indexOf("\n## Departures"), page.indexOf("\n## What is not modelled"));
        assertEquals(section.lines().filter(l -> l.startsWith("|")).count() - 2, Whole.DOSSIER.departures().size(),
                "each row but the head has three cells");
        assertTrue(page.contains(Whole.DOSSIER.notModelled()));
    }

    @Test
    void markdownIsEscaped() {
        assertEquals("<code>a&lt;b</code> &amp; <em>c</em>, see d", Html.inline("`a<b` & *c*, see [d](e)"));
        assertEquals("<p>x</p>\n<ul>\n<li>one two</li>\n<li>three</li>\n</ul>\n", Html.markdown("x\n\n- one\n  two\n- three"));
    }
}
