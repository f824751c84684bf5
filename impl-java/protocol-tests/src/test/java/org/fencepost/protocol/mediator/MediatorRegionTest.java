package org.fencepost.protocol.mediator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.fencepost.protocol.mediator.MediatorRegion.StampedPut;
import org.fencepost.protocol.region.LocalVersionClock;
import org.fencepost.protocol.region.Signal;
import org.fencepost.protocol.region.TimeSource;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** Stamps, fences, and who waits for whom. */
class MediatorRegionTest {

    private static final long DELTA = 4;

    private final LocalVersionClock clock = new LocalVersionClock(DELTA);
    /** Questions for the time that were not answered yet. */
    private final List<Runnable> questions = new ArrayList<>();
    private final MediatorRegion<String, InterruptedException> region = region();
    private long oracle = 20 * DELTA;

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

    private MediatorRegion<String, InterruptedException> region() {
        return new MediatorRegion<>(clock, new TimeSource() {
            @Override
            public void bootstrapClock(BooleanSupplier stillNeeded, Runnable then) {
                synchronized (questions) {
                    questions.add(() -> {
                        if (stillNeeded.getAsBoolean()) {
                            clock.bump(oracle += DELTA);
                            then.run();
                        }
                    });
                }
            }
        }, String::compareTo, String::hashCode, Latch::new, () -> Tracer.OFF);
    }

    private int asked() {
        synchronized (questions) {
            return questions.size();
        }
    }

    private void tellTheTime() throws InterruptedException {
        while (asked() == 0) {
            Thread.sleep(1);
        }
        List<Runnable> due;
        synchronized (questions) {
            due = new ArrayList<>(questions);
            questions.clear();
        }
        due.forEach(Runnable::run);
    }

    private void synced() throws InterruptedException {
        region.syncServer();
        tellTheTime();
    }

