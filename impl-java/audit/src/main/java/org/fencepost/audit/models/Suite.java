package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.Tlc;

/**
 * All models and mutants below a folder of specs:
 *
 * <pre>
 * specs/Foo.tla                 the spec
 * specs/models/Foo/MCFoo.tla    bounds; Small.cfg: a model, its header says what is expected
 * specs/proof/FooInv.tla        an invariant of it, which is proved; models may extend it
 * specs/mutants/Foo/NoBar.tla   extends MCFoo and defines what stands in for the guard; its header says what must die
 * </pre>
 *
 * A mistake in one file makes a job that cannot run, so that it is seen in the table and nothing else is held up.
 */
public final class Suite {
    private final Path root;
    private final List<Job> jobs = new ArrayList<>();
    private final Map<String, SpecText> texts = new LinkedHashMap<>();

    private Suite(Path root) {
        this.root = root;
    }

    /** @throws AuditException where the folder cannot be read or has no models */
    public static Suite load(Path root) {
        if (!Files.isDirectory(root.resolve("models"))) {
            throw new AuditException("No folder '" + root.resolve("models") + "': give the folder of the specs with --specs.");
        }
        Suite suite = new Suite(root.toAbsolutePath().normalize());
        try {
            for (Path folder : list(root.resolve("models"), "")) {
                if (Files.isDirectory(folder)) {
                    suite.loadSpec(folder.getFileName().toString());
                }
            }
        } catch (IOException e) {
            throw new AuditException("Cannot read the specs below '" + root + "': " + e.getMessage() + ".");
        }
        if (suite.jobs.isEmpty()) {
            throw new AuditException("No model (.cfg) in any folder of '" + root.resolve("models") + "'.");
        }
        return suite;
    }

    public Path root() {
        return root;
    }

    public List<Job> jobs() {
        return jobs;
    }

    /** The specs that have models, with the text of every module that one of their runs can see. */
    public Map<String, SpecText> texts() {
        return texts;
    }

    /** The folders in which TLC finds the modules of a spec. */
    List<Path> library(String spec) {
        return List.of(root, root.resolve("models").resolve(spec), root.resolve("mutants").resolve(spec), root.resolve("proof"));
    }

    /**
     * A hash of all that decides what TLC finds in a run: what it is to check, how it is told to, the text of every module that it reads, and
     * TLC itself. Where the modules lie does not matter.
     */
    String inputs(Job job, Tlc tlc) {
        SpecText read = new SpecText();
        StringBuilder inputs = new StringBuilder(tlc.sha256() + "\n" + job.module() + "\n" + job.config() + TlcRun.arguments(job));
        Set<String> wanted = new TreeSet<>(Set.of(job.module()));
        Set<String> seen = new TreeSet<>();
        List<Path> folders = new ArrayList<>(library(job.spec()));
        folders.add(job.file().toAbsolutePath().getParent());
        try {
            while (seen.addAll(wanted)) {
                for (String module : wanted) {
                    for (Path folder : folders) {
                        Path file = folder.resolve(module + ".tla");
                        if (Files.isRegularFile(file)) {
                            read.add(module, text(file));
                        }
                    }
                }
                wanted = new TreeSet<>(read.used());
            }
            for (String module : seen) {
                Optional<Path> file = folders.stream().map(f -> f.resolve(module + ".tla")).filter(Files::isRegularFile).findFirst();
                inputs.append('\n').append(module).append('\n').append(file.isPresent() ? text(file.get()) : "");
            }
            return Tlc.sha256(inputs.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AuditException("Cannot read the specs in '" + root + "': " + e.getMessage() + ".");
        }
    }

    private static List<Path> list(Path folder, String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(ending)).sorted().toList();
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceAll("\\.[^.]*$", "");
    }

    private void loadSpec(String spec) throws IOException {
        SpecText specText = specText(spec);
        texts.put(spec, specText);
        Map<String, Job> models = new LinkedHashMap<>();
        Map<String, Config> configs = new HashMap<>();
        for (Path file : list(root.resolve("models").resolve(spec), ".cfg")) {
            String text = text(file);
            Header header = Header.read(text, Header.MODEL_FIELDS);
            Config config = Config.parse(text);
            configs.put(stem(file), config);
            models.put(stem(file), model(spec, file, header, config));
        }
        jobs.addAll(models.values());
        for (Path file : list(root.resolve("mutants").resolve(spec), ".tla")) {
            Header header = Header.read(text(file), Header.MUTANT_FIELDS);
            if (header.get("removes") == null && header.get("model") == null && header.get("override") == null) {
                header.problems().add("no field of a mutant in its leading comment (removes, dies, model, override)");
            }
            jobs.add(new MutantReader(spec, specText, models, configs).read(file, header));
        }
    }

    /** The spec, its models and mutants, and what they extend; not the other specs of the folder. */
    private SpecText specText(String spec) throws IOException {
        SpecText text = new SpecText();
        Set<String> wanted = new TreeSet<>(Set.of(spec));
        for (boolean more = true; more;) {
            for (String module : wanted) {
                for (Path folder : List.of(root, root.resolve("proof"))) {
                    Path file = folder.resolve(module + ".tla");
                    if (Files.isRegularFile(file)) {
                        text.add(module, text(file));
                    }
                }
            }
            for (Path folder : library(spec).subList(1, 3)) {
                for (Path file : list(folder, ".tla")) {
                    text.add(stem(file), text(file));
                }
            }
            more = wanted.addAll(text.used());
        }
        return text;
    }

    private Job model(String spec, Path file, Header header, Config config) {
        List<String> problems = header.problems();
        String module = header.require("module");
        String sizeText = header.get("size") == null ? "ci" : header.get("size");
        Job.Size size = Job.Size.of(sizeText);
        if (module != null && !Files.isRegularFile(file.resolveSibling(module + ".tla"))) {
            problems.add("there is no module '" + module + ".tla' beside it");
        }
        if (size == null) {
            problems.add("the field 'size' must be ci, deep or drawn, not '" + sizeText + "'");
        }
        Job.Expected expected = expected(header, config);
        Long states = header.count("states");
        Long depth = header.count("depth");
        String coverage = header.get("coverage");
        if (coverage != null && !coverage.equals("on") && !coverage.equals("off")) {
            problems.add("the field 'coverage' must be on or off, not '" + coverage + "'");
        }
        boolean counts = coverage == null ? states == null || states <= Job.SMALL : coverage.equals("on");
        return new Job(spec, stem(file), Job.Kind.MODEL, file, module, config, expected, states, depth, header.list("witnesses"),
                header.count("checks"), header.list("uncovered"), header.list("rediscovers"), counts, problems.isEmpty() ? size : Job.Size.CI, null, null, null, join(problems));
    }

    private static Job.Expected expected(Header header, Config config) {
        String text = header.require("expect");
        if (text == null || text.equals("pass")) {
            return Job.Expected.PASS;
        }
        String property = text.replaceFirst("^violates\\s+", "");
        if (!text.matches("violates\\s+\\w+")) {
            header.problems().add("the field 'expect' must be pass or 'violates <Property>', not '" + text + "'");
        } else if (!property.equals("Deadlock") && !config.invariants().contains(property) && !config.properties().contains(property)) {
            header.problems().add("expects a violation of '" + property + "', which it does not check");
        }
        return new Job.Expected(property);
    }

    static String join(List<String> problems) {
        return problems.isEmpty() ? null : String.join("; ", problems);
    }
}
