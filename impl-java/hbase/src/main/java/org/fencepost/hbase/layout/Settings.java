package org.fencepost.hbase.layout;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.omid.OmidLL;

/**
 * The library's part of a Hadoop {@link Configuration}. Times are in milliseconds.
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><th>key</th><th>default</th><th>meaning</th></tr>
 * <tr><td>{@value #COMMIT_TABLE}</td><td>{@value #DEFAULT_COMMIT_TABLE}</td><td>name of the commit table</td></tr>
 * <tr><td>{@value #PROTOCOL}</td><td>ll</td><td>{@code ll}, or {@code 2pc} (Omid 2PC, for comparisons): then all clients
 *     of a commit table's tables have it, these are made by {@code Tables.twoPhase}, and conflicts are per cell</td></tr>
 * <tr><td>{@value #PLACEMENT}</td><td>table</td><td>where commit entries are: {@code table}, in the commit table; or {@code leader}, with the
 *     first key that a transaction writes, in tables made by {@code Tables.withLeaders} (Fragola). There is no commit table then</td></tr>
 * <tr><td>{@value #COMMIT}</td><td>auto</td><td>{@code auto}: in one phase where the table allows it, which are writes to one region of a table
 *     with the fast path, and of several regions beside their certification; {@code long}: never</td></tr>
 * <tr><td>{@value #CONFLICTS}</td><td>cell</td><td>what two writers conflict on: {@code cell} or {@code row}</td></tr>
 * <tr><td>{@value #LIFETIME}</td><td>60000</td><td>how long a transaction may read; the transaction manager's own limit
 *     must exceed it by the drift of the two clocks</td></tr>
 * <tr><td>{@value #GRACE}</td><td>0</td><td>how long a reader waits before it invalidates a pending writer; region servers that
 *     read for Phoenix: 50</td></tr>
 * <tr><td>{@value #COMMIT_ATTEMPTS}</td><td>3</td><td>how often a commit entry is sent before its outcome is given up as
 *     unknown</td></tr>
 * <tr><td>{@value #HEAL}</td><td>true</td><td>whether readers write commit cells that they find missing</td></tr>
 * <tr><td>{@value #READ}</td><td>server</td><td>who decides what a snapshot sees: {@code server}, where commit cells tell it, so that
 *     filters and limits are applied there, too; or {@code client}, always. The answer is the same. Clients that trace what they do
 *     decide by themselves</td></tr>
 * <tr><td>{@value #TIMEOUT}</td><td>30000</td><td>how long an operation waits for HBase</td></tr>
 * <tr><td>{@value #POST_COMMIT_THREADS}</td><td>1</td><td>threads for post-commit; 0: the committing thread. The fewer there are, the
 *     more transactions share a request</td></tr>
 * <tr><td>{@value #POST_COMMIT_QUEUE}</td><td>1000</td><td>post-commits that may wait; when there are more, the
 *     committing thread runs its own</td></tr>
 * <tr><td>{@value #MAX_WRITE_BYTES}</td><td>67108864</td><td>size of a transaction's writes, which it holds in memory
 *     until it commits</td></tr>
 * <tr><td>{@value #MEDIATOR_ISOLATION}</td><td>snapshot</td><td>Mediator: snapshot or serializable</td></tr>
 * <tr><td>{@value #MEDIATOR_WAIT}</td><td>2000</td><td>Mediator: how long a read waits for what is committed and not yet
 *     written back, before it aborts</td></tr>
 * <tr><td>{@value #TM_ZOOKEEPER}</td><td></td><td>region servers: the transaction manager's ZooKeeper, host:port and so on, as given to
 *     the transaction manager. With a dot and the name of a commit table, or of a table of Mediator, after it: for that table</td></tr>
 * <tr><td>{@value #TM_TLS_CERT}</td><td></td><td>region servers: own certificate chain, a file in PEM; this and the next two where
 *     the transaction manager has TLS, all three or none</td></tr>
 * <tr><td>{@value #TM_TLS_KEY}</td><td></td><td>its private key, PKCS#8 in PEM without a password</td></tr>
 * <tr><td>{@value #TM_TLS_CA}</td><td></td><td>authorities that sign the transaction manager's certificate, in PEM</td></tr>
 * <tr><td>{@value #TM_FACTORY}</td><td>through ZooKeeper</td><td>region servers: class that reaches the
 *     transaction manager, a {@code TransactionManagerFactory}</td></tr>
 * <tr><td>{@value #SPAN}</td><td>2048</td><td>the master: span of tables that others create with our coprocessor; the transaction manager's
 *     leap, or a divisor of it</td></tr>
 * <tr><td>{@value #WAITING_HANDLERS}</td><td>a quarter</td><td>region servers, fast path and Mediator: how many of the server's
 *     handlers may wait for the transaction manager at once; other writes are rejected in the meantime</td></tr>
 * <tr><td>{@value #FAST_WAIT}</td><td>2000</td><td>region servers, fast path: how long a write waits for the
 *     transaction manager after its region was opened</td></tr>
 * </table>
 *
 * <p>Where {@code hbase.security.authentication} and {@code hadoop.security.authentication} are {@code kerberos}, whoever opens a
 * client is logged in by HBase's own keys, {@code Kerberos.KEYTAB} and {@code Kerberos.PRINCIPAL}, and the ticket is renewed. Without
 * them, the ticket of the process or of {@code kinit} is used.
 */
