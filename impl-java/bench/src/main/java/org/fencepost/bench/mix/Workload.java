package org.fencepost.bench.mix;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.fencepost.bench.mix.Job.Access;
import site.ycsb.Utils;
import site.ycsb.generator.DiscreteGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.ZipfianGenerator;

/**
 * The mixes of transactions. Those with one letter are YCSB's core workloads of that name, each operation a transaction of
 * its own; the others are those of VLDB'18 sec. 5.1.3. All numbers are drawn by YCSB's own generators. Each row is one
 * column.
 */
enum Workload {

    /** Half reads, half updates. */
    A(0.5, 0.5, 0),
    /** Mostly reads. */
    B(0.95, 0.05, 0),
    /** Reads only. */
    C(1, 0, 0),
    /** Half reads, half read-modify-writes. */
    F(0.5, 0, 0.5),
    /** Sizes up to 10 by Zipf's law, half of the accesses writes. */
    RANDOM(0, 0, 0),
    /** The same, but every fifth transaction reads and writes one key. */
    BRWC(0, 0, 0.2),
    /**
     * The random mix among as many keys as the paper's cluster stores, of which only the most frequent are loaded here: for aborts, which
     * depend on the number of keys.
     */
    SPARSE(0, 0, 0),
    /** Single updates only: what a write costs all processes. */
    WRITES(0, 1, 0);

    private static final long PAPER_KEYS = 23_000_000;

    private static final double SIZE_THETA = 0.99;
    private static final double KEY_THETA = 0.8;
    private static final int LARGEST = 10;
    private static final String MIX = "mix";

    private final double reads;
    private final double updates;
    private final double readModifyWrites;

    Workload(double reads, double updates, double readModifyWrites) {
        this.reads = reads;
        this.updates = updates;
        this.readModifyWrites = readModifyWrites;
    }

    boolean isYcsb() {
        return reads > 0;
    }

    /** The transactions of one thread, one after the other. */
    Supplier<Job> jobs(int keys) {
        DiscreteGenerator kinds = new DiscreteGenerator();
        add(kinds, reads, Job.READ);
        add(kinds, updates, Job.WRITE);
        add(kinds, readModifyWrites, Job.READ_WRITE);
        add(kinds, 1 - reads - updates - readModifyWrites, MIX);
        NumberGenerator numbers = isYcsb() ? new ScrambledZipfianGenerator(0, keys - 1) : this == SPARSE ? paperKeys()
                : new ZipfianGenerator(0, keys - 1, KEY_THETA);
        NumberGenerator sizes = new ZipfianGenerator(1, LARGEST, SIZE_THETA);
        return () -> {
            String kind = kinds.nextValue();
            return switch (kind) {
                case Job.READ -> Job.of(kind, new Access(row(numbers), false));
                case Job.WRITE -> Job.of(kind, new Access(row(numbers), true));
                case Job.READ_WRITE -> {
                    byte[] row = row(numbers);
                    yield Job.of(kind, new Access(row, false), new Access(row, true));
                }
                default -> mixed(sizes.nextValue().intValue(), numbers);
            };
        };
    }

    private static NumberGenerator paperKeys() {
        return new ZipfianGenerator(0, PAPER_KEYS - 1, KEY_THETA, PaperKeys.ZETA);
    }

    /** Of so many keys, which takes a second; by those alone who need it. */
    private static final class PaperKeys {
        private static final double ZETA = LongStream.rangeClosed(1, PAPER_KEYS).mapToDouble(i -> 1 / Math.pow(i, KEY_THETA)).sum();
    }

    private static void add(DiscreteGenerator kinds, double weight, String kind) {
        if (weight > 1e-9) {
            kinds.addValue(weight, kind);
        }
    }

    private static Job mixed(int size, NumberGenerator numbers) {
        List<Access> accesses = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            accesses.add(new Access(row(numbers), ThreadLocalRandom.current().nextBoolean()));
        }
        return new Job(size > 1 ? Job.operations(size) : accesses.get(0).write() ? Job.WRITE : Job.READ, accesses);
    }

    private static byte[] row(NumberGenerator numbers) {
        return row(numbers.nextValue().longValue());
    }

    /** As YCSB names its records: hashed, so that frequent ones are spread. */
    static byte[] row(long number) {
        return ("user" + Utils.hash(number)).getBytes(StandardCharsets.US_ASCII);
    }
}
