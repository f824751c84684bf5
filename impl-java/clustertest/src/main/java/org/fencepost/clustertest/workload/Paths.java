package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Counts which ways through the protocols a run took. A run that never took the way that it is about proves nothing. As a tracer it counts the
 * clients' actions by name; thread-safe.
 */
public class Paths implements Tracer {

    public static final String COMMIT = "commit";
    public static final String ONE_PHASE_COMMIT = "commit in one phase";
    public static final String LONG_COMMIT = "commit the long way";
    public static final String REFUSED_BATCH = "refused batch";
    /** Certified while it was put, and asked once more. */
    public static final String PASSED_PUT = "put that a reader has passed";
    public static final String READ_ONLY = "read only";
    public static final String FAST_COMMIT = "fp commit";
    public static final String FAST_READ = "fp read";
    public static final String NATIVE_PUT = "native put";
    public static final String NATIVE_GET = "native get";
    public static final String PUT_TRANSACTION = "put transaction";
    public static final String HELPER_COMMIT = "helper commit";
    public static final String TIMESTAMP = "timestamp";
    public static final String UNKNOWN = "unknown outcome";
    public static final String FAILOVER = "failover";
    public static final String REGION_MOVE = "region move";
    public static final String WRITE_SKEW = "write skew";
    public static final String SCAN = "scan";
    public static final String INDEX_SCAN = "index scan";
    public static final String INDEX_NOT_READY = "index scan too early";
    public static final String BUILD = "index build";
    public static final String SCAN_DURING_BUILD = "scan during an index build";
    /** With a higher watermark than the one before. */
    public static final String JANITOR_PASS = "janitor pass";
    static final String INVALIDATION = Action.InvalidatePending.name();

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public static String abort(String cause) {
        return "abort " + cause;
    }

    public static String fastAbort(String cause) {
        return "fp abort " + cause;
    }

    public void count(String path) {
        add(path, 1);
    }

    public void add(String path, long times) {
        counts.computeIfAbsent(path, p -> new LongAdder()).add(times);
    }

    /** So far. */
    public Map<String, Long> taken() {
        Map<String, Long> taken = new TreeMap<>();
        counts.forEach((path, count) -> taken.put(path, count.sum()));
        return taken;
    }

    /** What is asked of a minute, for a run that lasts so long: no more than that, and at least once. */
    public static Map<String, Integer> within(long seconds, Map<String, Integer> asked) {
        Map<String, Integer> within = new TreeMap<>(asked);
        within.replaceAll((path, times) -> Math.max(1, (int) (times * Math.min(60, seconds) / 60)));
        return within;
    }

    /** A sentence for each path that was taken fewer times than asked. */
    public List<String> tooSeldom(Map<String, Integer> asked) {
        List<String> seldom = new ArrayList<>();
        Map<String, Long> taken = taken();
        new TreeMap<>(asked).forEach((path, times) -> {
            if (taken.getOrDefault(path, 0L) < times) {
                seldom.add("the path '" + path + "' was taken " + taken.getOrDefault(path, 0L) + " times, and " + times + " are asked for");
            }
        });
        return seldom;
    }

    @Override
    public void event(Action action, Object... arguments) {
        count(action.name());
    }
}