public record Settings(TableName commitTable, boolean twoPhase, boolean conflictsPerRow, OmidLL.Settings protocol, boolean readsOnServer,
        int timeoutMillis, int postCommitThreads, int postCommitQueue, long maxWriteBytes, boolean longWay, boolean leaders) {

    public static final String COMMIT_TABLE = "fencepost.commit.table";
    public static final String PROTOCOL = "fencepost.protocol";
    public static final String PLACEMENT = "fencepost.placement";
    public static final String COMMIT = "fencepost.commit";
    public static final String CONFLICTS = "fencepost.conflicts";
    public static final String LIFETIME = "fencepost.lifetime";
    public static final String GRACE = "fencepost.grace";
    public static final String COMMIT_ATTEMPTS = "fencepost.commit.attempts";
    public static final String HEAL = "fencepost.heal";
    public static final String READ = "fencepost.read";
    public static final String TIMEOUT = "fencepost.timeout";
    public static final String POST_COMMIT_THREADS = "fencepost.postcommit.threads";
    public static final String POST_COMMIT_QUEUE = "fencepost.postcommit.queue";
    public static final String MAX_WRITE_BYTES = "fencepost.max.write.bytes";
    public static final String MEDIATOR_ISOLATION = "fencepost.mediator.isolation";
    public static final String MEDIATOR_WAIT = "fencepost.mediator.wait";
    public static final String TM_ZOOKEEPER = "fencepost.tm.zookeeper";
    public static final String TM_TLS_CERT = "fencepost.tm.tls.cert";
    public static final String TM_TLS_KEY = "fencepost.tm.tls.key";
    public static final String TM_TLS_CA = "fencepost.tm.tls.ca";
    public static final String TM_FACTORY = "fencepost.tm.factory";
    public static final String SPAN = "fencepost.span";
    public static final long DEFAULT_SPAN = 2_048;
    public static final String FAST_WAIT = "fencepost.fastpath.wait";
    public static final String WAITING_HANDLERS = "fencepost.waiting.handlers";
    public static final String DEFAULT_COMMIT_TABLE = "fencepost.commits";

    /** Between two looks for what is not yet written back. */
    private static final long MEDIATOR_PAUSE_MILLIS = 2;

    private static final String ZK_RETRIES = "zookeeper.recovery.retry";
    private static final String ZK_RETRY_PAUSE = "zookeeper.recovery.retry.intervalmill";
    private static final int ZK_ATTEMPTS = 2;

    public Settings {
        if (timeoutMillis < 1 || postCommitThreads < 0 || postCommitQueue < 1 || maxWriteBytes < 1) {
            throw new IllegalArgumentException(TIMEOUT + ", " + POST_COMMIT_QUEUE + " and " + MAX_WRITE_BYTES
                    + " must be positive, " + POST_COMMIT_THREADS + " must not be negative.");
        }
        if (twoPhase && leaders) {
            throw new IllegalArgumentException(PROTOCOL + " 2pc has a commit table: set " + PLACEMENT + " to table.");
        }
        if (twoPhase && conflictsPerRow) {
            throw new IllegalArgumentException(PROTOCOL + " 2pc has conflicts per cell: set " + CONFLICTS + " to cell.");
        }
    }

    /** Throws IllegalArgumentException for a value that makes no sense. */
    public static Settings from(Configuration conf) {
        OmidLL.Settings protocol = new OmidLL.Settings(nanos(conf, LIFETIME, 60_000), nanos(conf, GRACE, 0),
                Math.max(1, nanos(conf, TIMEOUT, 30_000)), conf.getInt(COMMIT_ATTEMPTS, 3), conf.getBoolean(HEAL, true));
        return new Settings(TableName.valueOf(conf.get(COMMIT_TABLE, DEFAULT_COMMIT_TABLE)), isSecond(conf, PROTOCOL, "ll", "2pc"),
                isSecond(conf, CONFLICTS, "cell", "row"), protocol, isSecond(conf, READ, "client", "server", true), conf.getInt(TIMEOUT, 30_000),
                conf.getInt(POST_COMMIT_THREADS, 1), conf.getInt(POST_COMMIT_QUEUE, 1000), conf.getLong(MAX_WRITE_BYTES, 64L << 20),
                isSecond(conf, COMMIT, "auto", "long"), isSecond(conf, PLACEMENT, "table", "leader"));
    }

    private static long nanos(Configuration conf, String key, long defaultMillis) {
        return TimeUnit.MILLISECONDS.toNanos(conf.getLong(key, defaultMillis));
    }

    /** Throws IllegalArgumentException for a value that makes no sense. */
    public static Mediator.Settings mediator(Configuration conf) {
        int looks = 1 + (int) (conf.getLong(MEDIATOR_WAIT, 2_000) / MEDIATOR_PAUSE_MILLIS);
        return new Mediator.Settings(isSecond(conf, MEDIATOR_ISOLATION, "snapshot", "serializable"), looks,
                TimeUnit.MILLISECONDS.toNanos(MEDIATOR_PAUSE_MILLIS), conf.getInt(COMMIT_ATTEMPTS, 3));
    }

    private static boolean isSecond(Configuration conf, String key, String first, String second) {
        return isSecond(conf, key, first, second, false);
    }

    private static boolean isSecond(Configuration conf, String key, String first, String second, boolean byDefault) {
        String value = conf.get(key, byDefault ? second : first).toLowerCase(Locale.ROOT);
        if (!value.equals(first) && !value.equals(second)) {
            throw new IllegalArgumentException(key + " is " + second + " or " + first + ", not " + value + ".");
        }
        return value.equals(second);
    }

    /** HBase's own limits, so that nothing waits longer than {@link #TIMEOUT}. */
    public Configuration bounded(Configuration conf) {
        Configuration bounded = new Configuration(conf);
        bounded.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, timeoutMillis);
        bounded.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, timeoutMillis);
        bounded.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, timeoutMillis);
        bounded.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY,
                Math.min(timeoutMillis, conf.getInt(HConstants.HBASE_RPC_TIMEOUT_KEY, HConstants.DEFAULT_HBASE_RPC_TIMEOUT)));
        // ZooKeeper's client counts attempts: each lasts up to a session timeout, with a pause after it.
        bounded.setInt(ZK_RETRIES, ZK_ATTEMPTS - 1);
        bounded.setInt(ZK_RETRY_PAUSE, timeoutMillis / (2 * ZK_ATTEMPTS));
        bounded.setInt(HConstants.ZK_SESSION_TIMEOUT, Math.max(1, timeoutMillis / (2 * ZK_ATTEMPTS)));
        return bounded;
    }
}
