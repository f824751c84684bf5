package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.Binding;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.CommitTableRequest;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.store.CommitTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit table as a sharded HBase table (VLDB'18 section 3.1), guarded by {@code CommitTableGuard}.
 *
 * <p>HBase's client repeats requests whose answer was lost, without telling. For a commit entry that would blur the
 * one answer that must be exact: COLLECTED means "not committed" only if no earlier copy of the request can have been
 * carried out. So commit entries go through a connection that never repeats: see {@link Once}.
 *
 * <p>Removing an entry leaves a delete marker that hides later entries of the same transaction until the next major
 * compaction. These do not matter: an entry is removed only when the outcome stands in the data itself, or when the
 * watermark has passed it.
 */
public final class HBaseCommitTable implements CommitTable {

    private static final Logger LOG = LoggerFactory.getLogger(HBaseCommitTable.class);
    private static final int SCAN_CACHING = 1000;
    /** For requests to several region servers at once. HBase would make a pool for each call if it were given none. */
    private static final ExecutorService BATCHES = new CallersThreads(Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "fencepost-commit-table");
        thread.setDaemon(true);
        return thread;
    }));

    private final TableName name;
    private final CommitRows rows;
    private final Connection repeating;
    private final Connection once;
    private final int timeoutMillis;

    /**
     * @param repeating     an ordinary connection
     * @param once          a connection that sends every request once: see {@link Once}. Both stay the caller's to close
     * @param timeoutMillis for each operation
     * @throws InvalidTableException if there is no such commit table
     */
    public HBaseCommitTable(Connection repeating, Connection once, TableName name, int timeoutMillis) throws IOException {
        this.name = name;
        this.repeating = repeating;
        this.once = once;
        this.timeoutMillis = timeoutMillis;
        this.rows = TableAttributes.requireCommitTable(Descriptions.read(repeating, name, CommitRows.FAMILY));
    }

    private Table table(Connection connection) {
        return connection.getTableBuilder(name, BATCHES).setOperationTimeout(timeoutMillis).setRpcTimeout(timeoutMillis)
                .setReadRpcTimeout(timeoutMillis).setWriteRpcTimeout(timeoutMillis).build();
    }

    @Override
    public long get(long startTs) {
        try (Table table = table(repeating)) {
            return value(table.get(getRow(rows.entryRow(startTs))));
        } catch (IOException e) {
            throw Failures.store("read a commit entry", name, e);
        }
    }

    @Override
    public long checkAndMutate(long startTs, long entry) {
        byte[] row = rows.entryRow(startTs);
        try {
            return entry == Timestamps.INVALIDATED ? invalidate(row)
                    : Once.send(timeoutMillis, () -> send(once, CommitTableRequest.request(row, entry)));
        } catch (IOException e) {
            throw Failures.store("write a commit entry", name, e);
        }
    }

    private long invalidate(byte[] row) throws IOException {
        try (Table table = table(repeating)) {
            return CommitTableRequest.answer(table.get(CommitTableRequest.invalidation(row)), name.getNameAsString());
        }
    }

    private long send(Connection connection, CheckAndMutate request) throws IOException {
        try (Table table = table(connection)) {
            return CommitTableRequest.answer(table.checkAndMutate(request).getResult(), name.getNameAsString());
        }
    }

    @Override
    public void remove(long startTs) {
        remove(List.of(startTs));
    }

    @Override
    public void remove(Collection<Long> startTs) {
        try (Table table = table(repeating)) {
            HBaseStore.send(table, startTs.stream().map(this::removal).toList());
        } catch (IOException e) {
            throw Failures.store("remove commit entries", name, e);
        }
    }

    /**
     * Nobody waits for the sync of the log. If the server dies before it, the entry is there again, as if the removal had not come yet: it says
     * what it said, and the collector removes it. What is written to the region later comes later in its log, too.
     */
    private Delete removal(long startTs) {
        return new Delete(rows.entryRow(startTs)).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, startTs).setDurability(Durability.ASYNC_WAL);
    }

    @Override
    public void raiseWatermark(long watermark) {
        sendToShards("raise the watermark", watermark);
    }

    /** Puts watermarks back that are above the transaction manager's next timestamp. Returns the highest that there was. */
    public long resetWatermark() {
        return sendToShards("reset the watermark", CommitTableRequest.RESET);
    }

    /** Binds it to the transaction manager that the region servers have now. Returns the highest floor that there was. */
    public long bindAnew() {
        return sendToShards("bind", CommitTableRequest.BIND);
    }

    private long sendToShards(String what, long request) {
        long highest = 0;
        try {
            for (int shard = 0; shard < rows.shards(); shard++) {
                highest = Math.max(highest, send(repeating, CommitTableRequest.request(CommitRows.watermarkRow(shard), request)));
            }
            return highest;
        } catch (IOException e) {
            throw Failures.store(what, name, e);
        }
    }

    /** Of all shards that are bound, or can be bound now. Throws InvalidTableException if one is damaged. */
    List<Binding> bindings() {
        return bindings(CommitTableRequest::binding);
    }

    /** Of the shards that are bound already: nobody asks the transaction manager. */
    List<Binding> storedBindings() {
        return bindings(CommitTableRequest::storedBinding);
    }

    private List<Binding> bindings(Function<byte[], Get> request) {
        List<Get> gets = IntStream.range(0, rows.shards()).mapToObj(CommitRows::watermarkRow).map(request).toList();
        try (Table table = table(repeating)) {
            return Stream.of(table.get(gets)).map(shard -> Binding.of(name, shard)).filter(Binding::isBound).toList();
        } catch (IOException e) {
            throw Failures.store("read the binding", name, e);
        }
    }

    /** Throws InvalidTableException unless the table's entries are this manager's. */
    public void requireManager(ManagerInfo manager) {
        bindings().forEach(binding -> binding.require(name, manager));
    }

    /**
     * Looks for the servers of all shards, by the connection that commits go through. Without that the first commit would do so between its commit timestamp and
     * its entry, when readers may abort it.
     */
    public void reachShards() {
        try (Table table = table(once)) {
            table.get(IntStream.range(0, rows.shards()).mapToObj(CommitRows::watermarkRow).map(HBaseCommitTable::getRow).toList());
        } catch (IOException e) {
            // The first commit does it then.
        }
    }

    @Override
    public long watermark() {
        List<Get> gets = new ArrayList<>();
        for (int shard = 0; shard < rows.shards(); shard++) {
            gets.add(getRow(CommitRows.watermarkRow(shard)));
        }
        try (Table table = table(repeating)) {
            long lowest = Long.MAX_VALUE;
            for (Result shard : table.get(gets)) {
                lowest = Math.min(lowest, value(shard));
            }
            return lowest;
        } catch (IOException e) {
            throw Failures.store("read the watermark", name, e);
        }
    }

    @Override
    public long[] get(long[] startTs) {
        List<Get> gets = LongStream.of(startTs).mapToObj(ts -> getRow(rows.entryRow(ts))).toList();
        try (Table table = table(repeating)) {
            Result[] results = table.get(gets);
            long[] entries = new long[results.length];
            for (int i = 0; i < entries.length; i++) {
                entries[i] = value(results[i]);
            }
            return entries;
        } catch (IOException e) {
            throw Failures.store("read commit entries", name, e);
        }
    }

    @Override
    public PrimitiveIterator.OfLong entriesBelow(long watermark) {
        return IntStream.range(0, rows.shards()).boxed()
                .flatMapToLong(shard -> entriesOfShard(shard, watermark)).iterator();
    }

    private LongStream entriesOfShard(int shard, long watermark) {
        Scan scan = new Scan().withStartRow(CommitRows.row(shard, 1)).withStopRow(CommitRows.row(shard, watermark))
                .addColumn(CommitRows.FAMILY, CommitRows.COLUMN).setCaching(SCAN_CACHING);
        LongStream.Builder entries = LongStream.builder();
        try (Table table = table(repeating); ResultScanner scanner = table.getScanner(scan)) {
            for (Result row = scanner.next(); row != null; row = scanner.next()) {
                if (CommitRows.isRow(row.getRow())) {
                    entries.add(CommitRows.startTs(row.getRow()));
                } else {
                    LOG.warn("Commit table {} has a row {}, which is none of an entry: somebody has written past Fencepost, remove it.",
                            name, Bytes.toStringBinary(row.getRow()));
                }
            }
        } catch (IOException e) {
            throw Failures.store("list commit entries", name, e);
        }
        return entries.build();
    }

    private static Get getRow(byte[] row) {
        return new Get(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN);
    }

    private long value(Result row) {
        return CommitRows.entry(name, row);
    }
}
