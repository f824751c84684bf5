package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/Mediator.tla, removed in Java: one or more for each mutant in specs/mutants/Mediator. */
public final class MediatorMutants {

    private static final String CLIENT = "org.fencepost.protocol.mediator.Mediator";
    private static final String REGION = "org.fencepost.protocol.mediator.MediatorRegion";
    private static final String FILTER = "org.fencepost.protocol.mediator.BloomFilter";
    private static final String CLOCK = "org.fencepost.protocol.region.LocalVersionClock";
    private static final String ORACLE = "org.fencepost.tm.mediator.StatusOracle";
    private static final String REPLICA = "org.fencepost.tm.mediator.RingReplica";
    private static final String LOG = "org.fencepost.tm.mediator.CommitLog";
    private static final String HELPER = "org.fencepost.tm.mediator.Helper";
    private static final String RECOVERY = "org.fencepost.tm.mediator.Recovery";
    private static final String SERVERS = "org.fencepost.simulation.mediator.MediatorServers";
    private static final String PROCESS = "org.fencepost.simulation.mediator.OracleProcess";
    private static final String USER = "org.fencepost.simulation.mediator.MediatorClient";

    private static final String END = "            appendLog(tx);\n            writeBack(tx);\n            txCommit(tx);";
    private static final String BEHIND_FENCE = "        fence.accept(region);\n        othersGetIn();\n        region.requireOpen();\n"
            + "        return lastVersionBefore(key, before);";
    private static final String SETTLED = "        if (record != null && !isAborted(record)) {\n            replay(record);\n        }\n"
            + "        if (record != null) {";
    private static final String REPLAY = "        while (recovery.replay()) {\n            scheduler.pause(latency());\n        }\n";
    private static final String OPEN = "        tso = recovery.openTso(plan.mediator().ringEntries, this::timestamp, epoch);\n";
    private static final String TS_MIN_AFTER_EVICTION = "return counts(entry) ? Math.max(tsMin, ring[entry + COMMIT_TS]) : tsMin;";
    private static final String PUT_FENCE = "    private static long putFence(long startTs) {\n        return startTs;";
    /** The check of the database looks for native puts only, as SYSTOR'14 sec. 4.4 has it; Alg. 3 makes tsMin redundant. */
    private static final Edit NATIVES_ONLY = new Edit(SERVERS,
            "free &= MediatorRegion.noConflictInDatabase(last == null ? 0 : last.ts(), entry.getValue());",
            "free &= versions(key).subMap(entry.getValue() + 1, commitTs).keySet().stream().allMatch(ts -> ts % plan.leap() == 0);");

