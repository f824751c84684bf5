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
        assertTrue(text().contains("1 safety mutants, of 0 nothing is open"), text());
    }
}
