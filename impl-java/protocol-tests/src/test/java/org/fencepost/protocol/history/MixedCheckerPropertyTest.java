package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.Violation.Axiom;
import org.junit.jupiter.api.Test;

/** The checker says what the formulas of specs/MixedIsolation.tla say, of histories good and bad. */
class MixedCheckerPropertyTest {

    private static final int DELTA = 4;

    /** A few operations of two processes on two keys, whose timestamps are mostly in the order of their times. */
    private static History history(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        History history = new History();
        int wild = random.nextInt(3);
        int[] processes = random.ints(2 + random.nextInt(7), 0, 2).toArray();
        for (int i = 0; i < processes.length - 1; i++) {
            long begun = 100L * i + 10;
            boolean isNative = random.nextBoolean();
            long now = Math.max(DELTA, DELTA * (i + 1L) + (random.nextInt(3) < wild ? DELTA * (random.nextInt(5) - 2) : 0));
            HistoryTransaction o = (isNative ? HistoryTransaction.nativeOperation(begun) : new HistoryTransaction(begun, now))
                    .by("p" + processes[i]);
            boolean reads = random.nextInt(4) > 0;
            boolean put = !reads || !isNative && random.nextBoolean();
            for (String key : random.nextBoolean() && !isNative ? new String[] {"a", "b"} : new String[] {random.nextBoolean() ? "a" : "b"}) {
                if (reads) {
                    o.read(key, version(random, history, key, random.nextInt(3) < wild));
                }
                if (put) {
                    o.write(key);
                }
            }
            long ts = isNative ? put ? now + 1 : 0 : now + DELTA * random.nextInt(1, 3);
            boolean aborted = !isNative && random.nextInt(4) == 0;
            history.add(o.end(aborted ? Outcome.ABORTED : Outcome.COMMITTED, ts, begun + (processes[i] != processes[i + 1] && random.nextBoolean() ? 110 : 10)));
        }
        return history;
    }

    private static long version(SplittableRandom random, History history, String key, boolean any) {
        long[] versions = history.transactions().stream().filter(o -> writes(o, key))
                .mapToLong(HistoryTransaction::commitTs).sorted().toArray();
        int pick = any ? random.nextInt(versions.length + 1) - 1 : versions.length - 1;
        return pick < 0 ? 0 : versions[pick];
    }

    private static boolean writes(HistoryTransaction o, String key) {
        return o.operations().contains(new HistoryTransaction.Operation(HistoryTransaction.Kind.WRITE, key, 0));
    }

    private static Set<Axiom> found(History history, boolean serial) {
        return (serial ? MixedChecker.checkSerializability(history) : MixedChecker.checkSnapshotIsolation(history)).stream()
                .map(Violation::axiom).collect(Collectors.toSet());
    }

    @Property(tries = 20_000)
    void agreesWithTheFormulas(@ForAll long seed, @ForAll boolean serial) {
        History history = history(seed);
        Set<Axiom> expected = MixedFormulas.violated(history, serial);
        Set<Axiom> found = found(history, serial);
        if (expected.contains(Axiom.NoTies)) { // which version is whose is anybody's guess then
            assertTrue(found.contains(Axiom.NoTies));
        } else {
            assertEquals(expected, found, () -> history.transactions().toString());
        }
    }

    /** Otherwise their agreeing would say little. */
    @Test
    void theHistoriesAreGoodAndBad() {
        for (boolean serial : new boolean[] {false, true}) {
            Set<Axiom> met = EnumSet.noneOf(Axiom.class);
            int good = 0;
            for (long seed = 0; seed < 2_000; seed++) {
                Set<Axiom> violated = MixedFormulas.violated(history(seed), serial);
                met.addAll(violated);
                good += violated.isEmpty() && history(seed).transactions().size() > 3 ? 1 : 0;
            }
            assertEquals(serial
                    ? EnumSet.of(Axiom.NoTies, Axiom.NoDirtyRead, Axiom.SerialLegal, Axiom.SerialItemOrder, Axiom.SerialTransactionOrder)
                    : EnumSet.of(Axiom.NoTies, Axiom.NoDirtyRead, Axiom.SnapshotLegal, Axiom.SnapshotItemOrder, Axiom.DisjointWrites,
                            Axiom.SnapshotRealTime), met);
            assertTrue(good > 20, good + " good histories");
        }
    }
}
