package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Whom a reader waits for, and whom it does not. */
class FastWritesTest {

    private static final byte[] ROW = Bytes.toBytes("m");
    private static final byte[] ALL = {};

    private final FastWrites writes = new FastWrites();

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
        FastWrites.InFlight write = writes.enter(ROW);
        write.drawn(5);
        for (Wait wait : new Wait[] {() -> writes.await(ROW, 10), () -> writes.await(ALL, ALL, 10),
            () -> writes.await(ROW, ROW, 10), () -> writes.await(Bytes.toBytes("a"), Bytes.toBytes("z"), 10)}) {
            CompletableFuture<Void> reader = waiting(wait);
            Thread.sleep(100); // it has every chance to go wrong
            assertFalse(reader.isDone());
            writes.leave(ROW, write);
            reader.get(10, TimeUnit.SECONDS);
            write = writes.enter(ROW);
            write.drawn(5);
        }
    }

    @Test
    void oneThatHasEnteredAndNotDrawnMayBecomeOlder() throws Exception {
        FastWrites.InFlight write = writes.enter(ROW);
        CompletableFuture<Void> reader = waiting(() -> writes.await(ROW, 10));
        Thread.sleep(100);
        assertFalse(reader.isDone());
        write.drawn(11);
        reader.get(10, TimeUnit.SECONDS);
        writes.leave(ROW, write);
    }

    @Test
    void laterWritesAndOtherRowsAreNot() throws Exception {
        writes.enter(ROW).drawn(11);
        writes.await(ROW, 10);
        writes.await(ALL, ALL, 10);
        writes.await(Bytes.toBytes("a"), 20);
        writes.await(Bytes.toBytes("a"), Bytes.toBytes("l"), 20);
        writes.await(Bytes.toBytes("n"), ALL, 20);
    }

    @Test
    void oneThatGivesUpLetsReadersGo() throws Exception {
        FastWrites.InFlight write = writes.enter(ROW);
        CompletableFuture<Void> reader = waiting(() -> writes.await(ROW, 10));
        writes.leave(ROW, write);
        reader.get(10, TimeUnit.SECONDS);
    }
}
