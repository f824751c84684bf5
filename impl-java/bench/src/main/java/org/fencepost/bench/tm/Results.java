package org.fencepost.bench.tm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;

/** The measurements of the transaction managers, their medians and ratios, as {@link ResultFiles}. */
final class Results {

    private static final String COLUMNS = "system,write_set,conflict_percent,phase,pair,offered_tps,tps,abort_share,p50_us,p99_us,p999_us,late_p99_us,set_aside_share,"
            + "cpu_s_per_million_requests,bytes_per_request,collections,server_busy,generator_busy,lower_bound";

    private Results() {
    }

    static void write(Path directory, Machine machine, BenchTm options, List<Measurement> all, Summary summary) throws IOException {
        ResultFiles.write(directory, "bench-tm", machine, COLUMNS, all.stream().map(Results::row).toList(), settings(options), parts(all, summary),
                Plot.draw(summary, machine));
    }

    private static List<String> row(Measurement m) {
        return List.of(m.system(), Integer.toString(m.scenario().writeSet()), Integer.toString(m.scenario().conflictPercent()), m.phase(),
                Integer.toString(m.pair()), Json.plain(m.offered()), Json.plain(m.tps()), Json.plain(m.aborts()), Json.plain(m.p50()), Json.plain(m.p99()), Json.plain(m.p999()),
                Json.plain(m.late99()), Json.plain(m.setAside()), Json.plain(m.cpuPerMillion()), Json.plain(m.bytes()), Long.toString(m.collections()), Json.plain(m.serverBusy()),
                Json.plain(m.generatorBusy()), Boolean.toString(m.lowerBound()));
    }

    private static String settings(BenchTm options) {
        return Json.object("pairs", options.pairs, "seconds", options.seconds, "connections", options.connections,
                "outstanding", options.outstanding, "conflictTableSize", options.conflictEntries, "serverJvm", String.join(" ", Servers.jvm(options)),
                "omid", String.join("; ", options.omidSettings));
    }

    private static Map<String, String> parts(List<Measurement> all, Summary summary) {
        String medians = Json.array(summary.rows(), row -> Json.object(
                "system", row.system(), "writeSet", row.scenario().writeSet(), "conflictPercent", row.scenario().conflictPercent(),
                "tps", row.tps(), "tpsToOmidLL", row.throughputRatio(), "lowerBound", row.lowerBound(), "abortShare", row.aborts(),
                "generatorBusy", row.generatorBusy(), "serverBusy", row.serverBusy(),
                "cpuSecondsPerMillionRequests", row.cpuPerMillion(), "bytesPerRequest", row.bytes(),
                "halfP50Micros", row.p50(), "halfP99Micros", row.p99(), "halfP999Micros", row.p999(),
                "equalP50Micros", row.equalP50(), "equalP99Micros", row.equalP99(), "equalP999Micros", row.equalP999(),
                "equalP99ToOmidLL", row.equalP99Ratio()));
        String runs = Json.array(all, m -> Json.object(
                "system", m.system(), "writeSet", m.scenario().writeSet(), "conflictPercent", m.scenario().conflictPercent(), "phase", m.phase(),
                "pair", m.pair(), "offeredTps", m.offered(), "tps", m.tps(), "abortShare", m.aborts(), "p50Micros", m.p50(), "p99Micros", m.p99(),
                "p999Micros", m.p999(), "lateP99Micros", m.late99(), "setAsideShare", m.setAside(), "cpuSecondsPerMillionRequests", m.cpuPerMillion(),
                "bytesPerRequest", m.bytes(), "collections", m.collections(), "serverBusy", m.serverBusy(), "generatorBusy", m.generatorBusy()));
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("medians", medians);
        parts.put("runs", runs);
        return parts;
    }
}
