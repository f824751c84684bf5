package org.fencepost.bench.harness;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the benchmarks can be told that measure for a while what threads repeat: see {@link Slices}. Each sets its own defaults when it is made. */
public abstract class SlicedBenchmark extends HBaseBenchmark {

    @Option(names = "--seconds", description = "Length of a measurement. Default: ${DEFAULT-VALUE}.")
    public double seconds;

    @Option(names = "--settle-seconds", description = "Before a measurement counts. Default: ${DEFAULT-VALUE}.")
    public double settleSeconds;

    @Option(names = "--warm-up-seconds", description = "At the start, for all together. Default: ${DEFAULT-VALUE}.")
    public double warmUpSeconds;

    @Option(names = "--value-bytes", description = "Size of each value. Default: ${DEFAULT-VALUE}, as the paper's.")
    public int valueBytes;

    @Override
    protected final String problem() {
        if (seconds <= 0 || settleSeconds < 0 || warmUpSeconds <= 0) {
            return "The seconds must be positive.";
        }
        if (valueBytes < 1 || valueBytes > 100_000) {
            return "--value-bytes must be 1 to 100000.";
        }
        return super.problem();
    }

    @Override
    public final String settings(Object... namesAndValues) {
        List<Object> all = new ArrayList<>(List.of(namesAndValues));
        all.addAll(List.of("seconds", seconds, "settleSeconds", settleSeconds, "warmUpSeconds", warmUpSeconds, "valueBytes", valueBytes));
        return super.settings(all.toArray());
    }
}
