package org.fencepost.audit.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.fencepost.audit.models.Check;
import org.fencepost.audit.models.Result;
import org.fencepost.audit.report.Dossier.Status;
import org.fencepost.audit.text.SpecText;

/**
 * What to look at first: verdicts that are not the expected ones, and which guard is likely to be gone.
 *
 * <p>A guard that was taken out of a spec shows in four ways: it says nothing but TRUE; no action uses it any more; the spec allows the
 * counterexample of the guard's mutant from end to end; and a model fails just as the mutant does. One that was taken out of
 * the Java code shows in its text being gone, and in the simulator's first failing seed.
 */
final class Suspicions {
    private static final Pattern SAYS_TRUE = Pattern.compile("(?m)^\\w+(\\(.*?\\))? ==\\s+TRUE\\s*$");

    private final Check.Findings found;
    private final List<Dossier.SystemPart> systems;
    private final JavaEvidence evidence;
    private final List<Dossier.Suspicion> all = new ArrayList<>();

    Suspicions(Check.Findings found, List<Dossier.SystemPart> systems, JavaEvidence evidence) {
        this.found = found;
        this.systems = systems;
        this.evidence = evidence;
    }

    List<Dossier.Suspicion> all() {
        systems.forEach(this::guards);
        systems.forEach(this::verdicts);
        found.completeness().failures().forEach(f -> all.add(new Dossier.Suspicion(sentence(f), null)));
        code();
        return all;
    }

    private static String sentence(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }

    private void add(String what, String link) {
        all.add(new Dossier.Suspicion(what, link));
    }

    private void guards(Dossier.SystemPart system) {
        SpecText text = found.suite().texts().get(system.name());
        Set<String> used = text.mentions("Next");
        Set<String> goesOn = text.mentions("FairSpec"); // what must happen in the end, and no step
        for (Dossier.Guard guard : system.guards()) {
            if (makesADifference(guard, system)) {
                continue;
            }
            String link = "guard-" + system.name() + "-" + guard.name();
            if (text.body(guard.name()).equals("TRUE") && !isWeakenedByMutants(guard, system)) {
                add("Guard " + guard.name() + " of " + system.name() + " (" + guard.where() + ") says nothing but TRUE.", link);
            }
            if (!used.isEmpty() && !used.contains(guard.name()) && !goesOn.contains(guard.name()) && guard.where().startsWith("specs/" + system.name() + ".tla")) {
                add("Guard " + guard.name() + " of " + system.name() + " (" + guard.where() + ") is used by no action that Next names.", link);
            }
        }
        for (Dossier.Mutant mutant : system.mutants()) {
            if (mutant.steps() != null && Objects.equals(mutant.steps().guarded(), 0) && !isAboutLater(mutant, system, text)
                    && system.models().stream().allMatch(m -> m.steps() == null || !m.steps().actions().equals(mutant.steps().actions())
                            && takesPart(mutant, m, system))) {
                add("The spec " + system.name() + " allows the whole counterexample of mutant " + mutant.name() + ": guard " + mutant.guard()
                        + " does not keep it from violating " + mutant.steps().property() + ".", "mutant-" + system.name() + "-" + mutant.name());
            }
        }
    }

    /** Whether a model passes with the guard and fails without it: it may well say TRUE where its mutant says less, or work through several operators. */
    private static boolean makesADifference(Dossier.Guard guard, Dossier.SystemPart system) {
        return system.mutants().stream().anyMatch(mutant -> guard.name().equals(mutant.guard()) && mutant.status() == Status.OK
                && !mutant.verdict().equals("pass")
                && system.models().stream().anyMatch(model -> model.name().equals(mutant.model()) && model.status() == Status.OK));
    }

