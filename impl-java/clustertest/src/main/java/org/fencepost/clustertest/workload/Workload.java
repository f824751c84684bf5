package org.fencepost.clustertest.workload;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.clustertest.verdict.Op;

/** What clients do, and what must come of it. One instance for each run. */
public interface Workload {

    /** Of its table. Keys lie in the same one if they have the same remainder by this. */
    int REGIONS = 6;

    /**
     * Which history adya gets, and what it is judged by.
     *
     * @param lists list-append; otherwise rw-register
     * @param model a consistency model, by Elle's name
     */
    record Elle(boolean lists, String model) {

        /** Whether what was answered before a transaction began is in its snapshot. */
        public boolean realTime() {
            return model.startsWith("strong-") && !model.startsWith("strong-session-");
        }
    }

    /** Initial data, before all else. */
    default List<Invocation> first() {
        return List.of();
    }

    /** Called by one thread at a time: the same sequence for the same seed, whoever gets which. */
    Invocation next(SplittableRandom random);

    /** The final reads, when everything is healed. Without an answer to each of them there is no verdict. */
    List<Invocation> last();

    /** Null: not for adya. */
    default Elle elle() {
        return null;
    }

    /** Whether its table needs a fast path. Without one, regular transactions stand alone: no put is refused for a newer version. */
    default boolean fastPath() {
        return false;
    }

    /** Whether transactions commit in one phase where they can, on a table with a fast path. */
    default boolean onePhase() {
        return false;
    }

    /** Whether its table is for Omid 2PC. */
    default boolean twoPhase() {
        return false;
    }

    /** Whether it scans, on keys that HBase has in their order; then it is told how transactions without an answer have ended. */
    default boolean scans() {
        return false;
    }

    /** Whether it has an index that is built meanwhile. */
    default boolean indexed() {
        return false;
    }

    /** Whether its table has leaders (Fragola); then half of the clients die before post-commit, readers heal nothing, and a janitor is at work. */
    default boolean leaders() {
        return false;
    }

    /** Whether it is for pH1, over Cassandra: snapshot isolation, in real time within each session. */
    default boolean isPH1() {
        return false;
    }

    /** Mediator's, snapshot or serializable, where transactions share the table with native clients; null for other workloads. */
    default String isolation() {
        return null;
    }

    default boolean isMediators() {
        return isolation() != null;
    }

    /** Whether clients know versions: then the project's own checkers judge. */
    default boolean hasVersions() {
        return true;
    }

    /** The specification of regular transactions. */
    default String regular() {
        return twoPhase() ? "OmidTwoPhase" : leaders() ? "Fragola" : "OmidLL";
    }

    /** By which properties of which specifications a run is judged. */
    default Map<String, List<String>> judged() {
        return !hasVersions() ? Map.of()
                : isPH1() ? Map.of("PH1", List.of("Snapshot", "OwnWrites", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "AbortsHaveReason"))
                : onePhase() ? Map.of("OnePhase", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI"))
                : fastPath() ? Map.of("FastPath", List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI", "SameKeyOrder", "NoTies"))
                : Map.of(regular(), List.of("Snapshot", "FirstCommitterWins", "NoDirtyRead", "StrongSI"));
    }

    /** A checker of its own; a sentence for each violation. */
    default List<String> violations(List<Op> history) {
        return List.of();
    }

    /** More that was counted in the history, by name. */
    default Map<String, Long> counts(List<Op> history) {
        return Map.of();
    }

    /** How often each path must be taken in a minute, at least, for a verdict. */
    Map<String, Integer> asks();
}
