package org.fencepost.clustertest.client;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/**
 * What a run over a table with leaders has beside its clients, so that everything depends on the leaders: readers heal nothing, half of all
 * post-commits never happen, as if their clients had died, some leaders come later than their followers, and a janitor and major compactions
 * are at work.
 */
final class Leaders implements AutoCloseable {

    private static final long PAUSE_MILLIS = 2_000;
    /** By which a leader may come late: puts are sent in parallel. */
    private static final long LATE_MILLIS = 20;
    /** Longer than any fault keeps a request under way. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final Janitor janitor;
    private final Connection connection;
    private final TableName table;
    private final Paths paths;
    private final Thread thread = new Thread(this::run, "leaders");
    private volatile boolean closed;

    /** @param client of the janitor, closed later than this */
    Leaders(TransactionClient client, TransactionManager manager, Connection connection, TableName table, Paths paths) {
        this.janitor = new Janitor(client, manager, GRACE);
        this.connection = connection;
        this.table = table;
        this.paths = paths;
        thread.setDaemon(true);
        thread.start();
    }

    /** A client half of whose transactions die before post-commit, and some of whose leaders come late. */
    static TransactionClient open(Configuration conf, TransactionManager manager, Tracer tracer) {
        conf.set(Settings.PLACEMENT, TableAttributes.LEADER);
        conf.setBoolean(Settings.HEAL, false);
        SplittableRandom random = new SplittableRandom();
        return Internals.open(conf, manager, new Internals.Seams(store -> dying((LeaderStore<CellKey, byte[]>) store, random), none -> none, tracer));
    }

    @SuppressWarnings("unchecked")
    private static LeaderStore<CellKey, byte[]> dying(LeaderStore<CellKey, byte[]> store, SplittableRandom random) {
        return (LeaderStore<CellKey, byte[]>) Proxy.newProxyInstance(LeaderStore.class.getClassLoader(), new Class<?>[] {LeaderStore.class},
                (proxy, method, arguments) -> {
                    // Of several transactions: post-commit. The janitor's is another one.
                    if (method.getName().equals("putCommitCells") && arguments.length == 1 && dies(random)) {
                        throw new StoreException("The client died before its post-commit.");
                    }
                    if (method.getName().equals("put") && arguments.length == 3 && dies(random)) {
                        Map<CellKey, Write<byte[]>> followers = new LinkedHashMap<>((Map<CellKey, Write<byte[]>>) arguments[2]);
                        followers.remove(arguments[1]);
                        if (!followers.isEmpty()) {
                            store.put((long) arguments[0], (CellKey) arguments[1], followers);
                            Thread.sleep(LATE_MILLIS);
                        }
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static boolean dies(SplittableRandom random) {
        synchronized (random) {
            return random.nextBoolean();
        }
    }

    private void run() {
        long highest = 0;
        while (!closed) {
            try {
                Thread.sleep(PAUSE_MILLIS);
                long watermark = janitor.pass();
                if (watermark > highest) {
                    highest = watermark;
                    paths.count(Paths.JANITOR_PASS);
                    compact();
                }
            } catch (TransactionException | IOException e) {
                paths.count(Paths.JANITOR_PASS + " that failed"); // a fault: the next one makes up for it
                System.err.println("Janitor: " + e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** HBase does it in the background. */
    private void compact() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.flush(table);
            admin.majorCompact(table);
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join();
    }
}
