package org.fencepost.simulation;

import java.util.List;
import org.fencepost.simulation.CodeMutant.Edit;

/** The guards of specs/OmidTwoPhase.tla, removed in Java: one for each mutant in specs/mutants/OmidTwoPhase. */
final class TwoPhaseMutants {

    private static final String STORE = "org.fencepost.protocol.twophase.IntentStore";
    private static final String CLIENT = "org.fencepost.protocol.twophase.OmidTwoPhase";
    private static final String READER = "org.fencepost.protocol.omid.SnapshotReader";

    static final List<CodeMutant> ALL = List.of(
            FastPathMutants.collectsTombstone("CollectsUnfinishedTombstone"),
            FastPathMutants.collectsTombstone("CollectsYoungTombstone"),
            new CodeMutant("CommitsBeforePrewritten", CLIENT, List.of(new Edit("\"lost\", true);\n            throw e;",
                    "\"lost\", true);\n            tx.batchStored();\n            throw e;")), "the client forgets what was not answered"),
            of("LeavesAborted", READER, "if (intents && now != null) {", "if (false) {"),
            of("LeavesCommitted", READER, "if (!settings.heal() && !intents) {", "if (!settings.heal()) {"),
            of("OverwritesNewerCommit", STORE, "record.commit() > version ? NEWER_COMMIT : Timestamps.NIL", "Timestamps.NIL"),
            of("PrewritesOverIntent", STORE, "!record.hasCommitCell() ? record.version() : record", "record"),
            new CodeMutant("RefusesEverybody", "", List.of(), CodeMutant.NO_HISTORY),
            of("RemovesWithoutReRead", READER, "if (commit == Timestamps.NIL) {", "if (commit == Timestamps.NIL || intents) {"),
            of("SecondariesFirst", CLIENT, "        prewriteAll(tx, tx.primaryBatch());\n", ""));

    private TwoPhaseMutants() {
    }

    private static CodeMutant of(String spec, String type, String was, String becomes) {
        return new CodeMutant(spec, type, List.of(new Edit(was, becomes)), "");
    }
}
