package org.fencepost.bench.mix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.harness.ServerProcess;
import org.fencepost.bench.harness.Usage;
import org.fencepost.bench.load.Generator;
import org.fencepost.bench.load.Load;
import org.fencepost.bench.mix.ContenderServer.Figures;
import org.fencepost.bench.mix.Turn.Scene;

/**
 * The order of the measurements. In each round every workload is run with every number of threads, by the systems in turn, in
 * the opposite order in every second round: whatever else the machine does hits those alike that are compared. A turn in which
 * nothing is committed is made again, twice as long. The first part of a turn does not count, and there is a pause before it for what the one before has
 * left to do, since post-commits run in the background.
 *
 * <p>In the end the scenes of the goals that have no background load are run once more with async-profiler. It takes some of the
 * time itself, so these turns do not count, and if one of them fails, only its profile is missing.
 *
 * <p>Background load goes to the transaction manager of the system whose turn it is, begins and commits of one write that is
 * nobody else's, as of a cluster of which this HBase is a small part (VLDB'18 sec. 5.1.2). A manager that cannot keep up gets as
 * much as it takes; where it gives way again and again, its turn is left out, and the report says so. HBase alone has none.
 */
final class Turns {

    private static final int CONNECTIONS = 4;
    /** So much time the manager may lag behind. */
    private static final double BACKLOG_SECONDS = 0.02;
    private static final int MIN_BACKLOG = 200;
    static final double MOST_SECONDS = 60;
    private static final int WARM_UP = 0;
    private static final int PROFILED = -1;
    private static final int ATTEMPTS = 3;

    private final Bench options;
    private final BenchCluster cluster;
    private final Profile profile;

    /** @param profile gets a part for each process in each turn, where the options ask for it */
    Turns(Bench options, BenchCluster cluster, Profile profile) {
        this.options = options;
        this.cluster = cluster;
        this.profile = profile;
    }

    /** @param turns gets them as they are measured, so that they are there if a later one fails */
    void run(List<Turn> turns) throws IOException {
        System.out.println("Warming up.");
        List<Scene> scenes = options.scenes();
        double each = options.warmUpSeconds / scenes.size() / options.systems.size();
        for (Scene scene : scenes) {
            for (ContenderProcess contender : cluster.contenders()) {
                measure(contender, scene, WARM_UP, each);
            }
        }
        for (int round = 1; round <= options.rounds; round++) {
            for (Scene scene : scenes) {
                for (ContenderProcess contender : Rounds.inTurn(round, cluster.contenders())) {
                    Turn turn = measure(contender, scene, round, options.seconds);
                    if (turn != null) {
                        turns.add(turn);
                        System.out.println(line(turn));
                    }
                }
            }
        }
        for (Scene scene : options.profiled()) {
            for (ContenderProcess contender : cluster.contenders()) {
                System.out.println("Profiling " + contender.system() + " in " + scene + ".");
                try {
                    measure(contender, scene, PROFILED, options.profileSeconds);
                } catch (IOException | RuntimeException e) {
                    System.out.println("No profile of it: " + e.getMessage());
                }
            }
        }
    }

    private static String line(Turn turn) {
        Figures all = turn.of(ContenderServer.ALL);
        return String.format(Locale.ROOT, "  %2d %-32s %-12s %,8.0f/s, p50 %,8.0f us, p99 %,9.0f us, aborts %.2f%%; each CPU us and kB: HBase %,6.0f %,5.0f, client %,5.0f %,4.0f%s", turn.round(),
                turn.scene(), turn.system(), turn.perSecond(), all.p50(), all.p99(), 100 * turn.abortShare(), turn.hbaseCpu(), turn.hbaseBytes() / 1e3, turn.clientCpu(),
                turn.clientBytes() / 1e3,
                turn.background() == 0 || Double.isNaN(turn.attained()) ? "" : String.format(Locale.ROOT, "; behind %,.0f tps", turn.attained()));
    }

    /** The transaction manager cannot bear the load. */
    private static final class GaveWayException extends Exception {

        private static final long serialVersionUID = 1;

        GaveWayException(String why) {
            super(why);
        }
    }

    /** Null if the transaction manager gives way to the load again and again. */
    private Turn measure(ContenderProcess contender, Scene scene, int round, double seconds) throws IOException {
        Rounds.sleep(options.pauseSeconds);
        BenchCluster.Manager manager = cluster.manager(contender.system());
        if (scene.background() == 0 || manager == null) {
            Turn turn = measure(contender, scene, round, seconds, manager, null);
            if (turn == null) {
                throw new IOException(nothing(contender));
            }
            return turn;
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try (Generator background = load(scene, manager)) {
                background.start();
                return measureBehind(contender, scene, round, seconds, manager, background);
            } catch (GaveWayException e) {
                System.out.println("A turn of " + contender.system() + " in " + scene + " broke off, and is "
                        + (attempt == ATTEMPTS ? "left out: " : "made again: ") + e.getMessage());
            }
        }
        return null;
    }

