package org.fencepost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be done as it was asked for ends with one line that says why, and with exit code 2. */
class BadInputTest {
    @TempDir
    Path folder;

    /** Exit code and standard error, or standard output where there is none. */
    private static String run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
            int code = Fencepost.run(arguments);
            return code + ": " + (complained.size() == 0 ? printed : complained).toString(StandardCharsets.UTF_8).strip();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private String judge(byte... history) throws IOException {
        Path file = Files.write(folder.resolve("history.edn"), history);
        return run("judge", "--workload", "list-append-ll", file.toString()).replace(folder + "/", "");
    }

    @Test
    void historiesThatAreNone() throws IOException {
        assertEquals("2: There is no history file /nowhere.edn.", run("judge", "--workload", "list-append-ll", "/nowhere.edn"));
        assertEquals("2: There is no history file " + folder + ".", run("judge", "--workload", "list-append-ll", folder.toString()));
        assertEquals("2: history.edn is not a history: it is not text in UTF-8.", judge((byte) 0xff, (byte) 0xfe));
        assertEquals("2: history.edn is not a history: Operation 0 of the history is no map with type, process and f.", judge("garbage {".getBytes()));
        assertEquals("2: history.edn is not a history: This is no EDN: collections in more than 100 others at character 101.",
                judge("[".repeat(100_000).getBytes()));
        assertTrue(run("judge", "--workload", "nonsense", "/nowhere.edn").startsWith("2: There is no workload nonsense; there are list-append-ll, "));
    }

    @Test
    void argumentsThatNobodyKnows() {
        assertEquals("2: Unmatched argument at index 0: 'nonsense'. See fencepost --help.", run("nonsense"));
        assertEquals("2: Unmatched argument at index 0: 'playgroud'. Did you mean playground? See fencepost --help.", run("playgroud"));
        assertEquals("2: Unknown option: '--nonsense'. See fencepost judge --help.", run("judge", "--workload", "bank", "history.edn", "--nonsense"));
        assertEquals("2: Invalid value for option '--seed': 'x' is not a long. See fencepost torture --help.", run("torture", "--seed", "x"));
    }

    @Test
    void theVersionIsMavens() {
        assertTrue(run("--version").matches("0: fencepost \\d+\\.\\d+\\.\\d+\\S* for HBase 2\\.6\\.\\S+, on Java " + System.getProperty("java.version")));
    }
}
