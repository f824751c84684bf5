package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Tlc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command from end to end, with the real TLC. */
class CheckTest {
    @TempDir
    Path folder;

    private static void assertRow(Toy.Outcome outcome, String id, String verdict, String message) {
        assertTrue(outcome.out().contains("model or mutant"), outcome.out());
        String out = outcome.out().substring(outcome.out().indexOf("model or mutant"));
        String row = out.lines().filter(l -> l.matches("(ok|FAIL) +" + id + " .*")).findFirst().orElse("");
        assertTrue(row.matches("(ok|FAIL) +" + id + " +(pass|violates \\w+) +" + verdict + " .*"), id + ": " + row + "\n" + outcome.out());
        if (message != null) {
            String next = out.substring(out.indexOf(row)).lines().skip(1).findFirst().orElse("");
            assertTrue(next.contains(message), next + "\n" + outcome.out());
        }
    }

    @Test
    void everythingAsExpected() throws Exception {
        Toy toy = new Toy(folder);
        Toy.Outcome outcome = toy.check();
        assertEquals(0, outcome.exit(), outcome.out() + outcome.err());
        assertRow(outcome, "Toy/Small", "pass", null);
        assertRow(outcome, "Toy/GrantTwice", "violates MutualExclusion", null);
        assertRow(outcome, "Toy/GrantNobody", "violates AllDone", null);
        assertRow(outcome, "Toy/GrantUnasked", "violates OnlyAskers", null);
        assertFalse(outcome.out().contains("Toy/Wide"), "deep models are run on demand");
        assertTrue(outcome.out().contains("mutation score  Toy: 3 of 3 killed\n"), outcome.out());
        assertTrue(outcome.out().contains("witnesses       Toy: 2 of 2 reached\n"), outcome.out());
        assertTrue(outcome.out().contains("action coverage Toy: 3 of 3 actions taken; least often"), outcome.out());
        assertTrue(outcome.out().contains("guards          Toy: 2 of 2 have a mutant\n"), outcome.out());
        String json = Files.readString(toy.out.resolve("results.json"));
        assertTrue(json.contains("\"passed\": true") && json.contains("\"sha256\": \"" + Tlc.PINNED_SHA256), json);
        assertTrue(Files.exists(toy.out.resolve("Toy/GrantNobody/counterexample.svg")));
        assertFalse(Files.exists(toy.out.resolve("Toy/Small/states")));
    }

    @Test
    void eachKindOfFailureIsSeen() throws Exception {
        String header = "module: MCToy\nexpect: pass\n";
        Toy toy = new Toy(folder)
                .model("Vacuous", header + "witnesses: never", "INVARIANT MutualExclusion")
                .model("Drifted", header + "states: 17", "INVARIANT MutualExclusion")
                .model("Undefined", header, "INVARIANT Nowhere")
                .model("Violated", header, "CONSTANT Key <- NoKey", "INVARIANT MutualExclusion", "PROPERTY AllDone")
                .mutant("Survivor", "removes: Asked\ndies: MutualExclusion\nmodel: Small\noverride: Asked <- Same",
                        "Same(c) == phase[c] = \"asking\"")
                .mutant("Unparsable", "removes: Asked\ndies: TypeOK\nmodel: Small\noverride: Asked <- Free", "Free(c) == 1 +");
        toy.write("models/Toy/MCToy.tla", Files.readString(toy.specs.resolve("models/Toy/MCToy.tla")).replace("====", "NoKey == {}\n===="));
        Files.delete(toy.specs.resolve("mutants/Toy/GrantTwice.tla"));
        Files.delete(toy.specs.resolve("mutants/Toy/GrantNobody.tla"));
        Toy.Outcome outcome = toy.check();
        assertEquals(Check.NOT_AS_EXPECTED, outcome.exit());
        assertRow(outcome, "Toy/Vacuous", "vacuous", "not reached: never");
        assertRow(outcome, "Toy/Drifted", "drifted", "expected 17 states");
        assertRow(outcome, "Toy/Undefined", "unknown", "The invariant Nowhere specified in the configuration file is not defined");
        assertRow(outcome, "Toy/Violated", "violates AllDone", null);
        assertRow(outcome, "Toy/Survivor", "pass", null);
        assertRow(outcome, "Toy/Unparsable", "unknown", "Encountered");
        assertTrue(outcome.out().contains("mutation score  Toy: 1 of 3 killed"), outcome.out());
        assertTrue(outcome.out().contains("FAIL  guard LockFree of Toy has no mutant"), outcome.out());
        assertTrue(outcome.out().contains("Violated: AllDone."), "an unexpected violation is drawn");
        assertFalse(outcome.out().contains("Toy/Small"), "what is as expected is in the file: " + outcome.out());
        Path rows = toy.out.resolve("results.txt");
        assertTrue(Files.readString(rows).contains("ok    Toy/Small"), Files.readString(rows));
        assertTrue(outcome.out().endsWith("6 of 8 verdicts are not the expected ones; 1 other failures. All rows: " + rows + "\n"), outcome.out());
    }

