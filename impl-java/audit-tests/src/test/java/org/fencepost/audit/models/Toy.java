package org.fencepost.audit.models;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A copy of the toy specs that a test may spoil. */
public final class Toy {
    public static final Path ORIGINAL = Path.of("src/test/resources/specs");
    static final String SMALL = """
            SPECIFICATION Spec
            CONSTANTS
              Client = {c1, c2}
              Key = {k1}
            CHECK_DEADLOCK FALSE
            """;

    /** What a run of the command printed and how it ended. */
    public record Outcome(int exit, String out, String err) {}

    public final Path specs;
    public final Path out;

    public Toy(Path folder) throws IOException {
        specs = folder.resolve("specs");
        out = folder.resolve("check");
        try (Stream<Path> files = Files.walk(ORIGINAL)) {
            for (Path file : files.toList()) {
                Path copy = specs.resolve(ORIGINAL.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    public Path write(String path, String text) throws IOException {
        return Files.writeString(specs.resolve(path), text);
    }

    /** Adds a model with the given header lines and the usual constants. */
    public Toy model(String name, String header, String... sections) throws IOException {
        write("models/Toy/" + name + ".cfg", header.lines().map(l -> "\\* " + l + "\n").reduce("", String::concat)
                + SMALL + String.join("\n", sections) + "\n");
        return this;
    }

    /** Adds a mutant with the given header lines and definition. */
    Toy mutant(String name, String header, String definition) throws IOException {
        write("mutants/Toy/" + name + ".tla", "---- MODULE " + name + " ----\n"
                + header.lines().map(l -> "\\* " + l + "\n").reduce("", String::concat) + "EXTENDS MCToy\n" + definition + "\n====\n");
        return this;
    }

    public Outcome check(String... options) {
        List<String> args = new ArrayList<>(List.of("--specs", specs.toString(), "--out", out.toString(), "--tlc", ""));
        args.addAll(List.of(options));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int exit = Check.run(args.toArray(String[]::new), new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(errors, true, StandardCharsets.UTF_8));
        return new Outcome(exit, printed.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    Job job(String name) {
        return Suite.load(specs).jobs().stream().filter(j -> j.name().equals(name)).findFirst().orElseThrow();
    }
}
