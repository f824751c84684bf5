package org.fencepost.hbase;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.ReflectionUtils;
import org.fencepost.protocol.FastRegion;
import org.fencepost.protocol.LocalVersionClock;
import org.fencepost.protocol.TransactionManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the regions of a server share: the local version clock and the way to the transaction manager. There is one for
 * each commit table, since each has its own transaction manager and its own time, and one for each table of Mediator. It
 * lives as long as one of its regions is open; a region that is opened later takes nothing from it without asking the
 * transaction manager.
 */
final class ServerClock implements FastRegion.TimeSource {

    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    private static final long RETRY_MILLIS = 500;

    /** The span too: tables that disagree on it get clocks of their own, each of them right. */
    private record Id(ServerName server, TableName commitTable, long span) {
    }

    private static final Map<Id, ServerClock> CLOCKS = new HashMap<>();

    private final Id id;
    private final LocalVersionClock clock;
    private final TransactionManager manager;
    private final ScheduledExecutorService asking;
    /** Guarded by CLOCKS. */
    private int users;

    private ServerClock(Id id, Configuration conf) {
        this.id = id;
        this.clock = new LocalVersionClock(id.span());
        this.manager = factory(conf).connect(conf);
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = Executors.defaultThreadFactory().newThread(work);
            thread.setName("fencepost-clock-" + id.commitTable());
            thread.setDaemon(true);
            return thread;
        });
        one.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.asking = one;
    }

    private static TransactionManagerFactory factory(Configuration conf) {
        return ReflectionUtils.newInstance(conf.getClass(Settings.TM_FACTORY, RemoteTransactionManagerFactory.class,
                TransactionManagerFactory.class), conf);
    }

    /** The region server's, and what the table's description says otherwise. */
    static Configuration configuration(RegionCoprocessorEnvironment region) {
        Configuration conf = new Configuration(false);
        HBaseConfiguration.merge(conf, region.getConfiguration()); // which the constructor that copies would see as empty
        region.getRegion().getTableDescriptor().getValues()
                .forEach((key, value) -> conf.set(Bytes.toString(key.get()), Bytes.toString(value.get())));
        return conf;
    }

    /** Throws IllegalArgumentException if the span is none or the way to the transaction manager is not configured. */
    static ServerClock open(ServerName server, TableName commitTable, long span, Configuration conf) {
        synchronized (CLOCKS) {
            ServerClock clock = CLOCKS.computeIfAbsent(new Id(server, commitTable, span), id -> new ServerClock(id, conf));
            clock.users++;
            return clock;
        }
    }

    void close() {
        synchronized (CLOCKS) {
            if (--users > 0) {
                return;
            }
            CLOCKS.remove(id);
        }
        asking.shutdownNow();
        if (manager instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.warn("Closing the connection to the transaction manager: {}", e.toString());
            }
        }
    }

    LocalVersionClock clock() {
        return clock;
    }

    /** One thread does it for all regions, each region with a question of its own. */
    @Override
    public void bootstrapClock(BooleanSupplier stillNeeded, Runnable then) {
        asking.execute(() -> attempt(stillNeeded, then));
    }

    private void attempt(BooleanSupplier stillNeeded, Runnable then) {
        if (!stillNeeded.getAsBoolean()) {
            return;
        }
        try {
            clock.bootstrapClock(manager);
            then.run();
        } catch (RuntimeException e) {
            LOG.warn("No versions for {} on {} yet: {}", id.commitTable(), id.server(), e.getMessage());
            if (!asking.isShutdown()) {
                asking.schedule(() -> attempt(stillNeeded, then), RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }
}
