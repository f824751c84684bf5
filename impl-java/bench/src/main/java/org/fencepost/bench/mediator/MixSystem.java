package org.fencepost.bench.mediator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.bench.harness.Cluster;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;

/**
 * Who serves a mix. Keys are one column in rows of their own, drawn evenly. A transaction's operations follow each other, as
 * those of an application do that looks at what it reads.
 */
final class MixSystem {

    private static final byte[] COLUMN = {'c'};
    private static final int ROWS_AT_ONCE = 500;
    /** Spreads the keys. */
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private final String name;
    private final Connection connection;
    private final TableName nativeTable;
    private final TransactionalTable table;
    private final Supplier<Transaction> begin;
    private final int keys;
    private final byte[] value;

    private MixSystem(String name, Connection connection, TableName nativeTable, TransactionalTable table, Supplier<Transaction> begin, int keys, int valueBytes) {
        this.name = name;
        this.connection = connection;
        this.nativeTable = nativeTable;
        this.table = table;
        this.begin = begin;
        this.keys = keys;
        this.value = new byte[valueBytes];
        new SplittableRandom(1).nextBytes(value);
    }

    static List<MixSystem> all(MixCluster cluster, int keys, int valueBytes) {
        return List.of(new MixSystem(MixSlice.BARE, cluster.connection(), MixCluster.BARE, null, null, keys, valueBytes),
                new MixSystem(MixSlice.MEDIATOR, cluster.connection(), MixCluster.MEDIATED, cluster.mediator().table(MixCluster.MEDIATED),
                        cluster.mediator()::begin, keys, valueBytes),
                new MixSystem(MixSlice.LL, cluster.connection(), null, cluster.client().table(MixCluster.TRANSACTIONAL), cluster.client()::begin,
                        keys, valueBytes));
    }

    String name() {
        return name;
    }

    boolean hasTransactions() {
        return table != null;
    }

    /** A native operation, where the system has them; else a transaction of it. */
    void operation(boolean read, SplittableRandom random) throws IOException {
        if (nativeTable == null) {
            transaction(1, () -> read, random);
            return;
        }
        try (Table raw = connection.getTable(nativeTable)) {
            if (read) {
                raw.get(get(random));
            } else {
                raw.put(put(random));
            }
        }
    }

    /** Throws TransactionAbortedException if it aborts. */
    void transaction(int operations, BooleanSupplier read, SplittableRandom random) {
        try (Transaction tx = begin.get()) {
            for (int i = 0; i < operations; i++) {
                if (read.getAsBoolean()) {
                    table.get(tx, get(random));
                } else {
                    table.put(tx, put(random));
                }
            }
            tx.commit();
        }
    }

    private static byte[] row(int key) {
        return Bytes.toBytes(key * ODD);
    }

    private Get get(SplittableRandom random) {
        return new Get(row(random.nextInt(keys))).addColumn(Cluster.FAMILY, COLUMN);
    }

    private Put put(SplittableRandom random) {
        return put(random.nextInt(keys));
    }

    private Put put(int key) {
        return new Put(row(key)).addColumn(Cluster.FAMILY, COLUMN, value);
    }

    /** Gives every key a value. */
    void load() throws IOException {
        for (int from = 0; from < keys; from += ROWS_AT_ONCE) {
            List<Put> puts = new ArrayList<>();
            for (int key = from; key < Math.min(keys, from + ROWS_AT_ONCE); key++) {
                puts.add(put(key));
            }
            if (nativeTable != null) {
                try (Table raw = connection.getTable(nativeTable)) {
                    raw.put(puts);
                }
            } else {
                try (Transaction tx = begin.get()) {
                    table.put(tx, puts);
                    tx.commit();
                }
            }
        }
    }
}
