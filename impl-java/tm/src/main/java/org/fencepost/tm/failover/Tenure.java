package org.fencepost.tm.failover;

import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Action;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.Wire;

/**
 * One time as primary, from taking over to halting: the core that began empty at the epoch's start, and how far it may
 * go. Confined to the serving thread, but for the volatile fields through which the lease's thread talks with it. Public for the simulator.
 */
public final class Tenure {

    /** Answer: the epoch is used up, and ZooKeeper has not granted more timestamps yet. Nothing was done; try again. */
    public static final long NO_TIMESTAMPS = Wire.NO_TIMESTAMPS;

    private final String identity;
    private final Lease lease;
    /** Null when it is over. */
    private TransactionManagerCore core;
    private final long epoch;
    private final long epochLength;
    private final Runnable wakeExtender;
    private final TmTrace trace;
    private final LongSupplier time;

    /** No timestamp at or above it may be handed out. Written by the lease's thread once ZooKeeper holds it. */
    private volatile long durableLimit;
    private volatile boolean extensionDue;
    private volatile boolean halted;
    /** From this timestamp on it is time to think of the next extension: half an epoch ahead of need. */
    private long easeLimit;

    /**
     * @param identity     of the system of primary and backups
     * @param wakeExtender tells the lease's thread that {@link #extensionDue} has become true
     */
    public Tenure(String identity, Lease lease, TransactionManagerCore core, long epoch, long epochLength, Runnable wakeExtender, TmTrace trace) {
        this(identity, lease, core, epoch, epochLength, wakeExtender, trace, () -> 0);
    }

    /**
     * The same with timestamps that follow a clock.
     *
     * @param time the next timestamp is no lower, unless the limit is
     */
    Tenure(String identity, Lease lease, TransactionManagerCore core, long epoch, long epochLength, Runnable wakeExtender, TmTrace trace,
            LongSupplier time) {
        this.time = time;
        this.identity = identity;
        this.lease = lease;
        this.core = core;
        this.epoch = epoch;
        this.epochLength = epochLength;
        this.wakeExtender = wakeExtender;
        this.trace = trace;
        this.durableLimit = core.epochLimit();
        this.easeLimit = core.epochLimit() - epochLength / 2;
    }

    // ---- the serving thread

    /** Whether a request that has been received by then may be taken up. */
    public boolean leaseHeld(long nowNanos) {
        return !halted && lease.held(nowNanos);
    }

    /**
     * See {@link TransactionManagerCore#begin}; or {@link #NO_TIMESTAMPS}.
     *
     * @param receivedNanos when the request had been received
     */
    public long begin(long receivedNanos) {
        if (!hasTimestamp()) {
            return NO_TIMESTAMPS;
        }
        long startTs = core.begin(receivedNanos);
        trace.event(Action.Begin, receivedNanos, "txn", startTs);
        return startTs;
    }

    /** See {@link TransactionManagerCore#commit(long, long[], int, int)}; or {@link #NO_TIMESTAMPS}. */
    public long requestCommit(long startTs, long[] hashes, int keys, int tables, long receivedNanos) {
        return requestCommit(startTs, startTs, hashes, keys, tables, receivedNanos);
    }

    /** The same of a transaction that was certified before: see {@link TransactionManagerCore#commit(long, long, long[], int, int)}. */
    public long requestCommit(long startTs, long comparedUpTo, long[] hashes, int keys, int tables, long receivedNanos) {
        if (!hasTimestamp()) {
            return NO_TIMESTAMPS;
        }
        return traced(core.commit(startTs, comparedUpTo, hashes, keys, tables), startTs, comparedUpTo, hashes, keys, receivedNanos);
    }

