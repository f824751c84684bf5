package org.fencepost.ph1.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.mediator.LocalProcess;

/**
 * A node of a real Cassandra in a process of its own, on a loopback address, with a small heap and without JMX, for tests and the demo. It answers
 * a write when that is on the disk: by Cassandra's default, a node that is killed forgets what it has answered in the last ten seconds, and
 * then a quorum may not have it.
 */
public final class CassandraNode implements AutoCloseable {

    /** The port for clients. */
    public static final int PORT = 9042;
    private static final int STORAGE_PORT = 7000;
    private static final int HEAP_MEGABYTES = 384;
    private static final String MAIN = "org.apache.cassandra.service.CassandraDaemon";
    private static final long START_SECONDS = 180;
    /** Of Java 17's modules: what Cassandra's own scripts open to it. */
    private static final List<String> EXPORTS = List.of("java.base/jdk.internal.misc", "java.management.rmi/com.sun.jmx.remote.internal.rmi",
            "java.rmi/sun.rmi.registry", "java.rmi/sun.rmi.server", "java.sql/java.sql", "java.base/java.lang.ref", "jdk.unsupported/sun.misc",
            "jdk.compiler/com.sun.tools.javac.file", "jdk.attach/sun.tools.attach");
    private static final List<String> OPENS = List.of("java.base/java.lang.module", "java.base/jdk.internal.loader", "java.base/jdk.internal.ref",
            "java.base/jdk.internal.reflect", "java.base/jdk.internal.math", "java.base/jdk.internal.module", "java.base/jdk.internal.util.jar",
            "jdk.management/com.sun.management.internal", "java.base/sun.nio.ch", "java.base/java.io", "java.base/java.lang.reflect",
            "jdk.compiler/com.sun.tools.javac", "java.base/java.lang", "java.base/java.util");

    private final LocalProcess process;

    private CassandraNode(LocalProcess process) {
        this.process = process;
    }

    /**
     * Starts it; it takes 10 s or so until {@link #await} returns.
     *
     * @param libraries of Cassandra, the folder that its module's build has filled
     * @param directory for its data, configuration and log; a node that is started with another one's goes on with it
     * @param host      a loopback address; nobody else listens on its ports 7000 and 9042
     * @param seed      address of the node that others find the cluster by; the first one's own
     */
    public static CassandraNode start(Path libraries, Path directory, String host, String seed) throws IOException {
        return start(libraries, directory, host, seed, HEAP_MEGABYTES);
    }

    /** The same with another heap, in MB. */
    public static CassandraNode start(Path libraries, Path directory, String host, String seed, int heapMegabytes) throws IOException {
        return new CassandraNode(new LocalProcess(jvm(libraries, directory, host, seed, heapMegabytes), MAIN, List.of(), directory.resolve("node.log")));
    }

    /**
     * Prints what a JVM has to be told to become a node, as a file of arguments: for scripts. Arguments: as for {@link #start}, the heap last. Writes the
     * configuration.
     */
    public static void main(String[] arguments) throws IOException {
        jvm(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2], arguments[3], Integer.parseInt(arguments[4]))
                .forEach(argument -> System.out.println('"' + argument.replace("\\", "\\\\") + '"'));
        System.out.println(MAIN);
    }

    private static List<String> jvm(Path libraries, Path directory, String host, String seed, int heapMegabytes) throws IOException {
        Files.createDirectories(directory);
        Path configuration = directory.resolve("cassandra.yaml");
        Files.writeString(configuration, configuration(directory, host, seed));
        Path logging = directory.resolve("logback.xml");
        Files.writeString(logging, "<configuration><appender name='out' class='ch.qos.logback.core.ConsoleAppender'><encoder><pattern>%d %-5level %logger{0} %msg%n"
                + "</pattern></encoder></appender><root level='INFO'><appender-ref ref='out'/></root></configuration>\n");
        List<String> jvm = new ArrayList<>(List.of("-cp", libraries + "/*", "-Xms" + heapMegabytes + "m", "-Xmx" + heapMegabytes + "m",
                "-Djdk.attach.allowAttachSelf=true", "-Dio.netty.tryReflectionSetAccessible=true", "-Dcassandra.config=" + configuration.toUri(),
                "-Dcassandra.storagedir=" + directory, "-Dlogback.configurationFile=" + logging.toUri(), "-Dcassandra-foreground=yes",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0", "-Dcassandra.ring_delay_ms=2000", "-Dcassandra.available_processors=2"));
        EXPORTS.forEach(name -> jvm.addAll(List.of("--add-exports", name + "=ALL-UNNAMED")));
        OPENS.forEach(name -> jvm.addAll(List.of("--add-opens", name + "=ALL-UNNAMED")));
        return jvm;
    }

    private static String configuration(Path directory, String host, String seed) {
        return String.join("\n", "cluster_name: fencepost", "partitioner: org.apache.cassandra.dht.Murmur3Partitioner", "num_tokens: 1",
                "endpoint_snitch: SimpleSnitch", "auto_bootstrap: false", "hinted_handoff_enabled: false",
                "listen_address: " + host, "rpc_address: " + host, "storage_port: " + STORAGE_PORT, "native_transport_port: " + PORT,
                "seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: '" + seed + ":" + STORAGE_PORT + "'}]}]",
                "commitlog_sync: batch", "commitlog_total_space: 128MiB", "commitlog_segment_size: 16MiB",
                "memtable_heap_space: 64MiB", "memtable_offheap_space: 64MiB", "concurrent_reads: 8", "concurrent_writes: 8",
                "data_file_directories: ['" + directory.resolve("data") + "']", "commitlog_directory: '" + directory.resolve("commitlog") + "'",
                "saved_caches_directory: '" + directory.resolve("saved_caches") + "'", "hints_directory: '" + directory.resolve("hints") + "'",
                "cdc_raw_directory: '" + directory.resolve("cdc_raw") + "'", "");
    }

    /** Returns when it serves clients. Throws IllegalStateException, with the end of its log, if it does not. */
    public CassandraNode await() {
        process.await("listening for CQL clients", START_SECONDS);
        return this;
    }

    /** kill -9, and waits until it is gone. */
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        kill();
    }
}
