package org.fencepost.bench.index;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.fencepost.bench.harness.Rounds;
import org.fencepost.bench.harness.Slices;
import org.fencepost.bench.index.IndexSlice.Kind;
import org.fencepost.hbase.admin.IndexBuilder;
import org.fencepost.hbase.admin.IndexBuilder.Pace;
import org.fencepost.hbase.client.Index;
import org.fencepost.hbase.client.IndexedTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;

/**
 * The order of the measurements: within a pair what is compared takes turns, in the opposite order in every second one. A build is measured twice, while
 * nobody writes, beside a copy of the table, and while writers do, beside the time before it.
 */
final class IndexRunner {

    private static final int COPIED_AT_ONCE = 1_000;

    private final BenchIndex options;
    private final IndexCluster cluster;
    private final Slices slices;
    private final byte[] value;
    /** That writers keep. */
    private volatile IndexedTable kept;
    /** Writers that a fence aborted, also before their slice counts: a build begins with the fence. */
    private final AtomicLong fenced = new AtomicLong();

    IndexRunner(BenchIndex options, IndexCluster cluster) {
        this.options = options;
        this.cluster = cluster;
        this.slices = new Slices(options, cluster);
        this.value = new byte[options.valueBytes];
    }

    List<IndexSlice> run() throws IOException {
        System.out.println("Warming up.");
        long end = System.nanoTime() + (long) (options.warmUpSeconds * 1e9);
        do {
            pair(0);
        } while (System.nanoTime() - end < 0);
        List<IndexSlice> all = new ArrayList<>();
        for (int pair = 1; pair <= options.pairs; pair++) {
            List<IndexSlice> shown = pair(pair);
            shown.forEach(slice -> System.out.println(line(slice)));
            all.addAll(shown);
        }
        return all;
    }

    private static String line(IndexSlice s) {
        return String.format(Locale.ROOT, "  %2d %-22s %-10s %,10.0f/s, p50 %,7.0f us, p99 %,8.0f us, %d aborts", s.pair(), s.kind().text(), s.system(), s.perSecond(), s.p50(),
                s.p99(), s.aborts());
    }

    private interface Turn {
        IndexSlice take() throws IOException;
    }

    private List<IndexSlice> pair(int pair) throws IOException {
        List<List<Turn>> compared = List.of(
                List.of(() -> copy(pair), () -> populate(pair)),
                List.of(() -> scan(Kind.EXCLUDE_CURRENT, IndexSlice.PLAIN, pair, () -> scanning(false)),
                        () -> scan(Kind.EXCLUDE_CURRENT, IndexSlice.EXCLUDING, pair, () -> scanning(true))),
                List.of(() -> scan(Kind.VERSIONS, IndexSlice.CLIENT, pair, () -> reading(cluster.deciding())),
                        () -> scan(Kind.VERSIONS, IndexSlice.SERVER, pair, () -> reading(cluster.client()))));
        List<IndexSlice> all = new ArrayList<>(writers(pair));
        for (List<Turn> turns : compared) {
            for (Turn turn : Rounds.inTurn(pair, turns)) {
                all.add(turn.take());
            }
        }
        return all;
    }

    // ---- writers

    /** Before the build and during it, on the same index: it may be kept from the beginning. */
    private List<IndexSlice> writers(int pair) throws IOException {
        Index index = cluster.newIndex();
        kept = cluster.client().indexed(index);
        IndexSlice before = write(IndexSlice.BEFORE, pair);
        long[] rows = {0};
        CompletableFuture<Long> build = CompletableFuture.supplyAsync(() -> IndexBuilder.build(cluster.client(), index, null, progress -> rows[0] = progress.rows()));
        IndexSlice during = write(IndexSlice.DURING, pair);
        if (build.isDone()) {
            throw new IllegalStateException("The build of " + options.keys + " rows had ended before writers were measured: give more --keys, or fewer --seconds.");
        }
        build.join();
        if (rows[0] < options.keys) {
            throw new IllegalStateException("Of " + options.keys + " rows " + rows[0] + " were populated.");
        }
        cluster.drop(index.name());
        return List.of(before, during);
    }

    private IndexSlice write(String system, int pair) {
        AtomicInteger threads = new AtomicInteger();
        fenced.set(0);
        Slices.Shown shown = slices.measure(system + " a build", options.threads, () -> writing(threads.getAndIncrement()), options.seconds);
        return slice(Kind.WRITERS, system, pair, shown, fenced.get());
    }

