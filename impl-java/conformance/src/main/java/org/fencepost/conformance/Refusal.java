package org.fencepost.conformance;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.failover.ManagerPuppet;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;

/**
 * Steps that the specification allows and the code does not take, and why. A step is tried in any case; the reason counts
 * only where the code does refuse.
 */
enum Refusal {

    COLLECTS_TENTATIVE_VERSION(EnumSet.of(Protocol.OmidLL, Protocol.Fragola), "the collector settles a record without commit cell before it may collect it as a version",
            step -> step.action().equals("CollectVersion") && commitCell(step) == 0),

    COLLECTS_YOUNG_TOMBSTONE(EnumSet.of(Protocol.OmidLL, Protocol.Fragola), "the collector waits until a tombstone is committed below the watermark",
            step -> step.action().equals("CollectTombstone")
                    && !(0 < commitCell(step) && commitCell(step) < Values.number(step.from().get("watermark")))),

    COLLECTS_BEFORE_ALL_IS_SETTLED(EnumSet.of(Protocol.OmidLL, Protocol.Fragola), "a pass settles all leftovers below the watermark before it collects anything else",
            step -> step.action().startsWith("Collect") && leavesSomething(step)),

    SETTLES_FROM_NEW_TO_OLD(EnumSet.of(Protocol.Checkpoints), "a pass settles the records of a key from new to old",
            step -> step.action().equals("CleanLeftover") && leavesLevelFrom(step, Long.parseLong(step.content()) + 1)),

    DROPS_LEVELS_FIRST(EnumSet.of(Protocol.Checkpoints), "a pass settles records without commit cell, then drops earlier levels, before it collects anything else",
            step -> (step.action().startsWith("Collect") || step.action().equals("DropLevel")) && leavesLevelFrom(step, 0)),

    RAISES_TO_UNTOLD_WATERMARK(EnumSet.of(Protocol.OmidLL, Protocol.Fragola, Protocol.Checkpoints), "the collector takes watermarks that the manager has told: the lowest begin of those in time",
            step -> step.action().equals("RaiseWatermark") && Values.number(step.to().get("watermark")) < lowestInTime(step)),

    GIVES_UP_DECIDED_READ(EnumSet.of(Protocol.OmidLL, Protocol.Fragola), "a read that knows its result ends before its transaction can be rolled back",
            step -> step.action().equals("Rollback") && isDecided(step)),

    SENDS_BATCH_AGAIN(EnumSet.of(Protocol.OmidLL, Protocol.Fragola), "puts that were not answered are sent again with those of their batch that were, and one of these has been cleaned",
            step -> step.action().equals("RetryPut") && cleaned(step)),

    CLEANS_LEVEL_BY_LEVEL(EnumSet.of(Protocol.Checkpoints), "a client removes its records level by level, the first one first",
            step -> step.action().equals("CleanUp") && Values.items(at(step, "todo")).stream()
                    .anyMatch(record -> Values.number(Values.field(record, "ts")) < Long.parseLong(step.content()))),

    RENEWS_FIRST(EnumSet.of(Protocol.TMFailover), "a renewal that is due goes before the next epoch",
            step -> Set.of("ExtendEpoch", "SwapMaxTs", "FindEpoch").contains(step.action()) && serves(step) && leaseAge(step) > 0),

    HALTS_WHEN_LEASE_IS_OVER(EnumSet.of(Protocol.TMFailover), "a primary that finds its lease over halts, and does not renew it",
            step -> Set.of("RenewLease", "ObserveLease", "TakeOverAgain").contains(step.action())
                    && leaseAge(step) == ManagerPuppet.LEASE_TICKS && ofProcess(step, "role").equals("primary")),

    RENEWS_ONCE_IT_SERVES(EnumSet.of(Protocol.TMFailover), "a new primary raises maxTS before it renews its lease",
            step -> step.action().equals("RenewLease") && !serves(step)),

    BEGINS_ANEW(EnumSet.of(Protocol.TMFailover), "a new primary that does not hear of its first epoch is a challenger again",
            step -> step.action().equals("LoseAnswer") && ofProcess(step, "role").equals("primary") && !serves(step)),

    TAKES_OVER_AGAIN(EnumSet.of(Protocol.TMFailover), "a new primary whose first epoch is refused reads maxTS again, whoever raised it",
            step -> step.action().equals("FindEpoch") && !serves(step)),

    LOOKS_FIRST(EnumSet.of(Protocol.TMFailover), "a challenger has looked at the lease",
            step -> step.action().equals("AcquireLease") && !Values.has(step.from().get("current"), Values.name(step.process()))),

