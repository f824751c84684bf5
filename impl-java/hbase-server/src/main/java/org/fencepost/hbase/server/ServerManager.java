package org.fencepost.hbase.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.util.ReflectionUtils;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.manager.GivenTimestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region server's way to a transaction manager, which all its regions share: a connection, what the manager has told, and a thread
 * that asks in the background. There is one for each manager that the server's configuration names, however many tables there are. It
 * lives as long as one of its regions is open.
 */
final class ServerManager implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerManager.class);

    private record Id(ServerName server, String address) {
    }

    private static final Map<Id, ServerManager> MANAGERS = new HashMap<>();

    private final Id id;
    private final TransactionManager manager;
    private final GivenTimestamps given;
    private final ScheduledExecutorService background;
    private final WaitingHandlers waiting;
    /** Guarded by MANAGERS. */
    private int users;

    private ServerManager(Id id, TransactionManager manager, WaitingHandlers waiting) {
        this.id = id;
        this.waiting = waiting;
        this.manager = manager;
        this.given = new GivenTimestamps(manager::info);
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = Executors.defaultThreadFactory().newThread(work);
            thread.setName("fencepost-manager-" + id.address());
            thread.setDaemon(true);
            return thread;
        });
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.background = one;
    }

    /** The region server's own, without the values of the table, which are its owner's. */
    static Configuration configuration(RegionCoprocessorEnvironment region) {
        return region.getConnection().getConfiguration();
    }

    /**
     * {@link #close} must follow.
     *
     * @param table a commit table, or a table of Mediator
     * @throws IllegalArgumentException with one sentence, if its manager is not configured
     */
    static ServerManager open(RegionCoprocessorEnvironment region, TableName table) {
        Configuration conf = configuration(region);
        TransactionManagerFactory factory = ReflectionUtils.newInstance(conf.getClass(Settings.TM_FACTORY,
                RemoteTransactionManagerFactory.class, TransactionManagerFactory.class), conf);
        Id id = new Id(region.getServerName(), factory.address(conf, table));
        synchronized (MANAGERS) {
            ServerManager manager = MANAGERS.computeIfAbsent(id, absent -> new ServerManager(id, factory.connect(conf, id.address()),
                    WaitingHandlers.of(id.server(), conf)));
            manager.users++;
            return manager;
        }
    }

    @Override
    public void close() {
        synchronized (MANAGERS) {
            if (--users > 0) {
                return;
            }
            MANAGERS.remove(id);
        }
        background.shutdownNow();
        if (manager instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.warn("Closing the connection to the transaction manager: {}", e.toString());
            }
        }
    }

    TransactionManager manager() {
        return manager;
    }

    GivenTimestamps given() {
        return given;
    }

    /** What a request asks of the manager while its client waits. */
    interface Question<T> {
        T ask() throws TransactionManagerException;
    }

    /** Throws RegionTooBusyException if the manager does not answer, or too many wait for it already: HBase's client tries again. */
    <T> T whileClientWaits(Question<T> question) throws RegionTooBusyException {
        if (!waiting.enter()) {
            throw new RegionTooBusyException("Too many requests wait for the transaction manager already.");
        }
        try {
            return question.ask();
        } catch (TransactionManagerException e) {
            throw new RegionTooBusyException("The region server cannot ask its transaction manager: " + e.getMessage());
        } finally {
            waiting.leave();
        }
    }

    /** Of the server: whoever waits for the manager in a request takes a place. */
    WaitingHandlers waiting() {
        return waiting;
    }

    /** One thread for all regions, since it waits for one manager. */
    ScheduledExecutorService background() {
        return background;
    }

    @Override
    public String toString() {
        return "the transaction manager of " + id.address() + " on " + id.server();
    }
}
