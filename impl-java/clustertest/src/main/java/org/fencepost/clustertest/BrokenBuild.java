package org.fencepost.clustertest;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.fencepost.protocol.manager.TransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes a build with one guard removed, to see a test notice it: a copy of what `make build` made, in which one class of the protocol is compiled anew from a
 * changed source. The build that ships knows nothing of it.
 */
@Command(name = "break", sortOptions = false, description = "Makes a build with one guard removed, for cluster tests that must fail.",
        footer = {"", "Guards: low-watermark, a new transaction manager aborts what began before its epoch; re-read, a reader that finds an invalidation marker reads the"
                + " record again; lvc-bootstrap, a region server asks for the time when it opens a region; commit-fence, a transaction of Mediator's is checked behind a"
                + " fence that native puts stay above; absence, a reader that finds no leader leaves the record as it is; followers-healed, a janitor settles all"
                + " records before leaders may go; fence-binds, who commits names the tables that he has written; build-asks, the build of an index asks the commit"
                + " table about records without commit cell; limit-visible, a scan's limit counts rows that are visible; in-snapshot, a region server compares commit"
                + " timestamps with the snapshot; row-clock, a commit in one phase is compared with the reads of its rows; batch-awaited, a reader waits for the writes in"
                + " flight; clock-told, who is certified while he puts asks once more where a reader has passed him; snapshot-floor, pH1 keeps old versions that"
                + " a snapshot needs; saved-first, it saves the old version before it puts the new one; quorum, it reads and writes Cassandra at"
                + " quorum."})
public final class BrokenBuild implements Callable<Integer> {

    /**
     * @param module whose class it is
     * @param type   within {@value #PACKAGE}
     * @param was    occurs once in the source
     */
    record Guard(String module, String type, String was, String becomes) {

        /** Of the protocol. */
        Guard(String type, String was, String becomes) {
            this(PROTOCOL, PROTOCOL + "/" + type, was, becomes);
        }

        Path source(Path root) {
            return root.resolve("impl-java").resolve(module).resolve("src/main/java").resolve(PACKAGE + type + ".java");
        }

        boolean isIn(Path library) {
            return library.getFileName().toString().matches("fencepost-(" + PROTOCOL + "|" + module + ")-[0-9].*");
        }
    }

    private static final String PROTOCOL = "protocol";
    private static final String PACKAGE = "org/fencepost/";

    static final Map<String, Guard> GUARDS = Map.ofEntries(
            Map.entry("low-watermark", new Guard("manager/TransactionManagerCore", "new ConflictTable(settings.conflictEntries(), epochStart, tracer)",
                    "new ConflictTable(settings.conflictEntries(), 0, tracer)")),
            Map.entry("re-read", new Guard("omid/SnapshotReader", "return reReadRecord(tx, key, met.version());", "return Timestamps.INVALIDATED;")),
            Map.entry("lvc-bootstrap", new Guard("fastpath/FastRegion", "return knowsTheTime;", "return true;")),
            Map.entry("absence", new Guard("omid/SnapshotReader", "if (intents && now != null) {", "if ((intents || placement.isInStore()) && now != null) {")),
            Map.entry("followers-healed", new Guard("fragola/FragolaCollector", "        settleFirst(keys, watermark);\n", "")),
            Map.entry("commit-fence", new Guard("mediator/MediatorRegion", "        clock.bump(commitTs);\n", "")),
            Map.entry("fence-binds", new Guard("omid/OmidLL", "return tables.apply(tx.writeSet());", "return TransactionManager.NO_TABLES;")),
            Map.entry("build-asks", new Guard("hbase", "hbase/admin/IndexBuilder", "found.put(key, ll.read(part, key, rows.resume(key, records)))",
                    "found.put(key, records.stream().filter(each -> each.hasCommitCell() && each.commit() < part.startTs()).findFirst().orElse(null))")),
            Map.entry("limit-visible", new Guard("hbase", "hbase/client/StoredRows", "if (row == null && limit > 0", "if (row == null && limit > received")),
            Map.entry("in-snapshot", new Guard("omid/SnapshotColumn", "return commitTs < snapshot;", "return true;")),
            Map.entry("row-clock", new Guard("region/BatchRegion", "if (!rowClocks.liftBelow(rows, commitTs)) {",
                    "if (!rowClocks.liftBelow(rows, commitTs) && false) {")),
            Map.entry("clock-told", new Guard("omid/OnePhase", "if (clock > tx.commitTs()) {", "if (clock > tx.commitTs() && false) {")),
            Map.entry("snapshot-floor", new Guard("ph1/PH1", "return snapshots.isEmpty() ? lastHorizon : Math.min(lastHorizon, snapshots.firstKey());",
                    "return lastHorizon;")),
            Map.entry("saved-first", new Guard("ph1/PH1", "npvs.save(old);", "")),
            Map.entry("quorum", new Guard("ph1", "ph1/store/CassandraStore", "this(session, keyspace, ConsistencyLevel.QUORUM);",
                    "this(session, keyspace, ConsistencyLevel.ONE);")),
            Map.entry("batch-awaited", new Guard("region/WritesInFlight", "if (write.awaitVersion() < snapshot && !write.over) {",
                    "if (write.awaitVersion() < snapshot && !write.over && write.row() == null) {")));

