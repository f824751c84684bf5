package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.layout.TransactionState;
import org.fencepost.hbase.server.rows.SnapshotOnlyRows;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.hbase.store.SystemClock;
import org.fencepost.protocol.omid.ForeignSnapshots;
import org.fencepost.protocol.store.StoreException;

/**
 * Coprocessor of tables whose rows others filter and aggregate on region servers, as Apache Phoenix does. A read that comes with a
 * {@link TransactionState} is shown the rows of that snapshot and nothing else, below whatever other coprocessors make of them: the region
 * server decides all of each row, and asks the commit table and the transaction manager where the commit cells do not tell
 * ({@link SnapshotOnlyRows}). All else is as for other transactional tables.
 */
public final class DecidingRegionObserver extends TransactionalRegionObserver {

    /**
     * By default, for a writer between its commit timestamp and its commit entry, which is a request of his. A dead one is waited for once, since his
     * marker stays.
     */
    private static final int GRACE_MILLIS = 50;
    private static final String EXACT = "fencepost.exact";
    /** This very array makes a delete one of ours: what a client sends is another. */
    private static final byte[] EXACTLY = {};

    private final KnownWatermark watermark = new KnownWatermark();
    private RegionCoprocessorEnvironment region;
    private HBaseStore rows;
    private ServerManager manager;
    /** Made when the first scan comes: an open region need not have a transaction manager to talk to. */
    private ForeignSnapshots<CellKey, byte[]> snapshots;

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        super.start(environment);
        region = (RegionCoprocessorEnvironment) environment;
    }

    @Override
    public synchronized void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        snapshots = null;
        if (manager != null) {
            manager.close();
            manager = null;
        }
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        super.preScannerOpen(context, scan);
        TransactionState reader = TransactionState.of(scan);
        if (reader != null) {
            show(reader, scan);
        }
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) throws IOException {
        TransactionState reader = TransactionState.of(get);
        if (reader == null) {
            super.preGetOp(context, get, result);
            return;
        }
        requireChecked();
        Scan scan = new Scan(get);
        show(reader, scan);
        try (RegionScanner row = region.getRegion().getScanner(scan)) {
            row.next(result);
        }
        context.bypass();
    }

    // ---- writes

    /**
     * An index row that a region server puts for the statement that builds the index is stored as one that a client populates: as the fence's own, and
     * committed as of the builder's snapshot (specs/IndexFence.tla, Populate), whatever time its cells have.
     */
    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        requireChecked();
        TransactionState builder = TransactionState.ofPopulating(put);
        if (builder != null) {
            requireSameCommitTable(builder);
            requireInTime(builder);
            Put populated = OmidWrites.committed(put, builder.fence(), builder.startTs());
            put.getFamilyCellMap().clear();
            put.getFamilyCellMap().putAll(populated.getFamilyCellMap());
            OmidWrites.mark(put);
        }
        super.prePut(context, put, edit);
    }

    /**
     * Guard (specs/IndexFence.tla, PutsInTime): a build whose time is up puts nothing, since what its rows would be hidden by may have been collected. Its client may
     * have died while another region server goes on.
     */
    private void requireInTime(TransactionState builder) throws IOException {
        if (builder.startTs() < watermark.from(() -> commitTable(region).watermark())) {
            throw new DoNotRetryIOException("The build of an index that began at " + builder.startTs() + " is over: create the index again.");
        }
    }

    // ---- definitions

    /**
     * Phoenix removes what a dropped column or index has left by a scan, on whose way its coprocessor deletes what it meets up to a time, for
     * all snapshots alike. HBase's marker for that would also hide what is put later with an earlier version, as index rows of another build are;
     * so the stored versions are removed one by one. Clients' own deletes are refused as elsewhere.
     */
    @Override
    public void preDelete(ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit) throws IOException {
        if (delete.getAttribute(EXACT) == EXACTLY || !isOfScan()) {
            super.preDelete(context, delete, edit);
            return;
        }
        requireChecked();
        Delete exact = OmidWrites.mark(new Delete(delete.getRow()));
        exact.setAttribute(EXACT, EXACTLY);
        for (Cell stored : region.getRegion().get(new Get(delete.getRow()).readAllVersions()).rawCells()) {
            if (deletes(delete, stored)) {
                exact.addColumn(CellUtil.cloneFamily(stored), CellUtil.cloneQualifier(stored), stored.getTimestamp());
            }
        }
        if (!exact.isEmpty()) {
            region.getRegion().delete(exact);
        }
        context.bypass();
    }

    private static boolean isOfScan() {
        return RpcServer.getCurrentCall().map(RpcCall::getMethod).filter(method -> method.getName().equals("Scan")).isPresent();
    }

    private static boolean deletes(Delete delete, Cell stored) {
        if (delete.isEmpty()) {
            return stored.getTimestamp() <= delete.getTimestamp();
        }
        for (Cell cell : Layout.cells(delete)) {
            boolean ofFamily = cell.getType() == Cell.Type.DeleteFamily;
            if (CellUtil.matchingFamily(cell, stored) && stored.getTimestamp() <= cell.getTimestamp()
                    && (ofFamily || Bytes.equals(Layout.userQualifier(stored), CellUtil.cloneQualifier(cell)))) {
                return true;
            }
        }
        return false;
    }

    // ---- reads

    private void show(TransactionState reader, Scan scan) throws IOException {
        requireAgreed(reader);
        if (scan.isRaw() || scan.getBatch() > 0 || scan.getMaxResultsPerColumnFamily() > 0 || scan.getRowOffsetPerColumnFamily() > 0) {
            throw new DoNotRetryIOException("A scan of a snapshot is neither raw nor limited by cells.");
        }
        ForeignSnapshots<CellKey, byte[]> read = snapshots();
        scan.setTimeRange(0, reader.readPoint() + 1).readVersions(reader.all() ? Integer.MAX_VALUE : Layout.PAGE);
        scan.setFamilyMap(Layout.wholeRecords(scan.getFamilyMap(), false));
        scan.setFilter(new SnapshotOnlyRows(rows, region.getRegionInfo().getTable(), versions(), reader, read, scan));
    }

    /** Whoever takes another span or another commit table for the table's would see some transactions and not others. */
    private void requireAgreed(TransactionState reader) throws DoNotRetryIOException {
        requireSameSpan(reader.span());
        requireSameCommitTable(reader);
    }

    private void requireSameCommitTable(TransactionState reader) throws DoNotRetryIOException {
        TableName commitTable = commitTableName();
        if (!reader.commitTable().equals(commitTable)) {
            throw new DoNotRetryIOException("Table " + region.getRegionInfo().getTable() + " is of commit table " + commitTable
                    + " and the client's transactions are of " + reader.commitTable() + ": set " + Settings.COMMIT_TABLE + " at the client to that.");
        }
    }

    private TableName commitTableName() {
        return TableAttributes.commitTableOf(region.getRegion().getTableDescriptor());
    }

    private synchronized ForeignSnapshots<CellKey, byte[]> snapshots() throws IOException {
        if (snapshots == null) {
            try {
                if (manager == null) {
                    manager = ServerManager.open(region, commitTableName());
                }
                Connection connection = region.getConnection();
                Configuration conf = HBaseConfiguration.create(ServerManager.configuration(region));
                conf.setIfUnset(Settings.GRACE, Integer.toString(GRACE_MILLIS));
                rows = new HBaseStore(connection);
                rows.opened(region.getRegion().getTableDescriptor());
                snapshots = new ForeignSnapshots<>(rows, commitTable(region), manager.manager(),
                        new SystemClock(), Settings.from(conf).protocol());
            } catch (StoreException | IllegalArgumentException e) {
                throw new DoNotRetryIOException(Failures.reason(e), e);
            }
        }
        return snapshots;
    }
}
