package org.fencepost.bench.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.fencepost.bench.harness.Spread;
import org.fencepost.bench.index.IndexSlice.Kind;

/** Medians of the slices, and the ratios between what is compared within each pair, held against the goals. */
final class IndexSummary {

    /** Units as in {@link IndexSlice}; the most aborts of a slice. */
    record Row(Kind kind, String system, double perSecond, double p50, double p99, long aborts) {
    }

    /**
     * @param what   is divided
     * @param atMost NaN: nothing is asked of it
     */
    record Goal(Kind kind, String system, String to, String what, ToDoubleFunction<IndexSlice> figure, double atMost) {
    }

    /** Within each pair. */
    record Comparison(Goal goal, Spread ratio) {

        boolean isMet() {
            return Double.isNaN(goal.atMost()) || ratio.median() <= goal.atMost();
        }

        String verdict() {
            return Double.isNaN(goal.atMost()) ? "" : String.format(Locale.ROOT, "at most %.2f: %s", goal.atMost(), isMet() ? "met" : "missed");
        }
    }

    static final List<Goal> GOALS = List.of(
            new Goal(Kind.WRITERS, IndexSlice.DURING, IndexSlice.BEFORE, "p99", IndexSlice::p99, 1.2),
            new Goal(Kind.WRITERS, IndexSlice.DURING, IndexSlice.BEFORE, "per second", IndexSlice::perSecond, Double.NaN),
            new Goal(Kind.POPULATE, IndexSlice.BUILD, IndexSlice.COPY, "per second", IndexSlice::perSecond, Double.NaN),
            new Goal(Kind.EXCLUDE_CURRENT, IndexSlice.EXCLUDING, IndexSlice.PLAIN, "p50", IndexSlice::p50, 1.05),
            new Goal(Kind.VERSIONS, IndexSlice.SERVER, IndexSlice.CLIENT, "p50", IndexSlice::p50, Double.NaN));

    private final List<IndexSlice> all;
    private final List<Row> rows = new ArrayList<>();
    private final List<Comparison> comparisons = new ArrayList<>();

    IndexSummary(List<IndexSlice> all) {
        this.all = all;
        for (Kind kind : Kind.values()) {
            for (String system : all.stream().filter(slice -> slice.kind() == kind).map(IndexSlice::system).distinct().sorted().toList()) {
                rows.add(new Row(kind, system, median(kind, system, IndexSlice::perSecond), median(kind, system, IndexSlice::p50), median(kind, system, IndexSlice::p99),
                        slices(kind, system).mapToLong(IndexSlice::aborts).max().orElse(0)));
            }
        }
        GOALS.forEach(goal -> comparisons.add(new Comparison(goal, ratio(goal))));
    }

    List<Row> rows() {
        return rows;
    }

    List<Comparison> comparisons() {
        return comparisons;
    }

    private Stream<IndexSlice> slices(Kind kind, String system) {
        return all.stream().filter(slice -> slice.kind() == kind && slice.system().equals(system));
    }

    private double median(Kind kind, String system, ToDoubleFunction<IndexSlice> figure) {
        return Spread.of(slices(kind, system).mapToDouble(figure)).median();
    }

    private Spread ratio(Goal goal) {
        return Spread.of(slices(goal.kind(), goal.system()).flatMapToDouble(slice -> slices(goal.kind(), goal.to()).filter(other -> other.pair() == slice.pair())
                .mapToDouble(other -> goal.figure().applyAsDouble(slice) / goal.figure().applyAsDouble(other))));
    }

    String text() {
        StringBuilder out = new StringBuilder(String.format(Locale.ROOT, "%-22s %-10s %10s %9s %9s %7s%n", "operation", "", "per s", "p50 us", "p99 us", "aborts"));
        for (Row row : rows) {
            out.append(String.format(Locale.ROOT, "%-22s %-10s %,10.0f %,9.0f %,9.0f %7d%n", row.kind().text(), row.system(), row.perSecond(), row.p50(), row.p99(), row.aborts()));
        }
        out.append("Medians of slices; the most aborts of one. Where a table is copied or an index populated, rows per second.\n\n");
        for (Comparison c : comparisons) {
            out.append(String.format(Locale.ROOT, "%-22s %-28s %.2f (%.2f to %.2f)  %s%n", c.goal().kind().text(), label(c.goal()), c.ratio().median(), c.ratio().lower(), c.ratio().upper(),
                    c.verdict()));
        }
        return out.append("Medians of the ratios within each pair, with quartiles.\n").toString();
    }

    static String label(Goal goal) {
        return goal.what() + ", " + goal.system() + " / " + goal.to();
    }
}
