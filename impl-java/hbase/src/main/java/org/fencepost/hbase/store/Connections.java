package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.protocol.store.StoreException;

/**
 * A client's two ways to HBase.
 *
 * @param repeating sends requests again whose answer was lost
 * @param once      never does: see {@link Once}
 */
public record Connections(Connection repeating, Connection once) implements AutoCloseable {

    /** Throws IOException with one sentence if no HBase answers, and IllegalArgumentException if the configuration makes no sense. */
    public static Connections open(Configuration conf) throws IOException {
        Configuration frugal = withNetworkThread(conf);
        Connection repeating = ordinary(frugal);
        try {
            return new Connections(repeating, ConnectionFactory.createConnection(Once.once(frugal)));
        } catch (IOException | RuntimeException e) {
            closeQuietly(repeating);
            throw e;
        }
    }

    /** One connection, as HBase's. Throws as {@link #open} does. */
    public static Connection ordinary(Configuration conf) throws IOException {
        Kerberos.prepare(conf);
        Connection connection = ConnectionFactory.createConnection(conf);
        try {
            requireCluster(connection);
            return connection;
        } catch (IOException | RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    /**
     * Each connection with a network thread of its own, where HBase has two for every core, which all its connections share: a
     * transaction's requests follow each other, so most of these would be woken for one message. Whoever configures that is heeded.
     */
    public static Configuration withNetworkThread(Configuration conf) {
        Configuration frugal = new Configuration(conf);
        frugal.setIfUnset(NettyRpcClientConfigHelper.EVENT_LOOP_CONFIG, "");
        frugal.setIfUnset(NettyRpcClientConfigHelper.HBASE_NETTY_EVENTLOOP_RPCCLIENT_THREADCOUNT_KEY, "1");
        return frugal;
    }

    /** The same with StoreException. */
    public static Connections connect(Configuration conf) {
        try {
            return open(conf);
        } catch (IOException e) {
            throw new StoreException("Could not connect to HBase: " + Failures.reason(e), e);
        }
    }

    /** HBase's client "connects" to nothing as well: it only lacks the cluster's id then. */
    private static void requireCluster(Connection connection) throws IOException {
        String id = connection.getClusterId();
        if (id == null || id.equals(HConstants.CLUSTER_ID_DEFAULT)) {
            throw new IOException("no HBase answers at ZooKeeper "
                    + connection.getConfiguration().get(HConstants.ZOOKEEPER_QUORUM) + ": check "
                    + HConstants.ZOOKEEPER_QUORUM + " and that the cluster is up");
        }
    }

    @Override
    public void close() {
        closeQuietly(once);
        closeQuietly(repeating);
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (IOException | RejectedExecutionException e) {
            // It is gone either way. HBase's client may have ended the threads that it still wants to close a channel with.
        }
    }
}
