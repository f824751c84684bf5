package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;
import org.fencepost.bench.mix.Contender.Phase;
import org.fencepost.bench.mix.ContenderServer.Figures;
import org.fencepost.bench.mix.Turn.Scene;

/** The turns of {@link Bench}, their medians and ratios, as {@link ResultFiles}. */
final class BenchResults {

    static final String COLUMNS = "workload,threads,background_tps,attained_tps,system,round,per_s,hbase_cpu_us,manager_cpu_us,client_cpu_us,"
            + "hbase_bytes,client_bytes,kind,count,aborts,mean_us,p50_us,p99_us,begin_us,read_us,write_us,commit_us";

    private BenchResults() {
    }

    /** @param settings a JSON object */
    static void write(Path directory, Machine machine, String settings, List<Turn> turns, BenchSummary summary, Profile profile) throws IOException {
        ResultFiles.write(directory, "bench", machine, COLUMNS, turns.stream().flatMap(turn -> turn.figures().stream().map(f -> row(turn, f))).toList(),
                settings, parts(summary, profile), BenchPlot.draw(summary, machine));
        Files.writeString(directory.resolve("bench.txt"), machine + "\n\n" + summary.text() + profile.text());
        Files.writeString(directory.resolve("load.svg"), LoadPlot.draw(summary, machine));
        if (!profile.parts().isEmpty()) {
            Files.writeString(directory.resolve("profile.svg"), ProfilePlot.draw(profile, summary, machine));
        }
        System.out.println("Besides: bench.txt, which is the above, load.svg" + (profile.parts().isEmpty() ? "." : ", profile.svg."));
    }

    private static List<String> row(Turn turn, Figures f) {
        List<String> row = new ArrayList<>(List.of(turn.workload().name(), Integer.toString(turn.threads()), Integer.toString(turn.background()),
                Json.plain(turn.attained()), turn.system(), Integer.toString(turn.round()), Json.plain(turn.perSecond()), Json.plain(turn.hbaseCpu()),
                Json.plain(turn.managerCpu()), Json.plain(turn.clientCpu()), Json.plain(turn.hbaseBytes()), Json.plain(turn.clientBytes()),
                f.kind(), Long.toString(f.count()), Long.toString(f.aborts()),
                Json.plain(f.mean()), Json.plain(f.p50()), Json.plain(f.p99())));
        for (double phase : f.phases()) {
            row.add(Json.plain(phase));
        }
        return row;
    }

    private static Map<String, String> parts(BenchSummary summary, Profile profile) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("goals", Json.array(summary.goals(), goal -> Json.object("goal", goal.text(), "aim", goal.atMost() ? "at_most" : "at_least", "bound", goal.bound(),
                "value", goal.value().median(), "lowerQuartile", goal.value().lower(), "upperQuartile", goal.value().upper(), "verdict", goal.verdict(), "cpu", goal.cost())));
        parts.put("paper", Json.array(summary.paper(), line -> Json.object("kind", line.kind(), "latencyOf", line.system(), "to", line.to(), "paper", line.ratio(),
                "here", line.ours().median(), "lowerQuartile", line.ours().lower(), "upperQuartile", line.ours().upper(), "scene", line.scene() == null ? "" : line.scene().toString())));
        parts.put("ratios", Json.array(summary.ratios(), ratio -> Json.object(with(ratio.scene(), "kind", ratio.kind(), "of", ratio.system(), "to", ratio.to(),
                "p50", ratio.p50().median(), "p50LowerQuartile", ratio.p50().lower(), "p50UpperQuartile", ratio.p50().upper(),
                "mean", ratio.mean().median(), "meanLowerQuartile", ratio.mean().lower(), "meanUpperQuartile", ratio.mean().upper(),
                "p99", ratio.p99().median(), "p99LowerQuartile", ratio.p99().lower(), "p99UpperQuartile", ratio.p99().upper(),
                "cpu", ratio.cpu().median(), "cpuLowerQuartile", ratio.cpu().lower(), "cpuUpperQuartile", ratio.cpu().upper(), "aborts", ratio.aborts(),
                "perSecond", ratio.perSecond().median(), "perSecondLowerQuartile", ratio.perSecond().lower(), "perSecondUpperQuartile", ratio.perSecond().upper()))));
        parts.put("medians", Json.array(summary.rows(), row -> Json.object(with(row.scene(), "kind", row.kind(), "system", row.system(), "count", row.count(),
                "p50Micros", row.p50().median(), "p50LowerQuartile", row.p50().lower(), "p50UpperQuartile", row.p50().upper(), "meanMicros", row.mean(), "p99Micros", row.p99(), "beginMicros", row.phases()[Phase.BEGIN.ordinal()],
                "readMicros", row.phases()[Phase.READ.ordinal()], "writeMicros", row.phases()[Phase.WRITE.ordinal()],
                "commitMicros", row.phases()[Phase.COMMIT.ordinal()], "abortShare", row.aborts(), "perSecond", row.perSecond().median(),
                "perSecondLowerQuartile", row.perSecond().lower(), "perSecondUpperQuartile", row.perSecond().upper(), "attainedTps", row.attained(),
                "hbaseCpuMicros", row.hbaseCpu(), "managerCpuMicros", row.managerCpu(), "clientCpuMicros", row.clientCpu(),
                "hbaseBytes", row.hbaseBytes(), "clientBytes", row.clientBytes()))));
        parts.put("profile", Json.array(profile.parts(), part -> Json.object(with(part.scene(), "system", part.system(), "process", part.process(),
                "part", part.part(), "samples", part.samples(), "share", part.share(), "switchingShare", part.switching()))));
        return parts;
    }

    private static Object[] with(Scene scene, Object... namesAndValues) {
        List<Object> all = new ArrayList<>(List.of("workload", scene.workload().name(), "threads", scene.threads(), "backgroundTps", scene.background()));
        all.addAll(List.of(namesAndValues));
        return all.toArray();
    }
}
