package org.fencepost.prove;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.models.Counterexample;
import org.fencepost.audit.models.Trace;
import org.fencepost.audit.text.SpecText;
import org.fencepost.lanes.SvgLanes;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.TextLanes;

/**
 * What becomes of a proof when a guard is removed. Something must be open, or the proof would prove too much; it is, where there is a
 * counterexample to induction: a state in which the invariant holds, and a step from there to where it does not. The solver finds one for a
 * few transactions, TLC confirms it, and it is drawn.
 */
final class Mutants {
    private static final Pattern OVERRIDE = Pattern.compile("(?m)^\\\\\\* override: *(\\w+) *<- *(\\w+)");
    private static final Pattern FIELD = Pattern.compile("(?m)^\\\\\\* (dies|removes|why): *(.*(?:\\R\\\\\\*   .*)*)");
    private static final int WIDTH = 150;

    private final Path specs;
    private final Path out;
    private final int limit;
    private final Parallel parallel;

    Mutants(Path specs, Path out, int limit, Parallel parallel) {
        this.specs = specs;
        this.out = out;
        this.limit = limit;
        this.parallel = parallel;
    }

    /**
     * @param open where something is open, as action/conjunct
     * @param picture of a counterexample to induction, confirmed by TLC; null where none was found
     */
    record Outcome(String name, List<String> open, Path picture, String text) {
    }

    /** Those of a specification that violate one of the promises in TLC. */
    List<Path> of(String spec, Set<String> promises) throws IOException {
        List<Path> wanted = new ArrayList<>();
        try (Stream<Path> listed = Files.list(specs.resolve("mutants").resolve(spec))) {
            for (Path file : listed.filter(f -> f.toString().endsWith(".tla")).sorted().toList()) {
                if (promises.contains(fields(Files.readString(file)).getOrDefault("dies", ""))) {
                    wanted.add(file);
                }
            }
        }
        return wanted;
    }

    static String name(Path file) {
        return file.getFileName().toString().replace(".tla", "");
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher m = FIELD.matcher(text);
        while (m.find()) {
            fields.putIfAbsent(m.group(1), m.group(2).replaceAll("\\R\\\\\\*  *", " ").strip());
        }
        return fields;
    }

    /** @param invariant module of the specification as it is */
    Outcome outcome(String subject, Path invariant, Path file) throws IOException {
        String name = name(file);
        String text = Files.readString(file, StandardCharsets.UTF_8);
        Map<String, String> overrides = new LinkedHashMap<>();
        OVERRIDE.matcher(text).results().forEach(m -> overrides.put(m.group(1), m.group(2)));
        Path folder = out.resolve("mutants").resolve(subject).resolve(name);
        Files.createDirectories(folder);
        Path module = folder.resolve("Prove" + name + ".tla");
        Files.writeString(module, "---- MODULE Prove" + name + " ----\nEXTENDS " + name + ", " + name(invariant) + "\n====\n");
        List<Path> library = List.of(specs, specs.resolve("proof"), specs.resolve("models").resolve(subject), file.getParent());
        Specification spec = Specification.read(module, library, overrides);
        Proof proof = new Proof(spec, limit, 0);
        List<String> all = proof.parts().stream().filter(part -> !part.equals(Proof.INIT)).toList();
        List<String> changed = all.stream().filter(part -> spec.defines(part) && spec.isChanged(part)).toList();
        // With no action changed, what is changed is in Next: of what the actions are taken.
        List<String> parts = spec.isChanged("Inductive") || changed.isEmpty() ? all : changed;
        Set<String> open = new LinkedHashSet<>();
        for (Small.World world : Small.World.of(specs.resolve("proof"), subject)) {
            try (Examples examples = new Examples(spec, world, limit)) {
                List<Examples.Broken> broken = new ArrayList<>();
                List<String> asked = parts.stream().filter(p -> !p.equals(Proof.BY_INDUCTION)).toList();
                parallel.<Optional<Examples.Broken>>each(asked, examples::broken, (part, found) -> found.ifPresent(broken::add));
                broken.forEach(b -> b.conjuncts().forEach(c -> open.add(b.part() + "/" + c)));
                for (Examples.Broken b : broken) {
                    Optional<SwimLane> picture = picture(subject + "/" + name + " in " + world.name(), spec, library, folder, examples, b, fields(text));
                    if (picture.isPresent()) {
                        Path svg = folder.resolve("counterexample.svg");
                        Files.writeString(svg, SvgLanes.draw(picture.get()));
                        String drawn = TextLanes.draw(picture.get(), WIDTH);
                        Files.writeString(folder.resolve("counterexample.txt"), drawn);
                        return new Outcome(name, List.copyOf(open), svg, drawn);
                    }
                }
            }
        }
        parallel.<List<Proof.Result>>each(parts, proof::prove,
                (part, results) -> results.stream().filter(r -> r.open() > 0).forEach(r -> open.add(r.part() + "/" + r.conjunct())));
        return new Outcome(name, List.copyOf(open), null, "");
    }

    /** A counterexample to induction in which TLC sees the same as the solver. */
    private Optional<SwimLane> picture(String title, Specification spec, List<Path> library, Path folder, Examples examples, Examples.Broken broken,
            Map<String, String> fields) throws IOException {
        Set<String> asked = new TreeSet<>(invariants(spec));
        asked.addAll(broken.conjuncts());
        ByTlc.Seen seen = new ByTlc(spec, library, folder, List.copyOf(asked)).see(examples.world(), List.of(broken.state())).get(0);
        String conjunct = broken.conjuncts().get(0);
        boolean follows = Proof.FOLLOW.contains(broken.part());
        Optional<ByTlc.Step> step = seen.steps().stream().filter(s -> s.action().equals(broken.part()) && s.violated().contains(conjunct)).findFirst();
        if (follows ? !seen.violated().contains(conjunct) : !seen.violated().isEmpty() || step.isEmpty()) {
            return Optional.empty();
        }
        SpecText text = new SpecText();
        for (Path module : spec.modules()) {
            text.add(name(module), Files.readString(module));
        }
        List<Trace.State> states = new ArrayList<>(List.of(new Trace.State(1, "Init", examples.initial()), new Trace.State(2, "(the invariant holds)", seen.values())));
        step.filter(s -> !follows).ifPresent(s -> states.add(new Trace.State(3, broken.part(), s.after())));
        String says = text.operator(conjunct).map(d -> " " + d.sentences(2)).orElse("");
        List<String> lesson = Stream.of(
                (follows ? "Does not follow: " + conjunct : "Violated by the step: " + conjunct) + "." + says,
                fields.containsKey("removes") ? "Removed: " + fields.get("removes") + "." : null,
                fields.containsKey("why") ? "Why it is there: " + fields.get("why") : null).filter(p -> p != null).toList();
        return Optional.of(Counterexample.of(title, states, text, lesson));
    }

    /** The names of all that holds where the invariant does. */
    private static List<String> invariants(Specification spec) {
        return new Proof(spec, 0, 0).conjuncts("Inductive");
    }

    /** For a table, one line. */
    static String line(String subject, Outcome outcome) {
        String open = outcome.open().isEmpty() ? "NOTHING IS OPEN" : outcome.open().stream().limit(3).collect(Collectors.joining(" "))
                + (outcome.open().size() > 3 ? " and " + (outcome.open().size() - 3) + " more" : "");
        return String.format("%-12s %-28s %-8s %s", subject, outcome.name(), outcome.picture() == null ? "no state" : "state", open);
    }
}
