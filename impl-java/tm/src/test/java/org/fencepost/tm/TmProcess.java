package org.fencepost.tm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fencepost.tm.server.TmServer;

/** A transaction manager in a process of its own. */
public final class TmProcess implements AutoCloseable {

    /** Short, for many failovers; on a busy machine the lease then runs out by itself now and then, which must do no harm either. */
    public static final long LEASE_MILLIS = 300;
    public static final long DRIFT_MILLIS = 50;

    private final JavaProcess process;
    private final int port;
    private final int metricsPort;

    /** Returns once it listens; it may not be primary yet. More options and their values take the place of the usual ones. */
    public TmProcess(String zooKeeper, String... more) {
        this(List.of(), zooKeeper, more);
    }

    /** @param properties for the virtual machine */
    public TmProcess(List<String> properties, String zooKeeper, String... more) {
        Map<String, String> arguments = new LinkedHashMap<>(Map.of("--zookeeper", zooKeeper, "--port", "0", "--metrics-port", "0",
                "--lease-ms", Long.toString(LEASE_MILLIS), "--drift-ms", Long.toString(DRIFT_MILLIS), "--conflict-table-size", "65536"));
        for (int i = 0; i < more.length; i += 2) {
            arguments.put(more[i], more[i + 1]);
        }
        process = new JavaProcess(TmServer.class, properties, arguments.entrySet().stream().flatMap(option -> Stream.of(option.getKey(), option.getValue())).toList());
        // "Transaction manager on HOST:PORT, metrics on HOST:PORT."
        String[] words = process.readLine().split("[:,. ]+");
        port = Integer.parseInt(words[words.length - 8]);
        metricsPort = Integer.parseInt(words[words.length - 1]);
    }

    public int port() {
        return port;
    }

    public int metricsPort() {
        return metricsPort;
    }

    public void kill() {
        process.kill();
    }

    public void pause() {
        process.pause();
    }

    public void resume() {
        process.resume();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.close();
    }
}
