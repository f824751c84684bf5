package org.fencepost.tm.server;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.wire.TlsOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of {@link TmServer}. */
final class TmOptions {

    /** Timestamps, from the oldest active one on, whose ends are tracked one by one: half a megabyte. */
    private static final int ACTIVE_WINDOW = 1 << 22;
    /** Timestamps, up to the latest, whose owners are known: 64 megabytes. */
    static final int OWNERS = 1 << 22;

    @Option(names = "--zookeeper", required = true, paramLabel = "HOST:PORT[,...][/PATH]",
            description = "ZooKeeper, where primary and backups agree and clients find the primary.")
    String zooKeeper;

    @Option(names = "--zookeeper-auth", paramLabel = "FILE|sasl",
            description = "Who the transaction managers are to ZooKeeper: a file with one line, user:password, or sasl, by the section Client of the JVM's JAAS"
                    + " configuration. Then their nodes are theirs alone, and others read only where the primary is. Default: nodes are open to everybody.")
    String zooKeeperAuth;

    @Option(names = "--host", defaultValue = "127.0.0.1", paramLabel = "NAME",
            description = "Name or address to listen on, and under which clients connect. Default: ${DEFAULT-VALUE}, this machine only.")
    String host;

    @Option(names = "--port", defaultValue = "7655",
            description = "Port for clients; 0 for any. Default: ${DEFAULT-VALUE}. Whoever can connect can begin and"
                    + " abort transactions: protect it by --tls-..., or keep it inside a trusted network.")
    int port;

    @ArgGroup(exclusive = false, heading = "TLS with client certificates, on --port (off unless all three are given):%n")
    TlsOptions tls;

    @Option(names = "--authorize", paramLabel = "FILE",
            description = "Who may do what, with TLS: on each line a role (client, region-server, operator) and the subject of a certificate."
                    + " Read again when it changes. Default: whoever has a certificate may do everything.")
    Path authorize;

    @ArgGroup(exclusive = false, heading = "Mediator, transactions beside native clients (off unless --bookkeeper is given):%n")
    MediatorOptions mediator;

    @Option(names = "--metrics-port", defaultValue = "7656",
            description = "Port for HTTP: /metrics (Prometheus) and /health; 0 for any. Default: ${DEFAULT-VALUE}. Never encrypted, read only.")
    int metricsPort;

    @Option(names = "--lease-ms", defaultValue = "2000",
            description = "Milliseconds the primary serves without a renewal in ZooKeeper. Default: ${DEFAULT-VALUE}.")
    long leaseMillis;

    @Option(names = "--drift-ms", defaultValue = "200",
            description = "Milliseconds by which two machines' monotonic clocks may diverge within a lease. Default: ${DEFAULT-VALUE}.")
    long driftMillis;

    @Option(names = "--epoch-size", defaultValue = "10000000",
            description = "Timestamps granted by one write to ZooKeeper. Default: ${DEFAULT-VALUE}.")
    long epochSize;

    @Option(names = "--leap", defaultValue = "2048",
            description = "Distance between timestamps, a power of two; one less is how many fast-path or native writes fit in between on"
                    + " each region server. See below how long timestamps last. Default: ${DEFAULT-VALUE}.")
    long leap;

    @Option(names = "--follow-time",
            description = "Timestamps follow this machine's wall clock, in nanoseconds, as Apache Phoenix needs it to read them as time. They never"
                    + " go back with it: where it is ahead, or more are asked for than fit in, they are ahead of time. Default: they begin at it.")
    boolean followTime;

    @Option(names = "--commit-table", paramLabel = "NAME",
            description = "Commit table in HBase that belongs to this system, once it has been created; may be given several times. Before this"
                    + " process serves, it compares what the table knows of earlier timestamps. Default: clients and region servers alone do.")
    List<String> commitTables = List.of();

    @Option(names = "--hbase-site", paramLabel = "FILE",
            description = "HBase's client configuration, hbase-site.xml, for --commit-table and Mediator. Default: that on the class path.")
    Path hbaseSite;

    @Option(names = "--recover-from", defaultValue = "0", paramLabel = "TIMESTAMP",
            description = "After maxTS in ZooKeeper was lost, or is older than the tables: raises it to at least this, which must be above all"
                    + " timestamps that were given. Start one process so, once.")
    long recoverFrom;

