package org.fencepost.audit.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.models.Prevention;
import org.fencepost.audit.text.Commands;
import org.fencepost.audit.text.Json;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Writes the audit report: what the specs say, what the model checker found, and what runs of the Java code left in the tree, as a site.
 *
 * <p>The model checker runs only what it has not run on the same inputs before. With a base revision, that is audited too, in a temporary
 * checkout, by this program and with the results that both share; the first page then tells what differs.
 */
@Command(name = "audit", sortOptions = false, usageHelpWidth = 110,
        description = "Writes the audit report: HTML pages that need no server, and the same for machines.",
        footer = {"", "Exit code: 0 every verdict of the model checker is the expected one, and no run of the Java code that still counts has "
                + "failed;",
                "1 otherwise; 2 nothing could be audited. With --known, what has not been run does not count: 0 says nothing about it."})
public final class Audit implements Callable<Integer> {
    @Option(names = "--root", paramLabel = "<folder>", defaultValue = ".", description = "the tree, with specs and impl-java (default: here)")
    private Path root;

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/audit", description = "the report (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--check", paramLabel = "<folder>", defaultValue = "target/check",
            description = "results of the model checker (default: ${DEFAULT-VALUE})")
    private Path check;

    @Option(names = "--known", description = "run nothing: models and mutants that no earlier check of the same inputs has run are shown as unknown")
    private boolean known;

    @Option(names = "--base", paramLabel = "<revision>", description = "tell what differs from this revision")
    private String base;

    @Option(names = "--tlc", paramLabel = "<jar>", defaultValue = "${env:TLA2TOOLS}", description = "another TLC than the pinned one")
    private String tlcJar;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console;

    Audit(PrintStream console) {
        this.console = console;
    }

    /** For the launcher. Prints to the standard output. */
    public Audit() {
        this(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
    }

    public static void main(String[] args) {
        System.exit(run(args, new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8), System.err));
    }

    /** Runs the command and returns its exit code. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        return Commands.run(new Audit(out), args, out, err, "Cannot write the report");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Git git = new Git(root);
        String revision = base == null || base.isBlank() ? null : git.resolve(base);
        Dossier dossier = audit(root, git.describe(), check, List.of(check));
        Comparison comparison = revision == null ? null : compare(git, revision, dossier);
        write("audit.json", Json.write(dossier) + "\n");
        removeOldPages();
        for (Map.Entry<String, String> file : Site.of(dossier, comparison, root).entrySet()) {
            write(file.getKey(), file.getValue());
        }
        if (comparison != null) {
            write("comparison.md", comparison.markdown(dossier.revision()));
        }
        dossier.suspicions().forEach(s -> console.println("LOOK  " + s.what()));
        boolean expected = dossier.passed() || known && dossier.notRun() > 0 && dossier.asExpected() + dossier.notRun() == dossier.size();
        boolean passed = expected && !dossier.evidence().fails();
        if (dossier.notRun() > 0) {
            console.println(dossier.notRun() + " of " + dossier.size() + " models and mutants have not been run on these specs and are shown as unknown: "
                    + "make check runs them.");
        }
        console.println((passed ? "Nothing that ran here fails. " : expected ? "A run of the Java code failed. "
                : "Not every verdict is the expected one. ") + "The report: " + out.resolve("index.html") + (comparison == null ? "" : ", " + out.resolve("comparison.md")));
        return passed ? 0 : Check.NOT_AS_EXPECTED;
    }

    private Comparison compare(Git git, String revision, Dossier dossier) throws IOException, InterruptedException {
        Path results = out.resolve("base").resolve("check");
        return git.checkedOut(revision, tree -> {
            console.println("Auditing " + revision + " to compare with.");
            Dossier before = audit(tree, revision, results, List.of(check, results));
            write("base/audit.json", Json.write(before) + "\n");
            return Comparison.of(before, dossier);
        });
    }

    private Dossier audit(Path tree, String revision, Path results, List<Path> earlier) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--specs", tree.resolve("specs").toString(), "--out", results.toString(), "--tlc",
                tlcJar == null ? "" : tlcJar));
        if (known) {
            options.add("--known");
        }
        earlier.forEach(folder -> options.addAll(List.of("--reuse", folder.toString())));
        Check.Findings found = CommandLine.populateCommand(new Check(console), options.toArray(String[]::new)).find();
        console.println("Looking for the steps that guards prevent.");
        Map<String, Integer> allowed = new Prevention(found.suite(), found.tlc(), results, earlier).allowed(found.results());
        return new Ledger(tree, tree.resolve("specs"), found, allowed).dossier(revision);
    }

    /** Pages of what is not there any more would go on saying what they said. */
    private void removeOldPages() throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".html") && Files.isRegularFile(f)).toList()) {
                if (Files.readString(file).contains(Site.MADE_BY)) {
                    Files.delete(file);
                }
            }
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = out.resolve(name);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
    }
}