    /** The invariant of a proof fails before the promise that it is for. */
    @Test
    void aPromiseIsToldBeforeTheInvariantOfItsProof() throws Exception {
        String header = "module: MCToy\nexpect: pass\n";
        Toy toy = new Toy(folder)
                .model("Guardless", header, "CONSTANT LockFree <- Anybody", "INVARIANTS Inductive MutualExclusion")
                .model("Proof", header, "INVARIANTS Inductive MutualExclusion");
        toy.write("models/Toy/MCToy.tla", Files.readString(toy.specs.resolve("models/Toy/MCToy.tla"))
                .replace("====", "Anybody(c) == TRUE\nInductive == \\A c, d \\in Client : phase[c] = \"holding\" => phase[d] # \"asking\"\n===="));
        Toy.Outcome outcome = toy.check();
        assertRow(outcome, "Toy/Guardless", "violates MutualExclusion", null);
        assertRow(outcome, "Toy/Proof", "violates Inductive", null);
        assertTrue(Files.readString(toy.out.resolve("Toy/Proof/Proof.cfg")).contains("Inductive"), "what is kept is the run that was told");
    }

    @Test
    void actionsThatAreNotTakenAreSeen() throws Exception {
        String header = "module: MCToy\nexpect: pass\n";
        Toy toy = new Toy(folder)
                .model("Off", header + "uncovered: Ask, Grant", "CONSTANT Ask <- Never Grant <- Nobody", "INVARIANT TypeOK")
                .model("Hidden", header, "INVARIANT TypeOK");
        toy.model("Cut", header + "uncovered: Release", "ACTION_CONSTRAINT NoRelease", "INVARIANT TypeOK");
        String module = toy.specs.resolve("models/Toy/MCToy.tla").toString();
        Files.writeString(Path.of(module), Files.readString(Path.of(module)).replace("====",
                "Never(c) == FALSE\nNoRelease == history' = history\nNobody(c) == FALSE\nMCNext == Next /\\ TRUE\n"
                        + "MCSpec == Init /\\ [][MCNext]_vars\n===="));
        Toy.Outcome off = toy.check("--only", "Off");
        assertTrue(off.out().contains("FAIL  coverage Toy/Off: never taken: Release; widen the model, or list what it leaves out under 'uncovered'"),
                off.out());
        assertEquals(1, off.out().lines().filter(l -> l.startsWith("FAIL ")).count(), off.out());
        Toy.Outcome cut = toy.check("--only", "Cut");
        assertEquals(0, cut.exit(), "steps that a constraint forbids are not taken: " + cut.out());
        Path cutModel = toy.specs.resolve("models/Toy/Cut.cfg");
        Files.writeString(cutModel, Files.readString(cutModel).replace("uncovered: Release", "uncovered: Release\n\\* rediscovers: Grant"));
        Toy.Outcome discovering = toy.check("--only", "Cut");
        assertTrue(discovering.out().contains("FAIL  coverage Toy/Cut: listed under 'rediscovers' but never taken, or taken to new states: Grant"),
                discovering.out());
        Files.delete(cutModel);
        Files.delete(toy.specs.resolve("models/Toy/Small.cfg"));
        Files.delete(toy.specs.resolve("models/Toy/Off.cfg"));
        Path hidden = toy.specs.resolve("models/Toy/Hidden.cfg");
        Files.writeString(hidden, Files.readString(hidden).replace("SPECIFICATION Spec", "SPECIFICATION MCSpec"));
        Toy.Outcome all = toy.check();
        assertTrue(all.out().contains("FAIL  coverage Toy: TLC names no action of Next, only [MCNext]"), all.out());
        assertTrue(all.out().contains("FAIL  model Toy/Hidden has no pinned states: run it with --pin"), all.out());
    }

    @Test
    void aSelectionIsDrawn() throws Exception {
        Toy.Outcome outcome = new Toy(folder).check("--only", "GrantNob");
        assertEquals(0, outcome.exit(), outcome.out());
        assertTrue(outcome.out().contains("and nothing happens any more"), outcome.out());
        assertTrue(outcome.out().contains("Removed: LockFree (VLDB"), outcome.out());
        assertFalse(outcome.out().contains("has no mutant"), "a selection is not judged for what it leaves out");
    }

    @Test
    void deepModelsAreRunOnDemand() throws Exception {
        Toy toy = new Toy(folder);
        Toy.Outcome all = toy.check("--only", "Toy/*");
        assertEquals(0, all.exit(), all.out() + all.err());
        assertRow(all, "Toy/Small", "pass", null);
        assertFalse(all.out().contains("Toy/Wide"), all.out());
        Toy.Outcome one = toy.check("--only", "Wide");
        assertEquals(Commands.USAGE, one.exit());
        assertEquals("'Wide' is deep, which takes up to hours: run it with make check-deep ONLY='Toy/Wide' (--deep).\n", one.err());
        assertRow(toy.check("--only", "Wide", "--deep"), "Toy/Wide", "pass", null);
    }

