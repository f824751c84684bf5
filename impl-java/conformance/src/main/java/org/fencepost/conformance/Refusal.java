package org.fencepost.conformance;

import java.util.function.Predicate;

import org.fencepost.audit.TlaValue;

/**
 * Steps that the specification allows and the code does not take, and why. A step is tried in any case; the reason counts
 * only where the code does refuse.
 */
enum Refusal {

    COLLECTS_TENTATIVE_VERSION("the collector settles a record without commit cell before it may collect it as a version",
            step -> step.action().equals("CollectVersion") && commitCell(step) == 0),

    COLLECTS_YOUNG_TOMBSTONE("the collector waits until a tombstone is committed below the watermark",
            step -> step.action().equals("CollectTombstone")
                    && !(0 < commitCell(step) && commitCell(step) < Values.number(step.from().get("watermark")))),

    COLLECTS_BEFORE_ALL_IS_SETTLED("a pass settles all leftovers below the watermark before it collects anything else",
            step -> step.action().startsWith("Collect") && leavesSomething(step)),

    RAISES_TO_UNTOLD_WATERMARK("the collector takes watermarks that the manager has told: the lowest begin of the active",
            step -> step.action().equals("RaiseWatermark") && Values.number(step.to().get("watermark")) < step.highestWatermark()),

    GIVES_UP_DECIDED_READ("a read that knows its result ends before its transaction can be rolled back",
            step -> step.action().equals("Rollback") && isDecided(step));

    private final String reason;
    private final Predicate<Step> applies;

    Refusal(String reason, Predicate<Step> applies) {
        this.reason = reason;
        this.applies = applies;
    }

    String reason() {
        return reason;
    }

    /** The reason why the code may refuse a step; null if it should take it. */
    static Refusal of(Step step) {
        for (Refusal refusal : values()) {
            if (refusal.applies.test(step)) {
                return refusal;
            }
        }
        return null;
    }

    private static TlaValue at(Step step, String variable) {
        return Values.at(step.from().get(variable), step.txn());
    }

    private static long commitCell(Step step) {
        return Values.number(Values.at(Values.at(step.from().get("commitCell"), step.key()), step.txn()));
    }

    /** A record below the watermark has no commit cell. */
    private static boolean leavesSomething(Step step) {
        long watermark = Values.number(step.from().get("watermark"));
        TlaValue stored = step.from().get("stored");
        TlaValue cells = step.from().get("commitCell");
        return Values.domain(stored).stream().anyMatch(key -> Values.items(Values.at(stored, key)).stream().map(Values::text)
                .anyMatch(txn -> Values.number(Values.at(Values.at(cells, key), txn)) == 0
                        && Values.number(Values.at(step.from().get("readTs"), txn)) < watermark));
    }

    private static boolean isDecided(Step step) {
        TlaValue cursor = at(step, "cursor");
        String next = Values.text(Values.field(cursor, "step"));
        String met = Values.text(Values.field(cursor, "met"));
        return (next.equals("heal") || next.equals("repair"))
                && Values.number(Values.at(step.from().get("commitTs"), met)) < Values.number(at(step, "readTs"));
    }
}
