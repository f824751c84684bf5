package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/Fragola.tla, removed in Java: one for each mutant in specs/mutants/Fragola. */
public final class FragolaMutants {

    private static final String CLIENT = "org.fencepost.protocol.fragola.Fragola";
    private static final String PLACEMENT = "org.fencepost.protocol.fragola.LeaderPlacement";
    private static final String STORE = "org.fencepost.protocol.fragola.LeaderStore";
    private static final String OMID = "org.fencepost.protocol.omid.OmidLL";
    private static final String READER = "org.fencepost.protocol.omid.SnapshotReader";
    private static final String COLLECTOR = "org.fencepost.protocol.omid.Collector";
    private static final String WATERMARKS = "org.fencepost.protocol.manager.AgedWatermarks";
    private static final String CORE = "org.fencepost.protocol.manager.TransactionManagerCore";
    private static final String LEADERS = "org.fencepost.simulation.omid.Leaders";
    private static final String SERVER = "org.fencepost.simulation.omid.StoreServer";

    private static final Edit UNHEALED = new Edit("        if (placement.isInStore()) {\n            settleFirst(keys, watermark);\n        }\n", "");
    /** As if the leader had no commit cell, for one of the two that write it. */
    private static final String PREVIOUS = "        if (previous == Timestamps.NIL) {\n";
    private static final String HELPS = "if (intents && now != null) {";

    public static final List<CodeMutant> ALL = List.of(
            of("AbortRemovesMarker", OMID, "store.removeAborted(keys, version);", "store.remove(keys, version);"),
            of("AbsenceTakenForAbort", OMID, "mayBeWritten ? TransactionStatus.UNKNOWN : TransactionStatus.ABORTED", "TransactionStatus.ABORTED"),
            of("BlindCommit", LEADERS, PREVIOUS, "        previous = Timestamps.isTimestamp(entry) && previous == Timestamps.INVALIDATED ? Timestamps.NIL : previous;\n"
                    + PREVIOUS),
            of("BlindInvalidation", LEADERS, PREVIOUS, "        previous = !Timestamps.isTimestamp(entry) && Timestamps.isTimestamp(previous) ? Timestamps.NIL : previous;\n"
                    + PREVIOUS),
            of("CleansUnmarked", PLACEMENT, "entry == Timestamps.NIL ? invalidate(key, met) : entry", "entry"),
            of("CleansWithoutReRead", COLLECTOR, "return reread != null && !reread.hasCommitCell();", "return true;"),
            new CodeMutant("CollectsLeaderUnhealed", COLLECTOR, List.of(new Edit(UNHEALED.was(), "        for (K key : keys) {\n            settleLeftovers(key, watermark);\n"
                    + "            Iterator<Record<V>> all = store.get(key, Long.MAX_VALUE);\n            Record<V> top = all.hasNext() ? all.next() : null;\n"
                    + "            if (top != null && !all.hasNext() && top.isTombstone() && committedBelow(top, watermark)) {\n"
                    + "                collectTombstone(key, top.version());\n            }\n        }\n" + UNHEALED.was())), "the guard is the order"),
            new CodeMutant("CollectsMarkerOfLeader", COLLECTOR, List.of(
                    new Edit("        raiseWatermark(watermark);\n        if", "        raiseWatermark(watermark);\n        collectEntries(keys, watermark);\n        if"),
                    new Edit(SERVER, "\n                && !cells.getValue().isStored()", "")),
                    "a pass removes the leaders of markers first, which alone would hide the mutant"),
            new CodeMutant("CollectsOverwrittenLeader", COLLECTOR, List.of(UNHEALED), "the guard is the order: all records are settled first"),
            of("CollectsWithPutInFlight", WATERMARKS, "this.graceNanos = graceNanos;", "this.graceNanos = 0;"),
            new CodeMutant("CollectsYoungLeader", "", List.of(), CodeMutant.NO_HISTORY),
            of("CommitsWithoutLeader", STORE, "return isStored ? cell : Timestamps.COLLECTED;", "return cell;"),
            of("HealsNothing", COLLECTOR, "            healLeftover(key, version, entry);\n", ""),
            new CodeMutant("HelpsAbort", READER, List.of(new Edit(HELPS, "if ((intents || placement.isInStore()) && now != null) {"),
                    new Edit("            store.remove(List.of(key), met);", "            store.removeAborted(List.of(key), met);")), ""),
            of("LosesCommitted", LEADERS, "            unlogged(leader).remove(version);\n            store.putCommitCell", "            store.putCommitCell"),
            of("LosesWithPutInFlight", CLIENT, " && !tx.resends()", ""),
            of("MarksAbsence", LEADERS, PREVIOUS, "        previous = previous == Timestamps.COLLECTED && !Timestamps.isTimestamp(entry) ? store.entry(leader, version) : previous;\n"
                    + PREVIOUS),
            of("NewTMForgets", CORE, "settings.conflictEntries(), epochStart, tracer", "settings.conflictEntries(), 0, tracer"),
            of("NoReRead", READER, "if (commit == Timestamps.NIL) {", "if (commit == commit) {"),
            of("PutsAfterTimeIsUp", CLIENT, "if (clock.nanos() - tx.deadlineNanos() > 0) {", "if (false) {"),
            new CodeMutant("RetryMistrustsItself", OMID, List.of(
                    new Edit("previous == Timestamps.NIL || previous == commitTs", "previous == Timestamps.NIL"),
                    new Edit("        if (previous == Timestamps.INVALIDATED) {\n            return TransactionStatus.ABORTED;",
                            "        if (previous != Timestamps.COLLECTED) {\n            return TransactionStatus.ABORTED;")), ""),
            new CodeMutant("StoresLeaderFirst", CLIENT, List.of(
                    new Edit("        store.put(tx.startTs(), leader(tx), batch);\n", "        if (batch.containsKey(leader(tx))) {\n"
                            + "            store.put(tx.startTs(), leader(tx), Map.of(leader(tx), batch.get(leader(tx))));\n        }\n"
                            + "        store.put(tx.startTs(), leader(tx), batch);\n"),
                    new Edit(READER, HELPS, "if ((intents || placement.isInStore()) && now != null) {"),
                    new Edit(READER, "            store.remove(List.of(key), met);", "            store.removeAborted(List.of(key), met);")), "the leader is put a second time, with the others"));

    private FragolaMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
