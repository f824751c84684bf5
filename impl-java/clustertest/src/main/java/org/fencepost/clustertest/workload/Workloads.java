package org.fencepost.clustertest.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.fencepost.clustertest.workload.Transactions.Protocol;
import org.fencepost.clustertest.workload.Transactions.Sort;

/** All workloads, by name. */
public final class Workloads {

    private static final Map<String, Integer> REGULAR = Map.of(Paths.COMMIT, 100, Paths.abort("CONFLICT"), 10, Paths.INVALIDATION, 5);
    private static final Map<String, Integer> FAST = Map.of(Paths.FAST_COMMIT, 100, Paths.FAST_READ, 50, Paths.fastAbort("VERSION_MOVED"), 5,
            Paths.fastAbort("SEQUENCE_EXHAUSTED"), 2);
    private static final Map<String, Integer> MIXED = Map.of(Paths.COMMIT, 50, Paths.abort("CONFLICT"), 5, Paths.INVALIDATION, 5, Paths.FAST_COMMIT, 50,
            Paths.fastAbort("TENTATIVE_VERSION"), 3);

    private static final Map<String, Integer> SHORT = Map.of(Paths.COMMIT, 100, Paths.ONE_PHASE_COMMIT, 60, Paths.LONG_COMMIT, 10, Paths.REFUSED_BATCH, 2,
            Paths.abort("CONFLICT"), 5, Paths.INVALIDATION, 1);

    private static final Map<String, Integer> ONE_REGION = Map.of(Paths.COMMIT, 100, Paths.ONE_PHASE_COMMIT, 90, Paths.REFUSED_BATCH, 2, Paths.abort("CONFLICT"), 5);

    private static final Map<String, Integer> BESIDE = Map.of(Paths.COMMIT, 100, Paths.LONG_COMMIT, 40, Paths.PASSED_PUT, 2, Paths.abort("CONFLICT"), 5);

    private static final Map<String, Integer> LED = Map.of(Paths.COMMIT, 100, Paths.abort("CONFLICT"), 10, Paths.INVALIDATION, 5, Paths.JANITOR_PASS, 2);

    private static final Map<String, Integer> PH1 = Map.of(Paths.COMMIT, 100, Paths.abort("CONFLICT"), 10);

    private static final int WRITES = 64;

    private static final Map<String, Supplier<Workload>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("list-append-ll", () -> new Transactions(new Sort(true, 0, 5, WRITES), Transactions::any, REGULAR));
        ALL.put("list-append-fp", () -> new Transactions(new Sort(true, 100, 5, WRITES), Transactions::any, FAST));
        ALL.put("list-append-mixed", () -> new Transactions(new Sort(true, 50, 4, WRITES), Transactions::any, MIXED));
        ALL.put("list-append-one-phase", () -> new Transactions(new Sort(true, 0, Protocol.ONE_PHASE, 5, WRITES), Transactions::oneRow, SHORT));
        ALL.put("list-append-one-region", () -> new Transactions(new Sort(true, 0, Protocol.ONE_PHASE, 12, WRITES), Transactions::oneRegion, ONE_REGION));
        ALL.put("list-append-beside", () -> new Transactions(new Sort(true, 0, Protocol.ONE_PHASE, 5, WRITES), Transactions::pairs, BESIDE));
        ALL.put("list-append-2pc", () -> new Transactions(new Sort(true, 0, Protocol.OMID_2PC, 5, WRITES), Transactions::any, REGULAR));
        ALL.put("list-append-fragola", () -> new Transactions(new Sort(true, 0, Protocol.FRAGOLA, 5, WRITES), Transactions::any, LED));
        ALL.put("list-append-ph1", () -> new Transactions(new Sort(true, 0, Protocol.PH1, 5, WRITES), Transactions::lingering, PH1));
        ALL.put("rw-register-ll", () -> new Transactions(new Sort(false, 0, 5, WRITES), Transactions::any, REGULAR));
        ALL.put("rw-register-fp", () -> new Transactions(new Sort(false, 100, 5, WRITES), Transactions::any, FAST));
        ALL.put("rw-register-mixed", () -> new Transactions(new Sort(false, 50, 4, WRITES), Transactions::any, MIXED));
        ALL.put("rw-register-one-phase", () -> new Transactions(new Sort(false, 0, Protocol.ONE_PHASE, 5, WRITES), Transactions::oneRow, SHORT));
        ALL.put("bank", Bank::new);
        ALL.put("long-fork", LongFork::new);
        ALL.put("write-skew", () -> new Transactions(new Sort(true, 0, 2, WRITES), Transactions::skewed,
                Map.of(Paths.COMMIT, 100, Paths.WRITE_SKEW, 1)));
        ALL.put("fp-single-key", () -> new Transactions(new Sort(false, 80, 4, WRITES), Transactions::modifying,
                Map.of(Paths.FAST_COMMIT, 100, Paths.fastAbort("VERSION_MOVED"), 5, Paths.fastAbort("TENTATIVE_VERSION"), 1)));
        ALL.put("range-scans", () -> new Ranges(false));
        ALL.put("index-build", () -> new Ranges(true));
        ALL.put("timestamps", ManagerTime::new);
        ALL.put("straddle", () -> new Transactions(new Sort(true, 0, 6, WRITES), Transactions::straddling,
                Map.of(Paths.COMMIT, 20, Paths.FAILOVER, 1)));
        ALL.put("batch-reads", () -> new Transactions(new Sort(true, 0, 12, WRITES), Transactions::batched,
                Map.of(Paths.COMMIT, 100, Paths.INVALIDATION, 5)));
        ALL.put("native-and-transactional", () -> new NativeAndTransactional(NativeAndTransactional.SNAPSHOT));
        ALL.put("native-and-transactional-serializable", () -> new NativeAndTransactional(NativeAndTransactional.SERIALIZABLE));
    }

    private Workloads() {
    }

    public static String names() {
        return String.join(", ", ALL.keySet());
    }

    /** Throws IllegalArgumentException for a name that is none. */
    public static Workload named(String name) {
        Supplier<Workload> workload = ALL.get(name);
        if (workload == null) {
            throw new IllegalArgumentException("There is no workload " + name + "; there are " + names() + ".");
        }
        return workload.get();
    }
}
