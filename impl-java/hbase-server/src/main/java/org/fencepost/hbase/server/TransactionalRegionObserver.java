package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.fencepost.hbase.layout.DecidedRows;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.Refusals;
import org.fencepost.hbase.layout.SnapshotFilter;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.server.rows.AllCells;
import org.fencepost.hbase.server.rows.SnapshotRows;
import org.fencepost.hbase.server.rows.VisibleRows;
import org.fencepost.hbase.server.rows.WholeRecords;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coprocessor of transactional tables. It does the region server's part of a regular read ({@link VisibleRows}, or {@link SnapshotRows}), refuses
 * writes that are none of a transaction ({@link OmidWrites}), and lets major compactions drop what no transaction can read any
 * more, as {@link CompactionScanner} explains. Flushes and minor compactions keep everything.
 *
 * <p>What may go depends on the commit table's watermark alone, which the {@code Janitor} raises. If the commit table
 * cannot be reached, the compaction keeps everything.
 */
public class TransactionalRegionObserver extends DescriptionGuard {

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalRegionObserver.class);

    /** What a region server does in the background waits for the commit table no longer than this. */
    static final int TIMEOUT_MILLIS = 5_000;

    private final RegionObserver guarded = Guarded.of(this);
    private Versions versions;
    /** Open ones of regular transactions that decide by themselves what they see. */
    private final Map<InternalScanner, Scan> scans = new ConcurrentHashMap<>();

    @Override
    void check(TableDescriptor table) {
        TableAttributes.requireKept(table, KeepDeletedCells.FALSE);
    }

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        super.start(environment);
        versions = TableAttributes.versionsOf(((RegionCoprocessorEnvironment) environment).getRegion().getTableDescriptor());
    }

    /** Of the table. */
    final Versions versions() {
        return versions;
    }

    /** Of requests that tell no span, nothing is asked. */
    final void requireSameSpan(long ofClient) throws DoNotRetryIOException {
        if (ofClient != Timestamps.NIL && ofClient != versions.span()) {
            throw new DoNotRetryIOException(Refusals.NO_FAST_PATH + "the client knows one of span " + ofClient
                    + ", the region server one of " + versions.span() + ": open the table again.");
        }
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(guarded);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws IOException {
        if (described(context, get, result)) {
            return;
        }
        long snapshot = FastRequest.snapshot(get);
        requireSameSpan(FastRequest.span(get));
        if (FastRequest.span(get) != Timestamps.NIL) {
            WholeRecords.in(get);
        }
        SnapshotFilter visible = DecidedRows.asked(get);
        if (visible != null) {
            result.addAll(VisibleRows.read(context.getEnvironment().getRegion(), get, versions, visible));
            context.bypass();
        } else if (snapshot != Timestamps.NIL) {
            result.addAll(SnapshotRows.read(context.getEnvironment().getRegion(), get, snapshot, versions));
            context.bypass();
        }
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        super.preScannerOpen(context, scan);
        FastRequest.snapshot(scan); // makes sense
        requireSameSpan(FastRequest.span(scan));
        if (FastRequest.isForLeftovers(scan)) {
            // Whoever collects must see all leftovers: he removes the commit entries of those that he does not see.
            scan.setFilter(scan.getFilter() == null ? new KeyOnlyFilter() : AllCells.of(scan.getFilter()));
        } else if (FastRequest.span(scan) != Timestamps.NIL) {
            WholeRecords.in(scan);
        }
        SnapshotFilter visible = DecidedRows.asked(scan);
        if (visible != null) {
            VisibleRows.in(context.getEnvironment().getRegion(), scan, versions, visible);
        }
    }

    @Override
    public RegionScanner postScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
            throws IOException {
        if (FastRequest.snapshot(scan) != Timestamps.NIL && !(scan.getFilter() instanceof VisibleRows)) {
            scans.put(scanner, scan);
        }
        return scanner;
    }

    @Override
    public boolean postScannerNext(ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner,
            List<Result> rows, int limit, boolean more) throws IOException {
        Scan scan = scans.get(scanner);
        if (scan != null) {
            for (int i = 0; i < rows.size(); i++) {
                rows.set(i, SnapshotRows.read(context.getEnvironment().getRegion(), scan, rows.get(i), FastRequest.snapshot(scan), versions));
            }
        }
        return more;
    }

    @Override
    public void postScannerClose(ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
        scans.remove(scanner);
    }

    // ---- writes

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        super.prePut(context, put, edit);
        OmidWrites.check(put);
        requireTimestamp(put);
    }

    /** A version that is none of the transaction manager's would count as committed. */
    private void requireTimestamp(Put put) throws DoNotRetryIOException {
        for (Cell cell : Layout.cells(put)) {
            if (versions.isFast(cell.getTimestamp())) {
                throw new DoNotRetryIOException(Refusals.NO_FAST_PATH + "version " + cell.getTimestamp() + " of a transaction is no multiple of"
                        + " the span " + versions.span() + ": start the transaction manager with a leap of " + versions.span() + ".");
            }
        }
    }

    @Override
    public void preDelete(ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit) throws IOException {
        super.preDelete(context, delete, edit);
        OmidWrites.check(delete);
    }

    @Override
    public Result preIncrement(ObserverContext<RegionCoprocessorEnvironment> context, Increment increment, WALEdit edit)
            throws IOException {
        throw OmidWrites.outside("an increment");
    }

    @Override
    public Result preAppend(ObserverContext<RegionCoprocessorEnvironment> context, Append append, WALEdit edit) throws IOException {
        throw OmidWrites.outside("an append");
    }

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        throw OmidWrites.outside("a check-and-mutate");
    }

    @Override
    public void preBulkLoadHFile(ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> files)
            throws IOException {
        throw OmidWrites.outside("a bulk load");
    }

    /** Of a table that has one. What a region server asks there it does not wait for longer than {@link #TIMEOUT_MILLIS}. */
    static HBaseCommitTable commitTable(RegionCoprocessorEnvironment region) throws IOException {
        Connection connection = region.getConnection();
        return new HBaseCommitTable(connection, connection, TableAttributes.commitTableOf(region.getRegion().getTableDescriptor()), TIMEOUT_MILLIS);
    }

    // ---- compactions

    /** Called before a compaction writes a commit cell. */
    void liftBeforeHealing(long commitTs) throws IOException {
    }

    /** Called before a compaction drops anything that is older. */
    void collectsBelow(long watermark) {
    }

    @Override
    public InternalScanner preCompact(ObserverContext<RegionCoprocessorEnvironment> context, Store store,
            InternalScanner scanner, ScanType scanType, CompactionLifeCycleTracker tracker, CompactionRequest request) {
        RegionCoprocessorEnvironment environment = context.getEnvironment();
        if (scanType != ScanType.COMPACT_DROP_DELETES || TableAttributes.commitTableOf(environment.getRegion().getTableDescriptor()) == null) {
            return scanner;
        }
        try {
            HBaseCommitTable commitTable = commitTable(environment);
            long watermark = commitTable.watermark();
            collectsBelow(watermark);
            return new CompactionScanner(scanner, environment.getRegion(), versions, commitTable, watermark,
                    this::liftBeforeHealing);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Compaction of {} keeps all versions: {}", environment.getRegionInfo().getEncodedName(),
                    Failures.reason(e));
            return scanner;
        }
    }
}
