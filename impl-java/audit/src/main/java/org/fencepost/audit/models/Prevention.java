package org.fencepost.audit.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fencepost.audit.text.SpecText;
import org.fencepost.audit.text.Tlc;

/**
 * Finds the step of a mutant's counterexample that its guard would have prevented: walks through the counterexample with the spec as it
 * is, until there is a step that the spec does not allow. The mutants of a model go together, since TLC's start costs more than the walk.
 *
 * <p>If the spec allows all of it, then it was not the guard that stood between the spec and this behaviour: for a mutant that dies of an
 * invariant, the guard has gone from the spec.
 */
public final class Prevention {
    private static final Pattern NAME = Pattern.compile("(?<!\")\\b[A-Za-z_]\\w*\\b(?!\")");
    private static final Pattern NEXT = Pattern.compile("\\[\\]\\s*\\[\\s*(\\w+)\\s*\\]");
    private static final String MODULE = """
            ---- MODULE %s ----
            EXTENDS %s, Sequences, TLC
            %s
            VARIABLES walkOf, walkAt
            WalkStates == [
            %s]
            WalkInit ==
                /\\ walkAt = 1 /\\ walkOf \\in DOMAIN WalkStates
                /\\ LET walkState == WalkStates[walkOf][1] IN
                    %s
            WalkNext ==
                /\\ walkAt < Len(WalkStates[walkOf])
                /\\ walkAt' = walkAt + 1 /\\ walkOf' = walkOf
                /\\ LET walkState == WalkStates[walkOf][walkAt + 1] IN
                    %s
                /\\ %s
                /\\ PrintT("WITNESS " \\o walkOf \\o " " \\o ToString(walkAt))
            WalkSpec == WalkInit /\\ [][WalkNext]_<<walkOf, walkAt>>
            ====
            """;
    private static final int TIMEOUT_SECONDS = 300;
    private static final String PREFIX = "Prevented";

    private final Suite suite;
    private final Tlc tlc;
    private final Path out;
    private final List<Path> earlier;

    /** @param earlier where walks may be that need not be made again */
    public Prevention(Suite suite, Tlc tlc, Path out, List<Path> earlier) {
        this.suite = suite;
        this.tlc = tlc;
        this.out = out.toAbsolutePath().normalize();
        this.earlier = earlier;
    }

    /** For each mutant that died: how many steps of its counterexample the spec allows. What TLC could not tell is missing. */
    public Map<String, Integer> allowed(List<Result> results) {
        Map<String, List<Result>> groups = new TreeMap<>();
        for (Result r : results) {
            if (r.job().isMutant() && r.verdict().kind() == Verdict.Kind.VIOLATES && r.job().model() != null) {
                groups.computeIfAbsent(r.job().spec() + "/" + r.job().model(), g -> new ArrayList<>()).add(r);
            }
        }
        Map<String, Integer> allowed = new LinkedHashMap<>();
        groups.values().parallelStream().map(this::walk).toList().forEach(allowed::putAll);
        return allowed;
    }

    private Map<String, Integer> walk(List<Result> mutants) {
        Job first = mutants.get(0).job();
        Job model = suite.jobs().stream().filter(j -> j.spec().equals(first.spec()) && j.name().equals(first.model())).findFirst().orElseThrow();
        SpecText text = suite.texts().get(model.spec());
        String next = next(model.config().specification(), text);
        if (next == null) {
            return Map.of();
        }
        try {
            String name = PREFIX + model.name();
            Path folder = out.resolve(model.spec());
            TreeSet<String> values = values(mutants, model.config(), text);
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(name + ".tla"), module(name, model.module(), next, mutants, values));
            Job job = new Job(model.spec(), name, Job.Kind.MODEL, folder.resolve(name + ".tla"), name,
                    model.config().walking("WalkSpec", values), Job.Expected.PASS, null, null, List.of(), null, List.of(),
                    List.of(), false, Job.Size.CI, null, null, null, null);
            String inputs = suite.inputs(job, tlc);
            Result result = PastRun.find(job, inputs, earlier);
            if (result == null) {
                result = new TlcRun(job, tlc, suite.library(model.spec()), folder.resolve(name), new TlcRun.Resources(1, 512, TIMEOUT_SECONDS)).run();
                PastRun.keep(result, inputs, 1);
            }
            return result.exit() == 0 ? farthest(mutants, result.output()) : Map.of();
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static Map<String, Integer> farthest(List<Result> mutants, TlcOutput output) {
        Map<String, Integer> farthest = new LinkedHashMap<>();
        for (Result mutant : mutants) {
            String name = mutant.job().name();
            int steps = output.witnesses().stream().filter(w -> w.startsWith(name + " "))
                    .mapToInt(w -> Integer.parseInt(w.substring(name.length() + 1))).max().orElse(0);
            farthest.put(mutant.job().id(), steps);
        }
        return farthest;
    }

    /** The next-state relation of a specification such as {@code Init /\ [][Next]_vars}, looked for in what it is made of too. */
    private static String next(String specification, SpecText text) {
        if (specification == null) {
            return null;
        }
        Matcher box = NEXT.matcher(text.body(specification));
        if (box.find()) {
            return box.group(1);
        }
        for (String used : text.mentions(specification)) {
            box = NEXT.matcher(text.body(used));
            if (box.find()) {
                return box.group(1);
            }
        }
        return null;
    }

    /** The model values that occur in the states, as far as the model has no constant of that name. */
    private static TreeSet<String> values(List<Result> mutants, Config config, SpecText text) {
        TreeSet<String> names = new TreeSet<>();
        for (Result mutant : mutants) {
            for (Trace.State state : mutant.output().trace().states()) {
                state.variables().values().forEach(v -> NAME.matcher(v.toString().replaceAll("\"[^\"]*\"", "").replaceAll("\\w+ \\|->", ""))
                        .results().forEach(m -> names.add(m.group())));
            }
        }
        names.removeIf(n -> n.equals("TRUE") || n.equals("FALSE") || config.declares(n) || text.operator(n).isPresent());
        return names;
    }

    private static String module(String name, String extended, String next, List<Result> mutants, TreeSet<String> values) {
        Set<String> variables = mutants.get(0).output().trace().states().get(0).variables().keySet();
        String constants = values.isEmpty() ? "" : "CONSTANTS " + String.join(", ", values);
        return MODULE.formatted(name, extended, constants, join(mutants, m -> m.job().name() + " |-> <<\n" + states(m, variables) + ">>", ",\n"),
                join(variables, v -> "/\\ " + v + " = walkState." + v, "\n        "),
                join(variables, v -> "/\\ " + v + "' = walkState." + v, "\n        "), next);
    }

    private static String states(Result mutant, Set<String> variables) {
        return join(mutant.output().trace().states(),
                state -> "  [" + join(variables, v -> v + " |-> " + state.variables().get(v), ", ") + "]", ",\n");
    }

    private static <T> String join(Collection<T> items, Function<T, String> text, String between) {
        return items.stream().map(text).collect(Collectors.joining(between));
    }
}
