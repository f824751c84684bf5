package org.fencepost.protocol.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

class ActiveTransactionsTest {

    private static final long LIFETIME = 3_200;
    private static final long SLICE = LIFETIME / 32;

    private static ActiveTransactions active(int window, long held) {
        return new ActiveTransactions(LIFETIME, 1, window, held, LIFETIME, 0);
    }

    @Test
    void theLowEndIsTheOldestActiveTransaction() {
        ActiveTransactions active = active(64, 0);
        assertEquals(1, active.lowEnd(1, 0));
        active.begin(1, 0);
        active.begin(2, 0);
        active.begin(5, 0);
        assertEquals(1, active.lowEnd(6, 0));
        active.end(2);
        assertEquals(1, active.lowEnd(6, 0));
        active.end(1);
        active.end(1);
        assertEquals(5, active.lowEnd(6, 0));
        active.end(5);
        assertEquals(6, active.lowEnd(6, 0));
    }

    @Test
    void endingWhatNeverBeganIsHarmless() {
        ActiveTransactions active = active(64, 0);
        active.begin(70, 0);
        for (long ts : new long[] {0, -1, 6, 69, 71, 134, Long.MAX_VALUE, Long.MIN_VALUE}) {
            active.end(ts);
        }
        assertEquals(70, active.lowEnd(72, 0));
    }

    @Test
    void aTransactionThatNeverEndsExpires() {
        ActiveTransactions active = active(64, 0);
        active.begin(1, 0);
        assertEquals(1, active.lowEnd(2, LIFETIME - 1));
        assertEquals(1, active.lowEnd(2, LIFETIME), "a new slice opens here, and what began before it has a lifetime from now");
        assertEquals(2, active.lowEnd(2, 2 * LIFETIME));
    }

    @Test
    void expiryIsAtMostASliceLateWhenThereIsTraffic() {
        ActiveTransactions active = active(1 << 16, 0);
        active.begin(1, 0);
        long expired = -1;
        for (long now = 1; expired < 0; now++) {
            active.begin(1 + now, now);
            active.end(1 + now);
            if (active.lowEnd(2 + now, now) > 1) {
                expired = now;
            }
        }
        assertTrue(expired >= LIFETIME && expired <= LIFETIME + SLICE, "expired at " + expired);
    }

    @Test
    void whoIsRenewedLivesForALifetimeFromThen() {
        ActiveTransactions active = active(1 << 16, 0);
        active.begin(1, 0);
        active.begin(2, 0);
        active.begin(3, 0);
        for (long now = SLICE; now <= 5 * LIFETIME; now += SLICE) {
            active.begin(3 + now, now);
            active.end(3 + now);
            if (now % (LIFETIME / 2) == 0) {
                assertTrue(active.renew(2, now), "at " + now);
            }
        }
        assertEquals(2, active.lowEnd(1 << 15, 5 * LIFETIME));
        assertEquals(2, active.lowEnd(1 << 15, 6 * LIFETIME - 1));
        assertEquals(1 << 15, active.lowEnd(1 << 15, 6 * LIFETIME));
        assertFalse(active.renew(2, 6 * LIFETIME), "the low end has passed it");
        assertEquals(1 << 15, active.lowEnd(1 << 15, 6 * LIFETIME));
    }

    @Test
    void whoIsRenewedAndEndsHoldsNothing() {
        ActiveTransactions active = active(64, 0);
        active.begin(1, 0);
        active.begin(2, 0);
        assertTrue(active.renew(1, 1));
        active.end(1);
        assertEquals(2, active.lowEnd(3, 2));
        assertFalse(active.renew(1, 3));
        assertEquals(2, active.lowEnd(3, 4));
    }

