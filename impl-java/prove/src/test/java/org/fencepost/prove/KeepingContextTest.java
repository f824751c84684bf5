package org.fencepost.prove;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.z3.Context;
import org.junit.jupiter.api.Test;

class KeepingContextTest {
    private static final int ROUNDS = 20;
    private static final int TERMS = 1000;

    /** Terms that nobody has any more keep their numbers, also after a collection: the order of two terms never depends on Java's memory. */
    @Test
    void aTermsNumberIsNeverGivenAgain() {
        try (Context z3 = new KeepingContext()) {
            int last = -1;
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < TERMS; i++) {
                    int number = z3.mkIntConst("x" + round + "_" + i).getId();
                    assertTrue(number > last, "after " + last + " came " + number);
                    last = number;
                }
                System.gc();
            }
        }
    }
}
