package org.fencepost.bench.ph1;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.fencepost.bench.harness.Spread;

/** Medians of the turns, the penalties within each round, held against the goals, and whether the conditions hold. */
final class PH1Summary {

    /**
     * @param of     the store alone
     * @param atMost NaN: nothing is asked of it
     */
    record Penalty(String workload, String system, String of, Spread share, double atMost) {

        String label() {
            return PH1Summary.title(workload) + ", " + title(system) + " on " + title(of);
        }

        String verdict() {
            return Double.isNaN(atMost) ? "" : String.format(Locale.ROOT, "at most %.0f%%: %s", 100 * atMost, share.median() <= atMost ? "met" : "missed");
        }
    }

    /** What the paper has. */
    private static final double YCSB_GOAL = 0.13;
    private static final double TPCC_GOAL = 0.22;

    private final List<Turn> turns;
    private final Map<String, List<String>> conditions;
    private final boolean warm;

    /**
     * @param conditions by system, a sentence each
     * @param warm       whether the run was long enough for verdicts: cold clients are several times as slow
     */
    PH1Summary(List<Turn> turns, Map<String, List<String>> conditions, boolean warm) {
        this.turns = turns;
        this.warm = warm;
        this.conditions = conditions;
    }

    static String title(String name) {
        return switch (name) {
            case KeyValueCluster.YCSB -> "YCSB's mix";
            case KeyValueCluster.TPCC -> "TPC-C's transactions";
            case KeyValueCluster.CASSANDRA -> "Cassandra";
            case KeyValueCluster.PH1 -> "pH1";
            case KeyValueCluster.HBASE -> "HBase";
            case KeyValueCluster.LL -> "Omid LL";
            case KeyValueCluster.FAST -> "Omid LL, tables with the fast path,";
            default -> "Apache Omid low-latency";
        };
    }

    List<Penalty> penalties() {
        return List.of(penalty(KeyValueCluster.YCSB, KeyValueCluster.PH1, KeyValueCluster.CASSANDRA, YCSB_GOAL),
                penalty(KeyValueCluster.TPCC, KeyValueCluster.PH1, KeyValueCluster.CASSANDRA, TPCC_GOAL),
                penalty(KeyValueCluster.TPCC, KeyValueCluster.LL, KeyValueCluster.HBASE, TPCC_GOAL),
                penalty(KeyValueCluster.TPCC, KeyValueCluster.FAST, KeyValueCluster.HBASE, TPCC_GOAL),
                penalty(KeyValueCluster.TPCC, KeyValueCluster.PEER, KeyValueCluster.HBASE, Double.NaN));
    }

    private Penalty penalty(String workload, String system, String of, double atMost) {
        return new Penalty(workload, system, of, Spread.of(of(workload, system).flatMap(turn -> of(workload, of).filter(other -> other.round() == turn.round())
                .map(other -> 1 - turn.perSecond() / other.perSecond())).mapToDouble(Double::doubleValue)), warm ? atMost : Double.NaN);
    }

    private Stream<Turn> of(String workload, String system) {
        return turns.stream().filter(turn -> turn.workload().equals(workload) && turn.system().equals(system));
    }

    private double median(String workload, String system, ToDoubleFunction<Turn> figure) {
        return Spread.of(of(workload, system).mapToDouble(figure)).median();
    }

    /** Of a system with transactions. */
    boolean isViolated() {
        return conditions.entrySet().stream().anyMatch(each -> !List.of(KeyValueCluster.CASSANDRA, KeyValueCluster.HBASE).contains(each.getKey())
                && violations(each.getValue()) > 0);
    }

    private static long violations(List<String> sentences) {
        return sentences.stream().filter(sentence -> !sentence.endsWith(": " + TpccConditions.HOLDS)).count();
    }

    Map<String, List<String>> conditions() {
        return conditions;
    }

    String text() {
        StringBuilder text = new StringBuilder(String.format("YCSB's mix: transactions per second, and median latencies in microseconds%n"));
        text.append(String.format("%-38s %9s %9s %9s %9s %12s %8s%n", "", "per s", Ycsb.READ, Ycsb.SCAN, Ycsb.UPDATE, Ycsb.MULTI_UPDATE, "aborts"));
        for (String system : KeyValueCluster.ON_CASSANDRA) {
            text.append(row(KeyValueCluster.YCSB, system, "%-38s %,9.0f %,9.0f %,9.0f %,9.0f %,12.0f %7.2f%%%n", Ycsb.READ, Ycsb.SCAN, Ycsb.UPDATE, Ycsb.MULTI_UPDATE));
        }
        text.append(String.format("%nTPC-C, scaled down, no result of TPC-C: transactions per second, and median latencies in microseconds%n"));
        text.append(String.format("%-38s %9s %9s %9s %8s %22s%n", "", "per s", Tpcc.NEW_ORDER, Tpcc.PAYMENT, "aborts", "conditions violated"));
        for (String system : KeyValueCluster.SYSTEMS) {
            List<String> found = conditions.getOrDefault(system, List.of());
            text.append(row(KeyValueCluster.TPCC, system, "%-38s %,9.0f %,9.0f %,9.0f %7.2f%%", Tpcc.NEW_ORDER, Tpcc.PAYMENT))
                    .append(String.format(" %18d of %d%n", violations(found), found.size()));
        }
        text.append(String.format("%nPenalty: what the throughput falls short of the store's own, in the same round; medians, with quartiles%n"));
        for (Penalty each : penalties()) {
            text.append(String.format(Locale.ROOT, "%-78s %3.0f%% (%.0f%% to %.0f%%)  %s%n", each.label(), 100 * each.share().median(), 100 * each.share().lower(),
                    100 * each.share().upper(), each.verdict()));
        }
        conditions.forEach((system, sentences) -> sentences.stream().filter(sentence -> !sentence.endsWith(": " + TpccConditions.HOLDS))
                .forEach(sentence -> text.append(String.format("%s: condition %s%n", title(system), sentence))));
        return text.toString();
    }

    private String row(String workload, String system, String format, String... kinds) {
        Object[] figures = new Object[kinds.length + 3];
        figures[0] = title(system);
        figures[1] = median(workload, system, Turn::perSecond);
        for (int i = 0; i < kinds.length; i++) {
            String kind = kinds[i];
            figures[i + 2] = median(workload, system, turn -> turn.p50(kind));
        }
        figures[figures.length - 1] = 100 * median(workload, system, Turn::abortShare);
        return String.format(Locale.ROOT, format, figures);
    }
}
