package org.fencepost.simulation.world;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.store.StoreException;

/**
 * One actor's way to the servers. A call takes time, during which others go on; then it takes effect and is answered in
 * one step, so that the log shows effects in their order. Faults happen here.
 */
public final class Network {

    /** What a call may suffer follows from whom it is for and what it does. */
    public enum Target {
        /** Changes nothing, so that repeating it is nothing new. */
        STORE_READ(null, null),
        /** As above. */
        TABLE_READ(null, null),
        /** Repeated by the store's client without telling. */
        STORE(Fault.LATE_WRITE, Fault.DOUBLED_WRITE),
        /** A put that its client never repeats. */
        ONCE(Fault.LATE_WRITE, null),
        /** Never repeated without telling: see CommitTable. */
        TABLE(Fault.LATE_ENTRY, null),
        /** Never repeated. */
        MANAGER(Fault.LATE_REQUEST, null),
        /** A fast-path write. Never repeated. */
        FAST(Fault.LATE_FAST_WRITE, null),
        /** A commit in one phase. Never repeated by the client, and by the network as a late one. */
        BATCH(Fault.LATE_BATCH, null),
        /** A native put, or a put transaction's. Never repeated. */
        NATIVE(Fault.LATE_PUT, null),
        /** A record for Mediator's log. */
        LOG(Fault.LATE_RECORD, null);

        private final Fault late;
        private final Fault doubled;

        Target(Fault late, Fault doubled) {
            this.late = late;
            this.doubled = doubled;
        }
    }

    private static final int MAX_CHANGES = 3;
    private static final int MAX_CHANGES_WHILE_LATE = 12;
    private static final int MAX_RATE = Luck.MILLION / 2;
    /** An actor that is slower than others by this much sees the middle of what they do. */
    private static final int SLOW_ACTOR = 8;
    /** Faults meet some actors more often than others: a stalled reader beside a collector that works is rare otherwise. */
    private static final int[] BAD_LUCK = {0, 1, 1, 4};

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final SplittableRandom random;
    private final long slowness;
    private final int badLuck;
    private final Luck luck;
    /** What is carried out now, nobody is answered. */
    private boolean unheard;

