package org.fencepost.protocol.ph1;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * The certifier's algorithm (pH1 sections 2-B and 4-D, specs/PH1.tla): commit timestamps are counted up; a snapshot is given at the earliest of those
 * that are still being flushed, or above all. It remembers the last commit of every key, and is in memory: if its process ends, so do all
 * instances. Thread-safe.
 *
 * @param <K> keys, with equals and hashCode
 */
public final class LocalCertifier<K> implements Certifier<K> {

    private final Tracer tracer;
    private final Map<K, Long> lastCommit = new HashMap<>();
    private final TreeSet<Long> flushing = new TreeSet<>();
    private long clock;

    /** @param clock commit timestamps are above */
    public LocalCertifier(long clock, Tracer tracer) {
        this.clock = clock;
        this.tracer = tracer;
    }

    @Override
    public synchronized long horizon() {
        return flushing.isEmpty() ? clock + 1 : flushing.first();
    }

    @Override
    public synchronized long requestCommit(long readTs, Collection<K> keys) {
        boolean free = keys.stream().allMatch(key -> noConflict(key, readTs));
        if (free) {
            clock++;
            keys.forEach(key -> lastCommit.put(key, clock));
            flushing.add(clock);
        }
        if (tracer.on()) {
            tracer.event(Action.RequestCommit, "snapshot", readTs, "answer", free ? clock : CONFLICT);
        }
        return free ? clock : CONFLICT;
    }

    /** Nobody who was certified outside of the snapshot wrote the key (pH1 section 2-B; its formula says that of any two). */
    private boolean noConflict(K key, long readTs) {
        return lastCommit.getOrDefault(key, 0L) < readTs;
    }

    @Override
    public synchronized void complete(long commitTs) {
        if (flushing.remove(commitTs)) {
            tracer.event(Action.Complete, "commit", commitTs);
        }
    }

    @Override
    public synchronized void release(long commitTs) {
        if (flushing.remove(commitTs)) {
            tracer.event(Action.Release, "commit", commitTs);
        }
    }

    @Override
    public synchronized List<Long> flushing() {
        return List.copyOf(flushing);
    }
}
