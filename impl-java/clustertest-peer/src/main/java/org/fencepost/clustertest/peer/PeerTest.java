package org.fencepost.clustertest.peer;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.audit.text.Commands;
import org.fencepost.clustertest.ClusterTest;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.protocol.AbortCause;

/**
 * {@code fencepost cluster-test} of Apache Omid: the same workloads, faults and judges, as far as it has what they are about. Its transaction managers run in whichever
 * mode the cluster was started with.
 */
public final class PeerTest {

    private static final Target APACHE_OMID = new Target() {
        @Override
        public void requireCan(Workload workload) {
            if (workload.fastPath() || workload.twoPhase() || workload.isMediators()) {
                throw new IllegalArgumentException("Apache Omid has regular transactions only, and this workload has others, too.");
            }
            if (workload.isPH1()) {
                throw new IllegalArgumentException("Apache Omid does not run on Cassandra, and this workload is pH1's.");
            }
            if (workload.scans()) {
                throw new IllegalArgumentException("Apache Omid's client is not made to scan here, and this workload scans.");
            }
        }

        @Override
        public Session open(Configuration cluster, Workload workload, int timeout, Paths paths) throws IOException, InterruptedException {
            return new OmidSession(cluster, workload, timeout, paths);
        }

        /** Of its paths only those that an application sees. */
        @Override
        public Map<String, Integer> asks(Workload workload) {
            Map<String, Integer> asks = new HashMap<>(workload.asks());
            Set<String> seen = Arrays.stream(AbortCause.values()).map(cause -> Paths.abort(cause.name())).collect(Collectors.toSet());
            seen.addAll(Set.of(Paths.COMMIT, Paths.READ_ONLY, Paths.TIMESTAMP, Paths.FAILOVER, Paths.WRITE_SKEW));
            asks.keySet().retainAll(seen);
            return asks;
        }

        @Override
        public boolean isTraced() {
            return false;
        }

        @Override
        public boolean managersEndThemselves() {
            return true;
        }

        @Override
        public String toString() {
            return "apache-omid";
        }
    };

    private PeerTest() {
    }

    public static void main(String[] arguments) {
        System.exit(Commands.run(new ClusterTest(APACHE_OMID), arguments));
    }
}
