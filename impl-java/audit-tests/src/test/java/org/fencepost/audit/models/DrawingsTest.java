package org.fencepost.audit.models;

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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.Commands;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drawings in docs are what the specs do. */
class DrawingsTest {
    private static final Path DOCS = Path.of("../../docs");
    private static final Path SPECS = Path.of("../../specs");

    @TempDir
    Path folder;

    private Toy.Outcome drawings(String... options) {
        List<String> args = new ArrayList<>(List.of("--work", folder.resolve("work").toString(), "--tlc", ""));
        args.addAll(List.of(options));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int exit = Drawings.run(args.toArray(String[]::new), new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(errors, true, StandardCharsets.UTF_8));
        return new Toy.Outcome(exit, printed.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aWitnessIsDrawnAndComparedWithWhatIsThere() throws IOException {
        Toy toy = new Toy(folder);
        Path list = Files.writeString(folder.resolve("list.txt"), "Toy/Small Held = \\E c \\in Client : c \\in holder: Somebody holds the lock.\n");
        String[] options = {"--specs", toy.specs.toString(), "--list", list.toString(), "--out", folder.resolve("svg").toString()};
        assertEquals(0, drawings(options).exit(), drawings(options).err());
        String svg = Files.readString(folder.resolve("svg/Toy-Held.svg"));
        assertTrue(svg.contains("Somebody holds the lock.") && svg.contains(">Ask<") && svg.contains(">Grant<"), svg);
        String[] comparing = Stream.concat(Stream.of(options), Stream.of("--compare")).toArray(String[]::new);
        assertEquals(0, drawings(comparing).exit());
        String spec = Files.readString(toy.specs.resolve("Toy.tla"));
        toy.write("Toy.tla", spec.replaceAll("\\bAsk\\b", "Demand"));
        Toy.Outcome outcome = drawings(comparing);
        assertEquals(Check.NOT_AS_EXPECTED, outcome.exit(), outcome.out() + outcome.err());
        assertTrue(outcome.out().startsWith("DIFFERS  "), outcome.out());
    }

    @Test
    void whatCannotBeDrawnIsSaid() throws IOException {
        Toy toy = new Toy(folder);
        for (List<String> line : List.of(List.of("Toy/Small Nothing: A title.", "has no witness Nothing"), List.of("Toy/Smaller X: A title.", "no model or mutant Toy/Smaller"),
                List.of("Toy/Small Both = Cardinality(holder) = 3: A title.", "TLC finds no such behaviour"), List.of("gibberish", "names no drawing"))) {
            Path list = Files.writeString(folder.resolve("list.txt"), line.get(0) + "\n");
            Toy.Outcome outcome = drawings("--specs", toy.specs.toString(), "--list", list.toString(), "--out", folder.resolve("svg").toString());
            assertEquals(Commands.USAGE, outcome.exit(), outcome.out());
            assertTrue(outcome.err().contains(line.get(1)), outcome.err());
        }
    }

    @Test
    void whatIsListedIsThereAndShown() throws IOException {
        Set<String> listed = Files.readAllLines(DOCS.resolve("drawings/list.txt")).stream().filter(l -> !l.isBlank() && !l.startsWith("#"))
                .map(l -> l.replaceAll("(?:(\\w+)/(\\w+))(?: (\\w+))?( = .*)?: .*", "$1-$3-$2").replaceAll("-(\\w+)-\\w+$", "-$1").replaceAll("--", "-") + ".svg")
                .collect(Collectors.toCollection(TreeSet::new));
        try (Stream<Path> files = Files.list(DOCS.resolve("drawings"))) {
            assertEquals(listed, files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".svg")).collect(Collectors.toCollection(TreeSet::new)));
        }
        String pages = Files.readString(DOCS.resolve("how-it-works.md")) + Files.readString(DOCS.resolve("../README.md"));
        Set<String> shown = Pattern.compile("drawings/([\\w-]+\\.svg)").matcher(pages).results().map(m -> m.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(listed, shown);
    }

    /** One, so that a change of how behaviours are drawn is seen at once. */
    @Test
    void aDrawingIsWhatTheSpecDoes() {
        compare("OmidLL-Commit");
    }

    /** Omid LL's; the rest by make drawings COMPARE=1. */
    @Tag("long")
    @Test
    void theDrawingsAreWhatTheSpecDoes() {
        compare("OmidLL");
    }

    private void compare(String only) {
        Toy.Outcome outcome = drawings("--specs", SPECS.toString(), "--list", DOCS.resolve("drawings/list.txt").toString(), "--out",
                DOCS.resolve("drawings").toString(), "--only", only, "--compare");
        assertEquals(0, outcome.exit(), outcome.out() + outcome.err());
    }
}
