package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** The JVMs that wait for their next job ({@link TlcHost}): as many as had one at the same time. */
final class TlcHosts implements AutoCloseable {
    private final Path jar;
    private final Path tmp;
    private final Queue<TlcHost> idle = new ConcurrentLinkedQueue<>();
    private final AtomicInteger started = new AtomicInteger();

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
        TlcHost host = idle.poll();
        if (host == null || !host.is(jvm)) {
            if (host != null) {
                host.close();
            }
            host = TlcHost.start(jvm, jar, tmp.resolve(Integer.toString(started.incrementAndGet())));
        }
        try {
            return job.apply(host);
        } finally {
            idle.add(host);
        }
    }

    @Override
    public void close() {
        idle.forEach(TlcHost::close);
    }
}
