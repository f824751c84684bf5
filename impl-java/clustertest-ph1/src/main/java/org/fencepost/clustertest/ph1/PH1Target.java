package org.fencepost.clustertest.ph1;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;

/** pH1, which the harness in Clojure finds as a service of this module. */
public final class PH1Target implements Target {

    @Override
    public void requireCan(Workload workload) {
        if (!workload.isPH1()) {
            throw new IllegalArgumentException("This program runs pH1's workloads only: use `make cluster-test` or `make jepsen`, which know which is which.");
        }
    }

    @Override
    public Session open(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException {
        return new PH1Session(cluster, workload, paths);
    }

    /** Several of its transactions have one snapshot, and are certified from it: traces of transaction managers know one of each. */
    @Override
    public boolean isTraced() {
        return false;
    }

    @Override
    public String toString() {
        return "ph1";
    }
}
