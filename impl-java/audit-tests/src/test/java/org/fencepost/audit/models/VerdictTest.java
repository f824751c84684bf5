package org.fencepost.audit.models;

import static org.fencepost.audit.models.TlcOutputTest.SUMMARY;
import static org.fencepost.audit.models.TlcOutputTest.message;
import static org.fencepost.audit.models.TlcOutputTest.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final String STATE = message(2217, 4, "1: <Initial predicate>\n/\\ x = 0\n");

    private static Job model(Long states, Integer depth, Job.Expected expected) {
        return new Job("S", "M", Job.Kind.MODEL, Path.of("M.cfg"), "MC", Config.parse("INVARIANT Safe PROPERTY Live"), expected, states,
                depth == null ? null : (long) depth, List.of("seen"), null, List.of(), List.of(), true, Job.Size.CI, null, null, null, null);
    }

    private static Job pinned(Long checks, String... witnesses) { // of as many states as SUMMARY has
        return new Job("S", "M", Job.Kind.MODEL, Path.of("M.cfg"), "MC", Config.parse("INVARIANT Safe PROPERTY Live"), Job.Expected.PASS, 16L, 7L,
                List.of(witnesses), checks, List.of(), List.of(), true, Job.Size.CI, null, null, null, null);
    }

    private static final Job PLAIN = model(null, null, Job.Expected.PASS);

    private static String verdict(Job job, String output, int exit) {
        Verdict v = Verdict.of(job, read("\"WITNESS seen\"\n" + output), exit, true);
        return v + (v.message() == null ? "" : ": " + v.message());
    }

    @Test
    void onlyACompleteSearchPasses() {
        assertEquals("pass", verdict(PLAIN, SUMMARY, 0));
        assertEquals("unknown: TLC's output ends before its summary", verdict(PLAIN, SUMMARY.substring(0, SUMMARY.length() / 2), 0));
        assertEquals("unknown: TLC's output ends before its summary", verdict(PLAIN, "", 0));
        assertEquals("unknown: TLC's output ends before its summary", verdict(PLAIN, SUMMARY.replace(" 0 states left", " 3 states left"), 0));
    }

    @Test
    void aSearchThatSawNothingIsVacuous() {
        assertEquals("vacuous: no state was reached", verdict(PLAIN, SUMMARY.replace("16 distinct", "0 distinct"), 0));
        assertEquals("vacuous: not reached: seen", Verdict.of(PLAIN, read(SUMMARY), 0, true) + ": "
                + Verdict.of(PLAIN, read(SUMMARY), 0, true).message());
    }

    /** Neither a property nor a witness is lost, or won, without a word. */
    @Test
    void propertiesAndWitnessesArePinned() {
        assertEquals("drifted: checks 2 properties, expected 3", verdict(pinned(3L, "seen"), SUMMARY, 0));
        assertEquals("drifted: reaches witnesses that its header does not name: seen", verdict(pinned(2L), SUMMARY, 0));
        assertEquals("pass", verdict(pinned(2L, "seen"), SUMMARY, 0).split(":")[0]);
    }

    @Test
    void countsMustBeThePinnedOnes() {
        assertEquals("pass", verdict(model(16L, 7, Job.Expected.PASS), SUMMARY, 0));
        assertEquals("drifted: expected 1,600 states", verdict(model(1600L, 7, Job.Expected.PASS), SUMMARY, 0));
        assertEquals("drifted: expected depth 8", verdict(model(16L, 8, Job.Expected.PASS), SUMMARY, 0));
        assertEquals("pass", Verdict.of(model(16L, 8, Job.Expected.PASS), read("WITNESS seen\n" + SUMMARY), 0, false).toString());
    }

    @Test
    void theExitCodeMustFitTheProperty() {
        String invariant = message(2110, 1, "Invariant Safe is violated.") + STATE;
        String action = message(2112, 1, "Action property Live is violated.") + STATE;
        String temporal = message(2116, 1, "Temporal properties were violated.") + STATE;
        assertEquals("violates Safe", verdict(PLAIN, invariant, 12));
        assertEquals("unknown: violates Safe, but with exit code 13", verdict(PLAIN, invariant, 13));
        assertEquals("violates Live", verdict(PLAIN, action, 13));
        assertEquals("violates Live", verdict(PLAIN, action, 12));
        assertEquals("violates Live", verdict(PLAIN, temporal, 13));
        String refinement = message(2112, 1, "Action property line 9, col 17 to line 9, col 29 of module Abstract is violated.") + STATE;
        assertEquals("violates Live", verdict(PLAIN, refinement, 13), "of a specification that is a property, TLC tells only the line");
        assertEquals("unknown: violates Safe, but with exit code 12 and no counterexample",
                verdict(PLAIN, message(2110, 1, "Invariant Safe is violated."), 12));
        assertEquals("violates Deadlock", verdict(PLAIN, message(2114, 1, "Deadlock reached.") + STATE, 11));
    }

    @Test
    void whatCouldNotBeJudgedIsUnknown() {
        assertEquals("unknown: TLC was killed by signal 9", verdict(PLAIN, SUMMARY, 137));
        assertEquals("unknown: TLC ran out of memory",
                verdict(PLAIN, "Terminating due to java.lang.OutOfMemoryError: Java heap space", 3));
        assertEquals("unknown: The invariant X specified in the configuration file is not defined in the specification. (exit code 151)",
                verdict(PLAIN, message(2229, 1, "The invariant X specified in the configuration file\nis not defined in the specification."), 151));
        assertEquals("unknown: TLC said nothing (exit code 1)", verdict(PLAIN, "", 1));
    }

    @Test
    void symmetryUnderLivenessProvesNothing() {
        assertTrue(verdict(PLAIN, message(2279, 3, "Declaring symmetry during liveness checking is dangerous.") + SUMMARY, 0)
                .startsWith("unknown: a liveness property"));
    }

    @Test
    void onlyTheNamedPropertyIsExpected() {
        Verdict live = new Verdict(Verdict.Kind.VIOLATES, "Live", null);
        assertTrue(live.isExpectedBy(model(null, null, new Job.Expected("Live"))));
        assertFalse(live.isExpectedBy(model(null, null, new Job.Expected("Safe"))));
        assertFalse(live.isExpectedBy(PLAIN));
        assertFalse(Verdict.unknown("x").isExpectedBy(PLAIN));
        assertFalse(new Verdict(Verdict.Kind.PASS, null, null).isExpectedBy(model(null, null, new Job.Expected("Live"))));
    }
}
