package org.fencepost.bench.tm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.fencepost.bench.harness.Spread;
import org.fencepost.bench.load.Scenario;

/** Medians of the pairs, and the ratios between systems, which are medians of the ratios within each pair. */
final class Summary {

    /** One system in one scenario; NaN where nothing was measured. Units as in {@link Measurement}. */
    record Row(Scenario scenario, String system, double tps, double aborts, boolean lowerBound, double generatorBusy, double serverBusy,
            double cpuPerMillion, double bytes, double p50, double p99, double p999, double equalP50, double equalP99, double equalP999,
            double throughputRatio, double equalP99Ratio) {
    }

    private final List<Measurement> all;
    private final List<Row> rows = new ArrayList<>();

    Summary(List<Measurement> all, List<Scenario> scenarios, List<String> systems) {
        this.all = all;
        for (Scenario scenario : scenarios) {
            for (String system : systems) {
                rows.add(row(scenario, system));
            }
        }
    }

    List<Row> rows() {
        return rows;
    }

    private Row row(Scenario scenario, String system) {
        // Half of its own saturation is the equal load for Apache Omid in low-latency mode.
        String equal = system.equals(Servers.OMID_LL) ? Runner.HALF : Runner.EQUAL;
        return new Row(scenario, system, median(system, scenario, Runner.SATURATION, Measurement::tps),
                median(system, scenario, Runner.SATURATION, Measurement::aborts),
                all.stream().anyMatch(m -> m.system().equals(system) && m.scenario().equals(scenario) && m.lowerBound()),
                median(system, scenario, Runner.SATURATION, Measurement::generatorBusy),
                median(system, scenario, Runner.SATURATION, Measurement::serverBusy),
                median(system, scenario, Runner.SATURATION, Measurement::cpuPerMillion),
                median(system, scenario, Runner.SATURATION, Measurement::bytes),
                median(system, scenario, Runner.HALF, Measurement::p50), median(system, scenario, Runner.HALF, Measurement::p99),
                median(system, scenario, Runner.HALF, Measurement::p999), median(system, scenario, equal, Measurement::p50),
                median(system, scenario, equal, Measurement::p99), median(system, scenario, equal, Measurement::p999),
                ratio(scenario, system, Runner.SATURATION, Runner.SATURATION, Measurement::tps),
                ratio(scenario, system, equal, Runner.HALF, Measurement::p99));
    }

    private double median(String system, Scenario scenario, String phase, ToDoubleFunction<Measurement> figure) {
        return Runner.median(all, system, scenario, phase, figure);
    }

    /** To Apache Omid in low-latency mode. */
    private double ratio(Scenario scenario, String system, String phase, String peerPhase, ToDoubleFunction<Measurement> figure) {
        return Spread.of(all.stream().filter(m -> m.system().equals(system) && m.scenario().equals(scenario) && m.phase().equals(phase))
                .flatMapToDouble(m -> all.stream().filter(peer -> peer.system().equals(Servers.OMID_LL) && peer.scenario().equals(scenario)
                        && peer.phase().equals(peerPhase) && peer.pair() == m.pair()).mapToDouble(peer -> figure.applyAsDouble(m) / figure.applyAsDouble(peer))))
                .median();
    }

    String text() {
        StringBuilder out = new StringBuilder(String.format(Locale.ROOT, "%-23s %-13s %11s %7s %7s %8s %7s  %-23s  %-23s %7s%n", "", "", "saturated", "to", "aborts",
                "CPU s/M", "B per", "p50/p99/p99.9 us at 50%", "the same at equal load:", "p99 to"));
        out.append(String.format(Locale.ROOT, "%-23s %-13s %11s %7s %7s %8s %7s  %-23s  %-23s %7s%n", "scenario", "system", "tps", "Omid LL", "", "requests", "request",
                "of its own saturation", "50% of Omid LL's", "Omid LL"));
        for (Row row : rows) {
            out.append(String.format(Locale.ROOT, "%-23s %-13s %s%,10.0f %7s %6.1f%% %8.2f %7.1f  %-23s  %-23s %7s%n", row.scenario(), row.system(), row.lowerBound() ? ">" : " ",
                    row.tps(), times(row.throughputRatio()), 100 * row.aborts(), row.cpuPerMillion(), row.bytes(), triple(row.p50(), row.p99(), row.p999()),
                    triple(row.equalP50(), row.equalP99(), row.equalP999()), times(row.equalP99Ratio())));
        }
        if (rows.stream().anyMatch(Row::lowerBound)) {
            out.append(String.format(Locale.ROOT, "> a lower bound, in some turn at least: the generator used %.0f%% of its core or more, or the server less than %.0f%%.%n",
                    100 * Measurement.GENERATOR_LIMIT, 100 * Measurement.SERVER_LIMIT));
        }
        return out.append("Medians of pairs; ratios are medians of the ratios within each pair.\n").toString();
    }

    private static String times(double ratio) {
        return Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, ratio < 1 ? "%.3fx" : "%.1fx", ratio);
    }

    private static String triple(double p50, double p99, double p999) {
        return Double.isNaN(p50) ? "-" : String.format(Locale.ROOT, "%,.0f / %,.0f / %,.0f", p50, p99, p999);
    }
}
