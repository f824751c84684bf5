package org.fencepost.tm.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;
import org.junit.jupiter.api.Test;

/** What random pauses hardly ever hit; all else about leases and epochs is found out by the simulator, in impl-java/simulation. */
class HighAvailabilityTest {

    private static final long LEASE_MILLIS = 1_000;
    private static final long DRIFT_MILLIS = 100;
    /** Two clocks that run apart by less than the drift within a lease and its drift. */
    private static final double WITHIN = 0.45 * DRIFT_MILLIS / (LEASE_MILLIS + DRIFT_MILLIS);

    /** The holder is cut off at once, and its clock is as slow as the other's is fast. */
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
            assertTrue(trueNanos[0] < 3 * LEASE_MILLIS * 1_000_000, "nobody takes over");
        }
        assertFalse(holder.tenure.leaseHeld(holder.nanos()), "two serve after " + trueNanos[0] / 1_000_000 + " ms");
    }

    /** Also when the clock goes back, and in the next manager, whose clock is behind. */
    @Test
    void timestampsFollowTimeAndNeverGoBack() throws Exception {
        Map<String, Versioned> objects = new HashMap<>();
        long[] trueNanos = {0};
        long[] time = {5_000};
        Alone first = new Alone("first", objects, trueNanos, 1, () -> time[0]);
        while (first.tenure == null) {
            first.availability.step();
        }
        long last = begin(first);
        assertEquals(5_000, last);
        time[0] = 9_000;
        trueNanos[0] += 1_000_000;
        first.availability.step(); // nobody asks, and time comes near the limit
        assertTrue(first.tenure.durableLimit() > 9_000);
        last = begin(first);
        assertEquals(9_000, last);
        time[0] = 100;
        for (int i = 0; i < 100; i++) {
            long next = begin(first);
            assertTrue(next > last, next + " after " + last);
            last = next;
        }
        Alone second = new Alone("second", objects, trueNanos, 1, () -> 50);
        while (second.tenure == null) {
            second.availability.step();
            trueNanos[0] += 1_000_000;
        }
        assertTrue(begin(second) > last);
    }

    private static long begin(Alone manager) throws Exception {
        long startTs = manager.tenure.begin(manager.nanos());
        while (startTs < 0) {
            manager.availability.step();
            startTs = manager.tenure.begin(manager.nanos());
        }
        return startTs;
    }

    /** A manager whose calls take no time. */
    private static final class Alone implements Clock, SharedObjects, HighAvailability.Host {

        private final Map<String, Versioned> objects;
        private final long[] trueNanos;
        private final double rate;
        private final HighAvailability availability;
        private Tenure tenure;

        Alone(String name, Map<String, Versioned> objects, long[] trueNanos, double rate) {
            this(name, objects, trueNanos, rate, () -> 0);
        }

        Alone(String name, Map<String, Versioned> objects, long[] trueNanos, double rate, LongSupplier time) {
            this.objects = objects;
            this.trueNanos = trueNanos;
            this.rate = rate;
            this.availability = new HighAvailability(new HighAvailability.Settings(name, name + ":1", LEASE_MILLIS,
                    DRIFT_MILLIS, 20, new TransactionManagerCore.Settings(1, 16, 1_000_000_000L, 64)), Origin.NONE, this, this, this,
                    () -> {}, Tracer.OFF, time);
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
}
