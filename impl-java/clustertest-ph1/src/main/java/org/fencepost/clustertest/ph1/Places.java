package org.fencepost.clustertest.ph1;

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.fencepost.ph1.demo.CassandraNode;
import org.fencepost.ph1.store.CassandraSessions;

/** Where everything is on the cluster, which cluster/layout.sh tells by the environment. */
final class Places {

    /** Of pH1's tables; each key is on all three nodes of Cassandra. */
    static final String KEYSPACE = "ph1";
    static final int REPLICAS = 3;
    static final String GROUP = "cluster";
    static final int GROUP_PORT = 7800;
    /** Where instances serve {@link Instance}. */
    static final int PORT = 7780;

    private Places() {
    }

    private static List<String> nodes(String variable) {
        String nodes = System.getenv(variable);
        if (nodes == null || nodes.isBlank()) {
            throw new IllegalArgumentException("The cluster that is up has no Cassandra: start it with PH1=1.");
        }
        return Arrays.asList(nodes.trim().split(" +"));
    }

    static List<String> instances() {
        return nodes("PH1_NODES");
    }

    static CqlSession connect() {
        return CassandraSessions.open(nodes("CASSANDRA_NODES").stream().map(node -> new InetSocketAddress(node, CassandraNode.PORT)).toList(), "datacenter1");
    }
}
