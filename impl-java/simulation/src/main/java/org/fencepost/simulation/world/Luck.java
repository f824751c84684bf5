package org.fencepost.simulation.world;

import java.util.SplittableRandom;

/** Whether faults strike one actor, until it heals. */
public final class Luck {

    static final int MILLION = 1_000_000;

    private final Plan plan;
    private final SplittableRandom random;
    private boolean faulty = true;

    public Luck(Plan plan, SplittableRandom random) {
        this.plan = plan;
        this.random = random;
    }

    /** The end of all faults. */
    public void heal() {
        faulty = false;
    }

    public boolean isFaulty() {
        return faulty;
    }

    /** As often as the plan wants the fault. */
    public boolean strikes(Fault fault) {
        return strikes(fault, plan.rate(fault, null));
    }

    /**
     * Draws in any case, so that what comes next does not depend on the answer.
     *
     * @param rate of a million times, if the plan wants the fault at all
     */
    public boolean strikes(Fault fault, int rate) {
        boolean hit = random.nextInt(MILLION) < rate;
        return hit && faulty && plan.has(fault);
    }
}
