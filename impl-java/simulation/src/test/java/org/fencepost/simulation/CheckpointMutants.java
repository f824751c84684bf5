package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/Checkpoints.tla, removed in Java: one for each mutant in specs/mutants/Checkpoints. */
public final class CheckpointMutants {

    private static final String RULE = "org.fencepost.protocol.Versions";
    private static final String OMID = "org.fencepost.protocol.omid.OmidLL";
    private static final String TRANSACTION = "org.fencepost.protocol.omid.OmidLLTransaction";
    private static final String READER = "org.fencepost.protocol.omid.SnapshotReader";
    private static final String PLACEMENT = "org.fencepost.protocol.omid.TablePlacement";
    private static final String COLLECTOR = "org.fencepost.protocol.omid.Collector";
    private static final String COMMITTED = "org.fencepost.protocol.store.Committed";
    private static final String REGION = "org.fencepost.protocol.fastpath.FastRegion";

    private static final String ENDPOINT = "org.fencepost.simulation.omid.Endpoint";

    private static final String LIFTS = "                if (plan.hasClocks()) {\n                    hook.before(plan.row(keys.get(i)), snapshot);\n                }\n";
    private static final String LOOKS = "                Row row = look(keys.get(i), snapshot, last);\n";
    private static final String IS_FAST = "return version % span >= levels;";
    private static final String PASSES = "            passed = writer;\n";
    private static final String REREADS = "Record<V> now = rereadLastLevel(key, met);";

    public static final List<CodeMutant> ALL = List.of(
            new CodeMutant("AsksForEveryLevel", READER, List.of(new Edit(PASSES, ""), new Edit(REREADS, "Record<V> now = store.reread(key, met);")),
                    "the last level is read again, which alone would hide the mutant"),
            of("AsksForLevel", PLACEMENT, "return store.versions(key).writerOf(met.version());", "return met.version();"),
            of("CleansLastLevelOnly", COLLECTOR, "if (Timestamps.isTimestamp(entry) && !isLastLevel) {", "if (!isLastLevel) {"),
            takesLevelForFast("CollectorTakesLevelForFast", "Collector"),
            new CodeMutant("CollectsUnderLevel", COLLECTOR, List.of(
                    new Edit(CodeMutant.SETTLES_FIRST, CodeMutant.COLLECTS_FIRST),
                    new Edit("return record.hasCommitCell() && record.commit() < watermark;", "return true;")),
                    "a pass settles the records of a key first, which alone would hide the mutant"),
            new CodeMutant("ComparesWithReadPoint", READER, List.of(new Edit("commit < tx.startTs();\n    }\n\n    private long getCommitEntry",
                    "commit < tx.readPoint();\n    }\n\n    private long getCommitEntry")), "survives, as the specification's does"),
            of("DrawsLevels", RULE, "return isFast(number + 1) ? number + 1 : writerOf(number + 1) + levels;", "return number + 1;"),
            new CodeMutant("DropsLivingLevels", COLLECTOR, List.of(new Edit("        Record<V> newest = null;\n", "        Record<V> newest = null;\n"
                    + "        long above = Timestamps.NIL;\n"
                    + "        for (Iterator<Record<V>> all = store.get(key, Long.MAX_VALUE); all.hasNext();) {\n"
                    + "            Record<V> level = all.next();\n            if (writerOf(key, level) == above) {\n"
                    + "                dropLevel(key, level.version());\n            }\n            above = writerOf(key, level);\n        }\n")),
                    "a pass looks below the watermark alone, where nobody lives; the mutant looks at everything"),
            takesLevelForFast("FastTakesLevelForFast", "RegionServers"),
            of("HealsEveryLevel", COMMITTED, "        keys.forEach(key -> byVersion", "        byVersion.put(startTs, keys);\n        keys.forEach(key -> byVersion"),
            of("HealsMetLevel", READER, "return last != null && last.version() == met;", "return true;"),
            of("InvalidatesItself", READER, "return version >= tx.startTs();", "return false;"),
            new CodeMutant("ListsForAnybody", "", List.of(), "a client can ask for its own transaction's versions only"),
            of("ListsValuesOnly", READER, "return own.version() != tx.writePoint() || tx.ownWrite(key) == null;",
                    "return !own.isTombstone() && (own.version() != tx.writePoint() || tx.ownWrite(key) == null);"),
            of("ListsVisibleOnly", READER, "return own.version() != tx.writePoint() || tx.ownWrite(key) == null;",
                    "return own.version() <= tx.readPoint() && (own.version() != tx.writePoint() || tx.ownWrite(key) == null);"),
            new CodeMutant("NeverShowsOwn", TRANSACTION, List.of(new Edit("        excluding = false;\n", "")), "the snapshot changes nothing"),
            new CodeMutant("NeverShowsOwn", READER, List.of(new Edit("return own == Timestamps.NIL ||", "return true ||")),
                    "where the region server decides: an own tombstone is what it does not send"),
            of("PutsOverNewerCommit", REGION, "return committed.noneMatch(other -> other >= version);", "return true;"),
            new CodeMutant("PutsTwiceInLevel", "", List.of(), "the simulator's clients keep to what the API refuses; OmidLLTest and CheckpointTest see it"),
            takesLevelForFast("ReaderTakesLevelForFast", "SnapshotReader"),
            of("ReadsOwnStatement", TRANSACTION, "return excluding ? writePoint() - 1 : writePoint();", "return writePoint();"),
            of("ReadsWithoutLifting", REGION, "        batches.lift(row, snapshot);\n        bumpClock(row, snapshot);\n        awaitFastWrites(snapshot, inFlight.await(row, snapshot));",
                    "        awaitFastWrites(snapshot, inFlight.await(row, snapshot));"),
            of("RereadsMetLevel", READER, REREADS, "Record<V> now = store.reread(key, met);"),
            new CodeMutant("ReadsWithoutLifting", ENDPOINT, List.of(new Edit(LIFTS, ""), new Edit(LOOKS, LOOKS + LIFTS)),
                    "where the region server decides: it looks before it has lifted the clock"),
            of("RemovesLastLevelOnly", TRANSACTION, "for (int each = 0; each <= last(levels); each++) {", "for (int each = last(levels); each <= last(levels); each++) {"),
            of("RunsOutOfLevels", OMID, "if (tx.level() >= levels) {", "if (tx.level() >= Versions.LEVELS) {"));

    private CheckpointMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }

    /** In Java one line tells it to all; the mutant has it wrong for one of them. */
    private static CodeMutant takesLevelForFast(String spec, String who) {
        return new CodeMutant(spec, RULE, List.of(new Edit(IS_FAST, "return version % span >= (StackWalker.getInstance().walk(frames -> frames.anyMatch(f ->\n"
                + "                f.getClassName().contains(\"." + who + "\"))) ? 1 : levels);")), "one line tells it to all who ask, and here is wrong for this one");
    }
}
