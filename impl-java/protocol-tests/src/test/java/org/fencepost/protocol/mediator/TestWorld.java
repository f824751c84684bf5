package org.fencepost.protocol.mediator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.region.TimeSource;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;

/**
 * A status oracle that answers what it is told to, a log, and one database server with a region for each key. What the client
 * calls is noted; a call that is next in {@link #failing} fails instead.
 */
final class TestWorld implements Oracle, Log<Map<String, String>>, DataServers<String, String> {

    static final long DELTA = 1024;

    final List<String> calls = new ArrayList<>();
    final Queue<String> failing = new ArrayDeque<>();
    final Map<Long, LogRecord<Map<String, String>>> records = new HashMap<>();
    final LocalVersionClock clock = new LocalVersionClock(DELTA);
    /** Thrown by what is next in {@link #failing}, in place of what that may throw; null: none. */
    RuntimeException unexpected;
    Replica ring = Replica.NONE;
    long refusal;
    long now;
    long[] lastConflicts;
    long[] lastSince;
    long[] lastWrites;

    private final Map<String, TreeMap<Long, String>> versions = new HashMap<>();
    private final Map<String, MediatorRegion<String, RuntimeException>> regions = new HashMap<>();

    /** Waiting would be for ever. */
    private static final class Never implements Signal<RuntimeException> {
        private boolean given;

        @Override
        public void give() {
            given = true;
        }

        @Override
        public void await() {
            if (!given) {
                throw new IllegalStateException("this would wait for ever");
            }
        }
    }

    Mediator<String, String> client(boolean serializable) {
        return new Mediator<>(this, this, this, new NoClock(), TestWorld::hash, new Mediator.Settings(serializable, 3, 0, 2), Tracer.OFF);
    }

    static long hash(String key) {
        return key.hashCode();
    }

    MediatorRegion<String, RuntimeException> region(String key) {
        return regions.computeIfAbsent(key, k -> {
            MediatorRegion<String, RuntimeException> region = new MediatorRegion<>(clock, new TimeSource() {
                @Override
                public void bootstrapClock(BooleanSupplier stillNeeded, Runnable then) {
                    if (stillNeeded.getAsBoolean()) {
                        clock.bump(now += DELTA);
                        then.run();
                    }
                }
            }, String::compareTo, String::hashCode, Never::new, () -> Tracer.OFF);
            region.syncServer();
            return region;
        });
    }

    private void call(String what) {
        calls.add(what);
        if (what.equals(failing.peek())) {
            failing.remove();
            if (unexpected != null) {
                throw unexpected;
            }
            throw what.equals("begin") || what.startsWith("tso") || what.startsWith("tx") && !what.contains("Get") && !what.contains("Check")
                    ? new TransactionManagerException("lost") : new StoreException("lost");
        }
    }

    // ---- native

    long put(String key, String value) {
        MediatorRegion.StampedPut<String, RuntimeException> put = region(key).nativePut(key);
        store(key, put.ts(), value);
        region(key).storePut(put);
        return put.ts();
    }

    void store(String key, long ts, String value) {
        versions.computeIfAbsent(key, k -> new TreeMap<>()).put(ts, value);
    }

    private Version<String> before(String key, long ts) {
        Map.Entry<Long, String> last = versions.getOrDefault(key, new TreeMap<>()).lowerEntry(ts);
        return last == null ? null : new Version<>(last.getKey(), last.getValue());
    }

    private Map<String, Version<String>> before(Collection<String> keys, long ts) {
        Map<String, Version<String>> found = new HashMap<>();
        keys.stream().filter(key -> before(key, ts) != null).forEach(key -> found.put(key, before(key, ts)));
        return found;
    }

    // ---- oracle

    @Override
    public Begun begin(boolean replica) {
        call("begin");
        return new Begun(now += DELTA, replica ? ring : Replica.NONE);
    }

    @Override
    public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        lastWrites = writes;
        lastConflicts = conflicts;
        lastSince = since;
        call("txTryCommit");
        return refusal != 0 ? refusal : (now += DELTA);
    }

    @Override
    public void tsoAbort(long commitTs) {
        call("tsoAbort");
    }

    @Override
    public void txCommit(long commitTs) {
        call("txCommit");
    }

    // ---- log

    @Override
    public boolean append(LogRecord<Map<String, String>> record) {
        call("append");
        records.putIfAbsent(record.commitTs(), record);
        return records.get(record.commitTs()).commits();
    }

    // ---- servers

    @Override
    public Map<String, Version<String>> txGet(Map<String, Long> due, long startTs) {
        call("txGet");
        due.keySet().forEach(key -> region(key).fenceRead(List.of(key), startTs));
        return before(due.keySet(), startTs);
    }

    @Override
    public Map<String, Version<String>> get(Collection<String> keys) {
        call("get");
        return before(keys, Long.MAX_VALUE);
    }

    @Override
    public boolean txCheckConflict(Map<String, Long> since, Collection<String> fence, long commitTs) {
        call("txCheckConflict");
        fence.forEach(key -> region(key).fenceCommit(List.of(), commitTs));
        since.keySet().forEach(key -> region(key).fenceCommit(List.of(key), commitTs));
        return since.entrySet().stream().allMatch(entry -> {
            Version<String> last = before(entry.getKey(), commitTs);
            return MediatorRegion.noConflictInDatabase(last == null ? 0 : last.ts(), entry.getValue());
        });
    }

    @Override
    public void writeBack(Map<String, String> writes, long commitTs) {
        call("writeBack");
        writes.forEach((key, value) -> store(key, commitTs, value));
    }

    @Override
    public long localCommit(String key, String value, long startTs) {
        call("localCommit");
        MediatorRegion.StampedPut<String, RuntimeException> put = region(key).localCommit(key, startTs);
        store(key, put.ts(), value);
        region(key).storePut(put);
        return put.ts();
    }
}
