package org.fencepost.bench.mediator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;

/** The slices of Mediator's benchmark, their medians and ratios, as {@link ResultFiles}. */
final class MixResults {

    private static final String COLUMNS = "phase,largest_transaction,gets,natives,system,threads,pair,operations,per_s,abort_share,native_p50_us,native_mean_us,hbase_cpu_us,client_cpu_us";

    private MixResults() {
    }

    static void write(Path directory, Machine machine, BenchMediator options, List<MixSlice> slices, MixSummary summary) throws IOException {
        ResultFiles.write(directory, "bench-mediator", machine, COLUMNS, slices.stream().map(MixResults::row).toList(),
                options.settings("threads", options.threads, "pairs", options.pairs, "nativePairs", options.nativePairs, "bookies", options.bookies, "bookiesSync",
                        options.bookiesSync),
                parts(slices, summary), MixPlot.draw(summary, machine));
    }

    private static List<String> row(MixSlice s) {
        return List.of(s.phase(), Integer.toString(s.mix().largest()), Json.plain(s.mix().reads()), Json.plain(s.mix().natives()), s.system(),
                Integer.toString(s.threads()), Integer.toString(s.pair()), Long.toString(s.operations()), Json.plain(s.perSecond()), Json.plain(s.aborts()),
                Json.plain(s.p50()), Json.plain(s.mean()), Json.plain(s.hbaseCpu()), Json.plain(s.clientCpu()));
    }

    private static Map<String, String> parts(List<MixSlice> slices, MixSummary summary) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("nativeLatency", Json.array(summary.latencies(), l -> Json.object(
                "threads", l.threads(), "gets", l.mix().reads(), "system", l.system(), "p50Micros", l.p50(), "toBare", l.ratio().median(),
                "toBareLowerQuartile", l.ratio().lower(), "toBareUpperQuartile", l.ratio().upper(), "verdict", l.verdict())));
        parts.put("throughput", Json.array(summary.throughputs(), t -> Json.object(
                "largest", t.mix().largest(), "gets", t.mix().reads(), "natives", t.mix().natives(), "mediatorPerSecond", t.mediator(),
                "omidPerSecond", t.omid(), "ratio", t.ratio().median(), "ratioLowerQuartile", t.ratio().lower(), "ratioUpperQuartile", t.ratio().upper(),
                "mediatorAborts", t.mediatorAborts(), "omidAborts", t.omidAborts(), "verdict", t.verdict())));
        parts.put("equilibrium", Json.array(summary.equilibria(), e -> Json.object("largest", e.largest(), "gets", e.reads(), "natives", e.natives())));
        parts.put("slices", Json.array(slices, s -> Json.object(
                "phase", s.phase(), "largest", s.mix().largest(), "gets", s.mix().reads(), "natives", s.mix().natives(), "system", s.system(),
                "threads", s.threads(), "pair", s.pair(), "operations", s.operations(), "perSecond", s.perSecond(), "aborts", s.aborts(),
                "nativeP50Micros", s.p50(), "nativeMeanMicros", s.mean(), "hbaseCpuMicros", s.hbaseCpu(), "clientCpuMicros", s.clientCpu())));
        return parts;
    }
}
