package org.fencepost.simulation.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Decides who moves, in virtual time. Protocol code is plain blocking Java, so each actor is a thread, but exactly one of
 * them moves at a time: until it calls {@link #pause}, which every call of a simulated server does before it takes
 * effect. Then the actor that is to wake first goes on. What is to happen without an actor, such as the arrival of a
 * late message, is an event; whoever is about to pass the turn on carries it out.
 *
 * <p>Nothing here depends on the machine: the same pauses give the same run. No two steps happen at the same time, so
 * "before" is well defined for all that clients observe.
 */
public final class Scheduler {

    /** Unwinds an actor whose run is over. Nothing but the scheduler catches it. */
    private static final class Cancelled extends Error {
        private static final long serialVersionUID = 1;

        Cancelled() {
            super(null, null, false, false);
        }
    }

    private final class Actor {
        private final String name;
        private final Carrier carrier;
        private long wakeNanos;
        private boolean done;

        Actor(String name, Carrier carrier, Runnable body) {
            this.name = name;
            this.carrier = carrier;
            this.wakeNanos = nanos;
            carrier.job = () -> live(this, body);
        }
    }

    private static final class Event {
        private final long number;
        private final Runnable effect;
        private long atNanos;

        Event(long atNanos, long number, Runnable effect) {
            this.atNanos = atNanos;
            this.number = number;
            this.effect = effect;
        }
    }

    /** Waits for changes of something, then calls whoever waits. */
    private static final class Watch {
        private final String object;
        private final Runnable wake;
        private int left;

        Watch(String object, int changes, Runnable wake) {
            this.object = object;
            this.left = changes;
            this.wake = wake;
        }
    }

    /** A name and what is done under it. */
    public record Part(String name, Runnable body) {
    }

    private static final String NOBODY = "network";

    private final Carriers carriers;
    private final long maxSteps;
    private final List<Actor> actors = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.<Event>comparingLong(e -> e.atNanos).thenComparingLong(e -> e.number));
    private final List<Watch> watches = new ArrayList<>();
    private long nanos;
    private long steps;
    private long eventNumber;
    private Actor current;
    private boolean eventRuns;
    private CountDownLatch allDone;
    private Throwable failure;

    /** @param maxSteps a run that takes more is taken for one that never ends */
    public Scheduler(Carriers carriers, long maxSteps) {
        this.carriers = carriers;
        this.maxSteps = maxSteps;
    }

    /** True time; every clock of the run is derived from it. */
    public long nanos() {
        return nanos;
    }

    public long steps() {
        return steps;
    }

    /** Who moves. */
    String mover() {
        return eventRuns || current == null ? NOBODY : current.name;
    }

    /** Whether what happens now happens without an actor, and must not pause. */
    public boolean inEvent() {
        return eventRuns;
    }

    /** Carries out an effect later, which must not pause. */
    public void after(long delayNanos, Runnable effect) {
        events.add(new Event(nanos + delayNanos, eventNumber++, effect));
    }

    /** The same, but right after so many changes of an object if these come first. */
    public void afterChanges(String object, int changes, long atMostNanos, Runnable effect) {
        Event event = new Event(nanos + atMostNanos, eventNumber++, effect);
        events.add(event);
        watches.add(new Watch(object, changes, () -> {
            if (events.remove(event)) {
                event.atNanos = nanos;
                events.add(event);
            }
        }));
    }

    /** As {@link #pause}, but only until an object has changed so many times if that comes first. */
    public void pauseUntilChanged(String object, int changes, long atMostNanos) {
        Actor me = current;
        Watch watch = new Watch(object, changes, () -> me.wakeNanos = nanos);
        watches.add(watch);
        pause(atMostNanos);
        watches.remove(watch);
    }

    /** Something in a server has changed. */
    public void changed(String object) {
        for (int i = 0; i < watches.size(); i++) {
            Watch watch = watches.get(i);
            if (watch.object.equals(object) && --watch.left == 0) {
                watches.remove(i--);
                watch.wake.run();
            }
        }
    }

    /**
     * Runs until all have returned; events that are due later stay for the next call. Throws what the first to fail has
     * thrown, or {@link DeadEndException} after too many steps.
     */
    public void run(List<Part> parts) throws Throwable {
        actors.clear();
        for (Part part : parts) {
            actors.add(new Actor(part.name(), carriers.carrier(actors.size()), part.body()));
        }
        allDone = new CountDownLatch(1);
        current = next();
        current.carrier.giveTurn();
        allDone.await();
        current = null;
        if (failure != null) {
            throw failure;
        }
    }

    /** Lets the others go first, for at least so long. */
    public void pause(long delayNanos) {
        Actor me = current;
        me.wakeNanos = nanos + delayNanos;
        if (++steps > maxSteps) {
            fail(new DeadEndException(me.name + " still moves after " + maxSteps + " steps"));
        }
        Actor next = next();
        if (next != me) {
            current = next;
            next.carrier.giveTurn();
            me.carrier.awaitTurn();
        }
        if (failure != null) {
            throw new Cancelled();
        }
    }

    private void live(Actor me, Runnable body) {
        try {
            if (failure == null) {
                body.run();
            }
        } catch (Cancelled e) {
            // the run is over
        } catch (Throwable e) {
            fail(e);
        }
        me.done = true;
        Actor next = next();
        if (next == null) {
            allDone.countDown();
        } else {
            current = next;
            next.carrier.giveTurn();
        }
    }

    private void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        }
    }

    /** Who wakes first, after all events that are due before that; null if all are done. */
    private Actor next() {
        while (true) {
            Actor first = null;
            for (Actor actor : actors) {
                if (!actor.done && (first == null || actor.wakeNanos < first.wakeNanos)) {
                    first = actor;
                }
            }
            if (first == null || failure != null) {
                return first;
            }
            Event event = events.peek();
            if (event == null || event.atNanos > first.wakeNanos) {
                nanos = Math.max(nanos + 1, first.wakeNanos);
                return first;
            }
            events.poll();
            nanos = Math.max(nanos + 1, event.atNanos);
            carryOut(event);
        }
    }

    private void carryOut(Event event) {
        eventRuns = true;
        try {
            event.effect.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
        eventRuns = false;
    }
}
