package org.fencepost.audit.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.JavaSources;
import org.fencepost.audit.text.Json;

/**
 * What runs of the Java code left in the tree: tests, the simulator, conformance, clusters, benchmarks. Each is taken only if it is no older than
 * the sources that it is about; what is older is shown as such and counts as unknown.
 *
 * @param tests one entry for each module whose tests were run
 * @param torture what the last campaigns of the simulator reached, that of Mediator and that of the rest
 * @param conformance what each file in target/conformance says
 * @param clusters what each run in target/cluster-test came to, but for those of broken builds
 * @param benchmarks the recorded ones in docs, and those that were run in this tree
 */
record JavaEvidence(List<Tests> tests, List<Torture> torture, List<Dossier.CodeMutant> codeMutants, List<Conformance> conformance,
        List<ClusterRun> clusters, List<Benchmark> benchmarks) {

    /** @param failing names of test methods, with the first line of what they said */
    record Tests(String module, boolean fresh, long run, long skipped, List<String> failing, List<String> classes) {}

    /**
     * @param failed the seed that failed, with property and message; null where none did
     * @param picture of the run that failed, as SVG, or null
     */
    record Torture(boolean fresh, Map<String, Object> says, Map<String, Object> failed, String picture) {
        /** Whether its runs are judged by this property of the system. */
        boolean judges(String spec, String property) {
            return says.get("judged") instanceof Map<?, ?> judged && judged.get(spec) instanceof List<?> names && names.contains(property);
        }
    }

    record Conformance(String name, boolean fresh, Object says) {
        /** Where spec and code part; null where they do not. */
        Object difference() {
            return says instanceof Map<?, ?> map ? map.get("difference") : null;
        }
    }

    /**
     * @param name of its folder
     * @param pictures the plots' SVG
     */
    record ClusterRun(String name, boolean fresh, Map<String, Object> says, List<String> pictures) {
        boolean judges(String spec, String property) {
            return says.get("judged") instanceof Map<?, ?> judged && judged.get(spec) instanceof List<?> names && names.contains(property);
        }

        /** A single process is no cluster, but what fails there fails. */
        boolean isOnCluster() {
            return !Boolean.TRUE.equals(says.get("local"));
        }

        Dossier.Status status() {
            return !fresh ? Dossier.Status.UNKNOWN : Boolean.TRUE.equals(says.get("valid")) ? Dossier.Status.OK
                    : Boolean.FALSE.equals(says.get("valid")) ? Dossier.Status.FAILED : Dossier.Status.UNKNOWN;
        }
    }

    /**
     * @param table    its goals and what became of them, or all its figures where it names none
     * @param pictures the plots' SVG
     */
    record Benchmark(String name, Map<String, Object> machine, List<List<String>> table, List<String> pictures) {}

    private static final Pattern SUITE = Pattern.compile("<testsuite [^>]*?name=\"([^\"]*)\"[^>]*>", Pattern.DOTALL);
    private static final Pattern FAILING =
            Pattern.compile("<testcase name=\"([^\"]*)\" classname=\"([^\"]*)\"[^>]*[^/]>\\s*<(?:failure|error)(?: message=\"([^\"]*)\")?");

    static JavaEvidence of(Path root) {
        Path java = root.resolve("impl-java");
        return new JavaEvidence(tests(java), torture(root), codeMutants(java), conformance(root), clusters(root), benchmarks(root));
    }

    /** Whether one of these runs failed, and nothing was changed since. */
    boolean fails() {
        return torture.stream().anyMatch(t -> t.fresh() && t.failed() != null) || tests.stream().anyMatch(t -> t.fresh() && !t.failing().isEmpty())
                || conformance.stream().anyMatch(c -> c.fresh() && c.difference() != null)
                || clusters.stream().anyMatch(c -> c.status() == Dossier.Status.FAILED);
    }

    /** Whether the tests of a class were run after the last change, and none failed. */
    Dossier.Status tested(String module, String type) {
        return tests.stream().filter(t -> t.module().equals(module) && t.fresh() && t.classes().contains(type)).findFirst()
                .map(t -> t.failing().stream().anyMatch(f -> f.startsWith(type + ".")) ? Dossier.Status.FAILED : Dossier.Status.OK)
                .orElse(Dossier.Status.UNKNOWN);
    }

    private static List<Tests> tests(Path java) {
        List<Tests> found = new ArrayList<>();
        for (Path module : list(java, "")) {
            List<Path> reports = list(module.resolve("target/surefire-reports"), ".xml");
            if (reports.isEmpty()) {
                continue;
            }
            long run = 0;
            long skipped = 0;
            List<String> failing = new ArrayList<>();
            List<String> classes = new ArrayList<>();
            for (Path report : reports) {
                String text = text(report);
                Matcher suite = SUITE.matcher(text);
                if (suite.find()) {
                    classes.add(suite.group(1).replaceAll(".*\\.", ""));
                    run += attribute(suite.group(), "tests");
                    skipped += attribute(suite.group(), "skipped");
                }
                Matcher test = FAILING.matcher(text);
                while (test.find()) {
                    String said = test.group(3) == null ? "" : ": " + test.group(3).replaceAll("&#10;.*", "");
                    failing.add(test.group(2).replaceAll(".*\\.", "") + "." + test.group(1) + Html.plain(said));
                }
            }
            Path[] sources = Stream.concat(tested(module), Stream.of(java.resolve("protocol"), java.resolveSibling("specs"))).toArray(Path[]::new);
            boolean fresh = fresh(Collections.min(reports, Comparator.comparing(report -> report.toFile().lastModified())), sources);
            found.add(new Tests(module.getFileName().toString(), fresh, run, skipped, failing, classes));
        }
        return found;
    }

    /** The module's own sources, and those of the modules that it is about: hbase, hbase-server and hbase-tests of hbase-tests. */
    private static Stream<Path> tested(Path module) {
        String name = module.getFileName().toString();
        String about = name.replaceFirst("-tests$", "");
        return list(module.getParent(), "").stream()
                .filter(other -> other.equals(module) || !about.equals(name) && other.getFileName().toString().matches(about + "(-.*)?"))
                .map(other -> other.resolve("src")).filter(Files::isDirectory);
    }

    private static long attribute(String element, String name) {
        Matcher m = Pattern.compile("\\b" + name + "=\"(\\d+)\"").matcher(element);
        return m.find() ? Long.parseLong(m.group(1)) : 0;
    }

    private static List<Torture> torture(Path root) {
        return list(root.resolve("target/torture"), ".json").stream().filter(file -> file.getFileName().toString().startsWith("summary"))
                .map(file -> campaign(root, file)).filter(Objects::nonNull).toList();
    }

    private static Torture campaign(Path root, Path file) {
        if (!(json(file) instanceof Map<?, ?> map)) {
            return null;
        }
        Map<String, Object> says = strings(map);
        Map<String, Object> failed = says.remove("failed") instanceof Map<?, ?> f ? strings(f) : null;
        Path picture = failed == null ? file : file.resolveSibling("seed-" + failed.get("seed") + ".svg");
        return new Torture(simulated(file, root.resolve("impl-java")), says, failed,
                failed != null && Files.isRegularFile(picture) ? text(picture) : null);
    }

    private static List<Dossier.CodeMutant> codeMutants(Path java) {
        Path file = java.resolve("simulation-tests/target/code-mutants.json");
        if (!(json(file) instanceof List<?> rows)) {
            return List.of();
        }
        boolean fresh = simulated(file, java);
        return rows.stream().map(row -> strings((Map<?, ?>) row)).map(m -> new Dossier.CodeMutant(
                string(m, "module"), string(m, "spec"), string(m, "java"),
                (Long) m.get("seeds"), string(m, "property"), string(m, "replay"), string(m, "note"),
                m.get("was") == null || string(m, "was").isEmpty() ? "" : JavaSources.find(java, string(m, "java"), string(m, "was")), fresh))
                .toList();
    }

    private static List<Conformance> conformance(Path root) {
        return list(root.resolve("target/conformance"), ".json").stream().map(file -> new Conformance(
                file.getFileName().toString().replace(".json", ""), fresh(file, root.resolve("impl-java"), root.resolve("specs")),
                json(file))).filter(c -> c.says() != null).toList();
    }

    private static List<ClusterRun> clusters(Path root) {
        List<ClusterRun> found = new ArrayList<>();
        for (Path folder : list(root.resolve("target/cluster-test"), "")) {
            Path file = folder.resolve("results.json");
            if (json(file) instanceof Map<?, ?> map && map.get("broken") == null) {
                found.add(new ClusterRun(folder.getFileName().toString(), fresh(file, root.resolve("impl-java")), strings(map),
                        Stream.of("latency.svg", "throughput.svg").map(folder::resolve).filter(Files::isRegularFile).map(JavaEvidence::text)
                                .toList()));
            }
        }
        return found;
    }

    private static List<Benchmark> benchmarks(Path root) {
        return list(root.resolve("docs"), "").stream().map(folder -> {
            String name = folder.getFileName().toString();
            Path table = folder.resolve(name + ".csv");
            if (!name.matches("bench(-.*)?") || !Files.isRegularFile(table)) {
                return null;
            }
            Map<String, Object> all = json(folder.resolve(name + ".json")) instanceof Map<?, ?> m ? strings(m) : Map.of();
            return new Benchmark(name, all.get("machine") instanceof Map<?, ?> own ? strings(own) : Map.of(),
                    all.get("goals") instanceof List<?> goals ? goals(goals)
                            : text(table).lines().filter(line -> !line.startsWith("#")).map(line -> List.of(line.split(",", -1))).toList(),
                    list(folder, ".svg").stream().map(JavaEvidence::text).toList());
        }).filter(Objects::nonNull).toList();
    }

    private static final List<String> GOAL = List.of("goal", "aim", "bound", "value", "lowerQuartile", "upperQuartile", "verdict");

    private static List<List<String>> goals(List<?> goals) {
        Stream<List<String>> rows = goals.stream().map(goal -> strings((Map<?, ?>) goal))
                .map(goal -> GOAL.stream().map(column -> string(goal, column).replace('_', ' ')).toList());
        return Stream.concat(Stream.of(GOAL), rows).toList();
    }

    /** Whether nothing below these folders of sources was changed after the file was written. */
    private static boolean fresh(Path file, Path... sources) {
        return Stream.of(sources).allMatch(folder -> {
            try (Stream<Path> all = Files.walk(folder)) {
                FileTime written = Files.getLastModifiedTime(file);
                return all.filter(f -> f.toString().matches(".*\\.(java|tla|cfg)") && !f.toString().contains("/target/"))
                        .allMatch(f -> !f.toFile().isFile() || f.toFile().lastModified() <= written.toMillis());
            } catch (IOException e) {
                return false;
            }
        });
    }

    /** Whether the simulator ran after the last change of what it runs. */
    private static boolean simulated(Path file, Path java) {
        return fresh(file, java.resolve("protocol"), java.resolve("tm"), java.resolve("simulation"), java.resolve("simulation-tests"));
    }

    private static String string(Map<String, Object> map, String key) {
        return map.get(key) == null ? "" : map.get(key).toString();
    }

    private static Map<String, Object> strings(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((k, v) -> copy.put(k.toString(), v));
        return copy;
    }

    /** Null where there is no such file, or it is no JSON: half-written is as good as not there. */
    private static Object json(Path file) {
        try {
            return Files.isRegularFile(file) ? Json.read(Files.readString(file)) : null;
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }

    private static List<Path> list(Path folder, String ending) {
        try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
            return files.filter(f -> f.toString().endsWith(ending)).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AuditException("Cannot read '" + file + "': " + e.getMessage() + ".");
        }
    }
}
