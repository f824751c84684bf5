package org.fencepost.bench.fastpath;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.fencepost.bench.fastpath.Operation.Kind;
import org.fencepost.bench.harness.Spread;

/** Medians of the slices, and the ratios between systems within each pair, held against the goals. */
final class FpSummary {

    /** One system at one kind of operation; units as in {@link Slice}. */
    record Row(int threads, Kind kind, String system, double perSecond, double aborts, double p50, double mean, double p99, double hbaseCpu,
            double hbaseBytes, double clientCpu) {
    }

    /** What is asked of a ratio of latencies. */
    enum Aim {
        AT_MOST, AT_LEAST, NONE
    }

    /**
     * @param paper the ratio that VLDB'18 sec. 5.2 tells for light load; NaN if none
     */
    record Goal(Kind kind, String system, String to, Aim aim, double bound, double paper) {

        boolean isMet(double ratio) {
            return switch (aim) {
                case AT_MOST -> ratio <= bound;
                case AT_LEAST -> ratio >= bound;
                case NONE -> true;
            };
        }
    }

    /** The latency of a system by that of another, within each pair: of medians, and of means. */
    record Comparison(int threads, Goal goal, Spread p50, Spread mean) {

        String verdict() {
            return goal.aim() == Aim.NONE ? "" : String.format(Locale.ROOT, "%s %.2f: %s", goal.aim() == Aim.AT_MOST ? "at most" : "at least", goal.bound(),
                    goal.isMet(p50.median()) ? "met" : "missed");
        }
    }

    static final List<Goal> GOALS = List.of(
            new Goal(Kind.WRITE, Operation.FP, Operation.NATIVE, Aim.AT_MOST, 1.15, 1.2),
            new Goal(Kind.WRITE, Operation.LL, Operation.FP, Aim.AT_LEAST, 2.3, 2.3),
            new Goal(Kind.WRITE, Operation.ONE_PHASE, Operation.NATIVE, Aim.AT_MOST, 2.0, Double.NaN),
            new Goal(Kind.WRITE, Operation.BLIND, Operation.NATIVE, Aim.AT_MOST, 1.6, Double.NaN),
            new Goal(Kind.READ, Operation.FP, Operation.NATIVE, Aim.AT_MOST, 1.05, 1.0),
            new Goal(Kind.READ, Operation.LL, Operation.FP, Aim.NONE, Double.NaN, 1.7),
            new Goal(Kind.READ, Operation.LL, Operation.NATIVE, Aim.AT_MOST, 1.3, Double.NaN),
            new Goal(Kind.READ_WRITE, Operation.FP, Operation.NATIVE, Aim.NONE, Double.NaN, Double.NaN),
            new Goal(Kind.READ_WRITE, Operation.LL, Operation.FP, Aim.NONE, Double.NaN, 1.6),
            new Goal(Kind.FIVE, Operation.LL_BESIDE_FP, Operation.LL, Aim.NONE, Double.NaN, Double.NaN),
            new Goal(Kind.TEN, Operation.LL_BESIDE_FP, Operation.LL, Aim.AT_MOST, 1.05, 1.14));

    private final List<Slice> all;
    private final List<Trips> trips;
    private final List<Row> rows = new ArrayList<>();
    private final List<Comparison> comparisons = new ArrayList<>();

    FpSummary(List<Slice> all, List<Trips> trips) {
        this.all = all;
        this.trips = trips;
        for (int threads : all.stream().mapToInt(Slice::threads).distinct().sorted().toArray()) {
            for (Kind kind : Kind.values()) {
                for (String system : List.of(Operation.NATIVE, Operation.FP, Operation.LL, Operation.LL_BESIDE_FP, Operation.ONE_PHASE, Operation.BLIND)) {
                    if (slices(threads, kind, system).findAny().isPresent()) {
                        rows.add(row(threads, kind, system));
                    }
                }
            }
            for (Goal goal : GOALS) {
                if (slices(threads, goal.kind(), goal.system()).findAny().isPresent()) {
                    comparisons.add(new Comparison(threads, goal, ratio(threads, goal, Slice::p50), ratio(threads, goal, Slice::mean)));
                }
            }
        }
    }

