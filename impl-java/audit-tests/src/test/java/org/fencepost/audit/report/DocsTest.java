package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.audit.models.Job;
import org.fencepost.audit.models.Suite;
import org.fencepost.audit.models.Verdict;
import org.junit.jupiter.api.Test;

/** The guides name what exists, and the glossary has the words that specs and report use. */
class DocsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path DOCS = ROOT.resolve("docs");
    /** Names of others, and parts of names that stand for many. */
    private static final Set<String> FOREIGN = Set.of("Get", "Put", "Delete", "Scan", "TTable", "HBaseTransactionManager", "RollbackException", "CheckpointedTransaction", "PageFilter", "PrefixFilter", "InclusiveStopFilter", "WhileMatchFilter",
            "AggregateImplementation", "ThreadMXBean", "DriverManager", "OMID", "IMMUTABLE_ROWS", "ALTER", "SELECT", "CT");

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "specs/README.md", "jepsen/README.md")
                .map(ROOT::resolve).toList());
        try (Stream<Path> docs = Files.list(DOCS)) {
            docs.filter(f -> f.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static List<MatchResult> all(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }

    /** Operators, constants, variables, modules, models, mutants, witnesses, events of traces; Java types and constants. */
    private static Set<String> known() throws IOException {
        Set<String> known = new TreeSet<>(FOREIGN);
        for (Job job : Suite.load(ROOT.resolve("specs")).jobs()) {
            known.add(job.name());
            known.addAll(job.witnesses());
        }
        List<Path> files = new ArrayList<>(sources());
        try (Stream<Path> specs = Files.walk(ROOT.resolve("specs"))) {
            specs.filter(f -> f.toString().endsWith(".tla")).forEach(files::add);
        }
        for (Path f : files) {
            known.add(f.getFileName().toString().replaceAll("\\..*", ""));
            all(f.toString().endsWith(".tla") ? "(?m)^(?:LEMMA |THEOREM )?(\\w+)(?:\\([^)]*\\))? ==|(?:e\\.action = \"|^ {4}(?=\\w+,?$))(\\w+)"
                    : "\\b(?:record|enum|interface|class) (\\w+)|\\b([A-Z]+_[A-Z_]+|REFUSED|FENCED)\\b",
                    text(f)).forEach(m -> known.add(m.group(1) == null ? m.group(2) : m.group(1)));
        }
        return known;
    }

    /** What somebody meant to fill in. */
    @Test
    void nothingIsLeftToFillIn() throws IOException {
        for (Path page : pages()) {
            assertEquals(List.of(), all("\\b(FIGURES?|TODO|TBD|FIXME|XXX)\\b", text(page)).stream().map(m -> m.group()).toList(), page.toString());
        }
    }

    /** But on the page whose names are another system's. */
    @Test
    void namesInCodeExist() throws IOException {
        Set<String> known = known();
        for (Path page : pages().stream().filter(p -> !p.endsWith("apache-omid.md")).toList()) {
            String prose = text(page).replaceAll("(?s)```.*?```", "");
            List<String> unknown = all("`([A-Z]\\w+)`", prose).stream().map(m -> m.group(1)).filter(n -> !known.contains(n)).distinct().toList();
            assertEquals(List.of(), unknown, page.toString());
        }
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        for (Path page : pages()) {
            for (MatchResult link : all("\\]\\(([^)#:]*)(?:#([^)]*))?\\)", text(page))) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                assertEquals(true, Files.exists(target), page + " links to " + target);
                if (link.group(2) != null) {
                    List<String> titles = all("(?m)^#+ (.*)$", text(target)).stream()
                            .map(m -> m.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-')).toList();
                    assertEquals(true, titles.contains(link.group(2)), page + " links to #" + link.group(2) + " of " + titles);
                }
            }
        }
    }

    /** What stands in backticks, in an indented block or in a fenced one, whose lines may go on after a backslash. */
    private static List<String> inCode(String pattern, Path page) {
        return all("(?s)```\\w*\\n.*?```|`[^`\\n]+`|(?m)^ {4,}.*?$", text(page).replaceAll("\\\\\\n\\s*", "")).stream()
                .flatMap(code -> code.group().lines()).flatMap(code -> all(pattern, code).stream()).map(m -> m.group(1)).toList();
    }

    /** The modules' Java files, without what other tests write into their {@code target} meanwhile. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT.resolve("impl-java"))) {
            for (Path folder : modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList()) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(f -> f.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    @Test
    void commandsExist() throws IOException {
        List<String> targets = all("(?m)^([a-z0-9-]+):(?!=)", text(ROOT.resolve("Makefile"))).stream().map(m -> m.group(1)).toList();
        Set<String> commands = new TreeSet<>(Set.of("generate-completion")); // picocli's own
        for (Path f : sources()) {
            all("@Command\\(name = \"([a-z-]+)\"", text(f)).forEach(m -> commands.add(m.group(1)));
        }
        for (Path page : pages()) {
            assertEquals(List.of(), inCode("\\bmake ([a-z][a-z0-9-]*)", page).stream().filter(t -> !targets.contains(t)).toList(), page + ": make");
            assertEquals(List.of(), inCode("\\bfencepost ([a-z][a-z-]*)\\b(?![-:])", page).stream().filter(c -> !commands.contains(c)).toList(), page + ": fencepost");
        }
    }

    /** The options of a fencepost command are options of some command, and what make is given is looked at by the Makefile, or passed on by it. */
    @Test
    void optionsAndVariablesExist() throws IOException {
        Set<String> options = new TreeSet<>(Set.of("--help", "--version"));
        for (Path f : sources()) {
            if (f.toString().contains("/src/main/")) {
                all("\"(--[a-z][a-z-]*)\"", text(f)).forEach(m -> options.add(m.group(1)));
            }
        }
        String makefile = text(ROOT.resolve("Makefile"));
        List<String> variables = List.of(all("(?s)\\nVARIABLES := (.*?[^\\\\])\n", makefile).get(0).group(1).split("[\\s\\\\]+"));
        assertEquals(List.of(), all("\\$\\((?:or|if) \\$\\(([A-Z_0-9]+)\\)|call flag,([A-Z_0-9]+)", makefile).stream()
                .map(m -> m.group(1) == null ? m.group(2) : m.group(1)).filter(v -> !variables.contains(v)).toList(), "Makefile: VARIABLES lacks");
        for (Path page : pages()) {
            for (String command : inCode("\\bfencepost ((?:[a-z-]+) [^|`#]*)", page)) {
                assertEquals(List.of(), all("(?<!\\S)(--[a-z][a-z-]*)", command).stream().map(m -> m.group(1)).filter(o -> !options.contains(o)).toList(),
                        page + ": fencepost " + command);
            }
            for (String command : inCode("\\bmake ([a-z-]+ [^`#]*)", page)) {
                assertEquals(List.of(), all("(?<!\\S)([A-Z_0-9]+)=", command).stream().map(m -> m.group(1)).filter(v -> !variables.contains(v)).toList(),
                        page + ": make " + command);
            }
        }
    }

    /** Lines of code that begin as a command does, without what is said of them after two blanks. */
    private static Set<String> commandLines() throws IOException {
        Set<String> lines = new TreeSet<>();
        for (Path page : pages()) {
            inCode("^\\s*((?:make|mvn|java|cd|tar|useradd|mkdir|cp|docker|sudo|systemctl|grant|fencepost|FENCEPOST_OPTS=\\S+|CLUSTER=netns"
                    + "|(?:impl-java|cluster|specs)/\\S+) .*)", page).forEach(l -> lines.add(l.replaceFirst(" +# .*", "").replaceFirst("^CLUSTER=netns ", "")));
        }
        return lines;
    }

    /** What make test-docs runs, or somebody else. */
    @Test
    void everyCommandLineIsRunBySomebody() throws IOException {
        Set<String> run = new TreeSet<>();
        text(ROOT.resolve("impl-java/consumer/commands.txt")).lines().filter(l -> !l.startsWith("#")).forEach(l -> run.add(l.split(" {2,}", 2)[1]));
        assertEquals(String.join("\n", commandLines()), String.join("\n", run));
    }

    /** Files that code in a page names, by their path from here; what is built is not there yet. */
    @Test
    void filesExist() throws IOException {
        for (Path page : pages()) {
            List<String> files = inCode("(?<![\\w/.$-])((?:impl-java|cluster|specs|packaging|monitoring|docs|jepsen)/[\\w./-]*\\w)(?![\\w*<{])", page);
            assertEquals(List.of(), files.stream().filter(f -> !f.contains("/target/") && !Files.exists(ROOT.resolve(f))).toList(), page.toString());
        }
    }

    /** The site is not built with a page that nothing leads to, and docs/README.md is the table of contents of the same pages. */
    @Test
    void everyPageIsInBothTablesOfContents() throws IOException {
        List<String> site = text(DOCS.resolve("site/contents.md")).lines().toList();
        try (Stream<Path> docs = Files.list(DOCS)) {
            List<String> names = docs.map(f -> f.getFileName().toString()).filter(n -> n.endsWith(".md")).toList();
            assertEquals(List.of(), names.stream().filter(n -> !site.contains("docs/" + n.replace(".md", ""))).toList());
            assertEquals(List.of(), names.stream().filter(n -> !n.equals("README.md") && !text(DOCS.resolve("README.md")).contains("(" + n + ")")).toList());
        }
    }

    /** Somebody who comes for the first time reads it to its end. */
    @Test
    void theFrontPageIsShort() {
        long lines = text(ROOT.resolve("README.md")).lines().count();
        assertEquals(true, lines <= 150, lines + " lines");
    }

    private static Map<String, String> glossary() {
        Map<String, String> terms = new LinkedHashMap<>();
        all("(?m)^\\| ([^|]+) \\| ([^|]+) \\|$", text(DOCS.resolve("glossary.md"))).forEach(m -> terms.put(m.group(1), m.group(2)));
        terms.remove("term");
        return terms;
    }

    /** The words of the report's head lines and verdicts, the lanes, and the abbreviations in the comments of the specs. */
    @Test
    void theWordsOfSpecsAndReportAreDefined() throws IOException {
        Set<String> used = new TreeSet<>();
        Stream.of(Dossier.Kind.values()).forEach(k -> used.add(k.title));
        Stream.of(Verdict.Kind.values()).forEach(k -> used.add(k.name().toLowerCase(Locale.ROOT)));
        try (Stream<Path> specs = Files.list(ROOT.resolve("specs"))) {
            for (Path spec : specs.filter(f -> f.toString().endsWith(".tla")).toList()) {
                String text = text(spec);
                all("Lane: (\\w+)", text).stream().map(m -> m.group(1)).filter(l -> !l.equals("none")).forEach(used::add);
                String comments = String.join(" ", all("(?m)\\\\\\*(?! @)(.*)$|\\(\\*(.*?)\\*\\)", text).stream().map(m -> m.group()).toList());
                all("\\b(?<!')([A-Z]{2,3})\\b(?!')", comments).stream().map(m -> m.group(1)).forEach(used::add);
            }
        }
        used.removeAll(Set.of("TLC", "ACM", "JACM", "PODC"));
        String defined = String.join("\n", glossary().keySet()) + glossary().values();
        assertEquals(List.of(), used.stream().filter(w -> !glossary().containsKey(w) && !defined.contains("lane `" + w + "`")).toList());
    }

    @Test
    void theGlossaryIsInOrderAndDefinesNothingThatNobodyUses() throws IOException {
        List<String> terms = List.copyOf(glossary().keySet());
        assertEquals(terms.stream().sorted(String.CASE_INSENSITIVE_ORDER).toList(), terms);
        StringBuilder used = new StringBuilder();
        for (Path page : pages()) {
            used.append(page.endsWith("glossary.md") ? "" : text(page));
        }
        try (Stream<Path> files = Files.walk(ROOT.resolve("specs"))) {
            files.filter(f -> f.toString().endsWith(".tla")).forEach(f -> used.append(text(f)));
        }
        Stream.of(Dossier.Kind.values()).forEach(k -> used.append(k.title).append(' '));
        String words = used.toString().replaceAll("[\\s*\\\\]+", " ").toLowerCase(Locale.ROOT);
        assertEquals(List.of(), terms.stream().filter(t -> !words.contains(t.toLowerCase(Locale.ROOT))).toList());
    }
}
