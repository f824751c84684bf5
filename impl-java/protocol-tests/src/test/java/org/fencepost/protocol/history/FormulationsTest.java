package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The three formulations find what is planted, keep quiet where nothing is, and agree (specs/models/Isolation, in Java). */
class FormulationsTest {

    private static History history(List<HistoryTransaction> transactions) {
        History history = new History();
        history.addAll(transactions);
        return history;
    }

    private static boolean hasDeletes(List<HistoryTransaction> transactions) {
        return transactions.stream().flatMap(t -> t.operations().stream()).anyMatch(op -> op.kind() == Kind.DELETE);
    }

    // ---- planted violations

    /** Among others that are correct; the axiom is named, and the planted transactions are shown. */
    @Property(tries = 300)
    void plantedViolationsAreFoundInLongHistories(@ForAll Random random, @ForAll Planted planted) {
        TimestampCheckerPropertyTest database = new TimestampCheckerPropertyTest();
        List<HistoryTransaction> transactions = database.generate(random, 5, 60);
        List<HistoryTransaction> plants = Scenario.of(planted.events, database.time);
        transactions.addAll(plants);
        List<Violation> found = TimestampChecker.check(history(transactions));
        Set<Long> names = new HashSet<>(plants.stream().map(HistoryTransaction::startTs).toList());
        assertTrue(found.stream().anyMatch(v -> v.axiom() == planted.axiom), () -> planted + ": " + found);
        assertTrue(found.stream().allMatch(v -> v.transactions().stream().anyMatch(t -> names.contains(t.startTs()))),
                () -> planted + ": " + found);
    }

    @ParameterizedTest
    @EnumSource
    void eachPlantedViolationIsFound(Planted planted) {
        assertTrue(TimestampChecker.check(history(Scenario.of(planted.events, 0))).stream().anyMatch(v -> v.axiom() == planted.axiom));
    }

    @ParameterizedTest
    @EnumSource
    void whatClientsCanSeeIsFoundWithoutTimestamps(Planted planted) {
        List<HistoryTransaction> plants = Scenario.of(planted.events, 0);
        List<Violation> byStates = ReadStatesChecker.check(history(plants));
        assertEquals(planted.visible, !byStates.isEmpty(), byStates::toString);
        assertTrue(byStates.stream().allMatch(v -> !v.transactions().isEmpty()));
        boolean distinct = plants.stream().map(HistoryTransaction::startTs).distinct().count() == plants.size();
        if (!hasDeletes(plants) && distinct) {
            List<Violation> byPhenomena = PhenomenaChecker.check(history(plants));
            assertEquals(planted.visible, !byPhenomena.isEmpty(), byPhenomena::toString);
            assertTrue(byPhenomena.stream().allMatch(v -> !v.transactions().isEmpty()));
        }
    }

    /** What snapshot isolation permits, in the words of the literature. */
    @ParameterizedTest
    @ValueSource(strings = {
            "b1 b2 r1x0 r1y0 r2x0 r2y0 w1x w2y c1 c2", // write skew
            "b2 b1 w1x c1 r2x0 c2", // an old snapshot
            "b1 b2 r1y0 w1x w2y r2x0 c2 b3 r3x0 r3y2 c1 c3", // the read-only anomaly
            "b1 w1x c1 b2 d2x c2 b3 r3x0 c3", "b1 w1x d1x r1x0 c1", "b1 w1x u1 b2 r2x0 c2", "b1 w1x u1 b2 r2x1 c2",
            "b1 w1x c1 b2 s2x1 w2y s2x1y2 c2 b3 s3x1y2 c3"})
    void whatIsAllowedPasses(String events) {
        List<HistoryTransaction> transactions = Scenario.of(events, 0);
        assertEquals(List.of(), TimestampChecker.check(history(transactions)));
        assertEquals(List.of(), ReadStatesChecker.check(history(transactions)));
        if (!hasDeletes(transactions)) {
            assertEquals(List.of(), PhenomenaChecker.check(history(transactions)));
        }
    }

    @Test
    void thePhenomenonIsNamed() {
        assertEquals(Violation.Axiom.G1a, phenomenon(Planted.ABORTED_READ));
        assertEquals(Violation.Axiom.G1c, phenomenon(Planted.CIRCULAR_FLOW));
        assertEquals(Violation.Axiom.GSI, phenomenon(Planted.LOST_UPDATE));
        assertEquals(Violation.Axiom.GSI, phenomenon(Planted.READ_SKEW));
    }

    private static Violation.Axiom phenomenon(Planted planted) {
        return PhenomenaChecker.check(history(Scenario.of(planted.events, 0))).get(0).axiom();
    }

    // ---- agreement

