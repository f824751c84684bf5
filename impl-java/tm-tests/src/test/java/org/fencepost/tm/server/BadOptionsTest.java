package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Options that make no sense are one line, and exit code 2: the page of all options is for whoever asks for it. */
class BadOptionsTest {

    private static String run(String... arguments) {
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
            int code = TmServer.run(new TmServer(), arguments);
            return code + ": " + said.toString(StandardCharsets.UTF_8).strip();
        } finally {
            System.setErr(err);
        }
    }

    @Test
    void theyAreOneLine() {
        assertEquals("2: Missing required option: '--zookeeper=HOST:PORT[,...][/PATH]'. See fencepost tm --help.", run());
        assertEquals("2: Unknown option: '--nonsense'. See fencepost tm --help.", run("--zookeeper", "127.0.0.1:1", "--nonsense"));
        assertEquals("1: The transaction manager cannot start: '127.0.0.1:218x' is no ZooKeeper server: give HOST:PORT, several separated by commas; a path may follow.", run("--zookeeper", "127.0.0.1:218x"));
        assertEquals("2: Invalid value for option '--port': 'x' is not an int. See fencepost tm --help.", run("--zookeeper", "127.0.0.1:1", "--port", "x"));
    }
}
