package org.fencepost.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What is compared takes turns. */
public final class Rounds {

    private Rounds() {
    }

    /** Every second time in the opposite order. */
    public static <T> List<T> inTurn(int pair, List<T> systems) {
        List<T> order = new ArrayList<>(systems);
        if (pair % 2 == 0) {
            Collections.reverse(order);
        }
        return order;
    }

    public static void sleep(double seconds) {
        try {
            TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
