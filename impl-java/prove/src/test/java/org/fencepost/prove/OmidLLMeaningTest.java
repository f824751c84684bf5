package org.fencepost.prove;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OmidLLMeaningTest extends MeaningTest {
    private static final List<List<String>> PATHS =
            List.of(List.of("Begin", "Write", "RequestCommit", "Evict"),
                    List.of("Begin", "Write", "RequestCommit", "LoseCommitAnswer"), List.of("Begin", "Write", "ReadOwnWrite"),
                    List.of("Begin", "DelayPut", "RetryPut"),
                    List.of("Begin", "Write", "Rollback", "RaiseWatermark", "InspectLeftover", "CleanLeftover"),
                    List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "InvalidatePending", "ReReadRecord", "GetRecord", "RequestCommit",
                            "WriteCommitEntry", "CleanUp"),
                    List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "GetRecord", "GetCommitEntry", "HealCommitCell"),
                    List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "PassPending"),
                    List.of("Begin", "Write", "Begin", "GetRecord", "GetCommitEntry", "RequestCommit", "WriteCommitEntry", "PostCommit", "RemoveCommitEntry",
                            "InvalidatePending", "ReReadRecord", "RemoveFalseInvalidation"),
                    List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "PostCommit", "RemoveCommitEntry", "Begin", "Write", "RequestCommit",
                            "WriteCommitEntry", "PostCommit", "RaiseWatermark", "CollectVersion"),
                    List.of("Begin", "Write", "RequestCommit", "LoseEntryAnswer", "LateCommitEntry", "Crash", "RaiseWatermark", "HealLeftover", "CollectEntry",
                            "CollectTombstone"));

    /** On a walk through states with deaths, late messages, evictions, collections and deletes. */
    @Test
    void omidLLMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("OmidLL", PATHS);
    }
}
