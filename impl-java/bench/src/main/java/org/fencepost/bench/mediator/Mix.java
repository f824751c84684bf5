package org.fencepost.bench.mediator;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What clients ask for (SYSTOR'14 Table 2).
 *
 * @param largest operations of a transaction: 1 to so many, evenly drawn (U1, U4, U20)
 * @param reads   share of gets among all operations (rho)
 * @param natives share of native operations (nu)
 */
record Mix(int largest, double reads, double natives) {

    /** Whether to do a native operation next; else a transaction, which is several operations. */
    boolean drawNative(SplittableRandom random) {
        double transactions = (1 - natives) / ((1 + largest) / 2.0);
        return random.nextDouble() * (natives + transactions) < natives;
    }

    int drawSize(SplittableRandom random) {
        return 1 + random.nextInt(largest);
    }

    boolean drawRead(SplittableRandom random) {
        return random.nextDouble() < reads;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "U%d, %.0f%% gets, %.0f%% native", largest, 100 * reads, 100 * natives);
    }
}
