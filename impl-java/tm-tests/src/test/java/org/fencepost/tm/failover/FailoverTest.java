package org.fencepost.tm.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fencepost.audit.traces.TraceCheck;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.tm.Await;
import org.fencepost.tm.Load;
import org.fencepost.tm.RawClient;
import org.fencepost.tm.TcpProxy;
import org.fencepost.tm.TestZooKeeper;
import org.fencepost.tm.TmProcess;
import org.fencepost.tm.Traces;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.fencepost.tm.wire.Wire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * What goes wrong with real processes on a real ZooKeeper, under load. On a busy machine further failovers happen on
 * their own: no test relies on a process staying primary.
 */
@Tag("evidence")
class FailoverTest {

    /** The goal is lease + drift + 1 s, on a machine with nothing else to do. This bound is for any machine. */
    private static final long GENEROUS_MILLIS = 60_000;

    @TempDir
    Path directory;

    private String test;
    private Path traces;
    private TestZooKeeper zooKeeper;
    private RemoteTransactionManager client;
    private final List<TmProcess> processes = new CopyOnWriteArrayList<>();

    @BeforeEach
    void startZooKeeper(TestInfo info) throws IOException {
        test = info.getTestMethod().orElseThrow().getName();
        traces = Traces.folder("FailoverTest." + test);
        zooKeeper = new TestZooKeeper(directory);
        client = new RemoteTransactionManager(new RemoteTransactionManager.Settings(zooKeeper.address(), GENEROUS_MILLIS, 250, 1 << 16, null));
    }

    /** What the processes did is a behaviour of specs/TMFailover.tla. */
    @AfterEach
    void stopAll() throws IOException, InterruptedException {
        client.close();
        processes.forEach(TmProcess::close);
        zooKeeper.close();
        TraceCheck.Outcome outcome = Traces.check(traces);
        report(outcome.message());
        assertEquals(TraceCheck.Kind.ACCEPTED, outcome.kind(), outcome.message());
    }

