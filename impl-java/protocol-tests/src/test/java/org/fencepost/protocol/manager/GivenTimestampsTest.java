package org.fencepost.protocol.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GivenTimestampsTest {

    private final AtomicLong next = new AtomicLong(64);
    private final AtomicInteger questions = new AtomicInteger();
    private final GivenTimestamps given = new GivenTimestamps(() -> {
        questions.incrementAndGet();
        return info(next.get());
    });

    private static ManagerInfo info(long next) {
        return new ManagerInfo("m", 1, 0, next, next + 1000, 60_000);
    }

    @Test
    void readersAreBelievedWhatWasGivenAndNothingElse() {
        assertFalse(given.known());
        assertFalse(given.canBeGiven(64, false));
        assertTrue(given.canBeGiven(63, false));
        assertEquals(1, questions.get());
        next.set(128);
        assertTrue(given.canBeGiven(127, false));
        assertEquals(2, questions.get());
        assertFalse(given.canBeGiven(Long.MAX_VALUE, false));
    }

    @Test
    void writersAreBelievedUpToTheDurableLimitWithoutAQuestion() {
        given.ask();
        assertTrue(given.canBeGiven(1063, true));
        assertEquals(1, questions.get());
        assertFalse(given.canBeGiven(1064, true));
        assertEquals(2, questions.get());
    }

    @Test
    void whatWasToldNeverSinks() {
        next.set(128);
        given.ask();
        next.set(64);
        given.ask();
        assertTrue(given.canBeGiven(127, false));
        assertEquals(128, given.told().next());
    }

    @Test
    void aFailureIsNotRememberedAndThoseWhoWaitAskAgain() {
        AtomicInteger attempts = new AtomicInteger();
        GivenTimestamps flaky = new GivenTimestamps(() -> {
            if (attempts.incrementAndGet() == 1) {
                throw new TransactionManagerException("down");
            }
            return info(64);
        });
        assertThrows(TransactionManagerException.class, () -> flaky.canBeGiven(1, false));
        assertTrue(flaky.canBeGiven(1, false));
    }

    /** An answer that was under way when a request came may be too old for it; all that come meanwhile share the next one. */
    @Test
    void thoseWhoWaitShareAQuestionThatWasSentAfterTheyCame() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        GivenTimestamps slow = new GivenTimestamps(() -> {
            if (asked.incrementAndGet() == 1) {
                first.countDown();
                await(proceed);
                return info(64);
            }
            return info(128);
        });
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Future<ManagerInfo> early = threads.submit(slow::ask);
            await(first);
            Future<?>[] late = new Future<?>[6];
            for (int i = 0; i < late.length; i++) {
                late[i] = threads.submit(() -> assertTrue(slow.canBeGiven(127, false)));
            }
            Thread.sleep(50);
            proceed.countDown();
            early.get();
            for (Future<?> each : late) {
                each.get();
            }
            assertTrue(asked.get() <= 3, asked + " questions");
        } finally {
            threads.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
