package org.fencepost.conformance.mediator;

import java.util.Set;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.Scheduler;

/** A native operation: one put or one get, by who knows nothing of transactions. */
final class NativePuppet extends Puppet {

    private final DatabaseServers database;
    String status = "idle";
    /** Null before it begins. */
    String key;
    boolean puts;
    /** What a get has found; null if nothing. */
    Version<String> found;
    /** Of its put. */
    long stamp = Timestamps.NIL;
    Set<String> precedes = Set.of();

    NativePuppet(String name, Scheduler scheduler, DatabaseServers database) {
        super(name, scheduler);
        this.database = database;
    }

    void put(String row) {
        key = row;
        puts = true;
        order(() -> {
            try {
                database.put(this, row, name(), Timestamps.NIL, ts -> {
                    stamp = ts;
                    status = "stamped";
                });
                status = "closed";
            } catch (StoreException e) {
                status = "lost";
            }
        });
    }

    void get(String row) {
        key = row;
        found = database.lastBefore(row, Long.MAX_VALUE);
        status = "closed";
    }
}
