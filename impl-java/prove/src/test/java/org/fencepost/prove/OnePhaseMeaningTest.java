package org.fencepost.prove;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OnePhaseMeaningTest extends MeaningTest {
    /** Comes to its end only if both write the same key and the watermark passes both. */
    private static final List<String> ONE_OVER_THE_OTHER =
            List.of("CommitBlindly", "AcceptBatch", "StoreBatch", "CommitBlindly", "AcceptBatch", "StoreBatch", "RaiseWatermark", "CollectVersion");
    /** The actions of Omid LL, with what a read does before it, and those of a batch; each key is a region. */
    private static final List<List<String>> PATHS = List.of(List.of("Begin", "EndReadOnly"), List.of("Begin", "BufferWrite", "BufferWrite", "TakeLongWay"),
            List.of("Begin", "BufferWrite", "RequestCommit", "AcceptBatch", "StoreBatch"), List.of("CommitBlindly", "LoseBatchAnswer", "ResolveBatch"),
            List.of("CommitBlindly", "LoseBatchAnswer", "LateBatch"), List.of("CommitBlindly", "Evict"), List.of("Failover"), List.of("CrashServer"),
            List.of("MoveRegion", "BootstrapClock"), List.of("Begin", "CommitBlindly", "AcceptBatch", "StoreBatch", "RefusePut"),
            List.of("CommitBlindly", "Begin", "BumpClock", "RefuseBatch", "RetryPut"), List.of("CommitBlindly", "AcceptBatch", "StoreBatch", "RaiseWatermark", "CollectTombstone"),
            List.of("Begin", "Write", "RequestCommit", "LoseCommitAnswer"), List.of("Begin", "Write", "ReadOwnWrite"), List.of("Begin", "DelayPut", "LatePut"),
            List.of("Begin", "Write", "Rollback", "CleanUp"), List.of("Begin", "Write", "Rollback", "RaiseWatermark", "InspectLeftover", "CleanLeftover"),
            List.of("Begin", "Write", "RequestCommit", "WriteCommitEntry", "Begin", "BumpClock", "AwaitInFlight", "GetRecord", "GetCommitEntry", "HealCommitCell"),
            List.of("Begin", "Write", "Begin", "BumpClock", "AwaitInFlight", "GetRecord", "GetCommitEntry", "RequestCommit", "WriteCommitEntry", "PostCommit", "RemoveCommitEntry",
                    "InvalidatePending", "ReReadRecord", "RemoveFalseInvalidation"),
            ONE_OVER_THE_OTHER, ONE_OVER_THE_OTHER, ONE_OVER_THE_OTHER,
            List.of("Begin", "Write", "RequestCommit", "LoseEntryAnswer", "LateCommitEntry", "Crash", "RaiseWatermark", "HealLeftover", "CollectEntry"),
            List.of("Begin", "BufferWrite", "BufferWrite", "PutBeside"),
            List.of("Begin", "BufferWrite", "BufferWrite", "PutBeside", "RequestCommit", "RetryPut", "RetryPut", "KeepTimestamp"),
            List.of("CommitBlindly", "Begin", "BumpClock", "RefuseBatch"), List.of("CommitBlindly", "Begin", "BumpClock", "RefuseBatch"));

    /** With two instances, a set of regions that are sets of keys, a function with an empty domain, and choices out of sets. */
    @Test
    @Tag("long")
    void onePhaseMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("OnePhase", PATHS);
    }
}
