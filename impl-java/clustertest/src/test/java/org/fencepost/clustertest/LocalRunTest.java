package org.fencepost.clustertest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.nemesis.Cluster;
import org.fencepost.clustertest.nemesis.LocalCluster;
import org.fencepost.clustertest.verdict.HistoryFile;
import org.fencepost.clustertest.verdict.Plots;
import org.fencepost.clustertest.verdict.TraceVerdict;
import org.fencepost.clustertest.verdict.Verdict;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.clustertest.workload.Workloads;
import org.fencepost.protocol.trace.Action;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short run in small, from the first operation to the verdict: HBase in one process, and two transaction managers, one of which is killed. */
class LocalRunTest {

    private static final String UNFORESEEN = "commit that failed unforeseen";

    /** Of the commits, one in ten fails when it has taken effect, in a way that nobody foresaw. */
    private static final class Unforeseen extends Paths {

        private final AtomicInteger commits = new AtomicInteger();

        @Override
        public void event(Action action, Object... arguments) {
            super.event(action, arguments);
            if (action == Action.WriteCommitEntry && commits.incrementAndGet() % 10 == 0) {
                count(UNFORESEEN);
                throw new IllegalStateException(UNFORESEEN);
            }
        }
    }

    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void mixedTransactionsWhileAManagerIsKilled() throws Exception {
        Workload workload = Workloads.named("list-append-mixed");
        Paths paths = new Unforeseen();
        Runner.Outcome outcome;
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        try (Cluster cluster = new LocalCluster(folder.resolve("local"), false)) {
            Runner.Options options = new Runner.Options("tm-kill", 12, 4, 100, 5_000, 1, folder);
            outcome = new Runner(Target.FENCEPOST, cluster, workload, options, paths, new PrintStream(progress, true)).run();
            cluster.collectLogs(folder.resolve("nodes"));
        }
        Judgement judgement = Judgement.of(workload, outcome.history(), folder);
        assertEquals(List.of(), outcome.missing());
        assertEquals(Verdict.Kind.VALID, TraceVerdict.of(outcome.traces(), folder.resolve("nodes"), Path.of("../../specs"), folder.resolve("trace-check")).kind());
        assertEquals(Verdict.Kind.VALID, judgement.parts().get("form").kind(), judgement::text);
        assertEquals(Verdict.Kind.VALID, judgement.parts().get("timestamps").kind(), judgement::text);
        assertEquals(List.of(), paths.tooSeldom(Map.of(Paths.FAILOVER, 1, Paths.COMMIT, 10, Paths.FAST_COMMIT, 10, UNFORESEEN, 3)), () -> paths.taken().toString());
        assertEquals(outcome.history(), HistoryFile.read(folder.resolve("history.edn")));
        assertTrue(Files.readString(folder.resolve("nodes/n4.log")).contains("Transaction manager on"));
        assertTrue(Plots.latency(outcome.history(), "a run").contains("class=\"fault\" x="), "the fault is shaded");
        assertTrue(progress.toString().contains("kill tm"), progress::toString);
    }
}
