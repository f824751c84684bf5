package org.fencepost.conformance.mediator;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.mediator.MediatorRegion.StampedPut;
import org.fencepost.protocol.mediator.MediatorRegion;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.region.TimeSource;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/** Database servers with the protocol's {@link MediatorRegion}, each with one region that has all its keys. Puts are held when they have their stamp. */
final class DatabaseServers {

    /** Since it was started. */
    private final class Server implements TimeSource, Tracer {
        private final LocalVersionClock clock = new LocalVersionClock(delta);
        private final MediatorRegion<String, RuntimeException> region =
                new MediatorRegion<>(clock, this, String::compareTo, String::hashCode, Held::new, () -> this);
        private boolean synced;
        private BooleanSupplier stillNeeded;
        /** Null unless it is to ask for the time. */
        private Runnable then;

        @Override
        public void bootstrapClock(BooleanSupplier needed, Runnable told) {
            stillNeeded = needed;
            then = told;
        }

        private void told() {
            Runnable next = then;
            then = null;
            next.run();
        }

        @Override
        public void event(Action action, Object... arguments) {
            synced |= action == Action.SyncServer;
        }
    }

    /** Whoever waits for it is held. */
    private final class Held implements Signal<RuntimeException> {
        @Override
        public void give() {
        }

        @Override
        public void await() {
            mover.act(Kind.AWAIT_SERVER, 0, () -> {});
        }
    }

    private final long delta;
    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final Map<String, String> hosts = new LinkedHashMap<>();
    private final Map<String, TreeMap<Long, String>> versions = new LinkedHashMap<>();
    /** Who looks or writes. */
    private Puppet mover;

    /** Each key has a server of its own, as far as there are so many. */
    DatabaseServers(List<String> names, List<String> keys, long delta) {
        this.delta = delta;
        for (String key : keys) {
            hosts.put(key, names.get(Math.min(hosts.size(), names.size() - 1)));
            versions.put(key, new TreeMap<>());
        }
        names.forEach(this::start);
    }

    private void start(String name) {
        Server server = new Server();
        servers.put(name, server);
        server.region.syncServer();
    }

    /** As if the oracle had told them that nothing was ever given. */
    void knowTheTime() {
        servers.values().forEach(Server::told);
    }

    /** Its clock is lost, and so are the puts that are held. */
    void crash(String name) {
        servers.get(name).region.close();
        start(name);
    }

    /** A server asks for the time, if it has a reason to. */
    void syncServer(String name, TransactionManager time) {
        Server server = servers.get(name);
        if (server.then == null || !server.stillNeeded.getAsBoolean()) {
            throw new Refused("nobody has told " + name + " to ask for the time");
        }
        server.clock.bootstrapClock(time);
        server.told();
    }

    String host(String key) {
        return hosts.get(key);
    }

    long local(String name) {
        return servers.get(name).clock.now();
    }

    boolean isSynced(String name) {
        return servers.get(name).synced;
    }

    private MediatorRegion<String, RuntimeException> region(Puppet puppet, String key) {
        mover = puppet;
        return servers.get(host(key)).region;
    }

    // ---- transactions

    void fenceRead(Puppet puppet, String key, long startTs) {
        region(puppet, key).fenceRead(List.of(), startTs);
    }

    /** A look has its fence before it, and waits for older puts. Null if there is nothing. */
    Version<String> lookBefore(Puppet puppet, String key, long startTs) {
        region(puppet, key).fenceRead(List.of(key), startTs);
        return lastBefore(key, startTs);
    }

    void fenceCommit(Puppet puppet, String key, long commitTs) {
        region(puppet, key).fenceCommit(List.of(), commitTs);
    }

    /** Whether nobody has written the key in between. */
    boolean isFree(Puppet puppet, String key, long since, long commitTs) {
        region(puppet, key).fenceCommit(List.of(key), commitTs);
        return servers.get(host(key)).region.untouchedSince(key, since) || !conflicts(key, since, commitTs);
    }

    /** What a look finds. */
    boolean conflicts(String key, long since, long commitTs) {
        Version<String> last = lastBefore(key, commitTs);
        return !MediatorRegion.noConflictInDatabase(last == null ? Timestamps.NIL : last.ts(), since);
    }

    void writeBack(Puppet puppet, String key, long commitTs, String value) {
        region(puppet, key).writeBack(key, commitTs);
        versions.get(key).put(commitTs, value);
    }

    // ---- puts

    /**
     * A put, held until it is stored.
     *
     * @param startTs of a put transaction; NIL for a native put
     * @param stamped told the stamp
     * @return the stamp
     */
    long put(Puppet puppet, String key, String value, long startTs, LongConsumer stamped) {
        MediatorRegion<String, RuntimeException> region = region(puppet, key);
        StampedPut<String, RuntimeException> put = startTs == Timestamps.NIL ? region.nativePut(key) : region.localCommit(key, startTs);
        stamped.accept(put.ts());
        try {
            puppet.ask(Kind.STORE_PUT, key, put.ts(), () -> versions.get(key).put(put.ts(), value));
        } finally {
            region.storePut(put);
        }
        return put.ts();
    }

    // ---- versions

    /** Null if there is none. */
    Version<String> lastBefore(String key, long ts) {
        Map.Entry<Long, String> last = versions.get(key).lowerEntry(ts);
        return last == null ? null : new Version<>(last.getKey(), last.getValue());
    }

    boolean isStored(String key, long ts) {
        return versions.get(key).containsKey(ts);
    }

    /** The timestamp of a value; 0 if it is not stored, negative if it is twice. */
    long find(String key, String value) {
        Collection<Long> found = versions.get(key).entrySet().stream().filter(e -> e.getValue().equals(value)).map(Map.Entry::getKey).toList();
        return found.isEmpty() ? 0 : found.size() > 1 ? -1 : found.iterator().next();
    }
}
