package org.fencepost.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.z3.Context;
import com.microsoft.z3.Expr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fencepost.audit.text.AuditException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The translator says so where it does not understand a specification, and what is not so stays open. */
@Timeout(300)
class TranslatorTest {
    @TempDir
    Path folder;

    /** Of what is assumed to be empty no action is taken; of a set of sets each element is a set, and sets with the same elements are one. */
    @Test
    void setsOfSetsAndEmptySets() throws IOException {
        String constants = "CONSTANTS\n    \\* @type: Set(ITEM);\n    Item,\n    \\* @type: Set(ITEM);\n    None,\n    \\* @type: Set(Set(ITEM));\n    Family\n";
        String assumed = "\nConstants == None = {} /\\ \\A f \\in Family : f \\subseteq Item\n";
        Specification spec = toy(constants + "\nInit == x = 0\nUp(f) == x' = IF f = {} THEN 0 ELSE x + 1\n"
                + "Down(n) == x' = x - 1\nNext == (\\E f \\in Family : Up(f)) \\/ (\\E n \\in None : Down(n))\n"
                + REST.replace("\nConstants == TRUE\n", assumed).replace("Ordered == x + 1 > x", "Ordered == \\A f \\in Family, g \\in Family : (\\A i \\in Item : i \\in f <=> i \\in g) => f = g"));
        Proof proof = new Proof(spec, 100_000, 0);
        assertEquals(List.of("Up"), proof.actions());
        proof.parts().forEach(part -> proof.prove(part).forEach(r -> assertEquals(0, r.open(), r.toString())));
    }

    private Specification toy(String definitions) throws IOException {
        Path module = folder.resolve("Toy.tla");
        Files.writeString(module, "---- MODULE Toy ----\nEXTENDS Integers, FiniteSets\nVARIABLE\n    \\* @type: Int;\n    x\n" + definitions + "\n====\n");
        return Specification.read(module, List.of(folder), Map.of());
    }

    private static String refusal(Specification spec) {
        return assertThrows(AuditException.class, () -> {
            Proof proof = new Proof(spec, 1000, 0);
            proof.parts().forEach(proof::prove);
        }).getMessage();
    }

    private static final String REST = "\nConstants == TRUE\nPositive == x >= 0\nInductive == Positive\nOrdered == x + 1 > x\nLemmas == Ordered\nConsequences == Ordered\nPromises == Positive\nByInduction(n) == n >= 0\n";

    @Test
    void whatIsNotTranslatedIsAnErrorWithItsPlace() throws IOException {
        String init = "\nInit == x = 0";
        assertEquals("Toy.tla, line 7, column 11: 'Cardinality' is not translated.",
                refusal(toy("\nA == x' = Cardinality({x})\nB == x' = 1\nNext == A \\/ B" + init + REST)));
        assertEquals("Toy.tla, line 8, column 9: it does not say what 'x' becomes.", refusal(toy("\nA == x = 1\nNext == A \\/ A" + init + REST)));
        assertEquals("Toy.tla, line 7, column 23: a choice out of Nat is not translated.",
                refusal(toy("\nA == TRUE /\\ \\E y \\in Nat : x' = y\nNext == A \\/ A" + init + REST)));
        assertEquals("Toy.tla, line 11, column 13: a prime says nothing here.", refusal(toy("\nA == x' = 1\nNext == A \\/ A" + init + REST.replace("x >= 0", "x' >= 0"))));
    }

    @Test
    void whatCannotBeParsedOrHasNoTypeIsAnError() throws IOException {
        assertTrue(assertThrows(AuditException.class, () -> toy("A == ==")).getMessage().contains("cannot be parsed"));
        Path module = folder.resolve("Bare.tla");
        Files.writeString(module, "---- MODULE Bare ----\nVARIABLE y\nNext == y' = y\n====\n");
        Specification bare = Specification.read(module, List.of(folder), Map.of());
        assertEquals("Bare.tla, line 2, column 10: the variable 'y' has no annotation @type:.", refusal(bare));
        assertTrue(assertThrows(AuditException.class, () -> Specification.read(folder.resolve("None.tla"), List.of(), Map.of())).getMessage().contains("no module"));
    }

    /** One invariant is kept, one is not; of what follows, one does and one does not. */
    @Test
    void whatIsNotSoIsOpen() throws IOException {
        Specification spec = toy("\nUp == x' = x + 1\nDown == x' = x - 1\nNext == Up \\/ Down\nInit == x = 0" + REST);
        Proof proof = new Proof(spec, 100_000, 0);
        Map<String, Integer> open = new LinkedHashMap<>();
        proof.parts().forEach(part -> proof.prove(part).forEach(r -> open.put(r.part() + "/" + r.conjunct(), r.open())));
        assertEquals(Map.of("Init/Positive", 0, "Up/Positive", 0, "Down/Positive", 1, "ByInduction/ByInduction", 0, "Lemmas/Ordered", 0, "Consequences/Ordered", 0, "Promises/Positive", 0), open);
    }

    /** A formula that says nothing certain is not taken for true. */
    @Test
    void whatIsUnknownIsNeitherTrueNorFalse() {
        try (Context z3 = new Context()) {
            Expr<?> unknown = z3.mkBoolConst("unknown");
            assertThrows(AssertionError.class, () -> MeaningTest.isTrue(unknown));
        }
    }
}