    /** A file beside a class that tells which guard is missing. */
    private static final String MARK = "broken";
    private static final Class<?> MARKED = TransactionManager.class;
    private static final Path LIBRARIES = Path.of("impl-java/cli/target/lib");
    /** The transaction manager's. */
    private static final Path TM = Path.of("impl-java/mediator/target");
    /** pH1's instances, and their clients. */
    private static final Path PH1 = Path.of("impl-java/clustertest-ph1/target");

    @Parameters(paramLabel = "GUARD", description = "which one")
    private String guard;

    @Option(names = "--root", defaultValue = ".", paramLabel = "FOLDER", description = "of the project, built (default: ${DEFAULT-VALUE})")
    private Path root;

    @Option(names = "--out", paramLabel = "FOLDER", description = "for the build (default: target/broken/GUARD)")
    private Path out;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        Guard removed = GUARDS.get(guard);
        if (removed == null) {
            throw new IllegalArgumentException("There is no guard " + guard + " to remove; there are " + String.join(", ", GUARDS.keySet().stream().sorted().toList()) + ".");
        }
        Path build = out != null ? out : root.resolve("target/broken").resolve(guard);
        make(removed, build);
        System.out.println(build);
        return 0;
    }

    private void make(Guard removed, Path build) throws IOException {
        if (!Files.isDirectory(root.resolve(LIBRARIES))) {
            throw new IllegalArgumentException("There is no build to break in " + root.toAbsolutePath() + ": run `make build` there.");
        }
        delete(build);
        Files.createDirectories(build.resolve(LIBRARIES));
        Path cli = Path.of("impl-java/cli");
        Files.copy(root.resolve(cli).resolve("fencepost"), build.resolve(cli).resolve("fencepost"), StandardCopyOption.COPY_ATTRIBUTES);
        link(root.resolve(cli).resolve("target/classes"), build.resolve(cli).resolve("target/classes"));
        link(root.resolve("impl-java/audit"), build.resolve("impl-java/audit")); // where the launcher looks for the model checker
        Path classes = compile(removed, build);
        copyLibraries(removed, LIBRARIES, build, classes);
        copyLibraries(removed, TM.resolve("lib"), build, classes);
        link(root.resolve(TM).resolve("classes"), build.resolve(TM).resolve("classes"));
        copyLibraries(removed, PH1.resolve("lib"), build, classes);
        link(root.resolve(PH1).resolve("classes"), build.resolve(PH1).resolve("classes"));
        Path target = Path.of("impl-java/hbase-server/target");
        Files.createDirectories(build.resolve(target));
        for (Path jar : list(root.resolve(target))) {
            if (jar.getFileName().toString().endsWith("-server.jar")) {
                replace(jar, build.resolve(target).resolve(jar.getFileName()), classes);
            }
        }
    }

    private void copyLibraries(Guard removed, Path from, Path build, Path classes) throws IOException {
        Files.createDirectories(build.resolve(from));
        for (Path library : list(root.resolve(from))) {
            Path there = build.resolve(from).resolve(library.getFileName());
            if (removed.isIn(library)) {
                replace(library, there, classes);
            } else {
                link(library, there);
            }
        }
    }

    private Path compile(Guard removed, Path build) throws IOException {
        String without = without(removed, root);
        Path changed = build.resolve("src").resolve(PACKAGE + removed.type() + ".java");
        Path classes = Files.createDirectories(build.resolve("classes"));
        Path mark = classes.resolve(MARKED.getPackageName().replace('.', '/')).resolve(MARK);
        Files.createDirectories(mark.getParent());
        Files.writeString(mark, guard);
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, without);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("A JDK is needed to compile; this is a JRE.");
        }
        List<Path> libraries = new ArrayList<>(list(root.resolve(LIBRARIES)));
        libraries.addAll(list(root.resolve(PH1).resolve("lib")));
        String classPath = libraries.stream().map(Path::toString).collect(Collectors.joining(":"));
        if (compiler.run(null, null, null, "-nowarn", "-proc:none", "--release", "17", "-cp", classPath, "-d", classes.toString(), changed.toString()) != 0) {
            throw new IllegalStateException("The build without " + guard + " does not compile.");
        }
        return classes;
    }

    /** The source without the guard. Throws IllegalStateException if it has another text than is known here. */
    static String without(Guard removed, Path root) throws IOException {
        Path source = removed.source(root);
        String text = Files.readString(source);
        int at = text.indexOf(removed.was());
        if (at < 0 || text.indexOf(removed.was(), at + 1) >= 0) {
            throw new IllegalStateException("This must occur once in " + source + ": " + removed.was());
        }
        return text.replace(removed.was(), removed.becomes());
    }

    /** The guard that this program was built without; null if it is whole. */
    static String guardMissingHere() throws IOException {
        try (InputStream mark = MARKED.getResourceAsStream(MARK)) {
            return mark == null ? null : new String(mark.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Copies a jar, with these classes in place of its own. */
    private static void replace(Path jar, Path copy, Path classes) throws IOException {
        Files.copy(jar, copy);
        try (FileSystem inside = FileSystems.newFileSystem(URI.create("jar:" + copy.toUri()), Map.of()); Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Path there = inside.getPath(classes.relativize(each).toString());
                Files.createDirectories(there.getParent()); // a jar of another module has not that of the mark
                Files.copy(each, there, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void link(Path what, Path where) throws IOException {
        Files.createSymbolicLink(where, what.toRealPath());
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
