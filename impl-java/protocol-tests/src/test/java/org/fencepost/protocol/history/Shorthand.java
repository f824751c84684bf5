package org.fencepost.protocol.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.fencepost.protocol.history.Violation.Axiom;

/** What tests write about transactions: {@code r x 10} reads what 10 wrote to x (0: nobody), {@code w x} writes it, {@code d x} deletes it. */
final class Shorthand {

    private Shorthand() {
    }

    /** Does the operations, in this order. */
    static HistoryTransaction does(HistoryTransaction t, String... operations) {
        for (String operation : operations) {
            String[] words = operation.split(" ");
            switch (words[0]) {
                case "r" -> t.read(words[1], Long.parseLong(words[2]));
                case "w" -> t.write(words[1]);
                default -> t.delete(words[1]);
            }
        }
        return t;
    }

    /** Exactly this axiom is violated, once, and these transactions are shown. */
    static void assertViolation(List<Violation> found, Axiom axiom, HistoryTransaction... shown) {
        assertEquals(1, found.size(), found.toString());
        assertEquals(axiom, found.get(0).axiom(), found.toString());
        assertEquals(Set.of(shown), Set.copyOf(found.get(0).transactions()), found.toString());
        assertTrue(found.get(0).toString().startsWith(axiom + ": "), found.toString());
        for (HistoryTransaction t : shown) {
            assertTrue(found.get(0).toString().contains(t.toString()), found.toString());
        }
    }
}
