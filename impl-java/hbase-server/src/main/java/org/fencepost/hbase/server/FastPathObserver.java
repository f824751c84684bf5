package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.fencepost.hbase.layout.BatchRequest;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.Refusals;
import org.fencepost.hbase.layout.RowClock;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.server.rows.LastRecord;
import org.fencepost.hbase.server.rows.LastVersions;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.trace.Tracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coprocessor of tables with a fast path (VLDB'18 section 4, specs/FastPath.tla), in place of the one for regular
 * transactions alone: calls {@link FastRegion} where HBase's requests come by. One instance for each region; the regions of
 * a server share a clock ({@link ServerClock}).
 *
 * <p>A fast-path write, or a commit in one phase ({@code BatchRegion}), arrives as a check-and-mutate and is carried out under HBase's
 * exclusive locks of its rows. Regular puts
 * and updates of commit cells hold the row's shared lock. Gets and scans hold none. All hooks of reads come before HBase
 * fixes what the read can see.
 */
public class FastPathObserver extends TransactionalRegionObserver {

    private static final Logger LOG = LoggerFactory.getLogger(FastPathObserver.class);

    /** Of all regions in this JVM; for tests. */
    public static volatile Tracer tracer = Tracer.OFF;

    /** Null where the table's description or the configuration is no good: {@link #problem} says why. */
    private FastRegion<byte[], IOException> fast;
    private ServerClock server;
    private String problem;
    private Rights rights;
    /** What the manager told when the commit table had nothing against it; null before. */
    private volatile ManagerInfo ours;
    private final LastVersions lastVersions = new LastVersions();

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        RegionCoprocessorEnvironment region = (RegionCoprocessorEnvironment) environment;
        TableDescriptor table = region.getRegion().getTableDescriptor();
        Configuration conf = ServerManager.configuration(region);
        try {
            super.start(environment);
            server = ServerClock.open(region, TableAttributes.commitTableOf(table), fastVersions(table));
            Latch told = Latch.untilTold(conf.getLong(Settings.FAST_WAIT, 2_000), server.manager().waiting());
            fast = new FastRegion<>(server.clock(), (needed, then) -> server.bootstrapClock(info -> requireOurs(region, info), needed, then),
                    told, Bytes.BYTES_COMPARATOR, Bytes::hashCode, Latch::ofWrite, () -> tracer);
        } catch (RuntimeException e) {
            problem = e.getMessage(); // HBase would abort the server if this were thrown
            LOG.error("No fast path in {}: {}", region.getRegionInfo().getEncodedName(), problem);
        }
    }

    private static Versions fastVersions(TableDescriptor table) {
        TableAttributes.fastSpanOf(table); // it has one
        return TableAttributes.versionsOf(table);
    }

    /** The commit table knows whose it is, and what timestamps were given. It need not be asked twice about one tenure. */
    private void requireOurs(RegionCoprocessorEnvironment region, ManagerInfo told) throws IOException {
        if (ours != null && ours.tenure() == told.tenure() && ours.identity().equals(told.identity())) {
            return;
        }
        Connection connection = region.getConnection();
        new HBaseCommitTable(connection, connection, TableAttributes.commitTableOf(region.getRegion().getTableDescriptor()), TIMEOUT_MILLIS)
                .requireManager(told);
        ours = told;
    }

    @Override
    public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        if (fast != null) {
            fast.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Later than whatever a server did that had the region before: HBase has fenced it by now. */
    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
        rights = Rights.on(context.getEnvironment());
        if (fast != null) {
            fast.bootstrapClock();
        }
    }

    // ---- regular reads

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws IOException {
        requireSameSpan(FastRequest.span(get));
        FastRequest.isRead(get); // makes sense
        long snapshot = FastRequest.snapshot(get);
        if (snapshot != Timestamps.NIL && admits(snapshot)) {
            fast.preGet(get.getRow(), snapshot);
        }
        super.preGetOp(context, get, result);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        super.preScannerOpen(context, scan);
        requireSameSpan(FastRequest.span(scan));
        long snapshot = FastRequest.snapshot(scan);
        if (snapshot != Timestamps.NIL && admits(snapshot)) {
            byte[] first = scan.isReversed() ? scan.getStopRow() : scan.getStartRow();
            byte[] last = scan.isReversed() ? scan.getStartRow() : scan.getStopRow();
            fast.preScan(first, last.length == 0 ? null : last, snapshot);
        }
    }

    /** Where there is no clock, there are no fast-path writes either, until the region is opened again. */
    private boolean admits(long ts) throws IOException {
        return fast != null && server.admits(ts, rights::mayWrite);
    }

    private void requireWorking() throws DoNotRetryIOException {
        if (fast == null) {
            throw new DoNotRetryIOException(Refusals.NO_FAST_PATH + problem);
        }
    }

    // ---- fast-path reads

    /** HBase itself has looked for the newest record. Nearly always that is the one, and it goes out as it was found. */
    @Override
    public void postGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws IOException {
        if (FastRequest.isRead(get)) {
            List<Cell> last = LastRecord.of(context.getEnvironment().getRegion(), result, get.getFilter(), versions()).cells();
            result.clear();
            result.addAll(last);
        }
    }

    // ---- regular puts and commit cells, under the row's shared lock

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        if (!FastRequest.isRecord(put)) {
            super.prePut(context, put, edit);
        }
    }

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (FastRequest.isRecord(batch.getOperation(i))) {
                continue;
            }
            lastVersions.forget(batch.getOperation(i).getRow());
            if (batch.getOperation(i) instanceof Delete delete) {
                collects(delete);
            }
            if (batch.getOperation(i) instanceof Put put) {
                liftToCommits(context.getEnvironment().getRegionInfo().getTable(), put);
                if (!noNewerCommit(context.getEnvironment().getRegion(), put)) {
                    batch.setOperationStatus(i, new OperationStatus(OperationStatusCode.SANITY_CHECK_FAILURE,
                            Refusals.NEWER_COMMIT + " in row " + Bytes.toStringBinary(put.getRow())));
                }
            }
        }
    }

    /**
     * Records can be read by now. HBase sends along with its answer what is a put's result here (2.6.4 does; a client of one that does not is told
     * nothing, and asks the transaction manager once more).
     */
    @Override
    public void postBatchMutateIndispensably(ObserverContext<RegionCoprocessorEnvironment> context, MiniBatchOperationInProgress<Mutation> batch,
            boolean success) {
        if (fast == null || !success) {
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            Mutation mutation = batch.getOperation(i);
            if (RowClock.isAsked(mutation) && batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.SUCCESS) {
                batch.setOperationStatus(i, new OperationStatus(OperationStatusCode.SUCCESS,
                        RowClock.answer(mutation.getRow(), fast.batches().clock(mutation.getRow()))));
            }
        }
    }

    @Override
    public void preWALAppend(ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit) {
        LogOfThread.ask();
    }

    /** Of the fast path's versions only collectors remove any. */
    private void collects(Delete delete) {
        for (Cell cell : Layout.cells(delete)) {
            if (fast != null && versions().isFast(cell.getTimestamp())) {
                fast.batches().collect(cell.getTimestamp());
            }
        }
    }

    @Override
    void collectsBelow(long watermark) {
        if (fast != null) {
            fast.batches().collect(watermark);
        }
    }

    private void liftToCommits(TableName table, Put put) throws IOException {
        for (Cell cell : Layout.cells(put)) {
            if (Layout.isCommitCell(cell)) {
                long commitTs = Layout.commitTs(table, cell);
                if (admits(commitTs)) {
                    fast.lift(put.getRow(), commitTs);
                }
            }
        }
    }

    /** For commit cells that a compaction writes, past all locks but before anybody can see them. */
    @Override
    void liftBeforeHealing(long commitTs) throws IOException {
        if (admits(commitTs)) {
            fast.liftForCompaction(commitTs);
        }
    }

    /**
     * Fast-path versions and commit cells tell it: a commit cell whose record is gone is older than any transaction that
     * still puts.
     */
    private boolean noNewerCommit(Region region, Put put) throws IOException {
        long version = Timestamps.NIL;
        Get newer = null;
        for (Cell cell : Layout.cells(put)) {
            if (!Layout.isCommitCell(cell)) {
                version = cell.getTimestamp();
                newer = newer != null ? newer : new Get(put.getRow()).setTimeRange(version, Long.MAX_VALUE).readAllVersions();
                byte[] family = CellUtil.cloneFamily(cell);
                byte[] qualifier = CellUtil.cloneQualifier(cell);
                newer.addColumn(family, qualifier).addColumn(family, Layout.commitQualifier(qualifier));
            }
        }
        return newer == null || FastRegion.noNewerCommit(version, region.get(newer, false).stream()
                .filter(cell -> Layout.isCommitCell(cell) || versions().isFast(cell.getTimestamp()))
                .mapToLong(Cell::getTimestamp));
    }

    // ---- fast-path writes

    /** In place of HBase's own check-and-mutate. Without the row's lock, a write may wait for the transaction manager. */
    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        FastRequest.Terms terms = FastRequest.terms(request);
        BatchRequest.Terms batch = BatchRequest.terms(request, context.getEnvironment().getRegionInfo().getTable(), versions());
        if (batch != null) {
            return answerBatch(context, request.getRow(), batch);
        }
        if (terms == null) {
            return super.preCheckAndMutate(context, request, result); // which refuses it
        }
        requireChecked();
        requireWorking();
        requireSameSpan(terms.span());
        fast.awaitTime();
        context.bypass();
        Region region = context.getEnvironment().getRegion();
        byte[] row = request.getRow();
        Column column = new Column(region, row, valueCell(request));
        return Exclusively.run(region, row, () -> FastRequest.answer(row, fast.putVersion(row, terms.last(), column)));
    }

    // ---- commits in one phase

    /** As a fast-path write: without the rows' locks it may wait for the transaction manager. */
    private CheckAndMutateResult answerBatch(ObserverContext<RegionCoprocessorEnvironment> context, byte[] row, BatchRequest.Terms terms)
            throws IOException {
        requireChecked();
        requireWorking();
        requireSameSpan(terms.span());
        fast.awaitTime();
        boolean admitted = admits(terms.commitTs());
        context.bypass();
        Region region = context.getEnvironment().getRegion();
        BatchTarget batch = new BatchTarget(region, terms) {
            @Override
            public boolean noNewerCommit() throws IOException {
                for (Put values : terms.rows()) {
                    if (!FastPathObserver.this.noNewerCommit(region, values)) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public void store() throws IOException {
                rows().forEach(lastVersions::forget);
                super.store();
            }
        };
        if (!terms.find() && !batch.isInOneRegion()) {
            return BatchRequest.answer(row, false);
        }
        return Exclusively.run(region, batch.rows(), () -> terms.find() ? findBatch(row, batch, terms, admitted) : putBatch(row, batch, terms, admitted));
    }

    /** A server that was told no time admits nothing, and knows it before it takes a batch: what comes before that time is refused then. */
    private CheckAndMutateResult putBatch(byte[] row, BatchTarget batch, BatchRequest.Terms terms, boolean admitted) throws IOException {
        return BatchRequest.answer(row, admitted ? fast.batches().putBatch(batch.rows(), terms.startTs(), terms.commitTs(), batch)
                : BatchRegion.Refusal.CLOCK_NOT_BOOTSTRAPPED);
    }

    private CheckAndMutateResult findBatch(byte[] row, BatchTarget batch, BatchRequest.Terms terms, boolean admitted) throws IOException {
        boolean found = batch.isFound(row);
        if (!found && admitted) {
            fast.batches().refuseCopies(batch.rows(), terms.commitTs());
        }
        return BatchRequest.answer(row, found);
    }

    private static Cell valueCell(CheckAndMutate request) throws IOException {
        List<Cell> cells = new ArrayList<>(1);
        Layout.cells((Mutation) request.getAction()).forEach(cells::add);
        if (cells.size() != 1 || Layout.isCommitCell(cells.get(0)) || cells.get(0).getType() != Cell.Type.Put) {
            throw new DoNotRetryIOException(Refusals.NO_FAST_PATH + "a fast-path write is one column.");
        }
        return cells.get(0);
    }

    /** Where a fast-path write writes, under the row's exclusive lock. */
    private final class Column implements FastRegion.Target<IOException> {

        private final Region region;
        private final byte[] row;
        private final Cell value;
        private final byte[] family;
        private final byte[] qualifier;

        Column(Region region, byte[] row, Cell value) {
            this.region = region;
            this.row = row;
            this.value = value;
            this.family = CellUtil.cloneFamily(value);
            this.qualifier = CellUtil.cloneQualifier(value);
        }

        @Override
        public FastRegion.Last last() throws IOException {
            long known = lastVersions.get(row, family, qualifier);
            return known != Timestamps.NIL ? LastRecord.fast(known)
                    : LastRecord.of(region, new Get(row).addColumn(family, qualifier), versions());
        }

        @Override
        public void store(long version) throws IOException {
            lastVersions.forget(row); // should the store fail half-way
            UntilStored.put(region, () -> List.of(FastRequest.record(row, family, qualifier, value, version)));
            if (!Layout.isTombstone(value)) {
                lastVersions.set(row, family, qualifier, version);
            }
        }
    }
}
