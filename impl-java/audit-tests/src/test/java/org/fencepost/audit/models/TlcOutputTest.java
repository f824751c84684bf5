package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.fencepost.audit.text.TlaValue;
import org.junit.jupiter.api.Test;

class TlcOutputTest {
    static String message(int code, int severity, String text) {
        return "@!@!@STARTMSG " + code + ":" + severity + " @!@!@\n" + text + "\n@!@!@ENDMSG " + code + " @!@!@\n";
    }

    static final String SUMMARY = message(2193, 0, "Model checking completed. No error has been found.")
            + message(2199, 0, "21 states generated, 16 distinct states found, 0 states left on queue.")
            + message(2194, 0, "The depth of the complete state graph search is 7.")
            + message(2186, 0, "Finished in 387ms at (2026-11-21 07:26:07)");

    static TlcOutput read(String text) {
        TlcOutput out = new TlcOutput();
        text.lines().forEach(out::line);
        return out;
    }

    @Test
    void readsASummary() {
        TlcOutput out = read(message(2262, 0, "TLC2 Version 2.18 of 20 March 2023") + SUMMARY);
        assertEquals("2.18 of 20 March 2023", out.version());
        assertTrue(out.completed());
        assertEquals(16, out.distinct());
        assertEquals(21, out.generated());
        assertEquals(7, out.depth());
        assertNull(out.trace());
    }

    @Test
    void readsProgress() {
        TlcOutput out = read(message(2200, 0,
                "Progress(7) at 2026-11-21 07:26:07: 1,234,567 states generated (3,281 s/min), 98,765 distinct states found (2,500 ds/min), 4 states "
                        + "left on queue."));
        assertEquals(98_765, out.distinct());
        assertFalse(out.completed());
    }

    @Test
    void keepsEachWitnessOnceWhereverItIsPrinted() {
        TlcOutput out = new TlcOutput();
        assertTrue(out.line("\"WITNESS all done\""));
        assertFalse(out.line("\"WITNESS all done\""));
        message(2200, 0, "Progress(7) at now:\n\"WITNESS two\"\n5 states generated, 3 distinct states found, 1 states left on queue.")
                .lines().forEach(out::line);
        assertEquals(Set.of("all done", "two"), out.witnesses());
        assertEquals(3, out.distinct());
    }

    @Test
    void readsALasso() {
        Trace trace = read(message(2116, 1, "Temporal properties were violated.\n")
                + message(2217, 4, "1: <Initial predicate>\n/\\ x = 0\n/\\ f = ( a :> 1 @@\n  b :> 2 )\n")
                + message(2217, 4, "2: <Step line 9, col 9 to line 10, col 139 of module V>\n/\\ x = 1\n/\\ f = <<>>\n")
                + message(2122, 4, "1: Back to state: <Step line 9, col 9 to line 10, col 139 of module V>\n")).trace();
        assertEquals(2, trace.states().size());
        assertEquals(1, trace.backTo());
        assertEquals("Init", trace.states().get(0).action());
        assertEquals("Step", trace.states().get(1).action());
        assertEquals(TlaValue.parse("(a :> 1 @@ b :> 2)"), trace.states().get(0).variables().get("f"));
    }

    @Test
    void readsStutteringAndASingleVariable() {
        Trace trace = read(message(2217, 4, "1: <Initial predicate>\nx = 0\n") + message(2218, 4, "2: Stuttering")).trace();
        assertEquals(Trace.STUTTERS, trace.backTo());
        assertEquals(TlaValue.parse("0"), trace.states().get(0).variables().get("x"));
    }

    @Test
    void readsAViolationInTheInitialState() {
        TlcOutput out = read(message(2107, 1, "Invariant Bad is violated by the initial state:\n/\\ x = 0\n/\\ y = {}\n"));
        assertEquals("Bad", out.violated());
        assertEquals(2, out.trace().states().get(0).variables().size());
    }

    @Test
    void namesAViolatedActionProperty() {
        assertEquals("Shrink", read(message(2112, 1, "Action property Shrink is violated.")).violated());
    }

    @Test
    void addsUpActionsOfTheLastReportOnly() {
        String report = message(2201, 0, "The coverage statistics at 2026-11-21 07:26:31")
                + message(2772, 0, "<Ask line 35, col 1 to line 35, col 6 of module Toy>: 4:8")
                + message(2772, 0, "<Ask line 35, col 1 to line 35, col 6 of module Toy>: 0:1")
                + message(2772, 0, "<Grant line 41, col 1 to line 41, col 8 of module Toy (42 3 44 5)>: 0:0");
        assertEquals(Map.of("Ask", 9L, "Grant", 0L), read(report + report).taken(false));
        assertEquals(Map.of("Ask", 4L, "Grant", 0L), read(report).taken(true));
    }

    @Test
    void quotesTheParser() {
        TlcOutput out = read("Parsing file /x/V.tla\n***Parse Error***\nEncountered \"1\" at line 7, column 1\n\nResidual stack trace follows:\n"
                + message(3002, 1, "Parsing or semantic analysis failed."));
        assertEquals("Encountered \"1\" at line 7, column 1 Residual stack trace follows:", out.error());
    }
}
