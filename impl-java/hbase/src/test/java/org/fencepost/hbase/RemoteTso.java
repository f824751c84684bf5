package org.fencepost.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.protocol.TransactionManagerException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.tm.RemoteOracle;
import org.fencepost.tm.RemoteTransactionManager;
import org.fencepost.tm.mediator.WriteBack;

/**
 * The transaction manager with the status oracle and its helper in a process of its own, and its log on three bookies in
 * processes of theirs. All of them use HBase's ZooKeeper. To kill it is kill -9.
 */
final class RemoteTso implements KillableTso, AutoCloseable {

    private static final int BOOKIES = 3;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final Path build;
    private final Path directory;
    private final String zooKeeper;
    private final long leap;
    private final List<Process> bookies = new ArrayList<>();
    private final RemoteTransactionManager manager;
    private final RemoteOracle oracle;
    private volatile Process process;

    /**
     * @param build of the transaction manager with BookKeeper
     * @param conf  HBase's
     */
    RemoteTso(Path build, Configuration conf, long leap) throws IOException {
        this.build = build;
        this.directory = Files.createTempDirectory("fencepost-mediator-");
        this.zooKeeper = "127.0.0.1:" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
        this.leap = leap;
        Configuration site = new Configuration(false);
        site.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
        site.set(HConstants.ZOOKEEPER_CLIENT_PORT, conf.get(HConstants.ZOOKEEPER_CLIENT_PORT));
        try (OutputStream out = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
            site.writeXml(out);
        }
        for (int i = 0; i < BOOKIES; i++) {
            Path log = directory.resolve("bookie" + i + ".log");
            bookies.add(java(log, "-Xmx128m", "org.fencepost.mediator.LocalBookie", metadata(), directory.resolve("bookie" + i).toString(), "0"));
            await(() -> Files.readString(log).contains("Bookie on "));
        }
        manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper));
        oracle = new RemoteOracle(manager);
        recover(null);
    }

    private String metadata() {
        return "zk+hierarchical://" + zooKeeper + "/ledgers";
    }

    private Process java(Path log, String heap, String main, String... arguments) throws IOException {
        String classPath = build.resolve("classes") + ":" + build.resolve("lib") + "/*";
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), heap,
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath, main));
        command.addAll(List.of(arguments));
        Process started = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        return started;
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(Condition condition) throws IOException {
        for (long start = System.nanoTime(); !condition.holds(); LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100))) {
            if (System.nanoTime() - start > START_NANOS) {
                throw new IOException("A process did not start: see " + directory + ".");
            }
        }
    }

    @Override
    public TransactionManager manager() {
        return manager;
    }

    @Override
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void recover(WriteBack<byte[]> database) throws IOException {
        process = java(directory.resolve("tm.log"), "-Xmx256m", "org.fencepost.mediator.MediatorTm", "--zookeeper", zooKeeper, "--port", "0",
                "--metrics-port", "0", "--leap", Long.toString(leap), "--lease-ms", "1000", "--drift-ms", "100", "--helper-ms", "300",
                "--bookkeeper", metadata(), "--hbase-site", directory.resolve("hbase-site.xml").toString());
        await(() -> {
            try {
                oracle.begin(false);
                return true;
            } catch (TransactionManagerException e) {
                return false;
            }
        });
    }

    /** It is in the process. */
    @Override
    public List<Long> help(List<Long> known, WriteBack<byte[]> database) {
        return List.of();
    }

    /** Who recovers closes the log and writes back all that is in it. */
    @Override
    public void settle(WriteBack<byte[]> database) throws IOException {
        kill();
        recover(database);
    }

    @Override
    public Begun begin(boolean replica) {
        return oracle.begin(replica);
    }

    @Override
    public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        return oracle.txTryCommit(startTs, writes, conflicts, since);
    }

    @Override
    public void tsoAbort(long commitTs) {
        oracle.tsoAbort(commitTs);
    }

    @Override
    public void txCommit(long commitTs) {
        oracle.txCommit(commitTs);
    }

    @Override
    public boolean append(LogRecord<byte[]> record) {
        return oracle.append(record);
    }

    @Override
    public void close() {
        manager.close();
        process.destroyForcibly();
        bookies.forEach(Process::destroyForcibly);
    }
}
