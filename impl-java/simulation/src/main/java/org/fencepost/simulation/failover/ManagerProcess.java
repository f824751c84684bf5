package org.fencepost.simulation.failover;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.DriftingClock;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Luck;
import org.fencepost.simulation.world.NotServedException;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.failover.Origin;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.zookeeper.SharedObjects;

/**
 * A transaction manager's process on a machine with a clock of its own. Two threads, as in the real one: an actor keeps the
 * lease, by the real {@link HighAvailability}; requests are served one at a time, while the client who asks waits. When
 * the process pauses, both stand still, wherever they are, or the serving one alone; when it dies, another one is started
 * in its place, which knows nothing.
 */
public final class ManagerProcess implements Runnable, SharedObjects, HighAvailability.Host {

    /** What a client asks of the primary, at the time when the request was received. */
    public interface Request {

        /** A timestamp, an answer that is none, or {@link Tenure#NO_TIMESTAMPS}. */
        long carryOut(ManagerProcess asked, Tenure tenure, long receivedNanos);
    }

    private static final int MAX_CHANGES = 6;
    private static final int SOON = 4;
    /** Rare calls suffer more often: maxTS, and the lease of a primary that does not know the outcome of its last write. */
    private static final int SELDOM_CALLED_FACTOR = 4;

    private final String name;
    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final ZooKeeperServer zooKeeper;
    private final Judge judge;
    private final SplittableRandom random;
    private final DriftingClock clock;
    private final BooleanSupplier needed;
    private final Luck luck;

    /** How often it was started. Differs from {@link #running} from a death until the next start. */
    private int started;
    private int running;
    private HighAvailability availability;
    /** Null unless it is primary. */
    private Tenure tenure;
    /** The last time as primary, over or not; null before there was one. */
    private Tenure last;
    private boolean paused;
    /** The thread that serves is held up in the middle of a request. */
    private boolean stuck;
    /** Until then no call gets through to ZooKeeper. */
    private long awayUntil;

    public ManagerProcess(String name, Plan plan, Scheduler scheduler, EventLog log, ZooKeeperServer zooKeeper, Judge judge,
            BooleanSupplier needed) {
        this.name = name;
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.zooKeeper = zooKeeper;
        this.judge = judge;
        this.random = plan.random(name);
        this.luck = new Luck(plan, random);
        this.clock = new DriftingClock(scheduler, plan.managerDrift(), random, name, log);
        this.needed = needed;
    }

    public String name() {
        return name;
    }

    /** Under which clients find it. */
    String address() {
        return name.replace(' ', '-');
    }

    private String owner() {
        return address() + "." + started;
    }

    /** Whether it believes so. */
    boolean leads() {
        return tenure != null && tenure.leaseHeld(clock.nanos());
    }

    /** The end of all faults. */
    void heal() {
        luck.heal();
        awayUntil = 0;
    }

    /** @param times how often it happens where the plan wants it once */
    private boolean strikes(Fault fault, int times) {
        return luck.strikes(fault, times * plan.rate(fault, null));
    }

    // ---- the thread that keeps the lease

    /** Returns when nobody needs it for now; goes on when called again. */
    @Override
    public void run() {
        while (needed.getAsBoolean()) {
            try {
                if (availability == null) {
                    start();
                }
                keepLease();
            } catch (Death e) {
                stop();
                scheduler.pause(luck.isFaulty() ? random.nextLong(2 * plan.leaseNanos()) : 1);
            }
        }
    }

    private void start() {
        running = ++started;
        last = null;
        TransactionManagerCore.Settings core = new TransactionManagerCore.Settings(plan.leap(), plan.conflictEntries(),
                plan.managerLifetimeNanos(), plan.activeWindow());
        HighAvailability.Settings settings = new HighAvailability.Settings(owner(), address(),
                TimeUnit.NANOSECONDS.toMillis(plan.leaseNanos()), plan.driftMillis(), plan.epochLength(), core);
        availability = new HighAvailability(settings, Origin.NONE, this, clock, this, () -> scheduler.changed(wake()), log);
    }

    private void stop() {
        if (running == 0) {
            return;
        }
        log.change(name, "manager", "state", tenure == null ? "stands by" : "serves", "dead");
        running = 0;
        tenure = null;
        availability = null;
    }

    private void keepLease() {
        while (needed.getAsBoolean()) {
            long nanos;
            try {
                nanos = availability.step();
                judge.holds(owner(), last);
                judge.leads(this);
            } catch (UnreachableException e) {
                nanos = availability.retryNanos();
            }
            sleep(nanos);
        }
    }

    /** Late by what a busy machine takes, which for a backup that polls may be a good deal. */
    private void sleep(long nanos) {
        long late = luck.isFaulty() && random.nextBoolean() ? random.nextLong(plan.leaseNanos() / 4) : latency();
        int life = running;
        scheduler.pauseUntilChanged(wake(), 1, clock.duration(nanos) + (tenure == null ? late : 1));
        goOn(life, 1);
    }

