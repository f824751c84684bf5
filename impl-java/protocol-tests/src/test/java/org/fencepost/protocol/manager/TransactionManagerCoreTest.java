package org.fencepost.protocol.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import org.fencepost.protocol.manager.TransactionManagerCore.Settings;
import org.fencepost.protocol.trace.NdjsonTracer;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

class TransactionManagerCoreTest {

    private static final long LIFETIME = 1_000_000;
    private static final long FAR = Long.MAX_VALUE;

    private static TransactionManagerCore core(long leap, int entries) {
        return new TransactionManagerCore(new Settings(leap, entries, LIFETIME, 1024), 0, FAR, 0, 0, Tracer.OFF);
    }

    private static long commit(TransactionManagerCore core, long startTs, long... writeSet) {
        return core.commit(startTs, writeSet, writeSet.length);
    }

    // ---- timestamps

    @Test
    void timestampsAdvanceInLeapsAndStayBelowTheLimit() {
        TransactionManagerCore core = new TransactionManagerCore(new Settings(16, 64, LIFETIME, 64), 100, 150, 0, 0, Tracer.OFF);
        assertEquals(112, core.begin(0));
        assertEquals(128, commit(core, 112, 1));
        assertEquals(144, core.begin(0));
        assertTrue(core.exhausted(), "160 is beyond 150, though it does not equal it");
        assertThrows(IllegalStateException.class, () -> core.begin(0));
        assertThrows(IllegalStateException.class, () -> commit(core, 144, 1));
        core.extendEpoch(160);
        assertTrue(core.exhausted(), "the limit itself is not handed out");
        core.extendEpoch(161);
        assertFalse(core.exhausted());
        assertEquals(160, core.begin(0));
        assertThrows(IllegalArgumentException.class, () -> core.extendEpoch(160));
    }

    @Test
    void timestampsSkipAndNeverGoBack() {
        TransactionManagerCore core = new TransactionManagerCore(new Settings(16, 64, LIFETIME, 64), 100, 1_000, 0, 0, Tracer.OFF);
        assertEquals(112, core.begin(0));
        core.skipTo(401);
        assertEquals(416, core.begin(0));
        core.skipTo(200);
        assertEquals(432, core.begin(0));
        core.skipTo(5_000);
        assertTrue(core.exhausted(), "nothing above the limit");
        core.skipTo(Long.MAX_VALUE);
        core.extendEpoch(6_000);
        assertEquals(5_008, core.begin(0));
        assertFalse(core.isPending(112 + 16), "nobody began there");
        assertTrue(core.isPending(112));
    }

    @Test
    void whoHasAskedToCommitOrHasEndedIsNotPending() {
        TransactionManagerCore core = core(16, 64);
        long committing = core.begin(0);
        long conflicting = core.begin(0);
        long ending = core.begin(0);
        long expiring = core.begin(0);
        assertTrue(core.isPending(committing) && core.isPending(conflicting) && core.isPending(ending));
        assertFalse(core.isPending(committing + 1), "no timestamp");
        long commitTs = commit(core, committing, 1);
        assertFalse(core.isPending(committing) || core.isPending(commitTs));
        assertEquals(TransactionManager.CONFLICT, commit(core, conflicting, 1));
        assertFalse(core.isPending(conflicting));
        core.end(ending);
        assertFalse(core.isPending(ending));
        assertTrue(core.isPending(expiring));
        core.begin(2 * LIFETIME);
        core.begin(4 * LIFETIME);
        assertFalse(core.isPending(expiring));
        assertFalse(core.isPending(1 << 20), "not begun yet");
    }

    @Test
    void theFirstTimestampIsPositive() {
        assertEquals(1, core(1, 8).begin(0));
        assertEquals(1 << 20, core(1 << 20, 8).begin(0));
    }

