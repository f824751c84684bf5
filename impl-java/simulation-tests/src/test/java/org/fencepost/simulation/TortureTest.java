package org.fencepost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.simulation.torture.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TortureTest {

    @TempDir
    private Path folder;

    /** Public, with a plain signature, for a {@link MutantLoader}. Returns the exit code, a line break, and what was printed. */
    public static final class Shell {

        private Shell() {
        }

        public static String run(String arguments) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Torture torture = new Torture(new PrintStream(out, true, StandardCharsets.UTF_8));
            int exit = new CommandLine(torture).setErr(new PrintWriter(out, true)).execute(arguments.split(" "));
            return exit + "\n" + out.toString(StandardCharsets.UTF_8);
        }
    }

    private static String inMutant(String mutant, String arguments) throws ReflectiveOperationException, IOException {
        CodeMutant found = CodeMutant.ALL.stream().filter(m -> m.spec().equals(mutant)).findFirst().orElseThrow();
        return (String) MutantLoader.of(found).loadClass(Shell.class.getName()).getMethod("run", String.class).invoke(null, arguments);
    }

    @Test
    void seedsPass() {
        String output = Shell.run("--seeds 50 --twice --out " + folder);
        assertTrue(output.startsWith("0\n50 seeds in "), output);
    }

    @Test
    void seedsOfMediatorPassAndAreDrawnOnRequest() throws IOException {
        String output = Shell.run("--mediator --seeds 50 --twice --out " + folder);
        assertTrue(output.startsWith("0\n50 seeds in "), output);
        assertTrue(Files.readString(folder.resolve("summary-mediator.json")).contains("\"judged\": {\"Mediator\": [\"SnapshotLegal\", "));
        output = Shell.run("--mediator --replay 7 --operations 10 --out " + folder);
        assertTrue(output.startsWith("0\nSeed 7 passes"), output);
        assertTrue(Files.readString(folder.resolve("seed-7.txt")).contains("oracle 1"));
        Path trace = folder.resolve("trace.ndjson");
        assertTrue(Shell.run("--mediator --replay 7 --trace " + trace + " --out " + folder).startsWith("0\nSeed 7 passes"));
        assertTrue(Files.readString(trace).startsWith("{\"protocol\":\"Mediator\",\"format\":1,\"seed\":7,"));
        assertTrue(Shell.run("--mediator --replay 7 --protocol OmidLL --trace " + trace).startsWith("2\n"));
        assertTrue(Shell.run("--replay 7 --protocol Mediator --trace " + trace).startsWith("2\n"));
    }

    @Test
    void seedsOfPH1PassAndAreDrawnOnRequest() throws IOException {
        String output = Shell.run("--ph1 --seeds 50 --twice --out " + folder);
        assertTrue(output.startsWith("0\n50 seeds in "), output);
        assertTrue(Files.readString(folder.resolve("summary-ph1.json")).contains("\"judged\": {\"PH1\": [\"Snapshot\", "));
        Path trace = folder.resolve("trace.ndjson");
        assertTrue(Shell.run("--ph1 --replay 7 --trace " + trace + " --out " + folder).startsWith("0\nSeed 7 passes"));
        assertTrue(Files.readString(folder.resolve("seed-7.txt")).contains("instance 1"));
        assertTrue(Files.readString(trace).startsWith("{\"protocol\":\"PH1\",\"format\":1,\"seed\":7,"));
        assertTrue(Shell.run("--ph1 --replay 7 --protocol OmidLL --trace " + trace).startsWith("2\n"));
        assertTrue(Shell.run("--replay 7 --protocol PH1 --trace " + trace).startsWith("2\n"));
    }

    @Test
    void aPassingSeedIsDrawnOnRequest() throws IOException {
        String output = Shell.run("--replay 7 --without DEATH,STALL --clients 2 --operations 10 --out " + folder);
        assertTrue(output.startsWith("0\nSeed 7 passes"), output);
        assertTrue(Files.readString(folder.resolve("seed-7.txt")).contains("client 1"));
        assertTrue(Files.readString(folder.resolve("seed-7.svg")).startsWith("<svg"));
        assertTrue(Files.readString(folder.resolve("seed-7.ndjson")).lines().allMatch(line -> line.startsWith("{") && line.endsWith("}")));
    }

    @Test
    void aSeedIsWrittenAsATrace() throws IOException {
        Path trace = folder.resolve("trace.ndjson");
        String output = Shell.run("--replay 5 --trace " + trace + " --out " + folder);
        assertTrue(output.startsWith("0\nSeed 5 passes"), output);
        List<String> lines = Files.readAllLines(trace);
        assertTrue(lines.get(0).startsWith("{\"protocol\":\"OmidLL\",\"format\":1,\"seed\":5,"), lines.get(0));
        assertEquals("{\"end\":true,\"events\":" + (lines.size() - 2) + "}", lines.get(lines.size() - 1));
        assertTrue(Shell.run("--trace " + trace).startsWith("2\n"));
    }

    /** And the command that it prints brings the same failure about again. */
    @Test
    void aFailingSeedIsMinimisedAndCanBeReplayed() throws Exception {
        String output = inMutant("NoConflictCheck", "--seeds 100 --workers 1 --out " + folder);
        assertTrue(output.startsWith("1\n") && output.contains("fails. FirstCommitterWins"), output);
        Matcher again = Pattern.compile("fencepost torture (--replay (\\d+).* --operations (\\d+).*)").matcher(output);
        assertTrue(again.find() && Integer.parseInt(again.group(3)) <= 10, output);
        String log = Files.readString(folder.resolve("seed-" + again.group(2) + ".ndjson"));
        String replayed = inMutant("NoConflictCheck", again.group(1) + " --out " + folder);
        assertTrue(replayed.contains("fails. FirstCommitterWins"), replayed);
        String drawn = Files.readString(folder.resolve("seed-" + again.group(2) + ".txt"));
        assertTrue(drawn.contains("\nLook at the marked steps: ") && Pattern.compile("(?m)^ *▶ \\d+ │ Request").matcher(drawn).find(), drawn);
        assertEquals(log, Files.readString(folder.resolve("seed-" + again.group(2) + ".ndjson")));
        assertEquals(0, Shell.run(again.group(1) + " --out " + folder).charAt(0) - '0');
    }

    /** A failure that is noticed while it happens is marked there. */
    @Test
    void theStepAtWhichTwoLeadIsMarked() throws IOException {
        String output = Shell.run("--beyond-drift --seed 120 --seeds 1 --out " + folder);
        assertTrue(output.contains("Seed 120 fails. OneLeads"), output);
        String drawn = Files.readString(folder.resolve("seed-120.txt"));
        assertTrue(Pattern.compile("\nLook at the marked steps: \\d+\\.\n").matcher(drawn).find(), drawn);
        assertTrue(Pattern.compile("(?m)^ *▶ \\d+ │.*│ state ").matcher(drawn).find(), "the second one begins to serve there: " + drawn);
    }

    @Test
    void badInputIsRefused() {
        assertTrue(Shell.run("--seeds 0").startsWith("2\n"));
        assertEquals("2\n--seed and --replay must not be negative.\n", Shell.run("--seed -5"));
        assertEquals("2\n--seed and --replay must not be negative.\n", Shell.run("--replay -5"));
        assertTrue(Shell.run("--without RAIN").startsWith("2\n"));
    }
}