    private String wake() {
        return name + " wakes";
    }

    /** A process may stop anywhere. */
    private void goOn(int life, int times) {
        awaitResume();
        if (running == life && luck.strikes(Fault.MANAGER_RESTART)) {
            log.fault(Fault.MANAGER_RESTART, "tm", name);
            throw new Death();
        }
        if (running == life && strikes(Fault.MANAGER_PAUSE, times)) {
            pauseProcess();
        }
        if (running != life) {
            throw new Death();
        }
    }

    private void pauseProcess() {
        log.fault(Fault.MANAGER_PAUSE, "tm", name);
        paused = true;
        passTime();
        paused = false;
        log.change(name, resume(), "state", "paused", "goes on");
    }

    /** In the middle of a request: the process as a whole, or only the thread that serves. */
    private void pauseServing(int life) {
        stuck = true;
        if (random.nextBoolean()) {
            pauseProcess();
        } else {
            log.fault(Fault.MANAGER_PAUSE, "tm", name, "thread", "serving");
            passTime();
        }
        stuck = false;
        scheduler.changed(resume());
        if (running != life) {
            throw new TransactionManagerException(name + " has died.");
        }
    }

    private void passTime() {
        switch (random.nextInt(4)) {
            case 0 -> scheduler.pause(random.nextLong(2 * plan.leaseNanos()));
            case 1 -> scheduler.pauseUntilChanged(isRead(MAX_TS), 1, 3 * plan.leaseNanos());
            default -> scheduler.pauseUntilChanged("timestamps", 1 + random.nextInt(MAX_CHANGES), 3 * plan.leaseNanos());
        }
    }

    private void awaitResume() {
        while (paused) {
            scheduler.pauseUntilChanged(resume(), 1, plan.leaseNanos());
        }
    }

    private String resume() {
        return name + " resumes";
    }

    private long latency() {
        long latency = plan.latency(random);
        return luck.isFaulty() ? latency : 1;
    }

    // ---- ZooKeeper, as it reaches it

    @Override
    public Versioned read(String object) throws UnreachableException {
        return call(object, "read " + object, false, () -> {
            scheduler.changed(isRead(object));
            return zooKeeper.read(object);
        });
    }

    @Override
    public int compareAndSet(String object, String text, int version) throws UnreachableException {
        return call(object, "write " + object, true, () -> zooKeeper.compareAndSet(object, text, version));
    }

    private <T> T call(String object, String what, boolean write, Supplier<T> effect) throws UnreachableException {
        int life = running;
        int times = object.equals(MAX_TS) || tenure != null && !write ? SELDOM_CALLED_FACTOR : 1;
        scheduler.pause(latency());
        goOn(life, times);
        if (luck.strikes(Fault.SESSION_LOSS)) {
            long nanos = 1 + random.nextLong(3 * plan.leaseNanos());
            log.fault(Fault.SESSION_LOSS, "tm", name, "nanos", nanos);
            awayUntil = scheduler.nanos() + nanos;
        }
        if (scheduler.nanos() < awayUntil) {
            throw new UnreachableException("no session", null);
        }
        if (write && strikes(Fault.ZOOKEEPER_LATE, times)) {
            log.fault(Fault.ZOOKEEPER_LATE, "tm", name, "call", what);
            later(object, what, effect);
            throw new UnreachableException("late", null);
        }
        if (strikes(Fault.ZOOKEEPER_LOST, times)) {
            boolean carriedOut = write && random.nextBoolean();
            log.fault(Fault.ZOOKEEPER_LOST, "tm", name, "call", what, "carriedOut", carriedOut);
            if (carriedOut) {
                effect.get();
            }
            throw new UnreachableException("lost", null);
        }
        T answer = effect.get();
        if (random.nextInt(4) == 0) {
            scheduler.pause(latency());
            goOn(life, 1);
        }
        return answer;
    }

    /** What others may wait for in order to come between a read and the write that follows. */
    private static String isRead(String object) {
        return object + " is read";
    }

    /** Right after somebody has read the object, or written it, or at any time while messages live. */
    private void later(String object, String what, Supplier<?> effect) {
        Runnable arrival = () -> {
            log.fault(Fault.ZOOKEEPER_LATE, "tm", name, "arrives", what);
            effect.get();
        };
        long nanos = 1 + random.nextLong(plan.managerMessageLifeNanos());
        int reads = 1 + random.nextInt(random.nextBoolean() ? 1 : 4 * MAX_CHANGES);
        switch (random.nextInt(4)) {
            case 0 -> scheduler.after(nanos, arrival);
            case 1 -> scheduler.afterChanges(object, 1, nanos, arrival);
            default -> scheduler.afterChanges(isRead(object), reads, plan.managerMessageLifeNanos(), arrival);
        }
    }

    // ---- what the thread that keeps the lease tells the one that serves

