package org.fencepost.audit.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.models.Config;
import org.fencepost.audit.models.Counterexample;
import org.fencepost.audit.models.Job;
import org.fencepost.audit.models.Result;
import org.fencepost.audit.models.Verdict;
import org.fencepost.audit.report.Dossier.Cell;
import org.fencepost.audit.report.Dossier.Kind;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.JavaSources;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.traces.TraceFormat;

/**
 * Ties together what the specs say, what the model checker found and what runs of the Java code left: for each system its properties with
 * their evidence, and its actions with the lines of the paper, the Java methods, the guards and the mutants.
 *
 * <p>An action has the guards that its definition uses, directly or through other operators, those included that it takes from another
 * spec ({@code LL!Write}). It depends on the properties of which the mutants of these guards die.
 */
final class Ledger {
    /** Holds traces of the code against the specs for which there is a {@link TraceFormat}. */
    private static final String TRACE_TEST = "CodeToSpecTest";

    private final Check.Findings found;
    private final Map<String, Integer> allowed;
    private final JavaSources sources;
    private final JavaEvidence evidence;
    private final Proofs proofs;
    private final Symbolic symbolic;
    private final Notes notes;

    /**
     * @param root the tree, with specs and impl-java in it
     * @param allowed how many steps of each counterexample the spec allows, see {@code Prevention}
     */
    Ledger(Path root, Path specs, Check.Findings found, Map<String, Integer> allowed) {
        this.found = found;
        this.allowed = allowed;
        this.sources = JavaSources.read(root.resolve("impl-java"));
        this.evidence = JavaEvidence.of(root);
        this.proofs = Proofs.of(root);
        this.symbolic = Symbolic.of(root);
        this.notes = Notes.read(specs);
    }

    Dossier dossier(String revision) {
        Map<String, Object> tool = new LinkedHashMap<>();
        tool.put("version", found.results().stream().map(r -> r.output().version()).filter(v -> v != null).findFirst().orElse(null));
        tool.put("sha256", found.tlc().sha256());
        Map<String, List<String>> mutants = new TreeMap<>();
        found.suite().jobs().stream().filter(Job::isMutant).forEach(j -> mutants.computeIfAbsent(j.spec(), s -> new ArrayList<>()).add(j.name()));
        List<Dossier.SystemPart> systems = found.suite().texts().keySet().stream().map(this::system).toList();
        List<Dossier.Suspicion> suspicions = new Suspicions(found, systems, evidence).all();
        return new Dossier(revision, tool, found.passed(), found.completeness().summary(), suspicions, systems, notes.departures(mutants),
                notes.notModelled(), proofs, evidence);
    }

