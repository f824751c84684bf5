package org.fencepost.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.fencepost.protocol.region.LocalVersionClock;
import org.junit.jupiter.api.Test;

class VersionsTest {

    private final Versions versions = new Versions(64, Versions.LEVELS);

    @Test
    void theFirstNumbersAreLevelsAndTheOthersTheFastPaths() {
        LongStream.range(640, 690).forEach(level -> {
            assertFalse(versions.isFast(level));
            assertEquals(640, versions.writerOf(level));
        });
        LongStream.range(690, 704).forEach(fast -> {
            assertTrue(versions.isFast(fast));
            assertEquals(fast, versions.writerOf(fast));
        });
        assertEquals(704, versions.writerOf(704));
    }

    @Test
    void theClockPassesOverLevels() {
        LocalVersionClock clock = new LocalVersionClock(versions);
        clock.bump(640);
        assertEquals(690, clock.next());
        assertEquals(691, clock.next());
        LongStream.range(692, 704).forEach(fast -> assertEquals(fast, clock.next()));
        assertEquals(LocalVersionClock.EXHAUSTED, clock.next());
        clock.bump(704);
        assertEquals(754, clock.next());
    }

    @Test
    void whereTransactionsHaveOneLevelAllOtherNumbersAreTheFastPaths() {
        assertTrue(new Versions(4, 1).isFast(9));
        assertEquals(9, new Versions(4, 1).nextFast(8));
        assertFalse(Versions.DENSE.isFast(9));
        assertEquals(9, Versions.DENSE.writerOf(9));
    }

    @Test
    void refusesLevelsForWhichThereIsNoRoom() {
        assertThrows(IllegalArgumentException.class, () -> new Versions(16, 50));
        assertThrows(IllegalArgumentException.class, () -> new Versions(64, 0));
        assertThrows(IllegalArgumentException.class, () -> new LocalVersionClock(new Versions(16, 16)));
    }
}