    /** @param collector whether the actor is one: see {@link Plan#sparesCollectors} */
    public Network(Plan plan, Scheduler scheduler, EventLog log, SplittableRandom random, boolean collector) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.random = random;
        this.luck = new Luck(plan, random);
        this.slowness = random.nextInt(3) == 0 ? SLOW_ACTOR : 1;
        int luck = BAD_LUCK[random.nextInt(BAD_LUCK.length)];
        this.badLuck = plan.hasBadLuck() ? luck : collector && plan.sparesCollectors() ? 0 : 1;
    }

    /** The end of all faults for this actor, slowness included. */
    public void heal() {
        luck.heal();
    }

    /** A fault of what is no call. */
    public boolean suffers(Fault fault) {
        boolean hit = strikes(fault, null);
        if (hit) {
            log.fault(fault);
        }
        return hit;
    }

    private boolean strikes(Fault fault, Target target) {
        return luck.strikes(fault, Math.min(MAX_RATE, badLuck * plan.rate(fault, target)));
    }

    /** So much time passes. */
    public void await(long nanos) {
        scheduler.pause(nanos);
    }

    /** Time passes; a stall is a lot of it. */
    public void delay() {
        delay(null);
    }

    /** The actor is held back at the worst moment: when it is about to touch what others are about to change. */
    private void holdBack(Target target, String object) {
        if (strikes(Fault.HELD_BACK, target)) {
            int changes = 1 + random.nextInt(MAX_CHANGES);
            log.fault(Fault.HELD_BACK, "object", object, "changes", changes);
            scheduler.pauseUntilChanged(object, changes, plan.stall(random));
        }
    }

    private void delay(Target target) {
        long latency = slowness * plan.latency(random);
        if (strikes(Fault.STALL, target)) {
            latency += plan.stall(random);
            log.fault(Fault.STALL, "nanos", latency);
        }
        scheduler.pause(luck.isFaulty() ? latency : 1);
    }

    public void act(Target target, String object, String what, Runnable effect) {
        call(target, object, what, () -> {
            effect.run();
            return null;
        });
    }

    public long ask(Target target, String object, String what, LongSupplier effect) {
        return call(target, object, what, effect::getAsLong);
    }

    /**
     * @param object what the call is about: a key, a transaction, or something that nobody waits for
     * @param what   the call, in a word, for the log
     */
    public <T> T call(Target target, String object, String what, Supplier<T> effect) {
        return call(target, object, what, () -> {}, effect);
    }

    /** @param departs called right before the request departs; from then on no message is under way for longer than messages live */
    public <T> T call(Target target, String object, String what, Runnable departs, Supplier<T> effect) {
        delay(target);
        holdBack(target, object);
        departs.run();
        boolean manager = target == Target.MANAGER;
        Function<String, TransactionException> failure = manager ? TransactionManagerException::new : StoreException::new;
        if (strikes(Fault.DEATH, target)) {
            die(object, what, effect);
        }
        if (strikes(Fault.LOST_REQUEST, target)) {
            log.fault(Fault.LOST_REQUEST, "call", what);
            throw failure.apply("lost: " + what);
        }
        if (strikes(Fault.LOST_ANSWER, target)) {
            log.fault(Fault.LOST_ANSWER, "call", what);
            unheard(effect);
            throw failure.apply("no answer: " + what);
        }
        if (target.late != null && strikes(target.late, target)) {
            log.fault(target.late, "call", what);
            later(target.late, object, what, effect);
            throw failure.apply("late: " + what);
        }
        if (target.doubled != null && strikes(target.doubled, target)) {
            log.fault(target.doubled, "call", what);
            later(target.doubled, object, what, effect);
        }
        return effect.get();
    }

    /** A message that nobody waits for: it is under way while the actor goes on, late perhaps, or lost. */
    public void send(Target target, String object, String what, Supplier<?> effect) {
        if (strikes(Fault.DEATH, target)) {
            die(object, what, effect);
        }
        if (strikes(Fault.LOST_REQUEST, target)) {
            log.fault(Fault.LOST_REQUEST, "call", what);
        } else if (target.late != null && strikes(target.late, target)) {
            log.fault(target.late, "call", what);
            later(target.late, object, what, effect);
        } else {
            scheduler.after(luck.isFaulty() ? slowness * plan.latency(random) : 1, () -> carryOut(effect));
        }
    }

    /** For the trace: see {@link EventLog.Kind#served}. */
    public void served(String action, Object... arguments) {
        log.served(action, arguments);
    }

    /** The caller was told why its fast-path write is not stored. */
    public void refused(FastAbortCause cause, Object... arguments) {
        log.refusal(cause, arguments);
    }

    /** Whether somebody is answered what is carried out now. */
    public boolean isHeard() {
        return !unheard && !scheduler.inEvent();
    }

    /** A choice that is the caller's and no fault. */
    public SplittableRandom random() {
        return random;
    }

    private void die(String object, String what, Supplier<?> effect) {
        int fate = random.nextInt(3);
        log.fault(Fault.DEATH, "call", what, "carriedOut", fate == 0 ? "no" : fate == 1 ? "yes" : "later");
        if (fate == 1) {
            carryOut(effect);
        } else if (fate == 2) {
            later(Fault.DEATH, object, what, effect);
        }
        throw new Death();
    }

    private void carryOut(Supplier<?> effect) {
        try {
            unheard(effect);
        } catch (TransactionException e) {
            // nobody waits for the answer
        }
    }

    private void unheard(Supplier<?> effect) {
        boolean before = unheard;
        unheard = true;
        try {
            effect.get();
        } finally {
            unheard = before;
        }
    }

    /** Arrives at any time while messages live, or when others have changed what it is about, or at the last moment. */
    private void later(Fault why, String object, String what, Supplier<?> effect) {
        Runnable arrival = () -> {
            log.fault(why, "arrives", what);
            carryOut(effect);
        };
        long any = random.nextLong(plan.messageLifeNanos());
        int changes = 1 + random.nextInt(random.nextBoolean() ? MAX_CHANGES : MAX_CHANGES_WHILE_LATE);
        switch (random.nextInt(3)) {
            case 0 -> scheduler.after(any, arrival);
            case 1 -> scheduler.after(plan.messageLifeNanos() - 1 - any / 8, arrival);
            default -> scheduler.afterChanges(object, changes, plan.messageLifeNanos() - 1, arrival);
        }
    }
}