    public static final List<CodeMutant> ALL = List.of(
            of("AbortsUnlogged", HELPER, "record == null && !helperAbort(commitTs)", "record == null"),
            of("ActiveCountsNothing", ORACLE, "return ring[entry + STATUS] != ABORTED;", "return ring[entry + STATUS] == COMMITTED;"),
            new CodeMutant("AnswersBeforeWriteBack", CLIENT, List.of(new Edit(END, "            appendLog(tx);\n            tx.finish(TransactionStatus.COMMITTED);")),
                    "the client leaves the write-back to the helper"),
            of("AppendsAfterAbort", LOG, "return first == null ? new First<>(record) : first;",
                    "return first == null || record.commits() ? new First<>(record) : first;"),
            new CodeMutant("AsksNewestEntry", ORACLE, List.of(new Edit("number >= oldest && ring[at(number)]",
                    "number >= oldest && number == end - 1 && ring[at(number)]")), ""),
            new CodeMutant("BelievesReaders", "", List.of(), FastPathMutants.NO_STRANGERS),
            new CodeMutant("ChecksBeforeFence", SERVERS, List.of(new Edit(BEHIND_FENCE, "        Version<Long> looked = lastVersionBefore(key, before);\n"
                    + "        othersGetIn();\n        fence.accept(region);\n        region.requireOpen();\n        return looked;")),
                    "reads look before their fence, too"),
            new CodeMutant("ChecksNativesOnly", ORACLE, List.of(NATIVES_ONLY), ""),
            of("ChecksWithoutWaiting", REGION, "        awaitOlderPuts(rows, commitTs);\n", ""),
            new CodeMutant("ClockFromServers", PROCESS, List.of(new Edit("        return bound;",
                    "        return ledgers.closeLog().records().stream().mapToLong(record -> record.commitTs()).max().orElse(0);")),
                    "the clock goes on after what the log has; of the servers' clocks the mutant knows nothing"),
            of("CommitsUnchecked", CLIENT, "                txTryCommit(tx);\n                checkConflicts(tx);", "                txTryCommit(tx);"),
            of("ComparesWritesOnly", CLIENT, "if (settings.serializable()) {\n            tx.reads()", "if (false) {\n            tx.reads()"),
            new CodeMutant("ConflictsWithItself", ORACLE, List.of(new Edit("ring[at(number)] > earliest", "ring[at(number)] >= earliest"),
                    new Edit("commitTs > since[i]", "commitTs >= since[i]")), ""),
            of("DatabaseRemembers", ORACLE, TS_MIN_AFTER_EVICTION, "return tsMin;"),
            new CodeMutant("EvictsActive", ORACLE, List.of(new Edit("return ring[entry + STATUS] != ACTIVE;", "return true;"),
                    new Edit("        oldest++;\n", "        oldest++;\n        if (ring[entry + STATUS] == ACTIVE) {\n            active--;\n"
                            + "            change(ring[entry + COMMIT_TS]);\n        }\n")), ""),
            new CodeMutant("EvictsWithoutTsMin", ORACLE, List.of(new Edit(TS_MIN_AFTER_EVICTION, "return tsMin;"), NATIVES_ONLY), ""),
            of("FencesReadSetOnly", CLIENT, "return tx.writes().keySet();", "return Set.of();"),
            of("FilterForgets", FILTER, "            words[from + (bit >>> 6)] |= 1L << bit;\n", ""),
            new CodeMutant("LiftsToLimit", "", List.of(), FastPathMutants.NO_STRANGERS),
            of("LooksWithoutWaiting", REGION, "        awaitOlderPuts(rows, startTs);\n", ""),
            of("NativeWithinTransaction", USER, "        budget--;\n        scheduler.pause(plan.think(random));\n        if (random",
                    "        budget--;\n        scheduler.pause(plan.think(random));\n        if (random.nextInt(4) == 0) {\n"
                            + "            put(anyKey());\n        }\n        if (random"),
            of("NoDatabaseCheck", REGION, "return lastBefore <= since;", "return true;"),
            new CodeMutant("NoDatabaseCheck", REGION, List.of(new Edit("                noteWritten(row, stamp);\n", "")),
                    "the region does not remember a native put, and spares the check the look"),
            new CodeMutant("NoDatabaseCheck", REGION, List.of(new Edit("return since >= openedAt && lastWritten", "return lastWritten")),
                    "what was written before the region was opened is taken for nothing"),
            of("NoFenceAtBegin", REGION, "        clock.bump(startTs);\n", ""),
            of("NoFenceAtCheck", REGION, "        clock.bump(commitTs);\n", ""),
            of("NoRingCheck", ORACLE, "if (!noConflictInRing(conflicts, since)) {", "if (false) {"),
            of("NobodyAborts", HELPER, "        LogRecord<W> record = oracle.find(commitTs);\n",
                    "        LogRecord<W> record = oracle.find(commitTs);\n        if (record == null) {\n            return;\n        }\n"),
            of("NobodyReplays", HELPER, SETTLED, "        if (record != null && isAborted(record)) {"),
            of("NobodySyncs", REGION, "if (asking.compareAndSet(false, true)) {", "if (false) {"),
            new CodeMutant("OpensBeforeReplay", RECOVERY, List.of(new Edit("return closed && unreplayed.isEmpty();", "return closed;"),
                    new Edit(PROCESS, REPLAY, ""), new Edit(PROCESS, OPEN, OPEN + "        scheduler.pause(20 * latency());\n" + REPLAY)),
                    "it takes its time with the log then"),
            new CodeMutant("OpensHalfReplayed", "", List.of(), "a transaction is written back in one call"),
            of("PutTransactionBeforeBegin", REGION, PUT_FENCE, "    private static long putFence(long startTs) {\n        return Timestamps.NIL;"),
            of("PutTransactionInThePast", REGION, PUT_FENCE, "    private static long putFence(long startTs) {\n        return Timestamps.NIL;"),
            of("ReadersUnvalidated", CLIENT, "return tx.writes().isEmpty() && (!settings.serializable() || !tx.hasRead());",
                    "return tx.writes().isEmpty();"),
            of("ReadsLatest", SERVERS, "region.mediator.fenceRead(List.of(key), startTs);\n            }, startTs);",
                    "region.mediator.fenceRead(List.of(key), startTs);\n            }, Long.MAX_VALUE);"),
            of("ReadsPastRing", CLIENT, "return ts(version) >= due;", "return true;"),
            new CodeMutant("RecoversWithoutTsMin", RECOVERY, List.of(new Edit("        return epoch;", "        return 0;"), NATIVES_ONLY), ""),
            new CodeMutant("RefusesOlderPuts", SERVERS, List.of(new Edit("            store(key, put.ts(), value);\n", "            if (region.server.clock().now() > put.ts()) {\n"
                    + "                throw new StoreException(\"refused\");\n            }\n            store(key, put.ts(), value);\n")),
                    "a put that another put has passed is refused, too"),
            of("ReplaysAtStart", HELPER, "database.writeBack(record.writes(), record.commitTs());",
                    "database.writeBack(record.writes(), record.startTs());"),
            of("ReplaysOpenLog", LOG, "if (commitTs < epoch) {", "if (false) {"),
            new CodeMutant("ReplicaOfCommitted", ORACLE, List.of(new Edit("        replica.apply(changesSince(0));\n", "")),
                    "replicas leave out what is COMMITTED, so nothing is left"),
            of("StampsBeforeSync", REGION, "        return knowsTheTime;", "        return true;"),
            of("StampsWithoutEnd", CLOCK, "return (now + 1) % span != 0;", "return true;"),
            of("StopsAtNewerKey", ORACLE, "            if (commitTs > since[i]", "            if (commitTs < since[i]) {\n                return false;\n"
                    + "            }\n            if (commitTs > since[i]"),
            of("TimeWithoutIncrement", CLOCK, "bump(bootstrapTs(manager));", "bump(Math.max(span, bootstrapTs(manager) - span));"),
            of("TrustsLostClock", REGION, "    private volatile boolean knowsTheTime;", "    private volatile boolean knowsTheTime = true;"),
            new CodeMutant("TsMinFallsBack", "", List.of(), "entries are deleted in the order of their timestamps"),
            new CodeMutant("TsMinUnchecked", ORACLE, List.of(new Edit("return tsMin <= startTs;", "return true;"), NATIVES_ONLY), ""),
            of("WaitsForEarliest", REPLICA, "for (int i = 0; i < commits.length; i++) {", "for (int i = commits.length - 1; i >= 0; i--) {"),
            of("WritesBackUnlogged", CLIENT, END, "            writeBack(tx);\n            appendLog(tx);\n            txCommit(tx);"));

    private MediatorMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