    @Test
    void badNumbersAreRefused() {
        for (long leap : new long[] {0, -1, 3, Long.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> core(leap, 8), "leap " + leap);
        }
        assertThrows(IllegalArgumentException.class, () -> core(1, 0));
        assertThrows(IllegalArgumentException.class, () -> core(1, (1 << 29) + 1));
        TransactionManagerCore core = core(1, 8);
        for (long startTs : new long[] {0, -5, core.nextTimestamp()}) {
            assertThrows(IllegalArgumentException.class, () -> commit(core, startTs, 1));
        }
    }

    // ---- conflicts

    @Test
    void conflictChangesNothing() {
        TransactionManagerCore core = core(1, 64);
        long old = core.begin(0);
        long loser = core.begin(0);
        commit(core, core.begin(0), 1);
        assertEquals(TransactionManager.CONFLICT, commit(core, loser, 2, 1));
        assertTrue(commit(core, old, 2) > 0, "the loser's other key was not marked");
    }

    @Test
    void aKeyMayStandTwiceInAWriteSet() {
        TransactionManagerCore core = core(1, 8);
        long tx = core.begin(0);
        long later = core.begin(0);
        assertTrue(commit(core, tx, 7, 7, 7) > 0);
        assertEquals(TransactionManager.CONFLICT, commit(core, later, 7));
        assertEquals(0, core.lowWatermark());
    }

    @Test
    void whoBeganBeforeTheEpochAborts() {
        TransactionManagerCore core = new TransactionManagerCore(new Settings(1, 64, LIFETIME, 64), 1000, FAR, 900, 0, Tracer.OFF);
        assertEquals(TransactionManager.BELOW_WATERMARK, commit(core, 999, 1));
        assertEquals(TransactionManager.BELOW_WATERMARK, commit(core, 999));
        assertTrue(commit(core, core.begin(0), 1) > 1000);
    }

    @Test
    void evictionRaisesTheWatermarkAndIsTraced() {
        StringWriter trace = new StringWriter();
        TransactionManagerCore core = new TransactionManagerCore(new Settings(1, 8, LIFETIME, 1024), 0, FAR, 0, 0, new NdjsonTracer(trace));
        long first = core.begin(0);
        long second = core.begin(0);
        for (int key = 0; key < 100; key++) {
            commit(core, core.begin(0), key);
        }
        assertTrue(core.lowWatermark() > second);
        assertEquals(TransactionManager.BELOW_WATERMARK, commit(core, first, 12345));
        assertTrue(trace.toString().contains("{\"action\":\"Evict\",\"commit\":"), trace.toString());
    }

    @Test
    void timestampsAreUnique() {
        TransactionManagerCore core = core(4, 64);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            long startTs = core.begin(i);
            assertTrue(seen.add(startTs));
            assertTrue(seen.add(commit(core, startTs, i)));
        }
    }

    // ---- cost

    @Test
    void beginAndCommitAllocateNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        TransactionManagerCore core = new TransactionManagerCore(new Settings(1 << 20, 1 << 12, LIFETIME, 1 << 12), 0, FAR, 0, 0, Tracer.OFF);
        long[] writeSet = new long[4];
        long self = Thread.currentThread().getId();
        long leastAllocated = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) { // the JIT may allocate on our account at first
            long before = threads.getThreadAllocatedBytes(self);
            run(core, writeSet, 100_000);
            leastAllocated = Math.min(leastAllocated, threads.getThreadAllocatedBytes(self) - before);
        }
        assertTrue(leastAllocated < 1_000, leastAllocated + " bytes for 100,000 transactions");
    }

    private static void run(TransactionManagerCore core, long[] writeSet, int transactions) {
        long seed = 1;
        for (int i = 0; i < transactions; i++) {
            long startTs = core.begin(seed & 1023);
            for (int k = 0; k < writeSet.length; k++) {
                seed = seed * 6364136223846793005L + 1442695040888963407L;
                writeSet[k] = seed;
            }
            if (i % 10 == 0) {
                core.end(startTs);
            } else {
                core.commit(startTs, writeSet, writeSet.length);
            }
            if (i % 100 == 0) {
                core.collectableBelow(i);
            }
        }
    }
}
