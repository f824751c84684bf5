package org.fencepost.prove;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code make prove}. */
@Timeout(300)
class ProveTest {

    @TempDir
    private Path out;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private int prove(String... options) {
        List<String> all = new ArrayList<>(List.of("--specs", "../../specs", "--out", out.toString()));
        all.addAll(List.of(options));
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        return Prove.run(all.toArray(String[]::new), stream, stream);
    }

    private String text() {
        return said.toString(StandardCharsets.UTF_8);
    }

    /** A part of a proof is no proof: the report hears nothing of it. */
    @Test
    void onePartIsProvedAlone() throws IOException {
        assertEquals(0, prove("--only", "TMFailover/LateSwap"), this::text);
        assertTrue(text().contains("0 open"), text());
        assertTrue(Files.readString(out.resolve("results.txt")).contains("RaiserIsAhead"));
        assertTrue(Files.notExists(out.resolve("proof.json")));
    }

    @Test
    void whatIsNotThereIsAnError() {
        assertEquals(2, prove("--only", "OmidLL/Bgin"));
        assertTrue(text().contains("OmidLL/Begin"), text());
        assertEquals(2, prove("--only", "NoMutant", "--mutants"));
        assertTrue(text().contains("no safety mutant"), text());
    }

    /** Whose swap needs not find what it expects gives timestamps that somebody else has. */
    @Test
    void aGuardThatIsRemovedLeavesSomethingOpen() {
        assertEquals(0, prove("--mutants", "--only", "SwapsBlindly"), this::text);
        assertTrue(text().contains("1 safety mutants; of 1 a counterexample to induction is drawn"), text());
    }

    /** The solver finds the state, TLC takes the step, and the picture has both. */
    @Test
    void aCounterexampleToInductionIsDrawn() throws IOException {
        assertEquals(0, prove("--mutants", "--only", "OmidLL/NoReRead"), this::text);
        assertTrue(text().contains("Violated by the step: LeftDoesNotMatter."), text());
        assertTrue(Files.readString(out.resolve("mutants/OmidLL/NoReRead/counterexample.svg")).contains("ReReadRecord"));
    }

    private int proveToy(String next, String mutant, String... options) throws IOException {
        Path specs = out.resolve("specs");
        Files.createDirectories(specs.resolve("proof"));
        Files.createDirectories(specs.resolve("mutants/Toy"));
        Files.writeString(specs.resolve("Toy.tla"), "---- MODULE Toy ----\nEXTENDS Integers\nVARIABLE\n    \\* @type: Int;\n    x\nStep == 1\nInit == x = 0\nUp == x' = x + Step\n"
                + "Never == x < 0 /\\ x' = x\nNext == " + next + "\nPositive == x >= 0\n====\n");
        Files.writeString(specs.resolve("proof/ToyInv.tla"), "---- MODULE ToyInv ----\nEXTENDS Toy\nConstants == TRUE\nInductive == Positive\nPromises == Positive\n====\n");
        Files.writeString(specs.resolve("proof/Toy1.cfg"), "");
        Files.writeString(specs.resolve("mutants/Toy/Other.tla"),
                "---- MODULE Other ----\n\\* dies: Positive\n\\* override: Step <- Without\nEXTENDS Toy\nWithout == " + mutant + "\n====\n");
        List<String> all = new ArrayList<>(List.of("--specs", specs.toString(), "--out", out.toString()));
        all.addAll(List.of(options));
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        return Prove.run(all.toArray(String[]::new), stream, stream);
    }

    /** Of a step that nobody can take everything is proved: that is no proof. */
    @Test
    void anActionThatIsNeverPossibleIsNoSuccess() throws IOException {
        assertEquals(0, proveToy("Up \\/ Up", "1"), this::text);
        assertEquals(1, proveToy("Up \\/ Never", "1"), this::text);
        assertTrue(text().contains("0 open") && text().contains("NOT POSSIBLE where the invariant holds: Never"), text());
    }

    @Test
    void aMutantOfWhichNothingIsOpenIsNoSuccess() throws IOException {
        assertEquals(0, proveToy("Up \\/ Up", "-1", "--mutants"), this::text);
        assertEquals(1, proveToy("Up \\/ Up", "2", "--mutants"), this::text);
        assertTrue(text().contains("NOTHING IS OPEN"), text());
    }

    /** A verdict that depends on the seed would be luck: the row has the seconds of each. */
    @Test
    void eachSeedIsTried() throws IOException {
        assertEquals(0, proveToy("Up \\/ Up", "1", "--seeds", "3"), this::text);
        assertTrue(Files.readString(out.resolve("results.txt")).matches("(?s).*Toy +Up +Positive +2 +proved +\\d+ +\\d+\\.\\d +\\d+\\.\\d +\\d+\\.\\d\\n.*"), this::text);
    }
}
