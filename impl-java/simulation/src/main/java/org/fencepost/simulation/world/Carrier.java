package org.fencepost.simulation.world;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that carries an actor. Threads are kept from run to run, since starting one costs more than a run's step.
 * Exactly one carrier of a scheduler moves at a time; it passes the turn on by hand.
 */
final class Carrier extends Thread {

    /** What to do with the next turn. Written by whoever holds the turn, while this carrier waits. */
    Runnable job;
    private volatile boolean turn;

    Carrier(String name) {
        super(name);
        setDaemon(true);
    }

    @Override
    public void run() {
        while (true) {
            awaitTurn();
            job.run();
        }
    }

    void giveTurn() {
        turn = true;
        LockSupport.unpark(this);
    }

    void awaitTurn() {
        while (!turn) {
            LockSupport.park(this);
        }
        turn = false;
    }
}
