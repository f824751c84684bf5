package org.fencepost.bench.mix;

import static org.fencepost.bench.mix.BenchCluster.FP;
import static org.fencepost.bench.mix.BenchCluster.FRAGOLA;
import static org.fencepost.bench.mix.BenchCluster.LL;
import static org.fencepost.bench.mix.BenchCluster.NATIVE;
import static org.fencepost.bench.mix.BenchCluster.OMID_DEFAULT;
import static org.fencepost.bench.mix.BenchCluster.OMID_LL;
import static org.fencepost.bench.mix.BenchCluster.ONE_PHASE;
import static org.fencepost.bench.mix.BenchCluster.TWO_PHASE;
import static org.fencepost.bench.mix.ContenderServer.ALL;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.fencepost.bench.harness.Spread;
import org.fencepost.bench.mix.Contender.Phase;
import org.fencepost.bench.mix.ContenderServer.Figures;
import org.fencepost.bench.mix.Turn.Scene;

/** Medians of the turns, ratios between systems within each round, the goals, and the paper's ratios beside ours. */
final class BenchSummary {

    /**
     * One kind of transaction of one system. Latencies in microseconds.
     *
     * @param count     of all rounds
     * @param p99       NaN where a turn has too few to tell
     * @param perSecond of all kinds, as CPU times and bytes are
     * @param attained  load on the transaction manager, of what was asked for; NaN without
     */
    record Row(Scene scene, String system, String kind, long count, Spread p50, double mean, double p99, double[] phases, Spread perSecond, double aborts,
            double hbaseCpu, double managerCpu, double clientCpu, double hbaseBytes, double clientBytes, double attained) {

        /** Of all processes. */
        double cpu() {
            return hbaseCpu + clientCpu + (Double.isNaN(managerCpu) ? 0 : managerCpu);
        }
    }

    /**
     * A system by another one, within each round.
     *
     * @param p99    of the turns that have enough of both
     * @param cpu    time of all processes, for a transaction of any kind
     * @param aborts of all rounds together; NaN where the other one has none
     */
    record Ratio(Scene scene, String kind, String system, String to, Spread p50, Spread mean, Spread p99, Spread perSecond, Spread cpu, double aborts) {
    }

    /**
     * @param value what is compared with the bound is its median, NaN if it was not measured; without quartiles where all rounds are taken together
     * @param cost  CPU time of what is compared, empty where it is not about that
     * @param rounds that were measured
     */
    record Goal(String text, boolean atMost, double bound, Spread value, String cost, long rounds) {

        /** One round is over before the JVMs are warm. */
        private static final int FEWEST_ROUNDS = 2;

        String verdict() {
            double median = value.median();
            return Double.isNaN(median) ? "not measured" : rounds < FEWEST_ROUNDS ? "too short a run to tell" : (atMost ? median <= bound : median >= bound) ? "met" : "missed";
        }
    }

    /**
     * A ratio of mean latencies in VLDB'18 sec. 5.2, at low load.
     *
     * @param ours in the scene that is nearest to it, NaN if there is none
     */
    record Paper(String kind, String system, String to, double ratio, Scene scene, Spread ours) {
    }

    private static final int GOAL_THREADS = 8;
    /** Fewer in a turn have no 99th percentile. */
    private static final int ENOUGH = 100;
    private static final int LOW_LOAD = 100_000;
    private static final Scene UPDATES = new Scene(Workload.A, GOAL_THREADS, 0);
    private static final Scene WRITES = new Scene(Workload.WRITES, GOAL_THREADS, 0);
    private static final Scene READS = new Scene(Workload.C, GOAL_THREADS, 0);
    private static final Scene MIX = new Scene(Workload.RANDOM, GOAL_THREADS, 0);
    private static final Scene LOADED = new Scene(Workload.RANDOM, GOAL_THREADS, LOW_LOAD);
    private static final Scene PAPER_KEYS = new Scene(Workload.SPARSE, GOAL_THREADS, 0);

    private final List<Turn> turns;
    private final List<Scene> scenes;
    private final List<String> systems;
    private final List<String> kinds;
    private final List<Row> rows = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();

