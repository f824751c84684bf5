package org.fencepost.bench.tm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.fencepost.bench.harness.Probe;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.load.FencepostProtocol;
import org.fencepost.bench.load.Generator;
import org.fencepost.bench.load.Load;
import org.fencepost.bench.load.OmidProtocol;
import org.fencepost.bench.load.Protocol;
import org.fencepost.bench.load.Scenario;
import org.fencepost.tm.server.TmServer;

/**
 * How each system's server is started. All run in equal JVMs on the same core, with conflict tables for equally many
 * cells.
 *
 * <p>Ours keeps its lease and its epochs in a real ZooKeeper, on the generator's core. Apache Omid's keeps timestamps in
 * memory, takes its lease for granted, and in both modes its commit table is one that stores nothing: what remains is
 * what its TSO does itself.
 */
final class Servers implements AutoCloseable {

    /** A running server. */
    record Target(String name, ServerProcess process, InetSocketAddress address, Supplier<Protocol> protocols) {
    }

    static final String FENCEPOST = "fencepost";
    static final String OMID_LL = OmidProtocol.LL;
    static final String OMID_DEFAULT = OmidProtocol.DEFAULT;
    static final List<String> NAMES = List.of(FENCEPOST, OMID_LL, OMID_DEFAULT);

    private static final long LEASE_MILLIS = 10_000;
    private static final long DRIFT_MILLIS = 1_000;
    private static final long START_MILLIS = 60_000;

    private final BenchTm options;
    private final Path directory;
    private ServerProcess zooKeeper;
    private InetSocketAddress zooKeeperAddress;
    private final List<AutoCloseable> running = new java.util.ArrayList<>();

    /** @param directory for logs and configuration; exists */
    Servers(BenchTm options, Path directory) {
        this.options = options;
        this.directory = directory;
    }

    static List<String> jvm(BenchTm options) {
        return Stream.concat(Stream.of("-Xms" + options.heapMegabytes + "m", "-Xmx" + options.heapMegabytes + "m", "-XX:+AlwaysPreTouch"),
                options.jvmArguments.stream()).toList();
    }

    /** Returns once the server greets clients. */
    Target start(String name) throws IOException {
        Target target = name.equals(FENCEPOST) ? fencepost() : omid(name);
        running.add(target.process());
        awaitGreeting(target);
        return target;
    }

    private Target fencepost() throws IOException {
        startZooKeeper();
        InetSocketAddress address = ServerProcess.freeAddress();
        // All load comes from one address: more keys than one client may commit each second, unless it is told otherwise.
        List<String> arguments = List.of("--max-keys-per-second", "2000000000", "--zookeeper", "127.0.0.1:" + zooKeeperAddress.getPort(), "--port", Integer.toString(address.getPort()),
                "--metrics-port", "0", "--lease-ms", Long.toString(LEASE_MILLIS), "--drift-ms", Long.toString(DRIFT_MILLIS),
                "--conflict-table-size", Integer.toString(options.conflictEntries));
        ServerProcess process = new ServerProcess(FENCEPOST, options.serverCore, jvm(options), ServerProcess.ownClassPath(), TmServer.class.getName(),
                arguments, log(FENCEPOST));
        return new Target(FENCEPOST, process, address, FencepostProtocol::new);
    }

    private void startZooKeeper() throws IOException {
        if (zooKeeper == null) {
            zooKeeperAddress = ServerProcess.freeAddress();
            Path data = Files.createTempDirectory(directory, "zookeeper");
            zooKeeper = new ServerProcess("zookeeper", options.generatorCore, List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                    "-Dzookeeper.admin.enableServer=false"), ServerProcess.ownClassPath(),
                    ZooKeeperServerMain.class.getName(), List.of(Integer.toString(zooKeeperAddress.getPort()), data.toString()), log("zookeeper"));
            running.add(zooKeeper);
        }
    }

    private Target omid(String name) throws IOException {
        InetSocketAddress address = ServerProcess.freeAddress();
        Path configuration = Files.createDirectories(directory.resolve(name));
        Files.writeString(configuration.resolve("omid-server-configuration.yml"), """
                port: %d
                networkIfaceName: lo
                conflictMapSize: %d
                lowLatency: %b
                timestampStoreModule: !!org.apache.omid.tso.InMemoryTimestampStorageModule [ ]
                commitTableStoreModule: !!org.apache.omid.tso.InMemoryCommitTableStorageModule [ ]
                leaseModule: !!org.apache.omid.tso.VoidLeaseManagementModule [ ]
                """.formatted(address.getPort(), options.conflictEntries, name.equals(OMID_LL))
                + options.omidSettings.stream().map(line -> line + "\n").collect(Collectors.joining()));
        String classPath = String.join(":", configuration.toString(), options.peerLibraries + "/*", ServerProcess.classes(Probe.class));
        ServerProcess process = new ServerProcess(name, options.serverCore, jvm(options), classPath, "org.apache.omid.tso.TSOServer", List.of(), log(name));
        return new Target(name, process, address, OmidProtocol::new);
    }

    private static void awaitGreeting(Target target) throws IOException {
        long deadline = System.nanoTime() + START_MILLIS * 1_000_000;
        while (true) {
            try {
                new Generator(target.address(), target.protocols(), Load.closed(new Scenario(1, 0), 1, 2)).close();
                return;
            } catch (IOException | IllegalStateException e) {
                if (!target.process().isAlive() || System.nanoTime() > deadline) {
                    throw new IOException("The server " + target.name() + (target.process().isAlive() ? " is not ready: " + e.getMessage() : " has ended: see "
                            + target.process().log()) + ".");
                }
            }
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                throw new IOException("Interrupted.", e);
            }
        }
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    @Override
    public void close() {
        for (int i = running.size() - 1; i >= 0; i--) {
            try {
                running.get(i).close();
            } catch (Exception e) {
                System.err.println(e.getMessage());
            }
        }
    }
}
