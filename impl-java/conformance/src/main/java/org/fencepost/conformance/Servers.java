package org.fencepost.conformance;

import java.util.ArrayList;
import java.util.List;

import org.fencepost.audit.TlaValue;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Tracer;
import org.fencepost.protocol.TransactionManagerCore;
import org.fencepost.simulation.CommitTableServer;
import org.fencepost.simulation.EventLog;
import org.fencepost.simulation.Scheduler;
import org.fencepost.simulation.StoreServer;

/**
 * The simulator's store and commit table, and the transaction manager's core.
 *
 * <p>The specification counts the timestamps that its transactions get, 1, 2, 3. The manager gives some to others, too,
 * whose commits fill its conflict table. Since timestamps are only compared, each stands for its place among those that the
 * specification knows.
 */
final class Servers {

    /** On the scheduler's clock, where a step takes a few nanoseconds. */
    static final long LIFETIME = 32_000_000;
    /** A manager tells of the end of a lifetime when such a slice of it is over. */
    static final long SLICE = LIFETIME / 32;
    /** The manager's lifetime exceeds the clients'. */
    static final long CLIENT_LIFETIME = LIFETIME - SLICE;

    private static final int WAYS = 8;
    private static final int CONFLICT_ENTRIES = 64;
    /** The conflict table spreads hashes by this multiplier, to the buckets that its high bits name. */
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int BUCKET_BITS = 3;

    final StoreServer store;
    final CommitTableServer table;
    final TransactionManagerCore manager;
    private final Scheduler scheduler;
    private final List<String> keys;
    private final List<Long> given = new ArrayList<>();
    private long othersKeys;

    Servers(Scheduler scheduler, List<String> keys) {
        EventLog log = new EventLog(scheduler);
        this.scheduler = scheduler;
        this.keys = keys;
        this.store = new StoreServer(false, log);
        this.table = new CommitTableServer(1, log);
        this.manager = new TransactionManagerCore(new TransactionManagerCore.Settings(1, CONFLICT_ENTRIES, LIFETIME, 1024), 0,
                Long.MAX_VALUE, 0, 0, Tracer.OFF);
    }

    // ---- timestamps

    /** A timestamp that the manager gave to one of the specification's transactions. */
    long give(long timestamp) {
        given.add(timestamp);
        return timestamp;
    }

    /** How many were given. */
    int clock() {
        return given.size();
    }

    /** As the specification has it; nothing and the marker stay as they are. */
    TlaValue inSpec(long timestamp) {
        int place = given.indexOf(timestamp);
        return place >= 0 ? Values.number(place + 1) : timestamp <= 0 ? Values.number(timestamp)
                : Values.string(timestamp + ", which was given to others");
    }

    /** The number of the first that is not below. */
    long firstFrom(long timestamp) {
        return timestamp == Timestamps.NIL ? 0 : 1 + given.stream().filter(ts -> ts < timestamp).count();
    }


    // ---- the conflict table

    /** Each key is in a bucket of its own. */
    long hash(String key) {
        return hashInBucket(keys.indexOf(key), 1);
    }

    private static long hashInBucket(int bucket, long from) {
        long hash = from;
        while (hash * MULTIPLIER >>> 64 - BUCKET_BITS != bucket) {
            hash++;
        }
        return hash;
    }

    /** Somebody else commits so many keys of a bucket that the oldest in it, a key of ours, is forgotten. */
    void commitElsewhere(String key) {
        long[] writeSet = new long[WAYS];
        for (int i = 0; i < WAYS; i++) {
            othersKeys = hashInBucket(keys.indexOf(key), Math.max(1000, othersKeys + 1));
            writeSet[i] = othersKeys;
        }
        manager.commit(manager.begin(scheduler.nanos()), writeSet, WAYS);
    }
}
