package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/IndexFence.tla, removed in Java: one for each mutant in specs/mutants/IndexFence. */
public final class IndexMutants {

    private static final String OMID = "org.fencepost.protocol.omid.OmidLL";
    private static final String INDEX = "org.fencepost.protocol.omid.SecondaryIndex";
    private static final String BUILD = "org.fencepost.protocol.omid.IndexBuild";
    private static final String COLLECTOR = "org.fencepost.protocol.omid.Collector";
    private static final String CONFLICTS = "org.fencepost.protocol.manager.ConflictTable";
    private static final String CORE = "org.fencepost.protocol.manager.TransactionManagerCore";
    private static final String BUILDER = "org.fencepost.simulation.omid.Builder";
    private static final String JANITOR = "org.fencepost.simulation.omid.Janitor";
    private static final String SIMULATION = "org.fencepost.simulation.omid.Simulation";

    private static final String STORED_AS = "        return found.version();\n";
    private static final String BORN = "        return found.commit();\n";
    private static final String OWN = "        return part.startTs() + 0;\n";
    private static final String FENCED = "        index.fenced(build.fence());\n";
    private static final String KEPT = "        for (String row : plan.keys()) {\n";
    private static final String PASS = "collector.collect(plan.storedKeys(), watermark);";
    private static final String PASS_OVER_ROWS = "collector.collect(plan.keys(), watermark);";
    private static final String LOOKS_AT_ALL = "a pass looks below the watermark alone; the mutant looks at everything";

