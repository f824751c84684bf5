package org.fencepost.clustertest.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Judges scans by what they are, beside {@link Judge}, which judges by timestamps what they found: the rows are in order, each once, within the range and the
 * limit; and what an index has is the function of what the transaction found when it read the whole table, right before.
 */
public final class RangeJudge {

    /** Of the table: from 0 on. */
    public static final long KEYS = 60;
    /** Values of a row fall into so many buckets of the index, so that it comes back to an index key that it had before. */
    public static final long BUCKETS = 4;

    private static final int MOST = 20;

    private RangeJudge() {
    }

    /** A sentence for each violation, at most {@value #MOST}; aborted transactions' scans are judged as well. */
    public static List<String> violations(List<Op> history) {
        List<String> violations = new ArrayList<>();
        for (Op op : history) {
            List<List<Object>> micro = op.isClient() && op.type() != Op.Type.invoke ? op.tagged() : List.of();
            for (int i = 0; i < micro.size() && violations.size() < MOST; i++) {
                String what = micro.get(i).get(0).equals("scan") ? ofScan(micro.get(i)) : micro.get(i).get(0).equals("index") && micro.get(i).get(2) != null
                        ? ofIndex(micro.get(i), i == 0 ? null : micro.get(i - 1)) : null;
                if (what != null) {
                    violations.add("Operation " + op.index() + " " + what + ", when it asked for " + HistoryFile.edn(micro.get(i).subList(0, 2)) + ".");
                }
            }
        }
        return violations;
    }

    /** Null if all is well. */
    private static String ofScan(List<Object> micro) {
        List<?> range = (List<?>) micro.get(1);
        List<?> found = (List<?>) micro.get(2);
        boolean reversed = (Boolean) range.get(3);
        long limit = (Long) range.get(2);
        Long before = null;
        for (Object each : found) {
            long key = (Long) ((List<?>) each).get(0);
            if (before != null && (reversed ? key >= before : key <= before)) {
                return key == before ? "found key " + key + " twice" : "found key " + key + " out of order";
            }
            if (key < (Long) range.get(0) || key >= (Long) range.get(1)) {
                return "found key " + key + ", for which it did not ask";
            }
            before = key;
        }
        return limit > 0 && found.size() > limit ? "found more than it asked for" : null;
    }

    private static String ofIndex(List<Object> micro, List<Object> scan) {
        List<?> buckets = (List<?>) micro.get(1);
        if (scan == null || !scan.get(0).equals("scan") || !List.of(0L, KEYS, 0L, false).equals(scan.get(1))) {
            return "asked the index and not the whole table before it, so that nobody can judge it";
        }
        TreeSet<String> expected = new TreeSet<>();
        for (Object each : (List<?>) scan.get(2)) {
            List<?> row = (List<?>) each;
            long bucket = (Long) row.get(1) % BUCKETS;
            if (bucket >= (Long) buckets.get(0) && bucket < (Long) buckets.get(1)) {
                expected.add(entry(bucket, row.get(0)));
            }
        }
        List<String> found = ((List<?>) micro.get(2)).stream().map(each -> entry(((List<?>) each).get(0), ((List<?>) each).get(1))).toList();
        TreeSet<String> missing = new TreeSet<>(expected);
        found.forEach(missing::remove);
        TreeSet<String> extra = new TreeSet<>(found);
        extra.removeAll(expected);
        if (!missing.isEmpty() || !extra.isEmpty()) {
            return "found an index that is not the function of the table, without " + missing + " and with " + extra;
        }
        return found.equals(List.copyOf(new TreeSet<>(found))) ? null : "found the index out of order, or an entry twice";
    }

    /** As the index orders them: by bucket, then by key. */
    private static String entry(Object bucket, Object key) {
        return String.format("%d/%02d", (Long) bucket, (Long) key);
    }
}
