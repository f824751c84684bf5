package org.fencepost.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some paths through a small model of each protocol; {@link ConformanceTest} takes more of them, of all models, and breaks code and specs. */
class SmallModelsTest {

    @TempDir
    private Path out;

    @ParameterizedTest
    @ValueSource(strings = {"ReplayRace2x2", "ReplayConflict1x2", "ReplayUpdate1x1", "ReplayMixed2x1", "ReplayOrphans1x2", "ReplayParts0x2", "Fast1x1", "ReplaySerial2x1"})
    void theCodeTakesTheirSteps(String model) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        String[] options = {"--specs", Path.of("..", "..", "specs").toString(), "--out", out.toString(), "--only", model, "--paths", "400"};
        assertEquals(0, Conformance.run(options, stream, stream), () -> printed.toString(StandardCharsets.UTF_8));
    }
}
