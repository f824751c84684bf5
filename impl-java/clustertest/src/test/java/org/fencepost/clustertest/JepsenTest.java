package org.fencepost.clustertest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of the tests in Clojure, what needs no Jepsen is run; the rest can be read, at least. */
class JepsenTest {

    private static final Path JEPSEN = Path.of("../../jepsen");
    private static final int SECONDS = 120;

    @TempDir
    Path folder;

    private String clojure(String program) throws Exception {
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-cp", String.join(File.pathSeparator,
                System.getProperty("java.class.path"), JEPSEN.resolve("src").toString(), JEPSEN.resolve("test").toString()), "clojure.main", "-e", program)
                        .redirectErrorStream(true).redirectOutput(out.toFile()).start();
        assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS));
        String said = Files.readString(out);
        assertEquals(0, process.exitValue(), said);
        return said;
    }

    @Test
    void whatNeedsNoJepsen() throws Exception {
        String said = clojure("(require 'clojure.test) (def all '[fencepost.jepsen.verdicts-test fencepost.jepsen.ops-test]) (apply require all)"
                + " (let [{:keys [fail error test]} (apply clojure.test/run-tests all)] (System/exit (if (and (= 0 (+ fail error)) (< 5 test)) 0 1)))");
        assertTrue(said.contains("0 failures, 0 errors"), said);
    }

    @Test
    void everyFileCanBeRead() throws Exception {
        List<String> files;
        try (Stream<Path> all = Files.walk(JEPSEN)) {
            files = all.filter(file -> file.toString().endsWith(".clj")).map(file -> "\"" + file + "\"").toList();
        }
        assertTrue(files.size() > 15, files.toString());
        clojure("(doseq [f [" + String.join(" ", files) + "]] (with-open [in (java.io.PushbackReader. (clojure.java.io/reader f))]"
                + " (loop [] (when-not (= ::end (read {:eof ::end} in)) (recur)))))");
    }
}
