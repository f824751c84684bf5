package org.fencepost.tm.failover;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.LeaseRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;

/**
 * Decides whether this process is the primary (VLDB'18 section 3.2.1, Alg. 2 checkRenew). Methods have the names of the
 * actions of specs/TMFailover.tla that they perform.
 *
 * <p>The lease is a text in ZooKeeper that its holder keeps rewriting. The holder serves for the lease's length from
 * <em>before</em> it sent its last successful write. A challenger watches the text's version, and when it has not
 * changed for the lease's length plus the drift between clocks, from <em>after</em> it first saw it, writes its own:
 * the holder has stopped by then. Only differences of monotonic clocks count. Every write names the version that it
 * replaces, so of two challengers one wins, and a late renewal fails.
 *
 * <p>The new primary then raises maxTS by an epoch and begins where it stood: above all that was ever handed out. It
 * knows no earlier commits, so transactions from before its epoch abort.
 *
 * <p>Before it takes the lease, a challenger asks whether there is a system that may go on: {@link Origin}.
 *
 * <p>A write whose answer is lost is looked up: texts carry their writer's name. Until that is cleared up the lease runs
 * down. Runs in one thread, which calls {@link #step} over and over. Public for the simulator.
 */
public final class HighAvailability {

    /**
     * @param owner       unique to this process
     * @param address     where clients connect
     * @param leaseMillis how long it serves without a renewal
     * @param driftMillis how far two monotonic clocks may diverge within a lease
     * @param epochLength timestamps granted by one extension, in units of the clock
     */
    public record Settings(String owner, String address, long leaseMillis, long driftMillis, long epochLength,
            TransactionManagerCore.Settings core) {

        /** Throws IllegalArgumentException, with a sentence, for values that make no sense. */
        public Settings {
            if (leaseMillis < 10 || driftMillis < 0) {
                throw new IllegalArgumentException("The lease must be at least 10 ms and the drift at least 0, not "
                        + leaseMillis + " and " + driftMillis + ".");
            }
            if (epochLength < 2 * core.leap()) {
                throw new IllegalArgumentException("An epoch must hold at least 2 timestamps.");
            }
        }
    }

    /** Who serves while the lease lasts. Called from the thread that steps. */
    public interface Host {

        /** Requests may be taken up from now on. */
        void serve(Tenure tenure);

        /** The tenure, halted already, is over: no request may be answered any more. */
        void halt(Tenure tenure, String why);
    }

    private static final int UNCERTAIN = -1;
    private static final LongSupplier NO_TIME = () -> 0;
    /** Older versions did not write down their transactions' lifetime; this was what they started with. */
    private static final long LIFETIME_OF_OLD = TimeUnit.MINUTES.toMillis(5);

    private final Settings settings;
    private final Origin origin;
    private final SharedObjects shared;
    private final Clock clock;
    private final Host host;
    private final Runnable wake;
    private final TmTrace trace;
    private final LongSupplier time;
    private final long leaseNanos;
    private final long lifetimeMillis;
    private final Lease lease = new Lease();

    /** The lease as a challenger saw it last, and when it saw this version for the first time. */
    private Versioned observed;
    private LeaseRecord holder;
    private long observedNanos;
    /** What it stands on as a primary, or will. */
    private Origin.Ground ground;

    /** Null while another is the primary. */
    private Tenure tenure;
    private int leaseVersion = UNCERTAIN;
    private int maxTsVersion = UNCERTAIN;
    private long renewals;
    private long renewedNanos;
    /** The longest lifetime of transactions from before the tenure, and when that began. */
    private long earlierMillis;
    private long servedNanos;

    /** @param wake makes the stepping thread step again at once; callable from any thread */
    public HighAvailability(Settings settings, Origin origin, SharedObjects shared, Clock clock, Host host, Runnable wake, Tracer tracer) {
        this(settings, origin, shared, clock, host, wake, tracer, NO_TIME);
    }

    /**
     * The same with timestamps that follow a clock. They never go back with it: it tells only how far they skip at least. The durable limit
     * is kept above it by itself, so that the first request after a pause finds timestamps.
     *
     * @param time as a timestamp; callable from any thread
     */
    public HighAvailability(Settings settings, Origin origin, SharedObjects shared, Clock clock, Host host, Runnable wake, Tracer tracer,
            LongSupplier time) {
        this.settings = settings;
        this.origin = origin;
        this.shared = shared;
        this.clock = clock;
        this.host = host;
        this.wake = wake;
        this.time = time;
        this.trace = new TmTrace(tracer, settings.owner(), clock.nanos());
        this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(settings.leaseMillis());
        this.lifetimeMillis = TimeUnit.NANOSECONDS.toMillis(settings.core().lifetimeNanos() + 999_999);
    }