    private TmProcess start(String zooKeeperAddress, String... more) {
        List<String> options = new ArrayList<>(List.of("--trace", traces.toString()));
        options.addAll(List.of(more));
        TmProcess process = new TmProcess(zooKeeperAddress, options.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    private TmProcess startPrimary(String... more) {
        TmProcess process = start(zooKeeper.address(), more);
        client.begin();
        return process;
    }

    private long epoch() {
        return client.conditionAsync().join().epoch();
    }

    /** Waits for an epoch after the given one; prints how long that took. */
    private long awaitEpochAfter(long epoch, long sinceNanos) {
        Await.until("another epoch has begun", GENEROUS_MILLIS, () -> client.begin() > 0 && epoch() > epoch);
        long millis = (System.nanoTime() - sinceNanos) / 1_000_000;
        report("served again after " + millis + " ms (lease " + TmProcess.LEASE_MILLIS + ", drift " + TmProcess.DRIFT_MILLIS + ")");
        return epoch();
    }

    private void report(String text) {
        System.out.println("FailoverTest." + test + ": " + text);
    }

    @Test
    void killedPrimaryIsReplaced() {
        TmProcess primary = startPrimary();
        start(zooKeeper.address());
        try (Load load = new Load(client, 4)) {
            load.awaitProgress(500);
            long epoch = epoch();
            long killed = System.nanoTime();
            primary.kill();
            awaitEpochAfter(epoch, killed);
            load.awaitProgress(500);
            report(load.judge());
        }
    }

    /** The new manager cannot know what the old one let pass: it must abort who began before. */
    @Test
    void conflictsFromBeforeAreNotForgotten() {
        TmProcess primary = startPrimary();
        long slow;
        long harmless;
        do {
            slow = client.begin();
            harmless = client.begin();
        } while (client.commit(client.begin(), new long[] {1}) < 0);
        start(zooKeeper.address());
        long epoch = epoch();
        primary.kill();
        awaitEpochAfter(epoch, System.nanoTime());
        assertEquals(TransactionManager.BELOW_WATERMARK, client.commit(slow, new long[] {1}));
        assertEquals(TransactionManager.BELOW_WATERMARK, client.commit(harmless, new long[] {2}), "it cannot know that either");
        assertTrue(client.commit(client.begin(), new long[] {1}) > 0);
    }

    /** Requests that arrive while the primary is stopped must not be answered after its lease, whenever it goes on. */
    @Test
    void stoppedPrimaryRefusesWhenItGoesOn() throws IOException {
        startPrimary();
        start(zooKeeper.address());
        try (Load load = new Load(client, 4)) {
            load.awaitProgress(500);
            while (!stoppedPrimaryRefused(primary())) {
                report("the primary had lost its lease before it was stopped; once more");
            }
            load.awaitProgress(500);
            report(load.judge());
        }
    }

    private boolean stoppedPrimaryRefused(TmProcess primary) throws IOException {
        try (RawClient raw = new RawClient(primary.port())) {
            boolean welcome = raw.hello() == Wire.WELCOME;
            long epoch = epoch();
            long stopped = System.nanoTime();
            primary.pause();
            awaitEpochAfter(epoch, stopped);
            if (!welcome || !raw.isOpen()) {
                primary.resume();
                return false;
            }
            for (int id = 1; id <= 100; id++) {
                raw.begin(id);
            }
            primary.resume();
            assertNull(raw.readFrame(), "an answer of a deposed primary");
            return true;
        }
    }

    @Test
    void restartedZooKeeperIsFoundAgain() {
        startPrimary();
        start(zooKeeper.address());
        try (Load load = new Load(client, 4)) {
            load.awaitProgress(500);
            long epoch = epoch();
            zooKeeper.kill();
            Await.sleep(2 * TmProcess.LEASE_MILLIS);
            zooKeeper.start();
            awaitEpochAfter(epoch, System.nanoTime());
            load.awaitProgress(500);
            report(load.judge());
        }
    }

    @Test
    void primaryCutOffFromZooKeeperHalts() throws IOException {
        try (TcpProxy proxy = new TcpProxy(zooKeeper.port())) {
            TmProcess primary = start("127.0.0.1:" + proxy.port());
            client.begin();
            try (RawClient raw = new RawClient(primary.port()); Load load = new Load(client, 4)) {
                raw.hello();
                load.awaitProgress(500);
                start(zooKeeper.address());
                long epoch = epoch();
                long cut = System.nanoTime();
                proxy.cut();
                awaitEpochAfter(epoch, cut);
                assertNull(raw.readFrame(), "the old primary closes its connections");
                proxy.heal();
                load.awaitProgress(500);
                assertTrue(primary.isAlive());
                report(load.judge());
            }
        }
    }

    @Test
    void oneOfTwoStartedTogetherServes() throws Exception {
        Thread other = new Thread(() -> start(zooKeeper.address()));
        other.start();
        start(zooKeeper.address());
        other.join();
        try (Load load = new Load(client, 4)) {
            load.awaitProgress(1000);
            Await.until("one process is primary", GENEROUS_MILLIS, () -> processes.stream().filter(this::isPrimary).count() == 1);
            report(load.judge());
        }
    }

    /** Stops the primary past its lease again and again; each resumed one becomes the next backup. */
    @Test
    void fiftyFailoversInARow() {
        startPrimary();
        start(zooKeeper.address());
        long[] millis = new long[50];
        try (Load load = new Load(client, 2)) {
            for (int i = 0; i < millis.length; i++) {
                TmProcess primary = primary();
                long epoch = epoch();
                long stopped = System.nanoTime();
                primary.pause();
                Await.until("another epoch has begun", GENEROUS_MILLIS, () -> client.begin() > 0 && epoch() > epoch);
                millis[i] = (System.nanoTime() - stopped) / 1_000_000;
                primary.resume();
                load.awaitProgress(20);
            }
            report(load.judge());
        }
        Arrays.sort(millis);
        report("50 failovers, service back after " + millis[25] + " ms (median), " + millis[49] + " ms (longest); lease "
                + TmProcess.LEASE_MILLIS + ", drift " + TmProcess.DRIFT_MILLIS);
    }

    private TmProcess primary() {
        Await.until("some process is primary", GENEROUS_MILLIS, () -> processes.stream().anyMatch(this::isPrimary));
        return processes.stream().filter(this::isPrimary).findAny().orElseGet(this::primary);
    }

    private boolean isPrimary(TmProcess process) {
        try (RawClient raw = new RawClient(process.port())) {
            return raw.hello() == Wire.WELCOME;
        } catch (IOException e) {
            return false;
        }
    }

    /** Epochs of few timestamps: extended over and over in mid-load. */
    @Test
    void shortEpochsAreExtendedAheadOfNeed() {
        startPrimary("--epoch-size", "1000");
        try (Load load = new Load(client, 4)) {
            load.awaitProgress(5_000);
            report(load.judge());
        }
    }
}
