package org.fencepost.simulation.mediator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.fencepost.protocol.mediator.MediatorRegion;
import org.fencepost.protocol.mediator.MediatorRegion.StampedPut;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Luck;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.RegionServer;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.simulation.world.Wait;

/**
 * The database servers of a run of Mediator: keys in regions, each open on one server, each with its own {@link MediatorRegion}. Others
 * get in between a fence and the look behind it, and between the stamp of a put and its store. A region is moved when no put is in it; what waits, such as
 * a look behind a fence, finds the region closed and fails. When a server dies, its clock and the puts in flight are lost.
 */
final class MediatorServers {

    /** Once opened. */
    private final class Region {
        private final int number;
        private final RegionServer server;
        private final MediatorRegion<String, RuntimeException> mediator;
        private int puts;
        private boolean open = true;

        Region(int number, RegionServer server) {
            this.number = number;
            this.server = server;
            this.mediator = new MediatorRegion<>(server.clock(), server, String::compareTo, String::hashCode,
                    () -> new Wait(plan, scheduler, random, "wait " + waits++, Long.MAX_VALUE), () -> log);
            mediator.syncServer();
        }

        void requireOpen() {
            if (!open) {
                throw new StoreException("region " + number + " was closed meanwhile");
            }
        }
    }

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final SplittableRandom random;
    private final Luck luck;
    private final List<RegionServer> servers = new ArrayList<>();
    private final Map<Integer, Region> regions = new TreeMap<>();
    private final Map<String, TreeMap<Long, Long>> versions = new HashMap<>();
    private final LongConsumer stamped;
    private int waits;

