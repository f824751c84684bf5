package org.fencepost.phoenix;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.query.QueryConstants;
import org.apache.phoenix.transaction.PhoenixTransactionContext.PhoenixVisibilityLevel;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.TransactionState;
import org.fencepost.protocol.TransactionException;

/**
 * An HBase table in one of Phoenix's transactions. Reads go to the region servers with a {@link TransactionState}, which show them the
 * snapshot; writes go through the {@link SharedTransaction}. Methods of {@link Table} that are not here are refused, as by HBase's interface.
 */
public final class FencepostTransactionTable implements Table {

    private static final Result DONE = Result.create((List<Cell>) null, true);

    private final FencepostTransactionContext context;
    private final FencepostClient client;
    private final SharedTransaction tx;
    private final Table table;
    private final boolean conflictFree;
    private final boolean populates;
    private final List<Cell> columns;

    /**
     * @param client  null on region servers, as tx is
     * @param table   closed with this one
     * @param columns of an index, those that its rows may have, a cell for each; empty for other tables
     */
    FencepostTransactionTable(FencepostTransactionContext context, FencepostClient client, SharedTransaction tx, Table table, boolean conflictFree,
            boolean populates, List<Cell> columns) {
        this.context = context;
        this.client = client;
        this.tx = tx;
        this.table = table;
        this.conflictFree = conflictFree;
        this.populates = populates;
        this.columns = columns;
    }

    // ---- reads

    private TransactionState state() throws IOException {
        return client == null ? context.state(1) : context.state(opened().span());
    }

    private TransactionalTable opened() throws IOException {
        try {
            return client.table(getName());
        } catch (TransactionException e) {
            throw new DoNotRetryIOException(e.getMessage(), e);
        }
    }

    @Override
    public ResultScanner getScanner(Scan scan) throws IOException {
        Scan shown = new Scan(scan);
        state().attachTo(shown);
        return new InTime(table.getScanner(shown));
    }

    @Override
    public ResultScanner getScanner(byte[] family) throws IOException {
        return getScanner(new Scan().addFamily(family));
    }

    @Override
    public ResultScanner getScanner(byte[] family, byte[] qualifier) throws IOException {
        return getScanner(new Scan().addColumn(family, qualifier));
    }

    @Override
    public Result get(Get get) throws IOException {
        return get(List.of(get))[0];
    }

    @Override
    public Result[] get(List<Get> gets) throws IOException {
        Result[] found = get(gets, state());
        requireInTime();
        return found;
    }

    private Result[] get(List<Get> gets, TransactionState state) throws IOException {
        List<Get> shown = new ArrayList<>(gets.size());
        for (Get get : gets) {
            Get each = new Get(get);
            state.attachTo(each);
            shown.add(each);
        }
        return table.get(shown);
    }

    @Override
    public boolean exists(Get get) throws IOException {
        return !get(get).isEmpty();
    }

    @Override
    public boolean[] exists(List<Get> gets) throws IOException {
        Result[] found = get(gets);
        boolean[] exist = new boolean[found.length];
        for (int i = 0; i < found.length; i++) {
            exist[i] = !found[i].isEmpty();
        }
        return exist;
    }

    private void requireInTime() throws IOException {
        if (tx != null) {
            try {
                tx.requireInTime();
            } catch (TransactionException e) {
                throw new DoNotRetryIOException(e.getMessage(), e);
            }
        }
    }

    /** Who reads too long reads what may have been collected. */
    private final class InTime implements ResultScanner {

        private final ResultScanner rows;

        InTime(ResultScanner rows) {
            this.rows = rows;
        }

        @Override
        public Result next() throws IOException {
            Result row = rows.next();
            requireInTime();
            return row;
        }

        @Override
        public void close() {
            rows.close();
        }

        @Override
        public boolean renewLease() {
            return rows.renewLease();
        }

        @Override
        public ScanMetrics getScanMetrics() {
            return rows.getScanMetrics();
        }
    }

    // ---- writes

    @Override
    public void put(Put put) throws IOException {
        write(List.of(put));
    }

    @Override
    public void put(List<Put> puts) throws IOException {
        write(puts);
    }

    @Override
    public void delete(Delete delete) throws IOException {
        write(List.of(delete));
    }

    @Override
    public void delete(List<Delete> deletes) throws IOException {
        write(deletes);
    }