    @Test
    void modelsToDrawFromAreNeverSearched() throws Exception {
        Toy toy = new Toy(folder).model("Far", "module: MCToy\nexpect: pass\nsize: drawn", "INVARIANT MutualExclusion");
        for (String[] arguments : new String[][] {{"--deep"}, {"--deep", "--only", "Toy/*a*"}}) {
            toy.check(arguments);
            assertFalse(Files.readString(toy.out.resolve("results.txt")).contains("Toy/Far"));
        }
        Toy.Outcome one = toy.check("--only", "Far", "--deep");
        assertEquals(Commands.USAGE, one.exit());
        assertEquals("'Toy/Far' is too large to be searched: make conformance draws behaviours from it at random.\n", one.err());
    }

    @Test
    void redundantGuardsAreShownToBe() throws Exception {
        Toy toy = new Toy(folder).mutant("Redundant", "removes: Asked\nsurvives: says the same\nmodel: Small\noverride: Asked <- Same",
                "Same(c) == phase[c] = \"asking\"");
        Toy.Outcome outcome = toy.check("--only", "Redundant");
        assertEquals(0, outcome.exit(), outcome.out());
        assertTrue(outcome.out().contains("mutation score  Toy: 0 of 0 killed, 1 shown to be redundant"), outcome.out());
    }

    @Test
    void pinning() throws Exception {
        Toy toy = new Toy(folder).model("Fresh", "module: MCToy\nexpect: pass\nstates: 1", "INVARIANT MutualExclusion");
        assertEquals(0, toy.check("--only", "Fresh", "--pin").exit());
        String text = Files.readString(toy.specs.resolve("models/Toy/Fresh.cfg"));
        assertTrue(text.startsWith("\\* module: MCToy\n\\* expect: pass\n\\* depth: 7\n\\* checks: 1\n\\* states: 16\n"), text);
    }

    @Test
    void mistakesOfTheCallerAreOneSentence() throws Exception {
        Toy toy = new Toy(folder);
        Toy.Outcome unknown = toy.check("--only", "GrantTwise");
        assertEquals(Commands.USAGE, unknown.exit());
        assertTrue(unknown.err().startsWith("No model or mutant matches 'GrantTwise'; near are Toy/GrantTwice, "), unknown.err());
        assertEquals(1, unknown.err().lines().count());
        assertEquals(Commands.USAGE, toy.check("--jobs", "0").exit());
        assertEquals(Commands.USAGE, toy.check("--specs", folder.resolve("none").toString()).exit());
        assertEquals(Commands.USAGE, toy.check("--tlc", folder.resolve("none.jar").toString()).exit());
        assertEquals(Commands.USAGE, toy.check("--frobnicate").exit());
    }

    private Toy endless() throws Exception {
        Toy toy = new Toy(folder);
        String sections = Toy.SMALL.replace("c1, c2", "c1, c2, c3, c4, c5, c6, c7, c8").replace("{k1}", "{k1, k2, k3}");
        toy.write("models/Toy/Endless.cfg", "\\* module: MCToy\n\\* expect: pass\n" + sections + "INVARIANT TypeOK\n");
        return toy;
    }

    private static TlcRun run(Toy toy, TlcRun.Resources resources) {
        Suite suite = Suite.load(toy.specs);
        return new TlcRun(toy.job("Endless"), Tlc.locate(null), suite.library("Toy"), toy.out.resolve("Toy/Endless").toAbsolutePath(), resources);
    }

    @Test
    void aKilledTlcIsUnknown() throws Exception {
        TlcRun run = run(endless(), new TlcRun.Resources(1, 256, 600));
        CompletableFuture<Result> result = CompletableFuture.supplyAsync(run::run);
        while (run.output().distinct() == 0 && !result.isDone()) {
            Thread.sleep(50);
        }
        run.kill();
        assertEquals("TLC was killed by signal 9", result.get().verdict().message());
    }

    @Test
    void tlcOutOfMemoryIsUnknown() throws Exception {
        Result result = run(endless(), new TlcRun.Resources(1, 16, 600)).run();
        assertEquals(Verdict.Kind.UNKNOWN, result.verdict().kind());
        assertTrue(result.verdict().message().contains("memory"), result.verdict().message());
    }

    @Test
    void aRunThatTakesTooLongIsUnknown() throws Exception {
        Toy.Outcome outcome = endless().check("--only", "Endless", "--timeout", "2");
        assertEquals(Check.NOT_AS_EXPECTED, outcome.exit());
        assertRow(outcome, "Toy/Endless", "unknown", "stopped after 2 s: raise --timeout");
    }
}
