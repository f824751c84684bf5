package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fencepost.audit.report.Dossier.Cell;
import org.fencepost.audit.report.Dossier.Status;
import org.junit.jupiter.api.Test;

/** What is said of a property where some models and mutants were run, and others not. */
class LedgerTest {

    private static Cell killed(Status... statuses) {
        return Ledger.byMutants("Spec", "Safe", Stream.of(statuses).map(LedgerTest::mutant).toList());
    }

    private static Dossier.Mutant mutant(Status status) {
        return new Dossier.Mutant("NoGuard", "Guard", "", "Small", status, "violates Safe", status == Status.OK ? "violates Safe" : "pass", null, null, null, List.of(), null);
    }

    private static Cell checked(Status... statuses) {
        return Ledger.modelChecked("Spec", "Safe", Stream.of(statuses).map(LedgerTest::model).toList());
    }

    private static Dossier.Model model(Status status) {
        String verdict = Map.of(Status.OK, "pass", Status.UNKNOWN, "unknown").getOrDefault(status, "violates Other");
        return new Dossier.Model("Small", "ci", status, "pass", verdict, null, Map.of(), 10L, 3L, 1.0, List.of("Safe"), List.of(), List.of(), List.of(), null);
    }

    @Test
    void whatWasNotRunHasNotFailed() {
        assertEquals(new Cell(Status.OK, "2 of 2 killed", "mutants-Spec"), killed(Status.OK, Status.OK));
        assertEquals(new Cell(Status.UNKNOWN, "1 of 2 killed", "mutants-Spec"), killed(Status.OK, Status.UNKNOWN));
        assertEquals(new Cell(Status.UNKNOWN, "1 of 2 models, up to 10 states", "models-Spec"), checked(Status.OK, Status.UNKNOWN));
        assertEquals(Status.OK, checked(Status.OK, Status.OK).status());
    }

    @Test
    void whatWasRunAndIsNotAsExpectedHas() {
        assertEquals(new Cell(Status.FAILED, "1 of 3 killed", "mutants-Spec"), killed(Status.OK, Status.UNKNOWN, Status.FAILED));
        assertEquals(Status.FAILED, checked(Status.OK, Status.UNKNOWN, Status.FAILED).status());
    }
}
