package org.fencepost.protocol.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fencepost.protocol.trace.Tracer;

class ConflictTablePropertyTest {

    /** Against a map that forgets nothing: no conflict is missed, none is invented, and a refusal leaves no mark. */
    @Property(tries = 300)
    void agreesWithAMapThatForgetsNothing(@ForAll Random random, @ForAll @IntRange(min = 1, max = 200) int entries,
            @ForAll @IntRange(min = 1, max = 400) int keys, @ForAll @IntRange(min = 0, max = 5) int leapBits) {
        TransactionManagerCore core = new TransactionManagerCore(
                new TransactionManagerCore.Settings(1L << leapBits, entries, 1_000, 64), 0, Long.MAX_VALUE, 0, 0, Tracer.OFF);
        Map<Long, Long> lastCommit = new HashMap<>();
        long[] pending = random.longs(0, 1).limit(12).toArray();
        for (int i = 0; i < 400; i++) {
            int slot = random.nextInt(pending.length);
            if (pending[slot] == 0) {
                pending[slot] = core.begin(0);
                continue;
            }
            long startTs = pending[slot];
            pending[slot] = 0;
            // Hashes of every kind: small numbers, multiples of large powers of two, spread ones; 0 among them.
            long scale = new long[] {1, 1L << 40, 0x9E3779B97F4A7C15L}[random.nextInt(3)];
            long[] writeSet = random.ints(random.nextInt(6), 0, keys).mapToLong(key -> key * scale).toArray();
            boolean conflict = false;
            for (long hash : writeSet) {
                conflict |= lastCommit.getOrDefault(hash, 0L) > startTs;
            }
            boolean tooOld = startTs < core.lowWatermark();
            long answer = core.commit(startTs, writeSet, writeSet.length);
            if (tooOld) {
                assertEquals(TransactionManager.BELOW_WATERMARK, answer);
            } else if (conflict) {
                assertEquals(TransactionManager.CONFLICT, answer);
            } else {
                assertTrue(answer > startTs);
                for (long hash : writeSet) {
                    lastCommit.put(hash, answer);
                }
            }
        }
    }
}
