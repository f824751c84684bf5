package org.fencepost.prove;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FragolaMeaningTest extends MeaningTest {
    private static final List<List<String>> PATHS = List.of(List.of("Begin", "EndReadOnly"), List.of("Begin", "Write", "RequestCommit", "LoseCommitAnswer"),
            List.of("Begin", "Write", "ReadOwnWrite"), List.of("Begin", "DelayPut", "RetryPut"), List.of("Begin", "DelayPut", "LatePut"),
            List.of("Begin", "Write", "Rollback", "CleanUp"),
            List.of("Begin", "Write", "Rollback", "RaiseWatermark", "InspectLeftover", "CleanLeftover", "CollectEntry"),
            List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "InvalidatePending", "ReReadRecord"),
            List.of("Begin", "Write", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "GetRecord", "GetCommitEntry", "HealCommitCell"),
            List.of("Begin", "Write", "Write", "RequestCommit", "WriteCommitEntry", "PostCommit"),
            List.of("Begin", "Write", "Write", "RequestCommit", "WriteCommitEntry", "Crash", "RaiseWatermark", "HealLeftover"),
            List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "Write", "RequestCommit", "WriteCommitEntry", "RaiseWatermark", "CollectVersion"),
            List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "RaiseWatermark", "CollectTombstone"),
            List.of("Begin", "Write", "RequestCommit", "LoseEntryAnswer", "LateCommitEntry"), List.of("Begin", "Write", "RequestCommit", "Evict"),
            List.of("Begin", "Failover"));

    /** With the names of an instance for what is the same as in Omid LL. */
    @Test
    @Tag("long")
    void fragolaMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("Fragola", PATHS);
    }
}
