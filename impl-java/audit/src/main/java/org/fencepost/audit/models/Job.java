package org.fencepost.audit.models;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One run of TLC: a model, or a mutant of a model.
 *
 * @param name unique within its spec; the file's name without ending
 * @param file the .cfg of a model, the module of a mutant
 * @param module name of the module that TLC checks
 * @param config what TLC is to check, or null where {@code problem} says why there is none
 * @param expected {@code pass} or {@code violates P}
 * @param states pinned number of distinct states; null where none is pinned. A mutant has its model's, as a guess of its size
 * @param depth pinned depth, or null
 * @param witnesses what the run must print
 * @param checks pinned number of invariants and temporal properties, so that none is lost unseen; null where none is pinned
 * @param uncovered actions that the model does not reach, on purpose
 * @param rediscovers actions that the model takes, but only to states that others reach sooner: TLC cannot tell these from forbidden ones
 * @param coverage whether actions are counted, which costs 60 to 90 % more time: on in small models unless the header says otherwise
 * @param size when it is run; a mutant has its model's
 * @param guard operator that the mutant removes; null for a model
 * @param model the model that it is a mutant of; null for a model
 * @param why why the guard is there, or why the mutant survives; null for a model
 * @param problem why this cannot run, one sentence; null where it can
 */
public record Job(String spec, String name, Kind kind, Path file, String module, Config config, Expected expected, Long states, Long depth,
        List<String> witnesses, Long checks, List<String> uncovered, List<String> rediscovers, boolean coverage, Size size, String guard, String model,
        String why, String problem) {

    /**
     * Up to so many states a model is small. For OmidLL, TLC with the client compiler took 3.7 s of CPU against 5.4 s at 38,000 states, 9.8
     * against 10.9 at 124,000, and 41 against 29 at 433,000.
     */
    static final long SMALL = 150_000;
    /** What a module in specs/proof calls its invariant. */
    static final String PROOF = "Inductive";

    enum Kind { MODEL, MUTANT }

    /** What a model is for: every change, runs of hours, or, too large to be searched, for behaviours drawn at random ({@code make conformance}). */
    public enum Size {
        CI, DEEP, DRAWN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Null where there is no such size. */
        static Size of(String name) {
            return Stream.of(values()).filter(size -> size.toString().equals(name)).findFirst().orElse(null);
        }
    }

    /** @param property what must be violated; null for {@code pass} */
    public record Expected(String property) {
        static final Expected PASS = new Expected(null);

        boolean pass() {
            return property == null;
        }

        @Override
        public String toString() {
            return pass() ? "pass" : "violates " + property;
        }
    }

    public String id() {
        return spec + "/" + name;
    }

    /** Whether it is not for every change. */
    public boolean deep() {
        return size != Size.CI;
    }

    public boolean isMutant() {
        return kind == Kind.MUTANT;
    }

    /** Pinned numbers are promised for models that pass; a mutant's or a violated model's search stops early. */
    public boolean pinned() {
        return !isMutant() && expected.pass();
    }

    /** Whether TLC runs better with little optimization: it compiles less than it saves. A run that shall fail ends early. */
    boolean small() {
        return !expected.pass() || states == null || states <= SMALL;
    }

    /**
     * Whether {@link Runner} may give this to a JVM that has run others before ({@link TlcHost}): it must find a violation of an invariant. A
     * wrong pass would not be taken for the truth then.
     */
    boolean mayShare() {
        return isMutant() && !expected.pass() && !deep() && config != null && config.properties().isEmpty();
    }

    /** The same for one that must pass: by the number of its states, which is pinned, it shows whether an earlier run has disturbed it. */
    boolean mayShareWhenPinned() {
        return pinned() && states != null && !deep() && config.properties().isEmpty();
    }

    /** The same, without counts of its actions. */
    public Job withoutCoverage() {
        return with(config, false);
    }

    /** Whether it checks the invariant of a proof beside what users are promised. */
    boolean checksProof() {
        return config != null && config.invariants().contains(PROOF) && config.checks() > 1;
    }

    /** Whether it must violate what users are promised, and checks the invariant of a proof beside that: it fails some steps before, and says less. */
    boolean mustBreakPromise() {
        return checksProof() && !expected.pass() && !PROOF.equals(expected.property());
    }

    /** The same, without that invariant. */
    Job withoutProof() {
        Config promises = config.checking(config.invariants().stream().filter(i -> !i.equals(PROOF)).toList(), config.properties());
        return with(promises, coverage);
    }

    /** The same, with nothing to check but its pinned size: for its states and steps. {@code make check} checks the rest. */
    Job unchecked() {
        return with(config.checking(List.of(), List.of()), List.of(), null, false);
    }

    private Job with(Config other, boolean counts) {
        return with(other, witnesses, checks, counts);
    }

    private Job with(Config other, List<String> reached, Long number, boolean counts) {
        return new Job(spec, name, kind, file, module, other, expected, states, depth, reached, number, uncovered, rediscovers, counts, size, guard, model,
                why, problem);
    }

    public boolean reportsCoverage() {
        return coverage && pinned() && !deep();
    }
}
