package org.fencepost.hbase.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.fencepost.hbase.layout.Settings;

/**
 * The handlers of a region server that wait for the transaction manager. A handler serves any table; so no more than a share of
 * them may wait at a time, lest other tables wait, too, while the transaction manager is away. Who finds no place is refused at
 * once. Thread-safe.
 */
final class WaitingHandlers {

    /** The part that may wait, unless {@link Settings#WAITING_HANDLERS} says how many. */
    private static final int SHARE = 4;

    private static final Map<ServerName, WaitingHandlers> SERVERS = new ConcurrentHashMap<>();

    private final int places;
    private final Semaphore free;

    private WaitingHandlers(int places) {
        this.places = places;
        this.free = new Semaphore(places);
    }

    /** @param conf the region server's; the first one counts */
    static WaitingHandlers of(ServerName server, Configuration conf) {
        return SERVERS.computeIfAbsent(server, name -> {
            int handlers = conf.getInt(HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
            return new WaitingHandlers(Math.max(1, conf.getInt(Settings.WAITING_HANDLERS, handlers / SHARE)));
        });
    }

    /** Whether there was a place; then {@link #leave} must follow. */
    boolean enter() {
        return free.tryAcquire();
    }

    void leave() {
        free.release();
    }

    int places() {
        return places;
    }

    int waiting() {
        return places - free.availablePermits();
    }
}
