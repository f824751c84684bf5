package org.fencepost.clustertest.ph1;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.audit.text.Commands;
import org.fencepost.clustertest.ClusterTest;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;

/** {@code fencepost cluster-test} of pH1, on a class path of its own. */
public final class PH1Test {

    private static final Target PH1 = new Target() {
        @Override
        public void requireCan(Workload workload) {
            if (!workload.isPH1()) {
                throw new IllegalArgumentException("This program runs pH1's workloads only: use `make cluster-test`, which knows which is which.");
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
    };

    private PH1Test() {
    }

    public static void main(String[] arguments) {
        System.exit(Commands.run(new ClusterTest(PH1), arguments));
    }
}
