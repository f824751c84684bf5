package org.fencepost.tm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.fencepost.protocol.Clock;
import org.fencepost.protocol.TransactionManagerCore;
import org.fencepost.tm.SharedObjects.UnreachableException;
import org.fencepost.tm.SharedObjects.Versioned;

/**
 * Managers that compete in virtual time, in one thread, from a seed. Anything may happen within a call to the shared
 * objects: time passes before and after it takes effect, the others take steps, its answer is lost, or it takes effect much later.
 * Each manager's clock has an offset and a rate of its own.
 *
 * <p>Whenever time passes, all that may serve are asked for a timestamp. It must exceed every earlier one, whoever gave
 * it, and be below the durable limit.
 */
final class Simulation {

    static final long LEASE_MILLIS = 1_000;
    static final long DRIFT_MILLIS = 100;
    private static final long EPOCH_LENGTH = 20;

    private final Random random;
    private final Map<String, Versioned> objects = new HashMap<>();
    private final List<Runnable> late = new ArrayList<>();
    private final List<Manager> managers = new ArrayList<>();
    private long trueNanos;
    private long highest;
    private int depth;
    int takeOvers;
    int timestamps;

    /** @param rateBound how much faster or slower than true time a clock may run, as a fraction */
    Simulation(long seed, int count, double rateBound) {
        this.random = new Random(seed);
        for (int i = 0; i < count; i++) {
            managers.add(new Manager("m" + i, random.nextLong() >> 2, 1 + (random.nextInt(3) - 1) * rateBound));
        }
    }

    private final class Manager implements Clock, HighAvailability.Host, SharedObjects {

        private final long offset;
        private final double rate;
        private final HighAvailability availability;
        private Tenure tenure;
        private boolean inStep;
        private boolean cut;
        private long stepAtNanos;

        Manager(String name, long offset, double rate) {
            this.offset = offset;
            this.rate = rate;
            TransactionManagerCore.Settings core = new TransactionManagerCore.Settings(1, 16, 1_000_000_000L, 64);
            this.availability = new HighAvailability(new HighAvailability.Settings(name, name + ":1", LEASE_MILLIS, DRIFT_MILLIS,
                    EPOCH_LENGTH, core), this, this, this, () -> stepAtNanos = trueNanos);
        }

        @Override
        public long nanos() {
            return offset + (long) (trueNanos * rate);
        }

        @Override
        public void sleep(long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void serve(Tenure next) {
            tenure = next;
            takeOvers++;
        }

        @Override
        public void halt(Tenure over, String why) {
            tenure = null;
        }

        void step() {
            inStep = true;
            try {
                stepAtNanos = trueNanos + availability.step();
            } catch (UnreachableException e) {
                stepAtNanos = trueNanos + availability.retryNanos();
            }
            inStep = false;
        }

        void begin() {
            if (tenure == null || !tenure.leaseHeld(nanos())) {
                return;
            }
            long timestamp = tenure.begin(nanos());
            if (timestamp == Wire.NO_TIMESTAMPS) {
                return;
            }
            timestamps++;
            long durable = EpochRecord.parse(object(MAX_TS).text()).limit();
            if (timestamp <= highest || timestamp >= durable) {
                throw new AssertionError("Timestamp " + timestamp + " after " + highest + ", durable limit " + durable + ".");
            }
            highest = timestamp;
        }

        @Override
        public Versioned read(String name) throws UnreachableException {
            pass();
            Versioned present = object(name);
            pass();
            loseSometimes();
            return present;
        }

        @Override
        public int compareAndSet(String name, String text, int version) throws UnreachableException {
            pass();
            if (cut || random.nextInt(20) == 0) {
                if (random.nextBoolean()) {
                    late.add(() -> store(name, text, version));
                }
                throw new UnreachableException("lost", null);
            }
            int answer = store(name, text, version);
            pass();
            loseSometimes();
            return answer;
        }

        private void loseSometimes() throws UnreachableException {
            if (cut || random.nextInt(20) == 0) {
                throw new UnreachableException("lost", null);
            }
        }
    }

    private Versioned object(String name) {
        return objects.getOrDefault(name, new Versioned("", 0));
    }

    private int store(String name, String text, int version) {
        if (object(name).version() != version) {
            return -1;
        }
        objects.put(name, new Versioned(text, version + 1));
        return version + 1;
    }

    /** Time passes, seldom for longer than a lease; the others go on meanwhile. */
    private void pass() {
        long upTo = random.nextInt(30) == 0 ? 2 * LEASE_MILLIS : random.nextInt(4) == 0 ? LEASE_MILLIS / 5 : LEASE_MILLIS / 500;
        long end = trueNanos + (long) (random.nextDouble() * upTo * 1_000_000);
        depth++;
        while (trueNanos < end) {
            trueNanos += LEASE_MILLIS * 1_000_000 / 1000;
            managers.forEach(Manager::begin);
            if (!late.isEmpty() && random.nextInt(250) == 0) {
                late.remove(random.nextInt(late.size())).run();
            }
            for (Manager manager : managers) {
                if (random.nextInt(5000) == 0) {
                    manager.cut = !manager.cut;
                }
                if (depth < 4 && !manager.inStep && manager.stepAtNanos <= trueNanos) {
                    manager.step();
                }
            }
        }
        depth--;
    }

    /** Throws AssertionError for the first wrong timestamp. */
    void run(int leases) {
        while (trueNanos < leases * LEASE_MILLIS * 1_000_000) {
            pass();
        }
    }
}
