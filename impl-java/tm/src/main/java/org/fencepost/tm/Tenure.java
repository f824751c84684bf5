package org.fencepost.tm;

import org.fencepost.protocol.TransactionManagerCore;

/**
 * One time as primary, from taking over to halting: the core that began empty at the epoch's start, and how far it may
 * go. Confined to the serving thread, but for the volatile fields through which the lease's thread talks with it.
 */
final class Tenure {

    private final Lease lease;
    private final TransactionManagerCore core;
    private final long epoch;
    private final long epochLength;
    private final Runnable wakeExtender;

    /** No timestamp at or above it may be handed out. Written by the lease's thread once ZooKeeper holds it. */
    private volatile long durableLimit;
    private volatile boolean extensionDue;
    private volatile boolean halted;
    /** From this timestamp on it is time to think of the next extension: half an epoch ahead of need. */
    private long easeLimit;

    /** @param wakeExtender tells the lease's thread that {@link #extensionDue} has become true */
    Tenure(Lease lease, TransactionManagerCore core, long epoch, long epochLength, Runnable wakeExtender) {
        this.lease = lease;
        this.core = core;
        this.epoch = epoch;
        this.epochLength = epochLength;
        this.wakeExtender = wakeExtender;
        this.durableLimit = core.epochLimit();
        this.easeLimit = core.epochLimit() - epochLength / 2;
    }

    // ---- the serving thread

    boolean leaseHeld(long nowNanos) {
        return !halted && lease.held(nowNanos);
    }

    long begin(long nowNanos) {
        return hasTimestamp() ? core.begin(nowNanos) : Wire.NO_TIMESTAMPS;
    }

    /** See {@link TransactionManagerCore#commit(long, long[], int, int)}. */
    long commit(long startTs, long[] hashes, int keys, int tables) {
        return hasTimestamp() ? core.commit(startTs, hashes, keys, tables) : Wire.NO_TIMESTAMPS;
    }

    long fence(long table) {
        return hasTimestamp() ? core.fence(table) : Wire.NO_TIMESTAMPS;
    }

    void end(long startTs) {
        core.end(startTs);
    }

    long collectableBelow(long nowNanos) {
        return core.collectableBelow(nowNanos);
    }

    /** False for a number that is not, or not yet, the start of a transaction. */
    boolean begun(long startTs) {
        return startTs > 0 && startTs < core.nextTimestamp();
    }

    Condition condition(long nowNanos) {
        return new Condition(epoch, lease.remaining(nowNanos), core.nextTimestamp(), core.lowWatermark());
    }

    int conflictEntriesUsed() {
        return core.conflictEntriesUsed();
    }

    private boolean hasTimestamp() {
        return core.nextTimestamp() < easeLimit || extend();
    }

    private boolean extend() {
        if (!extensionDue && durableLimit > core.epochLimit()) {
            core.extendEpoch(durableLimit);
            easeLimit = durableLimit - epochLength / 2;
        } else if (!extensionDue) {
            extensionDue = true;
            wakeExtender.run();
        }
        return !core.exhausted();
    }

    // ---- any thread

    long epoch() {
        return epoch;
    }

    void halt() {
        halted = true;
    }

    boolean halted() {
        return halted;
    }

    // ---- the lease's thread

    boolean extensionDue() {
        return extensionDue;
    }

    long durableLimit() {
        return durableLimit;
    }

    void extended(long limit) {
        durableLimit = limit;
        extensionDue = false;
    }
}