    BenchSummary(List<Turn> turns) {
        this.turns = turns;
        this.scenes = turns.stream().map(Turn::scene).distinct().toList();
        this.systems = BenchCluster.NAMES.stream().filter(system -> turns.stream().anyMatch(turn -> turn.system().equals(system))).toList();
        this.kinds = turns.stream().flatMap(turn -> turn.figures().stream()).map(Figures::kind).distinct().sorted(BenchSummary::byLength).toList();
        for (Scene scene : scenes) {
            for (String kind : kinds) {
                for (String system : systems) {
                    if (turns(scene, system).anyMatch(turn -> turn.of(kind) != null)) {
                        rows.add(row(scene, system, kind));
                    }
                }
                for (String to : List.of(NATIVE, OMID_LL)) {
                    systems.stream().filter(system -> !system.equals(to)).map(system -> ratio(scene, kind, system, to))
                            .filter(ratio -> !Double.isNaN(ratio.p50().median())).forEach(ratios::add);
                }
            }
        }
    }

    /** All, reads, writes, then the longer ones. */
    private static int byLength(String a, String b) {
        List<String> first = List.of(ALL, Job.READ, Job.WRITE, Job.READ_WRITE);
        return Integer.compare(first.contains(a) ? first.indexOf(a) - 10 : Integer.parseInt(a.replaceAll("\\D", "")),
                first.contains(b) ? first.indexOf(b) - 10 : Integer.parseInt(b.replaceAll("\\D", "")));
    }

    List<Row> rows() {
        return rows;
    }

    List<Ratio> ratios() {
        return ratios;
    }

    List<Scene> scenes() {
        return scenes;
    }

    List<String> systems() {
        return systems;
    }

    List<String> kinds() {
        return kinds;
    }

    /** Null if there is none. */
    Row find(Scene scene, String kind, String system) {
        return rows.stream().filter(row -> row.scene().equals(scene) && row.kind().equals(kind) && row.system().equals(system)).findAny().orElse(null);
    }

    private Stream<Turn> turns(Scene scene, String system) {
        return turns.stream().filter(turn -> turn.scene().equals(scene) && turn.system().equals(system));
    }

    private Row row(Scene scene, String system, String kind) {
        List<Turn> of = turns(scene, system).filter(turn -> turn.of(kind) != null).toList();
        double[] phases = new double[Phase.values().length];
        for (Phase phase : Phase.values()) {
            phases[phase.ordinal()] = median(of, turn -> turn.of(kind).phases()[phase.ordinal()]);
        }
        long aborts = turns(scene, system).flatMap(turn -> turn.figures().stream()).filter(f -> f.kind().equals(kind)).mapToLong(Figures::aborts).sum();
        long count = of.stream().mapToLong(turn -> turn.of(kind).count()).sum();
        return new Row(scene, system, kind, count, spread(of, turn -> turn.of(kind).p50()), median(of, turn -> turn.of(kind).mean()),
                median(of, turn -> p99(turn, kind)), phases, spread(of, Turn::perSecond), (double) aborts / (aborts + count), median(of, Turn::hbaseCpu),
                median(of, Turn::managerCpu), median(of, Turn::clientCpu), median(of, Turn::hbaseBytes), median(of, Turn::clientBytes), median(of, Turn::attained));
    }

    private static double p99(Turn turn, String kind) {
        return turn.of(kind).count() < ENOUGH ? Double.NaN : turn.of(kind).p99();
    }

    private static Spread spread(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return Spread.of(turns.stream().mapToDouble(figure).filter(value -> !Double.isNaN(value)));
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return spread(turns, figure).median();
    }

    Ratio ratio(Scene scene, String kind, String system, String to) {
        Row row = find(scene, kind, system);
        Row other = find(scene, kind, to);
        return new Ratio(scene, kind, system, to, spread(scene, kind, system, to, turn -> turn.of(kind).p50()),
                spread(scene, kind, system, to, turn -> turn.of(kind).mean()), spread(scene, kind, system, to, turn -> p99(turn, kind)),
                spread(scene, kind, system, to, Turn::perSecond), spread(scene, kind, system, to, Turn::cpu),
                row == null || other == null || other.aborts() == 0 ? Double.NaN : row.aborts() / other.aborts());
    }

    private Spread spread(Scene scene, String kind, String system, String to, ToDoubleFunction<Turn> figure) {
        return Spread.of(turns(scene, system).filter(turn -> turn.of(kind) != null).flatMapToDouble(turn -> turns(scene, to)
                .filter(other -> other.round() == turn.round() && other.of(kind) != null)
                .mapToDouble(other -> figure.applyAsDouble(turn) / figure.applyAsDouble(other))).filter(value -> !Double.isNaN(value)));
    }

