package org.fencepost.bench.ph1;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.bench.ph1.KeyValues.Tx;

/**
 * The mix of the paper's figure 2 (pH1, section V-A): of 1,000 transactions 450 read a key, 300 scan up to {@value #LONGEST_SCAN}, 125 update one
 * and 125 update ten. Keys are drawn evenly, and are named as YCSB names its records, without the hash, since they are spread evenly anyway.
 */
final class Ycsb implements Workload {

    static final String READ = "read";
    static final String SCAN = "scan";
    static final String UPDATE = "update";
    static final String MULTI_UPDATE = "10 updates";

    private static final String TABLE = "usertable";
    private static final int LONGEST_SCAN = 100;
    private static final int UPDATES = 10;
    private static final int RECORDS_AT_ONCE = 100;

    private record Plain(String kind, Step step) implements Job {
        @Override
        public boolean run(Tx tx) throws IOException, Aborted {
            step.run(tx);
            return true;
        }
    }

    private interface Step {
        void run(Tx tx) throws IOException, Aborted;
    }

    private final int records;
    private final byte[] value;

    Ycsb(int records, int valueBytes) {
        this.records = records;
        this.value = new byte[valueBytes];
        new SplittableRandom(1).nextBytes(value);
    }

    @Override
    public List<String> tables() {
        return List.of(TABLE);
    }

    @Override
    public List<Load> loads() {
        List<Load> loads = new ArrayList<>();
        for (int from = 0; from < records; from += RECORDS_AT_ONCE) {
            int first = from;
            loads.add(tx -> {
                for (int n = first; n < Math.min(records, first + RECORDS_AT_ONCE); n++) {
                    tx.put(TABLE, key(n), value);
                }
            });
        }
        return loads;
    }

    private static byte[] key(int n) {
        return String.format(Locale.ROOT, "user%08d", n).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Job next(SplittableRandom random, long terminal) {
        int kind = random.nextInt(1_000);
        byte[] key = key(random.nextInt(records));
        if (kind < 450) {
            return job(READ, tx -> tx.get(TABLE, key));
        } else if (kind < 750) {
            int length = 1 + random.nextInt(LONGEST_SCAN);
            return job(SCAN, tx -> tx.scan(TABLE, key, length, (found, bytes) -> {}));
        } else if (kind < 875) {
            return job(UPDATE, tx -> tx.put(TABLE, key, value));
        }
        List<byte[]> keys = random.ints(UPDATES, 0, records).mapToObj(Ycsb::key).toList();
        return job(MULTI_UPDATE, tx -> {
            for (byte[] each : keys) {
                tx.put(TABLE, each, value);
            }
        });
    }

    private static Job job(String kind, Step step) {
        return new Plain(kind, step);
    }

    @Override
    public List<String> check(Tx tx) {
        return List.of();
    }
}
