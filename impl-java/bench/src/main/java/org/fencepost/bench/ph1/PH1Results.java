package org.fencepost.bench.ph1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;
import org.fencepost.bench.harness.Svg;

/** The turns of the benchmark, its penalties and conditions, as {@link ResultFiles}; and its text. */
final class PH1Results {

    private static final int LABELS = 470;
    private static final int PANEL = 330;
    private static final int ROW = 20;

    private PH1Results() {
    }

    static void write(Path directory, Machine machine, BenchPH1 options, List<Turn> turns, PH1Summary summary) throws IOException {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("penalties", Json.array(summary.penalties(), each -> Json.object("workload", each.workload(), "system", each.system(), "of", each.of(), "median",
                each.share().median(), "lowerQuartile", each.share().lower(), "upperQuartile", each.share().upper(), "atMost", each.atMost())));
        parts.put("conditions", Json.array(summary.conditions().entrySet().stream().flatMap(each -> each.getValue().stream().map(sentence -> List.of(each.getKey(), sentence)))
                .toList(), each -> Json.object("system", each.get(0), "condition", each.get(1))));
        ResultFiles.write(directory, "bench-ph1", machine, "workload,system,round,kind,per_s,aborts,mean_us,p50_us,p99_us",
                turns.stream().flatMap(turn -> turn.kinds().stream().map(kind -> List.of(turn.workload(), turn.system(), Integer.toString(turn.round()), kind.kind(),
                        Json.plain(turn.perSecond(kind.kind())), Long.toString(kind.aborts()), Json.plain(kind.mean()), Json.plain(kind.p50()), Json.plain(kind.p99())))).toList(),
                options.settings("rounds", options.rounds, "seconds", options.seconds, "settleSeconds", options.settleSeconds, "threads", options.threads, "instances",
                        options.instances, "valueBytes", options.valueBytes, "warehouses", options.warehouses, "customers", options.customers, "items", options.items,
                        "cassandraHeapMb", options.cassandraHeap),
                parts, draw(summary, machine));
        Files.writeString(directory.resolve("bench-ph1.txt"), machine + "\n\n" + summary.text());
    }

    /** A line from quartile to quartile for each penalty, with a dot at the median. */
    private static String draw(PH1Summary summary, Machine machine) {
        Svg svg = new Svg(LABELS + PANEL + 260, Svg.TOP + (summary.penalties().size() + 1) * ROW, PANEL);
        svg.title("What transactions cost: throughput that is missing to the store's own", machine);
        Svg.Axis axis = svg.linear(LABELS, 1);
        axis.draw("penalty: quartiles, median (dot)", List.of(0.0, 0.13, 0.22, 0.5, 0.75, 1.0), List.of("0", "13%", "22%", "50%", "75%", "100%"));
        int y = Svg.TOP + ROW;
        for (PH1Summary.Penalty each : summary.penalties()) {
            svg.text(LABELS - 12, y, "end", each.label());
            svg.range(axis.x(each.share().lower()), axis.x(each.share().median()), axis.x(each.share().upper()), y,
                    each.system().equals(KeyValueCluster.PEER) ? Svg.LL : Svg.OURS);
            svg.text(LABELS + PANEL + 12, y, "dim", String.format(Locale.ROOT, "%.0f%%  %s", 100 * each.share().median(), each.verdict()));
            y += ROW;
        }
        return svg.end();
    }
}
