package org.fencepost.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Writes the manual page from the commands themselves: there is no second text that could fall behind. */
@Command(name = "generate-man-page", description = "Writes the manual page of all commands, for man.")
final class ManPageCommand implements Callable<Integer> {
    @ParentCommand
    private Fencepost fencepost;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws Exception {
        System.out.print(page(new CommandLine(fencepost)));
        return CommandLine.ExitCode.OK;
    }

    static String page(CommandLine launcher) throws Exception {
        CommandSpec spec = launcher.getCommandSpec();
        StringBuilder page = new StringBuilder(".TH FENCEPOST 1 \"\" \"" + text(spec.version()[0].replaceAll(", on Java.*", "")) + "\" \"Fencepost\"\n");
        page.append(".SH NAME\nfencepost \\- ").append(text(String.join(" ", spec.usageMessage().description()))).append('\n');
        page.append(".SH SYNOPSIS\n.B fencepost\n.I COMMAND\n[\\fIOPTION\\fR...]\n.SH COMMANDS\n");
        for (Map.Entry<String, CommandLine> command : new TreeMap<>(launcher.getSubcommands()).entrySet()) {
            command(command.getKey(), command.getValue().getCommandSpec(), page);
        }
        return page.append("""
                .SH EXIT STATUS
                0 for success, and 2 for what could not be done as it was asked for, with the reason in one line on the standard error. Others are with
                their commands.
                .SH ENVIRONMENT
                .TP
                .B JAVA_HOME
                Where Java 17 is; otherwise it is taken from the path.
                .TP
                .B FENCEPOST_OPTS
                Options for the Java virtual machine.
                .TP
                .B NO_COLOR
                If it is set, nothing is coloured.
                .SH SEE ALSO
                docs/operate.md and docs/reference.md, beside the launcher in the archive.
                """).toString();
    }

    private static void command(String name, CommandSpec spec, StringBuilder page) {
        List<String> arguments = new ArrayList<>();
        spec.positionalParameters().forEach(p -> arguments.add(text(p.paramLabel())));
        page.append(".SS fencepost ").append(text(name)).append(" [\\fIOPTION\\fR...] ").append(String.join(" ", arguments)).append('\n');
        page.append(text(String.join(" ", spec.usageMessage().description()))).append('\n');
        spec.positionalParameters().forEach(p -> item("\\fI" + text(p.paramLabel()) + "\\fR", p.description(), page));
        for (OptionSpec option : spec.options()) {
            if (!option.usageHelp() && !option.hidden()) {
                String label = option.arity().max() == 0 ? "" : " \\fI" + text(option.paramLabel()) + "\\fR";
                item("\\fB" + text(option.longestName()) + "\\fR" + label, option.description(), page);
            }
        }
        for (String line : spec.usageMessage().footer()) {
            if (!line.isEmpty()) {
                page.append(".PP\n").append(text(line)).append('\n');
            }
        }
    }

    private static void item(String head, String[] description, StringBuilder page) {
        page.append(".TP\n").append(head).append('\n').append(text(String.join(" ", description))).append('\n');
    }

    /** Plain text as troff takes it. */
    static String text(String plain) {
        String escaped = plain.replace("%n", " ").replace("%%", "%").strip().replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