    private static Generator load(Scene scene, BenchCluster.Manager manager) throws GaveWayException {
        int backlog = Math.max(MIN_BACKLOG, (int) (scene.background() * BACKLOG_SECONDS));
        try {
            return new Generator(manager.address(), manager.protocols(), Load.paced(CONNECTIONS, scene.background(), backlog));
        } catch (IOException | IllegalStateException e) {
            throw new GaveWayException(e.getMessage());
        }
    }

    /** When a manager loses its lease, or a connection, its client's transactions fail, too; but not the other way round. */
    private Turn measureBehind(ContenderProcess contender, Scene scene, int round, double seconds, BenchCluster.Manager manager, Generator background)
            throws IOException, GaveWayException {
        try {
            Turn turn = measure(contender, scene, round, seconds, manager, background);
            if (turn != null) {
                background.stop();
                return turn;
            }
        } catch (IOException | IllegalStateException e) {
            if (background.hasFailed()) {
                throw new GaveWayException(e.getMessage());
            }
            throw e;
        }
        throw new GaveWayException(nothing(contender));
    }

    private static String nothing(ContenderProcess contender) {
        return contender.system() + " committed nothing, however long it was given: see the logs of its processes.";
    }

    /** Null if nothing was committed, however long it took. */
    private Turn measure(ContenderProcess contender, Scene scene, int round, double seconds, BenchCluster.Manager manager, Generator background)
            throws IOException {
        double length = seconds;
        Turn turn;
        do {
            turn = tryToMeasure(contender, scene, round, length, manager, background);
            length *= 2;
        } while (turn == null && length < MOST_SECONDS);
        return turn;
    }

    /** Null if nothing was committed. */
    private Turn tryToMeasure(ContenderProcess contender, Scene scene, int round, double seconds, BenchCluster.Manager manager, Generator background)
            throws IOException {
        contender.start(scene.workload(), scene.threads(), options.keys);
        Rounds.sleep(Math.min(options.settleSeconds, seconds));
        Map<String, ServerProcess> profiled = round == PROFILED ? processes(contender, manager) : Map.of();
        profiled.values().forEach(process -> process.profile(Profile.START));
        Usage hbase = cluster.usage();
        Usage ofManager = manager == null ? null : manager.process().usage();
        Usage client = contender.usage();
        long behind = background == null ? 0 : background.ended();
        contender.record();
        long nanos = System.nanoTime();
        Rounds.sleep(seconds);
        nanos = System.nanoTime() - nanos;
        behind = background == null ? 0 : background.ended() - behind;
        List<Figures> figures = contender.stop();
        Usage hbaseAfter = cluster.usage();
        Usage ofManagerAfter = manager == null ? null : manager.process().usage();
        Usage clientAfter = contender.usage();
        for (Map.Entry<String, ServerProcess> process : profiled.entrySet()) {
            Path samples = cluster.directory().resolve("samples").toAbsolutePath();
            process.getValue().profile(Profile.stop(samples));
            if (Files.exists(samples) && Files.size(samples) > 0) {
                profile.add(scene, contender.system(), process.getKey(), samples);
            } else {
                System.out.println("There is no profile of " + process.getKey() + ": see its log.");
            }
        }
        long count = figures.stream().filter(f -> f.kind().equals(ContenderServer.ALL)).mapToLong(Figures::count).sum();
        if (count == 0) {
            return null;
        }
        if (background != null) {
            background.check();
        }
        return new Turn(scene.workload(), scene.threads(), scene.background(), background == null ? Double.NaN : behind * 1e9 / nanos, contender.system(), round,
                count * 1e9 / nanos, micros(hbase, hbaseAfter) / count, manager == null ? Double.NaN : micros(ofManager, ofManagerAfter) / count,
                micros(client, clientAfter) / count, (double) (hbaseAfter.bytes() - hbase.bytes()) / count,
                (double) (clientAfter.bytes() - client.bytes()) / count, figures);
    }

    private Map<String, ServerProcess> processes(ContenderProcess contender, BenchCluster.Manager manager) {
        Map<String, ServerProcess> processes = new LinkedHashMap<>();
        processes.put(Profile.HBASE, cluster.hbase());
        if (manager != null) {
            processes.put(Profile.MANAGER, manager.process());
        }
        processes.put(Profile.CLIENT, contender.process());
        return processes;
    }

    private static double micros(Usage before, Usage after) {
        return (after.cpuNanos() - before.cpuNanos()) / 1e3;
    }
}
