package org.fencepost.audit.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders of runs. */
public final class Folders {

    private Folders() {
    }

    /** With all that is in it. What cannot be deleted stays. */
    public static void deleteQuietly(Path root) {
        try (Stream<Path> files = Files.exists(root) ? Files.walk(root) : Stream.empty()) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // What is left over is found by `make clean`.
        }
    }
}
