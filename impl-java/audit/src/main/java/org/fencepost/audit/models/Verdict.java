package org.fencepost.audit.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a run showed. Only a run that came to its end can pass or violate; everything that could not be judged is {@code unknown}.
 *
 * @param property the violated property; null unless {@code VIOLATES}
 * @param message why, one line; null where there is nothing to explain
 */
public record Verdict(Kind kind, String property, String message) {
    public enum Kind {
        PASS, VIOLATES,
        /** Nothing was checked: no state, or a witness was not reached. */
        VACUOUS,
        /** Passed, but with other counts than the pinned ones. */
        DRIFTED,
        UNKNOWN
    }

    private static final int EXIT_DEADLOCK = 11;
    private static final int EXIT_SAFETY = 12;
    public static final int EXIT_LIVENESS = 13;
    /** 128 + n is signal n; TLC's own codes from 150 on lie beyond the signals that kill (1 to 15). */
    private static final int EXIT_SIGNAL = 128;
    private static final int LAST_DEADLY_SIGNAL = 15;

    static Verdict unknown(String message) {
        return new Verdict(Kind.UNKNOWN, null, message);
    }

    /**
     * @param exit TLC's exit code; 128 + n where signal n killed it
     * @param exactDepth whether the depth is comparable: several workers may report different ones
     */
    static Verdict of(Job job, TlcOutput out, int exit, boolean exactDepth) {
        if (exit > EXIT_SIGNAL && exit <= EXIT_SIGNAL + LAST_DEADLY_SIGNAL) {
            return unknown("TLC was killed by signal " + (exit - EXIT_SIGNAL));
        }
        return switch (exit) {
            case 0 -> passed(job, out, exactDepth);
            case EXIT_DEADLOCK, EXIT_SAFETY, EXIT_LIVENESS -> violated(job, out, exit);
            default -> unknown(failure(out, exit));
        };
    }

    private static String failure(TlcOutput out, int exit) {
        for (String line : out.unframed()) {
            if (line.contains("OutOfMemoryError")) {
                return "TLC ran out of memory";
            }
        }
        if (out.error() != null) {
            return out.error() + " (exit code " + exit + ")";
        }
        List<String> lines = out.unframed();
        return (lines.isEmpty() ? "TLC said nothing" : lines.get(lines.size() - 1)) + " (exit code " + exit + ")";
    }

    private static Verdict passed(Job job, TlcOutput out, boolean exactDepth) {
        if (!out.completed()) {
            return unknown("TLC's output ends before its summary");
        }
        if (out.unsoundSymmetry()) {
            return unknown("a liveness property is checked under SYMMETRY, where TLC may miss violations");
        }
        if (out.distinct() == 0) {
            return new Verdict(Kind.VACUOUS, null, "no state was reached");
        }
        Verdict vacuous = withoutWitness(job, out);
        if (vacuous != null) {
            return vacuous;
        }
        if (job.pinned() && job.checks() != null && job.checks() != job.config().checks()) {
            return new Verdict(Kind.DRIFTED, null, "checks " + job.config().checks() + " properties, expected " + job.checks());
        }
        Set<String> unnamed = new TreeSet<>(out.witnesses());
        unnamed.removeAll(job.witnesses());
        if (job.pinned() && job.states() != null && !unnamed.isEmpty()) {
            return new Verdict(Kind.DRIFTED, null, "reaches witnesses that its header does not name: " + String.join(", ", unnamed));
        }
        if (job.pinned() && job.states() != null && job.states() != out.distinct()) {
            return new Verdict(Kind.DRIFTED, null, String.format(Locale.ROOT, "expected %,d states", job.states()));
        }
        if (job.pinned() && exactDepth && job.depth() != null && job.depth() != out.depth()) {
            return new Verdict(Kind.DRIFTED, null, "expected depth " + job.depth());
        }
        return new Verdict(Kind.PASS, null, null);
    }

    private static Verdict withoutWitness(Job job, TlcOutput out) {
        List<String> missing = new ArrayList<>(job.witnesses());
        missing.removeAll(out.witnesses());
        return missing.isEmpty() ? null : new Verdict(Kind.VACUOUS, null, "not reached: " + String.join(", ", missing));
    }

    private static Verdict violated(Job job, TlcOutput out, int exit) {
        String property = out.violated();
        if (property == null && out.temporalViolated() && job.config().properties().size() == 1) {
            property = job.config().properties().get(0);
        }
        if (property == null) {
            return unknown("TLC names no violated property (exit code " + exit + "): check one temporal property at a time");
        }
        boolean temporal = job.config().properties().contains(property);
        boolean fitting = exit == EXIT_DEADLOCK ? property.equals("Deadlock") : exit == EXIT_SAFETY || temporal;
        if (!fitting || out.trace() == null) {
            return unknown("violates " + property + ", but with exit code " + exit + (out.trace() == null ? " and no counterexample" : ""));
        }
        Verdict violates = new Verdict(Kind.VIOLATES, property, null);
        Verdict vacuous = violates.isExpectedBy(job) ? withoutWitness(job, out) : null; // an unexpected violation says more than what it came before
        return vacuous != null ? vacuous : violates;
    }

    boolean isExpectedBy(Job job) {
        return kind == Kind.PASS ? job.expected().pass() : kind == Kind.VIOLATES && property.equals(job.expected().property());
    }

    @Override
    public String toString() {
        return kind == Kind.VIOLATES ? "violates " + property : kind.name().toLowerCase(Locale.ROOT);
    }
}
