package org.fencepost.conformance.omid;

import java.util.function.LongSupplier;
import org.fencepost.protocol.manager.TransactionManager;

/** A manager for a build of whose index the fence was put by somebody else. */
record KnownFence(TransactionManager manager, LongSupplier fencedAt) implements TransactionManager {

    @Override
    public long fence(long table) {
        return fencedAt.getAsLong();
    }

    @Override
    public long begin() {
        return manager.begin();
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        return manager.commit(startTs, writeSet, tables);
    }

    @Override
    public void end(long startTs) {
        manager.end(startTs);
    }

    @Override
    public long collectableBelow() {
        return manager.collectableBelow();
    }
}
