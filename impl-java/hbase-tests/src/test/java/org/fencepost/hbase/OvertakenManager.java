package org.fencepost.hbase;

import java.util.concurrent.atomic.AtomicInteger;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;

/** A fixture's, which counts what it is asked; and something may happen between the next commit timestamp and what comes of it. */
final class OvertakenManager implements TransactionManager {

    private static final Runnable NOTHING = () -> {};

    final AtomicInteger asked = new AtomicInteger();
    private final TransactionManager manager;
    private volatile Runnable afterCertification = NOTHING;

    OvertakenManager(TransactionManager manager) {
        this.manager = manager;
    }

    /** Once. */
    void afterCertification(Runnable meanwhile) {
        afterCertification = meanwhile;
    }

    private long meanwhile(long answer) {
        Runnable meanwhile = afterCertification;
        afterCertification = NOTHING;
        meanwhile.run();
        return answer;
    }

    @Override
    public long begin() {
        asked.incrementAndGet();
        return manager.begin();
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        return commit(startTs, startTs, writeSet, tables);
    }

    @Override
    public long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        asked.incrementAndGet();
        return meanwhile(manager.commit(startTs, comparedUpTo, writeSet, tables));
    }

    @Override
    public long commitBlindly(long[] writeSet) {
        asked.incrementAndGet();
        return meanwhile(manager.commitBlindly(writeSet));
    }

    @Override
    public void end(long startTs) {
        manager.end(startTs);
    }

    @Override
    public long collectableBelow() {
        return manager.collectableBelow();
    }

    @Override
    public ManagerInfo info() {
        return manager.info();
    }
}
