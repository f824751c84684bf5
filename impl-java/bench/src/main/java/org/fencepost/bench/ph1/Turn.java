package org.fencepost.bench.ph1;

import java.util.List;
import org.fencepost.bench.ph1.KeyValueServer.Figures;

/**
 * What one system did in its turn.
 *
 * @param workload the name
 * @param round    1, 2, ...: those with the same number were measured one after the other
 */
record Turn(String workload, String system, int round, double seconds, List<Figures> kinds) {

    /** Transactions that ended. */
    double perSecond() {
        return kinds.stream().mapToLong(Figures::count).sum() / seconds;
    }

    double perSecond(String kind) {
        return kinds.stream().filter(each -> each.kind().equals(kind)).mapToLong(Figures::count).sum() / seconds;
    }

    double p50(String kind) {
        return kinds.stream().filter(each -> each.kind().equals(kind)).mapToDouble(Figures::p50).findFirst().orElse(Double.NaN);
    }

    /** Of all attempts. */
    double abortShare() {
        long aborts = kinds.stream().mapToLong(Figures::aborts).sum();
        return (double) aborts / Math.max(1, aborts + kinds.stream().mapToLong(Figures::count).sum());
    }
}