    /** See {@link TransactionManagerCore#certify}; or {@link #NO_TIMESTAMPS}. */
    public long certify(long startTs, long comparedUpTo, long[] hashes, int keys, int tables, long receivedNanos) {
        if (!hasTimestamp()) {
            return NO_TIMESTAMPS;
        }
        return traced(core.certify(comparedUpTo, hashes, keys, tables), startTs, comparedUpTo, hashes, keys, receivedNanos);
    }

    /** See {@link TransactionManagerCore#commitBlindly}; or {@link #NO_TIMESTAMPS}. specs/TMFailover.tla has no such transactions: to it, one begins. */
    public long commitBlindly(long[] hashes, int keys, long receivedNanos) {
        if (!hasTimestamp()) {
            return NO_TIMESTAMPS;
        }
        long ts = core.commitBlindly(hashes, keys);
        trace.event(Action.Begin, receivedNanos, "txn", ts);
        return ts;
    }

    /** Nor are there second certifications, which are compared from another time on: a blind one's is its begin. */
    private long traced(long answer, long startTs, long comparedUpTo, long[] hashes, int keys, long receivedNanos) {
        if (comparedUpTo != startTs) {
            if (answer > 0) {
                trace.event(Action.Begin, receivedNanos, "txn", answer);
            }
        } else if (trace.on()) {
            trace.event(Action.RequestCommit, receivedNanos, startTs, answer,
                    Arrays.stream(hashes, 0, keys).distinct().mapToObj(Long::toString).collect(Collectors.joining(" ")));
        }
        return answer;
    }

    /** For Mediator's oracle, which counts with the same clock. Only if {@link #hasTimestamp}. */
    public long timestamp() {
        return core.timestamp();
    }

    public long fence(long table) {
        return hasTimestamp() ? core.fence(table) : Wire.NO_TIMESTAMPS;
    }

    /** See {@link TransactionManagerCore#renew}. */
    public boolean renew(long startTs, long nowNanos) {
        return core.renew(startTs, nowNanos);
    }

    /** See {@link TransactionManagerCore#isPending}. */
    public boolean isPending(long startTs) {
        return core.isPending(startTs);
    }

    /** See {@link TransactionManagerCore#end}. */
    public void end(long startTs) {
        core.end(startTs);
    }

    /** See {@link TransactionManagerCore#collectableBelow}. */
    public long collectableBelow(long nowNanos) {
        return core.collectableBelow(nowNanos);
    }

    /** False for a number that is not, or not yet, the start of a transaction. */
    public boolean begun(long startTs) {
        return startTs > 0 && startTs < core.nextTimestamp();
    }

    /** How it is at this moment. */
    public Condition condition(long nowNanos) {
        return new Condition(epoch, lease.remaining(nowNanos), core.nextTimestamp(), core.lowWatermark(), durableLimit);
    }

    /** See {@link TransactionManagerCore#lastCommit}. */
    public long lastCommit(long hash) {
        return core.lastCommit(hash);
    }

    public long leap() {
        return core.leap();
    }

    public int conflictEntriesUsed() {
        return core.conflictEntriesUsed();
    }

    /**
     * It is over, and nothing is asked of it any more. Drops the conflict table: the next tenure makes its own, and whoever is
     * still busy on behalf of this one, as Mediator's thread is that waits for the database, must not keep memory for two.
     */
    public void forget() {
        core = null;
    }

    public boolean hasTimestamp() {
        core.skipTo(time.getAsLong());
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

    public String identity() {
        return identity;
    }

    /** Where its timestamps start. */
    public long epoch() {
        return epoch;
    }

    /** No request is taken up any more. Whoever finds that the lease ran out says so; the lease's thread sees it. */
    public void halt() {
        halted = true;
    }

    boolean halted() {
        return halted;
    }

    // ---- the lease's thread

    boolean extensionDue() {
        return extensionDue;
    }

    /** As far as it knows, ZooKeeper allows it timestamps below this. */
    public long durableLimit() {
        return durableLimit;
    }

    void extended(long limit) {
        durableLimit = limit;
        extensionDue = false;
    }
}
