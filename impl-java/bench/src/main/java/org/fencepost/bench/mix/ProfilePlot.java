package org.fencepost.bench.mix;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.bench.harness.Machine;
import org.fencepost.bench.harness.Svg;
import org.fencepost.bench.mix.BenchSummary.Row;
import org.fencepost.bench.mix.Profile.Part;
import org.fencepost.bench.mix.Turn.Scene;

/**
 * Draws a {@link Profile}: a panel for each system, a row for each part of a process, with a bar for the CPU time of a transaction. The
 * end of the bar is what the kernel took to stop and wake threads.
 */
final class ProfilePlot {

    private static final int LABELS = 250;
    private static final int PANEL = 190;
    private static final int GAP = 80;
    private static final int ROW = 18;
    /** Parts that nowhere take as much of a transaction are left out. */
    private static final double LEAST = 0.01;

    private final List<Part> parts;
    private final BenchSummary summary;
    private final Svg svg;
    private int y = Svg.TOP;

    private ProfilePlot(Profile profile, BenchSummary summary) {
        this.parts = profile.parts();
        this.summary = summary;
        int lines = scenes().mapToInt(scene -> 1 + rows(scene).size() + (int) rows(scene).stream().map(Part::process).distinct().count()).sum();
        this.svg = new Svg(LABELS + summary.systems().size() * (PANEL + GAP), Svg.TOP + (lines + 1) * ROW, PANEL);
    }

    static String draw(Profile profile, BenchSummary summary, Machine machine) {
        return new ProfilePlot(profile, summary).draw(machine);
    }

    private String draw(Machine machine) {
        svg.title("CPU microseconds of a transaction; the end of a bar is what the kernel took to stop and wake threads", machine);
        for (int i = 0; i < summary.systems().size(); i++) {
            svg.text(left(i), Svg.TOP - 14, "title", summary.systems().get(i));
        }
        scenes().forEach(this::draw);
        return svg.end();
    }

    private Stream<Scene> scenes() {
        return summary.scenes().stream().filter(scene -> parts.stream().anyMatch(part -> part.scene().equals(scene)));
    }

    private static int left(int system) {
        return LABELS + system * (PANEL + GAP);
    }

    private void draw(Scene scene) {
        y += ROW;
        svg.text(20, y, "title", scene.toString());
        double most = parts.stream().filter(part -> part.scene().equals(scene)).mapToDouble(this::micros).max().orElse(1);
        Map<String, List<Part>> byProcess = rows(scene).stream().collect(Collectors.groupingBy(Part::process));
        for (String process : List.of(Profile.HBASE, Profile.MANAGER, Profile.CLIENT)) {
            List<Part> rows = byProcess.getOrDefault(process, List.of());
            if (!rows.isEmpty()) {
                y += ROW;
                svg.text(40, y, "dim", process);
            }
            for (Part row : rows) {
                y += ROW;
                svg.text(LABELS - 12, y, "end", row.part());
                for (int i = 0; i < summary.systems().size(); i++) {
                    draw(find(scene, summary.systems().get(i), process, row.part()), left(i), most);
                }
            }
        }
    }

    /** @param part null for none */
    private void draw(Part part, int left, double most) {
        if (part == null) {
            return;
        }
        Svg.Axis scale = svg.linear(left, most);
        double micros = micros(part);
        svg.bar(left, scale.x(micros * (1 - part.switching())), y, Svg.OURS);
        svg.bar(scale.x(micros * (1 - part.switching())), scale.x(micros), y, Svg.LL);
        svg.text((int) scale.x(micros) + 5, y, "dim", String.format(Locale.ROOT, "%,.0f", micros));
    }

    private Part find(Scene scene, String system, String process, String name) {
        return parts.stream().filter(part -> part.scene().equals(scene) && part.system().equals(system) && part.process().equals(process)
                && part.part().equals(name)).findAny().orElse(null);
    }

    /** One of each name, the larger ones first. */
    private List<Part> rows(Scene scene) {
        double all = parts.stream().filter(part -> part.scene().equals(scene)).mapToDouble(this::micros).sum() / Math.max(1, summary.systems().size());
        Map<List<String>, Part> largest = parts.stream().filter(part -> part.scene().equals(scene)).collect(Collectors.toMap(
                part -> List.of(part.process(), part.part()), part -> part, (a, b) -> micros(a) > micros(b) ? a : b));
        return largest.values().stream().filter(part -> micros(part) >= LEAST * all).sorted(Comparator.comparingDouble(this::micros).reversed()).toList();
    }

    private double micros(Part part) {
        Row row = summary.find(part.scene(), ContenderServer.ALL, part.system());
        double ofProcess = switch (part.process()) {
            case Profile.HBASE -> row.hbaseCpu();
            case Profile.MANAGER -> row.managerCpu();
            default -> row.clientCpu();
        };
        return part.share() * ofProcess;
    }
}
