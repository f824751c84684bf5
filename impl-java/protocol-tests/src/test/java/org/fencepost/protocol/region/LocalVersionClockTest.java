package org.fencepost.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LocalVersionClockTest {

    @Test
    void countsBetweenTimestampsAndNeverOver() {
        LocalVersionClock clock = new LocalVersionClock(4);
        assertEquals(List.of(1L, 2L, 3L, 0L, 0L), draw(clock, 5));
        assertFalse(clock.sequenceLeft());
        clock.bump(8);
        assertTrue(clock.sequenceLeft());
        assertEquals(List.of(9L, 10L, 11L, LocalVersionClock.EXHAUSTED), draw(clock, 4));
    }

    @Test
    void tellsWhenThreeQuartersAreUsedUp() {
        LocalVersionClock clock = new LocalVersionClock(8);
        draw(clock, 5);
        assertFalse(clock.sequenceLow());
        draw(clock, 1);
        assertTrue(clock.sequenceLow() && clock.sequenceLeft());
        draw(clock, 1);
        assertTrue(clock.sequenceLow() && !clock.sequenceLeft());
        clock.bump(8);
        assertFalse(clock.sequenceLow());
        LocalVersionClock least = new LocalVersionClock(2);
        assertFalse(least.sequenceLow());
        draw(least, 1);
        assertTrue(least.sequenceLow());
    }

    private static List<Long> draw(LocalVersionClock clock, int count) {
        List<Long> versions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            versions.add(clock.next());
        }
        return versions;
    }

    @Test
    void neverGoesBack() {
        LocalVersionClock clock = new LocalVersionClock(4);
        clock.bump(8);
        clock.bump(4);
        assertEquals(9, clock.next());
        clock.bump(8);
        assertEquals(10, clock.next());
    }

    @Test
    void refusesTimestampsThatLeaveNoRoom() {
        LocalVersionClock clock = new LocalVersionClock(4);
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> clock.bump(6));
        assertTrue(e.getMessage().contains("leap of 4"), e.getMessage());
        assertEquals(1, clock.next());
        for (long span : new long[] {0, 1, 3, -4, Long.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> new LocalVersionClock(span));
        }
    }

    /** While others lift the clock, no two draws are the same and each thread's grow. */
    @Test
    void drawsAreDifferentUnderConcurrentLifting() throws Exception {
        LocalVersionClock clock = new LocalVersionClock(1 << 20);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<List<Long>>> drawing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            drawing.add(threads.submit(() -> {
                List<Long> versions = new ArrayList<>();
                for (int n = 0; n < 20_000; n++) {
                    clock.bump((n / 100 + 1L) << 20);
                    versions.add(clock.next());
                }
                return versions;
            }));
        }
        Set<Long> all = new HashSet<>();
        for (Future<List<Long>> each : drawing) {
            List<Long> versions = each.get();
            assertEquals(versions.stream().sorted().toList(), versions);
            all.addAll(versions);
        }
        threads.shutdown();
        assertEquals(80_000, all.size());
    }
}
