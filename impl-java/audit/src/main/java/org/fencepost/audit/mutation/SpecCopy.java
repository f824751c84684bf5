package org.fencepost.audit.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.fencepost.audit.models.Suite;

/** A copy of the specs with the models of one of them, in which one file reads otherwise. */
final class SpecCopy {

    private SpecCopy() {
    }

    /** @param file below the folder of the specs */
    static Suite of(Path specs, String spec, Path copy, Path file, String text) throws IOException {
        Path models = Path.of("models", spec);
        copyFiles(specs, copy);
        copyFiles(specs.resolve(models), copy.resolve(models));
        if (Files.isDirectory(specs.resolve("proof"))) {
            copyFiles(specs.resolve("proof"), copy.resolve("proof"));
        }
        Files.writeString(copy.resolve(file), text);
        return Suite.load(copy);
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
