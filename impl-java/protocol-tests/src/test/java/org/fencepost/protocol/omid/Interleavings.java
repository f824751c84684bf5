package org.fencepost.protocol.omid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Runs a scenario under every schedule: each actor is a thread, exactly one of them moves at a time, and each call of
 * an interposed interface is a point where another may go on. Schedules are enumerated depth first, up to a number of
 * preemptions (switches away from an actor that could have gone on).
 */
final class Interleavings {

    /** One run: the actors, and what must hold when all are done. */
    interface Scenario {
        List<Runnable> actors();

        void judge();
    }

    /** What actors call before each step; returns when it is their turn. On other threads it returns at once. */
    interface Turns {
        void await();
    }

    private final int preemptions;
    /** The schedule: at each point, which of the actors that may go on; the one that moved last is number 0. */
    private final List<int[]> choices = new ArrayList<>(); // {taken, possible}
    private final List<Actor> actors = new ArrayList<>();
    private final Semaphore allDone = new Semaphore(0);
    private int step;
    private int left;

    private Interleavings(int preemptions) {
        this.preemptions = preemptions;
    }

    /** Returns the number of schedules. */
    static int explore(int preemptions, Function<Turns, Scenario> newScenario) {
        Interleavings search = new Interleavings(preemptions);
        int schedules = 0;
        do {
            search.run(newScenario);
            schedules++;
        } while (search.nextSchedule());
        return schedules;
    }

    private void run(Function<Turns, Scenario> newScenario) {
        actors.clear();
        step = 0;
        left = preemptions;
        Scenario scenario = newScenario.apply(() -> {
            if (Thread.currentThread() instanceof Actor actor) {
                actor.pause();
            }
        });
        scenario.actors().forEach(body -> actors.add(new Actor(body)));
        actors.forEach(Thread::start);
        next(actors.get(0)).turn.release();
        allDone.acquireUninterruptibly();
        try {
            for (Actor actor : actors) {
                if (actor.failure != null) {
                    throw new AssertionError("actor " + actors.indexOf(actor) + " failed", actor.failure);
                }
            }
            scenario.judge();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nschedule " + choices.stream().map(Arrays::toString).toList(), e);
        }
    }

    /** Who moves after this actor; itself perhaps. Null if all are done. Called by the one thread that moves. */
    private Actor next(Actor last) {
        List<Actor> able = new ArrayList<>(actors);
        able.remove(last);
        able.add(0, last);
        able.removeIf(actor -> actor.done);
        if (able.isEmpty()) {
            return null;
        }
        if (step == choices.size()) {
            choices.add(new int[] {0, last.done || left > 0 ? able.size() : 1});
        }
        Actor next = able.get(choices.get(step++)[0]);
        if (next != last && !last.done) {
            left--;
        }
        return next;
    }

    private boolean nextSchedule() {
        while (!choices.isEmpty()) {
            int[] last = choices.get(choices.size() - 1);
            if (++last[0] < last[1]) {
                return true;
            }
            choices.remove(choices.size() - 1);
        }
        return false;
    }

    private final class Actor extends Thread {
        private final Semaphore turn = new Semaphore(0);
        private final Runnable body;
        private boolean done;
        private Throwable failure;

        Actor(Runnable body) {
            this.body = body;
            setDaemon(true);
        }

        @Override
        public void run() {
            turn.acquireUninterruptibly();
            try {
                body.run();
            } catch (Throwable e) {
                failure = e;
            }
            done = true;
            Actor next = next(this);
            (next == null ? allDone : next.turn).release();
        }

        void pause() {
            Actor next = next(this);
            if (next != this) {
                next.turn.release();
                turn.acquireUninterruptibly();
            }
        }
    }
}
