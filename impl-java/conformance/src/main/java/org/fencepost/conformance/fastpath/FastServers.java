package org.fencepost.conformance.fastpath;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.omid.Servers;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastRegion.Answer;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.region.TimeSource;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Scheduler;

/**
 * Region servers with the protocol's {@link FastRegion}, and each key in a region of its own. Reads are held when they have
 * lifted the clock, and fast-path writes when they have drawn their version. Row locks are the director's: it begins nothing
 * that would have to wait.
 */
class FastServers extends Servers {

    /** A key's region, since it was opened. */
    final class Region implements TimeSource, Signal<RuntimeException>, Tracer {
        private final LocalVersionClock clock;
        private final FastRegion<String, RuntimeException> fast;
        private boolean open = true;
        private boolean knowsTheTime;
        private BooleanSupplier stillNeeded;
        private Runnable then;

        Region(LocalVersionClock clock) {
            this.clock = clock;
            this.fast = new FastRegion<>(clock, this, this, String::compareTo, String::hashCode, Flight::new, () -> this);
            fast.bootstrapClock();
        }

        boolean knowsTheTime() {
            return knowsTheTime;
        }

        /** Commits in one phase. */
        BatchRegion<String, RuntimeException> batches() {
            return fast.batches();
        }

        private void told() {
            Runnable next = then;
            then = null;
            next.run();
        }

        @Override
        public void bootstrapClock(BooleanSupplier needed, Runnable told) {
            stillNeeded = needed;
            then = told;
        }

        @Override
        public void give() {
            knowsTheTime = true;
        }

        @Override
        public void await() {
            throw new Refused("the region does not know the time");
        }

        @Override
        public void event(Action action, Object... arguments) {
            if (action == Action.BumpClock && mover instanceof Client client && !client.hasLooked()) {
                hold(Kind.BUMPED);
            }
        }
    }

    /** For this readers wait. */
    private final class Flight implements Signal<RuntimeException> {
        @Override
        public void give() {
        }

        @Override
        public void await() {
            hold(Kind.AWAIT_FAST_WRITES);
        }
    }

    private record Last(long commitTs, boolean noNewerTentative) implements FastRegion.Last {
    }

    private final Map<String, LocalVersionClock> clocks = new LinkedHashMap<>();
    private final Map<String, String> hosts = new LinkedHashMap<>();
    private final Map<String, Region> regions = new LinkedHashMap<>();
    /** Who looks at a record or writes one. */
    Puppet mover;
    /** From where on a manager that took over gives timestamps; 0 if there was none. */
    private long tookOverFrom;

    FastServers(Scheduler scheduler, List<String> keys, Versions versions) {
        super(scheduler, keys, versions);
    }

    final void hold(Kind kind) {
        Puppet me = mover;
        me.act(kind, 0, () -> {});
        mover = me;
    }

    // ---- regions

    void start(String server) {
        clocks.put(server, new LocalVersionClock(versions()));
    }

    /** Opens a key's region. */
    Region open(String key, String server) {
        if (regions.containsKey(key)) {
            regions.get(key).open = false;
            regions.get(key).fast.close();
        }
        hosts.put(key, server);
        regions.put(key, new Region(clocks.get(server)));
        return regions.get(key);
    }

    /** As after a start long ago. */
    void openInTime(String key, String server) {
        open(key, server).told();
    }

    Region region(String key) {
        return regions.get(key);
    }

    String host(String key) {
        return hosts.get(key);
    }

    long lvc(String server) {
        return clocks.get(server).now();
    }

    /** The server asks the manager for the time, if it has a reason to. */
    void bootstrapClock(String key) {
        Region region = regions.get(key);
        if (region.then == null || !region.stillNeeded.getAsBoolean()) {
            throw new Refused("nobody has told the server of " + key + " to ask for the time");
        }
        long ts = give(manager.begin(scheduler.nanos()));
        manager.end(ts);
        region.clock.bump(ts);
        region.told();
    }

    /** Another manager takes over. A timestamp is skipped. */
    void failOver() {
        tookOverFrom = manager.nextTimestamp();
        give(tookOverFrom);
        manager.begin(scheduler.nanos());
        manager = manager(manager.nextTimestamp());
    }

    /** The last timestamp that it shuts out for having taken over; 0 for none. */
    long tookOverFrom() {
        return tookOverFrom;
    }

    // ---- regular transactions

    /** Clients tell their snapshot with each request; a collector has none. */
    @Override
    protected void preGet(Puppet puppet, String key) {
        if (puppet instanceof Client client) {
            mover = client;
            regions.get(key).fast.preGet(key, client.version());
        }
    }

    @Override
    protected void prePut(String key, long version) {
        if (!FastRegion.noNewerCommit(version, committed(key).stream().mapToLong(Record::version))) {
            throw new PutRefusedException("a newer version of " + key + " is committed", null);
        }
    }

    @Override
    protected void preUpdate(String key, long commitTs) {
        regions.get(key).fast.lift(key, commitTs);
    }

    // ---- fast path

    final List<Record<Long>> committed(String key) {
        return store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE).stream().filter(Record::hasCommitCell).toList();
    }

    /** Null if there is none. */
    Record<Long> lastCommitted(String key) {
        return committed(key).stream().findFirst().orElse(null);
    }

    /** Throws {@link StoreException} if the region was closed before it was stored. */
    Answer write(FastPuppet puppet, String key, long expected, boolean delete) {
        Region region = regions.get(key);
        mover = puppet;
        return region.fast.putVersion(key, expected, new FastRegion.Target<>() {
            @Override
            public FastRegion.Last last() {
                List<Record<Long>> records = store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE);
                Record<Long> last = lastCommitted(key);
                return new Last(last == null ? Timestamps.NIL : last.commit(), records.isEmpty() || records.get(0) == last
                        || last != null && records.get(0).version() == last.version());
            }

            @Override
            public void store(long version) {
                puppet.drawn(version);
                hold(Kind.STORE_VERSION);
                if (!region.open) {
                    throw new StoreException("the region was closed");
                }
                store.putCommitted(key, version, delete ? Write.tombstone() : Write.of(Client.value(key, version)));
            }
        });
    }
}
