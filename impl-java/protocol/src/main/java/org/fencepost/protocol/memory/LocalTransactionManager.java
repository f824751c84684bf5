package org.fencepost.protocol.memory;

import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;

/** A transaction manager in this process: the core behind one lock. Its epoch never ends and nothing outlives it. */
public final class LocalTransactionManager implements TransactionManager {

    /** Timestamps ahead of the last one given: what is told as a limit, as a real one tells its epoch's end. */
    private static final long EPOCH_TIMESTAMPS = 1 << 20;

    private final TransactionManagerCore core;
    private final Clock clock;
    private final String identity;
    private final long tenure = ThreadLocalRandom.current().nextLong();
    private final long epoch;

    /** Of a system of its own. */
    public LocalTransactionManager(TransactionManagerCore core, Clock clock) {
        this(core, clock, UUID.randomUUID().toString());
    }

    /** @param identity of the system that an earlier one belonged to, whose timestamps were all below the core's */
    public LocalTransactionManager(TransactionManagerCore core, Clock clock, String identity) {
        this.identity = identity;
        this.core = core;
        this.clock = clock;
        this.epoch = core.nextTimestamp();
    }

    @Override
    public synchronized long begin() {
        return core.begin(clock.nanos());
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        return commit(startTs, startTs, writeSet, tables);
    }

    @Override
    public synchronized long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        long[] hashes = Arrays.copyOf(writeSet, writeSet.length + tables.length);
        System.arraycopy(tables, 0, hashes, writeSet.length, tables.length);
        return core.commit(startTs, comparedUpTo, hashes, writeSet.length, tables.length);
    }

    @Override
    public synchronized long commitBlindly(long[] writeSet) {
        return core.commitBlindly(writeSet, writeSet.length);
    }

    @Override
    public synchronized long fence(long table) {
        return core.fence(table);
    }

    @Override
    public synchronized boolean renew(long startTs) {
        return core.renew(startTs, clock.nanos());
    }

    @Override
    public synchronized void end(long startTs) {
        core.end(startTs);
    }

    @Override
    public synchronized boolean isPending(long startTs) {
        return core.isPending(startTs);
    }

    @Override
    public synchronized long collectableBelow() {
        return core.collectableBelow(clock.nanos());
    }

    @Override
    public synchronized ManagerInfo info() {
        long next = core.nextTimestamp();
        return new ManagerInfo(identity, tenure, epoch, next, next + EPOCH_TIMESTAMPS * core.leap(),
                TimeUnit.NANOSECONDS.toMillis(core.lifetimeNanos()));
    }

    @Override
    public long lifetimeNanos() {
        return core.lifetimeNanos();
    }
}
