package org.fencepost.tm;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionManagerCore;
import org.fencepost.tm.SharedObjects.Versioned;
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

    /** What random pauses hardly ever hit: the holder is cut off at once, and its clock is as slow as the other's is fast. */
    @Test
    void challengerWaitsForTheSlowestClock() throws Exception {
        Map<String, Versioned> objects = new HashMap<>();
        long[] trueNanos = {0};
        Alone holder = new Alone("slow", objects, trueNanos, 1 - WITHIN);
        Alone challenger = new Alone("fast", objects, trueNanos, 1 + WITHIN);
        while (holder.tenure == null) {
            holder.availability.step();
        }
        while (challenger.tenure == null) {
            challenger.availability.step();
            trueNanos[0] += 1_000_000;
            assertTrue(trueNanos[0] < 3 * Simulation.LEASE_MILLIS * 1_000_000, "nobody takes over");
        }
        assertFalse(holder.tenure.leaseHeld(holder.nanos()), "two serve after " + trueNanos[0] / 1_000_000 + " ms");
    }

    /** A manager whose calls take no time. */
    private static final class Alone implements Clock, SharedObjects, HighAvailability.Host {

        private final Map<String, Versioned> objects;
        private final long[] trueNanos;
        private final double rate;
        private final HighAvailability availability;
        private Tenure tenure;

        Alone(String name, Map<String, Versioned> objects, long[] trueNanos, double rate) {
            this.objects = objects;
            this.trueNanos = trueNanos;
            this.rate = rate;
            this.availability = new HighAvailability(new HighAvailability.Settings(name, name + ":1", Simulation.LEASE_MILLIS,
                    Simulation.DRIFT_MILLIS, 20, new TransactionManagerCore.Settings(1, 16, 1_000_000_000L, 64)), this, this, this,
                    () -> { });
        }

        @Override
        public long nanos() {
            return (long) (trueNanos[0] * rate);
        }

        @Override
        public void sleep(long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void serve(Tenure next) {
            tenure = next;
        }

        @Override
        public void halt(Tenure over, String why) {
            tenure = null;
        }

        @Override
        public Versioned read(String name) {
            return objects.getOrDefault(name, new Versioned("", 0));
        }

        @Override
        public int compareAndSet(String name, String text, int version) {
            if (read(name).version() != version) {
                return -1;
            }
            objects.put(name, new Versioned(text, version + 1));
            return version + 1;
        }
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
