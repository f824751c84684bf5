package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.server.rows.RawVersions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the coprocessors have in common: they look at the table's description when a region is opened, which HBase does whenever
 * somebody changes it. While the description would lose what transactions need, be it versions or acknowledged writes, the region
 * answers reads and writes by the sentence that says how to put it right, and HBase drops nothing: flushes write all versions,
 * and nothing is compacted. Clients that had opened the table before see it that way; once it is put right, all is there again.
 *
 * <p>A store file that a time to live has run out for, HBase removes without asking: {@code Tables} turns that off.
 */
abstract class DescriptionGuard implements RegionCoprocessor, RegionObserver {

    private static final Logger LOG = LoggerFactory.getLogger(DescriptionGuard.class);

    /** What is wrong with the description; null: nothing. */
    private String problem;

    /** Throws InvalidTableException if the description would lose something. */
    abstract void check(TableDescriptor table);

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
        RegionCoprocessorEnvironment region = (RegionCoprocessorEnvironment) environment;
        try {
            check(region.getRegion().getTableDescriptor());
        } catch (RuntimeException e) {
            problem = e.getMessage(); // HBase would abort the server if this were thrown
            LOG.error("Nothing is read, written or dropped in {}: {}", region.getRegionInfo().getEncodedName(), problem);
        }
    }

    final void requireChecked() throws DoNotRetryIOException {
        if (problem != null) {
            throw new DoNotRetryIOException(problem);
        }
    }

    // ---- requests

    /** Whether it was asked for the description, which it tells, however wrong that is. */
    final boolean described(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) throws IOException {
        if (answeredByDescription(context, get, result)) {
            return true;
        }
        requireChecked();
        return false;
    }

    static boolean answeredByDescription(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
        Cell description = Descriptions.answer(get, context.getEnvironment().getRegion().getTableDescriptor());
        if (description == null) {
            return false;
        }
        result.add(description);
        context.bypass();
        return true;
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        requireChecked();
        RawVersions.in(scan);
    }

    /** Also of what a check-and-mutate, taken over by a coprocessor, puts. */
    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        requireChecked();
    }

    @Override
    public void preDelete(ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit) throws IOException {
        requireChecked();
    }

    // ---- what HBase does by itself

    @Override
    public void preFlushScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options,
            FlushLifeCycleTracker tracker) {
        keepAll(options);
    }

    @Override
    public void preMemStoreCompactionCompactScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Store store,
            ScanOptions options) {
        keepAll(options);
    }

    @Override
    public void preCompactSelection(ObserverContext<RegionCoprocessorEnvironment> context, Store store,
            List<? extends StoreFile> candidates, CompactionLifeCycleTracker tracker) {
        if (problem != null) {
            candidates.clear();
            context.bypass();
        }
    }

    /** Of a compaction that takes all files without selecting. */
    @Override
    public void preCompactScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanType scanType,
            ScanOptions options, CompactionLifeCycleTracker tracker, CompactionRequest request) {
        keepAll(options);
    }

    private void keepAll(ScanOptions options) {
        if (problem != null) {
            options.readAllVersions();
            options.setTTL(Long.MAX_VALUE);
            options.setKeepDeletedCells(KeepDeletedCells.TRUE);
        }
    }
}
