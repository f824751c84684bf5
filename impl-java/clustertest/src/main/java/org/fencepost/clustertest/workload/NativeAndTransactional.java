package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.clustertest.verdict.Judge;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Transactions.Sort;

/**
 * Blind native puts and gets by HBase's own client, beside Mediator's transactions of one to four reads and writes, on the same registers. Of a hundred
 * transactions some lose their client in the middle of the commit, or their client is slow there: see {@link MortalLog}.
 *
 * <p>Definition 2 of the paper makes the history snapshot isolated, with each native operation as a transaction of its own, and definition 1 makes it serializable;
 * neither promises more of the order between processes than that, so adya is not asked for more.
 */
public final class NativeAndTransactional implements Workload {

    static final String SNAPSHOT = "snapshot";
    public static final String SERIALIZABLE = "serializable";

    private static final Sort REGISTERS = new Sort(false, 0, 10, 64);
    /** Of as many transactions, one has each of the fates. */
    private static final int FATES = 150;
    private static final List<String> EACH_FATE = List.of(MortalLog.UNLOGGED, MortalLog.LOGGED, MortalLog.LATE);
    private static final Map<String, Integer> ASKS = Map.of(Paths.NATIVE_PUT, 100, Paths.NATIVE_GET, 100, Paths.COMMIT, 100, Paths.PUT_TRANSACTION, 20,
            Paths.abort("CONFLICT"), 5, Paths.abort("NATIVE_CONFLICT"), 5, Paths.abort("SETTLED"), 1, Paths.HELPER_COMMIT, 1);

    private final String isolation;
    private final Transactions transactions = new Transactions(REGISTERS, Transactions::any, ASKS);

    /** @param isolation of the transactions */
    public NativeAndTransactional(String isolation) {
        this.isolation = isolation;
    }

    @Override
    public Invocation next(SplittableRandom random) {
        if (random.nextBoolean()) {
            long key = transactions.key(random);
            return Invocation.of(Op.NATIVE, List.of(random.nextBoolean() ? Transactions.read(key) : transactions.write(key)));
        }
        Map<String, Object> more = new HashMap<>(Map.of(Op.PATH, Op.MEDIATOR));
        int fate = random.nextInt(FATES);
        if (fate < EACH_FATE.size()) {
            more.put(Op.FATE, EACH_FATE.get(fate));
        }
        Invocation any = Transactions.any(transactions, random);
        return new Invocation(any.f(), any.value(), more);
    }

    /** Of all keys, in transactions and natively. */
    @Override
    public List<Invocation> last() {
        List<Invocation> reads = new ArrayList<>();
        for (Invocation read : transactions.last()) {
            reads.add(new Invocation(read.f(), read.value(), Map.of(Op.PATH, Op.MEDIATOR)));
            ((List<?>) read.value()).forEach(micro -> reads.add(Invocation.of(Op.NATIVE, List.of(Transactions.read((Long) ((List<?>) micro).get(1))))));
        }
        return reads;
    }

    @Override
    public Elle elle() {
        return new Elle(false, isolation.equals(SNAPSHOT) ? "snapshot-isolation" : "serializable");
    }

    @Override
    public String isolation() {
        return isolation;
    }

    @Override
    public Map<String, List<String>> judged() {
        return Map.of("Mediator", isolation.equals(SNAPSHOT)
                ? List.of("SnapshotLegal", "DisjointWrites", "SnapshotItemOrder", "SnapshotRealTime", "NoDirtyRead", "NoTies")
                : List.of("SerialLegal", "SerialItemOrder", "SerialTransactionOrder", "NoDirtyRead", "NoTies"));
    }

    /** What clients have left behind in the log, and others have written back. */
    @Override
    public Map<String, Long> counts(List<Op> history) {
        return Map.of(Paths.HELPER_COMMIT, Judge.Pair.of(history).stream()
                .filter(pair -> MortalLog.LOGGED.equals(pair.invoked().more().get(Op.FATE)) && pair.completed().type() == Op.Type.info)
                .filter(pair -> pair.completed().more().get(Op.STORED) instanceof List<?> stored && stored.stream().anyMatch(ts -> !ts.equals(0L))).count());
    }

    @Override
    public Map<String, Integer> asks() {
        return ASKS;
    }
}