    private Dossier.SystemPart system(String spec) {
        SpecText text = found.suite().texts().get(spec);
        List<Result> results = found.results().stream().filter(r -> r.job().spec().equals(spec)).toList();
        List<Dossier.Mutant> mutants = results.stream().filter(r -> r.job().isMutant()).map(r -> mutant(r, text)).toList();
        List<Dossier.Model> models = results.stream().filter(r -> !r.job().isMutant()).map(r -> model(r, text)).toList();
        List<Dossier.Action> actions = actions(spec, text, results);
        Set<String> own = text.guards(spec).stream().filter(g -> g.module().equals(spec)).map(SpecText.Definition::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        mutants.forEach(m -> own.add(m.guard()));
        own.remove(null);
        List<Dossier.Guard> guards = own.stream().map(g -> guard(g, text, actions)).toList();
        List<Dossier.Property> properties = checked(results).entrySet().stream()
                .map(p -> property(spec, p.getKey(), p.getValue(), text, models, mutants)).toList();
        return new Dossier.SystemPart(spec, notes.about(spec), properties, actions, guards, models, mutants);
    }

    /** The properties that models check, and whether they are temporal; types and witnesses are not promises to anybody. */
    private static Map<String, Boolean> checked(List<Result> results) {
        Map<String, Boolean> checked = new LinkedHashMap<>();
        for (Result r : results) {
            if (r.job().config() != null) {
                r.job().config().invariants().stream().filter(p -> !p.matches("TypeOK\\w*") && !Config.tellsWitnesses(p))
                        .forEach(p -> checked.putIfAbsent(p, false));
                r.job().config().properties().forEach(p -> checked.putIfAbsent(p, true));
            }
        }
        return checked;
    }

    private String where(SpecText.Definition d) {
        Path specs = found.suite().root();
        for (Path folder : List.of(specs, specs.resolve("proof"), specs.resolve("models"), specs.resolve("mutants"))) {
            try (var files = Files.walk(folder, folder.equals(specs) ? 1 : 2)) {
                var file = files.filter(f -> f.getFileName().toString().equals(d.module() + ".tla")).findFirst();
                if (file.isPresent()) {
                    return "specs/" + specs.relativize(file.get()) + ":" + d.line();
                }
            } catch (IOException e) {
                return d.module() + ".tla:" + d.line();
            }
        }
        return d.module() + ".tla:" + d.line();
    }

    private static String says(SpecText text, String name) {
        return text.operator(name).map(d -> d.sentences(Integer.MAX_VALUE)).orElse("");
    }

    // ---- models and mutants

    private Dossier.Model model(Result r, SpecText text) {
        Job job = r.job();
        List<String> missed = job.witnesses().stream().filter(w -> !r.output().witnesses().contains(w)).toList();
        return new Dossier.Model(job.name(), job.size().toString(), status(r), job.expected().toString(), r.verdict().toString(),
                r.verdict().message(), job.config() == null ? Map.of() : job.config().constants(), r.output().distinct(), (long) r.output().depth(),
                r.seconds(), properties(job), job.witnesses(), missed, job.uncovered(), steps(r, text));
    }

    private static List<String> properties(Job job) {
        List<String> properties = new ArrayList<>(job.config() == null ? List.of() : job.config().invariants());
        properties.addAll(job.config() == null ? List.of() : job.config().properties());
        properties.removeIf(Config::tellsWitnesses);
        return properties;
    }

    private Dossier.Mutant mutant(Result r, SpecText text) {
        Job job = r.job();
        Dossier.Steps steps = steps(r, text);
        List<Dossier.CodeMutant> code = evidence.codeMutants().stream().filter(c -> c.system().equals(job.spec()) && c.name().equals(job.name()))
                .toList();
        return new Dossier.Mutant(job.name(), job.guard(), job.why(), job.model(), status(r), job.expected().toString(), r.verdict().toString(),
                r.verdict().message(), r.output().distinct(), bound(steps), code, steps);
    }

    private static Status status(Result r) {
        return r.verdict().kind() == Verdict.Kind.UNKNOWN ? Status.UNKNOWN : r.asExpected() ? Status.OK : Status.FAILED;
    }

    private Dossier.Steps steps(Result r, SpecText text) {
        if (r.verdict().kind() != Verdict.Kind.VIOLATES) {
            return null;
        }
        Integer walked = allowed.get(r.job().id());
        int steps = r.output().trace().states().size() - 1;
        Integer guarded = walked == null ? null : walked >= steps ? Integer.valueOf(0) : Integer.valueOf(walked + 1);
        return new Dossier.Steps(r.verdict().property(), says(text, r.verdict().property()), Counterexample.of(r, text), guarded);
    }

    /** How many clients, transaction managers and keys take part: {@code 12 steps of 2 clients, 1 key}. */
    private static String bound(Dossier.Steps steps) {
        if (steps == null) {
            return null;
        }
        Map<String, Long> instances = steps.picture().lanes().stream().filter(l -> !l.instance().isEmpty())
                .collect(Collectors.groupingBy(l -> l.kind(), TreeMap::new, Collectors.counting()));
        return steps.picture().rows().size() + " steps" + instances.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey() + (e.getValue() > 1 ? "s" : "")).collect(Collectors.joining(", ", " of ", ""))
                .replaceAll(" of $", "");
    }

    // ---- actions and guards