    /** Each thread has rows of its own, so that only a fence aborts. */
    private Slices.Body writing(int thread) {
        return (random, latency) -> {
            int row = random.nextInt(options.keys / options.threads) * options.threads + thread;
            byte[] written = value.clone();
            written[0] = (byte) random.nextInt(16);
            long begin = System.nanoTime();
            try (Transaction tx = cluster.client().begin()) {
                kept.put(tx, IndexCluster.row(row), written);
                tx.commit();
            } catch (TransactionAbortedException e) {
                fenced.addAndGet(e.abortCause() == AbortCause.FENCED ? 1 : 0);
                throw e;
            }
            latency.accept(System.nanoTime() - begin);
            return 1;
        };
    }

    // ---- rows

    private IndexSlice populate(int pair) throws IOException {
        Index index = cluster.newIndex();
        long begin = System.nanoTime();
        IndexBuilder.build(cluster.client(), index, null, Pace.FULL, progress -> {});
        IndexSlice slice = rows(IndexSlice.BUILD, pair, System.nanoTime() - begin);
        cluster.drop(index.name());
        return slice;
    }

    /** As a build at full pace does: a batch is read, then it is put. */
    private IndexSlice copy(int pair) throws IOException {
        TableName name = cluster.newCopy();
        long begin = System.nanoTime();
        try (Table from = cluster.connection().getTable(IndexCluster.INDEXED);
                Table to = cluster.connection().getTable(name);
                ResultScanner scanner = from.getScanner(new Scan().addColumn(IndexCluster.FAMILY, IndexCluster.COLUMN).setCacheBlocks(false))) {
            for (Result[] batch = scanner.next(COPIED_AT_ONCE); batch.length > 0; batch = scanner.next(COPIED_AT_ONCE)) {
                List<Put> puts = new ArrayList<>();
                for (Result row : batch) {
                    Cell cell = row.rawCells()[0];
                    puts.add(new Put(row.getRow()).addColumn(IndexCluster.FAMILY, IndexCluster.COLUMN, CellUtil.cloneValue(cell)));
                }
                to.put(puts);
            }
        }
        IndexSlice slice = rows(IndexSlice.COPY, pair, System.nanoTime() - begin);
        cluster.drop(name);
        return slice;
    }

    private IndexSlice rows(String system, int pair, long nanos) {
        return new IndexSlice(Kind.POPULATE, system, pair, options.keys * 1e9 / nanos, Double.NaN, Double.NaN, 0);
    }

    // ---- scans

    private IndexSlice scan(Kind kind, String system, int pair, Supplier<Slices.Body> bodies) {
        return slice(kind, system, pair, slices.measure(system + " " + kind.text(), 1, bodies, options.seconds), 0);
    }

    /** Of a table of whose rows the transaction has written a tenth: buffered, or left to the store by a checkpoint. */
    private Slices.Body scanning(boolean excluding) {
        TransactionalTable table = cluster.client().table(IndexCluster.LEVELS);
        return (random, latency) -> {
            try (Transaction tx = cluster.client().begin()) {
                if (excluding) {
                    tx.checkpoint();
                }
                for (int row = 0; row < IndexCluster.SCANNED; row += 10) {
                    table.put(tx, IndexCluster.put(row, value));
                }
                return timed(table, tx, latency);
            }
        };
    }

    private static Slices.Body reading(TransactionClient client) {
        TransactionalTable table = client.table(IndexCluster.VERSIONS);
        return (random, latency) -> {
            try (Transaction tx = client.begin()) {
                return timed(table, tx, latency);
            }
        };
    }

    private static int timed(TransactionalTable table, Transaction tx, LongConsumer latency) {
        long begin = System.nanoTime();
        int rows = 0;
        try (ResultScanner scanner = table.getScanner(tx, new Scan().setCaching(IndexCluster.SCANNED))) {
            for (Result row : scanner) {
                rows += row.isEmpty() ? 0 : 1;
            }
        }
        latency.accept(System.nanoTime() - begin);
        if (rows != IndexCluster.SCANNED) {
            throw new IllegalStateException("A scan found " + rows + " rows of " + IndexCluster.SCANNED + ".");
        }
        return 1;
    }

    private static IndexSlice slice(Kind kind, String system, int pair, Slices.Shown shown, long aborts) {
        return new IndexSlice(kind, system, pair, shown.perSecond(), shown.percentile(50), shown.percentile(99), aborts);
    }
}
