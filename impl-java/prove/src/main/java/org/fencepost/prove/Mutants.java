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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.AuditException;

/**
 * What becomes of a proof when a guard is removed. Something must be open, or the proof would prove too much; it is, where there is a
 * counterexample to induction: a state in which the invariant holds, and a step from there to where it does not. The solver finds one for a
 * few transactions, TLC confirms it, and it is drawn.
 */
final class Mutants {
    private static final Pattern OVERRIDE = Pattern.compile("(?m)^\\\\\\* override: *(\\w+) *<- *(\\w+)");
    private static final Pattern FIELD = Pattern.compile("(?m)^\\\\\\* (dies|removes|why): *(.*(?:\\R\\\\\\*   .*)*)");

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

    /**
     * Those of a specification that violate one of the promises in TLC.
     *
     * @param beyond those that do nothing where the assumptions of the proof hold
     * @throws AuditException if one of these is none
     */
    List<Path> of(String spec, Set<String> promises, List<String> beyond) throws IOException {
        List<Path> wanted = new ArrayList<>();
        try (Stream<Path> listed = Files.list(specs.resolve("mutants").resolve(spec))) {
            for (Path file : listed.filter(f -> f.toString().endsWith(".tla")).sorted().toList()) {
                if (promises.contains(fields(Files.readString(file)).getOrDefault("dies", ""))) {
                    wanted.add(file);
                }
            }
        }
        for (String name : beyond) {
            if (!wanted.removeIf(file -> name(file).equals(name))) {
                throw new AuditException("The invariant of " + spec + " names '" + name + "' as beyond the proof, which is no mutant that violates a promise.");
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
        List<String> parts = spec.isChanged("Inductive") ? all : changed;
        Map<String, String> fields = fields(text);
        List<String> lesson = Stream.of(fields.containsKey("removes") ? "Removed: " + fields.get("removes") + "." : null,
                fields.containsKey("why") ? "Why it is there: " + fields.get("why") : null).filter(p -> p != null).toList();
        Drawing drawing = new Drawing(spec, library, folder, limit, parallel);
        Drawing.Found found = drawing.look(subject + "/" + name, Small.World.of(specs.resolve("proof"), subject), parts, lesson);
        if (found.picture() != null) {
            return new Outcome(name, found.broken(), found.picture(), found.text());
        }
        Set<String> open = new LinkedHashSet<>(found.broken());
        parallel.<List<Proof.Result>>each(parts, proof::prove,
                (part, results) -> results.stream().filter(r -> r.open() > 0).forEach(r -> open.add(r.part() + "/" + r.conjunct())));
        return new Outcome(name, List.copyOf(open), null, "");
    }

    /** For a table, one line. */
    static String line(String subject, Outcome outcome) {
        String open = outcome.open().isEmpty() ? "NOTHING IS OPEN" : outcome.open().stream().limit(3).collect(Collectors.joining(" "))
                + (outcome.open().size() > 3 ? " and " + (outcome.open().size() - 3) + " more" : "");
        return String.format("%-12s %-28s %-8s %s", subject, outcome.name(), outcome.picture() == null ? "no state" : "state", open);
    }
}