    FORGETS_FORMER_LIFE(EnumSet.of(Protocol.TMFailover), "a process that was started again waits for the lease of the one before as for any other",
            step -> step.action().equals("AcquireLease") && leaseAge(step) < ManagerPuppet.LEASE_TICKS),

    FENCES_AGAIN(EnumSet.of(Protocol.Mediator), "a look fences the server in the same request, again where the server has lost its clock since",
            step -> Set.of("TxGet", "GiveUp", "TxCheckConflict").contains(step.action()) && someServerIsBefore(step)),

    ORACLE_WRITES_THE_LOG(EnumSet.of(Protocol.Mediator), "the status oracle writes the log: while none serves, nothing is appended or answered",
            step -> Set.of("AppendLog", "LateRecord").contains(step.action()) && !Values.text(step.from().get("tso")).equals("up")),

    LEAVES_ENTRY_TO_HELPER(EnumSet.of(Protocol.Mediator), "a client that finds its abort in the log leaves its entry to the helper, whose abort it is",
            step -> step.action().equals("TsoAbort") && Values.text(at(step, "log")).equals("abort")),

    EVICTS_ALL_SETTLED(EnumSet.of(Protocol.Mediator), "the ring deletes all settled entries up to the oldest active one, the oldest first",
            step -> step.action().equals("Evict") && entries(step) > 1);

    private final Set<Protocol> protocols;
    private final String reason;
    private final Predicate<Step> applies;

    Refusal(Set<Protocol> protocols, String reason, Predicate<Step> applies) {
        this.protocols = protocols;
        this.reason = reason;
        this.applies = applies;
    }

    String reason() {
        return reason;
    }

    /** The reason why the code may refuse a step; null if it should take it. */
    static Refusal of(Protocol protocol, Step step) {
        for (Refusal refusal : values()) {
            if (refusal.protocols.contains(protocol) && refusal.applies.test(step)) {
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

    private static String ofProcess(Step step, String variable) {
        return Values.text(Values.at(step.from().get(variable), step.process()));
    }

    private static long leaseAge(Step step) {
        return Long.parseLong(ofProcess(step, "age"));
    }

    /** It has an epoch. */
    private static boolean serves(Step step) {
        return Long.parseLong(ofProcess(step, "epoch")) > Long.parseLong(ofProcess(step, "lowWatermark"));
    }

    /** A server's clock is before the transaction's last timestamp. */
    private static boolean someServerIsBefore(Step step) {
        TlaValue local = step.from().get("local");
        long ts = Math.max(Values.number(at(step, "readTs")), Values.number(at(step, "commitTs")));
        return Values.domain(local).stream().anyMatch(server -> Values.number(Values.at(local, server)) < ts);
    }

    private static long entries(Step step) {
        TlaValue ring = step.from().get("ring");
        return Values.domain(ring).stream().filter(txn -> !Values.text(Values.at(ring, txn)).equals("none")).count();
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

    /** The same where records are told by their versions, of which these count. */
    private static boolean leavesLevelFrom(Step step, long version) {
        long watermark = Values.number(step.from().get("watermark"));
        TlaValue stored = step.from().get("stored");
        return Values.domain(stored).stream().flatMap(key -> Values.items(Values.at(stored, key)).stream())
                .anyMatch(r -> Values.number(Values.field(r, "commit")) == 0 && Values.number(Values.field(r, "ts")) >= version
                        && Values.number(Values.field(r, "ts")) < watermark);
    }

    /** The lowest begin of the active that the watermark does not pass; the next timestamp if there is none. */
    private static long lowestInTime(Step step) {
        TlaValue status = step.from().get("status");
        long watermark = Values.number(step.to().get("watermark"));
        return Values.domain(status).stream().filter(client -> Values.text(Values.at(status, client)).equals("active"))
                .mapToLong(client -> Values.number(Values.at(step.from().get("readTs"), client))).filter(ts -> ts >= watermark).min()
                .orElse(Values.number(step.from().get("clock")) + 1);
    }

    /** A write of the transaction that was answered is no longer stored. */
    private static boolean cleaned(Step step) {
        TlaValue unanswered = at(step, "unanswered");
        return Values.items(at(step, "writes")).stream().map(Values::text).filter(key -> !Values.has(unanswered, Values.name(key)))
                .anyMatch(key -> !Values.has(Values.at(step.from().get("stored"), key), Values.name(step.txn())));
    }

    private static boolean isDecided(Step step) {
        TlaValue cursor = at(step, "cursor");
        String next = Values.text(Values.field(cursor, "step"));
        String met = Values.text(Values.field(cursor, "met"));
        return (next.equals("heal") || next.equals("repair"))
                && Values.number(Values.at(step.from().get("commitTs"), met)) < Values.number(at(step, "readTs"));
    }
}