    /**
     * Does what is due. Returns after how many nanoseconds to step again.
     *
     * @throws UnreachableException     if ZooKeeper did not answer: step again after {@link #retryNanos}
     * @throws IllegalArgumentException with a sentence, if it must not serve: see {@link Origin}, and objects in ZooKeeper that no
     *                                  transaction manager wrote. Step again after {@link #refusedNanos}, in case somebody puts it right
     */
    public long step() throws UnreachableException {
        if (tenure != null && !tenure.leaseHeld(clock.nanos())) {
            halt("its lease ran out");
        }
        return tenure == null ? challenge() : keep();
    }

    /** The address of another manager that held the lease when ZooKeeper was last asked; null if there was none, or this one serves. */
    public String otherHolder() {
        return tenure != null || holder == null || holder.owner().equals(settings.owner()) ? null : holder.address();
    }

    /** A pause before trying again what ZooKeeper did not answer. */
    public long retryNanos() {
        return leaseNanos / 50;
    }

    /** A pause before trying again what was wrong. */
    public long refusedNanos() {
        return leaseNanos / 2;
    }

    // ---- challenger

    private long challenge() throws UnreachableException {
        observeLease();
        long wait = waitNanos() - (clock.nanos() - observedNanos);
        if (wait > 0) {
            return Math.min(wait, leaseNanos / 20);
        }
        ground = origin.ground();
        if (acquireLease()) {
            takeOver();
        } else {
            observed = null;
        }
        return 0;
    }

    private void observeLease() throws UnreachableException {
        Versioned read = shared.read(SharedObjects.LEASE);
        long now = clock.nanos();
        if (observed == null || read.version() != observed.version()) {
            observed = read;
            holder = LeaseRecord.parse(read.text());
            observedNanos = now;
            trace.event(Action.ObserveLease, now, "version", read.version()); // another look at it changes nothing
        }
    }

    /** How long an unchanged lease keeps challengers off. Ours does not: we have halted. */
    private long waitNanos() {
        return holder == null || holder.owner().equals(settings.owner()) ? 0
                : TimeUnit.MILLISECONDS.toNanos(holder.leaseMillis() + Math.max(holder.driftMillis(), settings.driftMillis()));
    }

    private void takeOver() throws UnreachableException {
        if (!beginAfresh(Action.TakeOver)) {
            takeOverAgain();
        }
    }

    /** The last primary's extension came in between. It halts without ours. */
    private void takeOverAgain() throws UnreachableException {
        boolean begun = false;
        while (!begun && lease.held(clock.nanos())) {
            begun = beginAfresh(Action.TakeOverAgain);
        }
    }

    /** Serves from maxTS on, if nobody raises it meanwhile. No request is received before that. */
    private boolean beginAfresh(Action action) throws UnreachableException {
        Versioned read = shared.read(SharedObjects.MAX_TS);
        EpochRecord last = EpochRecord.parse(read.text());
        trace.event(action, clock.nanos(), "epoch", last.limit());
        long known = Math.max(ground.maxTs(), holder == null ? 0 : holder.epoch());
        if (last.limit() < known) {
            throw new IllegalArgumentException("maxTS in ZooKeeper is " + last.limit() + " although it was " + known
                    + " already: restore it, or start once with --recover-from " + known + ", or timestamps would be given twice.");
        }
        long limit = Math.addExact(Math.max(last.limit(), time.getAsLong()), settings.epochLength());
        trace.event(Action.ExtendEpoch, clock.nanos(), "limit", limit);
        earlierMillis = earlierMillis(last);
        EpochRecord next = new EpochRecord(limit, settings.owner(), Math.max(earlierMillis, lifetimeMillis));
        maxTsVersion = shared.compareAndSet(SharedObjects.MAX_TS, next.text(), read.version());
        if (maxTsVersion == UNCERTAIN) {
            return false;
        }
        trace.event(Action.HoldEpoch, clock.nanos(), "limit", limit);
        serve(last.limit(), limit);
        return true;
    }

    /** How long transactions from below the limit may live, by the clock of whoever let them begin; 0: there are none. */
    private long earlierMillis(EpochRecord last) {
        boolean none = last.limit() == 0 || last.lifetimeMillis() == 0;
        return none ? 0 : Math.max(lifetimeMillis, last.lifetimeMillis() == EpochRecord.UNKNOWN ? LIFETIME_OF_OLD : last.lifetimeMillis());
    }

    private boolean acquireLease() throws UnreachableException {
        renewals = holder == null ? 1 : holder.renewals() + 1;
        long sent = clock.nanos();
        trace.event(Action.AcquireLease, sent, "version", observed.version());
        leaseVersion = shared.compareAndSet(SharedObjects.LEASE, leaseText(holder == null ? 0 : holder.epoch()),
                observed.version());
        if (leaseVersion == UNCERTAIN) {
            return false;
        }
        holdLease(sent);
        return true;
    }

