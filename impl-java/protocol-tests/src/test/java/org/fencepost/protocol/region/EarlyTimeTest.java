package org.fencepost.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.mediator.MediatorRegion;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.Test;

/** Regions ask for the time while they still have versions: writers go on meanwhile, and none is refused or waits. */
class EarlyTimeTest {

    private static final int SPAN = 16;

    /** Given or not, nobody waits. */
    private static final Signal<RuntimeException> SIGNAL = new Signal<>() {
        @Override
        public void give() {
        }

        @Override
        public void await() {
            throw new IllegalStateException("A writer waits for the time.");
        }
    };

    private final LocalVersionClock clock = new LocalVersionClock(SPAN);
    private final Queue<Runnable> questions = new ArrayDeque<>();
    private long given = 10 * SPAN;

    private void ask(BooleanSupplier stillNeeded, Runnable then) {
        questions.add(() -> {
            if (stillNeeded.getAsBoolean()) {
                clock.bump(given += SPAN);
                then.run();
            }
        });
    }

    private void answer() {
        while (!questions.isEmpty()) {
            questions.poll().run();
        }
    }

    @Test
    void fastPathWritesAreNotRefused() {
        FastRegion<String, RuntimeException> region = new FastRegion<>(clock, this::ask, SIGNAL, String::compareTo, String::hashCode, () -> SIGNAL, () -> Tracer.OFF);
        region.bootstrapClock();
        answer();
        int early = 0;
        for (int i = 0; i < 10 * SPAN; i++) {
            FastRegion.Answer written = region.putVersion("row", FastRegion.ANY, NOTHING_THERE);
            assertNull(written.refused(), "write " + i);
            if (!questions.isEmpty() && clock.sequenceLeft() && early++ % 3 == 2) {
                answer(); // some writes later, while versions are left
            }
        }
        assertTrue(given >= 20 * SPAN, "it asked " + (given / SPAN - 10) + " times");
    }

    /** Guards (TellsOfReads, OpenedLater, WasReadLater): who looked on the server that had the region before is unknown to this one. */
    @Test
    void aPutIsToldHowFarItsRowMayHaveBeenRead() {
        FastRegion<String, RuntimeException> region = new FastRegion<>(clock, this::ask, SIGNAL, String::compareTo, String::hashCode, () -> SIGNAL, () -> Tracer.OFF);
        region.bootstrapClock();
        assertEquals(Long.MAX_VALUE, region.batches().clock("row"));
        answer();
        long told = given;
        assertEquals(told, region.batches().clock("row"));
        region.preGet("row", told + SPAN);
        assertEquals(told + SPAN, region.batches().clock("row"));
        region.preScan("a", "b", told + 2 * SPAN);
        assertEquals(told + 2 * SPAN, region.batches().clock("row"));
    }

    @Test
    void oneQuestionIsEnough() {
        FastRegion<String, RuntimeException> region = new FastRegion<>(clock, this::ask, SIGNAL, String::compareTo, String::hashCode, () -> SIGNAL, () -> Tracer.OFF);
        region.bootstrapClock();
        answer();
        for (int i = 1; i < SPAN; i++) {
            region.putVersion("row", FastRegion.ANY, NOTHING_THERE);
            assertEquals(i < 3 * SPAN / 4 ? 0 : 1, questions.size(), "after write " + i);
        }
        assertEquals(FastAbortCause.SEQUENCE_EXHAUSTED, region.putVersion("row", FastRegion.ANY, NOTHING_THERE).refused());
        assertEquals(1, questions.size());
        clock.bump(given += SPAN); // a reader has lifted it meanwhile: there is nothing to ask any more
        long before = given;
        answer();
        assertEquals(before, given);
    }

    @Test
    void nativePutsDoNotWait() {
        MediatorRegion<String, RuntimeException> region = new MediatorRegion<>(clock, this::ask, String::compareTo, String::hashCode, () -> SIGNAL,
                () -> Tracer.OFF);
        region.syncServer();
        answer();
        for (int i = 0; i < 10 * SPAN; i++) {
            region.awaitTime();
            region.storePut(region.nativePut("row"));
            answer();
        }
        assertTrue(given >= 20 * SPAN, "it asked " + (given / SPAN - 10) + " times");
    }

    private static final FastRegion.Target<RuntimeException> NOTHING_THERE = new FastRegion.Target<>() {
        @Override
        public FastRegion.Last last() {
            return new FastRegion.Last() {
                @Override
                public boolean noNewerTentative() {
                    return true;
                }

                @Override
                public long commitTs() {
                    return Timestamps.NIL;
                }
            };
        }

        @Override
        public void store(long version) {
        }
    };
}
