package org.fencepost.audit.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.audit.text.AuditException;

/** What the page beside the specs (README.md) says about all of them: the only place where departures and limits are written down. */
final class Notes {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final Map<String, String> sections = new LinkedHashMap<>();

    private Notes() {}

    /** Without a page, nothing is said. */
    static Notes read(Path specs) {
        Notes notes = new Notes();
        String title = "";
        try {
            Path page = specs.resolve("README.md");
            for (String line : Files.isRegularFile(page) ? Files.readAllLines(page) : List.<String>of()) {
                title = line.startsWith("## ") ? line.substring(3) : title;
                notes.sections.merge(title, line.startsWith("## ") ? "" : line, (a, b) -> a + "\n" + b);
            }
            return notes;
        } catch (IOException e) {
            throw new AuditException("Cannot read the notes beside the specs in '" + specs + "': " + e.getMessage() + ".");
        }
    }

    /** What a spec is about, from the table of modules. */
    String about(String spec) {
        return rows("").stream().filter(r -> r.size() > 1 && r.get(0).equals("`" + spec + ".tla`")).map(r -> r.get(1)).findFirst().orElse("");
    }

    String notModelled() {
        return section("What is not modelled").strip();
    }

    /** @param mutants the names of each spec's mutants */
    List<Dossier.Departure> departures(Map<String, List<String>> mutants) {
        List<Dossier.Departure> departures = new ArrayList<>();
        for (List<String> row : rows(section("Departures"))) {
            if (row.size() == 3 && !row.get(0).equals("where")) {
                TreeSet<String> systems = new TreeSet<>();
                Matcher name = CODE.matcher(row.get(2));
                while (name.find()) {
                    String pattern = name.group(1).replace("*", "\\w*");
                    mutants.forEach((spec, names) -> names.stream().filter(n -> n.matches(pattern)).forEach(n -> systems.add(spec)));
                }
                departures.add(new Dossier.Departure(row.get(0), row.get(1), row.get(2), List.copyOf(systems)));
            }
        }
        return departures;
    }

    private String section(String title) {
        return sections.entrySet().stream().filter(s -> s.getKey().startsWith(title)).map(Map.Entry::getValue).findFirst().orElse("");
    }

    private List<List<String>> rows(String section) {
        String text = section.isEmpty() ? sections.getOrDefault("", "") : section;
        return text.lines().filter(l -> l.startsWith("|") && !l.matches("[|\\-: ]+"))
                .map(l -> List.of(l.strip().replaceAll("^\\||\\|$", "").split("\\|")).stream().map(String::strip).toList()).toList();
    }
}
