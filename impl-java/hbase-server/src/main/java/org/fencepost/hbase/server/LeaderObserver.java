package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.LeaderPointer;
import org.fencepost.hbase.layout.LeaderRequest;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.fragola.LeaderStore;

/**
 * Coprocessor of tables with leaders (specs/Fragola.tla), in place of the one for Omid LL. It performs the check-and-mutates of leaders'
 * commit cells, which are commit entries, under HBase's exclusive lock of the row; tells what they hold; and refuses records without
 * pointer, or with one that makes no sense.
 *
 * <p>A reader who meets a pending transaction marks its leader by a check-and-mutate, too, so he needs the right to write there. Who has it
 * not gets an error, and no data.
 *
 * <p>A region knows no watermark until the {@code Janitor} has told it one: below that, he has settled all records of all tables, so a leader
 * that was overwritten is nobody's commit entry any more, and a major compaction drops it as any other old version. The region forgets it when
 * it is moved; then compactions keep everything until the next pass.
 */
public class LeaderObserver extends TransactionalRegionObserver {

    /** Guard (FollowersHealed): below it, all records of all tables are settled. */
    private volatile long settledBelow;
    /** Whether this thread writes an entry. */
    private final ThreadLocal<Boolean> storing = ThreadLocal.withInitial(() -> false);

    @Override
    void check(TableDescriptor table) {
        TableAttributes.requireLeaders(table);
    }

    // ---- leaders

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        requireChecked();
        Cell entry = LeaderRequest.commitCell(request);
        context.bypass();
        Region region = context.getEnvironment().getRegion();
        byte[] row = request.getRow();
        return LeaderRequest.answered(row, Exclusively.run(region, row, () -> checkAndMutate(region, row, entry)));
    }

    private long checkAndMutate(Region region, byte[] row, Cell entry) throws IOException {
        Leader leader = leader(region, row, CellUtil.cloneFamily(entry), Layout.userQualifier(entry), entry.getTimestamp());
        long previous = LeaderStore.previous(leader.isStored(), leader.entry());
        if (previous == Timestamps.NIL) {
            storing.set(true);
            try {
                region.put(new Put(row).addColumn(CellUtil.cloneFamily(entry), CellUtil.cloneQualifier(entry), entry.getTimestamp(),
                        CellUtil.cloneValue(entry)));
            } finally {
                storing.remove();
            }
        }
        return previous;
    }

    private record Leader(boolean isStored, long entry) {
    }

    /** Past all filters: to whom a leader is hidden it would look missing. Throws if there is a record and it leads nobody. */
    private static Leader leader(Region region, byte[] row, byte[] family, byte[] qualifier, long version) throws IOException {
        TableName table = region.getTableDescriptor().getTableName();
        Get get = new Get(row).setTimestamp(version).addColumn(family, qualifier).addColumn(family, Layout.commitQualifier(qualifier))
                .addColumn(family, Layout.pointerQualifier(qualifier));
        boolean isStored = false;
        boolean leads = false;
        long entry = Timestamps.NIL;
        for (Cell cell : region.get(get, false)) {
            if (Layout.isCommitCell(cell)) {
                entry = Layout.entry(table, cell);
            } else if (Layout.isPointerCell(cell)) {
                leads = LeaderPointer.isLeader(cell);
            } else {
                isStored = true;
            }
        }
        if (isStored && !leads && entry == Timestamps.NIL) {
            throw new DoNotRetryIOException("HBase table " + table + ", row " + Bytes.toStringBinary(row) + ", column " + Bytes.toStringBinary(family)
                    + ":" + Bytes.toStringBinary(qualifier) + " at " + version + " is no leader, although a pointer or its missing one says so:"
                    + " somebody has written past Fencepost, remove or repair that record.");
        }
        return new Leader(isStored, entry);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) throws IOException {
        long version = LeaderRequest.lookedUp(get);
        long settled = LeaderRequest.settled(get);
        if (version == Timestamps.NIL && settled == Timestamps.NIL) {
            super.preGetOp(context, get, result);
            return;
        }
        requireChecked();
        Region region = context.getEnvironment().getRegion();
        if (settled != Timestamps.NIL) {
            requireJanitor(context.getEnvironment());
            settledBelow = Math.max(settledBelow, settled);
            result.add(LeaderRequest.answer(get.getRow(), settledBelow));
        } else {
            byte[] family = get.familySet().iterator().next();
            byte[] qualifier = get.getFamilyMap().get(family).first();
            result.add(LeaderRequest.answer(get.getRow(), leader(region, get.getRow(), family, qualifier, version).entry()));
        }
        context.bypass();
    }

    private static void requireJanitor(RegionCoprocessorEnvironment environment) throws AccessDeniedException {
        if (!Rights.on(environment).mayAdminister()) {
            throw new AccessDeniedException("A table with leaders takes watermarks from those alone who may administer it: grant the collector the"
                    + " right 'A' on " + environment.getRegionInfo().getTable() + ".");
        }
    }

    /** Whoever collects must tell a marker from a commit timestamp: lengths do. */
    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan) throws IOException {
        boolean restricted = scan.getFilter() != null;
        super.preScannerOpen(context, scan);
        if (FastRequest.isForLeftovers(scan) && !restricted) {
            scan.setFilter(new KeyOnlyFilter(true));
        }
    }

    // ---- puts

    private record Column(Bytes family, Bytes qualifier, long version) {
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        if (storing.get()) {
            return;
        }
        super.prePut(context, put, edit);
        Set<Column> values = new HashSet<>();
        Set<Column> pointers = new HashSet<>();
        for (Cell cell : Layout.cells(put)) {
            if (Layout.isCommitCell(cell)) {
                continue;
            }
            Column column = new Column(new Bytes(CellUtil.cloneFamily(cell)), new Bytes(Layout.userQualifier(cell)), cell.getTimestamp());
            (Layout.isPointerCell(cell) ? pointers : values).add(column);
            if (Layout.isPointerCell(cell) && !LeaderPointer.isReadable(context.getEnvironment().getRegionInfo().getTable(), cell)) {
                throw withoutLeader(put);
            }
        }
        if (!values.equals(pointers)) {
            throw withoutLeader(put);
        }
    }

    private static DoNotRetryIOException withoutLeader(Put put) {
        return new DoNotRetryIOException("A table with leaders takes records with a pointer to their leader, and pointers with their record alone;"
                + " row " + Bytes.toStringBinary(put.getRow()) + " has others: use a client of the servers' version of Fencepost.");
    }

    // ---- compactions

    @Override
    public InternalScanner preCompact(ObserverContext<RegionCoprocessorEnvironment> context, Store store,
            InternalScanner scanner, ScanType scanType, CompactionLifeCycleTracker tracker, CompactionRequest request) {
        long watermark = settledBelow;
        return scanType != ScanType.COMPACT_DROP_DELETES || watermark == Timestamps.NIL ? scanner
                : new CompactionScanner(scanner, context.getEnvironment().getRegion(), versions(), null, watermark, commitTs -> {});
    }
}
