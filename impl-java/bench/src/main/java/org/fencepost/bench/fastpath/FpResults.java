package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;

/** The slices of the fast path's benchmark, their medians and ratios, as {@link ResultFiles}. */
final class FpResults {

    private static final String COLUMNS = "operation,system,threads,pair,count,per_s,abort_share,mean_us,p50_us,p99_us,hbase_cpu_us,hbase_bytes,client_cpu_us";

    private FpResults() {
    }

    static void write(Path directory, Machine machine, BenchFp options, List<Slice> slices, FpSummary summary) throws IOException {
        ResultFiles.write(directory, "bench-fp", machine, COLUMNS, slices.stream().map(FpResults::row).toList(), options.settings("pairs", options.pairs),
                parts(slices, summary), FpPlot.draw(summary, machine));
    }

    private static List<String> row(Slice s) {
        return List.of(s.kind().text(), s.system(), Integer.toString(s.threads()), Integer.toString(s.pair()), Long.toString(s.count()),
                Json.plain(s.perSecond()), Json.plain(s.aborts()), Json.plain(s.mean()), Json.plain(s.p50()), Json.plain(s.p99()), Json.plain(s.hbaseCpu()),
                Json.plain(s.hbaseBytes()), Json.plain(s.clientCpu()));
    }

    private static Map<String, String> parts(List<Slice> slices, FpSummary summary) {
        String ratios = Json.array(summary.comparisons(), c -> Json.object(
                "threads", c.threads(), "operation", c.goal().kind().text(), "latencyOf", c.goal().system(), "to", c.goal().to(),
                "p50", c.p50().median(), "p50LowerQuartile", c.p50().lower(), "p50UpperQuartile", c.p50().upper(),
                "mean", c.mean().median(), "meanLowerQuartile", c.mean().lower(), "meanUpperQuartile", c.mean().upper(),
                "aim", c.goal().aim().name().toLowerCase(Locale.ROOT), "bound", c.goal().bound(), "met", c.goal().isMet(c.p50().median())));
        String medians = Json.array(summary.rows(), row -> Json.object(
                "threads", row.threads(), "operation", row.kind().text(), "system", row.system(), "perSecond", row.perSecond(), "abortShare", row.aborts(),
                "p50Micros", row.p50(), "meanMicros", row.mean(), "p99Micros", row.p99(), "hbaseCpuMicros", row.hbaseCpu(), "hbaseBytes", row.hbaseBytes(),
                "clientCpuMicros", row.clientCpu()));
        String all = Json.array(slices, s -> Json.object(
                "threads", s.threads(), "operation", s.kind().text(), "system", s.system(), "pair", s.pair(), "count", s.count(), "perSecond", s.perSecond(),
                "abortShare", s.aborts(), "meanMicros", s.mean(), "p50Micros", s.p50(), "p99Micros", s.p99(), "hbaseCpuMicros", s.hbaseCpu(),
                "hbaseBytes", s.hbaseBytes(), "clientCpuMicros", s.clientCpu()));
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("ratios", ratios);
        parts.put("medians", medians);
        parts.put("trips", Json.array(summary.trips(), t -> Json.object("operation", t.kind().text(), "system", t.system(), "syncs", t.syncs(),
                "requestsToHBase", t.ofHBase(), "requestsToManager", t.ofManager(), "unanswered", t.unanswered(), "verdict", t.verdict())));
        parts.put("slices", all);
        return parts;
    }
}
