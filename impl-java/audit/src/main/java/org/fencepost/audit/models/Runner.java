package org.fencepost.audit.models;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.fencepost.audit.text.Tlc;

/**
 * Runs jobs side by side with one worker each, the long ones first so that none is left to run alone at the end; those that may share a
 * JVM last, spec by spec; then the deep ones one after the other, each with all the machine. Who closes it ends the JVMs.
 */
public final class Runner implements AutoCloseable {
    private static final int CI_HEAP_MIB = 2048;
    private static final int MIN_HEAP_MIB = 256;
    private static final int CI_TIMEOUT_SECONDS = 15 * 60;
    private static final int DEEP_TIMEOUT_SECONDS = 7 * 24 * 3600;
    /** In the time of TLC's start it could find about so many states. */
    private static final int START = 10_000;
    private static final int POLL_MILLIS = 500;
    private static final Comparator<Job> ORDER = Comparator.comparing(Job::mayShare).thenComparing(j -> j.mayShare() ? j.spec() : "")
            .thenComparing(Comparator.comparingDouble(Runner::effort).reversed());

    private final Suite suite;
    private final Tlc tlc;
    private final Path out;
    private final int parallel;
    private final Integer timeoutSeconds;
    private final Progress progress;
    private final List<Path> earlier;
    private final Predicate<Job> shares;
    private final Set<TlcRun> running = ConcurrentHashMap.newKeySet();
    private final TlcHosts hosts;

    /**
     * @param timeoutSeconds limit of each run; null for 15 minutes (a week for a deep model)
     * @param earlier where results may be that need not be found again, because their inputs are the same
     */
    public Runner(Suite suite, Tlc tlc, Path out, int parallel, Integer timeoutSeconds, Progress progress, List<Path> earlier) {
        this(suite, tlc, out, parallel, timeoutSeconds, progress, earlier, Job::mayShare);
    }

    private Runner(Suite suite, Tlc tlc, Path out, int parallel, Integer timeoutSeconds, Progress progress, List<Path> earlier, Predicate<Job> shares) {
        this.suite = suite;
        this.tlc = tlc;
        this.out = out.toAbsolutePath().normalize();
        this.parallel = parallel;
        this.timeoutSeconds = timeoutSeconds;
        this.progress = progress;
        this.earlier = earlier;
        this.shares = shares;
        this.hosts = new TlcHosts(tlc.jar(), this.out.resolve("jvms"));
    }

    /**
     * For models of a changed spec, one after the other: those of pinned size share a JVM, as those do whose graph is drawn ({@link StateGraphs}).
     *
     * @param timeoutSeconds limit of each run
     */
    public static Runner inTurn(Suite suite, Tlc tlc, Path out, int timeoutSeconds, Progress progress) {
        return new Runner(suite, tlc, out, 1, timeoutSeconds, progress, List.of(), Job::mayShareWhenPinned);
    }

    /** The results in the order of the jobs. */
    public List<Result> run(List<Job> jobs) throws InterruptedException {
        Thread killer = new Thread(() -> {
            running.forEach(TlcRun::kill);
            hosts.close();
        });
        Runtime.getRuntime().addShutdownHook(killer);
        List<Result> results = new ArrayList<>(found(jobs));
        List<Job> open = new ArrayList<>(jobs);
        results.forEach(r -> open.remove(r.job()));
        progress.begin(open);
        try {
            results.addAll(run(open.stream().filter(j -> !j.deep()).sorted(ORDER).toList(), parallel, 1));
            results.addAll(run(open.stream().filter(Job::deep).toList(), 1, parallel));
        } finally {
            Runtime.getRuntime().removeShutdownHook(killer);
        }
        results.sort(Comparator.comparingInt(r -> jobs.indexOf(r.job())));
        return results;
    }

    /** How long a run will take, in states. A mutant that dies does so early; where nothing is pinned, better start soon. */
    static double effort(Job job) {
        double states = job.states() == null ? 1e6 : job.states();
        return START + (job.expected().pass() ? states : states / 20);
    }

    private List<Result> run(List<Job> jobs, int slots, int workers) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(slots);
        ExecutorCompletionService<Result> done = new ExecutorCompletionService<>(pool);
        try {
            for (Job job : jobs) {
                done.submit(() -> run(job, slots, workers));
            }
            List<Result> results = new ArrayList<>();
            while (results.size() < jobs.size()) {
                Future<Result> next = done.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    results.add(next.get());
                    progress.finished(next.get());
                }
                progress.show(running);
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the runner itself failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** What earlier runs have found out, and nothing of the rest. */
    List<Result> known(List<Job> jobs) {
        List<Result> found = found(jobs);
        return jobs.stream().map(j -> found.stream().filter(r -> r.job().equals(j)).findFirst()
                .orElseGet(() -> Result.notRun(j, out.resolve(j.spec()).resolve(j.name()), j.problem() == null ? Result.DID_NOT_RUN : j.problem()))).toList();
    }

    private List<Result> found(List<Job> jobs) {
        List<Result> known = earlier.isEmpty() ? List.of() : jobs.stream().filter(j -> j.problem() == null)
                .map(j -> PastRun.find(j, suite.inputs(j, tlc), earlier)).filter(Objects::nonNull).toList();
        progress.known(known);
        return known;
    }

    private Result run(Job job, int slots, int workers) throws IOException {
        String inputs = job.problem() == null ? suite.inputs(job, tlc) : "";
        int timeout = timeoutSeconds != null ? timeoutSeconds : job.deep() ? DEEP_TIMEOUT_SECONDS : CI_TIMEOUT_SECONDS;
        TlcRun.Resources resources = new TlcRun.Resources(workers, heapMiB(job, slots), timeout);
        Result result = job.mustBreakPromise() ? promised(job, resources) : search(job, resources);
        if (Job.PROOF.equals(result.verdict().property()) && job.checksProof() && !job.mustBreakPromise()) {
            result = promised(job, resources);
        }
        if (job.problem() == null && inputs.equals(suite.inputs(job, tlc))) { // nobody edited them meanwhile
            PastRun.keep(result, inputs, workers);
        }
        return result;
    }

    private Result search(Job job, TlcRun.Resources resources) throws IOException {
        return hosts.run(shares.test(job), () -> TlcRun.jvm(job, suite.library(job.spec()), resources), host -> run(job, resources, host));
    }

    private Result run(Job job, TlcRun.Resources resources, TlcHost host) {
        TlcRun run = new TlcRun(job, tlc, suite.library(job.spec()), out.resolve(job.spec()).resolve(job.name()), resources, List.of(), host);
        running.add(run);
        try {
            return run.run();
        } finally {
            running.remove(run);
        }
    }

    /** What a guard carries is a promise to users; the invariant of the proof only fails some steps before. If no promise fails, it is what to tell. */
    private Result promised(Job job, TlcRun.Resources resources) throws IOException {
        Result result = search(job.withoutProof(), resources);
        return result.verdict().kind() == Verdict.Kind.VIOLATES ? result.of(job) : search(job, resources);
    }

    /** At most three quarters of the memory for all that run at a time: a machine that swaps finishes nothing. */
    private static int heapMiB(Job job, int slots) {
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        int share = (int) Math.min(Integer.MAX_VALUE, (os.getTotalMemorySize() >> 20) * 3 / 4 / slots);
        return Math.max(MIN_HEAP_MIB, job.deep() ? share : Math.min(CI_HEAP_MIB, share));
    }

    @Override
    public void close() {
        hosts.close();
    }
}
