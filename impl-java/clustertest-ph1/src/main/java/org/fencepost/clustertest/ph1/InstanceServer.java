package org.fencepost.clustertest.ph1;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fencepost.ph1.client.PH1Client;
import org.fencepost.ph1.client.Transaction;
import org.fencepost.ph1.group.GroupSettings;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraStore;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * An application on a node of the cluster: an instance of pH1's middleware, and for each connection a user with a session of its own, whose steps come as
 * lines ({@link Instance}). It is killed and cut off together with what it holds of the version store.
 */
public final class InstanceServer {

    /** So long an instance tries, and no longer than a client waits for it. */
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long EVICT_MILLIS = 500;
    private static final long REDO_MILLIS = 5_000;
    /** Longer than a run: what became of its transactions is looked for in the redo log. */
    private static final long TRIM_MILLIS = 21_600_000;
    private static final int PAUSE_SECONDS = 1;

    private final PH1Client client;

    private InstanceServer(PH1Client client) {
        this.client = client;
    }

    /** Arguments: the node, and ZooKeeper. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<InetSocketAddress> members = Places.instances().stream().map(node -> new InetSocketAddress(node, Places.GROUP_PORT)).toList();
        GroupSettings group = GroupSettings.of(Places.GROUP, new InetSocketAddress(arguments[0], Places.GROUP_PORT), members);
        PH1Client.Settings settings = new PH1Client.Settings(group, RemoteTransactionManager.Settings.of(arguments[1]), PATIENCE_MILLIS, EVICT_MILLIS, REDO_MILLIS,
                TRIM_MILLIS);
        while (true) {
            try (CqlSession session = Places.connect()) {
                if (hasLog(session)) {
                    try (PH1Client client = PH1Client.open(settings, new CassandraStore(session, Places.KEYSPACE), new CassandraLog(session, Places.KEYSPACE))) {
                        new InstanceServer(client).serve(new InetSocketAddress(arguments[0], Places.PORT));
                    }
                }
            } catch (StoreException e) {
                System.out.println("Not yet: " + e.getMessage());
            }
            TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
        }
    }

    /** {@link Ready} creates it. Instances that start together would do so several times. */
    private static boolean hasLog(CqlSession session) {
        return session.getMetadata().getKeyspace(Places.KEYSPACE).flatMap(keyspace -> keyspace.getTable(CassandraLog.TABLE)).isPresent();
    }

    private void serve(InetSocketAddress address) throws IOException {
        try (ServerSocket listening = new ServerSocket()) {
            listening.bind(address);
            System.out.println("Serving.");
            while (true) {
                Socket user = listening.accept();
                Thread thread = new Thread(() -> serve(user), "user");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private void serve(Socket user) {
        Session session = new Session();
        Transaction tx = null;
        try (user;
                BufferedReader in = new BufferedReader(new InputStreamReader(user.getInputStream(), StandardCharsets.UTF_8));
                PrintStream out = new PrintStream(user.getOutputStream(), true, StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split("\t");
                try {
                    if (words[0].equals(Instance.BEGIN)) {
                        end(tx);
                        tx = client.begin(session);
                    }
                    out.println(String.join("\t", Instance.OK, step(tx, words)));
                } catch (TransactionAbortedException e) {
                    out.println(String.join("\t", Instance.ABORTED, e.abortCause().name()));
                } catch (OutcomeUnknownException e) {
                    out.println(String.join("\t", Instance.UNKNOWN, Long.toString(e.possibleCommitTs()), said(e)));
                } catch (StoreException | TransactionManagerException e) {
                    out.println(String.join("\t", Instance.FAILED, said(e)));
                }
            }
        } catch (IOException e) {
            System.out.println("A user has gone: " + e.getMessage());
        } finally {
            end(tx);
        }
    }

    private static void end(Transaction tx) {
        if (tx != null) {
            tx.close();
        }
    }

    private static String said(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }

    private String step(Transaction tx, String[] words) {
        switch (words[0]) {
            case Instance.BEGIN -> {
                return Long.toString(tx.startTimestamp());
            }
            case Instance.GET -> {
                byte[] value = client.table(words[1]).get(tx, bytes(words[2]));
                return value == null ? "" : new String(value, StandardCharsets.UTF_8);
            }
            case Instance.PUT -> client.table(words[1]).put(tx, bytes(words[2]), bytes(words[3]));
            case Instance.COMMIT -> {
                tx.commit();
                return Long.toString(tx.commitTimestamp());
            }
            default -> tx.close();
        }
        return "";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
