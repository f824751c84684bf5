package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/PH1.tla, removed in Java: one for each mutant in specs/mutants/PH1. */
public final class PH1Mutants {

    private static final String INSTANCE = "org.fencepost.protocol.ph1.PH1";
    private static final String CERTIFIER = "org.fencepost.protocol.ph1.LocalCertifier";
    private static final String NPVS = "org.fencepost.protocol.ph1.ReplicatedVersions";
    private static final String VERSION = "org.fencepost.protocol.ph1.KeyVersion";
    private static final String TABLE = "org.fencepost.protocol.ph1.VersionTable";
    private static final String SERVERS = "org.fencepost.simulation.ph1.Endpoint";
    private static final String INSTANCES = "org.fencepost.simulation.ph1.Instances";

    private static final String SAVE = "        npvs.save(old);\n";
    private static final String FLOOR = "return snapshots.isEmpty() ? lastHorizon : Math.min(lastHorizon, snapshots.firstKey());";
    private static final String FREE = "return lastCommit.getOrDefault(key, 0L) < readTs;";
    private static final String FIRST = "            if (first != null) {";
    private static final String APPEND = "            if (!retried(() -> appendRecord(record))) {";
    private static final String FLUSH = "        Set<K> keys = retried(() -> {\n";

    /** A store that answers as one of its replicas may: with the cell before. */
    private static final List<Edit> ONE_REPLICA = List.of(
            new Edit("                cells.put(key, cell);", "                previous.put(key, java.util.Optional.ofNullable(old));\n                cells.put(key, cell);"),
            new Edit("        private final EventLog log;\n", "        private final EventLog log;\n"
                    + "        private final Map<String, java.util.Optional<Cell<Long>>> previous = new HashMap<>();\n"),
            new Edit("() -> servers.cells.get(key));", "() -> network.random().nextInt(4) == 0 && servers.previous.containsKey(key)\n"
                    + "                    ? servers.previous.get(key).orElse(null) : servers.cells.get(key));"));

    public static final List<CodeMutant> ALL = List.of(
            of("AbortsCommitted", SERVERS, FIRST, "            if (first != null && record.commits()) {"),
            new CodeMutant("AnswersEarly", INSTANCE, List.of(new Edit("            flush(record);\n            answer(tx);", "            answer(tx);")),
                    "the flush is left to whoever calls redo"),
            of("BeginsBeforeSession", INSTANCE, "return session.lastCommit() < readTs;", "return true;"),
            of("BeginsPastFlush", CERTIFIER, "return flushing.isEmpty() ? clock + 1 : flushing.first();", "return clock + 1;"),
            of("BelievesItself", INSTANCE, "        return first.commits();", "        return true;"),
            of("CollectsUnderReaders", INSTANCE, "cell.ts() < npvs.oldestSnapshot() && npvs", "npvs"),
            of("CollectsWithPutInFlight", INSTANCE, " && cell.ts() < below", ""),
            new CodeMutant("CollectsWithoutTheCutOff", "", List.of(),
                    "open: the simulator has not found it within 2,000 seeds, since a deletion is seldom collected while somebody is cut off and reads"),
            of("CommitsOverAbort", SERVERS, FIRST, "            if (first != null && !record.commits()) {"),
            of("CompletesEarly", INSTANCE, FLUSH, "        certifier.complete(record.commitTs());\n" + FLUSH),
            of("DeletesLeaveNothing", SERVERS, "                cells.put(key, cell);",
                    "                cells.put(key, cell);\n                cells.values().removeIf(any -> any.value() == null);"),
            of("EverybodyIsConcurrent", CERTIFIER, FREE, "return lastCommit.getOrDefault(key, 0L) == 0;"),
            of("EvictsUnderBegins", INSTANCE, FLOOR, "return snapshots.isEmpty() ? Long.MAX_VALUE : snapshots.firstKey();"),
            of("EvictsUnderOthers", INSTANCE, "long below = npvs.oldestSnapshot();", "long below = floor();"),
            of("EvictsUnderReaders", INSTANCE, FLOOR, "return lastHorizon;"),
            of("FlushesUnlogged", INSTANCE, APPEND, "            flush(record);\n" + APPEND),
            new CodeMutant("HalfServes", "", List.of(), "the simulator has three instances, and two halves need an even number"),
            of("JoinsEmpty", INSTANCES, "        copies.get(to).merge(copies.get(from).state());\n", ""),
            of("KeepsOldAnswers", NPVS, "                answered.clear();\n", ""),
            of("LatePutWins", SERVERS, "if (old == null || old.ts() < cell.ts()) {", "if (true) {"),
            of("MinoritySaves", NPVS, "return 2 * view.members().size() > group.instances();", "return true;"),
            of("MissIsAbsent", INSTANCE, "        if (version == null) {\n            throw abort(tx, AbortCause.UNREADABLE, why);\n        }\n"
                    + "        return version.value();", "        return version == null ? null : version.value();"),
            of("NoConflictCheck", CERTIFIER, FREE, "return true;"),
            of("NobodyAborts", INSTANCE, "            record = appendAbort(commitTs);\n", "            return;\n"),
            of("NobodyRedoes", INSTANCE, "            flush(record);\n        } else {", "        } else {"),
            of("OverwritesUnsaved", INSTANCE, SAVE, ""),
            new CodeMutant("ReadsAtOne", SERVERS, ONE_REPLICA, "so does the flusher"),
            of("ReadsCommitAtSnapshot", INSTANCE, "return ts < readTs;", "return ts <= readTs;"),
            of("ReadsPastWriteSet", INSTANCE, "return tx.writes().containsKey(key);", "return false;"),
            new CodeMutant("SavesAtOne", SERVERS, ONE_REPLICA, "so do readers"),
            of("SavesNoAbsence", INSTANCE, SAVE, "        Map<K, KeyVersion<V>> existing = new LinkedHashMap<>(old);\n"
                    + "        existing.values().removeIf(version -> version.from() == 0);\n        npvs.save(existing);\n"),
            of("VersionsHaveNoBegin", VERSION, "return from < readTs && readTs <= until;", "return readTs <= until;"),
            new CodeMutant("VersionsHaveNoEnd", VERSION, List.of(new Edit("return from < readTs && readTs <= until;", "return from < readTs;"),
                    new Edit(TABLE, ".findFirst()", ".max(java.util.Comparator.comparingLong(KeyVersion::from))")), ""));

    private PH1Mutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
