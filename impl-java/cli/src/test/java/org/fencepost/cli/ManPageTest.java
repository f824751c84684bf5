package org.fencepost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The manual page has every command and option, and only requests that man knows; the list of commands in --help has every command. */
class ManPageTest {
    private final CommandLine launcher = new CommandLine(new Fencepost());

    @Test
    void nothingIsMissing() throws Exception {
        String page = ManPageCommand.page(launcher);
        launcher.getSubcommands().forEach((name, command) -> {
            assertTrue(page.contains(".SS fencepost " + escaped(name) + " "), name);
            command.getCommandSpec().options().stream().filter(o -> !o.usageHelp() && !o.hidden())
                    .forEach(o -> assertTrue(page.contains("\\fB" + escaped(o.longestName()) + "\\fR"), name + " " + o.longestName()));
        });
    }

    @Test
    void everyCommandIsInTheList() {
        List<String> visible = launcher.getSubcommands().entrySet().stream().filter(c -> !c.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey).sorted().toList();
        assertEquals(visible, CommandList.names().stream().sorted().toList());
        String help = Fencepost.line().getUsageMessage();
        assertTrue(Pattern.compile("(?m)^  resolve +Reports the outcome of a transaction of Omid").matcher(help).find(), help);
        assertTrue(help.indexOf("Try it:") < help.indexOf("  playground") && help.indexOf("  playground") < help.indexOf("Review a change:"), help);
    }

    /** A line of a description that begins with a point or an apostrophe would be a request, and vanish. */
    @Test
    void noTextIsTakenForARequest() throws Exception {
        List<String> others = Pattern.compile("(?m)^['.](?!TH |SH |SS |TP$|PP$|B |I ).*$").matcher(ManPageCommand.page(launcher)).results().map(m -> m.group()).toList();
        assertEquals(List.of(), others);
    }

    @Test
    void whatIsNoTextForTroffIsEscaped() {
        assertEquals("\\&.a \\e b\\-c", ManPageCommand.text(".a \\ b-c"));
        assertEquals("50% of it", ManPageCommand.text("50%% of%nit"));
    }

    private static String escaped(String name) {
        return name.replace("-", "\\-");
    }
}
