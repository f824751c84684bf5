package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/FastPath.tla, removed in Java: one for each mutant in specs/mutants/FastPath. */
public final class FastPathMutants {

    private static final String REGION = "org.fencepost.protocol.fastpath.FastRegion";
    private static final String CLOCK = "org.fencepost.protocol.region.LocalVersionClock";
    private static final String COLLECTOR = "org.fencepost.protocol.omid.Collector";
    private static final String CORE = "org.fencepost.protocol.manager.TransactionManagerCore";
    private static final String SERVERS = "org.fencepost.simulation.omid.RegionServers";
    private static final String CLIENT = "org.fencepost.simulation.omid.FastClient";

    private static final String PRE_GET = "        batches.lift(row, snapshot);\n        bumpClock(row, snapshot);\n        awaitFastWrites(snapshot, inFlight.await(row, snapshot));";
    private static final String LIFT = "region.fast.lift(plan.row(keys.get(0)), commitTs)";
    /** Why there is none of a mutant that only strangers profit from. */
    static final String NO_STRANGERS = "the simulator's users do not make up snapshots";
    private static final String SAME = "return expected == ANY || expected == last;";

    public static final List<CodeMutant> ALL = List.of(
            of("AtMost", REGION, SAME, "return expected == ANY || last <= expected;"),
            new CodeMutant("BelievesReaders", "", List.of(), NO_STRANGERS),
            new CodeMutant("BootstrapsWithoutIncrement", CLOCK, List.of(new Edit("bump(bootstrapTs(manager));",
                    "bump(Math.max(span, bootstrapTs(manager) - span));")), "the server takes what the clock was before it asked"),
            liftsUnless("CollectorHealsWithoutLifting", "Collector"),
            collectsTombstone("CollectsUnfinishedTombstone"),
            collectsTombstone("CollectsYoungTombstone"),
            of("ComparesOtherNumber", CLIENT, "last == null ? Timestamps.NIL : last.commit(), write", "last == null ? Timestamps.NIL : last.version(), write"),
            of("FetchesWithoutIncrement", CLOCK, "            if (!sequenceLeft(now)) {", "            if (now % span != 0) {\n"
                    + "                return now;\n            }\n            if (!sequenceLeft(now)) {"),
            of("IgnoresMovedVersion", REGION, SAME, "return true;"),
            of("IncrementsKeysVersion", REGION, "long version = clock.next();", "long version = clock.next();\n"
                    + "            version = version == LocalVersionClock.EXHAUSTED ? version : last.commitTs() + 1;"),
            new CodeMutant("LeapsByOne", "", List.of(), "the clock takes no timestamp that is no multiple of its span"),
            new CodeMutant("LiftsToLimit", "", List.of(), NO_STRANGERS),
            of("NewTMForgets", CORE, "settings.conflictEntries(), epochStart, tracer", "settings.conflictEntries(), 0, tracer"),
            of("NobodyCleans", COLLECTOR, "            cleanLeftover(key, version);\n", ""),
            liftsUnless("PostCommitLeavesClock", "OmidLL.finishCommit"),
            new CodeMutant("PutsDuringFastWrite", SERVERS, List.of(new Edit("while (region.lockedRows.contains(row)) {", "while (region == null) {")),
                    "the lock is HBase's, and the simulator's here"),
            of("PutsOverNewerCommit", REGION, "return committed.noneMatch(other -> other >= version);", "return true;"),
            liftsUnless("ReaderHealsWithoutLifting", "SnapshotReader"),
            of("ReadsWithoutLifting", REGION, PRE_GET, "        awaitFastWrites(snapshot, inFlight.await(row, snapshot));"),
            of("ReadsWithoutWaiting", REGION, PRE_GET, "        bumpClock(row, snapshot);"),
            new CodeMutant("RefusesEveryPut", "", List.of(), CodeMutant.NO_HISTORY),
            new CodeMutant("RefusesEverybody", "", List.of(), CodeMutant.NO_HISTORY),
            of("SendsWriteAgain", CLIENT, "            tracer.event(Action.LoseFastAnswer, \"key\", key);\n            throw e;",
                    "            tracer.event(Action.LoseFastAnswer, \"key\", key);\n            return send(action, key, expected, write, stored);"),
            of("SequenceRunsOver", CLOCK, "            if (!sequenceLeft(now)) {", "            if (false) {"),
            new CodeMutant("StoresInClosedRegion", SERVERS, List.of(new Edit("            region.requireOpen();\n            store.putCommitted",
                    "            store.putCommitted")), "the guard is HBase's, and the simulator's here"),
            of("TrustsOwnClock", REGION, "return knowsTheTime;", "return knowsTheTime || clock.now() > 0;"),
            of("WaitsBeforeLifting", REGION, PRE_GET, "        awaitFastWrites(snapshot, inFlight.await(row, snapshot));\n        bumpClock(row, snapshot);"),
            of("WaitsForRegulars", REGION, "(!knowsTheTime() || clock.sequenceLow())", "!knowsTheTime()"),
            of("WritesBeforeBootstrap", REGION, "        if (!knowsTheTime()) {\n            return refuse", "        if (false) {\n            return refuse"),
            of("WritesOverTentative", REGION, "if (!last.noNewerTentative()) {", "if (false) {"),
            new CodeMutant("WritesWithoutRowLock", SERVERS, List.of(new Edit("while (region.open && region.lockedRows.contains(row)) {",
                    "while (region == null) {")), "the lock is HBase's, and the simulator's here"));

    private FastPathMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }

    /** In Java one line lifts the clock for all who write commit cells; the mutant leaves it out for one of them. */
    private static CodeMutant liftsUnless(String spec, String writer) {
        return new CodeMutant(spec, SERVERS, List.of(new Edit(LIFT, "{\n            if (StackWalker.getInstance().walk(frames -> frames.noneMatch(f ->\n"
                + "                    (f.getClassName() + \".\" + f.getMethodName()).contains(\"." + writer + "\")))) {\n                " + LIFT
                + ";\n            }\n        }")), "one line lifts for all who write commit cells, and here not for this one");
    }

    /** Young or unfinished, as the name says. */
    static CodeMutant collectsTombstone(String spec) {
        return of(spec, COLLECTOR, "        Record<V> newest = null;\n", "        Record<V> newest = null;\n" + top(spec.equals("CollectsYoungTombstone")
                ? "top.hasCommitCell()" : "!top.hasCommitCell() && Timestamps.isTimestamp(placement.lookUp(key, top))"));
    }

    /** Collects the only record of a key, if it is a tombstone, whatever the watermark. */
    private static String top(String condition) {
        return "        Iterator<Record<V>> all = store.get(key, Long.MAX_VALUE);\n        Record<V> top = all.hasNext() ? all.next() : null;\n"
                + "        if (top != null && top.isTombstone() && !all.hasNext() && " + condition + ") {\n"
                + "            collectTombstone(key, top.version());\n        }\n";
    }
}
