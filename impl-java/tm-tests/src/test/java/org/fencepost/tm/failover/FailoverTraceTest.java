package org.fencepost.tm.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import javax.tools.ToolProvider;
import org.fencepost.audit.traces.TraceCheck;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.Await;
import org.fencepost.tm.Load;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.TmProcess;
import org.fencepost.tm.Traces;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What real processes on a real ZooKeeper do is a behaviour of specs/TMFailover.tla, and what broken ones do is not: they have one guard less. */
class FailoverTraceTest {

    private static final long GENEROUS_MILLIS = 60_000;
    /** `make test-failover` */
    private static final String BROKEN = "evidence";

    @TempDir
    Path directory;

    private Path traces;
    private TestZooKeeper zooKeeper;
    private RemoteTransactionManager client;
    private final List<TmProcess> processes = new ArrayList<>();

    @BeforeEach
    void startZooKeeper(TestInfo info) throws IOException {
        traces = Traces.folder("FailoverTraceTest." + info.getTestMethod().orElseThrow().getName());
        zooKeeper = new TestZooKeeper(directory);
        client = new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper.address(), GENEROUS_MILLIS, 250, 1 << 16, null));
    }

    @AfterEach
    void stopAll() {
        client.close();
        processes.forEach(TmProcess::close);
        zooKeeper.close();
    }

    private TmProcess start(String... properties) {
        TmProcess process = new TmProcess(List.of(properties), zooKeeper.address(), "--trace", traces.toString(), "--epoch-size", "1000");
        processes.add(process);
        return process;
    }

    /** A process in which one class was compiled anew from a changed source. */
    private TmProcess startBroken(String module, String type, String was, String becomes) throws IOException {
        String file = type.replace('.', '/') + ".java";
        String source = Files.readString(Path.of("..", module, "src", "main", "java").resolve(file));
        assertEquals(source.indexOf(was), source.lastIndexOf(was), "this must occur once: " + was);
        assertTrue(source.contains(was), "this must occur once: " + was);
        Path changed = directory.resolve("src").resolve(file);
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, source.replace(was, becomes));
        String classPath = System.getProperty("java.class.path");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-nowarn", "-proc:none", "-cp", classPath, "-d", classes.toString(),
                changed.toString()));
        return start("-cp", classes + ":" + classPath);
    }

    private long epoch() {
        return client.conditionAsync().join().epoch();
    }

    private void awaitEpochAfter(long epoch) {
        await("another epoch has begun", () -> client.begin() > 0 && epoch() > epoch);
    }

    /** On a busy machine, a process loses its lease now and then: who asked it asks again. */
    private static void await(String what, BooleanSupplier condition) {
        Await.until(what, GENEROUS_MILLIS, () -> {
            try {
                return condition.getAsBoolean();
            } catch (TransactionManagerException | CompletionException e) {
                return false;
            }
        });
    }

    /** Ends all processes, and checks their traces. */
    private TraceCheck.Outcome check() throws IOException, InterruptedException {
        processes.forEach(TmProcess::close);
        TraceCheck.Outcome outcome = Traces.check(traces);
        System.out.println("FailoverTraceTest: " + outcome.kind() + ". " + outcome.message());
        return outcome;
    }

    @Test
    void killedAndPausedProcesses() throws Exception {
        TmProcess first = start();
        client.begin();
        TmProcess second = start();
        try (Load load = new Load(client, 4)) {
            load.awaitProgress(200);
            long epoch = epoch();
            first.kill();
            awaitEpochAfter(epoch);
            load.awaitProgress(200);
            start();
            epoch = epoch();
            second.pause();
            awaitEpochAfter(epoch);
            second.resume();
            load.awaitProgress(200);
            load.judge();
        }
        TraceCheck.Outcome outcome = check();
        assertEquals(TraceCheck.Kind.ACCEPTED, outcome.kind(), outcome.message());
    }

    @Test
    @Tag(BROKEN)
    void whoDoesNotWaitForTheLease() throws Exception {
        start();
        client.begin();
        long epoch = epoch();
        startBroken("tm", "org.fencepost.tm.failover.HighAvailability", "long wait = waitNanos() - (clock.nanos() - observedNanos);",
                "long wait = 0;");
        awaitEpochAfter(epoch);
        requireRejected("AcquireLease");
    }

    @Test
    @Tag(BROKEN)
    void whoServesAfterItsLease() throws Exception {
        startBroken("tm", "org.fencepost.tm.failover.Tenure", "return !halted && lease.held(nowNanos);", "return !halted;");
        client.begin();
        zooKeeper.kill();
        Await.sleep(2 * TmProcess.LEASE_MILLIS);
        client.begin();
        requireRejected("Begin");
    }

    @Test
    @Tag(BROKEN)
    void whoForgetsWhatWasGiven() throws Exception {
        TmProcess first = start();
        client.begin();
        long epoch = epoch();
        first.kill();
        startBroken("protocol", "org.fencepost.protocol.manager.TransactionManagerCore", "new TimestampOracle(settings.leap(), epochStart, epochLimit)",
                "new TimestampOracle(settings.leap(), 0, epochLimit)");
        await("another epoch has begun", () -> epoch() > epoch && client.begin() > 0);
        requireRejected("Begin");
    }

    @Test
    @Tag(BROKEN)
    void whoForgetsWhatItCannotKnow() throws Exception {
        TmProcess first = start();
        long slow = client.begin();
        long epoch = epoch();
        first.kill();
        startBroken("protocol", "org.fencepost.protocol.manager.TransactionManagerCore", "new ConflictTable(settings.conflictEntries(), epochStart, tracer)",
                "new ConflictTable(settings.conflictEntries(), 0, tracer)");
        awaitEpochAfter(epoch);
        await("it has committed", () -> client.commit(slow, new long[] {1}) > 0);
        requireRejected("RequestCommit");
    }

    private void requireRejected(String action) throws IOException, InterruptedException {
        TraceCheck.Outcome outcome = check();
        assertEquals(TraceCheck.Kind.REJECTED, outcome.kind(), outcome.message());
        assertTrue(outcome.message().contains("\"" + action + "\""), outcome.message());
    }
}
