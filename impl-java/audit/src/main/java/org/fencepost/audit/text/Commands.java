package org.fencepost.audit.text;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;

/** How the commands meet their users: what they cannot do is one line on the standard error, and exit code 2. */
public final class Commands {
    public static final int USAGE = 2;

    private Commands() {}

    /** Runs a command and returns its exit code. Whatever goes wrong is reported in one line. */
    public static int run(Object command, String... args) {
        return run(new CommandLine(command), args);
    }

    /** The same for a command that has been given settings of its own. */
    public static int run(CommandLine line, String... args) {
        line.setExecutionExceptionHandler((e, failed, parsed) -> {
            System.err.println(e.getMessage() == null ? e.toString() : e.getMessage());
            return USAGE;
        });
        line.setParameterExceptionHandler((e, parsed) -> {
            System.err.println(e.getMessage() + "." + near(e) + " See " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help.");
            return USAGE;
        });
        return line.execute(args);
    }

    /** picocli finds something like everything. */
    private static String near(CommandLine.ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return "";
        }
        List<String> near = Names.near(unmatched.getUnmatched().get(0), unmatched.getSuggestions());
        return near.isEmpty() ? "" : " Did you mean " + near.get(0) + "?";
    }

    /**
     * Runs a command and returns its exit code.
     *
     * @param cannot begins the sentence about files that cannot be read or written
     */
    public static int run(Object command, String[] args, PrintStream out, PrintStream err, String cannot) {
        CommandLine line = new CommandLine(command);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.setExecutionExceptionHandler((e, c, parsed) -> {
            if (e instanceof AuditException || e instanceof IOException) {
                err.println(e instanceof IOException ? cannot + ": " + e : e.getMessage());
                return USAGE;
            }
            throw e;
        });
        return line.execute(args);
    }
}
