package org.fencepost.bench.harness;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** How the benchmarks meet their users: bad input gets one sentence, and so does a failure. */
public abstract class Benchmark implements Callable<Integer> {

    /** A sentence about the first option that makes no sense, or null. */
    protected abstract String problem();

    protected abstract void run(Machine machine) throws IOException;

    @Override
    public final Integer call() throws IOException {
        String problem = problem();
        if (problem != null) {
            System.err.println(problem);
            return CommandLine.ExitCode.USAGE;
        }
        Machine machine = Machine.describe();
        System.out.println(machine);
        run(machine);
        return CommandLine.ExitCode.OK;
    }

    public final CommandLine command() {
        CommandLine command = new CommandLine(this);
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
