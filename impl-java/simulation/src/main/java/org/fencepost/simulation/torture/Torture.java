package org.fencepost.simulation.torture;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fencepost.lanes.SvgLanes;
import org.fencepost.lanes.SwimLane;
import org.fencepost.lanes.TextLanes;
import org.fencepost.protocol.trace.Action;
import org.fencepost.simulation.omid.Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.DeadEndException;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs seeds, one simulated run each, and stops at the first that fails: minimises it, draws it, and prints the command
 * that repeats it.
 */
@Command(name = "torture", sortOptions = false, usageHelpWidth = 110,
        description = "Runs the protocol in a deterministic simulation with faults: one run for each seed.",
        footer = {"", "Exit code: 0 no seed failed; 1 one did, and its log and picture are in the output folder; 2 bad input."})
public final class Torture implements Callable<Integer> {

    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int WIDTH = 160;
    private static final long PROGRESS_NANOS = 10_000_000_000L;

    /** What is run, by the options of that name; all that has no option of its own, if none is given. */
    private enum Subject {
        OMID(Plan::of, "", "OmidLL", Action.OF_OMID_LL, Action.OF_FAST_PATH, Action.OF_TWO_PHASE, Action.OF_TM_FAILOVER),
        MEDIATOR(Plan::ofMediator, "-mediator", "Mediator", Action.OF_MEDIATOR),
        FRAGOLA(Plan::ofFragola, "-fragola", "OmidLL", Action.OF_FRAGOLA),
        PH1(Plan::ofPH1, "-ph1", "PH1", Action.OF_PH1),
        INDEX(Plan::ofIndex, "-index", "OmidLL", Action.OF_INDEX_FENCE);

        /** Whose traces are of no other subject. */
        private static final Set<String> ALONE = Set.of(MEDIATOR.protocol, PH1.protocol);

        private final LongFunction<Plan> plan;
        private final String suffix;
        /** That its traces are checked against if nothing else is said. */
        private final String protocol;
        private final List<Set<Action>> actions;

        @SafeVarargs
        Subject(LongFunction<Plan> plan, String suffix, String protocol, Set<Action>... actions) {
            this.plan = plan;
            this.suffix = suffix;
            this.protocol = protocol;
            this.actions = List.of(actions);
        }

        /** Whether a trace of it can be checked against this one. */
        private boolean isTracedAs(String name) {
            return ALONE.contains(protocol) || ALONE.contains(name) ? name.equals(protocol) : Plan.TRACEABLE.contains(name);
        }
    }

    @Option(names = "--seeds", paramLabel = "<n>", defaultValue = "10000", description = "how many (default: ${DEFAULT-VALUE})")
    private long seeds;

    @Option(names = "--seed", paramLabel = "<first>", defaultValue = "0", description = "the first of them (default: ${DEFAULT-VALUE})")
    private long firstSeed;

    @Option(names = "--replay", paramLabel = "<seed>", description = "run this seed only, and draw it whether it fails or not")
    private Long replay;

    @Option(names = "--operations", paramLabel = "<n>", description = "instead of what the seed draws, for all clients together")
    private Integer operations;

    @Option(names = "--clients", paramLabel = "<n>", description = "instead of what the seed draws; pH1 always has three")
    private Integer clients;

    @Option(names = "--without", paramLabel = "<fault>", split = ",", description = "leave out: ${COMPLETION-CANDIDATES}")
    private Fault[] without = {};

    @Option(names = "--mediator", description = "Mediator, with native puts and gets beside its transactions, instead of Omid LL")
    private boolean mediator;

    @Option(names = "--fragola", description = "Fragola, which has no commit table, instead of Omid LL")
    private boolean fragola;

    @Option(names = "--ph1", description = "pH1, over a store that keeps one value for each key, instead of Omid LL")
    private boolean ph1;

    @Option(names = "--index", description = "in each run of Omid LL an index is built while its table is written")
    private boolean index;

    @Option(names = "--beyond-drift", description = "the transaction managers' clocks diverge by more than their leases allow for: seeds will fail")
    private boolean beyondDrift;

