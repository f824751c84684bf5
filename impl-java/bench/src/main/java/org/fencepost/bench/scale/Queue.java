package org.fencepost.bench.scale;

import java.util.Arrays;
import java.util.SplittableRandom;

/** One server: cores that serve in the order of arrival. Times of service are exponential, so queues form as at real servers. */
final class Queue {

    private final long[] freeAt;
    private final SplittableRandom random;
    private long busyNanos;

    Queue(int cores, SplittableRandom random) {
        this.freeAt = new long[cores];
        this.random = random;
    }

    /** When a request that arrives now is carried out. */
    long serve(long now, double meanMicros) {
        int core = 0;
        for (int i = 1; i < freeAt.length; i++) {
            core = freeAt[i] < freeAt[core] ? i : core;
        }
        long takes = (long) (-Math.log(1 - random.nextDouble()) * meanMicros * 1_000);
        freeAt[core] = Math.max(now, freeAt[core]) + takes;
        busyNanos += takes;
        return freeAt[core];
    }

    /** What share of its cores was busy until now. */
    double utilization(long now) {
        long ahead = Arrays.stream(freeAt).map(at -> Math.max(0, at - now)).sum();
        return (busyNanos - ahead) / ((double) now * freeAt.length);
    }
}