    List<Row> rows() {
        return rows;
    }

    List<Comparison> comparisons() {
        return comparisons;
    }

    List<Trips> trips() {
        return trips;
    }

    private Stream<Slice> slices(int threads, Kind kind, String system) {
        return all.stream().filter(slice -> slice.threads() == threads && slice.kind() == kind && slice.system().equals(system));
    }

    private Row row(int threads, Kind kind, String system) {
        List<Slice> of = slices(threads, kind, system).toList();
        return new Row(threads, kind, system, median(of, Slice::perSecond), median(of, Slice::aborts), median(of, Slice::p50), median(of, Slice::mean),
                median(of, Slice::p99), perOperation(of, Slice::hbaseCpu), median(of, Slice::hbaseBytes), perOperation(of, Slice::clientCpu));
    }

    /** Over all slices: the time that a process used is known too roughly for a single one. */
    private static double perOperation(List<Slice> slices, ToDoubleFunction<Slice> figure) {
        return slices.stream().mapToDouble(slice -> slice.count() * figure.applyAsDouble(slice)).sum() / slices.stream().mapToLong(Slice::count).sum();
    }

    private static double median(List<Slice> slices, ToDoubleFunction<Slice> figure) {
        return Spread.of(slices.stream().mapToDouble(figure)).median();
    }

    private Spread ratio(int threads, Goal goal, ToDoubleFunction<Slice> figure) {
        return Spread.of(slices(threads, goal.kind(), goal.system()).flatMapToDouble(slice -> slices(threads, goal.kind(), goal.to())
                .filter(other -> other.pair() == slice.pair()).mapToDouble(other -> figure.applyAsDouble(slice) / figure.applyAsDouble(other))));
    }

    String text() {
        StringBuilder out = new StringBuilder(String.format(Locale.ROOT, "%-7s %-13s %-13s %9s %9s %9s %9s %9s %9s %9s %7s%n", "threads", "operation", "system",
                "per s", "p50 us", "mean us", "p99 us", "HBase us", "HBase B", "client us", "aborts"));
        for (Row row : rows) {
            out.append(String.format(Locale.ROOT, "%-7d %-13s %-13s %,9.0f %,9.0f %,9.0f %,9.0f %,9.0f %,9.0f %,9.0f %6.1f%%%n", row.threads(), row.kind().text(), row.system(),
                    row.perSecond(), row.p50(), row.mean(), row.p99(), row.hbaseCpu(), row.hbaseBytes(), row.clientCpu(), 100 * row.aborts()));
        }
        out.append("Medians of slices; CPU time for each operation over all slices, post-commits included.\n\n");
        out.append(String.format(Locale.ROOT, "%-7s %-13s %-21s %-20s %-20s %-6s %s%n", "threads", "operation", "latency of, to", "ratio of p50", "ratio of mean", "paper",
                "goal, for p50"));
        for (Comparison c : comparisons) {
            out.append(String.format(Locale.ROOT, "%-7d %-13s %-21s %-20s %-20s %-6s %s%n", c.threads(), c.goal().kind().text(), c.goal().system() + ", " + c.goal().to(),
                    text(c.p50()), text(c.mean()), Double.isNaN(c.goal().paper()) ? "" : String.format(Locale.ROOT, "%.2f", c.goal().paper()), c.verdict()));
        }
        out.append("Medians of the ratios within each pair, with quartiles.\n\n");
        out.append(String.format(Locale.ROOT, "%-13s %-13s %9s %9s %9s %10s  %s%n", "operation", "system", "log syncs", "HBase", "manager", "unanswered", "goal"));
        for (Trips t : trips) {
            out.append(String.format(Locale.ROOT, "%-13s %-13s %9.2f %9.2f %9.2f %10.2f  %s%n", t.kind().text(), t.system(), t.syncs(), t.ofHBase(), t.ofManager(), t.unanswered(),
                    t.verdict()));
        }
        return out.append("Syncs, requests to the region server and to the transaction manager, and messages to it, for each operation: counted by the servers, what comes"
                + " afterwards included.\n").toString();
    }

    private static String text(Spread ratio) {
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", ratio.median(), ratio.lower(), ratio.upper());
    }
}
