package org.fencepost.simulation.world;

/**
 * Why a run failed.
 *
 * @param property the axiom that is violated, or AnswersTrue, ClockBounded, NativesNeverAbort, Assertion, DeadEnd, Determinism
 * @param what     a sentence or more
 * @param cause    what was thrown; null if nothing was
 * @param events   how many events the log had when it was noticed; NOT_AT_ONCE where only the whole history shows it
 */
public record Failure(String property, String what, Throwable cause, int events) {

    public static final int NOT_AT_ONCE = -1;

    public Failure(String property, String what, Throwable cause) {
        this(property, what, cause, NOT_AT_ONCE);
    }

    @Override
    public String toString() {
        return property + ": " + what;
    }
}
