package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.fencepost.clustertest.verdict.Judge;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.verdict.RangeJudge;

/**
 * Inserts, deletes and range scans over a few keys that lie in several regions; half of the transactions leave the decision what they see to region servers,
 * as far as these can. Where the column is indexed, its index is built, and given up for another one, while all of this goes on; who reads it, reads
 * the whole table in the same snapshot, too.
 */
public final class Ranges implements Workload {

    public static final String BUILD = "build";
    private static final long KEYS = RangeJudge.KEYS;
    private static final long BUCKETS = RangeJudge.BUCKETS;
    private static final int MOST_WRITES = 3;
    private static final int MOST_ROWS = 12;
    private static final int LONGEST_THOUGHT = 400;
    private static final int BUILDS_ONE_IN = 400;

    private final boolean indexed;
    private final long[] written = new long[(int) KEYS];

    Ranges(boolean indexed) {
        this.indexed = indexed;
    }

    /** Every second row has a value. */
    @Override
    public List<Invocation> first() {
        List<List<Object>> puts = new ArrayList<>();
        for (long key = 0; key < KEYS; key += 2) {
            puts.add(put(key));
        }
        return List.of(Invocation.regular(puts));
    }

    @Override
    public Invocation next(SplittableRandom random) {
        if (indexed && random.nextInt(BUILDS_ONE_IN) == 0) {
            return new Invocation(BUILD, null, Map.of());
        }
        List<List<Object>> micro = new ArrayList<>();
        boolean writes = random.nextInt(5) < 2;
        if (writes) {
            write(random, micro);
        }
        if (!writes || random.nextInt(4) == 0) {
            read(random, micro);
        }
        Map<String, Object> more = new LinkedHashMap<>(Map.of(Op.PATH, Op.REGULAR));
        if (random.nextBoolean()) {
            more.put(Op.READS, Op.SERVER);
        }
        if (writes && random.nextInt(6) == 0) {
            more.put(Op.THINK, 1L + random.nextInt(LONGEST_THOUGHT)); // so that it straddles a fence, perhaps
        }
        return new Invocation("txn", micro, more);
    }

    private void write(SplittableRandom random, List<List<Object>> micro) {
        TreeSet<Long> keys = new TreeSet<>();
        for (int i = 1 + random.nextInt(MOST_WRITES); i > 0; i--) {
            keys.add(random.nextLong(KEYS));
        }
        keys.forEach(key -> micro.add(random.nextInt(3) == 0 ? micro("delete", key) : put(key)));
    }

    private void read(SplittableRandom random, List<List<Object>> micro) {
        if (indexed && random.nextBoolean()) {
            micro.add(scan(0, KEYS, 0, false));
            long from = random.nextBoolean() ? 0 : random.nextLong(BUCKETS);
            micro.add(micro("index", List.of(from, from == 0 ? BUCKETS : from + 1 + random.nextLong(BUCKETS - from))));
            return;
        }
        long from = random.nextLong(KEYS);
        long to = from + 1 + random.nextLong(KEYS - from);
        micro.add(scan(from, to, random.nextBoolean() ? 0 : 1 + random.nextInt(MOST_ROWS), random.nextInt(4) == 0));
    }

    /** @param limit 0: none */
    private static List<Object> scan(long from, long to, long limit, boolean reversed) {
        return micro("scan", List.of(from, to, limit, reversed));
    }

    private List<Object> put(long key) {
        return List.of("put", key, ++written[(int) key]);
    }

    private static List<Object> micro(String kind, Object what) {
        List<Object> micro = new ArrayList<>(List.of(kind, what));
        micro.add(null);
        return micro;
    }

    /** All of it, decided in both ways, and by the index. */
    @Override
    public List<Invocation> last() {
        List<List<Object>> all = new ArrayList<>(List.of(scan(0, KEYS, 0, false)));
        if (indexed) {
            all.add(micro("index", List.of(0L, BUCKETS)));
        }
        List<Invocation> last = new ArrayList<>(indexed ? List.of(new Invocation(BUILD, null, Map.of())) : List.of());
        last.add(Invocation.regular(all));
        last.add(new Invocation("txn", all, Map.of(Op.PATH, Op.REGULAR, Op.READS, Op.SERVER)));
        return last;
    }

    @Override
    public boolean scans() {
        return true;
    }

    @Override
    public boolean indexed() {
        return indexed;
    }

    @Override
    public Map<String, List<String>> judged() {
        Map<String, List<String>> judged = new LinkedHashMap<>(Workload.super.judged());
        if (indexed) {
            judged.put("IndexFence", List.of("IndexReads"));
        }
        return judged;
    }

    @Override
    public List<String> violations(List<Op> history) {
        return RangeJudge.violations(history);
    }

    /** Scans, of the index as well, and how many of them there were while an index was built. */
    @Override
    public Map<String, Long> counts(List<Op> history) {
        List<Judge.Pair> answered = Judge.Pair.of(history).stream().filter(pair -> pair.completed().type() == Op.Type.ok).toList();
        List<Judge.Pair> builds = Judge.Pair.of(history).stream().filter(pair -> pair.invoked().f().equals(BUILD)).toList();
        Map<String, Long> counts = new LinkedHashMap<>(Map.of(Paths.SCAN, 0L));
        if (indexed) {
            counts.putAll(Map.of(Paths.INDEX_SCAN, 0L, Paths.SCAN_DURING_BUILD, 0L));
        }
        for (Judge.Pair pair : answered) {
            for (List<Object> micro : pair.completed().tagged()) {
                String path = !micro.get(0).equals("index") ? micro.get(0).equals("scan") ? Paths.SCAN : null
                        : micro.get(2) == null ? Paths.INDEX_NOT_READY : Paths.INDEX_SCAN;
                if (path != null) {
                    counts.merge(path, 1L, Long::sum);
                    if (builds.stream().anyMatch(build -> overlap(build, pair))) {
                        counts.merge(Paths.SCAN_DURING_BUILD, 1L, Long::sum);
                    }
                }
            }
        }
        return counts;
    }

    private static boolean overlap(Judge.Pair one, Judge.Pair other) {
        return one.invoked().time() < other.completed().time() && other.invoked().time() < one.completed().time();
    }

    @Override
    public Map<String, Integer> asks() {
        Map<String, Integer> asks = new LinkedHashMap<>(Map.of(Paths.COMMIT, 100, Paths.abort("CONFLICT"), 5, Paths.INVALIDATION, 3, Paths.SCAN, 200));
        if (indexed) {
            asks.putAll(Map.of(Paths.BUILD, 2, Paths.abort("FENCED"), 1, Paths.INDEX_SCAN, 50, Paths.SCAN_DURING_BUILD, 20));
        }
        return asks;
    }
}
