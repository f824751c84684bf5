package org.fencepost.prove;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TMFailoverMeaningTest extends MeaningTest {
    private static final List<List<String>> PATHS =
            List.of(elected("Tick", "Halt"), elected("Tick", "RenewLease", "WriteLease", "HoldLease"),
                    elected("ExtendEpoch", "SwapMaxTs", "HoldEpoch", "AskBegin", "Receive", "Begin", "ReceiveBegin", "AskCommit", "Receive", "RequestCommit", "ReceiveCommit",
                            "WriteCommitEntry"),
                    elected("ExtendEpoch", "SwapMaxTs", "HoldEpoch", "AskBegin", "Receive", "Begin", "ReceiveBegin", "AskCommit", "LoseCommitAnswer"),
                    elected("Tick", "RenewLease", "LoseAnswer", "LateLeaseWrite"), elected("ExtendEpoch", "LoseAnswer", "LateSwap"),
                    elected("ExtendEpoch", "LoseAnswer", "LateSwap", "ExtendEpoch", "SwapMaxTs", "FindEpoch"),
                    elected("ExtendEpoch", "LoseAnswer", "LateSwap", "ExtendEpoch", "SwapMaxTs", "TakeOverAgain"));

    private static List<String> elected(String... then) {
        return Stream.concat(Stream.of("ObserveLease", "Tick", "Tick", "AcquireLease", "WriteLease", "TakeOver"), Stream.of(then)).toList();
    }

    /** On a walk through elections, renewals, lost answers and deaths. */
    @Test
    @Tag("long")
    void tmFailoverMeansWhatItMeansToTlc() throws IOException {
        eachActionMeansWhatItMeansToTlc("TMFailover", PATHS);
    }
}
