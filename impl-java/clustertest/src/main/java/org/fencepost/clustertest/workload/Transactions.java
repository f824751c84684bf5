package org.fencepost.clustertest.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.fencepost.clustertest.verdict.Op;

/**
 * Transactions of micro-operations over a few keys, each of which gives way to a new one when it was written so often. Every value is
 * written once to a key. In lists, writes append, so that each read shows the order of all writes before it.
 */
final class Transactions implements Workload {

    /**
     * What sort of transactions.
     *
     * @param lists      appends to lists; otherwise writes of registers
     * @param fastShare  how many of 100 are single-key transactions on the fast path
     * @param protocol   of regular transactions
     * @param keys       in use at a time
     * @param writes     of a key, before another takes its place
     */
    record Sort(boolean lists, int fastShare, Protocol protocol, int keys, int writes) {

        /** By Omid LL, with the fast path if single-key transactions take it. */
        Sort(boolean lists, int fastShare, int keys, int writes) {
            this(lists, fastShare, Protocol.OMID_LL, keys, writes);
        }
    }

    /** Those that commit in one phase do so where they can. */
    enum Protocol { OMID_LL, ONE_PHASE, OMID_2PC, FRAGOLA, PH1 }

    /** What regular transactions look like. */
    interface Shape {

        /** @param keys asked for a key that is in use */
        Invocation regular(Transactions workload, SplittableRandom random);
    }

    private static final int LONGEST = 4;
    private static final int FINAL_READS = 16;

    private final Sort sort;
    private final Shape shape;
    private final Map<String, Integer> asks;
    private final List<Long> active = new ArrayList<>();
    private final Map<Long, Long> written = new HashMap<>();
    private long keys;

    Transactions(Sort sort, Shape shape, Map<String, Integer> asks) {
        this.sort = sort;
        this.shape = shape;
        this.asks = asks;
        for (int i = 0; i < sort.keys(); i++) {
            active.add(keys++);
        }
    }

    @Override
    public Invocation next(SplittableRandom random) {
        return random.nextInt(100) < sort.fastShare() ? Invocation.fast(single(random)) : shape.regular(this, random);
    }

    /** One to four reads and writes. */
    static Invocation any(Transactions workload, SplittableRandom random) {
        List<List<Object>> micro = new ArrayList<>();
        for (int i = 1 + random.nextInt(LONGEST); i > 0; i--) {
            long key = workload.key(random);
            micro.add(random.nextBoolean() ? read(key) : workload.write(key));
        }
        return Invocation.regular(micro);
    }

    /** One key is read and written. */
    static Invocation modifying(Transactions workload, SplittableRandom random) {
        long key = workload.key(random);
        return Invocation.regular(List.of(read(key), workload.write(key)));
    }

    /** Three of four stay in one row, which they write. Of those that write registers, half are blind. */
    static Invocation oneRow(Transactions workload, SplittableRandom random) {
        if (random.nextInt(4) == 0) {
            return any(workload, random);
        }
        if (workload.sort.lists() || random.nextBoolean()) {
            return modifying(workload, random);
        }
        Invocation write = Invocation.regular(List.of(workload.write(workload.key(random))));
        return new Invocation(write.f(), write.value(), Map.of(Op.PATH, Op.REGULAR, Op.BEGIN, Op.BLIND));
    }

    /** Two keys, most often of two regions: half of the transactions write both, the others read them. */
    static Invocation pairs(Transactions workload, SplittableRandom random) {
        long key = workload.key(random);
        long other = workload.key(random);
        while (other == key) {
            other = workload.key(random);
        }
        return Invocation.regular(random.nextBoolean() ? List.of(read(key), read(other)) : List.of(workload.write(key), workload.write(other)));
    }

    /** Up to three keys of one region: three of four transactions write all of them and read one first, the others read all. */
    static Invocation oneRegion(Transactions workload, SplittableRandom random) {
        long first = workload.key(random);
        List<Long> keys = workload.active.stream().filter(key -> key % REGIONS == first % REGIONS).limit(3).toList();
        if (random.nextInt(4) == 0) {
            return Invocation.regular(new ArrayList<>(keys.stream().map(Transactions::read).toList()));
        }
        List<List<Object>> micro = new ArrayList<>(List.of(read(first)));
        keys.forEach(key -> micro.add(workload.write(key)));
        return Invocation.regular(micro);
    }

    /** One of ten reads a key, waits for old versions to be evicted, and reads the others. */
    static Invocation lingering(Transactions workload, SplittableRandom random) {
        if (random.nextInt(10) > 0) {
            return any(workload, random);
        }
        Invocation reads = Invocation.regular(new ArrayList<>(workload.active.stream().map(Transactions::read).toList()));
        return new Invocation(reads.f(), reads.value(), Map.of(Op.PATH, Op.REGULAR, Op.LINGER, 500L + random.nextInt(1_500)));
    }

