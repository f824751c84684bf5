package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an earlier run has found is taken over while its inputs are the same, and only if it is whole. */
class PastRunTest {
    @TempDir
    Path folder;
    private Toy toy;

    @BeforeEach
    void firstRun() throws Exception {
        toy = new Toy(folder);
        Toy.Outcome first = toy.check();
        assertEquals(0, first.exit(), first.out());
        assertFalse(first.out().contains("taken over"), first.out());
    }

    private void assertTakenOver(int expected, String... options) throws IOException {
        Toy.Outcome outcome = toy.check(options);
        assertEquals(0, outcome.exit(), outcome.out() + outcome.err());
        String says = "taken over      " + expected + " of 4 results from earlier runs on the same inputs\n";
        assertEquals(expected > 0, outcome.out().contains(says), outcome.out());
        String json = Files.readString(toy.out.resolve("results.json"));
        assertEquals(expected, json.split("\"takenOver\": true", -1).length - 1, json);
        assertEquals(expected > 0, json.contains(says.strip()), json);
    }

    private void edit(Path file, String was, String becomes) throws IOException {
        String text = Files.readString(file);
        assertTrue(text.contains(was), text);
        Files.writeString(file, text.replace(was, becomes));
    }

    @Test
    void whatHasNotChangedIsNotRunAgain() throws Exception {
        assertTakenOver(4);
        assertTakenOver(0, "--fresh");
        assertTakenOver(4);
        edit(toy.specs.resolve("models/Toy/Small.cfg"), "Key = {k1}", "Key = {k2}");
        assertTakenOver(0);
        edit(toy.specs.resolve("models/Toy/Small.cfg"), "\\* size", "\\* coverage: off\n\\* size");
        Toy.Outcome uncounted = toy.check();
        assertTrue(uncounted.out().contains("taken over      3 of 4 "), "TLC is told to count, or not: " + uncounted.out());
    }

    @Test
    void aPinIsComparedWithWhatWasFound() throws Exception {
        edit(toy.specs.resolve("models/Toy/Small.cfg"), "states: 16", "states: 17");
        Toy.Outcome outcome = toy.check();
        assertEquals(Check.NOT_AS_EXPECTED, outcome.exit());
        assertTrue(outcome.out().contains("expected 17 states") && outcome.out().contains("taken over      4 of 4"), outcome.out());
    }

    @Test
    @Tag("long")
    void whatIsDamagedIsNoVerdict() throws Exception {
        Path log = toy.out.resolve("Toy/GrantTwice/tlc.out");
        edit(log, "MutualExclusion", "TypeOK");
        assertTakenOver(3);
        String text = Files.readString(log);
        Files.writeString(log, text.substring(0, text.lastIndexOf("@!@!@STARTMSG 2217")));
        assertTakenOver(3);
        Files.delete(log);
        assertTakenOver(3);
        Path kept = toy.out.resolve("Toy/Small/run.json");
        edit(kept, "\"exit\": 0", "\"exit\": 12");
        assertTakenOver(3);
        edit(kept, "\"workers\": 1", "\"workers\": 2"); // for which no depth is compared
        assertTakenOver(3);
        for (String damaged : new String[] {"", "{", "[]", "{}", "null", "{\"inputs\": 1}"}) {
            Files.writeString(kept, damaged);
            assertTakenOver(3);
        }
        Files.write(kept, new byte[] {(byte) 0xff, 0, (byte) 0xfe});
        assertTakenOver(3);
        assertTakenOver(4);
    }
}
