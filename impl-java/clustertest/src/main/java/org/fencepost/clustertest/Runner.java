package org.fencepost.clustertest;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.fencepost.clustertest.client.Client;
import org.fencepost.clustertest.client.Recorder;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.nemesis.Cluster;
import org.fencepost.clustertest.nemesis.Nemesis;
import org.fencepost.clustertest.verdict.HistoryFile;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Invocation;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;

/**
 * A run: tables of its own, client threads that do what the workload says while the nemesis disturbs the cluster, then heal, and the final reads. A thread
 * goes on as another process after an operation of unknown outcome, as in Jepsen.
 */
final class Runner {

    /**
     * @param rate    operations begun per second, by all threads; 0: as many as they can
     * @param timeout of each request, in milliseconds
     * @param folder  for traces
     */
    record Options(String nemesis, int seconds, int threads, int rate, int timeout, long seed, Path folder) {
    }

    /**
     * What a run gave.
     *
     * @param missing why there is no answer to every final read; a sentence each
     * @param traces  taken before the load and after it
     * @param seconds the load's
     */
    record Outcome(List<Op> history, List<String> missing, List<Path> traces, double seconds) {
    }

    private static final int PROGRESS_SECONDS = 5;
    private static final int FINAL_SECONDS = 90;
    /** Longer than the 200 s for which HBase may leave a region closed that was being opened when the master died: see docs/cluster-tests.md. */
    private static final int END_SECONDS = 300;

    private final Target target;
    private final Cluster cluster;
    private final Workload workload;
    private final Options options;
    private final Paths paths;
    private final PrintStream out;
    private final Recorder recorder = new Recorder();
    private final SplittableRandom random;
    private final AtomicLong processes = new AtomicLong();
    private volatile boolean loading = true;

    Runner(Target target, Cluster cluster, Workload workload, Options options, Paths paths, PrintStream out) {
        this.target = target;
        this.cluster = cluster;
        this.workload = workload;
        this.options = options;
        this.paths = paths;
        this.out = out;
        this.random = new SplittableRandom(options.seed());
    }

    Outcome run() throws IOException, InterruptedException {
        try (Session session = target.open(cluster.configuration(), workload, options.timeout(), paths)) {
            List<Path> traces = new ArrayList<>(session.recordCalm("before", options.folder()));
            Outcome outcome = run(session, traces);
            try {
                traces.addAll(session.recordCalm("after", options.folder()));
            } catch (IOException e) { // the history is judged all the same
                outcome.missing().add("what a client did after the load could not be recorded (" + firstLine(e) + ")");
            }
            return outcome;
        }
    }

    /** HBase tells all attempts. */
    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private Outcome run(Session session, List<Path> traces) throws IOException, InterruptedException {
        Client client = session.client();
        recorder.begin();
        List<String> missing = new ArrayList<>();
        all(client, workload.first(), missing);
        Nemesis nemesis = new Nemesis(options.nemesis(), cluster, session.table(), session.roles(), random.split(), recorder, paths, target.managersEndThemselves());
        ExecutorService threads = Executors.newCachedThreadPool();
        long start = recorder.now();
        double seconds;
        try {
            List<Future<?>> workers = new ArrayList<>();
            SplittableRandom ofWorkload = random.split();
            for (int i = 0; i < options.threads(); i++) {
                workers.add(threads.submit(() -> work(client, ofWorkload, start)));
            }
            Future<?> faults = threads.submit(() -> {
                nemesis.run(() -> loading);
                return null;
            });
            Future<?> watch = threads.submit(() -> {
                session.watchFailovers(() -> loading, epoch -> {
                    paths.count(Paths.FAILOVER);
                    recorder.nemesis("failover", epoch);
                });
                return null;
            });
            progress(nemesis, start);
            loading = false;
            await(workers, "A client thread");
            seconds = (recorder.now() - start) / 1e9;
            await(List.of(faults, watch), "The nemesis");
        } finally {
            loading = false;
            threads.shutdownNow();
        }
        out.println("Healing, and reading everything once more ...");
        if (!nemesis.heal()) {
            missing.add("the cluster did not serve again after the run");
        }
        all(client, workload.last(), missing);
        session.countPaths();
        return new Outcome(session.completed(recorder.history(), missing), missing, traces, seconds);
    }

    private static void await(List<Future<?>> all, String what) throws InterruptedException, IOException {
        for (Future<?> each : all) {
            try {
                each.get(END_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new IOException(what + " failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                throw new IOException(what + " did not end within " + END_SECONDS + " s.", e);
            }
        }
    }

    // ---- load

    private void work(Client client, SplittableRandom ofWorkload, long start) {
        long process = processes.getAndIncrement();
        while (loading) {
            Invocation next;
            synchronized (workload) {
                next = workload.next(ofWorkload);
            }
            pace();
            process = step(client, next, process).type() == Op.Type.info ? processes.getAndIncrement() : process;
        }
    }

    private Op step(Client client, Invocation next, long process) {
        Op invoked = recorder.invoke(process, next);
        return recorder.complete(invoked, client.perform(invoked));
    }

    /** Evenly at random around the rate, so that threads do not fall into step. */
    private void pace() {
        if (options.rate() > 0) {
            long mean = TimeUnit.SECONDS.toNanos(options.threads()) / options.rate();
            try {
                TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(2 * mean));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void progress(Nemesis nemesis, long start) throws InterruptedException {
        while (true) {
            long elapsed = TimeUnit.NANOSECONDS.toSeconds(recorder.now() - start);
            if (elapsed >= options.seconds()) {
                return;
            }
            TimeUnit.SECONDS.sleep(Math.min(PROGRESS_SECONDS, options.seconds() - elapsed));
            Map<Op.Type, Integer> counts = recorder.counts();
            out.printf(Locale.ROOT, "%4d s: %,d ok, %,d failed, %,d unknown%s%n", TimeUnit.NANOSECONDS.toSeconds(recorder.now() - start),
                    counts.getOrDefault(Op.Type.ok, 0), counts.getOrDefault(Op.Type.fail, 0), counts.getOrDefault(Op.Type.info, 0),
                    nemesis.underWay() == null ? "" : "; " + nemesis.underWay());
        }
    }

    // ---- before and after

    /** Until each has an answer, or it has taken too long. */
    private void all(Client client, List<Invocation> invocations, List<String> missing) throws InterruptedException {
        long deadline = recorder.now() + TimeUnit.SECONDS.toNanos(FINAL_SECONDS);
        long process = processes.getAndIncrement();
        for (Invocation invocation : invocations) {
            Op end = step(client, invocation, process);
            while (end.type() != Op.Type.ok && recorder.now() < deadline) {
                process = end.type() == Op.Type.info ? processes.getAndIncrement() : process;
                TimeUnit.MILLISECONDS.sleep(500);
                end = step(client, invocation, process);
            }
            if (end.type() != Op.Type.ok) {
                missing.add("the operation " + end.f() + " " + HistoryFile.edn(invocation.value()) + " got no answer outside the load (" + end.more().get(Op.ERROR) + ")");
                process = processes.getAndIncrement();
            }
        }
    }
}