    @Property(tries = 500)
    void correctHistoriesPassAllThree(@ForAll Random random) {
        List<HistoryTransaction> transactions = new TimestampCheckerPropertyTest().generate(random, 3, 20);
        assertEquals(List.of(), TimestampChecker.check(history(transactions)));
        assertEquals(List.of(), ReadStatesChecker.check(history(transactions)));
    }

    /** Some timestamps satisfy the axioms, if and only if some order passes the commit tests, if and only if no phenomenon remains. */
    @Property(tries = 3_000)
    void theFormulationsAgree(@ForAll Random random) {
        List<HistoryTransaction> transactions = anything(random);
        boolean byStates = ReadStatesChecker.check(history(transactions)).isEmpty();
        assertEquals(byStates, PhenomenaChecker.check(history(transactions)).isEmpty(), transactions::toString);
        assertEquals(byStates, someTimestamps(transactions, new ArrayList<>(), new int[transactions.size()]), transactions::toString);
    }

    /** Else the agreement would be about nothing. */
    @Test
    void bothVerdictsAreCommon() {
        Random random = new Random(1);
        int allowed = 0;
        for (int i = 0; i < 1_000; i++) {
            allowed += ReadStatesChecker.check(history(anything(random))).isEmpty() ? 1 : 0;
        }
        assertTrue(allowed > 200 && allowed < 800, allowed + " of 1000 allowed");
    }

    /** Two to four transactions that read and write two keys as it happens, some aborted, some after one another. */
    private static List<HistoryTransaction> anything(Random random) {
        int count = 2 + random.nextInt(3);
        int[][] writes = new int[count][2];
        List<HistoryTransaction> transactions = new ArrayList<>();
        for (int t = 0; t < count; t++) {
            HistoryTransaction transaction = new HistoryTransaction(random.nextInt(6), 100 + t);
            for (int key = 0; key < 2; key++) {
                writes[t][key] = random.nextInt(2);
            }
            transactions.add(transaction);
        }
        for (int t = 0; t < count; t++) {
            HistoryTransaction transaction = transactions.get(t);
            for (int key = 0; key < 2; key++) {
                int from = random.nextInt(count + 1);
                if (random.nextInt(3) > 0 && from != t && (from == count || writes[from][key] == 1)) {
                    transaction.read(key, from == count ? 0 : 100 + from);
                }
                if (writes[t][key] == 1) {
                    transaction.write(key);
                }
            }
            boolean aborted = random.nextInt(8) == 0;
            transaction.end(aborted ? Outcome.ABORTED : Outcome.COMMITTED, aborted || transaction.operations().stream()
                    .noneMatch(op -> op.kind() == Kind.WRITE) ? 0 : 200 + t, transaction.begunNanos() + 1 + random.nextInt(6));
        }
        return transactions;
    }

    /** Tries all orders of begins and commits. */
    private static boolean someTimestamps(List<HistoryTransaction> transactions, List<Integer> order, int[] seen) {
        if (order.size() == 2 * transactions.size()) {
            return TimestampChecker.check(history(withTimestamps(transactions, order))).isEmpty();
        }
        for (int t = 0; t < seen.length; t++) {
            if (seen[t] < 2) {
                seen[t]++;
                order.add(t);
                boolean found = someTimestamps(transactions, order, seen);
                order.remove(order.size() - 1);
                seen[t]--;
                if (found) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<HistoryTransaction> withTimestamps(List<HistoryTransaction> transactions, List<Integer> order) {
        Map<Long, Long> versions = new HashMap<>();
        for (int t = 0; t < transactions.size(); t++) {
            versions.put(transactions.get(t).startTs(), 1L + order.indexOf(t));
        }
        List<HistoryTransaction> stamped = new ArrayList<>();
        for (int t = 0; t < transactions.size(); t++) {
            HistoryTransaction old = transactions.get(t);
            HistoryTransaction now = new HistoryTransaction(old.begunNanos(), versions.get(old.startTs()));
            for (Operation op : old.operations()) {
                if (op.kind() == Kind.WRITE) {
                    now.write(op.key());
                } else if (old.outcome() == Outcome.COMMITTED) { // the others judge committed transactions only
                    now.read(op.key(), versions.getOrDefault(op.version(), 0L));
                }
            }
            stamped.add(now.end(old.outcome(), old.commitTs() == 0 ? 0 : 1L + order.lastIndexOf(t), old.answeredNanos()));
        }
        return stamped;
    }

    @Test
    void aHistoryWithDeletesHasNoGraph() {
        History history = history(Scenario.of("b1 d1x c1", 0));
        assertEquals(List.of(), ReadStatesChecker.check(history));
        assertThrows(IllegalArgumentException.class, () -> PhenomenaChecker.check(history));
    }
}
