package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LongHistoryTest {

    /** A million transactions, two reads and two writes each, one after the other; a tenth of the keys is hot. */
    @Test
    @Tag("long")
    void aMillionTransactions() {
        History history = new History();
        Random random = new Random(1);
        long[] last = new long[100_000];
        for (int i = 0; i < 1_000_000; i++) {
            long startTs = 1 + 2L * i;
            HistoryTransaction t = new HistoryTransaction(startTs, startTs);
            for (int k = 0; k < 2; k++) {
                int key = random.nextInt(random.nextBoolean() ? last.length : last.length / 10);
                t.read(key, last[key]);
                t.write(key);
                last[key] = startTs;
            }
            history.add(t.end(Outcome.COMMITTED, startTs + 1, startTs + 1));
        }
        long start = cpuNanos();
        assertEquals(List.of(), TimestampChecker.check(history));
        System.out.printf("A million transactions checked in %.1f s of CPU time%n", (cpuNanos() - start) / 1e9);
    }

    /** CPU time: the machine may be busy with other things. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
