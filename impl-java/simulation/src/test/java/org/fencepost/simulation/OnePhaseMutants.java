package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/OnePhase.tla, removed in Java: one for each mutant in specs/mutants/OnePhase. */
public final class OnePhaseMutants {

    private static final String OMID = "org.fencepost.protocol.omid.OmidLL";
    private static final String CLIENT = "org.fencepost.protocol.omid.OnePhase";
    private static final String TRANSACTION = "org.fencepost.protocol.omid.OmidLLTransaction";
    private static final String BATCHES = "org.fencepost.protocol.region.BatchRegion";
    private static final String FAST = "org.fencepost.protocol.fastpath.FastRegion";
    private static final String IN_FLIGHT = "org.fencepost.protocol.region.WritesInFlight";
    private static final String CORE = "org.fencepost.protocol.manager.TransactionManagerCore";
    private static final String SERVERS = "org.fencepost.simulation.omid.RegionServers";
    private static final String STORE = "org.fencepost.simulation.omid.StoreServer";
    private static final String ENDPOINT = "org.fencepost.simulation.omid.Endpoint";

    private static final String COMPARED = "return tx.commitTs() == Timestamps.NIL ? tx.startTs() : tx.commitTs();";
    private static final String COMPARE = "if (!rowClocks.liftBelow(rows, commitTs)) {";
    private static final String ROWS_FREE = "while (region.open && rows.stream().anyMatch(region.lockedRows::contains)) {";

