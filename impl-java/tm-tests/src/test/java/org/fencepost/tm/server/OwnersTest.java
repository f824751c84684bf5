package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.fencepost.tm.server.Owners.Owner;
import org.junit.jupiter.api.Test;

class OwnersTest {

    @Test
    void theLatestAreRemembered() {
        Owners owners = new Owners(4, 16, 1_600);
        for (long ts = 1_600; ts < 1_600 + 16 * 6; ts += 16) {
            owners.give(ts, ts);
        }
        assertEquals(Owner.FORGOTTEN, owners.of(1_616, 1_616));
        for (long ts = 1_632; ts < 1_600 + 16 * 6; ts += 16) {
            assertEquals(Owner.SELF, owners.of(ts, ts));
            assertEquals(Owner.OTHER, owners.of(ts, ts + 1));
        }
    }

    @Test
    void earlierTenuresAreForgottenAndNothingIsGivenInAdvance() {
        Owners owners = new Owners(4, 16, 1_600);
        assertEquals(Owner.EARLIER, owners.of(1_584, 5));
        assertEquals(Owner.OTHER, owners.of(1_600, 5));
        owners.give(1_600, 5);
        assertEquals(Owner.SELF, owners.of(1_600, 5));
        assertEquals(Owner.OTHER, owners.of(1_616, 5));
    }

    /** Those in between were given to nobody: not to whom the place belonged before. */
    @Test
    void skippedTimestampsAreNobodys() {
        Owners owners = new Owners(4, 1, 100);
        for (long ts = 100; ts < 104; ts++) {
            owners.give(ts, 5);
        }
        owners.give(107, 6);
        for (long ts = 104; ts < 107; ts++) {
            assertEquals(Owner.OTHER, owners.of(ts, 5));
        }
        owners.give(1_000_000, 6);
        assertEquals(Owner.OTHER, owners.of(999_999, 6));
    }

    /** As many as there are places, however far apart: timestamps that follow the time leave most numbers out. */
    @Test
    void aPlaceIsKeptUntilSomebodyElseNeedsIt() {
        Owners owners = new Owners(4, 1, 100);
        owners.give(100, 5);
        owners.give(1_001, 6);
        owners.give(2_002, 7);
        assertEquals(Owner.SELF, owners.of(100, 5));
        assertEquals(Owner.OTHER, owners.of(100, 6));
        owners.give(3_000, 8);
        assertEquals(Owner.FORGOTTEN, owners.of(100, 5));
        assertEquals(Owner.SELF, owners.of(1_001, 6));
    }
}
