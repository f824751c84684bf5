package org.fencepost.bench.fastpath;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.bench.fastpath.Operation.Body;
import org.fencepost.bench.fastpath.Operation.Kind;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;

/**
 * The operations, each on keys drawn evenly from all, which are one column in rows of their own. A native read-write is a
 * get and a put, with nothing that makes them atomic. A transaction of several operations takes turns: read, write, read,
 * beginning with a write (VLDB'18 sec. 5.1.3: half of all accesses are writes).
 */
final class FpOperations {

    private static final byte[] COLUMN = {'c'};
    private static final int ROWS_AT_ONCE = 500;
    /** Spreads the keys. */
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private final FpCluster cluster;
    private final int keys;
    private final byte[] value;

    FpOperations(FpCluster cluster, int keys, int valueBytes) {
        this.cluster = cluster;
        this.keys = keys;
        this.value = new byte[valueBytes];
        new SplittableRandom(1).nextBytes(value);
    }

    /** Those that are compared stand side by side. */
    List<Operation> all() {
        TransactionClient client = cluster.client();
        TransactionalTable regular = client.table(FpCluster.REGULAR);
        TransactionalTable alone = client.table(FpCluster.LONG);
        TransactionalTable beside = client.table(FpCluster.LONG_FAST);
        TransactionalTable onePhase = client.table(FpCluster.ONE_PHASE);
        FastTable fast = client.fastTable(FpCluster.FAST);
        return List.of(
                onHBase(Kind.WRITE, (table, random) -> table.put(put(random))),
                new Operation(Kind.WRITE, Operation.FP, () -> random -> fast.write(put(random))),
                regular(Kind.WRITE, (tx, random) -> regular.put(tx, put(random))),
                new Operation(Kind.WRITE, Operation.ONE_PHASE, transaction(client::begin, (tx, random) -> onePhase.put(tx, put(random)))),
                new Operation(Kind.WRITE, Operation.BLIND, transaction(client::beginBlind, (tx, random) -> onePhase.put(tx, put(random)))),
                onHBase(Kind.READ, (table, random) -> table.get(get(random))),
                new Operation(Kind.READ, Operation.FP, () -> random -> fast.read(get(random))),
                regular(Kind.READ, (tx, random) -> regular.get(tx, get(random))),
                onHBase(Kind.READ_WRITE, (table, random) -> {
                    byte[] row = row(random);
                    table.get(get(row));
                    table.put(put(row));
                }),
                new Operation(Kind.READ_WRITE, Operation.FP, () -> random -> {
                    byte[] row = row(random);
                    fast.readModifyWrite(get(row), read -> put(row));
                }),
                regular(Kind.READ_WRITE, (tx, random) -> {
                    byte[] row = row(random);
                    regular.get(tx, get(row));
                    regular.put(tx, put(row));
                }),
                several(Kind.FIVE, Operation.LL, alone, 5), several(Kind.FIVE, Operation.LL_BESIDE_FP, beside, 5),
                several(Kind.TEN, Operation.LL, alone, 10), several(Kind.TEN, Operation.LL_BESIDE_FP, beside, 10));
    }

    private interface OnTable {
        void run(Table table, SplittableRandom random) throws IOException;
    }

    private Operation onHBase(Kind kind, OnTable body) {
        return new Operation(kind, Operation.NATIVE, () -> random -> {
            try (Table table = cluster.connection().getTable(FpCluster.NATIVE)) {
                body.run(table, random);
            }
        });
    }

    private interface InTransaction {
        void run(Transaction tx, SplittableRandom random);
    }

    private Operation regular(Kind kind, InTransaction body) {
        return new Operation(kind, Operation.LL, transaction(cluster.client()::begin, body));
    }

    private Operation several(Kind kind, String system, TransactionalTable table, int operations) {
        return new Operation(kind, system, transaction(cluster.client()::begin, (tx, random) -> {
            for (int i = 0; i < operations; i++) {
                if (i % 2 == 0) {
                    table.put(tx, put(random));
                } else {
                    table.get(tx, get(random));
                }
            }
        }));
    }

    private static Supplier<Body> transaction(Supplier<Transaction> begin, InTransaction body) {
        return () -> random -> {
            try (Transaction tx = begin.get()) {
                body.run(tx, random);
                tx.commit();
            }
        };
    }

    // ---- keys

    private byte[] row(SplittableRandom random) {
        return row(random.nextInt(keys));
    }

    private static byte[] row(int key) {
        return Bytes.toBytes(key * ODD);
    }

    private static Get get(byte[] row) {
        return new Get(row).addColumn(FpCluster.FAMILY, COLUMN);
    }

    private Get get(SplittableRandom random) {
        return get(row(random));
    }

    private Put put(byte[] row) {
        return new Put(row).addColumn(FpCluster.FAMILY, COLUMN, value);
    }

    private Put put(SplittableRandom random) {
        return put(row(random));
    }

    // ---- before

    /** Gives every key a value, in every table, by the operations that the table is for. */
    void load() throws IOException {
        for (int from = 0; from < keys; from += ROWS_AT_ONCE) {
            List<Put> puts = new ArrayList<>();
            for (int key = from; key < Math.min(keys, from + ROWS_AT_ONCE); key++) {
                puts.add(put(row(key)));
            }
            try (Table table = cluster.connection().getTable(FpCluster.NATIVE)) {
                table.put(puts);
            }
            FastTable fast = cluster.client().fastTable(FpCluster.FAST);
            puts.forEach(put -> fast.write(put));
            for (TableName name : List.of(FpCluster.REGULAR, FpCluster.ONE_PHASE, FpCluster.LONG_FAST, FpCluster.LONG)) {
                TransactionalTable table = cluster.client().table(name);
                try (Transaction tx = cluster.client().begin()) {
                    table.put(tx, puts);
                    tx.commit();
                }
            }
        }
    }
}
