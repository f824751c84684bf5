package org.fencepost.audit.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.audit.models.Toy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gate that is weakened, as a text and in the toy specs. */
class CheckGateTest {

    private static final String CONFIG = """
            \\* Of two.
            \\* witnesses: Held,
            \\*   Freed
            SPECIFICATION Spec
            CONSTANTS
                Txn = {t1, t2}
                One = {k1}
                Faults = 2
                None = 0
                Order = TRUE
                May <- Never
            INVARIANTS TypeOK Safe
            PROPERTY Ends
            """;

    @TempDir
    private Path folder;

    @Test
    void propertiesWitnessesAndValuesGo() {
        List<GateMutation> all = GateMutation.of("Spec", "Small", CONFIG);
        assertEquals(List.of("Spec/Small: TypeOK -> nothing", "Spec/Small: Safe -> nothing", "Spec/Small: Ends -> nothing",
                "Spec/Small: Held -> nothing", "Spec/Small: Freed -> nothing", "Spec/Small: Txn = {t1, t2} -> Txn = {t1}",
                "Spec/Small: Faults = 2 -> Faults = 1", "Spec/Small: Order = TRUE -> Order = FALSE"), all.stream().map(GateMutation::id).toList());
        assertTrue(all.get(1).newText().contains("INVARIANTS TypeOK \n"), all.get(1).newText());
        assertTrue(all.get(3).newText().contains("\\* witnesses: Freed\n"), all.get(3).newText());
        assertTrue(all.get(4).newText().contains("\\* witnesses: Held\n"), all.get(4).newText());
    }

    private Toy.Outcome run(Toy toy, String... options) {
        List<String> args = new ArrayList<>(List.of("--specs", toy.specs.toString(), "--out", folder.resolve("out").toString(), "--tlc", ""));
        args.addAll(List.of(options));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = CheckGate.run(args.toArray(String[]::new), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Toy.Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Without the number of properties that a model checks, one that is taken out is missed. */
    @Test
    void whatIsNotPinnedIsMissed() throws Exception {
        Toy toy = new Toy(folder);
        String pinned = "module: MCToy\nsize: ci\nexpect: pass\nstates: 16\n";
        toy.model("Counted", pinned + "checks: 2", "INVARIANTS TypeOK MutualExclusion");
        toy.model("Uncounted", pinned, "INVARIANTS TypeOK MutualExclusion");
        Toy.Outcome counted = run(toy, "--only", "Toy/Counted");
        assertTrue(counted.out().contains("noticed   Toy/Counted: MutualExclusion -> nothing  (checks 1 properties, expected 2)"), counted.toString());
        assertTrue(counted.out().contains("noticed   Toy/Counted: Client = {c1, c2} -> Client = {c1}"), counted.toString());
        Toy.Outcome uncounted = run(toy, "--only", "Toy/Uncounted");
        assertEquals(1, uncounted.exit(), uncounted.toString());
        assertTrue(uncounted.out().contains("not noticed: Toy/Uncounted: MutualExclusion -> nothing"), uncounted.toString());
    }

    @Test
    void badInput() throws Exception {
        assertEquals("Nothing can be weakened in 'Foo': give a spec, or <spec>/<model> of a model with pinned counts, of up to --largest states.",
                run(new Toy(folder), "--only", "Foo").err().strip());
    }
}
