package org.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes every slice as CSV; medians, ratios and slices with machine, commit and settings as JSON; and the plot. */
final class FpResults {

    private static final String COLUMNS = "operation,system,threads,pair,count,per_s,abort_share,mean_us,p50_us,p99_us,hbase_cpu_us,hbase_bytes,client_cpu_us";

    private FpResults() {
    }

    static void write(Path directory, Machine machine, BenchFp options, List<Slice> slices, FpSummary summary) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("bench-fp.csv"), csv(machine, slices));
        Files.writeString(directory.resolve("bench-fp.json"), json(machine, options, slices, summary));
        Files.writeString(directory.resolve("bench-fp.svg"), FpPlot.draw(summary, machine));
    }

    private static String csv(Machine machine, List<Slice> slices) {
        StringBuilder out = new StringBuilder("# " + machine + "\n" + COLUMNS + "\n");
        for (Slice s : slices) {
            out.append(String.join(",", s.kind().text(), s.system(), Integer.toString(s.threads()), Integer.toString(s.pair()), Long.toString(s.count()),
                    Json.plain(s.perSecond()), Json.plain(s.aborts()), Json.plain(s.mean()), Json.plain(s.p50()), Json.plain(s.p99()), Json.plain(s.hbaseCpu()),
                    Json.plain(s.hbaseBytes()), Json.plain(s.clientCpu()))).append('\n');
        }
        return out.toString();
    }

    private static String json(Machine machine, BenchFp options, List<Slice> slices, FpSummary summary) {
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
        return "{\n  \"machine\": " + machine.json() + ",\n  \"settings\": " + Json.object("pairs", options.pairs, "seconds", options.seconds,
                "settleSeconds", options.settleSeconds, "pauseSeconds", options.pauseSeconds, "warmUpSeconds", options.warmUpSeconds, "keys", options.keys,
                "valueBytes", options.valueBytes, "replicas", options.replicas, "hbaseJvm", String.join(" ", options.hbaseJvm()))
                + ",\n  \"ratios\": " + ratios + ",\n  \"medians\": " + medians + ",\n  \"slices\": " + all + "\n}\n";
    }
}
