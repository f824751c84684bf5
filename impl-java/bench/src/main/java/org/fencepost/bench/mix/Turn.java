package org.fencepost.bench.mix;

import java.util.List;
import org.fencepost.bench.mix.ContenderServer.Figures;

/**
 * What one system showed while its client ran transactions for a short time.
 *
 * @param background how many transactions a second others begin and commit at the transaction manager, as was asked for
 * @param attained   how many they did
 * @param round      1, 2, ...: turns of a workload with the same number were measured one after the other
 * @param perSecond  transactions that committed
 * @param hbaseCpu   CPU microseconds of HBase's process for each of them, whatever it spent them on
 * @param managerCpu of the transaction manager's, the background's share included; NaN if there is none
 * @param clientCpu  of the client's
 * @param hbaseBytes that HBase's threads allocated for each of them
 * @param clientBytes of the client's
 * @param figures    of each kind of transaction, and of all
 */
record Turn(Workload workload, int threads, int background, double attained, String system, int round, double perSecond, double hbaseCpu,
        double managerCpu, double clientCpu, double hbaseBytes, double clientBytes, List<Figures> figures) {

    /** What is compared with each other. */
    record Scene(Workload workload, int threads, int background) {

        @Override
        public String toString() {
            return workload + ", " + threads + (threads == 1 ? " thread" : " threads") + (background == 0 ? "" : String.format(", %,d tps behind", background));
        }
    }

    /** Of all processes. */
    double cpu() {
        return hbaseCpu + clientCpu + (Double.isNaN(managerCpu) ? 0 : managerCpu);
    }

    Scene scene() {
        return new Scene(workload, threads, background);
    }

    /** Null if there was none of the kind. */
    Figures of(String kind) {
        return figures.stream().filter(figures -> figures.kind().equals(kind) && figures.count() > 0).findAny().orElse(null);
    }

    /** Of all transactions. */
    double abortShare() {
        return figures.stream().filter(figures -> figures.kind().equals(ContenderServer.ALL))
                .mapToDouble(figures -> (double) figures.aborts() / Math.max(1, figures.aborts() + figures.count())).findAny().orElse(Double.NaN);
    }
}