    @Option(names = "--twice", description = "run each seed twice and compare the logs; a replay always does")
    private boolean twice;

    @Option(names = "--trace", paramLabel = "<file>", description = "with --replay: write the run for 'make trace-check', and keep it to"
            + " what that can explain")
    private Path trace;

    @Option(names = "--protocol", paramLabel = "<spec>",
            description = "with --trace: the specification to be checked against, OmidLL, OmidTwoPhase, TMFailover, FastPath, OnePhase, Fragola, Checkpoints or"
                    + " IndexFence (default: OmidLL); Mediator, and nothing else, with --mediator, and PH1 with --ph1")
    private String protocol;

    @Option(names = "--workers", paramLabel = "<n>", description = "runs side by side (default: the number of cores)")
    private int workers = Runtime.getRuntime().availableProcessors();

    @Option(names = "--out", paramLabel = "<folder>", defaultValue = "target/torture", description = "results (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    private boolean help;

    private final PrintStream console;
    private final AtomicLong next = new AtomicLong();
    private volatile Run failed;

    /** For the launcher. Prints to the standard output. */
    public Torture() {
        this(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
    }

    public Torture(PrintStream console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        if (seeds < 1 || workers < 1 || operations != null && operations < 1 || clients != null && clients < 1) {
            console.println("--seeds, --workers, --operations and --clients must be at least 1.");
            return USAGE;
        }
        if (firstSeed < 0 || replay != null && replay < 0) {
            console.println("--seed and --replay must not be negative.");
            return USAGE;
        }
        if (Stream.of(mediator, fragola, ph1, index).filter(each -> each).count() > 1) {
            console.println("A run has one of --mediator, --fragola, --ph1 and --index at most.");
            return USAGE;
        }
        if (subject() != Subject.OMID && beyondDrift) {
            console.println("--beyond-drift is for runs of Omid LL, not with --mediator, --fragola, --ph1 or --index.");
            return USAGE;
        }
        if ((fragola || index) && trace != null) {
            console.println("--trace does not go with --index or --fragola: say --protocol IndexFence or --protocol Fragola instead.");
            return USAGE;
        }
        if (trace != null && replay == null) {
            console.println("--trace needs --replay <seed>: a trace is that of one run.");
            return USAGE;
        }
        if (protocol != null && !subject().isTracedAs(protocol)) {
            console.println("--protocol is one of " + String.join(", ", Plan.TRACEABLE) + "; Mediator with --mediator and no other, PH1 with --ph1 and no other; not "
                    + protocol + ".");
            return USAGE;
        }
        return replay == null ? campaign() : replay(plan(replay));
    }

    private Subject subject() {
        return mediator ? Subject.MEDIATOR : fragola ? Subject.FRAGOLA : ph1 ? Subject.PH1 : index ? Subject.INDEX : Subject.OMID;
    }

    private Plan plan(long seed) {
        Plan plan = subject().plan.apply(seed).without(Arrays.asList(without));
        plan = beyondDrift ? plan.beyondDrift() : plan;
        plan = trace == null ? plan : plan.traced(protocol == null ? subject().protocol : protocol);
        plan = operations == null ? plan : plan.withOperations(operations);
        return clients == null ? plan : plan.withClients(clients);
    }

    /** A run whose log differs from that of its repetition has failed. */
    public static Run runTwice(Plan plan, Carriers carriers) {
        Run first = Simulation.run(plan, carriers);
        String log = first.log().text();
        String again = Simulation.run(plan, carriers).log().text();
        if (log.equals(again) || first.failed()) {
            return first;
        }
        List<String> lines = log.lines().toList();
        List<String> others = again.lines().toList();
        int same = IntStream.range(0, Math.min(lines.size(), others.size()))
                .filter(i -> !lines.get(i).equals(others.get(i))).findFirst().orElse(Math.min(lines.size(), others.size()));
        return new Run(plan, new Failure("Determinism", "the second run of the seed differs from line " + (same + 1) + " on", null),
                first.history(), first.log(), first.account(), first.steps());
    }

    // ---- many seeds

    private int campaign() throws IOException, InterruptedException, ExecutionException {
        long start = System.nanoTime();
        Campaign total = new Campaign();
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            List<Future<Campaign>> parts = IntStream.range(0, workers).mapToObj(i -> threads.submit(() -> work(start))).toList();
            for (Future<Campaign> part : parts) {
                total.add(part.get());
            }
        } finally {
            threads.shutdownNow();
        }
        summarize(total, System.nanoTime() - start);
        Run smallest = failed == null ? null : Minimizer.minimize(failed, new Carriers());
        Files.createDirectories(out);
        Files.writeString(out.resolve("summary" + subject().suffix + ".json"), total.json(firstSeed, smallest));
        return smallest == null ? 0 : report(smallest);
    }

    private Campaign work(long start) {
        Campaign campaign = new Campaign();
        Carriers carriers = new Carriers();
        long told = start;
        for (long i = next.getAndIncrement(); i < seeds && failed == null; i = next.getAndIncrement()) {
            Run run = twice ? runTwice(plan(firstSeed + i), carriers) : Simulation.run(plan(firstSeed + i), carriers);
            campaign.add(run);
            if (run.failed()) {
                failed = run;
            }
            long now = System.nanoTime();
            if (i % workers == 0 && now - told > PROGRESS_NANOS) { // about one of the workers
                told = now;
                console.printf(Locale.ROOT, "%,d of %,d done, %,d left, about %.0f s; %.0f seeds/s%n", i, seeds, seeds - i, (now - start) / 1e9 * (seeds - i) / Math.max(1, i), i * 1e9 / (now - start));
            }
        }
        return campaign;
    }

    private void summarize(Campaign total, long nanos) {
        if (failed != null) {
            console.printf(Locale.ROOT, "Stopped at the first failure, after %,d of %,d seeds.%n", total.runs(), seeds);
        }
        console.printf(Locale.ROOT, "%,d seeds in %.1f s, %.0f seeds/s with %d workers, %.0f steps a seed; transactions: %s%n", total.runs(),
                nanos / 1e9, total.runs() * 1e9 / nanos, workers, (double) total.steps() / total.runs(), total.transactions());
        console.println("Faults: " + Arrays.stream(Fault.values()).map(f -> f + " " + total.count(f)).collect(Collectors.joining(", ")));
        String missing = subject().actions.stream().flatMap(Set::stream).filter(action -> total.count(action) == 0).map(Action::name)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty() && failed == null) {
            console.println("Never reached: " + missing);
        }
    }

