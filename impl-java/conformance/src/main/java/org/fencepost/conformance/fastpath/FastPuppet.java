package org.fencepost.conformance.fastpath;

import java.util.Set;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fastpath.FastRegion.Answer;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.Scheduler;

/** A fast-path transaction: one request to read, one to write, as its client sends them. */
final class FastPuppet extends Puppet {

    private final FastServers servers;
    String status = "idle";
    String key = "NoKey";
    /** It has read, and may write. */
    boolean between;
    boolean hasRead;
    /** Null if there was none. */
    Record<Long> read;
    /** The version that it drew; NIL before. */
    long version = Timestamps.NIL;
    boolean deletes;
    boolean stored;
    boolean lost;
    Set<String> precedes = Set.of();

    FastPuppet(String name, Scheduler scheduler, FastServers servers) {
        super(name, scheduler);
        this.servers = servers;
    }

    void read(String row, boolean mayWrite) {
        key = row;
        read = servers.lastCommitted(row);
        hasRead = true;
        between = mayWrite;
        if (!mayWrite) {
            status = "closed";
        }
    }

    long last() {
        return read == null ? Timestamps.NIL : read.commit();
    }

    void write(String row, boolean delete) {
        key = row;
        long expected = between ? last() : FastRegion.ANY;
        between = false;
        deletes = delete;
        order(() -> {
            try {
                Answer answer = servers.write(this, row, expected, delete);
                stored = answer.refused() == null;
                answered(stored ? "closed" : "aborted");
            } catch (StoreException e) {
                lost = true;
                answered("unresolved");
            }
        });
    }

    private void answered(String outcome) {
        status = status.equals("idle") ? outcome : status;
    }

    void drawn(long drawnVersion) {
        version = drawnVersion;
    }

    boolean hasVersion() {
        return version != Timestamps.NIL;
    }

    String step() {
        return lost ? "lost" : between ? "between" : isAt(Call.Kind.STORE_VERSION) ? "drawn" : "none";
    }
}
