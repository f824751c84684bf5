package org.fencepost.clustertest.client;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.fencepost.tm.client.RemoteTransactionManager;

/** Watches which transaction manager serves. A greater epoch is another tenure. */
public final class Failovers {

    private static final long LOOK_MILLIS = 300;

    private Failovers() {
    }

    /** Until told to stop. */
    public static void watch(RemoteTransactionManager manager, BooleanSupplier goOn, LongConsumer newEpoch) throws InterruptedException {
        long epoch = -1;
        while (goOn.getAsBoolean()) {
            try {
                long now = manager.conditionAsync().get(10 * LOOK_MILLIS, TimeUnit.MILLISECONDS).epoch();
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