    public static final List<CodeMutant> ALL = List.of(
            of("AbsenceAlwaysDecides", CLIENT, "return commitTable.watermark() <= startTs;", "return true;"),
            new CodeMutant("AcceptsBeforeBootstrap", BATCHES, List.of(new Edit("if (!knowsTheTime.getAsBoolean()) {", "if (false) {"),
                    new Edit(SERVERS, "Region region = reach(rows.get(0));\n        if (!scheduler.inEvent()) {", "Region region = reach(rows.get(0));\n        if (false) {")),
                    "a batch waits for the time, which alone would hide the mutant"),
            new CodeMutant("BatchDuringBatch", SERVERS, List.of(new Edit("        awaitRows(region, rows, () -> putBatch(startTs, commitTs, writes));\n", "")),
                    "the locks are HBase's, and the simulator's here"),
            new CodeMutant("BatchDuringFastWrite", SERVERS, List.of(new Edit(ROWS_FREE, "while (region == null) {")), "the locks are HBase's, and the simulator's here"),
            of("BatchLeavesClock", BATCHES, "        clock.bump(commitTs);\n", ""),
            new CodeMutant("BatchOverTwoRegions", ENDPOINT, List.of(new Edit("return regions.inOneRegion(keys);", "return true;")),
                    "the store is one here, and lets a batch be stored over two regions"),
            new CodeMutant("BlindTakesAll", CORE, List.of(new Edit("conflicts.committed(hashes, keys, ts);", "conflicts.committed(hashes, -1, ts);"),
                    new Edit("org.fencepost.protocol.manager.ConflictTable", "        for (int i = 0; i < count; i++) {\n            store(",
                            "        lowWatermark = count < 0 ? commitTs : lowWatermark;\n        for (int i = 0; i < count; i++) {\n            store(")),
                    ""),
            new CodeMutant("BesideAfterOpening", "", List.of(),
                    "open: hardly ever does a region move, and its server learn the time, between a read and the put that it missed; EarlyTimeTest has it"),
            new CodeMutant("BesideAlwaysDoubted", "", List.of(), CodeMutant.NO_HISTORY),
            new CodeMutant("BesideAsksAlways", "", List.of(), CodeMutant.NO_HISTORY),
            of("BesideBeforeBootstrap", BATCHES, "return knowsTheTime.getAsBoolean() ? Math.max", "return true ? Math.max"),
            of("BesideUnanswered", CLIENT, "            throw losePuts(tx, batch, e);", "            clock = 0;"),
            of("BesideUnchecked", BATCHES, "Math.max(rowClocks.get(row), collected.get())", "collected.get()"),
            of("BlindUntold", CORE, "conflicts.committed(hashes, keys, ts);", ""),
            of("BothWays", CLIENT, "        boolean stored;\n        try {\n",
                    "        boolean stored;\n        commitTable.checkAndMutate(tx.startTs(), tx.commitTs());\n        try {\n"),
            of("ClockNotChecked", BATCHES, COMPARE, "if (!rowClocks.liftBelow(rows, commitTs) && false) {"),
            of("CommitCellLeavesClock", FAST, "        batches.lift(row, ts);\n", ""),
            new CodeMutant("FastWriteDuringBatch", SERVERS, List.of(new Edit("        region.lockedRows.addAll(rows);\n", "")), "the locks are HBase's, and the simulator's here"),
            of("GivesUpAfterSending", CLIENT, "            stored = loseBatchAnswer(tx, e);", "            throw ll.abort(tx, AbortCause.MANAGER_UNREACHABLE, e);"),
            of("HalfABatch", STORE, "        writes.forEach((key, write) -> {\n            Cells old = cells(key, startTs);",
                    "        writes.entrySet().stream().limit(1).forEach(each -> {\n            String key = each.getKey();\n            Write<Long> write = each.getValue();\n"
                            + "            Cells old = cells(key, startTs);"),
            of("KeepsTimestamp", TRANSACTION, "        commitTs = ts;\n", "        commitTs = commitTs == Timestamps.NIL ? ts : commitTs;\n"),
            of("NeverComparesAgain", CORE, "return certify(comparedUpTo, hashes, keys, tables);",
                    "return certify(comparedUpTo == startTs ? startTs : Math.max(comparedUpTo, oracle.peek() - 1), hashes, keys, tables);"),
            new CodeMutant("NobodyResolves", "", List.of(), CodeMutant.NO_HISTORY),
            of("OwnCertificationCounts", OMID, COMPARED, "return tx.startTs();"),
            new CodeMutant("OpensWithOldClock", FAST, List.of(new Edit("            batches.collect(clock.now());", "")),
                    "one comparison tells of reads before the region was opened and of versions that were collected before"),
            new CodeMutant("PutDuringBatch", SERVERS, List.of(new Edit("        while (region.lockedRows.contains(row)) {\n            if (scheduler.inEvent()) {\n                scheduler.after(AGAIN_NANOS, () -> unheard(() -> mutate(",
                    "        while (region == null) {\n            if (scheduler.inEvent()) {\n                scheduler.after(AGAIN_NANOS, () -> unheard(() -> mutate(")),
                    "the locks are HBase's, and the simulator's here"),
            of("ReadLeavesClock", FAST, "        batches.lift(row, snapshot);\n", ""),
            new CodeMutant("ReadLeavesClock", FAST, List.of(new Edit("        batches.liftAll(snapshot);\n", "")), "a scan does"),
            of("ReadsWithoutWaiting", IN_FLIGHT, "if (write.awaitVersion() < snapshot && !write.over) {",
                    "if (write.awaitVersion() < snapshot && !write.over && write.row() == null) {"),
            of("RefusalLeavesClock", BATCHES, "        rows.forEach(row -> rowClocks.lift(row, commitTs));\n", ""),
            of("RefusesEverything", BATCHES, COMPARE, "if (rows != null) {"),
            of("RetriesAnyway", CLIENT, "TransactionStatus status = batches.findsRecord(startTs, commitTs, keys) ? TransactionStatus.COMMITTED",
                    "TransactionStatus status = batches.findsRecord(startTs, commitTs, keys) && false ? TransactionStatus.COMMITTED"),
            of("StoresOverCollected", BATCHES, "return startTs > collected.get();", "return true;"),
            new CodeMutant("StoresInClosedRegion", SERVERS, List.of(new Edit("            region.requireOpen();\n            store.putBatch", "            store.putBatch")),
                    "the guard is HBase's, and the simulator's here"),
            of("StoresOverNewerVersion", BATCHES, "!target.noNewerCommit() ?", "false ?"));

    private OnePhaseMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
