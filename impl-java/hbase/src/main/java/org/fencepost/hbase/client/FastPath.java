package org.fencepost.hbase.client;

import java.io.IOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.store.Once;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Single-key transactions, the client's part (VLDB'18 Alg. 4): one request to the key's region server each, where
 * {@code FastPathObserver} does the rest. Thread-safe.
 */
public final class FastPath {

    private final Connection repeating;
    private final Connection once;
    private final int timeoutMillis;
    private final Tracer tracer;

    /** @param once sends every request once: see {@link Once}. Both connections have timeouts and stay the caller's to close */
    public FastPath(Connection repeating, Connection once, int timeoutMillis, Tracer tracer) {
        this.repeating = repeating;
        this.once = once;
        this.timeoutMillis = timeoutMillis;
        this.tracer = tracer;
    }

    /** Reads, and is done. Null if no record is committed; a deleted column may show as a tombstone. */
    Record<byte[]> brc(CellKey key, Versions versions) {
        return traced(Action.Brc, key, lastCommitted(key, versions));
    }

    /** Reads, and may write with {@link #wc} then. The record's commit timestamp is the version to expect. */
    public Record<byte[]> br(CellKey key, Versions versions) {
        return traced(Action.Br, key, lastCommitted(key, versions));
    }

    /** Writes what it has not read. Returns the version, which is its commit timestamp. Throws as {@link #wc} does. */
    public long bwc(CellKey key, Versions versions, Write<byte[]> write) {
        return traced(Action.Bwc, key, write(key, write, new FastRequest.Terms(versions.span(), FastRegion.ANY)));
    }

    /**
     * Writes what it has read, if that is still the last.
     *
     * @param last what {@link #br} returned
     * @throws FastPathAbortedException    if nothing was written
     * @throws FastOutcomeUnknownException if the answer was lost
     * @throws StoreException              if HBase did not take the request
     */
    public long wc(CellKey key, Versions versions, Record<byte[]> last, Write<byte[]> write) {
        long version = last == null ? Timestamps.NIL : last.commit();
        return traced(Action.Wc, key, write(key, write, new FastRequest.Terms(versions.span(), version)));
    }

    private Record<byte[]> lastCommitted(CellKey key, Versions versions) {
        try (Table table = repeating.getTable(key.table())) {
            return FastRequest.last(key, versions, table.get(FastRequest.read(key, versions.span())));
        } catch (IOException e) {
            throw Failures.store("read", key.table(), e);
        }
    }

    private long write(CellKey key, Write<byte[]> write, FastRequest.Terms terms) {
        CheckAndMutate request = FastRequest.write(key, write, terms);
        try (Table table = once.getTable(key.table())) {
            return FastRequest.version(key, Once.send(timeoutMillis, () -> table.checkAndMutate(request)));
        } catch (IOException e) {
            throw Once.wasRefused(e) || Failures.isNoFastPath(e) ? Failures.store("write", key.table(), e) : loseFastAnswer(key, e);
        }
    }

    private FastOutcomeUnknownException loseFastAnswer(CellKey key, IOException lost) {
        if (tracer.on()) {
            tracer.event(Action.LoseFastAnswer, "key", key);
        }
        return new FastOutcomeUnknownException(key, lost);
    }

    private Record<byte[]> traced(Action action, CellKey key, Record<byte[]> found) {
        if (tracer.on()) {
            tracer.event(action, "key", key, "from", found == null ? 0 : found.version(), "last",
                    found == null ? Timestamps.NIL : found.commit());
        }
        return found;
    }

    private long traced(Action action, CellKey key, long version) {
        if (tracer.on()) {
            tracer.event(action, "key", key, "version", version);
        }
        return version;
    }
}
