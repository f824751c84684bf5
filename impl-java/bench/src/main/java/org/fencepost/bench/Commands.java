package org.fencepost.bench;

import picocli.CommandLine;

/** How the benchmarks meet their users: bad input gets one sentence, and so does a failure. */
final class Commands {

    private Commands() {
    }

    static CommandLine of(Object benchmark) {
        CommandLine command = new CommandLine(benchmark);
        command.setParameterExceptionHandler((e, words) -> {
            System.err.println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        });
        command.setExecutionExceptionHandler((e, failed, parsed) -> {
            System.err.println("The benchmark failed: " + (e.getMessage() == null ? e : e.getMessage()));
            return CommandLine.ExitCode.SOFTWARE;
        });
        return command;
    }
}