    /** Of the fast path: a read, a write, or both. */
    private List<List<Object>> single(SplittableRandom random) {
        long key = key(random);
        return switch (random.nextInt(4)) {
            case 0 -> List.of(read(key));
            case 1 -> List.of(write(key));
            default -> List.of(read(key), write(key));
        };
    }

    /** Both keys of a pair are read, and one of them is written: snapshot isolation lets two such transactions pass. */
    static Invocation skewed(Transactions workload, SplittableRandom random) {
        int pair = 2 * random.nextInt(workload.active.size() / 2);
        long one = workload.active.get(pair);
        long other = workload.active.get(pair + 1);
        return Invocation.regular(List.of(read(one), read(other), workload.write(random.nextBoolean() ? one : other)));
    }

    /** All keys are read at once, which takes its time, or one is written, which does not. */
    static Invocation batched(Transactions workload, SplittableRandom random) {
        if (random.nextInt(3) > 0) {
            return Invocation.regular(List.of(workload.write(workload.key(random))));
        }
        return Invocation.regular(new ArrayList<>(workload.active.stream().map(Transactions::read).toList()));
    }

    /** Half of them wait a while before they commit, and write what the others write meanwhile. */
    static Invocation straddling(Transactions workload, SplittableRandom random) {
        long key = workload.key(random);
        Invocation plain = Invocation.regular(List.of(read(key), workload.write(key)));
        return random.nextBoolean() ? plain
                : new Invocation(plain.f(), plain.value(), Map.of(Op.PATH, Op.REGULAR, Op.THINK, 500L + random.nextInt(4_000)));
    }

    long key(SplittableRandom random) {
        return active.get(random.nextInt(active.size()));
    }

    static List<Object> read(long key) {
        List<Object> micro = new ArrayList<>(List.of("r", key));
        micro.add(null);
        return micro;
    }

    List<Object> write(long key) {
        long value = written.merge(key, 1L, Long::sum);
        if (value == sort.writes()) {
            active.replaceAll(each -> each == key ? keys++ : each);
        }
        return List.of(sort.lists() ? "append" : "w", key, value);
    }

    @Override
    public List<Invocation> last() {
        List<Invocation> reads = new ArrayList<>();
        for (long from = 0; from < keys; from += FINAL_READS) {
            List<List<Object>> micro = new ArrayList<>();
            for (long key = from; key < Math.min(keys, from + FINAL_READS); key++) {
                micro.add(read(key));
            }
            reads.add(Invocation.regular(micro));
        }
        return reads;
    }

    @Override
    public Elle elle() {
        return new Elle(sort.lists(), isPH1() ? "strong-session-snapshot-isolation"
                : sort.fastShare() == 0 ? "strong-snapshot-isolation" : "snapshot-isolation");
    }

    @Override
    public boolean fastPath() {
        return sort.fastShare() > 0 || onePhase();
    }

    @Override
    public boolean onePhase() {
        return sort.protocol() == Protocol.ONE_PHASE;
    }

    @Override
    public boolean twoPhase() {
        return sort.protocol() == Protocol.OMID_2PC;
    }

    @Override
    public boolean leaders() {
        return sort.protocol() == Protocol.FRAGOLA;
    }

    @Override
    public boolean isPH1() {
        return sort.protocol() == Protocol.PH1;
    }

    /** How often two transactions that both committed overwrote what the other one had read. */
    @Override
    public Map<String, Long> counts(List<Op> history) {
        Map<List<Object>, Op> overwriters = new HashMap<>();
        List<Op> done = history.stream().filter(op -> op.type() == Op.Type.ok && op.isClient()).toList();
        for (Op op : done) {
            List<Object> written = keys(op, "w");
            op.tagged().stream().filter(m -> m.get(0).equals("r") && written.contains(m.get(1))).forEach(m -> overwriters.put(m.subList(1, 3), op));
        }
        long skews = 0;
        for (Op op : done) {
            for (Op next : overwritersOf(op, overwriters)) {
                skews += next.index() > op.index() && overwritersOf(next, overwriters).contains(op) ? 1 : 0;
            }
        }
        return Map.of(Paths.WRITE_SKEW, skews);
    }

    /** Of what it has read and not written itself. */
    private static List<Op> overwritersOf(Op op, Map<List<Object>, Op> overwriters) {
        List<Object> own = keys(op, "w");
        return op.tagged().stream().filter(m -> m.get(0).equals("r") && !own.contains(m.get(1))).map(m -> overwriters.get(m.subList(1, 3)))
                .filter(Objects::nonNull).toList();
    }

    private static List<Object> keys(Op op, String kind) {
        return op.tagged().stream().filter(m -> m.get(0).equals(kind)).map(m -> m.get(1)).toList();
    }

    @Override
    public Map<String, Integer> asks() {
        return asks;
    }
}