    /** @param stamped told the stamp of each put */
    MediatorServers(Plan plan, Scheduler scheduler, EventLog log, LongConsumer stamped) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.stamped = stamped;
        this.random = plan.random("servers");
        this.luck = new Luck(plan, random);
    }

    void add(RegionServer server) {
        servers.add(server);
    }

    List<RegionServer> servers() {
        return servers;
    }

    /** To be called when all servers are there. */
    void openAll() {
        plan.keys().forEach(key -> regions.computeIfAbsent(plan.mediator().region(key), number -> new Region(number, serverFor(number))));
    }

    private RegionServer serverFor(int region) {
        return servers.get(plan.mediator().regionsStay ? plan.mediator().host(region) : random.nextInt(servers.size()));
    }

    /** The end of all faults. */
    void heal() {
        luck.heal();
        servers.forEach(RegionServer::heal);
    }

    // ---- faults

    private Region region(String key) {
        return regions.get(plan.mediator().region(key));
    }

    /** A request for the key arrives. */
    private Region reach(String key) {
        Region region = region(key);
        if (luck.strikes(Fault.SERVER_CRASH)) {
            crash(region.server);
        } else if (luck.strikes(Fault.REGION_MOVE) && region.puts == 0) {
            RegionServer to = serverFor(region.number);
            log.fault(Fault.REGION_MOVE, "region", region.number, "from", region.server.name(), "to", to.name());
            move(region, to);
        }
        return region(key);
    }

    private void move(Region region, RegionServer to) {
        region.open = false;
        region.mediator.close();
        regions.put(region.number, new Region(region.number, to));
    }

    /** The server dies and is started again; all its regions are opened on another one, or on itself. */
    void crash(RegionServer server) {
        log.fault(Fault.SERVER_CRASH, "server", server.name());
        server.restart();
        List<Region> lost = regions.values().stream().filter(region -> region.server == server).toList();
        lost.forEach(region -> move(region, serverFor(region.number)));
    }

    // ---- requests

    /** The server of a key, for those who send it one request for all its keys. */
    String host(String key) {
        return region(key).server.name();
    }

    /** The last version of each key before the start timestamp. */
    Map<String, Version<Long>> txGet(List<String> keys, long startTs) {
        Map<String, Version<Long>> found = new LinkedHashMap<>();
        for (String key : keys) {
            Version<Long> version = behindFence(key, region -> {
                log.served("FenceRead", "txn", startTs, "key", key);
                region.mediator.fenceRead(List.of(key), startTs);
            }, startTs);
            if (version != null) {
                found.put(key, version);
            }
        }
        return found;
    }

    /**
     * Whether nobody else has written the keys that the transaction is checked for.
     *
     * @param since of these keys; no timestamp for those that are only fenced
     */
    boolean txCheckConflict(Map<String, Long> since, List<String> fence, long commitTs) {
        for (String key : fence) {
            Region region = reach(key);
            if (!since.containsKey(key)) {
                log.served("FenceCommit", "commit", commitTs, "key", key);
            }
            region.mediator.fenceCommit(List.of(), commitTs);
        }
        boolean free = true;
        for (Map.Entry<String, Long> entry : since.entrySet()) {
            String key = entry.getKey();
            Version<Long> last = behindFence(key, region -> {
                log.served("FenceCommit", "commit", commitTs, "key", key);
                region.mediator.fenceCommit(List.of(key), commitTs);
            }, commitTs);
            if (!region(key).mediator.untouchedSince(key, entry.getValue())) {
                free &= MediatorRegion.noConflictInDatabase(last == null ? 0 : last.ts(), entry.getValue());
            }
            log.served("TxCheckConflict", "commit", commitTs, "key", key, "last", last == null ? 0 : last.ts());
        }
        return free;
    }

    private Version<Long> behindFence(String key, Consumer<Region> fence, long before) {
        Region region = reach(key);
        fence.accept(region);
        othersGetIn();
        region.requireOpen();
        return lastVersionBefore(key, before);
    }

    private void othersGetIn() {
        if (!scheduler.inEvent() && random.nextInt(3) == 0) {
            scheduler.pause(luck.isFaulty() ? plan.storeNanos(random) : 1);
        }
    }

    /** Null if there is none. */
    Version<Long> lastVersion(String key) {
        reach(key);
        Version<Long> last = lastVersionBefore(key, Long.MAX_VALUE);
        log.served("Get", "key", key, "from", last == null ? 0 : last.ts());
        return last;
    }

    private Version<Long> lastVersionBefore(String key, long ts) {
        Map.Entry<Long, Long> last = versions(key).lowerEntry(ts);
        return last == null ? null : new Version<>(last.getKey(), last.getValue());
    }

    void writeBack(Map<String, Long> writes, long commitTs) {
        writes.forEach((key, value) -> {
            reach(key).mediator.writeBack(key, commitTs);
            log.served("WriteBack", "commit", commitTs, "key", key);
            store(key, commitTs, value);
        });
    }

    void nativePut(String key, long value) {
        put(key, value, region -> region.mediator.nativePut(key));
    }

    long localCommit(String key, long value, long startTs) {
        return put(key, value, region -> {
            log.served("PutFence", "txn", startTs, "key", key);
            StampedPut<String, RuntimeException> stamped = region.mediator.localCommit(key, startTs);
            if (stamped != null) {
                log.served("LocalCommit", "txn", startTs, "key", key, "ts", stamped.ts());
            }
            return stamped;
        });
    }

    private long put(String key, long value, Function<Region, StampedPut<String, RuntimeException>> stamp) {
        Region region = reach(key);
        StampedPut<String, RuntimeException> put = stamp.apply(region);
        if (put == null) {
            throw new StoreException("region " + region.number + " was closed meanwhile");
        }
        stamped.accept(put.ts());
        region.puts++;
        scheduler.changed(key); // whoever is held back sees the put in flight
        try {
            if (luck.strikes(Fault.SERVER_CRASH)) {
                crash(region.server);
            } else if (!scheduler.inEvent()) {
                scheduler.pause(luck.isFaulty() ? plan.storeNanos(random) : 1);
            }
            region.requireOpen();
            store(key, put.ts(), value);
        } finally {
            region.puts--;
            region.mediator.storePut(put);
        }
        if (luck.strikes(Fault.SERVER_CRASH)) {
            crash(region.server);
            throw new StoreException("no answer: the server died");
        }
        return put.ts();
    }

    private void store(String key, long ts, long value) {
        if (versions(key).get(ts) == null || versions(key).get(ts) != value) {
            log.change("key " + key, key, "version " + ts, "", value);
        }
        versions(key).put(ts, value);
    }

    // ---- for the judge only

    /** Timestamps and values. */
    TreeMap<Long, Long> versions(String key) {
        return versions.computeIfAbsent(key, k -> new TreeMap<>());
    }

    /** Where a value is that is written once; 0 if it is nowhere. */
    long find(String key, long value) {
        return versions(key).entrySet().stream().filter(entry -> entry.getValue() == value).mapToLong(Map.Entry::getKey).findFirst().orElse(0);
    }
}
