package org.fencepost.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.report.Audit;
import org.fencepost.audit.text.Commands;
import org.fencepost.clustertest.BrokenBuild;
import org.fencepost.clustertest.ClusterTest;
import org.fencepost.clustertest.JudgeCommand;
import org.fencepost.simulation.torture.Torture;
import org.fencepost.tm.server.StateCommand;
import org.fencepost.tm.server.TmServer;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The launcher: one command for each thing that a user runs. */
@Command(name = "fencepost", commandListHeading = "", description = "Transactions on HBase, and the specifications that they are checked against.",
        versionProvider = Fencepost.Version.class,
        subcommands = {Audit.class, BrokenBuild.class, Check.class, CheckPhoenixCommand.class, CheckTableCommand.class, ClusterClient.class, ClusterTest.class,
                CommitTableCommand.class, CreateTableCommand.class, DemoCommand.class, GenerateCompletion.class, JanitorCommand.class, JudgeCommand.class,
                ManPageCommand.class, MediatorDemoCommand.class, PlaygroundCommand.class, ResolveCommand.class, StateCommand.class, TmServer.class, Torture.class})
public final class Fencepost implements Callable<Integer> {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Option(names = {"-V", "--version"}, versionHelp = true, description = "show the version and exit")
    private boolean version;

    @Spec
    private CommandSpec spec;

    /** As Maven has written it beside the classes. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            Properties built = new Properties();
            try (InputStream in = Fencepost.class.getResourceAsStream("version.properties")) {
                built.load(in);
            }
            return new String[] {"fencepost " + built.getProperty("version") + " for HBase " + built.getProperty("hbase") + ", on Java "
                    + System.getProperty("java.version")};
        }
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Runs a command and returns its exit code. */
    public static int run(String... args) {
        return Commands.run(line(), args);
    }

    static CommandLine line() {
        CommandLine line = new CommandLine(new Fencepost());
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandList());
        return line;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(System.err);
        return CommandLine.ExitCode.USAGE;
    }
}
