package org.fencepost.phoenix.tests;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

    /** The system under test, and what its JVM has on the class path. */
    private enum Subject {
        FENCEPOST,
        OMID
    }

    private static final List<String> CLASSES = List.of("SQL", "tx.FlappingTransactionIT", "tx.TransactionIT", "tx.TxCheckpointIT",
            "tx.ParameterizedTransactionIT", "end2end.index.txn.RollbackIT", "end2end.index.txn.MutableRollbackIT", "end2end.index.txn.TxWriteFailureIT");
    /** Our own. */
    private static final String SQL = "SQL";
    private static final String PACKAGE = "org.apache.phoenix.";
    private static final List<String> JVM = List.of("-Xmx3g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m",
            "--add-opens", "java.base/java.lang=ALL-UNNAMED", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "--add-opens",
            "java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens", "java.base/java.util=ALL-UNNAMED", "--add-opens",
            "java.base/java.util.concurrent=ALL-UNNAMED", "--add-opens", "java.base/java.io=ALL-UNNAMED");

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
        System.exit(new CommandLine(new PhoenixTests()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments));
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
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JVM);
        command.addAll(List.of("-Djava.io.tmpdir=" + folder.toAbsolutePath(), "-cp", classPath(subject, folder), RunClass.class.getName(),
                results.toAbsolutePath().toString(), name.equals(SQL) ? SqlIT.class.getName() : PACKAGE + name));
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

    /** Of Apache Omid's, nothing of Fencepost, and Phoenix's own test classes before those that stand in for one of them. */
    private String classPath(Subject subject, Path folder) throws IOException {
        List<String> path = new ArrayList<>();
        Path ours = home.resolve("target/classes").toAbsolutePath();
        try (Stream<Path> libraries = Files.list(home.resolve("target/lib"))) {
            libraries.map(Path::toAbsolutePath).map(Path::toString).filter(jar -> subject == Subject.FENCEPOST || !jar.contains("fencepost-")).sorted()
                    .forEach(path::add);
        }
        if (subject == Subject.FENCEPOST) {
            path.add(0, ours.toString());
            path.add(0, site(Files.createDirectories(folder.resolve("conf"))).toAbsolutePath().toString());
        } else {
            path.add(ours.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    /** The lines of docs/phoenix.md, and a port for ZooKeeper that region servers are told beforehand. */
    private static Path site(Path conf) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Map<String, String> values = Map.of("test.hbase.zookeeper.property.clientPort", Integer.toString(port), "fencepost.tm.zookeeper",
                "127.0.0.1:" + port, "hbase.coprocessor.regionserver.classes", "org.fencepost.phoenix.RegionServerInstaller",
                "hbase.coprocessor.master.classes", "org.fencepost.phoenix.TableDefaults");
        StringBuilder site = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        values.forEach((key, value) -> site.append("  <property><name>").append(key).append("</name><value>").append(value).append("</value></property>\n"));
        Files.writeString(conf.resolve("hbase-site.xml"), site.append("</configuration>\n"));
        return conf;
    }
}
