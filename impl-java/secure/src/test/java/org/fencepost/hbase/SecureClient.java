package org.fencepost.hbase;

import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * A user's program: hbase-site.xml, what to do, a table, and a value or seconds. Says {@code Read VALUE.} when it has read what it wrote, and {@code Refused: }
 * with the reason when it is not let do it.
 */
final class SecureClient {

    private static final byte[] F = Bytes.toBytes("f");
    private static final byte[] A = Bytes.toBytes("a");
    private static final byte[] ROW = Bytes.toBytes("row");
    /** Connections are closed in between: a new one needs a valid ticket. */
    private static final long PAUSE_SECONDS = 4;

    private SecureClient() {
    }

    public static void main(String[] arguments) throws Exception {
        Configuration conf = HBaseConfiguration.create();
        conf.addResource(Path.of(arguments[0]).toUri().toURL());
        try (RemoteTransactionManager manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(conf.get(Settings.TM_ZOOKEEPER)))) {
            run(conf, manager, arguments[1], TableName.valueOf(arguments[2]), arguments[3]);
        } catch (Exception e) {
            System.out.println("Refused: " + reasons(e));
        }
        System.out.println("End.");
        System.exit(0);
    }

    private static String reasons(Throwable e) {
        StringBuilder all = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            all.append(String.valueOf(t).replace('\n', ' ')).append(" <- ");
        }
        return all.toString();
    }

    private static void run(Configuration conf, RemoteTransactionManager manager, String what, TableName table, String value) throws Exception {
        switch (what) {
            case "commit" -> {
                try (TransactionClient client = TransactionClient.open(conf, manager)) {
                    commit(client, client.table(table), value);
                }
            }
            case "fast" -> {
                try (TransactionClient client = TransactionClient.open(conf, manager)) {
                    FastTable fast = client.fastTable(table);
                    fast.write(new Put(ROW).addColumn(F, A, Bytes.toBytes(value)));
                    say(fast.read(new Get(ROW).addColumn(F, A)));
                }
            }
            case "die-before-write-back" -> dieBeforeWriteBack(conf, new RemoteOracle(manager), table, value);
            case "collect" -> {
                try (TransactionClient client = TransactionClient.open(conf, manager)) {
                    System.out.println("Collected below " + new Janitor(client, manager, Duration.ZERO).pass() + ".");
                }
            }
            case "go-on" -> goOn(conf, manager, table, Long.parseLong(value));
            case "go-on-with-one-ticket" -> {
                LoginContext login = new LoginContext("Client");
                login.login();
                UserGroupInformation.setConfiguration(conf);
                UserGroupInformation.getUGIFromSubject(login.getSubject()).doAs((PrivilegedExceptionAction<Void>) () -> {
                    goOn(conf, manager, table, Long.parseLong(value));
                    return null;
                });
            }
            default -> throw new IllegalArgumentException(what);
        }
    }

    private static void commit(TransactionClient client, TransactionalTable table, String value) {
        try (Transaction tx = client.begin()) {
            table.put(tx, new Put(ROW).addColumn(F, A, Bytes.toBytes(value)));
            tx.commit();
        }
        try (Transaction tx = client.begin()) {
            say(table.get(tx, new Get(ROW)));
        }
    }

    private static void say(Result row) {
        System.out.println("Read " + Bytes.toString(row.getValue(F, A)) + ".");
    }

    /** Says {@code Logged.}, with the transaction in the log and not in HBase. */
    private static void dieBeforeWriteBack(Configuration conf, RemoteOracle oracle, TableName name, String value) {
        Internals.MediatorSeams seams = new Internals.MediatorSeams(SecureClient::dying, Tracer.OFF);
        try (MediatorClient client = Internals.open(conf, oracle, oracle, seams); Transaction tx = client.begin()) {
            TransactionalTable table = client.table(name);
            table.get(tx, new Get(ROW).addColumn(F, A));
            table.put(tx, new Put(ROW).addColumn(F, A, Bytes.toBytes(value)));
            tx.commit();
        }
    }

    private static DataServers<CellKey, Write<byte[]>> dying(DataServers<CellKey, Write<byte[]>> servers) {
        return (DataServers<CellKey, Write<byte[]>>) java.lang.reflect.Proxy.newProxyInstance(SecureClient.class.getClassLoader(),
                new Class<?>[] {DataServers.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("writeBack")) {
                        System.out.println("Logged.");
                        Runtime.getRuntime().halt(0);
                    }
                    return method.invoke(servers, arguments);
                });
    }

    private static void goOn(Configuration conf, RemoteTransactionManager manager, TableName name, long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (TransactionClient client = TransactionClient.open(conf, manager)) {
            TransactionalTable table = client.table(name);
            for (int round = 1; System.nanoTime() < end; round++) {
                commit(client, table, "round " + round);
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            }
        }
        System.out.println("Went on.");
    }
}
