package org.fencepost.protocol.memory;

import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.protocol.TransactionManagerCore;

/** A transaction manager in this process: the core behind one lock. Its epoch never ends and nothing outlives it. */
public final class LocalTransactionManager implements TransactionManager {

    private final TransactionManagerCore core;
    private final Clock clock;

    public LocalTransactionManager(TransactionManagerCore core, Clock clock) {
        this.core = core;
        this.clock = clock;
    }

    @Override
    public synchronized long begin() {
        return core.begin(clock.nanos());
    }

    @Override
    public synchronized long commit(long startTs, long[] writeSet) {
        return core.commit(startTs, writeSet, writeSet.length);
    }

    @Override
    public synchronized void end(long startTs) {
        core.end(startTs);
    }

    @Override
    public synchronized long collectableBelow() {
        return core.collectableBelow(clock.nanos());
    }
}
