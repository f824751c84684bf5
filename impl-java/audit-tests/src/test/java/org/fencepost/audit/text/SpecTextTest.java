package org.fencepost.audit.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpecTextTest {
    private static SpecText text(String module) {
        SpecText text = new SpecText();
        text.add("M", module);
        return text;
    }

    @Test
    void findsTheLaneOfAVariable() {
        SpecText text = text("""
                \\* In one line.  Lane: client
                VARIABLE a
                \\* Annotated above.  Lane: key
                \\* @type: KEY -> Int;
                VARIABLE b
                \\* Annotated between.  Lane: CT
                VARIABLE
                    \\* @type: Int;
                    c
                \\* Untagged.
                VARIABLES d, e
                """);
        assertEquals("client", text.lane("a"));
        assertEquals("key", text.lane("b"));
        assertEquals("CT", text.lane("c"));
        assertNull(text.lane("e"));
        assertEquals("Untagged.", text.variable("e").orElseThrow().comment());
    }

    @Test
    void findsTheLaneOfAVariableThatIsDeclaredAgain() {
        SpecText text = text("\\* As in Base.\nVARIABLES a, b\n\\* Its own.  Lane: key\nVARIABLE c\n");
        text.add("Base", "\\* One.  Lane: client\nVARIABLE a\n\\* Other.  Lane: CT\nVARIABLE c\n");
        assertEquals("client", text.lane("a"));
        assertNull(text.lane("b"));
        assertEquals("key", text.lane("c"));
    }

    @Test
    void findsWhatNextDoesNotComeTo() {
        SpecText text = text("""
                VARIABLE x
                Up == x' = x + 1
                Down == x' = x - 1
                Reset == Up /\\ x > 3
                Grows == x' > x
                Step == Down
                Next == Step
                Live == WF_x(Grows)
                Small == x < 3
                NeverStuck == ENABLED Rise(1) \\/ ENABLED Up
                """);
        assertEquals(List.of("Reset", "Up"), text.leftOut("M").stream().sorted().toList());
    }

    @Test
    void findsTheSourceOfAnAction() {
        SpecText text = text("""
                \\* The TM gives the next timestamp.  VLDB'18 Alg. 2, Begin
                \\* One action, equivalent because nothing happens in between.
                Begin(t) == x' = 1
                \\* A client dies. What it did stays.
                Crash(t) == x' = 2
                \\* Guard (VLDB'18 Alg. 3, Read): looks again.
                Again(t) == TRUE

                \\* A comment that a blank line separates.

                Bare == TRUE
                """);
        assertEquals("VLDB'18 Alg. 2, Begin", text.operator("Begin").orElseThrow().source());
        assertEquals("A client dies.", text.operator("Crash").orElseThrow().source());
        assertEquals("VLDB'18 Alg. 3, Read", text.operator("Again").orElseThrow().source());
        assertEquals("", text.operator("Bare").orElseThrow().source());
        assertEquals("The TM gives the next timestamp. One action, equivalent because nothing happens in between.",
                text.operator("Begin").orElseThrow().sentences(2));
    }

    @Test
    void findsGuardsOfTheSpecAndWhatItExtends() {
        SpecText text = text("EXTENDS Base, Naturals\n\\* Guard: one.\nOne(t) == TRUE\n\\* No guard.\nTwo == TRUE\n");
        text.add("Base", "\\* Guard (Alg. 1): three.\nThree == TRUE\n");
        text.add("Other", "\\* Guard: four.\nFour == TRUE\n");
        assertEquals(List.of("One", "Three"), text.guards("M").stream().map(SpecText.Definition::name).toList());
    }

    @Test
    void findsTheActionsOfNext() {
        SpecText text = text("""
                Ready(t) == x = 1
                Begin(t) ==
                  /\\ Ready(t)
                  /\\ x' = 1
                Crash(t) ==
                  /\\ Ready(t)
                  /\\ Helper(t)
                Helper(t) == x' = 3
                Steps(t) == Begin(t) \\/ \\E k \\in Key : Write(t, k)
                Write(t, k) ==
                  /\\ UNCHANGED x
                Next == \\E t \\in Txn : Steps(t) \\/ Crash(t)
                """);
        assertEquals(Set.of("Begin", "Write", "Crash"), text.actions("Next"));
    }

    /** {@code Roll} of the module is made of that of the instance, and is a step because that is one. */
    @Test
    void findsTheActionsThatAreTakenFromAnInstance() {
        SpecText text = text("""
                L == INSTANCE Base WITH y <- 0
                Roll(t) == MayFail /\\ L!Roll(t)
                Stay(t) == MayFail /\\ L!Stay(t)
                MayFail == TRUE
                Next == \\E t \\in Txn : Roll(t) \\/ Stay(t)
                Refines == L!Refines
                """);
        text.add("Base", "EXTENDS Core\nRoll(t) ==\n    /\\ Move(t)\nStay(t) == x = [x EXCEPT ![t] = 1]\nRefines == [][Roll(1)]_x\n");
        text.add("Core", "Move(t) == x' = t\n");
        assertEquals(Set.of("Roll"), text.actions("Next"));
        assertEquals(List.of(), text.leftOut("M"), "a property of the instance is no step");
        assertEquals("MayFail /\\ L!Roll(t)", text.body("Roll"));
        assertEquals(List.of(true, false, false), List.of(text.changesState("M", "L!Roll(1)"), text.changesState("M", "L!Stay(1)"), text.changesState("M", "Move(1)")));
        assertTrue(text.leavesToModels("M", "x = 1 /\\ MayFail"));
    }
}
