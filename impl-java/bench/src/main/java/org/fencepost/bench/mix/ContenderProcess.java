package org.fencepost.bench.mix;

import java.io.IOException;
import java.util.List;
import org.fencepost.bench.harness.CommandedProcess;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.harness.Usage;
import org.fencepost.bench.mix.ContenderServer.Figures;

/** A {@link ContenderServer} as the benchmark sees it. */
final class ContenderProcess {

    private final CommandedProcess process;

    ContenderProcess(CommandedProcess process) {
        this.process = process;
    }

    String system() {
        return process.name();
    }

    Usage usage() {
        return process.process().usage();
    }

    ServerProcess process() {
        return process.process();
    }

    void load(int keys) throws IOException {
        process.command("load " + keys);
    }

    /** Transactions run from now on; they do not count yet. */
    void start(Workload workload, int threads, int keys) throws IOException {
        process.command("start " + workload + " " + threads + " " + keys);
    }

    /** From now on they count. */
    void record() throws IOException {
        process.command("record");
    }

    /** Returns when none is under way. One line for each kind that was met, and one for all. */
    List<Figures> stop() throws IOException {
        return process.command("stop").stream().map(Figures::parse).toList();
    }

    /** How long the statements and the commit took, in nanoseconds. */
    long close(int run, int edges, int chains) throws IOException {
        return Long.parseLong(process.command("closure " + run + " " + edges + " " + chains).get(0));
    }
}
