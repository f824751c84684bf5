package org.fencepost.protocol.manager;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ActiveTransactionsPropertyTest {

    private static final long LIFETIME = 3_200;
    private static final long SLICE = LIFETIME / 32;

    /**
     * Against a sorted map of begins: the low end never passes one that is active and young, never sinks, and with a
     * window that is large enough stands exactly at the oldest one unless expiry is just due.
     */
    @Property(tries = 500)
    void agreesWithASortedMap(@ForAll Random random, @ForAll @IntRange(min = 1, max = 2_000) int window,
            @ForAll @IntRange(min = 0, max = 4) int leapBits, @ForAll @IntRange(min = 1, max = 300) int pace,
            @ForAll @IntRange(min = 0, max = 100) int percentEnded) {
        long leap = 1L << leapBits;
        long now = random.nextInt();
        ActiveTransactions active = new ActiveTransactions(LIFETIME, leap, window, 0, 0, now);
        TreeMap<Long, Long> begun = new TreeMap<>();
        long next = leap;
        long low = 0;
        for (int i = 0; i < 400; i++) {
            now += random.nextInt(pace);
            if (random.nextBoolean()) {
                next += leap * random.nextInt(random.nextInt(10) == 0 ? 200 : 3); // commits take timestamps too
                active.begin(next, now);
                begun.put(next, now);
                next += leap;
            } else if (!begun.isEmpty() && random.nextInt(100) < percentEnded) {
                Long ended = begun.floorKey(begun.firstKey() + random.nextInt((int) (begun.lastKey() - begun.firstKey()) + 1));
                active.end(ended);
                begun.remove(ended);
            }
            long newLow = active.lowEnd(next, now);
            assertTrue(newLow >= low && newLow <= next, "the low end went from " + low + " to " + newLow);
            low = newLow;
            long lifetimeAgo = now - LIFETIME;
            long surelyExpired = lifetimeAgo - SLICE - pace;
            long oldestYoung = begun.entrySet().stream().filter(e -> e.getValue() > lifetimeAgo).map(Map.Entry::getKey).findFirst().orElse(next);
            long oldest = begun.entrySet().stream().filter(e -> e.getValue() > surelyExpired).map(Map.Entry::getKey).findFirst().orElse(next);
            assertTrue(low <= oldestYoung, "the low end " + low + " passed the active " + oldestYoung);
            if (next / leap < window) {
                assertTrue(low >= oldest, "the low end " + low + " is held although the oldest is " + oldest);
            }
        }
    }
}
