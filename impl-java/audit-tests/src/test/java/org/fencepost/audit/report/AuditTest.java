package org.fencepost.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.models.Toy;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report from end to end, on the toy specs and with the real TLC. */
class AuditTest {
    @TempDir
    Path folder;
    private Toy toy;

    @BeforeEach
    void prepare() throws Exception {
        toy = new Toy(folder);
    }

    private Toy.Outcome audit(String... options) {
        List<String> args = new ArrayList<>(List.of("--root", folder.toString(), "--check", toy.out.toString(), "--out", folder.resolve("audit")
                .toString(), "--tlc", ""));
        args.addAll(List.of(options));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int exit = Audit.run(args.toArray(String[]::new), new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(errors, true, StandardCharsets.UTF_8));
        return new Toy.Outcome(exit, printed.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    /** A page of the site, all of which is checked. */
    private String page(String name) throws IOException {
        Map<String, String> site = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("audit"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                site.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        assertEquals(List.of(), SiteTest.flaws(site));
        return site.get(name);
    }

    private void edit(String file, String was, String becomes) throws IOException {
        String text = Files.readString(toy.specs.resolve(file));
        assertTrue(text.contains(was), was);
        toy.write(file, text.replace(was, becomes));
    }

    private void git(String... command) throws Exception {
        List<String> whole = new ArrayList<>(List.of("git", "-C", folder.toString(), "-c", "user.name=t", "-c", "user.email=t@example.org"));
        whole.addAll(List.of(command));
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    private void commit(String message) throws Exception {
        git("init", "-q");
        git("add", "specs");
        git("commit", "-q", "-m", message);
    }

    @Test
    void theReportTellsWhatWasFound() throws Exception {
        Toy.Outcome outcome = audit();
        assertEquals(0, outcome.exit(), outcome.out() + outcome.err());
        String html = page("index.html");
        assertTrue(html.contains("Every verdict of the model checker is the expected one"), html);
        assertTrue(html.contains("Nothing else stands out"), html);
        assertTrue(page("Toy.GrantTwice.html").contains("LockFree would prevent this"), "the step that the guard prevents is marked");
        Map<?, ?> json = (Map<?, ?>) Json.read(Files.readString(folder.resolve("audit/audit.json")));
        Map<?, ?> system = (Map<?, ?>) ((List<?>) json.get("systems")).get(0);
        Map<?, ?> twice = (Map<?, ?>) ((List<?>) system.get("mutants")).stream().filter(m -> ((Map<?, ?>) m).get("name").equals("GrantTwice"))
                .findFirst().orElseThrow();
        Map<?, ?> steps = (Map<?, ?>) twice.get("steps");
        assertEquals(4L, steps.get("guarded"), "both ask, one is granted, then the other");
        String its = page("Toy.html");
        assertTrue(its.contains("? unknown") && !its.contains("seeds</"), "nothing but the model checker ran");
    }

    @Test
    void onlyWhatChangedIsRunAgain() throws Exception {
        audit();
        assertTrue(audit().out().contains("4 of 4 results are known: their inputs have not changed."));
        edit("mutants/Toy/GrantTwice.tla", "Anybody(c) == TRUE", "Anybody(c) == 1 = 1");
        assertTrue(audit().out().contains("3 of 4 results are known"));
        edit("Toy.tla", "holder = {}\n\n\\* Guard", "holder = {} /\\ TRUE\n\n\\* Guard");
        String all = audit().out();
        assertFalse(all.contains("are known"), all);
    }

    @Test
    void whatIsNotKnownIsNotRunIfSo() throws Exception {
        Toy.Outcome outcome = audit("--known");
        assertEquals(0, outcome.exit(), outcome.out() + outcome.err());
        assertTrue(outcome.out().contains("4 of 4 models and mutants have not been run on these specs and are shown as unknown: make check runs them."),
                outcome.out());
        assertFalse(outcome.out().contains("LOOK"), outcome.out());
        assertTrue(page("index.html").contains("? No model has been run on these specs in this tree yet: <code>make check</code> runs them."));
        toy.check("--only", "Toy/GrantTwice");
        Files.copy(folder.resolve("audit/Toy.html"), folder.resolve("audit/Gone.html"));
        Files.writeString(folder.resolve("audit/other.html"), "by somebody else");
        assertTrue(audit("--known").out().contains("3 of 4 models and mutants have not been run"));
        assertFalse(Files.exists(folder.resolve("audit/Gone.html")), "the page of a system that is not there any more");
        assertTrue(Files.exists(folder.resolve("audit/other.html")));
        assertTrue(page("Toy.html").contains("1 of 1 killed") && page("Toy.html").contains("did not run"), "what was run counts, the rest is unknown");
    }

    /** What has not been run is no failure then, but what has failed remains one; a guard that is seen to be gone is shown either way. */
    @Test
    void whatIsKnownToFailFailsAlsoIfNothingIsRun() throws Exception {
        edit("Toy.tla", "LockFree(c) == holder = {}", "LockFree(c) == TRUE");
        Toy.Outcome unseen = audit("--known");
        assertEquals(0, unseen.exit(), unseen.out());
        assertTrue(unseen.out().contains("LOOK  Guard LockFree of Toy"), unseen.out());
        edit("Toy.tla", "LockFree(c) == TRUE", "LockFree(c) == holder = {} \\/ TRUE");
        toy.check("--only", "Toy/Small");
        Toy.Outcome seen = audit("--known");
        assertEquals(Check.NOT_AS_EXPECTED, seen.exit(), seen.out());
        assertTrue(seen.out().contains("LOOK  Model Toy/Small: violates"), seen.out());
    }

    @Test
    void aGuardThatSaysNothingIsFound() throws Exception {
        edit("Toy.tla", "LockFree(c) == holder = {}", "LockFree(c) == TRUE");
        Toy.Outcome outcome = audit();
        assertEquals(Check.NOT_AS_EXPECTED, outcome.exit());
        String html = page("index.html");
        assertTrue(html.contains("Guard LockFree of Toy (specs/Toy.tla:32) says nothing but TRUE."), outcome.out());
        assertTrue(html.contains("It makes no difference any more to remove guard LockFree (mutant GrantTwice)."), outcome.out());
        assertTrue(page("Toy.html").contains("violated in Small"), outcome.out());
    }

    @Test
    void aGuardThatNobodyUsesIsFoundAndItsMutantSurvives() throws Exception {
        edit("Toy.tla", "    /\\ Asked(c)\n", "    /\\ phase[c] = \"asking\"\n");
        String out = audit().out();
        assertTrue(out.contains("Guard Asked of Toy (specs/Toy.tla:35) is used by no action that Next names."), out);
        assertTrue(out.contains("Mutant Toy/GrantUnasked survives, expected violates OnlyAskers. It removes guard Asked."), out);
        assertTrue(page("Toy.html").contains("0 of 1 killed"), out);
    }

    @Test
    @Tag("long")
    void aBaseIsComparedAndLeavesNothingBehind() throws Exception {
        commit("before");
        edit("Toy.tla", "Ask(c) \\/ Grant(c)", "Ask(c) \\/ Grant(c) \\/ Leave(c)");
        edit("Toy.tla", "Next ==\n",
                "Leave(c) == phase[c] = \"asking\" /\\ phase' = [phase EXCEPT ![c] = \"idle\"] /\\ UNCHANGED <<holder, store, history>>\n\n"
                        + "Next ==\n");
        git("commit", "-q", "-a", "-m", "adds an action");
        edit("Toy.tla", "Asked(c) == phase[c] = \"asking\"", "Asked(c) == phase[c] \\in {\"asking\", \"idle\"}");
        edit("mutants/Toy/GrantUnasked.tla", "phase[c] \\in {\"idle\", \"asking\"}", "phase[c] = \"asking\"");
        Toy.Outcome outcome = audit("--base", "HEAD~1");
        String markdown = Files.readString(folder.resolve("audit/comparison.md"));
        assertTrue(markdown.contains("### Added\n\n- action Toy/Leave\n"), markdown);
        assertTrue(markdown.contains("- guard Toy/Asked\n"), markdown);
        assertTrue(markdown.contains("model Toy/Small: pass → violates OnlyAskers"), markdown + outcome.out());
        assertTrue(markdown.contains("### Mutants no longer killed\n\n- Toy/GrantUnasked (removes Asked): violates OnlyAskers → pass\n"),
                markdown);
        assertTrue(page("index.html").contains("<li>action Toy/Leave</li>"), markdown);
        assertFalse(markdown.contains("simulated"), "what is unknown is not compared: " + markdown);
        git("stash", "-q");
        git("checkout", "-q", "HEAD~1");
        audit("--base", "stash@{0}^1");
        assertTrue(Files.readString(folder.resolve("audit/comparison.md")).contains("### Removed\n\n- action Toy/Leave\n"));
        assertEquals(1, worktrees());
    }

    private int worktrees() throws Exception {
        Process list = new ProcessBuilder("git", "-C", folder.toString(), "worktree", "list").start();
        return new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList().size();
    }

    @Test
    void aBaseThatCannotBeAuditedLeavesNothingBehindEither() throws Exception {
        git("init", "-q");
        Files.writeString(folder.resolve("note"), "no specs yet");
        git("add", "note");
        git("commit", "-q", "-m", "empty");
        Toy.Outcome outcome = audit("--base", "HEAD");
        assertEquals(Commands.USAGE, outcome.exit());
        assertTrue(outcome.err().startsWith("No folder "), outcome.err());
        assertEquals(1, worktrees());
        Toy.Outcome unknown = audit("--base", "nowhere");
        assertEquals(Commands.USAGE, unknown.exit());
        assertTrue(unknown.err().contains("There is no revision 'nowhere'"), unknown.err());
    }
}