    @Override
    public void batch(List<? extends Row> actions, Object[] results) throws IOException, InterruptedException {
        List<Mutation> mutations = new ArrayList<>(actions.size());
        for (Row action : actions) {
            if (!(action instanceof Put) && !(action instanceof Delete)) {
                throw new DoNotRetryIOException("A batch of a transaction has puts and deletes, not " + action.getClass().getSimpleName() + ".");
            }
            mutations.add((Mutation) action);
        }
        // Phoenix deletes by an index, too, and then writes it as it does to populate it
        if (populates && tx != null && tx.fence() == 0) {
            mutations.removeIf(FencepostTransactionTable::announcesDelete);
        }
        if (populates && mutations.stream().anyMatch(Put.class::isInstance)) {
            populate(mutations);
        } else if (!mutations.isEmpty()) {
            write(mutations);
        }
        if (results != null) {
            Arrays.fill(results, DONE);
        }
    }

    /** Of tables without transactions, an index row is unverified while its table's row goes; here both go at once. */
    private static boolean announcesDelete(Mutation mutation) {
        return mutation instanceof Put && mutation.size() == 1
                && mutation.getFamilyCellMap().values().stream().flatMap(List::stream).allMatch(cell -> CellUtil.matchingValue(cell, QueryConstants.UNVERIFIED_BYTES));
    }

    private void write(List<? extends Mutation> mutations) throws IOException {
        if (tx == null) {
            throw new DoNotRetryIOException("A region server writes nothing in a transaction of " + getName() + ".");
        }
        try {
            List<Mutation> plain = SharedTransaction.plain(mutations, rowsOfFamilyDeletes(mutations));
            try {
                tx.write(opened(), plain, conflictFree);
            } catch (IllegalArgumentException e) { // such as a family that is new
                client.forget(getName());
                tx.write(opened(), plain, conflictFree);
            }
        } catch (TransactionException | IllegalArgumentException e) {
            throw new DoNotRetryIOException(e.getMessage(), e);
        }
    }

    /**
     * What the transaction sees, all its own writes included, in the rows of which families are deleted.
     *
     * <p>Guard (specs/IndexFence.tla): of an index, whatever its rows may have. What is not there yet may be populated below the transaction, and only its
     * tombstone tells that it was deleted.
     */
    private Map<byte[], List<Cell>> rowsOfFamilyDeletes(List<? extends Mutation> mutations) throws IOException {
        Map<byte[], List<Cell>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        for (Mutation mutation : mutations) {
            if (mutation instanceof Delete delete
                    && (delete.isEmpty() || delete.getFamilyCellMap().values().stream().flatMap(List::stream).anyMatch(SharedTransaction::deletesFamily))) {
                rows.put(delete.getRow(), new ArrayList<>(columns));
            }
        }
        if (!rows.isEmpty()) {
            List<Get> gets = rows.keySet().stream().map(Get::new).toList();
            for (Result row : get(gets, tx.state(PhoenixVisibilityLevel.SNAPSHOT, tx.readLevel(PhoenixVisibilityLevel.SNAPSHOT), opened().span()))) {
                if (!row.isEmpty()) {
                    rows.get(row.getRow()).addAll(row.listCells());
                }
            }
        }
        return rows;
    }

    /**
     * Of an index that is built: as the fence's own, below whatever those write who began after it and keep the index, and committed as of the
     * builder's snapshot, which the rows are read in (specs/IndexFence.tla, Populate: never at the builder's version).
     */
    private void populate(List<Mutation> mutations) throws IOException, InterruptedException {
        if (tx == null || tx.fence() == 0) {
            throw new DoNotRetryIOException("Index " + getName() + " can be populated above a fence only: by CREATE INDEX, not ASYNC.");
        }
        List<Put> committed = new ArrayList<>(mutations.size());
        for (Mutation mutation : SharedTransaction.plain(mutations, Map.of())) {
            if (mutation instanceof Put put) {
                committed.add(OmidWrites.committed(put, tx.fence(), tx.startTimestamp()));
            }
        }
        requireInTime();
        table.batch(committed, new Object[committed.size()]);
    }

    // ---- the table

    @Override
    public TableName getName() {
        return table.getName();
    }

    @Override
    public Configuration getConfiguration() {
        return table.getConfiguration();
    }

    @Override
    public TableDescriptor getDescriptor() throws IOException {
        return table.getDescriptor();
    }

    @Override
    public RegionLocator getRegionLocator() throws IOException {
        return table.getRegionLocator();
    }

    @Override
    public void close() throws IOException {
        table.close();
    }
}