    private static <T> FutureTask<T> start(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static <T> T get(FutureTask<T> task) throws ExecutionException, InterruptedException, java.util.concurrent.TimeoutException {
        return task.get(10, TimeUnit.SECONDS);
    }

    @Test
    void stampsCountUpFromTheFence() throws Exception {
        synced();
        StampedPut<String, InterruptedException> first = region.nativePut("a");
        StampedPut<String, InterruptedException> second = region.nativePut("a");
        assertEquals(oracle + 1, first.ts());
        assertEquals(oracle + 2, second.ts());
        region.fenceRead(List.of("b"), oracle + DELTA);
        region.fenceCommit(List.of(), oracle);
        assertEquals(oracle + DELTA + 1, region.nativePut("a").ts());
        assertEquals(oracle + 4 * DELTA + 1, region.localCommit("a", oracle + 4 * DELTA).ts());
        assertEquals(oracle + 4 * DELTA + 2, region.localCommit("a", oracle).ts());
        assertThrows(IllegalArgumentException.class, () -> region.fenceRead(List.of("b"), oracle + 1));
    }

    @Test
    void aPutWaitsUntilTheServerKnowsTheTime() throws Exception {
        FutureTask<StampedPut<String, InterruptedException>> put = start(() -> region.nativePut("a"));
        Thread.sleep(50); // it has every chance to go wrong
        assertFalse(put.isDone());
        assertEquals(1, asked());
        tellTheTime();
        assertEquals(oracle + 1, get(put).ts());
    }

    @Test
    void whenAllStampsAreDrawnTheServerAsksAgain() throws Exception {
        synced();
        for (int i = 1; i < DELTA; i++) {
            region.nativePut("a");
        }
        List<FutureTask<StampedPut<String, InterruptedException>>> puts = new ArrayList<>();
        for (int i = 0; i < 2 * DELTA; i++) {
            puts.add(start(() -> region.nativePut("a")));
        }
        for (int i = 0; i < 3; i++) {
            tellTheTime();
        }
        List<Long> stamps = new ArrayList<>();
        for (FutureTask<StampedPut<String, InterruptedException>> put : puts) {
            stamps.add(get(put).ts());
        }
        assertEquals(stamps.size(), stamps.stream().distinct().count());
        assertTrue(stamps.stream().noneMatch(ts -> ts % DELTA == 0), stamps.toString());
    }

    @Test
    void aFenceMakesRoomForPutsThatWait() throws Exception {
        synced();
        for (int i = 1; i < DELTA; i++) {
            region.nativePut("a");
        }
        FutureTask<StampedPut<String, InterruptedException>> put = start(() -> region.nativePut("a"));
        while (asked() == 0) {
            Thread.sleep(1);
        }
        region.fenceRead(List.of("b"), oracle + DELTA);
        tellTheTime();
        assertEquals(oracle + DELTA + 1, get(put).ts());
    }

    @Test
    void anotherRegionOfTheServerHasToBeToldToo() throws Exception {
        synced();
        MediatorRegion<String, InterruptedException> moved = region();
        FutureTask<StampedPut<String, InterruptedException>> put = start(() -> moved.nativePut("a"));
        tellTheTime();
        assertTrue(get(put).ts() > oracle);
    }

    @Test
    void whoLooksBehindAFenceWaitsForOlderPutsOfTheRow() throws Exception {
        synced();
        StampedPut<String, InterruptedException> older = region.nativePut("a");
        StampedPut<String, InterruptedException> another = region.nativePut("a");
        long fence = oracle + DELTA;
        for (FutureTask<Void> look : List.of(start(() -> look(() -> region.fenceRead(List.of("b", "a"), fence))),
                start(() -> look(() -> region.fenceRead("", null, fence))), start(() -> look(() -> region.fenceCommit(List.of("a"), fence))))) {
            Thread.sleep(20); // it has every chance to go wrong
            assertFalse(look.isDone());
        }
        region.fenceRead(List.of("b"), fence);
        region.fenceCommit(List.of(), fence);
        FutureTask<Void> look = start(() -> look(() -> region.fenceRead(List.of("a"), fence)));
        region.storePut(older);
        Thread.sleep(20);
        assertFalse(look.isDone());
        StampedPut<String, InterruptedException> younger = region.nativePut("a");
        region.storePut(another);
        get(look);
        assertTrue(younger.ts() > fence);
    }

    private interface Look {
        void run() throws InterruptedException;
    }

    private static Void look(Look look) throws InterruptedException {
        look.run();
        return null;
    }

    @Test
    void aClosedRegionLetsWaitingPutsGo() throws Exception {
        FutureTask<StampedPut<String, InterruptedException>> put = start(() -> region.nativePut("a"));
        while (asked() == 0) {
            Thread.sleep(1);
        }
        region.close();
        assertNull(get(put));
        assertNull(region.localCommit("a", oracle));
        tellTheTime();
        assertEquals(0, asked());
    }

    @Test
    void aConflictIsALaterVersion() {
        assertTrue(MediatorRegion.noConflictInDatabase(0, 0));
        assertTrue(MediatorRegion.noConflictInDatabase(4, 4));
        assertFalse(MediatorRegion.noConflictInDatabase(5, 4));
    }

    @Test
    void whatWasWrittenLatelyIsKnownWithoutALook() throws Exception {
        assertFalse(region.untouchedSince("a", Long.MAX_VALUE - 1), "what was there before, nobody knows");
        synced();
        long opened = oracle;
        assertTrue(region.untouchedSince("a", opened));
        assertFalse(region.untouchedSince("a", opened - 1));

        long stamp = region.nativePut("a").ts();
        assertFalse(region.untouchedSince("a", opened), "stamped, and not stored yet");
        assertTrue(region.untouchedSince("a", stamp));
        assertTrue(region.untouchedSince("b", opened));

        long commit = opened + 8 * DELTA;
        region.writeBack("b", commit);
        region.writeBack("b", opened + DELTA);
        assertFalse(region.untouchedSince("b", commit - 1));
        assertTrue(region.untouchedSince("b", commit));
        region.localCommit("c", commit);
        assertFalse(region.untouchedSince("c", commit));

        assertEquals("Aa".hashCode(), "BB".hashCode());
        region.writeBack("Aa", commit);
        assertFalse(region.untouchedSince("BB", opened), "rows of one hash are one");
    }
}