    // ---- goals and paper

    /** Of single operations both where nobody does anything else, and within the paper's mix. */
    List<Goal> goals() {
        return List.of(
                goal(UPDATES, Job.WRITE, ONE_PHASE, NATIVE, true, 2.0),
                goal(MIX, Job.WRITE, ONE_PHASE, NATIVE, true, 2.0),
                goal(READS, Job.READ, ONE_PHASE, NATIVE, true, 1.3),
                goal(MIX, Job.READ, ONE_PHASE, NATIVE, true, 1.3),
                goal(UPDATES, Job.WRITE, OMID_LL, ONE_PHASE, false, 2.0),
                goal(MIX, Job.WRITE, OMID_LL, ONE_PHASE, false, 2.0),
                goal(LOADED, Job.WRITE, OMID_DEFAULT, LL, false, 4),
                goal(MIX, Job.operations(10), OMID_LL, ONE_PHASE, false, 2.2),
                new Goal("peak throughput of RANDOM, one-phase to omid-ll", false, 1.5, peak(ONE_PHASE, OMID_LL), "", rounds()),
                new Goal("CPU of all processes of write, fragola to ll; " + WRITES, true, 0.85, ratio(WRITES, Job.WRITE, FRAGOLA, LL).cpu(),
                        cost(WRITES, FRAGOLA) + "; " + cost(WRITES, LL), rounds()),
                aborts(MIX), aborts(PAPER_KEYS));
    }

    private Goal aborts(Scene scene) {
        Row ll = find(scene, ALL, LL);
        return new Goal("aborted share, ll; " + scene, true, 0.001, new Spread(Double.NaN, ll == null ? Double.NaN : ll.aborts(), Double.NaN), "", rounds());
    }

    static boolean isOfGoal(Scene scene) {
        return List.of(UPDATES, READS, MIX).contains(scene);
    }

    private Goal goal(Scene scene, String kind, String system, String to, boolean atMost, double bound) {
        return new Goal("p50 of " + kind + ", " + system + " to " + to + "; " + scene, atMost, bound, ratio(scene, kind, system, to).p50(),
                cost(scene, system) + "; " + cost(scene, to), rounds());
    }

    private String cost(Scene scene, String system) {
        Row row = find(scene, ALL, system);
        if (row == null) {
            return system + " was not measured";
        }
        return String.format(Locale.ROOT, "%s %,.0f (HBase %,.0f, client %,.0f, transaction manager %,.0f)", system, row.cpu(), row.hbaseCpu(), row.clientCpu(),
                row.cpu() - row.hbaseCpu() - row.clientCpu());
    }

    /** In each round with as many threads as were best for each of them. */
    private Spread peak(String system, String to) {
        return Spread.of(turns.stream().map(Turn::round).distinct().mapToDouble(round -> peak(system, round) / peak(to, round)).filter(value -> !Double.isNaN(value)));
    }

    private double peak(String system, int round) {
        return turns.stream().filter(turn -> turn.system().equals(system) && turn.round() == round && turn.workload() == Workload.RANDOM && turn.background() == 0)
                .mapToDouble(Turn::perSecond).max().orElse(Double.NaN);
    }

    /** The milliseconds of the paper's text, divided; "4x to 5x" as 4.5. */
    List<Paper> paper() {
        return List.of(paper(Job.WRITE, LL, NATIVE, 5.7 / 2), paper(Job.WRITE, FP, NATIVE, 2.4 / 2), paper(Job.WRITE, TWO_PHASE, NATIVE, 5.9 / 2),
                paper(Job.WRITE, OMID_DEFAULT, LL, 4.5), paper(Job.WRITE, LL, FP, 2.3),
                paper(Job.READ, LL, NATIVE, 2.5 / 1.5), paper(Job.READ, FP, NATIVE, 1), paper(Job.READ, TWO_PHASE, NATIVE, 2.7 / 1.5),
                paper(Job.READ_WRITE, LL, FP, 6.5 / 4), paper(Job.READ_WRITE, TWO_PHASE, LL, 7.1 / 6.5), paper(Job.READ_WRITE, OMID_DEFAULT, LL, 37.6 / 6.5),
                paper(Job.operations(10), FP, LL, 24.8 / 21.7), paper(Job.operations(10), TWO_PHASE, LL, 25.6 / 21.7));
    }

