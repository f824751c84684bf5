package org.fencepost.bench.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Json;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.ResultFiles;
import org.fencepost.bench.harness.Svg;

/** The slices of the benchmark, their medians and ratios, as {@link ResultFiles}. */
final class IndexResults {

    private static final String COLUMNS = "operation,system,pair,per_s,p50_us,p99_us,aborts";
    private static final int LABELS = 380;
    private static final int PANEL = 330;
    private static final int ROW = 18;

    private IndexResults() {
    }

    static void write(Path directory, Machine machine, BenchIndex options, List<IndexSlice> slices, IndexSummary summary) throws IOException {
        ResultFiles.write(directory, "bench-index", machine, COLUMNS, slices.stream().map(IndexResults::row).toList(),
                options.settings("pairs", options.pairs, "threads", options.threads), parts(slices, summary), draw(summary, machine));
    }

    private static List<String> row(IndexSlice s) {
        return List.of(s.kind().text(), s.system(), Integer.toString(s.pair()), Json.plain(s.perSecond()), Json.plain(s.p50()), Json.plain(s.p99()),
                Long.toString(s.aborts()));
    }

    private static Map<String, String> parts(List<IndexSlice> slices, IndexSummary summary) {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("ratios", Json.array(summary.comparisons(), c -> Json.object("operation", c.goal().kind().text(), "of", c.goal().what(), "system", c.goal().system(),
                "to", c.goal().to(), "median", c.ratio().median(), "lowerQuartile", c.ratio().lower(), "upperQuartile", c.ratio().upper(), "atMost", c.goal().atMost(),
                "met", c.isMet())));
        parts.put("medians", Json.array(summary.rows(), row -> Json.object("operation", row.kind().text(), "system", row.system(), "perSecond", row.perSecond(),
                "p50Micros", row.p50(), "p99Micros", row.p99(), "mostAborts", row.aborts())));
        parts.put("slices", Json.array(slices, s -> Json.object("operation", s.kind().text(), "system", s.system(), "pair", s.pair(), "perSecond", s.perSecond(),
                "p50Micros", s.p50(), "p99Micros", s.p99(), "aborts", s.aborts())));
        return parts;
    }

    /** A line from quartile to quartile for each ratio, with a dot at the median. */
    private static String draw(IndexSummary summary, Machine machine) {
        Svg svg = new Svg(LABELS + PANEL + 210, Svg.TOP + (summary.comparisons().size() + 1) * ROW, PANEL);
        svg.title("Builds of indexes, checkpoints, and reads that region servers decide, beside doing without", machine);
        Svg.Axis ratios = svg.axis(LABELS, 0.125, 8);
        ratios.draw("ratio: quartiles, median (dot)", List.of(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0), List.of("1/8", "1/4", "1/2", "1", "2", "4", "8"));
        int y = Svg.TOP + ROW;
        for (IndexSummary.Comparison c : summary.comparisons()) {
            svg.text(LABELS - 12, y, "end", c.goal().kind().text() + ": " + IndexSummary.label(c.goal()));
            svg.range(ratios.x(c.ratio().lower()), ratios.x(c.ratio().median()), ratios.x(c.ratio().upper()), y, Svg.OURS);
            svg.text(LABELS + PANEL + 12, y, "dim", String.format(Locale.ROOT, "%.2f  %s", c.ratio().median(), c.verdict()));
            y += ROW;
        }
        return svg.end();
    }
}
