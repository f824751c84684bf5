package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeaderTest {
    private static Header model(String text) {
        return Header.read(text, Header.MODEL_FIELDS);
    }

    @Test
    void readsFieldsAmongProse() {
        Header h = model("""
                \\* Two clients; see also: the wide model.
                \\* module: MCToy
                \\* states: 1,234
                \\* This line is prose.
                \\* witnesses: one,
                \\*   two
                SPECIFICATION Spec
                \\* depth: 7
                """);
        assertEquals("MCToy", h.get("module"));
        assertEquals(1234, h.count("states"));
        assertEquals(List.of("one", "two"), h.list("witnesses"));
        assertNull(h.get("depth"), "only the leading comment counts");
        assertEquals(List.of(), h.problems());
    }

    @Test
    void proseFieldsGoOnUntilAnEmptyLine() {
        Header h = Header.read("""
                ---- MODULE M ----
                \\* why: first line,
                \\* second line: with a colon
                \\*
                \\* not part of it
                \\* override: A <- B
                \\* override: C <- D
                EXTENDS N
                """, Header.MUTANT_FIELDS);
        assertEquals("first line, second line: with a colon", h.get("why"));
        assertEquals(List.of("A <- B", "C <- D"), h.list("override"));
    }

    @Test
    void aMisspeltFieldIsNoProse() {
        assertEquals(List.of("unknown field 'witneses': write 'witnesses', or reword the comment"), model("\\* witneses: a").problems());
    }

    @Test
    void mistakesAreTold() {
        Header h = model("\\* states: many\n\\* module: A\n\\* module: B\n");
        h.count("states");
        h.require("expect");
        assertEquals(List.of("the field 'module' is given twice", "the field 'states' must be a number, not 'many'",
                "the field 'expect' is missing"), h.problems());
    }
}
