package org.fencepost.simulation;

import java.util.SplittableRandom;

import org.fencepost.protocol.TransactionManagerCore;
import org.fencepost.protocol.TransactionManagerException;

/**
 * The transaction manager: the protocol's core, in an epoch whose end is durable. When it crashes, it is away for a
 * while; then another one takes over that knows the end of the epoch and nothing else.
 */
final class ManagerServer {

    private static final long EPOCH = 40;

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final SplittableRandom random;
    private final DriftingClock clock;
    private TransactionManagerCore core;
    /** Survives crashes. */
    private long durableLimit;
    private boolean up;

    ManagerServer(Plan plan, Scheduler scheduler, EventLog log) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.random = plan.random("manager");
        this.clock = new DriftingClock(scheduler, plan, random);
        takeOver();
    }

    private void takeOver() {
        long epoch = durableLimit;
        durableLimit += EPOCH * plan.leap();
        core = new TransactionManagerCore(new TransactionManagerCore.Settings(plan.leap(), plan.conflictEntries(),
                plan.managerLifetimeNanos(), plan.activeWindow()), epoch, durableLimit, 0, clock.nanos(), log);
        up = true;
    }

    /** Requests fail until another has taken over. */
    void crash() {
        up = false;
        log.change("TM", "manager", "state", "serves", "crashed");
        scheduler.after(random.nextLong(plan.managerLifetimeNanos()), () -> {
            takeOver();
            log.change("TM", "manager", "state", "crashed", "a new one serves from " + core.nextTimestamp());
        });
    }

    private TransactionManagerCore core() {
        if (!up) {
            throw new TransactionManagerException("The transaction manager is down.");
        }
        if (core.exhausted()) {
            durableLimit += EPOCH * plan.leap();
            core.extendEpoch(durableLimit);
        }
        return core;
    }

    long begin() {
        return core().begin(clock.nanos());
    }

    long commit(long startTs, long[] writeSet) {
        long before = core().lowWatermark();
        long answer = core.commit(startTs, writeSet, writeSet.length);
        if (core.lowWatermark() != before) {
            log.change("TM", "manager", "low watermark", before, core.lowWatermark());
        }
        return answer;
    }

    void end(long startTs) {
        core().end(startTs);
    }

    long collectableBelow() {
        return core().collectableBelow(clock.nanos());
    }

    /** Other clients' transactions on other keys, as many as fill the conflict table. */
    void commitElsewhere() {
        for (int i = 0; up && i < plan.conflictEntries() / 4; i++) {
            commit(begin(), random.longs(8).toArray());
        }
    }
}