    @Override
    public void serve(Tenure next) {
        tenure = next;
        last = next;
        log.change(name, "manager", "state", "stands by", "serves from " + next.epoch());
        judge.begins(next);
        judge.leads(this);
    }

    @Override
    public void halt(Tenure over, String why) {
        if (tenure == over) {
            tenure = null;
            log.change(name, "manager", "state", "serves", "halted: " + why);
        }
    }

    // ---- the thread that serves

    /**
     * The request has arrived. If the lease lasts now, it is taken up; then the process may pause, or die before it answers;
     * the answer leaves only if the lease lasts still. Late requests, for whose answers nobody waits, come in events.
     *
     * @throws NotServedException if the request was not taken up
     */
    public long serve(Request request) {
        boolean waits = !scheduler.inEvent();
        if (paused || stuck) {
            queue(request, waits);
        }
        if (running == 0 || !mayServe()) {
            throw new NotServedException(name + " does not serve.");
        }
        int life = running;
        Tenure mine = tenure;
        long received = clock.nanos();
        if (waits && luck.strikes(Fault.MANAGER_PAUSE)) {
            pauseServing(life);
        }
        if (luck.strikes(Fault.EVICTION)) {
            log.fault(Fault.EVICTION, "tm", name);
            commitElsewhere(mine, received);
        }
        long answer = carryOut(request, mine, received);
        if (answer == Tenure.NO_TIMESTAMPS) {
            throw new NotServedException(name + " has no timestamps.");
        }
        if (luck.strikes(Fault.MANAGER_CRASH)) {
            log.fault(Fault.MANAGER_CRASH, "tm", name);
            stop();
            scheduler.changed(wake());
            throw new TransactionManagerException("crashed before it answered");
        }
        if (waits && luck.strikes(Fault.MANAGER_PAUSE)) {
            pauseServing(life);
        }
        if (!mayServe() || tenure != mine) {
            throw new TransactionManagerException(name + " does not answer: its lease ran out.");
        }
        return answer;
    }

    /** A request that reaches a paused process waits there, and its client not for ever. */
    private void queue(Request request, boolean waits) {
        long late = SOON * plan.latency(random); // which of the threads goes on first when the process does
        if (waits) {
            scheduler.pauseUntilChanged(resume(), 1, plan.leaseNanos());
            scheduler.pause(late);
        }
        if (paused || stuck) {
            scheduler.afterChanges(resume(), 1, 3 * plan.leaseNanos(), () -> scheduler.after(late, () -> serveUnheard(request)));
            throw new TransactionManagerException(name + " does not answer in time.");
        }
    }

    private void serveUnheard(Request request) {
        try {
            serve(request);
        } catch (TransactionManagerException e) {
            // nobody hears it
        }
    }

    /** As the real server does: halts when it finds that its lease ran out. */
    private boolean mayServe() {
        if (tenure != null && !leads()) {
            tenure.halt();
            halt(tenure, "its lease ran out");
        }
        return tenure != null;
    }

    private long carryOut(Request request, Tenure mine, long received) {
        long lowWatermark = mine.condition(received).lowWatermark();
        long answer = request.carryOut(this, mine, received);
        long raised = mine.condition(received).lowWatermark();
        if (raised != lowWatermark) {
            log.change(name, "manager", "low watermark", lowWatermark, raised);
        }
        return answer;
    }

    /** A timestamp leaves the tenure. */
    private long given(Tenure mine, long answer) {
        if (answer > 0) {
            judge.given(mine, answer);
            judge.leads(this);
            scheduler.changed("timestamps");
        }
        return answer;
    }

    public long begin(Tenure mine, long received) {
        return given(mine, mine.begin(received));
    }

    /** @param tables ids of what fences are put on */
    public long commit(Tenure mine, long received, long startTs, long comparedUpTo, long[] writeSet, long... tables) {
        if (!mine.begun(startTs) || !mine.begun(comparedUpTo)) {
            throw new TransactionManagerException(name + " refuses a commit of what never began.");
        }
        long[] hashes = LongStream.concat(Arrays.stream(writeSet), Arrays.stream(tables)).toArray();
        return given(mine, mine.requestCommit(startTs, comparedUpTo, hashes, writeSet.length, tables.length, received));
    }

    public long commitBlindly(Tenure mine, long received, long[] writeSet) {
        return given(mine, mine.commitBlindly(writeSet, writeSet.length, received));
    }

    public long fence(Tenure mine, long table) {
        return given(mine, mine.fence(table));
    }

    /** Other clients' transactions on other keys, as many as fill the conflict table. */
    private void commitElsewhere(Tenure mine, long received) {
        for (int i = 0; i < plan.conflictEntries() / 4; i++) {
            long startTs = begin(mine, received);
            if (startTs == Tenure.NO_TIMESTAMPS
                    || commit(mine, received, startTs, startTs, random.longs(8).toArray()) == Tenure.NO_TIMESTAMPS) {
                return;
            }
        }
    }
}
