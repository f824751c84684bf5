package org.fencepost.audit.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.fencepost.audit.models.Toy;
import org.fencepost.audit.text.SpecText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that nobody wrote, of texts and of the toy specs. */
class CheckMutateTest {

    @TempDir
    private Path folder;

    private static List<String> of(String... lines) {
        String text = "---- MODULE M ----\nVARIABLES x, y\n" + String.join("\n", lines) + "\n====\n";
        SpecText all = new SpecText();
        all.add("M", text);
        all.add("Other", "Write(t) == x' = 1\nReady(t) == x = 1\n");
        return SpecMutation.of("M", text, Set.of("A", "B"), all).stream().map(m -> m.kind() + " " + m.newLine().strip()).sorted().toList();
    }

    @Test
    void conjunctsOfOneLineGo() {
        assertEquals(List.of("CONJUNCT /\\ TRUE", "KEEP /\\ x' = x"), of("A ==", "    /\\ y[1] \\in {2, 3} \\* why", "    /\\ x' = y", "    /\\ UNCHANGED y"));
        assertEquals(List.of("CONJUNCT B(t) == TRUE /\\ Q", "CONJUNCT B(t) == y(1 /\\ 2) /\\ TRUE"), of("B(t) == y(1 /\\ 2) /\\ Q"));
        assertEquals(List.of(), of("A ==", "    /\\ \\E t \\in S :", "          /\\ x' = [y EXCEPT", "                !.a = 1]"), "what goes on in the next line stays");
    }

    @Test
    void whatSaysSomethingOfTheNextStateStays() {
        assertEquals(List.of("CONJUNCT /\\ TRUE"),
                of("A ==", "    /\\ Step(x) /\\ Again", "    /\\ Guard", "    /\\ MayFail", "Step(y) ==", "    /\\ x' = y", "Again == Step(1)", "Guard == x = 1", "MayFail == TRUE"));
    }

    /** Of two operators of one name, that of the module is meant, or the instance's behind its name. */
    @Test
    void whatAnInstanceSaysOfTheNextStateStays() {
        String[] module = {"A ==", "    /\\ Ready(t) /\\ L!Ready(t)", "    /\\ L!Write(t) /\\ Write(t)", "Ready(t) == x' = 2", "Write(t) == x = 2", "L == INSTANCE Other"};
        assertEquals(List.of("CONJUNCT /\\ L!Write(t) /\\ TRUE", "CONJUNCT /\\ Ready(t) /\\ TRUE"), of(module));
    }

    @Test
    void disjunctsComparisonsConditionsAndChanges() {
        assertEquals(List.of("CONJUNCT A == TRUE", "DISJUNCT A == FALSE \\/ Q", "DISJUNCT A == P \\/ FALSE"), of("A == P \\/ Q"));
        assertEquals(List.of("COMPARISON A == \\A t \\in S : x <= y[t]", "QUANTIFIER A == \\E t \\in S : x < y[t]"), of("A == \\A t \\in S : x < y[t]").stream()
                .filter(m -> !m.startsWith("CONJ")).toList());
        assertEquals(List.of("CHANGE /\\ x' = [x EXCEPT ![1] = @]", "KEEP /\\ x' = x"), of("A ==", "    /\\ x' = [x EXCEPT ![1] = @ + 1]"));
        assertTrue(of("A == IF x = 1 THEN y ELSE x").containsAll(List.of("CONDITION A == IF TRUE THEN y ELSE x", "CONDITION A == IF FALSE THEN y ELSE x")));
    }

    @Test
    void onlyTheOperatorsOfStepsAreChanged() {
        assertEquals(List.of(), of("Property ==", "    /\\ x = 1"));
    }

    private Toy.Outcome run(Toy toy, String... options) {
        List<String> args = new ArrayList<>(List.of("--specs", toy.specs.toString(), "--out", folder.resolve("out").toString(), "--tlc", ""));
        args.addAll(List.of(options));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = CheckMutate.run(args.toArray(String[]::new), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Toy.Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** That no model was run is no verdict. */
    @Test
    void withoutAModelOfThatSizeNothingIsKnown() throws Exception {
        Toy.Outcome outcome = run(new Toy(folder), "--only", "Toy/LockFree", "--largest", "1");
        assertEquals(1, outcome.exit(), outcome.out());
        assertTrue(outcome.out().contains("unknown   Toy:") && outcome.out().contains("no model of up to 1 states"), outcome.out());
        assertTrue(!outcome.out().contains("survives: "), outcome.out());
    }

    @Test
    void theToysChangesAreNoticedButOneWhichIsArgued() throws Exception {
        Toy toy = new Toy(folder);
        String text = Files.readString(toy.specs.resolve("Toy.tla"));
        toy.write("Toy.tla", text.replace("LockFree(c) == holder = {}", "LockFree(c) == holder = {} /\\ holder \\subseteq Client"));
        Toy.Outcome outcome = run(toy, "--only", "Toy/LockFree");
        assertTrue(outcome.out().contains("killed    Toy:"), outcome.out() + outcome.err());
        String survivor = "Toy/LockFree: holder \\subseteq Client -> TRUE";
        assertTrue(outcome.out().contains("survives: Toy:"), outcome.out());
        assertTrue(outcome.out().contains(survivor), outcome.out());
        toy.write("mutants/argued.txt", "# why\n" + survivor + "  holder is always a set of clients (TypeOK).\n");
        assertTrue(run(toy, "--only", "Toy/LockFree").out().contains("survives, argued: Toy:"), outcome.out());
    }

    @Test
    void badInput() throws Exception {
        Toy toy = new Toy(folder);
        assertEquals("No spec 'Foo' has models; there are Toy.", run(toy, "--only", "Foo").err().strip());
        assertTrue(run(toy, "--only", "Toy/Nothing").err().startsWith("Nothing can be changed in 'Toy/Nothing'"));
        toy.write("mutants/argued.txt", "Toy/Ask: a -> b\n");
        Toy.Outcome outcome = run(toy);
        assertEquals(2, outcome.exit());
        assertTrue(outcome.err().contains("has no reason"), outcome.err());
    }
}
