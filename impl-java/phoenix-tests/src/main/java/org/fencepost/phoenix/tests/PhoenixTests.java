package org.fencepost.phoenix.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.fencepost.hbase.layout.Settings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs Apache Phoenix's own tests of transactions, as they are in its test jar, on Fencepost and on Apache Omid, each class in a JVM of its
 * own, and prints what became of each test on both. A class that did not come to its end is unknown, not passed. Exits with 1 if a test that
 * passes on Apache Omid does not on Fencepost, or if something is unknown.
 */
@Command(name = "phoenix-tests", sortOptions = false, mixinStandardHelpOptions = true)
public final class PhoenixTests implements Callable<Integer> {

    private static final List<String> CLASSES = List.of("SQL", "tx.FlappingTransactionIT", "tx.TransactionIT", "tx.TxCheckpointIT",
            "tx.ParameterizedTransactionIT", "end2end.index.txn.RollbackIT", "end2end.index.txn.MutableRollbackIT", "end2end.index.txn.TxWriteFailureIT", "end2end.index.GlobalMutableTxIndexIT",
            "end2end.index.GlobalImmutableTxIndexIT", "end2end.TransactionalViewIT");
    /** Our own. */
    private static final String SQL = "SQL";
    private static final String PACKAGE = "org.apache.phoenix.";
    /** Some tests look at what HBase stores as soon as a commit returns: post-commit is part of it, as it is of Apache Omid's. */
    private static final Map<String, String> SETTINGS = Map.of(Settings.POST_COMMIT_THREADS, "0");

    @Option(names = "--home", required = true, description = "The folder impl-java/phoenix-tests, built.")
    Path home;

    @Option(names = "--out", required = true, description = "A folder for results and logs.")
    Path out;

    @Option(names = "--class", description = "Only these, such as tx.TransactionIT; may be given several times.")
    List<String> classes = CLASSES;

    @Option(names = "--subject", description = "Only this: ${COMPLETION-CANDIDATES}. Default: both.")
    List<Subject> subjects = List.of(Subject.values());

    @Option(names = "--minutes", defaultValue = "60", description = "Longest time of one class. Default: ${DEFAULT-VALUE}.")
    int minutes;

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Returns the exit code. */
    static int run(String... arguments) {
        return new CommandLine(new PhoenixTests()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments);
    }

    @Override
    public Integer call() throws Exception {
        StringBuilder table = new StringBuilder("| class | test | Fencepost | Apache Omid |\n|---|---|---|---|\n");
        boolean good = true;
        for (String name : classes) {
            Map<Subject, Map<String, String>> outcomes = new LinkedHashMap<>();
            Set<String> tests = new LinkedHashSet<>();
            for (Subject subject : name.equals(SQL) ? List.of(Subject.FENCEPOST) : subjects) {
                outcomes.put(subject, run(subject, name));
                tests.addAll(outcomes.get(subject).keySet());
            }
            for (String test : tests) {
                String ours = outcomes.getOrDefault(Subject.FENCEPOST, Map.of()).getOrDefault(test, "unknown");
                String omids = outcomes.getOrDefault(Subject.OMID, Map.of()).getOrDefault(test, "unknown");
                table.append("| ").append(name).append(" | ").append(test).append(" | ").append(ours).append(" | ").append(omids).append(" |\n");
                good &= !subjects.contains(Subject.FENCEPOST) || ours.equals("passed") || omids.equals("failed") || ours.equals(omids) && ours.equals("skipped");
            }
        }
        System.out.print(table);
        Files.writeString(out.resolve("results.md"), table);
        return good ? 0 : 1;
    }

    /** Outcomes by test. */
    private Map<String, String> run(Subject subject, String name) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(out.resolve(subject.name().toLowerCase() + "-" + name));
        Path results = folder.resolve("results.txt");
        Files.deleteIfExists(results);
        Files.deleteIfExists(folder.resolve("conf/hbase-site.xml")); // its port may be taken by now
        List<String> command = subject.command(home, folder, SETTINGS, RunClass.class, results.toAbsolutePath().toString(),
                name.equals(SQL) ? SqlIT.class.getName() : PACKAGE + name);
        long begin = System.nanoTime();
        Process jvm = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("log.txt").toFile()).start();
        boolean ended = jvm.waitFor(minutes, TimeUnit.MINUTES);
        jvm.destroyForcibly();
        Map<String, String> outcomes = read(results);
        if (!ended || jvm.waitFor() != 0 || outcomes.isEmpty()) {
            outcomes.put("the class as a whole", "unknown");
        }
        System.err.println(subject + " " + name + ": " + outcomes.size() + " tests in " + (System.nanoTime() - begin) / 1_000_000_000 + " s, "
                + outcomes.values().stream().filter("passed"::equals).count() + " passed");
        return outcomes;
    }

    private static Map<String, String> read(Path results) throws IOException {
        Map<String, String> outcomes = new TreeMap<>();
        if (Files.exists(results)) {
            for (String line : Files.readAllLines(results)) {
                String[] fields = line.split("\t", -1);
                outcomes.put(fields[0], fields[1].toLowerCase());
            }
        }
        return outcomes;
    }
}
