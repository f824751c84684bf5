package org.fencepost.simulation.omid;

import org.fencepost.protocol.manager.TransactionManager;

/** A transaction manager whose answer to a first certification is overtaken by somebody. */
record Overtaken(TransactionManager manager, Runnable somebody) implements TransactionManager {

    @Override
    public long begin() {
        return manager.begin();
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        return commit(startTs, startTs, writeSet, tables);
    }

    @Override
    public long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        long answer = manager.commit(startTs, comparedUpTo, writeSet, tables);
        if (comparedUpTo == startTs) {
            somebody.run();
        }
        return answer;
    }

    @Override
    public long commitBlindly(long[] writeSet) {
        long answer = manager.commitBlindly(writeSet);
        somebody.run();
        return answer;
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
