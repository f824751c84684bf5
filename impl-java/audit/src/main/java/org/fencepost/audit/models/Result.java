package org.fencepost.audit.models;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.audit.text.SpecText;

/**
 * One finished run.
 *
 * @param output what TLC said; without content where it was never started
 * @param exit TLC's exit code, -1 where it was never started
 * @param known whether an earlier run on the same inputs has found this
 * @param folder where the log and the counterexample are
 */
public record Result(Job job, Verdict verdict, TlcOutput output, int exit, double seconds, List<String> command, Path folder, boolean known) {
    public Result(Job job, Verdict verdict, TlcOutput output, int exit, double seconds, List<String> command, Path folder) {
        this(job, verdict, output, exit, seconds, command, folder, false);
    }

    public static final String DID_NOT_RUN = "did not run";

    public static Result notRun(Job job, Path folder, String problem) {
        return new Result(job, Verdict.unknown(problem), new TlcOutput(), -1, 0, List.of(), folder);
    }

    /** Found for a part of what the job checks. */
    Result of(Job whole) {
        return new Result(whole, verdict, output, exit, seconds, command, folder, known);
    }

    /** The spec's name for an action that a model or mutant replaced by one of its own (override, or prefix MC). */
    String specAction(String name, SpecText text) {
        String action = job.config() == null ? name : job.config().standIns().getOrDefault(name, name);
        boolean wrapper = action.startsWith("MC") && text.actions("Next").contains(action.substring(2));
        return wrapper ? action.substring(2) : action;
    }

    /** How often each action of the spec was taken; empty where that was not counted. */
    Map<String, Long> taken(SpecText text) {
        return counted(job.config() != null && job.config().isConstrained(), text);
    }

    /** The same, steps included that led to known states or that a constraint then forbade. */
    public Map<String, Long> attempted(SpecText text) {
        return counted(false, text);
    }

    private Map<String, Long> counted(boolean constrained, SpecText text) {
        Map<String, Long> counts = new TreeMap<>();
        if (job.config() != null) {
            output.taken(constrained).forEach((name, times) -> counts.merge(specAction(name, text), times, Long::sum));
        }
        return counts;
    }

    public boolean asExpected() {
        return verdict.isExpectedBy(job);
    }

    /** A mutant that had to die and died of what it had to. */
    public boolean killed() {
        return job.isMutant() && !job.expected().pass() && asExpected();
    }
}
