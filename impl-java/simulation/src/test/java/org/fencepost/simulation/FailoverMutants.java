package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/TMFailover.tla, removed in Java. */
public final class FailoverMutants {

    private static final String AVAILABILITY = "org.fencepost.tm.failover.HighAvailability";
    private static final String TENURE = "org.fencepost.tm.failover.Tenure";
    private static final String LEASE = "org.fencepost.tm.failover.Lease";
    private static final String CORE = "org.fencepost.protocol.manager.TransactionManagerCore";
    private static final String CONFLICTS = "org.fencepost.protocol.manager.ConflictTable";
    private static final String ORACLE = "org.fencepost.protocol.manager.TimestampOracle";
    private static final String PROCESS = "org.fencepost.simulation.failover.ManagerProcess";
    private static final String PLAN = "org.fencepost.simulation.world.Plan";

    private static final String MANAGER_DRIFT = "return beyondDrift && managers > 1 ? BEYOND * DRIFT : drift();";
    private static final String RENEWAL = "shared.compareAndSet(SharedObjects.LEASE, leaseText(tenure.epoch()), ";
    private static final String CHALLENGE = "leaseText(holder == null ? 0 : holder.epoch()),\n                ";
    private static final String SWAP = "shared.compareAndSet(SharedObjects.MAX_TS, next.text(), ";
    private static final String PRESENT_LEASE = "shared.read(SharedObjects.LEASE).version());";
    private static final String OTHER_RAISED = "if (!present.owner().equals(settings.owner())) {";
    private static final String LEASE_HELD = "return !halted && lease.held(nowNanos);";

    private FailoverMutants() {
    }

    /** One for each mutant in specs/mutants/TMFailover. */
    public static final List<CodeMutant> ALL = List.of(
            new CodeMutant("ChecksLeaseBeforeReply", PROCESS, List.of(new Edit("running == 0 || !mayServe()", "running == 0 || tenure == null")),
                    "survives in the specification, too: the check before the reply, which the server makes as well, is enough"),
            new CodeMutant("ClockRunsAway", PLAN, List.of(new Edit(MANAGER_DRIFT, "return managers > 1 ? BEYOND * DRIFT : drift();")),
                    "the clock is the simulator's"),
            new CodeMutant("ClockStandsStill", PLAN, List.of(new Edit(MANAGER_DRIFT, "return managers > 1 ? 0.99 : drift();")),
                    "the clock is the simulator's, and nearly stands still"),
            of("ExtendsAtEquality", ORACLE, "return clock >= limit;", "return clock == limit;"),
            of("GoesOnAfterLosingLease", AVAILABILITY, "present == null || !present.owner().equals(settings.owner())", "present == null"),
            new CodeMutant("GoesOnAfterRefusedSwap", AVAILABILITY, List.of(new Edit("halt(\"another raised maxTS\");\n            return true;",
                    "maxTsVersion = read.version();\n            return false;")),
                    "the core cannot jump: it goes on with timestamps that are another's"),
            new CodeMutant("KeepsWatermark", "", List.of(), "a tenure begins when its swap has succeeded, and has no earlier watermark to keep"),
            of("LeaseFromAnswer", AVAILABILITY, "lease.grant(sent, leaseNanos);", "lease.grant(clock.nanos(), leaseNanos);"),
            new CodeMutant("LeaseOneUnitLonger", LEASE, List.of(new Edit("sentNanos + durationNanos;", "sentNanos + durationNanos + durationNanos / 4;")),
                    "a nanosecond longer makes no difference, since the challenger's write takes longer; here it is a quarter of the lease"),
            of("NoChallengerWait", AVAILABILITY, "long wait = waitNanos() - (clock.nanos() - observedNanos);", "long wait = 0;"),
            of("NoConflictCheck", CONFLICTS, "return way < WAYS && cells[bucket + WAYS + way] > startTs;", "return false;"),
            of("NoLeaseCheck", TENURE, LEASE_HELD, "return !halted;"),
            new CodeMutant("NoLeaseCheckLL", TENURE, List.of(new Edit(LEASE_HELD, "return !halted;")), "the same code as NoLeaseCheck"),
            of("NoLowWatermark", CORE, "new ConflictTable(settings.conflictEntries(), epochStart, tracer)",
                    "new ConflictTable(settings.conflictEntries(), 0, tracer)"),
            of("NoLowWatermarkCheck", CONFLICTS, "return startTs < lowWatermark;", "return false;"),
            new CodeMutant("RefusesEverybody", "", List.of(), CodeMutant.NO_HISTORY),
            of("RenewsBlindly", AVAILABILITY, RENEWAL + "version);", RENEWAL + PRESENT_LEASE),
            of("StartsAtZero", CORE, "new TimestampOracle(settings.leap(), epochStart, epochLimit)",
                    "new TimestampOracle(settings.leap(), 0, epochLimit)"),
            of("SwapsBlindly", AVAILABILITY, SWAP + "version);", SWAP + "shared.read(SharedObjects.MAX_TS).version());"),
            new CodeMutant("SwapsFromClock", "", List.of(), "the swap names the version that it replaces, and no timestamp"),
            new CodeMutant("TakesForeignSwapForOwn", AVAILABILITY, List.of(new Edit(OTHER_RAISED, "if (false) {"),
                    new Edit("present.equals(next)", "present.limit() == next.limit()")), ""),
            of("TakesRenewedLease", AVAILABILITY, CHALLENGE + "observed.version());", CHALLENGE + PRESENT_LEASE),
            new CodeMutant("TakesRequestsBeforeEpoch", "", List.of(), "there is no tenure that could take up a request before it has an epoch"),
            new CodeMutant("WaitsFromFirstLook", AVAILABILITY, List.of(new Edit("            observedNanos = now;\n", ""),
                    new Edit("            observed = read;\n", "            observedNanos = observed == null ? now : observedNanos;\n            observed = read;\n")), ""),
            of("WaitsFromLastLook", AVAILABILITY, "if (observed == null || read.version() != observed.version()) {", "if (true) {"),
            of("WaitsWithoutDrift", AVAILABILITY, "holder.leaseMillis() + Math.max(holder.driftMillis(), settings.driftMillis())", "holder.leaseMillis()"));

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
