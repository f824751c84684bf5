package org.fencepost.clustertest.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;

/** A system that can be tested: ours, or another one that promises the same. */
public interface Target {

    Target FENCEPOST = new Target() {
        @Override
        public void requireCan(Workload workload) {
            if (workload.isPH1()) {
                throw new IllegalArgumentException("pH1's workloads are run by `make cluster-test` and `make jepsen`, which have a class path for them, with Cassandra's driver.");
            }
        }

        @Override
        public Session open(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException, InterruptedException {
            return new FencepostSession(cluster, workload, timeout, paths);
        }

        @Override
        public String toString() {
            return "fencepost";
        }
    };

    /**
     * Connects and makes the table.
     *
     * @param cluster HBase's configuration, with the transaction managers' ZooKeeper
     * @param timeout of each request, in milliseconds
     */
    Session open(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException, InterruptedException;

    /** Throws IllegalArgumentException, with a sentence, for a workload that it cannot do. */
    default void requireCan(Workload workload) {
    }

    /** How often each path must be taken in a minute: those of the workload's that its client can see. */
    default Map<String, Integer> asks(Workload workload) {
        return new HashMap<>(workload.asks());
    }

    /** Whether its transaction managers write traces, too, and every run has some of both. */
    default boolean isTraced() {
        return true;
    }

    /** Whether a transaction manager whose lease has run out ends itself, and must be started again. */
    default boolean managersEndThemselves() {
        return false;
    }
}
