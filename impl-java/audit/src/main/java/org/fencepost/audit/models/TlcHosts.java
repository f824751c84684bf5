package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** JVMs that TLC runs in ({@link TlcHost}), as many as there are jobs at the same time. Who closes this ends those that are at work, too. */
final class TlcHosts implements AutoCloseable {
    private final Path jar;
    private final Path tmp;
    private final Set<TlcHost> all = new HashSet<>();
    private final Deque<TlcHost> idle = new ArrayDeque<>();
    private int started;
    private boolean closed;

    /**
     * @param jar TLC's
     * @param tmp gets a folder for each of them, which is deleted with it
     */
    TlcHosts(Path jar, Path tmp) {
        this.jar = jar;
        this.tmp = tmp;
    }

    /** @param jvm see {@link TlcHost#start}; one that was started in another way ends */
    <R> R use(List<String> jvm, Function<TlcHost, R> job) throws IOException {
        TlcHost host = take(jvm);
        try {
            return job.apply(host);
        } finally {
            giveBack(host);
        }
    }

    private synchronized TlcHost take(List<String> jvm) throws IOException {
        if (closed) {
            throw new IOException("the JVMs for TLC have been ended");
        }
        TlcHost host = idle.poll();
        if (host != null && host.is(jvm)) {
            return host;
        }
        if (host != null) {
            all.remove(host);
            host.close();
        }
        TlcHost other = TlcHost.start(jvm, jar, tmp.resolve(Integer.toString(++started)));
        all.add(other);
        return other;
    }

    private synchronized void giveBack(TlcHost host) {
        idle.add(host);
    }

    @Override
    public synchronized void close() {
        closed = true;
        all.forEach(TlcHost::close);
    }
}
