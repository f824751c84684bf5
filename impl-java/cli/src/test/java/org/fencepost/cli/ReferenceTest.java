package org.fencepost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fencepost.hbase.layout.Settings;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * docs/reference.md says what the code says: settings, commands with their options and exit codes, and metrics. With {@code fencepost.reference=write},
 * which is {@code make reference}, it is written.
 */
class ReferenceTest {
    private static final Path PAGE = Path.of("../../docs/reference.md");
    private static final Path SETTINGS = Path.of("../hbase/src/main/java/org/fencepost/hbase/layout/Settings.java");
    private static final Path METRICS = Path.of("../tm/src/main/java/org/fencepost/tm/server/Metrics.java");

    @Test
    void thePageIsWhatTheCodeSays() throws Exception {
        String page = page();
        if ("write".equals(System.getProperty("fencepost.reference"))) {
            Files.writeString(PAGE, page);
        }
        assertEquals(page, Files.readString(PAGE), "docs/reference.md is not what the code says: make reference writes it");
    }

    /** Each of three sources is really read: none can become empty unseen. */
    @Test
    void nothingIsMissing() throws Exception {
        String page = page();
        for (var field : Settings.class.getFields()) {
            if (field.getType() == String.class && !field.getName().startsWith("DEFAULT")) {
                assertTrue(page.contains("| `" + field.get(null) + "` |"), field.getName() + " is not in the table of Settings' class comment");
            }
        }
        new CommandLine(new Fencepost()).getSubcommands().keySet().forEach(name -> assertTrue(page.contains("\n### `fencepost " + name + "`\n"), name));
        for (MatchResult sample : all("sample\\(out, \"(\\w+)", Files.readString(METRICS))) {
            String name = sample.group(1).replaceAll("_(bucket|count)$", "");
            assertTrue(page.contains("| `fencepost_tm_" + name + "` |"), name);
        }
    }

    private static List<MatchResult> all(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).results().toList();
    }

    private static String page() throws Exception {
        StringBuilder page = new StringBuilder("""
                # Reference

                Settings, commands, exit codes and metrics, as the code has them: `make reference` writes this page. [Operating it](operate.md) says what to do
                with them.

                ## Settings

                Keys of the configuration that is passed to `TransactionClient.open`, or of hbase-site.xml. Times are in milliseconds.

                | key | default | meaning |
                |---|---|---|
                """);
        settings(page);
        page.append("\n## Commands\n\nWhat a command cannot do as it was asked for ends with one line on the standard error that says why, and with exit code 2.\n");
        for (Map.Entry<String, CommandLine> command : new TreeMap<>(new CommandLine(new Fencepost()).getSubcommands()).entrySet()) {
            command(command.getKey(), command.getValue().getCommandSpec(), page);
        }
        page.append("""

                ## Metrics

                At `/metrics` of each transaction manager, on the port of `--metrics-port`. Those of Mediator are there with `--bookkeeper`; gauges of a tenure
                while the process is the primary.

                | metric | type | labels | meaning |
                |---|---|---|---|
                """);
        metrics(page);
        return page.toString();
    }

    private static void settings(StringBuilder page) throws Exception {
        String comment = Files.readString(SETTINGS).replaceAll("\\n \\* +", " ");
        for (MatchResult row : all("<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", comment)) {
            page.append("| `").append(markdown(row.group(1))).append("` | ").append(markdown(row.group(2))).append(" | ").append(markdown(row.group(3))).append(" |\n");
        }
    }

    /** Javadoc as Markdown. */
    private static String markdown(String javadoc) throws ReflectiveOperationException {
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (MatchResult tag : all("\\{@(value|code) #?([^}]*)\\}", javadoc)) {
            out.append(javadoc, at, tag.start()).append(tag.group(1).equals("value") ? Settings.class.getField(tag.group(2)).get(null) : "`" + tag.group(2) + "`");
            at = tag.end();
        }
        return out.append(javadoc.substring(at)).toString().replaceAll("\\s+", " ").strip();
    }

    private static void command(String name, CommandSpec spec, StringBuilder page) {
        page.append("\n### `fencepost ").append(name).append("`\n\n").append(text(String.join(" ", spec.usageMessage().description()))).append("\n\n");
        List<String> rows = new ArrayList<>();
        spec.positionalParameters().forEach(p -> rows.add("| " + text(p.paramLabel()) + " | " + (p.required() ? "required" : "") + " | " + text(String.join(" ", p.description()))
                + " |"));
        for (OptionSpec option : spec.options()) {
            if (!option.usageHelp() && !option.hidden()) {
                String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                rows.add("| `" + option.longestName() + label + "` | " + (option.required() && option.group() == null ? "required" : defaultOf(option)) + " | "
                        + text(String.join(" ", option.description())) + " |");
            }
        }
        if (!rows.isEmpty()) {
            page.append("| option | default | meaning |\n|---|---|---|\n").append(String.join("\n", rows)).append("\n");
        }
        String footer = text(List.of(spec.usageMessage().footer()).stream().filter(l -> !l.startsWith("  ")).collect(Collectors.joining(" ")));
        if (footer.contains("Exit code: ")) {
            page.append("\n").append(footer.substring(footer.indexOf("Exit code: "))).append("\n");
        }
    }

    /** Of what the environment decides, the description tells. */
    private static String defaultOf(OptionSpec option) {
        String value = option.defaultValue();
        return value == null || value.isEmpty() || option.longestName().equals("--tlc") ? "" : "`" + value + "`";
    }

    private static String text(String description) {
        return description.replace("%n", " ").replace("|", "\\|").replace("<", "&lt;").replaceAll("\\s+", " ").strip();
    }

    private static void metrics(StringBuilder page) throws IOException {
        String source = Files.readString(METRICS);
        for (MatchResult type : all("type\\(out, \"(\\w+)\", \"(\\w+)\", \"(.*?)\"\\);", source)) {
            String labels = all("sample\\(out, \"" + type.group(1) + "\\{(\\w+)=\\\\\"(\\w+)", source).stream().map(m -> "`" + m.group(1) + "`: `" + m.group(2) + "`")
                    .collect(Collectors.joining(", ")).replaceAll("(?<=, )`\\w+`: ", "");
            page.append("| `fencepost_tm_").append(type.group(1)).append("` | ").append(type.group(2)).append(" | ").append(labels).append(" | ").append(type.group(3))
                    .append(" |\n");
        }
    }
}
