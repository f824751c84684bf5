package org.fencepost.simulation.world;

/**
 * Why a run failed.
 *
 * @param property the axiom that is violated, or AnswersTrue, ClockBounded, NativesNeverAbort, Assertion, DeadEnd, Determinism
 * @param what     a sentence or more
 * @param cause    what was thrown; null if nothing was
 */
public record Failure(String property, String what, Throwable cause) {

    @Override
    public String toString() {
        return property + ": " + what;
    }
}
