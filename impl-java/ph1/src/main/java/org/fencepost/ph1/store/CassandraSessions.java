package org.fencepost.ph1.store;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Connections to Cassandra with what pH1 needs, for who has none of its own. */
public final class CassandraSessions {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private CassandraSessions() {
    }

    /**
     * Connects, with 5 s for each request. The caller closes it.
     *
     * @param dataCenter the nodes' own; datacenter1 where nobody has named it
     * @throws org.fencepost.protocol.store.StoreException if no node answers
     */
    public static CqlSession open(List<InetSocketAddress> nodes, String dataCenter) {
        DriverConfigLoader options = DriverConfigLoader.programmaticBuilder().withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT).withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200)).build();
        try {
            return CqlSession.builder().addContactPoints(nodes).withLocalDatacenter(dataCenter).withConfigLoader(options).build();
        } catch (DriverException e) {
            throw CassandraStore.failed("answer at " + nodes, e);
        }
    }

    /**
     * Creates a keyspace, unless it is there.
     *
     * @param replicas nodes that hold each key; QUORUM is most of them
     * @throws org.fencepost.protocol.store.StoreException if Cassandra does not do it
     */
    public static void createKeyspace(CqlSession session, String keyspace, int replicas) {
        CassandraStore.execute(session, "create keyspace " + keyspace, SimpleStatement.newInstance("CREATE KEYSPACE IF NOT EXISTS " + Key.requireTable(keyspace)
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + replicas + "}"));
    }
}
