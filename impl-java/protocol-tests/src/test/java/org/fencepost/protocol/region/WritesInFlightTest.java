package org.fencepost.protocol.region;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whom a reader waits for, and whom it does not. */
class WritesInFlightTest {

    private static final String ROW = "m";

    private final WritesInFlight<String, InterruptedException> writes = new WritesInFlight<>(String::compareTo, Latch::new);

    private static final class Latch implements Signal<InterruptedException> {
        private final CountDownLatch latch = new CountDownLatch(1);

        @Override
        public void give() {
            latch.countDown();
        }

        @Override
        public void await() throws InterruptedException {
            latch.await();
        }
    }

    private interface Wait {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> waiting(Wait wait) {
        return CompletableFuture.runAsync(() -> {
            try {
                wait.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void anOlderWriteOfTheRowIsWaitedFor() throws Exception {
        WritesInFlight.InFlight<String, InterruptedException> write = writes.enter(ROW);
        write.drawn(5);
        for (Wait wait : new Wait[] {() -> writes.await(ROW, 10), () -> writes.await("", null, 10),
                () -> writes.await(ROW, ROW, 10), () -> writes.await("a", "z", 10)}) {
            CompletableFuture<Void> reader = waiting(wait);
            Thread.sleep(100); // it has every chance to go wrong
            assertFalse(reader.isDone());
            writes.leave(write);
            reader.get(10, TimeUnit.SECONDS);
            write = writes.enter(ROW);
            write.drawn(5);
        }
    }

    @Test
    void oneThatHasEnteredAndNotDrawnMayBecomeOlder() throws Exception {
        WritesInFlight.InFlight<String, InterruptedException> write = writes.enter(ROW);
        CompletableFuture<Void> reader = waiting(() -> writes.await(ROW, 10));
        Thread.sleep(100);
        assertFalse(reader.isDone());
        write.drawn(11);
        reader.get(10, TimeUnit.SECONDS);
        writes.leave(write);
    }

    @Test
    void laterWritesAndOtherRowsAreNot() throws Exception {
        writes.enter(ROW).drawn(11);
        writes.await(ROW, 10);
        writes.await("", null, 10);
        writes.await("a", 20);
        writes.await("a", "l", 20);
        writes.await("n", null, 20);
    }

    /** HBase lets a client ask for one. */
    @Test
    void aScanWhoseEndComesBeforeItsBeginningWaitsForNothing() throws Exception {
        writes.enter(ROW).drawn(5);
        writes.await("z", "a", 20);
        writes.await("m", "l", 20);
    }

    @Test
    void oneThatGivesUpLetsReadersGo() throws Exception {
        WritesInFlight.InFlight<String, InterruptedException> write = writes.enter(ROW);
        CompletableFuture<Void> reader = waiting(() -> writes.await(ROW, 10));
        writes.leave(write);
        reader.get(10, TimeUnit.SECONDS);
    }
}
