package org.fencepost.bench.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.server.TmServer;

/**
 * Processes that a benchmark starts: HBase, and our transaction manager, which keeps its lease in HBase's ZooKeeper.
 * Everything is on loopback.
 */
public abstract class Cluster implements AutoCloseable {

    public static final byte[] FAMILY = {'f'};
    /** Between two timestamps there is room for all fast-path writes, and native puts, of a run. */
    public static final long LEAP = 1 << 20;
    public static final int COMMIT_SHARDS = 16;
    public static final List<String> TM_JVM = List.of("-Xms512m", "-Xmx512m");
    private static final int START_SECONDS = 120;

    private final Path directory;
    private final List<AutoCloseable> running = new ArrayList<>();
    private ServerProcess hbase;
    private Configuration conf;
    /** Of the transaction manager; null without one. */
    private InetSocketAddress metrics;

    /** @param directory for logs and HBase's data */
    public Cluster(Path directory) {
        this.directory = directory;
    }

    /** @param dataNodes of HDFS; each has all data */
    public final void startHBase(List<String> jvm, int dataNodes) throws IOException {
        delete(data());
        Files.createDirectories(data());
        Path ready = data().resolve("ready");
        List<String> options = new ArrayList<>(jvm);
        options.add("-Djava.io.tmpdir=" + data());
        for (String opened : List.of("java.lang", "java.nio", "java.lang.reflect")) {
            options.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
        }
        hbase = opened(new ServerProcess("HBase", ServerProcess.ANY_CORE, options, ServerProcess.ownClassPath(), HBaseServer.class.getName(),
                List.of(ready.toString(), Integer.toString(dataNodes)), directory.resolve("hbase.log")));
        await(hbase, () -> Files.exists(ready));
        conf = HBaseConfiguration.create();
        conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
        conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, Files.readString(ready));
    }

    /** @param port 0: any */
    public final ServerProcess startTransactionManager(int port) throws IOException {
        metrics = ServerProcess.freeAddress();
        return opened(transactionManager(List.of("--zookeeper", zooKeeper(), "--port", Integer.toString(port), "--metrics-port", Integer.toString(metrics.getPort()),
                "--leap", Long.toString(LEAP), "--lease-ms", "10000", "--drift-ms", "1000"), directory.resolve("tm.log")));
    }

    protected ServerProcess transactionManager(List<String> arguments, Path log) throws IOException {
        return new ServerProcess("the transaction manager", ServerProcess.ANY_CORE, TM_JVM, ServerProcess.ownClassPath(),
                TmServer.class.getName(), arguments, log);
    }

    /** Connected to our transaction manager, which serves. */
    public final RemoteTransactionManager connect(ServerProcess process) throws IOException {
        RemoteTransactionManager manager = opened(new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper())));
        await(process, () -> {
            try {
                manager.end(manager.begin());
                return true;
            } catch (TransactionManagerException e) {
                return false;
            }
        });
        return manager;
    }

    public final String zooKeeper() {
        return "127.0.0.1:" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
    }

    public static TableDescriptor plain(TableName name) {
        return TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build();
    }

    public interface Condition {
        boolean holds() throws IOException;
    }

    public static void await(ServerProcess process, Condition ready) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!ready.holds()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new IOException("A server " + (process.isAlive() ? "is not ready after " + START_SECONDS + " s" : "has ended") + ": see "
                        + process.log() + ".");
            }
            Rounds.sleep(0.2);
        }
    }

    /**
     * Starts a process that is told what to do.
     *
     * @param name      of the system whose client it is, and of its files
     * @param main      runs a {@link CommandServer}; its first argument is where that writes its port
     * @param arguments the others
     */
    public final CommandedProcess startCommanded(String name, List<String> jvm, String classPath, Class<?> main, List<String> arguments) throws IOException {
        Path ready = directory.resolve(name + "-client.port");
        Files.deleteIfExists(ready);
        List<String> all = new ArrayList<>(List.of(ready.toString()));
        all.addAll(arguments);
        ServerProcess process = opened(new ServerProcess("the client of " + name, ServerProcess.ANY_CORE, jvm, classPath, main.getName(), all,
                directory.resolve(name + "-client.log")));
        await(process, () -> Files.exists(ready));
        return opened(new CommandedProcess(name, process, Integer.parseInt(Files.readString(ready))));
    }

    public final <T extends AutoCloseable> T opened(T resource) {
        running.add(resource);
        return resource;
    }

    /** How clients reach HBase. */
    public final Configuration conf() {
        return conf;
    }

    public final Path directory() {
        return directory;
    }

    /** Of the process of HBase. */
    public final Usage usage() {
        return hbase.usage();
    }

    /** What was asked of HBase and of the transaction manager so far. */
    public final Asked asked() throws IOException {
        Map<String, Long> ofHBase = usage().counts();
        return Asked.of(ofHBase.get(HBaseServer.SYNCS), ofHBase.get(HBaseServer.REQUESTS),
                new URL("http", metrics.getHostString(), metrics.getPort(), "/metrics"));
    }

    public final ServerProcess hbase() {
        return hbase;
    }

    public final Path data() {
        return directory.resolve("data").toAbsolutePath();
    }

    @Override
    public final void close() throws IOException {
        for (int i = running.size() - 1; i >= 0; i--) {
            try {
                running.get(i).close();
            } catch (Exception e) {
                System.err.println(e.getMessage());
            }
        }
        delete(data());
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
