package org.fencepost.simulation;

import java.util.List;

/**
 * A guard of the specification, removed in Java: the change to the source that a careless hand might make.
 *
 * @param spec  the mutant of the specification whose counterpart this is
 * @param type  empty if there cannot be such a mutant
 * @param edits in the source file of the type, unless they say otherwise
 * @param note  what differs from the specification's mutant, or why there is none; empty where nothing does. "open: ..." where the simulator is not
 *              good enough yet to find it
 */
public record CodeMutant(String spec, String type, List<Edit> edits, String note) {

    /** @param type whose source; null for that of the mutant @param was occurs exactly once in the source */
    public record Edit(String type, String was, String becomes) {

        public Edit(String was, String becomes) {
            this(null, was, becomes);
        }
    }

    /** Whether it could be, and would not be found: which is told as a gap. */
    boolean isOpen() {
        return edits.isEmpty() && note.startsWith("open: ");
    }

    private static final String OMID = "org.fencepost.protocol.omid.OmidLL";
    private static final String READER = "org.fencepost.protocol.omid.SnapshotReader";
    private static final String COLUMN = "org.fencepost.protocol.omid.SnapshotColumn";
    private static final String COLLECTOR = "org.fencepost.protocol.omid.Collector";
    private static final String PLACEMENT = "org.fencepost.protocol.omid.TablePlacement";
    private static final String CONFLICTS = "org.fencepost.protocol.manager.ConflictTable";
    private static final String CORE = "org.fencepost.protocol.manager.TransactionManagerCore";
    private static final String ACTIVE = "org.fencepost.protocol.manager.ActiveTransactions";
    private static final String WATERMARKS = "org.fencepost.protocol.manager.AgedWatermarks";
    private static final String STORE = "org.fencepost.simulation.omid.StoreServer";
    private static final String TABLE = "org.fencepost.simulation.omid.CommitTableServer";
    private static final String PAGES = "org.fencepost.simulation.omid.Endpoint";

    static final String SETTLES_FIRST = "            settleLeftovers(key, watermark);\n            collectVersions(key, watermark);";
    static final String COLLECTS_FIRST = "            collectVersions(key, watermark);\n            settleLeftovers(key, watermark);";

    /** Why there is none of a mutant that only aborts too often. */
    static final String NO_HISTORY = "the simulator judges histories, and needless aborts are in none";

    private static final String ON_SERVER = "where the region server decides";

