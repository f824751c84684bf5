package org.fencepost.protocol.history;

import org.fencepost.protocol.history.Violation.Axiom;

/** Violations in shorthand ({@link Scenario}), what a checker that knows timestamps must call them, and whether clients can see them. */
enum Planted {

    LOST_UPDATE("b1 b2 r1x0 r2x0 w1x w2x c1 c2", Axiom.FirstCommitterWins, true),
    LOST_UPDATE_NESTED("b1 b2 r1x0 r2x0 w2x c2 w1x c1", Axiom.FirstCommitterWins, true),
    LOST_SECOND_UPDATE("b1 w1x c1 b2 b3 r2x1 r3x1 w2x w3x c2 c3", Axiom.FirstCommitterWins, true),
    BLIND_LOST_UPDATE("b1 b2 w1x w2x c1 c2", Axiom.FirstCommitterWins, false),
    LOST_DELETE("b1 b2 w1x d2x c1 c2", Axiom.FirstCommitterWins, false),
    LOST_UPDATE_OF_UNKNOWN("b1 b2 r1x0 r2x0 w1x w2x u1 c2 b3 r3x1 c3", Axiom.FirstCommitterWins, true),

    ABORTED_READ("b1 w1x b2 r2x1 a1 c2", Axiom.NoDirtyRead, true),
    ABORTED_READ_BY_ABORTED("b1 w1x b2 r2x1 a2 a1", Axiom.NoDirtyRead, false),
    READ_OF_NOBODY("b1 r1x9 c1", Axiom.NoDirtyRead, true),
    READ_OF_ANOTHER_KEY("b1 w1y c1 b2 r2x1 c2", Axiom.NoDirtyRead, true),
    RANGE_SEES_ABORTED("b1 w1x b2 s2x1 a1 c2", Axiom.NoDirtyRead, true),
    RANGE_SEES_NOBODY("b1 s1z9 c1", Axiom.NoDirtyRead, true),

    STALE_READ("b1 w1x c1 b2 r2x0 c2", Axiom.Snapshot, true),
    STALE_READ_OF_OVERWRITTEN("b1 w1x c1 b2 w2x c2 b3 r3x1 c3", Axiom.Snapshot, true),
    STALE_READ_BY_ABORTED("b1 w1x c1 b2 r2x0 a2", Axiom.Snapshot, false),
    READ_OF_LATER_COMMIT("b1 b2 w2x c2 r1x2 c1", Axiom.Snapshot, false),
    READ_BEFORE_COMMIT("b1 w1x b2 r2x1 c2 c1", Axiom.Snapshot, false),
    READ_SKEW("b1 w1x w1y c1 b2 b3 w3x w3y c3 r2x1 r2y3 c2", Axiom.Snapshot, true),
    FRACTURED_READ("b1 w1x w1y c1 b2 r2x1 r2y0 c2", Axiom.Snapshot, true),
    NON_REPEATABLE_READ("b1 w1x c1 b2 r2x1 b3 w3x c3 r2x3 c2", Axiom.Snapshot, true),
    READ_THAT_GOES_BACK("b1 w1x c1 b2 w2x c2 b3 r3x2 r3x1 c3", Axiom.Snapshot, true),
    CIRCULAR_FLOW("b1 b2 w1x w2y r1y2 r2x1 c1 c2", Axiom.Snapshot, true),
    CAUSALITY("b2 b1 w1x c1 b3 r3x1 w3y c3 r2y3 r2x0 c2", Axiom.Snapshot, true),
    UNKNOWN_HALF_SEEN("b1 w1x w1y u1 b2 r2x1 r2y0 c2", Axiom.Snapshot, true),
    UNKNOWN_VANISHES("b1 w1x u1 b2 r2x1 c2 b3 r3x0 c3", Axiom.Snapshot, false),
    OWN_WRITE_FORGOTTEN("b1 w1x r1x0 c1", Axiom.Snapshot, true),
    OWN_WRITE_SHADOWED("b1 w1x c1 b2 w2x r2x1 c2", Axiom.Snapshot, true),
    OWN_DELETE_FORGOTTEN("b1 w1x c1 b2 d2x r2x1 c2", Axiom.Snapshot, true),
    DELETED_VALUE_IS_BACK("b1 w1x c1 b2 d2x c2 b3 r3x1 c3", Axiom.Snapshot, true),
    DELETE_SEEN_TOO_EARLY("b1 w1x c1 b3 b2 d2x c2 r3x0 c3", Axiom.Snapshot, false),
    ABORTED_DELETE_SEEN("b1 w1x c1 b2 d2x b3 r3x0 a2 c3", Axiom.Snapshot, true),
    PHANTOM_MISSED("b1 w1x w1y c1 b2 s2x1 c2", Axiom.Snapshot, true),
    PHANTOM_FROM_LATER("b1 b2 w2x c2 s1x2 c1", Axiom.Snapshot, false),
    RANGE_SEES_DELETED("b1 w1x c1 b2 d2x c2 b3 s3x1 c3", Axiom.Snapshot, true),
    RANGE_FRACTURED("b1 w1x w1y c1 b2 w2x w2y c2 b3 s3x2y1 c3", Axiom.Snapshot, true),
    RANGE_FORGETS_OWN("b1 w1x s1 c1", Axiom.Snapshot, true),
    TWO_RANGES_DIFFER("b1 s1 b2 w2x c2 s1x2 c1", Axiom.Snapshot, true),

    OLD_SNAPSHOT_GIVEN("b1 w1x c1 b2<1 r2x0 c2", Axiom.StrongSI, true),
    OLD_BEGIN_GIVEN("b1 w1x c1 b2<1 w2y c2", Axiom.StrongSI, false),
    BEGIN_GIVEN_TWICE("b1 c1 b2=1 c2", Axiom.Timestamps, false),
    COMMIT_GIVEN_TWICE("b1 b2 w1x c1 w2y c2=1", Axiom.Timestamps, false),
    COMMIT_BELOW_BEGIN("b1 w1x c1<", Axiom.Timestamps, false),
    COMMIT_WITHOUT_TIMESTAMP("b1 w1x c1~", Axiom.Timestamps, false);

    final String events;
    final Axiom axiom;
    /** A checker that looks at nothing but what clients saw must find it too. */
    final boolean visible;

    Planted(String events, Axiom axiom, boolean visible) {
        this.events = events;
        this.axiom = axiom;
        this.visible = visible;
    }
}
