package org.fencepost.conformance.failover;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.failover.Origin;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.zookeeper.SharedObjects;

/**
 * The process of one transaction manager: the real {@link HighAvailability}, held before each call to ZooKeeper and again
 * before it hears the answer. Its clock advances by steps.
 */
public final class ManagerPuppet extends Puppet implements SharedObjects, HighAvailability.Host, Clock {

    /** Not heard by {@link HighAvailability} as what it is: the call becomes unreachable. */
    private static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1;

        Lost() {
            super(null, null, false, false);
        }
    }

    /** A request that was taken up. */
    record Desk(String kind, String txn, long receivedNanos, Tenure tenure) {
    }

    private static final long LEASE_MILLIS = 100;
    private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS);
    /** A lease has two: after one it is to be renewed, after two it is over. */
    public static final int LEASE_TICKS = 2;
    private static final long TICK_NANOS = LEASE_NANOS * 9 / 10;

    private static final int CONFLICT_ENTRIES = 64;

    private final ZooKeeper zooKeeper;
    private final int epochLength;
    private int life;
    private HighAvailability availability;
    /** Null unless it serves. */
    private Tenure tenure;
    private long ticks;

    /** ZooKeeper's answer to the call that it waits for. */
    Versioned read;
    int written;
    private int expected;
    /** The lease as it knows it; null if it does not. */
    Versioned known;
    /** What a read of the lease shall find; null: what is there. */
    Versioned stale;
    /** Since when it has waited for the present holder, or counts its own lease. */
    long agedTicks;
    /** Its call was sent. Otherwise it is about to be. */
    boolean sent;
    /** When it was about to send its last lease write. */
    long leaseSentTicks;
    /** It holds the lease, has read this maxTS, and does not serve yet; negative: it is not so. */
    long takesOverFrom = -1;
    boolean halted;
    /** Null: nothing. */
    Desk desk;

    ManagerPuppet(String name, Scheduler scheduler, ZooKeeper zooKeeper, int epochLength) {
        super(name, scheduler);
        this.zooKeeper = zooKeeper;
        this.epochLength = epochLength;
        start();
    }

    /** A new process, with another name before ZooKeeper. */
    void start() {
        life++;
        HighAvailability.Settings settings = new HighAvailability.Settings(owner(), name(), LEASE_MILLIS, 0, epochLength,
                new TransactionManagerCore.Settings(1, CONFLICT_ENTRIES, TimeUnit.HOURS.toNanos(1), CONFLICT_ENTRIES));
        availability = new HighAvailability(settings, Origin.NONE, this, this, this, () -> {}, Tracer.OFF);
        revive();
    }

    String owner() {
        return name() + "." + life;
    }

    // ---- its own part

    /** What is due, up to its next call. */
    void step() {
        order(() -> {
            try {
                availability.step();
            } catch (UnreachableException e) {
                // the next step tries again
            }
        });
    }

    @Override
    public long nanos() {
        return ticks * TICK_NANOS;
    }

    @Override
    public void sleep(long nanos) {
        throw new UnsupportedOperationException("Steps return instead of sleeping.");
    }

    @Override
    public Versioned read(String object) throws UnreachableException {
        read = call(Kind.ZK_READ, object, () -> stale != null ? stale : zooKeeper.read(object));
        call(Kind.ZK_READ_ANSWER, object, () -> null);
        return read;
    }

    @Override
    public int compareAndSet(String object, String text, int version) throws UnreachableException {
        if (object.equals(LEASE)) {
            leaseSentTicks = ticks;
        }
        expected = version;
        written = call(Kind.ZK_WRITE, object, () -> zooKeeper.compareAndSet(object, text, version));
        call(Kind.ZK_WRITE_ANSWER, object, () -> null);
        return written;
    }

    private <T> T call(Kind kind, String object, Supplier<T> effect) throws UnreachableException {
        try {
            return ask(kind, object, 0, effect);
        } catch (Lost e) {
            throw new UnreachableException("lost", null);
        }
    }

    @Override
    public RuntimeException lost(Call request) {
        return new Lost();
    }

    @Override
    public void serve(Tenure next) {
        tenure = next;
        takesOverFrom = -1;
    }

    @Override
    public void halt(Tenure over, String why) {
        tenure = null;
        halted = true;
    }

    // ---- the director's part

    Tenure tenure() {
        return tenure;
    }

    /** The version that its last write names. */
    int expected() {
        return expected;
    }

    void tick(long units) {
        ticks += units;
    }

    long ticks() {
        return ticks;
    }

    boolean isAt(Kind kind, String object) {
        return isAt(kind) && call().keys().contains(object);
    }

    /** The call reaches ZooKeeper, or its answer the process. */
    void goOn() {
        carryOut(call().key());
    }

    /** What it is about to do is not done: it begins anew. */
    void drop() {
        while (call() != null) {
            lose();
        }
        sent = false;
    }

    /** Its process is gone. */
    void end() {
        die();
        tenure = null;
    }

    // ---- how it is, in the specification's words

    String role() {
        return isDead() ? "dead" : halted ? "halted" : tenure != null || takesOverFrom >= 0 ? "primary" : "backup";
    }

    /** A lease that lasts knows its end. */
    long age() {
        if (tenure != null) {
            long left = tenure.condition(nanos()).leaseNanos();
            return left == 0 ? LEASE_TICKS : (LEASE_NANOS - left) / TICK_NANOS;
        }
        return isDead() || halted ? 0 : Math.min(ticks - agedTicks, LEASE_TICKS);
    }

    String specCall() {
        boolean ofLease = call() != null && call().keys().contains(LEASE);
        if (isAt(Kind.ZK_WRITE_ANSWER)) {
            return (ofLease ? "lease" : "swap") + (written < 0 ? "Refused" : ofLease ? "Written" : "ped");
        }
        if (isAt(Kind.ZK_READ_ANSWER, MAX_TS)) {
            return sent ? "swap" : "swapRefused";
        }
        return !sent ? "none" : ofLease ? "lease" : "swap";
    }

    long sentAge() {
        return Set.of("lease", "leaseWritten").contains(specCall()) ? Math.min(ticks - leaseSentTicks, LEASE_TICKS) : 0;
    }
}