    private List<Dossier.Action> actions(String spec, SpecText text, List<Result> results) {
        Map<String, Long> taken = new TreeMap<>();
        results.stream().filter(r -> r.job().reportsCoverage() && r.exit() == 0)
                .forEach(r -> r.attempted(text).forEach((action, times) -> taken.merge(action, times, Long::sum)));
        return text.actions("Next").stream().map(name -> {
            SpecText.Definition d = text.operator(name).orElseThrow();
            Set<String> guards = guards(name, text);
            Set<String> mutants = new TreeSet<>();
            Set<String> properties = new TreeSet<>();
            for (Result r : found.results()) {
                if (r.job().isMutant() && guards.contains(r.job().guard())) {
                    mutants.add(r.job().id());
                    if (r.killed()) {
                        properties.add(r.verdict().property());
                    }
                }
            }
            return new Dossier.Action(name, d.citation(), d.sentences(Integer.MAX_VALUE), text.source(name), where(d), sources.of(name),
                    List.copyOf(guards), List.copyOf(mutants), List.copyOf(properties), taken.isEmpty() ? null : taken.getOrDefault(name, 0L));
        }).toList();
    }

    private Set<String> guards(String action, SpecText text) {
        Set<String> guards = new TreeSet<>(isRemoved(action) ? Set.of(action) : Set.of());
        for (String name : text.mentions(action)) {
            if (name.contains("!")) {
                String[] parts = name.split("!");
                String instanced = text.body(parts[0]).replaceFirst("^INSTANCE (\\w+).*", "$1");
                SpecText theirs = found.suite().texts().get(instanced);
                if (theirs != null) {
                    guards.addAll(guards(parts[1], theirs));
                }
            }
            text.operator(name).filter(d -> d.isGuard() || isRemoved(d.name())).ifPresent(d -> guards.add(d.name()));
        }
        return guards;
    }

    private boolean isRemoved(String operator) {
        return found.suite().jobs().stream().anyMatch(j -> operator.equals(j.guard()));
    }

    private Dossier.Guard guard(String name, SpecText text, List<Dossier.Action> actions) {
        SpecText.Definition d = text.operator(name).orElse(new SpecText.Definition("?", name, 0, ""));
        List<String> mutants = found.suite().jobs().stream().filter(j -> name.equals(j.guard())).map(Job::id).toList();
        return new Dossier.Guard(name, d.sentences(Integer.MAX_VALUE).replaceFirst("^Guard *:? *", ""), text.source(name), where(d),
                sources.of(name), actions.stream().filter(a -> a.guards().contains(name)).map(Dossier.Action::name).toList(), mutants);
    }

    // ---- properties and their evidence

    private Dossier.Property property(String spec, String name, boolean temporal, SpecText text, List<Dossier.Model> models,
            List<Dossier.Mutant> mutants) {
        Map<Kind, Cell> cells = new EnumMap<>(Kind.class);
        cells.put(Kind.MODEL_CHECKED, modelChecked(spec, name, models));
        cells.put(Kind.MUTANTS, byMutants(spec, name, mutants));
        cells.put(Kind.SYMBOLIC, symbolic.cell(spec, name));
        cells.put(Kind.PROVED, proofs.cell(spec, name, temporal));
        cells.put(Kind.SIMULATED, simulated(spec, name));
        cells.put(Kind.TRACE_CHECKED, temporal ? new Cell(Status.NONE, "no finite trace can", null) : traceChecked(spec));
        cells.put(Kind.CLUSTER_TESTED, clusterTested(spec, name));
        return new Dossier.Property(name, temporal, says(text, name), text.operator(name).map(this::where).orElse(""), cells);
    }