    @Option(names = "--recover-identity", paramLabel = "NAME",
            description = "With --recover-from, after all of ZooKeeper was lost: the system's identity, to which its tables are bound.")
    String recoverIdentity;

    @Option(names = "--conflict-table-size", defaultValue = "8388608",
            description = "Written keys remembered for conflict detection, 16 bytes each. Default: ${DEFAULT-VALUE}.")
    int conflictEntries;

    @Option(names = "--lifetime-ms", defaultValue = "300000",
            description = "Milliseconds after which a transaction that has not ended no longer keeps the collector from what it reads. Default: ${DEFAULT-VALUE}.")
    long lifetimeMillis;

    @Option(names = "--max-write-set", defaultValue = "100000",
            description = "Keys in one commit request. Default: ${DEFAULT-VALUE}.")
    int maxWriteSet;

    @Option(names = "--max-connections", defaultValue = "1024", description = "Clients connected at once. Default: ${DEFAULT-VALUE}.")
    int maxConnections;

    @Option(names = "--max-connections-per-client", defaultValue = "512",
            description = "Those of one client: a certificate's subject, or an IP address without TLS. Default: ${DEFAULT-VALUE}.")
    int maxConnectionsPerClient;

    @Option(names = "--max-handshakes", defaultValue = "128",
            description = "Connections that have not got through TLS and their first frame; one more costs the oldest its place, of the address"
                    + " that has the most. Default: ${DEFAULT-VALUE}.")
    int maxHandshakes;

    @Option(names = "--max-keys-per-second", defaultValue = "10000000",
            description = "Keys that one client may commit each second. Who commits many pushes those of others out of the conflict table,"
                    + " which aborts long transactions. Default: ${DEFAULT-VALUE}.")
    int maxKeysPerSecond;

    @Option(names = "--trace", paramLabel = "FOLDER",
            description = "Records each step of this process in a file there, for the trace check: 100 to 200 bytes for each request. For tests.")
    Path trace;

    Limits limits() {
        return new Limits(maxWriteSet, maxConnections, maxConnectionsPerClient, maxHandshakes, maxKeysPerSecond,
                Limits.DEFAULT.handshakeMillis(), Limits.DEFAULT.idleMillis(), Limits.DEFAULT.outboundBytes());
    }

    /** Throws IllegalArgumentException or ArithmeticException, with a sentence, for values that make no sense. */
    HighAvailability.Settings highAvailability(int boundPort) {
        require(Long.bitCount(leap) == 1 && leap > 0, "--leap must be a power of two, not " + leap);
        require(epochSize >= 2, "--epoch-size must be at least 2, not " + epochSize);
        require(conflictEntries >= 1 && conflictEntries <= 1 << 29, "--conflict-table-size must be 1 to " + (1 << 29) + ", not " + conflictEntries);
        if (mediator != null) {
            mediator.hbaseSite = hbaseSite;
            mediator.check();
            require(leap >= 2, "With Mediator, --leap must be at least 2");
        }
        TimestampSupply.requireADay(leap);
        require(lifetimeMillis >= 1, "--lifetime-ms must be at least 1, not " + lifetimeMillis);
        return new HighAvailability.Settings(UUID.randomUUID().toString(), host + ":" + boundPort, leaseMillis, driftMillis,
                Math.multiplyExact(epochSize, leap), new TransactionManagerCore.Settings(leap, conflictEntries,
                        TimeUnit.MILLISECONDS.toNanos(lifetimeMillis), ACTIVE_WINDOW));
    }

    /** Throws IllegalArgumentException, with a sentence, for values that make no sense. */
    ZooKeeperOrigin.Recovery recovery() {
        return recoverFrom == 0 && recoverIdentity == null ? ZooKeeperOrigin.Recovery.NONE : new ZooKeeperOrigin.Recovery(recoverFrom, recoverIdentity);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ".");
        }
    }

    /** Null if TLS is off. Throws IllegalArgumentException for a file that is not there. */
    TlsFiles tlsFiles() {
        return tls == null ? null : tls.files();
    }

    /** Null without --authorize. Throws IllegalArgumentException, with a sentence, for a file that makes no sense. */
    Authorization authorization() {
        require(authorize == null || tls != null, "--authorize needs TLS: give --tls-cert, --tls-key and --tls-ca, too");
        return authorize == null ? null : Authorization.read(authorize);
    }
}
