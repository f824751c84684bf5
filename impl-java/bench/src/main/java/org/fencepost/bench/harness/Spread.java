package org.fencepost.bench.harness;

import java.util.stream.DoubleStream;

/** Median and quartiles of figures that were measured several times; NaN of none. */
public record Spread(double lower, double median, double upper) {

    public static Spread of(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
    }

    /** Between two figures, in proportion. */
    private static double quantile(double[] sorted, double share) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