    /** A model that is there to show how the property fails is no evidence for it, nor against it. */
    static Cell modelChecked(String spec, String property, List<Dossier.Model> models) {
        List<Dossier.Model> checking = models.stream()
                .filter(m -> m.properties().contains(property) && !m.expected().equals("violates " + property)).toList();
        List<Dossier.Model> violated = checking.stream().filter(m -> m.verdict().equals("violates " + property)).toList();
        if (!violated.isEmpty()) {
            return new Cell(Status.FAILED, "violated in " + violated.get(0).name(), "model-" + spec + "-" + violated.get(0).name());
        }
        List<Dossier.Model> passed = checking.stream().filter(m -> m.verdict().equals("pass") || m.verdict().equals("drifted")).toList();
        if (passed.isEmpty()) {
            return checking.isEmpty() ? new Cell(Status.NONE, "in mutants only", null) : new Cell(Status.UNKNOWN, "unknown", null);
        }
        long states = passed.stream().mapToLong(Dossier.Model::states).max().orElse(0);
        String text = String.format(Locale.ROOT, "%d of %d models, up to %,d states", passed.size(), checking.size(), states);
        return new Cell(all(checking.stream().map(Dossier.Model::status)), text, "models-" + spec);
    }

    static Cell byMutants(String spec, String property, List<Dossier.Mutant> mutants) {
        List<Dossier.Mutant> due = mutants.stream().filter(m -> m.expected().equals("violates " + property)).toList();
        long killed = due.stream().filter(m -> m.status() == Status.OK).count();
        if (due.isEmpty()) {
            return new Cell(Status.NONE, "no mutant", null);
        }
        if (due.stream().allMatch(m -> m.status() == Status.UNKNOWN)) {
            return new Cell(Status.UNKNOWN, "unknown", "mutants-" + spec);
        }
        return new Cell(all(due.stream().map(Dossier.Mutant::status)), killed + " of " + due.size() + " killed", "mutants-" + spec);
    }

    /** What was not run has not failed. */
    private static Status all(Stream<Status> parts) {
        Set<Status> statuses = parts.collect(Collectors.toSet());
        return statuses.contains(Status.FAILED) ? Status.FAILED : statuses.contains(Status.UNKNOWN) ? Status.UNKNOWN : Status.OK;
    }

    private Cell simulated(String spec, String property) {
        List<String> parts = new ArrayList<>();
        for (JavaEvidence.Torture campaign : evidence.torture()) {
            if (!campaign.fresh() || !campaign.judges(spec, property)) {
                continue;
            }
            if (campaign.failed() == null) {
                parts.add(String.format(Locale.ROOT, "%,d seeds", ((Number) campaign.says().get("seeds")).longValue()));
            } else if (property.equals(campaign.failed().get("property"))) {
                return new Cell(Status.FAILED, "violated by seed " + campaign.failed().get("seed"), "simulation");
            }
        }
        long caught = evidence.codeMutants().stream()
                .filter(c -> c.system().equals(spec) && c.fresh() && c.seeds() != null && c.property().equals(property)).count();
        if (caught > 0) {
            parts.add(caught + (caught == 1 ? " code mutant" : " code mutants") + " killed");
        }
        return parts.isEmpty() ? Cell.unknown(Kind.SIMULATED) : new Cell(Status.OK, String.join(", ", parts), "simulation");
    }

    private Cell clusterTested(String spec, String property) {
        List<JavaEvidence.ClusterRun> runs = evidence.clusters().stream().filter(run -> run.judges(spec, property)).toList();
        if (runs.stream().anyMatch(run -> run.status() == Status.FAILED)) {
            return new Cell(Status.FAILED, "a run failed", "clusters");
        }
        long valid = runs.stream().filter(run -> run.isOnCluster() && run.status() == Status.OK).count();
        return valid == 0 ? Cell.unknown(Kind.CLUSTER_TESTED) : new Cell(Status.OK, valid + (valid == 1 ? " run" : " runs"), "clusters");
    }

    private Cell traceChecked(String spec) {
        Status status = TraceFormat.isOfOurCode(spec) ? evidence.tested("simulation-tests", TRACE_TEST) : Status.UNKNOWN;
        return status == Status.UNKNOWN ? Cell.unknown(Kind.TRACE_CHECKED)
                : new Cell(status, status == Status.OK ? "traces accepted" : TRACE_TEST + " fails", "tests");
    }
}