    /** @param sent before the write that succeeded: a challenger cannot have seen it earlier */
    private void holdLease(long sent) {
        lease.grant(sent, leaseNanos);
        renewedNanos = sent;
    }

    private void serve(long epoch, long limit) {
        servedNanos = clock.nanos();
        TransactionManagerCore core = new TransactionManagerCore(settings.core(), epoch, limit, 0, TimeUnit.MILLISECONDS.toNanos(earlierMillis),
                servedNanos, trace.tracer());
        tenure = new Tenure(ground.identity(), lease, core, epoch, settings.epochLength(), wake, trace, time);
        host.serve(tenure);
    }

    // ---- primary

    private long keep() throws UnreachableException {
        if (renewalDue() <= 0) {
            renewLease();
        }
        if (tenure != null && (tenure.extensionDue() || isOvertaken())) {
            extendEpoch();
        }
        boolean again = leaseVersion == UNCERTAIN || tenure != null && tenure.extensionDue();
        return again ? retryNanos() : Math.max(0, renewalDue());
    }

    /** Whether time comes near the limit although nobody has asked for timestamps. */
    private boolean isOvertaken() {
        return time.getAsLong() >= tenure.durableLimit() - settings.epochLength() / 2;
    }

    /** Nanoseconds until 80% of the lease have elapsed. */
    private long renewalDue() {
        return renewedNanos + leaseNanos * 4 / 5 - clock.nanos();
    }

    private void renewLease() throws UnreachableException {
        if (leaseVersion == UNCERTAIN) {
            Versioned read = shared.read(SharedObjects.LEASE);
            LeaseRecord present = LeaseRecord.parse(read.text());
            if (present == null || !present.owner().equals(settings.owner())) {
                halt("another took the lease");
                return;
            }
            leaseVersion = read.version();
            trace.event(Action.ObserveLease, clock.nanos(), "version", leaseVersion);
        }
        int version = leaseVersion;
        leaseVersion = UNCERTAIN;
        renewals++;
        long sent = clock.nanos();
        trace.event(Action.RenewLease, sent, "version", version);
        leaseVersion = shared.compareAndSet(SharedObjects.LEASE, leaseText(tenure.epoch()), version);
        if (leaseVersion != UNCERTAIN) {
            trace.event(Action.HoldLease, clock.nanos(), "version", leaseVersion);
            holdLease(sent);
        }
    }

    private void extendEpoch() throws UnreachableException {
        EpochRecord next = new EpochRecord(Math.addExact(Math.max(tenure.durableLimit(), time.getAsLong()), settings.epochLength()), settings.owner(), longestMillis());
        if (maxTsVersion == UNCERTAIN && findEpoch(next)) {
            return;
        }
        int version = maxTsVersion;
        maxTsVersion = UNCERTAIN;
        trace.event(Action.ExtendEpoch, clock.nanos(), "limit", next.limit());
        maxTsVersion = shared.compareAndSet(SharedObjects.MAX_TS, next.text(), version);
        if (maxTsVersion != UNCERTAIN) {
            holdEpoch(next);
        }
    }

    /** The longest lifetime of the transactions that may be alive. */
    private long longestMillis() {
        boolean earlierLive = clock.nanos() - servedNanos < TimeUnit.MILLISECONDS.toNanos(earlierMillis);
        return earlierLive ? Math.max(earlierMillis, lifetimeMillis) : lifetimeMillis;
    }

    /** What became of the last try, whose answer was lost or which was refused. Returns false if it is to be repeated. */
    private boolean findEpoch(EpochRecord next) throws UnreachableException {
        Versioned read = shared.read(SharedObjects.MAX_TS);
        EpochRecord present = EpochRecord.parse(read.text());
        if (!present.owner().equals(settings.owner())) {
            halt("another raised maxTS");
            return true;
        }
        maxTsVersion = read.version();
        if (present.equals(next)) {
            trace.event(Action.FindEpoch, clock.nanos(), "limit", next.limit());
            tenure.extended(next.limit());
            return true;
        }
        return false;
    }

    private void holdEpoch(EpochRecord held) {
        trace.event(Action.HoldEpoch, clock.nanos(), "limit", held.limit());
        tenure.extended(held.limit());
    }

    private void halt(String why) {
        lease.revoke();
        tenure.halt();
        trace.event(Action.Halt, clock.nanos(), "epoch", tenure.epoch());
        host.halt(tenure, why);
        tenure = null;
        observed = null;
    }

    private String leaseText(long epoch) {
        return new LeaseRecord(settings.owner(), settings.address(), settings.leaseMillis(), settings.driftMillis(), renewals,
                epoch).text();
    }
}
