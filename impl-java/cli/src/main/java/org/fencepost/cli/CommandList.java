package org.fencepost.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;

/** The commands in {@code fencepost --help}: grouped by what somebody wants to do, each with its first sentence. */
final class CommandList implements IHelpSectionRenderer {
    private static final int NAMES = 22;
    private static final int INDENT = 2;

    /** In the order in which people come to need them. A test keeps every command in one group. */
    enum Group {
        TRY("Try it", "playground", "demo", "demo-mediator"),
        RUN("Set it up and run it", "tm", "commit-table", "create-table", "check-table", "check-phoenix", "janitor"),
        REPAIR("Find out and repair", "resolve", "tm-state"),
        REVIEW("Review a change", "check", "torture", "audit"),
        CLUSTER("Test a cluster", "cluster-test", "judge", "break"),
        SHELL("For the shell", "generate-completion", "generate-man-page");

        private final String heading;
        private final List<String> commands;

        Group(String heading, String... commands) {
            this.heading = heading;
            this.commands = List.of(commands);
        }
    }

    static List<String> names() {
        return Arrays.stream(Group.values()).flatMap(group -> group.commands.stream()).toList();
    }

    @Override
    public String render(Help help) {
        int width = help.commandSpec().usageMessage().width();
        Map<String, Help> commands = help.subcommands();
        StringBuilder list = new StringBuilder();
        for (Group group : Group.values()) {
            TextTable table = TextTable.forColumns(help.colorScheme(), new Column(NAMES, INDENT, Column.Overflow.SPAN),
                    new Column(width - NAMES, INDENT, Column.Overflow.WRAP));
            for (String name : group.commands) {
                table.addRowValues(help.colorScheme().commandText(name), help.colorScheme().text(firstSentence(commands.get(name))));
            }
            list.append(String.format("%n%s:%n", group.heading)).append(table);
        }
        return list.append(String.format("%nfencepost COMMAND --help tells more.%n")).toString();
    }

    private static String firstSentence(Help command) {
        return String.join(" ", command.commandSpec().usageMessage().description()).split("(?<=[.:])\\s", 2)[0].replaceAll(":$", ".");
    }
}
