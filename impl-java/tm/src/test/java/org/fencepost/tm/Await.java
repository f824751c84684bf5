package org.fencepost.tm;

import java.util.function.BooleanSupplier;

/** Waits for what other threads and processes bring about. */
public final class Await {

    private Await() {
    }

    /** Throws AssertionError if it has not come true in time. */
    public static void until(String what, long millis, BooleanSupplier condition) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("After " + millis + " ms still not: " + what + ".");
            }
            sleep(2);
        }
    }

    public static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
