package org.fencepost.simulation;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.fencepost.protocol.StoreException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionManagerException;

/**
 * One actor's way to the servers. A call takes time, during which others go on; then it takes effect and is answered in
 * one step, so that the log shows effects in their order. Faults happen here.
 */
final class Network {

    /** What a call may suffer follows from whom it is for and what it does. */
    enum Target {
        /** Changes nothing, so that repeating it is nothing new. */
        STORE_READ(null, null),
        /** As above. */
        TABLE_READ(null, null),
        /** Repeated by the store's client without telling. */
        STORE(Fault.LATE_WRITE, Fault.DOUBLED_WRITE),
        /** Never repeated without telling: see CommitTable. */
        TABLE(Fault.LATE_ENTRY, null),
        /** Never repeated. */
        MANAGER(Fault.LATE_REQUEST, null);

        private final Fault late;
        private final Fault doubled;

        Target(Fault late, Fault doubled) {
            this.late = late;
            this.doubled = doubled;
        }
    }

    private static final int MILLION = 1_000_000;
    /** An actor that is slower than others by this much sees the middle of what they do. */
    private static final int SLOW_ACTOR = 8;

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final SplittableRandom random;
    private final long slowness;
    private boolean faulty = true;

    Network(Plan plan, Scheduler scheduler, EventLog log, SplittableRandom random) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.log = log;
        this.random = random;
        this.slowness = random.nextInt(3) == 0 ? SLOW_ACTOR : 1;
    }

    /** The end of all faults for this actor, slowness included. */
    void heal() {
        faulty = false;
    }

    /** A fault of what is no call. */
    boolean suffers(Fault fault) {
        boolean hit = strikes(fault, null);
        if (hit) {
            log.fault(fault);
        }
        return hit;
    }

    /** True as often as the plan wants the fault. Draws in any case, so that what comes next does not depend on it. */
    private boolean strikes(Fault fault, Target target) {
        boolean hit = random.nextInt(MILLION) < plan.rate(fault, target);
        return hit && faulty && plan.has(fault);
    }

    /** Time passes; a stall is a lot of it. */
    void delay() {
        delay(null);
    }

    private void delay(Target target) {
        long latency = slowness * plan.latency(random);
        if (strikes(Fault.STALL, target)) {
            latency += plan.stall(random);
            log.fault(Fault.STALL, "nanos", latency);
        }
        scheduler.pause(faulty ? latency : 1);
    }

    void act(Target target, String what, Runnable effect) {
        call(target, what, () -> {
            effect.run();
            return null;
        });
    }

    long ask(Target target, String what, LongSupplier effect) {
        return call(target, what, effect::getAsLong);
    }

    /** @param what the call, in a word; with its target it stands in the log */
    <T> T call(Target target, String what, Supplier<T> effect) {
        delay(target);
        boolean manager = target == Target.MANAGER;
        Function<String, TransactionException> failure = manager ? TransactionManagerException::new : StoreException::new;
        if (strikes(Fault.DEATH, target)) {
            die(what, effect);
        }
        if (strikes(Fault.LOST_REQUEST, target)) {
            log.fault(Fault.LOST_REQUEST, "call", what);
            throw failure.apply("lost: " + what);
        }
        if (strikes(Fault.LOST_ANSWER, target)) {
            log.fault(Fault.LOST_ANSWER, "call", what);
            effect.get();
            throw failure.apply("no answer: " + what);
        }
        if (target.late != null && strikes(target.late, target)) {
            log.fault(target.late, "call", what);
            later(target.late, what, effect);
            throw failure.apply("late: " + what);
        }
        if (target.doubled != null && strikes(target.doubled, target)) {
            log.fault(target.doubled, "call", what);
            later(target.doubled, what, effect);
        }
        return effect.get();
    }

    /** What the manager itself suffers while it serves a request. */
    long serve(ManagerServer manager, LongSupplier request) {
        if (suffers(Fault.EVICTION)) {
            manager.commitElsewhere();
        }
        long answer = request.getAsLong();
        if (suffers(Fault.MANAGER_CRASH)) {
            manager.crash();
            throw new TransactionManagerException("crashed before it answered");
        }
        return answer;
    }

    private void die(String what, Supplier<?> effect) {
        int fate = random.nextInt(3);
        log.fault(Fault.DEATH, "call", what, "carriedOut", fate == 0 ? "no" : fate == 1 ? "yes" : "later");
        if (fate == 1) {
            try {
                effect.get();
            } catch (TransactionException e) {
                // the server refuses; nobody is left to hear it
            }
        } else if (fate == 2) {
            later(Fault.DEATH, what, effect);
        }
        throw new Death();
    }

    private void later(Fault why, String what, Supplier<?> effect) {
        scheduler.after(plan.lateness(random), () -> {
            log.fault(why, "arrives", what);
            try {
                effect.get();
            } catch (TransactionException e) {
                // nobody waits for the answer
            }
        });
    }
}
