package org.fencepost.tm.failover;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.NdjsonTracer;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.LeaseRecord;
import org.fencepost.tm.zookeeper.SharedObjects;

/**
 * What one process did, in a file of its own: the steps of specs/TMFailover.tla with the time on its own clock, and what ZooKeeper
 * answered it. A read tells who wrote what was read, and every write names the version that it replaces; so the files of all processes
 * together tell every write that mattered, and the order of writes, without any clock. The trace check merges them.
 *
 * <p>Each line is handed to the operating system before the step goes on, so a kill loses at most a part of one line. The file has no
 * end marker: a process ends when it ends. 100 to 200 bytes for each request; for tests.
 */
public final class TraceFile implements Tracer {

    private final String owner;
    private final NdjsonTracer file;

    /** Opens a file in this folder, which is created. */
    public TraceFile(Path folder, HighAvailability.Settings settings) throws IOException {
        this.owner = settings.owner();
        Path path = Files.createDirectories(folder).resolve("tm-" + owner + ".ndjson");
        this.file = new NdjsonTracer("TMFailover", lineByLine(Files.newOutputStream(path)), "process", owner,
                "lease", TimeUnit.MILLISECONDS.toMicros(settings.leaseMillis()),
                "patience", TimeUnit.MILLISECONDS.toMicros(settings.leaseMillis() + settings.driftMillis()),
                "leap", settings.core().leap(), "epoch", settings.epochLength());
    }

    /** For the tracer, which appends whole lines. */
    private static Writer lineByLine(OutputStream out) {
        return new OutputStreamWriter(out, StandardCharsets.UTF_8) {
            @Override
            public Writer append(CharSequence line) throws IOException {
                write(line.toString());
                flush();
                return this;
            }
        };
    }

    /** Those of the process; the conflict table's are of another specification. */
    @Override
    public void event(Action action, Object... arguments) {
        if (arguments[0].equals("tm")) {
            file.event(action, arguments);
        }
    }

    /** The same objects, whose answers are recorded. Used by one thread. */
    public SharedObjects recording(SharedObjects shared) {
        return new SharedObjects() {

            /** What was read last, unless something was written since. */
            private List<Object> last;

            @Override
            public Versioned read(String name) throws UnreachableException {
                Versioned read = shared.read(name);
                if (!List.of(name, read).equals(last)) {
                    last = List.of(name, read);
                    recordRead(name, read);
                }
                return read;
            }

            @Override
            public int compareAndSet(String name, String text, int version) throws UnreachableException {
                last = null;
                int written = shared.compareAndSet(name, text, version);
                if (written >= 0) {
                    recordWrite(name, text, written);
                }
                return written;
            }
        };
    }

    private void recordRead(String name, SharedObjects.Versioned read) {
        if (name.equals(SharedObjects.LEASE)) {
            LeaseRecord lease = LeaseRecord.parse(read.text());
            file.server("ReadLease", "version", read.version(), "writer", lease == null ? "" : lease.owner());
        } else {
            EpochRecord maxTs = EpochRecord.parse(read.text());
            file.server("ReadMaxTs", "version", read.version(), "writer", maxTs.owner(), "limit", maxTs.limit());
        }
    }

    private void recordWrite(String name, String text, int version) {
        if (name.equals(SharedObjects.LEASE)) {
            file.server("WriteLease", "version", version, "writer", owner);
        } else {
            file.server("SwapMaxTs", "version", version, "writer", owner, "limit", EpochRecord.parse(text).limit());
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
