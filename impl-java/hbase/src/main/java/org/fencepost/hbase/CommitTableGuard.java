package org.fencepost.hbase;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;

/**
 * Coprocessor of the commit table: performs its check-and-mutates, and keeps its watermark.
 *
 * <p>Every check-and-mutate of the region is taken over here, under HBase's exclusive lock of the row: read the entry, test
 * the watermark, store, and answer the previous entry in the same round trip. The request's own condition is one that
 * never holds ({@link #request}), so without this coprocessor nothing would ever be stored.
 *
 * <p>The watermark must not pass a commit entry that has been checked and is not stored yet. So check and store happen
 * under the shared half of a lock, and raising takes the other half: once the watermark stands, each entry below it is
 * either readable or refused. It is stored in a row of the region before it takes effect, and read again from there
 * when the region is opened anywhere else.
 */
public class CommitTableGuard implements RegionCoprocessor, RegionObserver {

    private static final byte[] NEVER = {'n'};
    private static final long UNKNOWN = -1;

    private final RegionObserver guarded = Guarded.of(this);
    private final ReadWriteLock raising = new ReentrantReadWriteLock();
    /** Of this region; UNKNOWN until the first request. Written under the exclusive half of the lock. */
    private volatile long watermark = UNKNOWN;

    /** The request that this coprocessor serves: put an entry, or raise the watermark if the row is a watermark's. */
    static CheckAndMutate request(byte[] row, long entry) {
        Put put = new Put(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, Bytes.toBytes(entry));
        return CheckAndMutate.newBuilder(row).ifEquals(CommitRows.FAMILY, NEVER, NEVER).build(put);
    }

    /** The previous entry (or COLLECTED, or for a watermark its previous value) in the answer to a request. */
    static long answer(CheckAndMutateResult result, String table) {
        if (result.getResult() == null || result.getResult().isEmpty()) {
            throw new InvalidTableException("HBase table " + table + " has lost its coprocessor "
                    + CommitTableGuard.class.getName() + ": add it to the table's description again.");
        }
        return Bytes.toLong(CellUtil.cloneValue(result.getResult().rawCells()[0]));
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(guarded);
    }

    /** An entry that a caller may not read would look absent to him, and its transaction pending. */
    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) throws IOException {
        AllCells.in(get);
    }

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        Region region = context.getEnvironment().getRegion();
        byte[] row = request.getRow();
        long entry = entryOf(request);
        loadWatermark(region);
        context.bypass();
        long previous = Exclusively.run(region, row,
                () -> CommitRows.isWatermarkRow(row) ? raise(region, row, entry) : store(region, row, entry));
        return new CheckAndMutateResult(previous == Timestamps.NIL, Result.create(List.of(cell(row, previous))));
    }

    private static long entryOf(CheckAndMutate request) throws IOException {
        List<Cell> cells = request.getAction() instanceof Put put && put.size() == 1
                ? put.getFamilyCellMap().get(CommitRows.FAMILY) : null;
        if (cells == null || cells.size() != 1 || cells.get(0).getValueLength() != Long.BYTES) {
            throw noEntry();
        }
        long entry = Bytes.toLong(CellUtil.cloneValue(cells.get(0)));
        if (!CommitRows.isRow(request.getRow()) || !CommitRows.isEntry(request.getRow(), entry)) {
            throw noEntry();
        }
        return entry;
    }

    private static DoNotRetryIOException noEntry() {
        return new DoNotRetryIOException("A commit table takes one entry at a time and nothing else:"
                + " use a client of the servers' version of Fencepost.");
    }

    private long store(Region region, byte[] row, long entry) throws IOException {
        Lock shared = raising.readLock();
        shared.lock();
        try {
            long present = read(region, row);
            if (present != Timestamps.NIL) {
                return present;
            }
            if (CommitRows.startTs(row) < watermark) {
                return entry == Timestamps.INVALIDATED ? Timestamps.INVALIDATED : Timestamps.COLLECTED;
            }
            write(region, row, CommitRows.startTs(row), entry);
            return Timestamps.NIL;
        } finally {
            shared.unlock();
        }
    }

    private long raise(Region region, byte[] row, long target) throws IOException {
        Lock exclusive = raising.writeLock();
        exclusive.lock();
        try {
            long previous = read(region, row);
            if (target > previous) {
                write(region, row, target, target);
                watermark = Math.max(watermark, target);
            }
            return previous;
        } finally {
            exclusive.unlock();
        }
    }

    /** Here and not when the region opens: HBase would open it even if this failed. */
    private void loadWatermark(Region region) throws IOException {
        if (watermark != UNKNOWN) {
            return;
        }
        Lock exclusive = raising.writeLock();
        exclusive.lock();
        try {
            if (watermark == UNKNOWN) {
                watermark = highestWatermark(region);
            }
        } finally {
            exclusive.unlock();
        }
    }

    /** A region may hold several shards, if someone merged them, but not a part of one: that part has no watermark. */
    private static long highestWatermark(Region region) throws IOException {
        RegionInfo info = region.getRegionInfo();
        if (info.getStartKey().length > 1) {
            throw new DoNotRetryIOException("Commit table " + info.getTable() + " was split inside a shard:"
                    + " merge region " + info.getEncodedName() + " with the one before it.");
        }
        long highest = 0;
        for (int shard = 0; shard < CommitRows.MAX_SHARDS; shard++) {
            byte[] row = CommitRows.watermarkRow(shard);
            if (info.containsRow(row)) {
                highest = Math.max(highest, read(region, row));
            }
        }
        return highest;
    }

    private static long read(Region region, byte[] row) throws IOException {
        Get get = new Get(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN);
        return CommitRows.entry(region.getRegionInfo().getTable(), Result.create(region.get(get, false)));
    }

    /** With a timestamp of ours: the server's clock, which may differ after a move, must not decide what is newer. */
    private static void write(Region region, byte[] row, long timestamp, long value) throws IOException {
        region.put(new Put(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, timestamp, Bytes.toBytes(value)));
    }

    private static Cell cell(byte[] row, long value) {
        return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row).setFamily(CommitRows.FAMILY)
                .setQualifier(CommitRows.COLUMN).setTimestamp(0).setType(Cell.Type.Put)
                .setValue(Bytes.toBytes(value)).build();
    }
}
