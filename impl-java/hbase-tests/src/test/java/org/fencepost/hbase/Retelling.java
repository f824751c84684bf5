package org.fencepost.hbase;

import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;

/** A transaction manager of which only what it tells of itself, and of what may be collected, is another's. Null: its own. */
record Retelling(TransactionManager real, ManagerInfo retold, Long collectable) implements TransactionManager {

    @Override
    public long begin() {
        return real.begin();
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        return real.commit(startTs, writeSet, tables);
    }

    @Override
    public long commitBlindly(long[] writeSet) {
        return real.commitBlindly(writeSet);
    }

    @Override
    public void end(long startTs) {
        real.end(startTs);
    }

    @Override
    public long collectableBelow() {
        return collectable != null ? collectable : real.collectableBelow();
    }

    @Override
    public ManagerInfo info() {
        return retold != null ? retold : real.info();
    }
}
