package org.fencepost.conformance.fastpath;

import java.util.Map;
import java.util.Set;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.simulation.world.Scheduler;

/** What its server does to the batch of a client, which may have given it up: accept or refuse it when it arrives, and store it. */
final class Batch extends Puppet {

    private final OnePhaseServers servers;
    private Map<String, Write<Long>> writes = Map.of();
    private long startTs = Timestamps.NIL;
    private long commitTs = Timestamps.NIL;
    private boolean stored;
    private boolean lost;

    Batch(String client, Scheduler scheduler, OnePhaseServers servers) {
        super(client + "'s batch", scheduler);
        this.servers = servers;
    }

    void sent(long start, long commit, Map<String, Write<Long>> content) {
        startTs = start;
        commitTs = commit;
        writes = content;
    }

    /** It, or a copy; up to where it is about to be stored, or to its refusal. */
    void arrive() {
        order(() -> {
            lost = false;
            try {
                stored |= servers.putBatch(this, startTs, commitTs, writes);
            } catch (StoreException e) {
                lost = true; // with its region
            }
        });
    }

    /** In what the client has sent; NIL before. */
    long commitTs() {
        return commitTs;
    }

    Set<String> keys() {
        return writes.keySet();
    }

    boolean isHeld() {
        return isAt(Kind.STORE_BATCH);
    }

    /** It can be read. */
    boolean isStored() {
        return stored;
    }

    boolean isLost() {
        return lost;
    }
}
