package org.fencepost.audit.mutation;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.fencepost.audit.models.Job;
import org.fencepost.audit.models.Progress;
import org.fencepost.audit.models.Result;
import org.fencepost.audit.models.Runner;
import org.fencepost.audit.models.SideBySide;
import org.fencepost.audit.models.Suite;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.Tlc;
import picocli.CommandLine.Option;

/** What commands share that change something at random and look whether anybody notices: their options, the draw, and the runs. */
final class Trials {

    @Option(names = "--specs", paramLabel = "<folder>", defaultValue = "specs", description = "the specs (default: ${DEFAULT-VALUE})")
    Path specs;

    @Option(names = "--tlc", paramLabel = "<jar>", defaultValue = "${env:TLA2TOOLS}", description = "another TLC than the pinned one")
    private String tlcJar;

    @Option(names = "--mutants", paramLabel = "<n>", defaultValue = "100", description = "how many, of all together (default: ${DEFAULT-VALUE})")
    private int mutants;

    @Option(names = "--seed", paramLabel = "<n>", defaultValue = "0", description = "which ones (default: ${DEFAULT-VALUE})")
    long seed;

    @Option(names = "--timeout", paramLabel = "<seconds>", defaultValue = "120", description = "limit of each run (default: ${DEFAULT-VALUE})")
    private int timeout;

    @Option(names = "--jobs", paramLabel = "<n>", description = "runs side by side (default: the number of cores)")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private Tlc tlc;

    /** Finds the TLC that was asked for. Throws AuditException for options that make no sense. */
    void begin() {
        if (mutants < 1 || jobs < 1 || timeout < 1) {
            throw new AuditException("--mutants, --jobs and --timeout must be at least 1.");
        }
        tlc = Tlc.ofOption(tlcJar);
    }

    /** As many as are wanted, in an order that the seed decides. */
    <M> List<M> draw(List<M> all) {
        List<M> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled.subList(0, Math.min(mutants, shuffled.size()));
    }

    /** One model by itself, in silence. */
    Result run(Suite suite, Job model, Path folder) throws InterruptedException {
        try (Runner runner = new Runner(suite, tlc, folder, 1, timeout, silent(), List.of())) {
            return runner.run(List.of(model)).get(0);
        }
    }

    /** For one model after the other, in silence, most of them in one JVM. */
    Runner inTurn(Suite suite, Path folder) {
        return Runner.inTurn(suite, tlc, folder, timeout, silent());
    }

    private static Progress silent() {
        return new Progress(new PrintStream(OutputStream.nullOutputStream()), false, 80, 1);
    }

    /** {@link SideBySide#run}, as many at a time as was asked for. */
    <E> void sideBySide(List<Callable<E>> trials, Consumer<E> told) throws IOException, InterruptedException {
        SideBySide.run(jobs, trials, told);
    }
}
