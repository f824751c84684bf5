package org.fencepost.audit.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.fencepost.audit.text.Tlc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TlcHostTest {
    private static final TlcRun.Resources RESOURCES = new TlcRun.Resources(1, 256, 600);

    @TempDir
    Path folder;
    private Toy toy;
    private Suite suite;
    private TlcHost host;

    @BeforeEach
    void start() throws Exception {
        toy = new Toy(folder);
        suite = Suite.load(toy.specs);
        List<String> jvm = TlcRun.jvm(toy.job("GrantTwice"), suite.library("Toy"), RESOURCES);
        host = TlcHost.start(jvm, Tlc.locate(null).jar(), folder.resolve("tmp"));
        assertTrue(host.is(jvm));
    }

    @AfterEach
    void stop() {
        host.close();
        assertFalse(Files.exists(folder.resolve("tmp")));
    }

    private TlcRun shared(Job job) {
        return new TlcRun(job, Tlc.locate(null), suite.library("Toy"), toy.out.resolve(job.name()).toAbsolutePath(), RESOURCES, List.of(), host);
    }

    /** Mutants that must violate an invariant, over and over: the later ones end as the first, and as each alone. */
    @Test
    void aJvmRunsOneAfterAnother() {
        List<Job> jobs = suite.jobs().stream().filter(j -> j.problem() == null && j.mayShare()).toList();
        assertFalse(jobs.isEmpty());
        Process first = host.process();
        for (int round = 0; round < 3; round++) {
            for (Job job : jobs) {
                Result shared = shared(job).run();
                Result alone = new TlcRun(job, Tlc.locate(null), suite.library("Toy"), toy.out.resolve(job.name()).toAbsolutePath(), RESOURCES).run();
                assertEquals(alone.verdict(), shared.verdict(), job.id());
                assertEquals(alone.output().distinct(), shared.output().distinct(), job.id());
                assertEquals(alone.exit(), shared.exit(), job.id());
                assertEquals(alone.command(), shared.command(), job.id());
            }
        }
        assertTrue(first.isAlive());
    }

    @Test
    void whoFindsItDeadHasAJvmOfItsOwn() throws Exception {
        host.process().destroyForcibly().waitFor();
        assertTrue(shared(toy.job("GrantTwice")).run().asExpected());
    }

    @Test
    void itsDeathIsNoVerdict() throws Exception {
        String constants = Toy.SMALL.replace("c1, c2", "c1, c2, c3, c4, c5, c6, c7, c8").replace("{k1}", "{k1, k2, k3}");
        toy.write("models/Toy/Endless.cfg", "\\* module: MCToy\n\\* expect: pass\n" + constants + "INVARIANT TypeOK\n");
        TlcRun run = shared(toy.job("Endless"));
        CompletableFuture<Result> result = CompletableFuture.supplyAsync(run::run);
        while (run.output().distinct() == 0 && !result.isDone()) {
            Thread.sleep(10);
        }
        host.process().destroyForcibly();
        assertEquals(Verdict.unknown("TLC was killed by signal 9"), result.get().verdict());
    }

    /** A wrong pass could come of what an earlier run left behind. */
    @Test
    void whatMustPassIsCheckedAlone() {
        assertTrue(suite.jobs().stream().filter(Job::mayShare).noneMatch(j -> j.expected().pass() || !j.isMutant() || !j.config().properties().isEmpty()));
    }

    @Test
    void aGraphIsTheSameWhateverTheJvmHasDrawnBefore() throws Exception {
        toy.write("models/Toy/Other.cfg", "\\* module: MCToy\n\\* expect: pass\n\\* states: 28\n" + Toy.SMALL.replace("{k1}", "{k1, k2}") + "INVARIANT TypeOK\n");
        try (StateGraphs graphs = new StateGraphs(toy.specs, folder.resolve("jvms"))) {
            StateGraph first = graphs.of("Toy", "Small", folder.resolve("graph"));
            graphs.of("Toy", "Other", folder.resolve("graph"));
            assertEquals(first, graphs.of("Toy", "Small", folder.resolve("graph")));
            assertEquals(1, Files.list(folder.resolve("jvms")).count());
        }
        assertEquals(0, Files.list(folder.resolve("jvms")).count());
    }
}
