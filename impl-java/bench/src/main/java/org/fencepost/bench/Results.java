package org.fencepost.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Writes every measurement as CSV, all of it with machine, commit and settings as JSON, and the plot. */
final class Results {

    private static final String COLUMNS = "system,write_set,conflict_percent,phase,pair,offered_tps,tps,abort_share,p50_us,p99_us,p999_us,late_p99_us,set_aside_share,"
            + "cpu_s_per_million_requests,bytes_per_request,collections,server_busy,generator_busy,lower_bound";

    private Results() {
    }

    static void write(Path directory, Machine machine, BenchTm options, List<Measurement> all, Summary summary) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("bench-tm.csv"), csv(machine, all));
        Files.writeString(directory.resolve("bench-tm.json"), json(machine, options, all, summary));
        Files.writeString(directory.resolve("bench-tm.svg"), Plot.draw(summary, machine));
    }

    private static String csv(Machine machine, List<Measurement> all) {
        StringBuilder out = new StringBuilder("# " + machine + "\n" + COLUMNS + "\n");
        for (Measurement m : all) {
            out.append(String.join(",", m.system(), Integer.toString(m.scenario().writeSet()), Integer.toString(m.scenario().conflictPercent()), m.phase(),
                    Integer.toString(m.pair()), plain(m.offered()), plain(m.tps()), plain(m.aborts()), plain(m.p50()), plain(m.p99()), plain(m.p999()),
                    plain(m.late99()), plain(m.setAside()), plain(m.cpuPerMillion()), plain(m.bytes()), Long.toString(m.collections()), plain(m.serverBusy()),
                    plain(m.generatorBusy()), Boolean.toString(m.lowerBound()))).append('\n');
        }
        return out.toString();
    }

    private static String json(Machine machine, BenchTm options, List<Measurement> all, Summary summary) {
        StringJoiner medians = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
        for (Summary.Row row : summary.rows()) {
            medians.add(object("system", row.system(), "writeSet", row.scenario().writeSet(), "conflictPercent", row.scenario().conflictPercent(),
                    "tps", row.tps(), "tpsToOmidLL", row.throughputRatio(), "lowerBound", row.lowerBound(), "abortShare", row.aborts(),
                    "generatorBusy", row.generatorBusy(), "serverBusy", row.serverBusy(),
                    "cpuSecondsPerMillionRequests", row.cpuPerMillion(), "bytesPerRequest", row.bytes(),
                    "halfP50Micros", row.p50(), "halfP99Micros", row.p99(), "halfP999Micros", row.p999(),
                    "equalP50Micros", row.equalP50(), "equalP99Micros", row.equalP99(), "equalP999Micros", row.equalP999(),
                    "equalP99ToOmidLL", row.equalP99Ratio()));
        }
        StringJoiner runs = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
        for (Measurement m : all) {
            runs.add(object("system", m.system(), "writeSet", m.scenario().writeSet(), "conflictPercent", m.scenario().conflictPercent(), "phase", m.phase(),
                    "pair", m.pair(), "offeredTps", m.offered(), "tps", m.tps(), "abortShare", m.aborts(), "p50Micros", m.p50(), "p99Micros", m.p99(),
                    "p999Micros", m.p999(), "lateP99Micros", m.late99(), "setAsideShare", m.setAside(), "cpuSecondsPerMillionRequests", m.cpuPerMillion(),
                    "bytesPerRequest", m.bytes(), "collections", m.collections(), "serverBusy", m.serverBusy(), "generatorBusy", m.generatorBusy()));
        }
        return "{\n  \"machine\": " + object("processor", machine.processor(), "cores", machine.cores(), "system", machine.system(), "java", machine.java(),
                "commit", machine.commit(), "time", machine.time())
                + ",\n  \"settings\": " + object("pairs", options.pairs, "seconds", options.seconds, "connections", options.connections,
                "outstanding", options.outstanding, "conflictTableSize", options.conflictEntries, "serverJvm", String.join(" ", Servers.jvm(options)),
                "omid", String.join("; ", options.omidSettings))
                + ",\n  \"medians\": " + medians + ",\n  \"runs\": " + runs + "\n}\n";
    }

    private static String object(Object... namesAndValues) {
        StringJoiner fields = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            String text = value instanceof Double number ? (Double.isNaN(number) ? "null" : plain(number))
                    : value instanceof String ? "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"" : value.toString();
            fields.add("\"" + namesAndValues[i] + "\": " + text);
        }
        return fields.toString();
    }

    /** Empty for NaN. */
    private static String plain(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
