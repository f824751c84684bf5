package org.fencepost.clustertest.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Watches which transaction manager serves. A greater epoch is another tenure. */
public final class Failovers {

    /** Asks for the epoch. Fails between two primaries. */
    public interface Epoch {
        long get() throws ExecutionException, TimeoutException, InterruptedException;
    }

    private static final long LOOK_MILLIS = 300;
    public static final long ANSWER_MILLIS = 10 * LOOK_MILLIS;

    private Failovers() {
    }

    /** Until told to stop. */
    public static void watch(Epoch current, BooleanSupplier goOn, LongConsumer newEpoch) throws InterruptedException {
        long epoch = -1;
        while (goOn.getAsBoolean()) {
            try {
                long now = current.get();
                if (epoch >= 0 && now > epoch) {
                    newEpoch.accept(now);
                }
                epoch = Math.max(epoch, now);
            } catch (ExecutionException | TimeoutException e) {
                // between two primaries
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }
}
