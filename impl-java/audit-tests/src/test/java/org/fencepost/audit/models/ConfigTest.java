package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigTest {
    private static final String TEXT = """
            \\* INVARIANT NotThis
            SPECIFICATION Spec (* NEXT neither *)
            CONSTANTS C = {a, b}  G <- Old
            INVARIANTS
              One
              Two
            INVARIANT Three
            PROPERTIES Live, Safe
            SYMMETRY Sym
            CHECK_DEADLOCK FALSE
            """;

    @Test
    void readsWhatIsChecked() {
        assertEquals(List.of("One", "Two", "Three"), Config.parse(TEXT).invariants());
        assertEquals(List.of("Live", "Safe"), Config.parse(TEXT).properties());
    }

    @Test
    void composesAMutant() {
        String mutant = Config.parse(TEXT).withoutSymmetry().checking(List.of("Two"), List.of("Live")).overriding("G", "New").toString();
        assertEquals("""
                SPECIFICATION Spec
                CONSTANT C = {a, b}
                CHECK_DEADLOCK FALSE
                INVARIANT Two
                PROPERTY Live
                CONSTANT G <- New
                """, mutant);
    }

    @Test
    void knowsWhatStandsForWhat() {
        assertEquals(java.util.Map.of("MCCrash", "Crash"),
                Config.parse("CONSTANTS Crash <- MCCrash Evict <- Never Rollback <- Never\n T = {a}").standIns());
    }
}
