package org.fencepost.phoenix.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short part of {@code make test-phoenix}: one of Phoenix's classes on Fencepost, in a minute; and that a class which cannot be run is no success. */
class PhoenixTestsTest {

    private static final Path HOME = Path.of("").toAbsolutePath();

    @TempDir
    private Path out;

    private int run(String name) throws Exception {
        return PhoenixTests.run("--home", HOME.toString(), "--out", out.toString(), "--subject", "fencepost", "--minutes", "5", "--class", name);
    }

    @Test
    @Tag("long")
    void phoenixsTransactionsFlap() throws Exception {
        int exit = run("tx.FlappingTransactionIT");
        String results = Files.readString(out.resolve("results.md"));
        assertEquals(0, exit, results);
        assertEquals(4, results.lines().filter(line -> line.contains("| passed |")).count(), results);
    }

    @Test
    void whatDidNotRunIsUnknown() throws Exception {
        assertEquals(1, run("tx.NoSuchIT"));
        assertTrue(Files.readString(out.resolve("results.md")).contains("| tx.NoSuchIT | the class as a whole | unknown |"));
    }
}