    // ---- one seed

    private int replay(Plan plan) throws IOException {
        Run run = runTwice(plan, new Carriers());
        if (trace != null) {
            Files.createDirectories(trace.toAbsolutePath().getParent());
            Files.writeString(trace, run.trace());
        }
        if (run.failed()) {
            return report(run);
        }
        draw(run);
        console.println("Seed " + plan.seed() + " passes: " + files(run));
        return 0;
    }

    private int report(Run run) throws IOException {
        draw(run);
        console.println();
        console.println("Seed " + run.plan().seed() + " fails. " + run.failure());
        if (run.failure().cause() != null && !(run.failure().cause() instanceof DeadEndException)) {
            run.failure().cause().printStackTrace(console);
        }
        console.println("Faults: " + run.plan().faults().stream().map(f -> f + " (" + f.sentence() + ")").collect(Collectors.joining("; ")));
        console.println("What happened: " + files(run));
        console.println("Again: impl-java/cli/fencepost torture " + run.plan().replayOptions());
        return FAILED;
    }

    private String files(Run run) {
        return out.resolve("seed-" + run.plan().seed()) + ".{txt,svg,ndjson}";
    }

    private void draw(Run run) throws IOException {
        Files.createDirectories(out);
        String name = "seed-" + run.plan().seed();
        SwimLane picture = Picture.of(run);
        Files.writeString(out.resolve(name + ".ndjson"), run.log().text());
        Files.writeString(out.resolve(name + ".txt"), TextLanes.draw(picture, WIDTH));
        Files.writeString(out.resolve(name + ".svg"), SvgLanes.draw(picture));
    }
}
