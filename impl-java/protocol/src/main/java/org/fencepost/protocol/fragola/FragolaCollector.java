package org.fencepost.protocol.fragola;

import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.trace.Tracer;

/**
 * {@link Collector} where commit entries are with leaders: a pass marks the leaders of pending transactions before it removes anything of
 * them, collects a leader when a pass over all records has given each its commit cell, and markers after their leaders.
 */
public final class FragolaCollector<K, V> extends Collector<K, V> {

    public FragolaCollector(LeaderStore<K, V> store, TransactionManager manager, Tracer tracer) {
        this(store, manager, Walk.ONE_BY_ONE, tracer);
    }

    public FragolaCollector(LeaderStore<K, V> store, TransactionManager manager, Walk walk, Tracer tracer) {
        super(store, new LeaderPlacement<>(store), manager, walk, tracer);
    }

    /**
     * The first half of a pass, where the store itself drops old versions and markers whose leader is gone: on return every record below the
     * watermark has its commit cell, or is removed, and the store may drop leaders there (FollowersHealed).
     *
     * @param keys      those with a record without commit cell below the watermark, of all tables
     * @param watermark see {@link #collect(Iterable, long)}
     */
    public void settle(Iterable<K> keys, long watermark) {
        raiseWatermark(watermark);
        settleFirst(keys, watermark);
    }
}
