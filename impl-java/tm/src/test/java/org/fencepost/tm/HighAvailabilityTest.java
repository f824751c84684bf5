package org.fencepost.tm;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The lease and the epochs under every interleaving that a seed brings about. */
class HighAvailabilityTest {

    /** Two clocks that run apart by less than the drift within a lease and its drift. */
    private static final double WITHIN = 0.45 * Simulation.DRIFT_MILLIS / (Simulation.LEASE_MILLIS + Simulation.DRIFT_MILLIS);

    @Property(tries = 500)
    void timestampsOnlyGrow(@ForAll long seed) {
        new Simulation(seed, 3, WITHIN).run(30);
    }

    /** The property above would be worth nothing if nobody ever took over. */
    @Test
    void simulationsReachFailoversAndExtensions() {
        int takeOvers = 0;
        int timestamps = 0;
        for (int seed = 0; seed < 50; seed++) {
            Simulation simulation = new Simulation(seed, 3, WITHIN);
            simulation.run(30);
            takeOvers += simulation.takeOvers;
            timestamps += simulation.timestamps;
        }
        assertTrue(takeOvers > 200 && timestamps > 20_000, takeOvers + " take-overs, " + timestamps + " timestamps");
    }

    /** The drift is a promise about clocks. Broken, two managers serve at once. */
    @Test
    void clocksBeyondTheDriftAreNotTolerated() {
        assertThrows(AssertionError.class, () -> {
            for (int seed = 0; seed < 500; seed++) {
                new Simulation(seed, 3, 10 * WITHIN).run(30);
            }
        });
    }
}
