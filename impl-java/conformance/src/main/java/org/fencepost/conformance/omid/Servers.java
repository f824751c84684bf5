package org.fencepost.conformance.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.omid.CommitTableServer;
import org.fencepost.simulation.omid.StoreServer;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Scheduler;

/**
 * The simulator's store and commit table, and the transaction manager's core.
 *
 * <p>The specification counts the timestamps that its transactions get, 1, 2, 3. The manager gives some to others, too,
 * whose commits fill its conflict table. Since timestamps are only compared, each stands for its place among those that the
 * specification knows.
 */
public class Servers {

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

    public final StoreServer store;
    public final CommitTableServer table;
    public TransactionManagerCore manager;
    public final Scheduler scheduler;
    private final Versions versions;
    private final long leap;
    private final List<String> keys;
    private final List<Long> given = new ArrayList<>();
    private long othersKeys;

    /** @param versions of all keys; their span is from one timestamp to the next */
    public Servers(Scheduler scheduler, List<String> keys, Versions versions) {
        EventLog log = new EventLog(scheduler);
        this.scheduler = scheduler;
        this.keys = keys;
        this.versions = versions;
        this.leap = versions.span();
        this.store = new StoreServer(false, log, versions);
        this.table = new CommitTableServer(1, log);
        this.manager = manager(0);
    }

    /** One that begins with an empty conflict table. */
    protected TransactionManagerCore manager(long epochStart) {
        return new TransactionManagerCore(new TransactionManagerCore.Settings(leap, CONFLICT_ENTRIES, LIFETIME, 1024), epochStart,
                Long.MAX_VALUE - 2 * leap, 0, scheduler.nanos(), Tracer.OFF);
    }

    public Versions versions() {
        return versions;
    }

    /** Whether commit entries are with leaders: all clients and collectors are of the classes for that. */
    public boolean hasLeaders() {
        return false;
    }

    // ---- what a server does before it touches a record

    /** @param puppet whose turn it is */
    protected void preGet(Puppet puppet, String key) {
    }

    protected void prePut(String key, long version) {
    }

    protected void preUpdate(String key, long commitTs) {
    }

    // ---- commits with fewer trips

    /** What one of them does that way; nothing by default. */
    protected BatchStore<String, Long> batches(Puppet puppet) {
        return BatchStore.none();
    }

    /**
     * A request to certify, for whose answer the puppet does not wait before it goes on. Where nothing tells clocks, nobody sends one.
     *
     * @param certify sends it, through this manager
     */
    protected LongSupplier commitLater(Puppet puppet, ToLongFunction<TransactionManager> certify) {
        throw new UnsupportedOperationException("These servers tell no clocks.");
    }

    // ---- timestamps

    /** A timestamp that the manager gave to one of the specification's transactions. */
    protected long give(long timestamp) {
        given.add(timestamp);
        return timestamp;
    }

    /** The last one, as the specification has it. */
    public long clock() {
        return given.size() * leap;
    }

    /** As the specification has it; nothing and the marker stay as they are. */
    public TlaValue inSpec(long timestamp) {
        int place = given.indexOf(timestamp - timestamp % leap);
        return timestamp < leap ? Values.number(timestamp) : place >= 0 ? Values.number((place + 1) * leap + timestamp % leap)
                : Values.string(timestamp + ", which was given to others");
    }

    /** What {@link #inSpec} is of. */
    public long inCode(long number) {
        return given.get((int) (number / leap) - 1) + number % leap;
    }

    /** The number of the first that is not below. */
    public long firstFrom(long timestamp) {
        return timestamp == Timestamps.NIL ? 0 : leap + leap * given.stream().filter(ts -> ts < timestamp).count();
    }

    // ---- the conflict table

    /** Each key is in a bucket of its own. */
    public long hash(String key) {
        return hashInBucket(keys.indexOf(key), 1);
    }

    /** The tables that keys are in, for fences. */
    long[] tables(Collection<String> written) {
        return TransactionManager.NO_TABLES;
    }

    static long hashInBucket(int bucket, long from) {
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