    /** Of the scenes with few threads first, under the paper's low load if there is one; beside native HBase, which has none, without. */
    private Paper paper(String kind, String system, String to, double ratio) {
        Scene scene = scenes.stream().filter(s -> s.workload() == (kind.equals(Job.READ_WRITE) ? Workload.BRWC : Workload.RANDOM))
                .filter(s -> s.background() <= (to.equals(NATIVE) ? 0 : LOW_LOAD)).filter(s -> !Double.isNaN(ratio(s, kind, system, to).mean().median()))
                .min((a, b) -> a.threads() != b.threads() ? Integer.compare(a.threads(), b.threads()) : Integer.compare(b.background(), a.background())).orElse(null);
        return new Paper(kind, system, to, ratio, scene, scene == null ? Spread.of(DoubleStream.empty()) : ratio(scene, kind, system, to).mean());
    }

    // ---- text

    String text() {
        StringBuilder out = new StringBuilder();
        for (Scene scene : scenes) {
            out.append(String.format(Locale.ROOT, "%-44s %-12s %9s %9s %9s %9s | %7s %7s %7s %7s | %7s %9s %9s %9s %9s %9s %9s %9s%n", scene, "", "count", "p50 us", "mean us", "p99 us",
                    "begin", "read", "write", "commit", "aborts", "per s", "HBase us", "TM us", "client us", "HBase kB", "client kB", scene.background() == 0 ? "" : "behind"));
            rows.stream().filter(row -> row.scene().equals(scene)).forEach(row -> out.append(line(row)));
        }
        leftOut().forEach(line -> out.append(line).append('\n'));
        out.append("Medians of the turns; CPU time and allocated memory for each committed transaction of any kind.\n\n");
        for (Goal goal : goals()) {
            out.append(String.format(Locale.ROOT, "%-66s %s %-6s %-24s %s%n", goal.text(), goal.atMost() ? "at most " : "at least", number(goal.bound()), spread(goal.value()),
                    goal.verdict()));
            if (goal.verdict().equals("missed") && !goal.cost().isEmpty()) {
                out.append("    CPU us of a transaction of any kind: ").append(goal.cost()).append('\n');
            }
        }
        out.append(String.format(Locale.ROOT, "%n%-42s %-8s %-24s%n", "mean latency of, to", "VLDB'18", "here"));
        for (Paper line : paper()) {
            out.append(String.format(Locale.ROOT, "%-42s %-8s %-24s %s%n", line.kind() + ": " + line.system() + ", " + line.to(), number(line.ratio()), spread(line.ours()),
                    line.scene() == null ? "" : line.scene()));
        }
        return out.append("Medians of the ratios within each round, and quartiles. Nothing runs behind native HBase.\n").toString();
    }

    private long rounds() {
        return turns.stream().mapToInt(Turn::round).distinct().count();
    }

    /** Turns in which the transaction manager gave way to the load again and again. */
    private List<String> leftOut() {
        return scenes.stream().flatMap(scene -> systems.stream().filter(system -> turns(scene, system).count() < rounds()).map(system -> String.format(Locale.ROOT,
                "Left out: %d of %d turns of %s in %s.", rounds() - turns(scene, system).count(), rounds(), system, scene))).toList();
    }

    private static String line(Row row) {
        return String.format(Locale.ROOT, "  %-42s %-12s %,9d %,9.0f %,9.0f %9s | %,7.0f %,7.0f %,7.0f %,7.0f | %6.2f%% %,9.0f %,9.0f %9s %,9.0f %,9.0f %,9.0f %9s%n", row.kind(), row.system(),
                row.count(), row.p50().median(), row.mean(), whole(row.p99()), row.phases()[0], row.phases()[1], row.phases()[2], row.phases()[3], 100 * row.aborts(),
                row.perSecond().median(), row.hbaseCpu(), whole(row.managerCpu()), row.clientCpu(), row.hbaseBytes() / 1e3,
                row.clientBytes() / 1e3, whole(row.attained()));
    }

    private static String whole(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String spread(Spread value) {
        return number(value.median()) + (Double.isNaN(value.lower()) ? "" : " (" + number(value.lower()) + " to " + number(value.upper()) + ")");
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, value < 0.1 ? "%.4f" : "%.2f", value);
    }
}