    /** One for each mutant in specs/mutants/OmidLL, and some for reads that the region server decides. */
    public static final List<CodeMutant> ALL = List.of(
            of("AbortRemovesMarker", OMID, "                store.removeAborted(keys, version);",
                    "                store.removeAborted(keys, version);\n                placement.remove(List.of(startTs));"),
            of("AnyVersion", READER, "Record<V> met = records.hasNext() ? records.next() : null;",
                    "Record<V> met = records.hasNext() ? records.next() : null;\n        met = records.hasNext() ? records.next() : met;"),
            new CodeMutant("AnyVersion", PAGES, List.of(new Edit("rows.size() < limit; i++) {", "i < limit; i++) {")),
                    "a scan's limit counts what is stored, so that what comes behind is missed"),
            of("BlindCommit", TABLE, "if (present != Timestamps.NIL) {",
                    "if (present != Timestamps.NIL && entry == Timestamps.INVALIDATED) {"),
            of("BlindInvalidation", TABLE, "if (present != Timestamps.NIL) {",
                    "if (present != Timestamps.NIL && entry != Timestamps.INVALIDATED) {"),
            of("CleansLiveRecords", COLLECTOR, "records = store.get(key, watermark - 1); records.hasNext();) {\n"
                    + "            Record<V> record = records.next();\n            if (!record",
                    "records = store.get(key, Long.MAX_VALUE); records.hasNext();) {\n"
                            + "            Record<V> record = records.next();\n            if (!record"),
            of("CleansWithoutReRead", COLLECTOR, "return reread != null && !reread.hasCommitCell();", "return true;"),
            new CodeMutant("CollectsCoveringTombstone", COLLECTOR, List.of(new Edit(
                    "newest = committedBelow(record, watermark) ? record : null;",
                    "newest = committedBelow(record, watermark) ? record : null;\n"
                            + "                if (newest != null && newest.isTombstone()) {\n"
                            + "                    collectTombstone(key, newest.version());\n                }")),
                    "a pass collects the versions under a tombstone first; the mutant goes from new to old"),
            new CodeMutant("CollectsEntryUnhealed", COLLECTOR, List.of(new Edit("        raiseWatermark(watermark);\n        if",
                    "        raiseWatermark(watermark);\n        collectEntries(keys, watermark);\n        if")),
                    "the guard is the order: entries are collected before the pass over the records"),
            of("CollectsLatestVersion", COLLECTOR, "newest = committedBelow(record, watermark) ? record : null;",
                    "newest = committedBelow(record, watermark) ? record : null;\n"
                            + "                if (newest != null) {\n                    collectVersion(key, newest.version());\n                }"),
            of("CollectsUnderLaterCommit", COLLECTOR, "record.hasCommitCell() && record.commit() < watermark", "record.hasCommitCell()"),
            new CodeMutant("CollectsUnderPending", COLLECTOR, List.of(
                    new Edit(SETTLES_FIRST, COLLECTS_FIRST),
                    new Edit("return record.hasCommitCell() && record.commit() < watermark;", "return true;")),
                    "a pass settles the pending records of a key first, which alone would hide the mutant"),
            of("CollectsUnderReaders", CORE, "return active.lowEnd(oracle.peek(), nowNanos);", "return oracle.peek();"),
            of("CollectsValueAsTombstone", COLLECTOR, "newest.isTombstone() && ", ""),
            of("CollectsWithPutInFlight", WATERMARKS, "this.graceNanos = graceNanos;", "this.graceNanos = 0;"),
            of("CollectsYoungMarker", PLACEMENT, "commitTable.entriesBelow(watermark)", "commitTable.entriesBelow(Long.MAX_VALUE)"),
            of("CommitsBeforeStored", OMID, "if (tx.hasBufferedWrites() || !tx.writesStored()) {", "if (tx.hasBufferedWrites()) {"),
            of("CommitsBelowWatermark", TABLE, "if (startTs < watermarks[shard(startTs)]) {",
                    "if (startTs < watermarks[shard(startTs)] && entry == Timestamps.INVALIDATED) {"),
            new CodeMutant("CollectsUnderReaders", ACTIVE, List.of(new Edit("            return false;\n        }\n        apart.put(number, nowNanos);\n", "            return false;\n        }\n")), "a renewal is answered and forgotten"),
            new CodeMutant("CollectsUnderReaders", ACTIVE, List.of(new Edit("return !apart.isEmpty() && apart.containsKey(number) ||", "return number > 0 ||")),
                    "who was given up is renewed"),
            new CodeMutant("CollectsUnderReaders", OMID, List.of(new Edit("        if (!manager.renew(tx.startTs())) {\n            return false;\n        }\n",
                    "        manager.renew(tx.startTs());\n")), "who is refused takes itself for renewed"),
            of("DeadReadersHoldWatermark", ACTIVE, "            dropBelow(firstTs[slot(oldest)] >>> shift);\n", ""),
            of("EvictsSilently", CONFLICTS, "        lowWatermark = commitTs;\n", ""),
            of("HealsNothing", COLLECTOR, "            healLeftover(key, version, entry);\n", ""),
            new CodeMutant("InvalidatesYounger", "", List.of(), NO_HISTORY),
            of("MarksBelowWatermark", TABLE, "if (startTs < watermarks[shard(startTs)]) {",
                    "if (startTs < watermarks[shard(startTs)] && entry != Timestamps.INVALIDATED) {"),
            new CodeMutant("NeverLearnsOutcome", "", List.of(), NO_HISTORY),
            new CodeMutant("NeverAsksAgain", OMID, List.of(new Edit("                lost = e;\n                continue;\n",
                    "                while (true) {\n                    clock.sleep(1_000_000);\n                }\n"),
                    new Edit("attempt++) {\n            long previous;", "attempt += 0) {\n            long previous;")),
                    "the client waits for the lost answer instead of writing its entry again"),
            of("NoConflictCheck", CONFLICTS, "return way < WAYS && cells[bucket + WAYS + way] > startTs;", "return false;"),
            of("NoLowWatermark", CONFLICTS, "return startTs < lowWatermark;", "return false;"),
            of("NoReRead", READER, "if (commit == Timestamps.NIL) {", "if (commit == commit) {"),
            of("PutsNil", STORE, "new Cells(write, leader, old.commit(), old.removed())", "new Cells(write, leader, Timestamps.NIL, old.removed())"),
            of("ReadsLaterCommits", READER, "return Timestamps.isTimestamp(commit) && commit < tx.startTs();",
                    "return Timestamps.isTimestamp(commit);"),
            of("ReadsOwnThroughTable", OMID, "return tx.readsFromMemory(key) ? readOwnWrite(tx, key) : reader.read(tx, key, store.get(key, tx.fetchPoint()));",
                    "return reader.read(tx, key, store.get(key, tx.fetchPoint()));"),
            new CodeMutant("ReadsLaterCommits", COLUMN, List.of(new Edit("return commitTs < snapshot;", "return true;")), ON_SERVER),
            new CodeMutant("ReadsOwnThroughTable", OMID, List.of(new Edit("return tx.readsFromMemory(key) ? readOwnWrite(tx, key) : reader.readDecided(tx, key, decided);",
                    "return reader.readDecided(tx, key, decided);")), ON_SERVER),
            new CodeMutant("PassesCertified", "", List.of(), "the simulator's readers ask nobody; ForeignSnapshotsTest sees it"),
            new CodeMutant("RefusesEverybody", "", List.of(), NO_HISTORY),
            of("RefusalTakenForAbort", OMID, "mayBeWritten ? TransactionStatus.UNKNOWN : TransactionStatus.ABORTED", "TransactionStatus.ABORTED"),
            of("RemovesEntryEarly", OMID, "removeCommitEntry(postCommit(List.of(committed)));",
                    "if (!committed.isReadOnly()) {\n            removeCommitEntry(List.of(committed.startTs()));\n        }\n        postCommit(List.of(committed));"),
            new CodeMutant("RetryMistrustsItself", OMID, List.of(
                    new Edit("previous == Timestamps.NIL || previous == commitTs", "previous == Timestamps.NIL"),
                    new Edit("        if (previous == Timestamps.INVALIDATED) {\n            return TransactionStatus.ABORTED;",
                            "        if (previous != Timestamps.COLLECTED) {\n            return TransactionStatus.ABORTED;")), ""),
            of("SkipsPending", READER, "long previous = placement.invalidate(key, met);",
                    "long previous = placement.lookUp(key, met);"),
            new CodeMutant("SkipsPending", COLUMN, List.of(new Edit("return Sees.UNDECIDED;", "return Sees.OLDER;")), ON_SERVER),
            new CodeMutant("StandsStill", PAGES, List.of(new Edit("page.get(page.size() - 1).version() - 1", "page.get(page.size() - 1).version()")),
                    "the reader's own assertion notices before it could go round for ever"),
            new CodeMutant("WatermarkFallsBack", "", List.of(), "two evictions of a run seldom fall in that order; ConflictTablePropertyTest sees it"));

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