    @Test
    void whoIsNotActiveIsNotRenewed() {
        ActiveTransactions active = active(64, 0);
        active.begin(10, 0);
        active.begin(1000, 0); // beyond the window: its end would not be seen
        for (long ts : new long[] {0, -1, 9, 11, 74, 1000, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertFalse(active.renew(ts, 0), "timestamp " + ts);
        }
        assertEquals(10, active.lowEnd(1001, 0));
        assertTrue(active.renew(10, LIFETIME), "nobody has asked for the low end yet, and nothing was given up");
    }

    @Test
    void notEverybodyIsRenewed() {
        int most = 1 << 12;
        ActiveTransactions active = active(1 << 14, 0);
        for (int ts = 1; ts <= most + 1; ts++) {
            active.begin(ts, 0);
            assertEquals(ts <= most, active.renew(ts, 0));
        }
        assertTrue(active.renew(1, 1), "again");
        active.end(2);
        assertTrue(active.renew(most + 1, 2));
    }

    @Test
    void aFullWindowHoldsTheLowEndUntilItExpires() {
        ActiveTransactions active = active(64, 0);
        active.begin(1, 0);
        active.begin(1000, 1); // far beyond 64
        active.end(1);
        assertEquals(1000, active.lowEnd(1001, 1));
        active.end(1000);
        assertEquals(1000, active.lowEnd(1001, 1), "its end is not seen");
        active.begin(1001, 2);
        assertEquals(1000, active.lowEnd(1002, 2));
        active.lowEnd(1002, 2 + SLICE);
        assertEquals(1000, active.lowEnd(1002, 1 + LIFETIME + SLICE));
        active.end(1001);
        assertEquals(1002, active.lowEnd(1002, 2 + SLICE + LIFETIME));
    }

    /** Timestamps that follow the time leave most numbers out, so the window is full soon. */
    @Test
    void whoHasNoPlaceInALargeWindowIsKeptApart() {
        int window = 1 << 20;
        ActiveTransactions active = active(window, 0);
        active.begin(1, 0);
        active.begin(5 * window, 1);
        assertTrue(active.isActive(5 * window));
        active.end(1);
        assertEquals(5 * window, active.lowEnd(5 * window + 1, 1));
        assertTrue(active.renew(5 * window, 2));
        active.end(5 * window);
        assertFalse(active.isActive(5 * window));
        assertEquals(5 * window + 1, active.lowEnd(5 * window + 1, 2));
    }

    @Test
    void afterATakeOverTheLowEndStaysForALifetime() {
        ActiveTransactions active = active(64, 500);
        assertEquals(500, active.lowEnd(2000, 0));
        active.begin(2000, 10);
        active.end(2000);
        active.lowEnd(2001, SLICE);
        assertEquals(500, active.lowEnd(2001, LIFETIME));
        assertEquals(500, active.lowEnd(2001, LIFETIME + SLICE - 1));
        assertEquals(2001, active.lowEnd(2001, LIFETIME + SLICE));
    }

    @Test
    void takeOverOfTheCoreHoldsWhatWasPublished() {
        TransactionManagerCore.Settings settings = new TransactionManagerCore.Settings(16, 64, LIFETIME, 64);
        TransactionManagerCore core = new TransactionManagerCore(settings, 1000, Long.MAX_VALUE, 512, 77, Tracer.OFF);
        core.begin(77);
        assertEquals(512, core.collectableBelow(77 + LIFETIME - 1));
        TransactionManagerCore nothingPublished = new TransactionManagerCore(settings, 1000, Long.MAX_VALUE, 0, 77, Tracer.OFF);
        assertEquals(1, nothingPublished.collectableBelow(78), "transactions of the earlier manager may be active");
        assertEquals(16, new TransactionManagerCore(settings, 0, Long.MAX_VALUE, 0, 77, Tracer.OFF).collectableBelow(77));
    }

    /** The manager before had a longer lifetime, and its transactions have. */
    @Test
    void afterATakeOverTheLowEndStaysForTheLongerLifetime() {
        TransactionManagerCore.Settings settings = new TransactionManagerCore.Settings(16, 64, LIFETIME, 64);
        TransactionManagerCore core = new TransactionManagerCore(settings, 1000, Long.MAX_VALUE, 512, 10 * LIFETIME, 77, Tracer.OFF);
        for (long now = 77; now < 77 + 10 * LIFETIME; now += LIFETIME / 4) {
            core.end(core.begin(now));
            assertEquals(512, core.collectableBelow(now), "after " + now);
        }
        assertTrue(core.collectableBelow(77 + 12 * LIFETIME) > 1000);
        assertEquals(1008, new TransactionManagerCore(settings, 1000, Long.MAX_VALUE, 0, 0, 77, Tracer.OFF).collectableBelow(77),
                "nobody began before");
    }

    @Test
    void badSettingsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ActiveTransactions(31, 1, 64, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> active(0, 0));
    }
}
