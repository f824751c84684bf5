package org.fencepost.hbase.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.RowRecords;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.layout.TwoPhaseRequest;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.twophase.IntentStore;

/**
 * The versioned store on HBase tables; see {@link Layout} for the cells. All cells that a call writes to one row go in
 * one atomic mutation, all rows of a table in one batch, and the batches of several tables side by side.
 *
 * <p>A removal is a delete marker at exactly the removed version. Until the next major compaction the marker also hides
 * a late copy of the put, which does no harm: nobody reads a removed record again. It never hides a commit cell that
 * matters, because only records that can no longer commit are removed this way.
 */
public class HBaseStore implements IntentStore<CellKey, byte[]> {

    static final String WRITE = "write";

    final Connection connection;
    private final Map<TableName, Versions> versions = new ConcurrentHashMap<>();

    /** Null: no commits in one phase. */
    private final HBaseBatches batches;

    /** @param connection stays open, and the caller's to close */
    public HBaseStore(Connection connection) {
        this.connection = connection;
        this.batches = null;
    }

    /**
     * The same with commits in one phase, in tables that are {@link #opened} and allow them.
     *
     * @param once sends every request once: see {@link Once}
     */
    public HBaseStore(Connection connection, Connection once, int timeoutMillis) {
        this.connection = connection;
        this.batches = new HBaseBatches(connection, once, timeoutMillis, versions);
    }

    @Override
    public BatchStore<CellKey, byte[]> batches() {
        return batches == null ? BatchStore.none() : batches;
    }

    /** From here on the table is read as this description says. */
    public void opened(TableDescriptor table) {
        versions.put(table.getTableName(), TableAttributes.versionsOf(table));
        if (batches != null) {
            batches.opened(table);
        }
    }

    /** As far as this client knows; region servers refuse reads of clients that are wrong about it. */
    public Versions versionsOf(TableName table) {
        return versions.computeIfAbsent(table, name -> {
            try {
                return TableAttributes.versionsOf(Descriptions.read(connection, name));
            } catch (IOException e) {
                throw Failures.store("read the description", name, e);
            }
        });
    }

    /** Whether anybody's transactions may commit in one phase there. */
    public boolean takesBatches(TableName table) {
        try {
            return TableAttributes.hasFastPath(Descriptions.read(connection, table));
        } catch (IOException e) {
            throw Failures.store("read the description", table, e);
        }
    }

    @Override
    public Versions versions(CellKey key) {
        return versionsOf(key.table());
    }

    @Override
    public void put(long version, Map<CellKey, Write<byte[]>> writes) {
        send(WRITE, puts(version, writes));
    }

    /** By table and row. */
    static Map<TableName, Map<byte[], Put>> puts(long version, Map<CellKey, Write<byte[]>> writes) {
        Map<TableName, Map<byte[], Put>> puts = new HashMap<>();
        addTo(puts, writes.keySet(), HBaseStore::put, (put, key) -> put.addColumn(key.family(), key.qualifier(), version, Layout.encode(writes.get(key))));
        return puts;
    }

    @Override
    public void putCommitted(Map<CellKey, Record<byte[]>> records, Runnable departs) {
        Map<TableName, Map<byte[], Put>> puts = new HashMap<>();
        addTo(puts, records.keySet(), HBaseStore::put, (put, key) -> {
            Record<byte[]> record = records.get(key);
            put.addColumn(key.family(), key.qualifier(), record.version(), record.value())
                    .addColumn(key.family(), Layout.commitQualifier(key.qualifier()), record.version(), Bytes.toBytes(record.commit()));
        });
        puts.forEach((name, ofTable) -> {
            departs.run();
            send("populate", Map.of(name, ofTable));
        });
    }

    @Override
    public void putCommitCells(Collection<CellKey> keys, long version, long commitTs) {
        putCommitCells(List.of(new Committed<>(version, commitTs, keys)));
    }

    static Put put(byte[] row) {
        return OmidWrites.mark(new Put(row));
    }

    /** All that goes to one row in one mutation, whosever it is. */
    @Override
    public void putCommitCells(Collection<Committed<CellKey>> committed) {
        Map<TableName, Map<byte[], Put>> puts = new HashMap<>();
        for (Committed<CellKey> each : committed) {
            byte[] value = Bytes.toBytes(each.commitTs());
            each.byVersion().forEach((version, keys) -> addTo(puts, keys, HBaseStore::put,
                    (put, key) -> put.addColumn(key.family(), Layout.commitQualifier(key.qualifier()), version, value)));
        }
        send("write commit cells", puts);
    }

    @Override
    public void remove(Collection<CellKey> keys, long version) {
        remove(keys, version, this::qualifiers);
    }

    /** @param cells the qualifiers of the cells to go */
    final void remove(Collection<CellKey> keys, long version, Function<CellKey, List<byte[]>> cells) {
        mutate("remove records", keys, row -> OmidWrites.mark(new Delete(row)),
                (delete, key) -> cells.apply(key).forEach(qualifier -> delete.addColumn(key.family(), qualifier, version)));
    }

    /** Of the cells that a record has. */
    List<byte[]> qualifiers(CellKey key) {
        return List.of(key.qualifier(), Layout.commitQualifier(key.qualifier()));
    }

    /** One request for each row, which is stored as a whole or not at all: {@link TwoPhaseRequest}. */
    @Override
    public Map<CellKey, Long> prewrite(long version, Map<CellKey, Write<byte[]>> writes) {
        Map<CellKey, Long> refused = new HashMap<>();
        puts(version, writes).forEach((name, puts) -> {
            Map<byte[], Long> obstacles = prewrite(name, puts.values());
            for (CellKey key : writes.keySet()) {
                if (key.table().equals(name) && obstacles.get(key.row()) != Timestamps.NIL) {
                    refused.put(key, obstacles.get(key.row()));
                }
            }
        });
        return refused;
    }

