package org.fencepost.simulation.torture;

import java.util.List;
import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Run;

/**
 * Makes a failing plan smaller while it still fails of the same property: fewer faults, fewer clients, fewer operations.
 * Each reduction is another run, and may bring about another schedule; what counts is that it fails.
 */
public final class Minimizer {

    private final Carriers carriers;
    private final String property;
    private Run smallest;

    private Minimizer(Run failed, Carriers carriers) {
        this.smallest = failed;
        this.property = failed.failure().property();
        this.carriers = carriers;
    }

    /** The smallest run found; the given one if none is smaller. */
    public static Run minimize(Run failed, Carriers carriers) {
        Minimizer minimizer = new Minimizer(failed, carriers);
        int before;
        do {
            before = minimizer.size();
            minimizer.round();
        } while (minimizer.size() < before);
        return minimizer.smallest;
    }

    /** What a round must reduce, or it was the last one. */
    private int size() {
        Plan plan = smallest.plan();
        return plan.operations() + plan.clients() + plan.faults().size();
    }

    private void round() {
        for (Fault fault : smallest.plan().faults()) {
            attempt(smallest.plan().without(List.of(fault)));
        }
        for (int clients = 1; clients < smallest.plan().clients(); clients++) {
            attempt(smallest.plan().withClients(clients));
        }
        for (int step = smallest.plan().operations() / 2; step > 0; step /= 2) {
            while (smallest.plan().operations() > step && attempt(smallest.plan().withOperations(smallest.plan().operations() - step))) {
                // and once more
            }
        }
    }

    private boolean attempt(Plan plan) {
        Run run = Simulation.run(plan, carriers);
        boolean same = run.failed() && run.failure().property().equals(property);
        if (same) {
            smallest = run;
        }
        return same;
    }
}