    /** Whether the guard has mutants that say less than TRUE: those that were not run tell as much. */
    private boolean isWeakenedByMutants(Dossier.Guard guard, Dossier.SystemPart system) {
        List<String> mutants = system.mutants().stream().filter(mutant -> guard.name().equals(mutant.guard())).map(Dossier.Mutant::name).toList();
        return !mutants.isEmpty() && found.suite().jobs().stream().filter(job -> job.spec().equals(system.name()) && mutants.contains(job.name()))
                .noneMatch(job -> SAYS_TRUE.matcher(text(job.file())).find());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a guard works through what must happen in the end, or the property itself is defined with it: then it forbids no step. */
    private static boolean isAboutLater(Dossier.Mutant mutant, Dossier.SystemPart system, SpecText text) {
        String property = mutant.steps().property();
        return system.properties().stream().anyMatch(p -> p.temporal() && p.name().equals(property)) || text.mentions(property)
                .contains(mutant.guard());
    }

    private void verdicts(Dossier.SystemPart system) {
        for (Dossier.Model model : system.models()) {
            if (model.status() != Status.OK && !Result.DID_NOT_RUN.equals(model.message())) {
                add("Model " + system.name() + "/" + model.name() + ": " + model.verdict() + note(model.message()) + ", expected " + model.expected()
                        + "."
                        + (model.steps() == null ? "" : alike(model, system)), "model-" + system.name() + "-" + model.name());
            }
        }
        for (Dossier.Mutant mutant : system.mutants()) {
            if (mutant.status() != Status.OK && !Result.DID_NOT_RUN.equals(mutant.message()) && system.models().stream().noneMatch(m -> fallsWith(mutant, m))) {
                add("Mutant " + system.name() + "/" + mutant.name() + (mutant.verdict().equals("pass") ? " survives" : ": " + mutant.verdict())
                        + note(mutant.message()) + ", expected " + mutant.expected() + ". It removes guard " + mutant.guard() + ".",
                        "mutant-" + system.name() + "-" + mutant.name());
            }
        }
    }

    /** Whether a mutant dies of what its model violates already, or cannot run for the same reason. */
    private static boolean fallsWith(Dossier.Mutant mutant, Dossier.Model model) {
        return model.name().equals(mutant.model()) && model.status() != Status.OK && model.verdict().equals(mutant.verdict())
                && Objects.equals(model.message(), mutant.message());
    }

    private static String note(String message) {
        return message == null ? "" : " (" + message + ")";
    }

    /**
     * Which guard is likely gone: one whose mutant ought to die of this property, and fails in the same steps and after as many states as
     * its model, so that it makes no difference to remove it, and whose actions occur in it. Otherwise the mutants that come nearest.
     */
    private static String alike(Dossier.Model model, Dossier.SystemPart system) {
        String violates = "violates " + model.steps().property();
        List<Dossier.Mutant> same = system.mutants().stream()
                .filter(m -> m.steps() != null && m.verdict().equals(violates) && m.expected().equals(violates) && takesPart(m, model, system))
                .toList();
        List<Dossier.Mutant> equal = same.stream().filter(m -> isEqual(m, model)).toList();
        if (!equal.isEmpty()) {
            return " It makes no difference any more to remove " + list(equal) + ".";
        }
        List<Dossier.Mutant> near = same.stream().sorted(Comparator.comparingInt((Dossier.Mutant m) -> differences(m, model.steps()))
                .thenComparing(m -> Math.abs(m.states() - model.states()))).limit(3).toList();
        return near.isEmpty() ? "" : " It is most like removing " + list(near) + ".";
    }

    /** Whether some action of a model's counterexample has the guard that the mutant removes. */
    private static boolean takesPart(Dossier.Mutant mutant, Dossier.Model model, Dossier.SystemPart system) {
        List<String> actions = system.guards().stream().filter(g -> g.name().equals(mutant.guard())).flatMap(g -> g.actions().stream()).toList();
        return actions.isEmpty() || model.steps().actions().stream().anyMatch(actions::contains);
    }

    private static boolean isEqual(Dossier.Mutant mutant, Dossier.Model model) {
        return model.name().equals(mutant.model()) && model.steps() != null && mutant.steps() != null && mutant.states().equals(model.states())
                && mutant.steps().actions().equals(model.steps().actions());
    }

    private static String list(List<Dossier.Mutant> mutants) {
        return mutants.stream().map(m -> "guard " + m.guard() + " (mutant " + m.name() + ")").reduce((a, b) -> a + ", or " + b).orElse("");
    }

    /** How many of the steps are different ones, in whatever order. */
    private static int differences(Dossier.Mutant mutant, Dossier.Steps steps) {
        List<String> rest = new ArrayList<>(mutant.steps().actions());
        List<String> missing = steps.actions().stream().filter(a -> !rest.remove(a)).toList();
        return rest.size() + missing.size();
    }

    private void code() {
        for (Dossier.CodeMutant mutant : evidence.codeMutants()) {
            if (mutant.where() == null) {
                add("Java guard of " + mutant.name() + ": what the test removes is not in " + mutant.java().replaceAll(".*\\.", "")
                        + ".java any more.", "mutant-" + mutant.system() + "-" + mutant.name());
            } else if (mutant.fresh() && !mutant.found()) {
                add("Code mutant " + mutant.name() + " (" + mutant.where() + ") was not found by the simulator.", "mutant-" + mutant.system() + "-"
                        + mutant.name());
            }
        }
        for (JavaEvidence.Torture torture : evidence.torture()) {
            if (torture.failed() == null) {
                continue;
            }
            Object seed = torture.failed().get("seed");
            Object property = torture.failed().get("property");
            List<String> twins = evidence.codeMutants().stream()
                    .filter(c -> c.property().equals(property) && (c.replay() + " ").startsWith("--replay " + seed + " "))
                    .map(Dossier.CodeMutant::name).toList();
            add("The simulator violates " + property + " with seed " + seed + (torture.fresh() ? "" : " (before the last change)") + ": "
                    + torture.failed().get("message").toString().strip().replaceAll("[.]?$", ".")
                    + (twins.isEmpty() ? "" : " This is the first seed that finds code mutant " + String.join(", or ", twins) + "."),
                    "simulation");
        }
        for (JavaEvidence.Conformance c : evidence.conformance()) {
            if (c.difference() != null) {
                add("The code does not follow model " + c.name() + (c.fresh() ? "" : " (before the last change)") + ": " + c.difference(),
                        "simulation");
            }
        }
        evidence.tests().forEach(module -> module.failing()
                .forEach(test -> add("Test " + test + (module.fresh() ? "" : " (before the last change)") + " fails in "
                        + module.module() + ".", "tests")));
    }
}