    /** What is in the way, by row. */
    private Map<byte[], Long> prewrite(TableName name, Collection<Put> puts) {
        Map<byte[], Long> obstacles = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        List<CheckAndMutate> requests = puts.stream()
                .map(TwoPhaseRequest::request).toList();
        try (Table table = connection.getTable(name)) {
            List<CheckAndMutateResult> results = requests.size() == 1 ? List.of(table.checkAndMutate(requests.get(0)))
                    : table.checkAndMutate(requests);
            for (int i = 0; i < requests.size(); i++) {
                obstacles.put(requests.get(i).getRow(), TwoPhaseRequest.answer(results.get(i), name));
            }
            return obstacles;
        } catch (IOException e) {
            throw Failures.store(WRITE, name, e);
        }
    }

    final <M extends Mutation> void mutate(String what, Collection<CellKey> keys, Function<byte[], M> mutation,
            BiConsumer<M, CellKey> add) {
        Map<TableName, Map<byte[], M>> mutations = new HashMap<>();
        addTo(mutations, keys, mutation, add);
        send(what, mutations);
    }

    /** @param mutations by table and row */
    private static <M extends Mutation> void addTo(Map<TableName, Map<byte[], M>> mutations, Collection<CellKey> keys,
            Function<byte[], M> mutation, BiConsumer<M, CellKey> add) {
        for (CellKey key : keys) {
            add.accept(mutations.computeIfAbsent(key.table(), t -> new TreeMap<>(Bytes.BYTES_COMPARATOR))
                    .computeIfAbsent(key.row(), mutation), key);
        }
    }

    private <M extends Mutation> void send(String what, Map<TableName, Map<byte[], M>> mutations) {
        SideBySide.run(mutations.entrySet().stream().<Runnable>map(each -> () -> send(what, each.getKey(), each.getValue().values())).toList());
    }

    private void send(String what, TableName name, Collection<? extends Mutation> mutations) {
        try (Table table = connection.getTable(name)) {
            send(table, new ArrayList<>(mutations));
        } catch (IOException e) {
            throw failure(what, name, e);
        }
    }

    static RuntimeException failure(String what, TableName name, IOException e) {
        return Failures.isNewerCommit(e) ? new PutRefusedException("HBase table " + name + " refused a put: " + Failures.reason(e), e)
                : Failures.store(what, name, e);
    }

    /** A batch of one would go through HBase's batch machinery all the same, hence the first two cases. */
    static void send(Table table, List<? extends Mutation> mutations) throws IOException {
        Mutation first = mutations.get(0);
        if (mutations.size() == 1 && first instanceof Put put) {
            table.put(put);
        } else if (mutations.size() == 1 && first instanceof Delete delete) {
            table.delete(delete);
        } else {
            batch(table, mutations);
        }
    }

    /** What was answered to each. */
    static Object[] batch(Table table, List<? extends Mutation> mutations) throws IOException {
        Object[] answers = new Object[mutations.size()];
        try {
            table.batch(mutations, answers);
        } catch (InterruptedException e) {
            throw Failures.interrupted(e);
        }
        return answers;
    }

    @Override
    public Record<byte[]> reread(CellKey key, long version) {
        List<Record<byte[]>> records = fetch(key, version, version);
        return records.isEmpty() ? null : records.get(0);
    }

    @Override
    public Iterator<Record<byte[]>> get(CellKey key, long fromVersion) {
        return new Records(key, fromVersion);
    }

    /** The same where the caller holds the first page already, as part of a row: at most PAGE records. */
    public Iterator<Record<byte[]>> resume(CellKey key, List<Record<byte[]>> firstPage) {
        return new Records(key, firstPage);
    }

    private List<Record<byte[]>> fetch(CellKey key, long lowest, long highest) {
        try (Table table = connection.getTable(key.table())) {
            Versions told = versionsOf(key.table());
            Get get = new Get(key.row()).readVersions(Layout.PAGE).setTimeRange(lowest, highest + 1);
            qualifiers(key).forEach(qualifier -> get.addColumn(key.family(), qualifier));
            Result row = table.get(FastRequest.withSpan(get, told.span()));
            return RowRecords.of(key.table(), told, row).getOrDefault(key, List.of());
        } catch (IOException e) {
            throw Failures.store("read", key.table(), e);
        }
    }

    /** Fetches page by page: a full page means that there may be more. */
    private final class Records implements Iterator<Record<byte[]>> {

        private final CellKey key;
        private List<Record<byte[]>> page = List.of();
        private int position;
        private long nextVersion;
        private boolean more;

        Records(CellKey key, long fromVersion) {
            this.key = key;
            this.nextVersion = fromVersion;
            this.more = true;
        }

        Records(CellKey key, List<Record<byte[]>> firstPage) {
            this.key = key;
            turnTo(firstPage);
        }

        private void turnTo(List<Record<byte[]>> next) {
            page = next;
            position = 0;
            more = next.size() == Layout.PAGE;
            nextVersion = next.isEmpty() ? 0 : next.get(next.size() - 1).version() - 1;
        }

        @Override
        public boolean hasNext() {
            if (position == page.size() && more) {
                turnTo(fetch(key, 0, nextVersion));
            }
            return position < page.size();
        }

        @Override
        public Record<byte[]> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.get(position++);
        }
    }
}
