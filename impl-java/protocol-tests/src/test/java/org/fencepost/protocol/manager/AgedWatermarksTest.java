package org.fencepost.protocol.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.fencepost.protocol.omid.Interposed;
import org.fencepost.protocol.omid.TestClock;
import org.junit.jupiter.api.Test;

class AgedWatermarksTest {

    private static final long GRACE = 100;

    private final TestClock clock = new TestClock();
    private long allowed = 5;
    private long answerTakes;
    private final TransactionManager manager = Interposed.wrap(TransactionManager.class, null, call -> {
        clock.advance(answerTakes);
        return allowed;
    });
    private final AgedWatermarks watermarks = new AgedWatermarks(manager, clock, GRACE);

    @Test
    void aWatermarkIsReturnedOnceItIsOldEnough() {
        assertEquals(0, watermarks.next());
        allowed = 9;
        clock.advance(GRACE - 1);
        assertEquals(0, watermarks.next());
        clock.advance(1);
        assertEquals(5, watermarks.next());
        clock.advance(GRACE - 1);
        assertEquals(9, watermarks.next());
    }

    /** A put may be sent until the manager answers, and a copy of it be under way for the whole grace after that. */
    @Test
    void theAgeCountsFromTheAnswer() {
        answerTakes = 60;
        assertEquals(0, watermarks.next());
        answerTakes = 0;
        clock.advance(GRACE - 1);
        assertEquals(0, watermarks.next());
        clock.advance(1);
        assertEquals(5, watermarks.next());
    }

    /** A new manager starts low again. */
    @Test
    void theHighestCounts() {
        watermarks.next();
        allowed = 1;
        watermarks.next();
        clock.advance(GRACE);
        assertEquals(5, watermarks.next());
    }

    @Test
    void withoutGraceAllAreOldEnough() {
        assertEquals(5, new AgedWatermarks(manager, clock, 0).next());
    }
}