    public static final List<CodeMutant> ALL = List.of(
            of("AsksForOldSnapshot", INDEX, "return isReady && coversSnapshot;", "return isReady;"),
            of("AsksHalfBuilt", INDEX, "return isReady && coversSnapshot;", "return coversSnapshot;"),
            new CodeMutant("BuildsBelowFence", BUILD, List.of(new Edit("if (fencedAt == Timestamps.NIL) {", "if (fencedAt < 0) {"),
                    new Edit(BUILDER, FENCED, ""),
                    new Edit(BUILDER, "            index.ready(build.ready(part));\n", "    " + FENCED + "            index.ready(build.ready(part));\n")), ""),
            new CodeMutant("BuildsInFence", BUILD, List.of(new Edit("        OmidLLTransaction<K, V> part = ll.begin();\n",
                    "        OmidLLTransaction<K, V> part = ll.begin();\n        manager.end(part.startTs());\n"
                            + "        part = new OmidLLTransaction<>(fencedAt, 0);\n")),
                    "nobody keeps the fence's timestamp as a snapshot, so its time is up from the beginning"),
            new CodeMutant("CollectsEntryBeforeIndex", JANITOR, List.of(new Edit(PASS, PASS_OVER_ROWS)), "whoever begins a pass tells the collector of all tables"),
            collects("CollectsTentativeTombstone", "!only.hasCommitCell()"),
            new CodeMutant("CollectsUnderLatePut", "", List.of(), "open: without that guard, OmidLL/CollectsWithPutInFlight is found; of 2,000 builds none has"
                    + " a put that comes so late"),
            collects("CollectsYoungTombstone", "only.hasCommitCell()"),
            new CodeMutant("CommitsBeforeIndex", OMID, List.of(new Edit("        store.put(tx.writePoint(), batch);\n",
                    "        Map<K, Write<V>> rows = new java.util.LinkedHashMap<>(batch);\n        rows.keySet().removeIf(key -> !tx.isCompared(key));\n"
                            + "        store.put(tx.writePoint(), rows);\n        try {\n            store.put(tx.writePoint(), batch);\n"
                            + "        } catch (StoreException e) {\n            rows.clear();\n        }\n")),
                    "all puts are answered before a commit is asked for; the mutant takes those of the index for done"),
            of("DeletesSameEntry", INDEX, "entries.put(entry.key(), Write.of(entry.value()));", "entries.putIfAbsent(entry.key(), Write.of(entry.value()));"),
            new CodeMutant("EndsBeforeFirstRow", "", List.of(), "how long a transaction lives is configuration"),
            new CodeMutant("FencesBeforeTriggers", BUILDER, List.of(new Edit(KEPT, FENCED + KEPT), new Edit(FENCED + "        Set<String> populated", "        Set<String> populated")), ""),
            of("LeavesOldEntry", INDEX, "            entries.put(entry(row, was).key(), Write.tombstone());\n", ""),
            of("NamesComparedRowsOnly", OMID, "tables.apply(tx.writeSet())", "tables.apply(tx.writeSet().stream().filter(tx::isCompared).toList())"),
            new CodeMutant("NeverVisitsIndex", SIMULATION, List.of(
                    new Edit("endpoint.collector(log).collect(plan.storedKeys(), watermark);", "endpoint.collector(log).collect(plan.keys(), watermark);"),
                    new Edit(JANITOR, PASS, PASS_OVER_ROWS)), "whoever begins a pass tells the collector of all tables"),
            of("NewManagerForgets", CORE, "new ConflictTable(settings.conflictEntries(), epochStart, tracer);", "new ConflictTable(settings.conflictEntries(), 0, tracer);"),
            of("NoConflictCheck", CONFLICTS, "return way < WAYS && cells[bucket + WAYS + way] > startTs;", "return false;"),
            of("NoFence", CORE, "if (conflicts.conflicts(comparedUpTo, hashes, keys, keys + tables)) {", "if (conflicts.conflicts(comparedUpTo, hashes, keys, keys)) {"),
            new CodeMutant("PopulatesAtFence", "", List.of(), "survives in the specification; here a build has parts with snapshots of their own"),
            new CodeMutant("PopulatesAtOwnVersion", BUILD, List.of(new Edit(STORED_AS, OWN), new Edit(BORN, OWN)), ""),
            new CodeMutant("PopulatesLate", BUILD, List.of(new Edit("() -> ll.requireInTime(part)", "() -> {}"),
                    new Edit("        ll.requireInTime(part); // also", "        // also")), ""),
            of("PopulatesTentative", BUILD, BORN, "        return Timestamps.NIL;\n"),
            new CodeMutant("ReadyFromFirstPart", BUILD, List.of(new Edit("        return part.startTs();\n", "        return fencedAt;\n")),
                    "from the fence on: the first part is somebody else's, who has died"),
            of("ReadyHalfBuilt", BUILDER, "                    build.endPart(part);\n                    return;\n", "                    break;\n"),
            of("RemovesEntryBeforeIndex", OMID, "List<K> keys = List.copyOf(tx.writeSet());", "List<K> keys = tx.writeSet().stream().filter(tx::isCompared).toList();"),
            new CodeMutant("SkipsPending", BUILDER, List.of(new Edit("        Record<Long> found = endpoint.read(ll, part, row, endpoint.get());\n",
                    "        Record<Long> found = null;\n        for (java.util.Iterator<Record<Long>> all = endpoint.store.get(row, part.startTs() - 1); all.hasNext() && found == null;) {\n"
                            + "            found = all.next();\n            found = found.hasCommitCell() && found.commit() < part.startTs() ? found : null;\n        }\n")),
                    "the build reads as others do; the mutant takes what has a commit cell"),
            of("StartsOver", BUILDER, "        left.removeAll(populated);\n", ""),
            new CodeMutant("TakesFastWrites", "", List.of(), "a table with the fast path gets no index here; IndexBuilderTest sees it refused"));

    private IndexMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }

    /** A tombstone goes under which nothing lies. */
    private static CodeMutant collects(String spec, String which) {
        String begins = "        Record<V> newest = null;\n";
        return new CodeMutant(spec, COLLECTOR, List.of(new Edit(begins, "        List<Record<V>> every = new java.util.ArrayList<>();\n"
                + "        store.get(key, Long.MAX_VALUE).forEachRemaining(every::add);\n        Record<V> only = every.size() == 1 ? every.get(0) : null;\n"
                + "        if (only != null && only.isTombstone() && " + which + ") {\n            collectTombstone(key, only.version());\n            return;\n        }\n"
                + begins)), LOOKS_AT_ALL);
    }
}
