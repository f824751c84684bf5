package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Shipper;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.UnreadableCellException;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filters one family of a region while HBase rewrites all its files, row by row. Every transaction that still reads
 * began at or above the watermark, and below it none can commit any more. So of what lies below the watermark:
 *
 * <ul>
 * <li>a value that needs a commit cell and has none is settled: the commit table knows its commit timestamp, which is then written beside
 *     it (HealLeftover); or it does not, and the region does not have the commit cell elsewhere, in the memstore or in
 *     a newer file, either (InspectLeftover): then the value goes (CleanLeftover);
 * <li>so is the last of a transaction's levels of a column. An earlier one (specs/Checkpoints.tla) gets no commit cell: it goes when its
 *     transaction can no longer commit, or when the last one is committed (DropLevel);
 * <li>of the committed versions the newest stays, older ones go (CollectVersion);
 * <li>if that newest one is a tombstone and the region has nothing older of that column, it goes too (CollectTombstone).
 *     Where there was something older it takes the next compaction;
 * <li>a commit cell or a pointer without value, in the whole region, goes.
 * </ul>
 *
 * <p>In tables with leaders (specs/Fragola.tla) there is no commit table to ask: the {@code Janitor} has settled what lies below the watermark,
 * and what still has no commit cell stays. The marker of a leader goes with those commit cells that have no value (CollectEntry).
 *
 * <p>Anything in doubt stays, and rows with a commit cell that holds no timestamp stay whole. Only cells of this compaction are dropped, and only for reasons that are themselves in this
 * compaction, so that a crash or a failed compaction loses nothing. A row's cells of the family are held in memory.
 */
final class CompactionScanner implements InternalScanner, Shipper {

    private static final Logger LOG = LoggerFactory.getLogger(CompactionScanner.class);

    private final InternalScanner scanner;
    private final Region region;
    private final Versions versions;
    private final HBaseCommitTable commitTable;
    private final long watermark;
    private final BeforeHealing beforeHealing;
    private boolean commitTableAnswers = true;
    private long dropped;
    private long healed;
    private long unreadable;

    /** Told the commit timestamp of each commit cell before it is written. */
    interface BeforeHealing {
        void commit(long commitTs) throws IOException;
    }

    /**
     * @param versions    of the table
     * @param commitTable null where commit entries are with leaders
     */
    CompactionScanner(InternalScanner scanner, Region region, Versions versions, HBaseCommitTable commitTable, long watermark,
            BeforeHealing beforeHealing) {
        this.scanner = scanner;
        this.region = region;
        this.versions = versions;
        this.commitTable = commitTable;
        this.watermark = watermark;
        this.beforeHealing = beforeHealing;
    }

    /** Whatever the limits, a whole row: its commit cells come after its values. */
    @Override
    public boolean next(List<Cell> result, ScannerContext limits) throws IOException {
        List<Cell> row = new ArrayList<>();
        boolean more = scanner.next(row);
        result.addAll(settle(row));
        return more;
    }

    /** The columns of one row: values newest first, commit cells by version. */
    private final class Column {
        private final List<Cell> values = new ArrayList<>();
        private final Map<Long, Cell> commitCells = new HashMap<>();
        private final Map<Long, Cell> pointers = new HashMap<>();

        boolean isCommitted(Cell value) {
            return commitTs(value) != Timestamps.NIL;
        }

        long commitTs(Cell value) {
            return Layout.commitTsIfReadable(value.getTimestamp(), commitCells.get(value.getTimestamp()), versions);
        }
    }

    /** What is to change in a row. */
    private final class Changes {
        private final Set<Cell> drops = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<Cell> heals = new ArrayList<>();

        List<Cell> apply(List<Cell> row) {
            if (drops.isEmpty() && heals.isEmpty()) {
                return row;
            }
            List<Cell> kept = new ArrayList<>(row);
            kept.addAll(heals);
            kept.removeIf(drops::contains);
            kept.sort(CellComparator.getInstance());
            dropped += drops.size();
            healed += heals.size();
            return kept;
        }
    }

    private List<Cell> settle(List<Cell> row) throws IOException {
        Map<byte[], Column> columns = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        for (Cell cell : row) {
            if (cell.getType() == Cell.Type.Put && cell.getTimestamp() < watermark) {
                Column column = columns.computeIfAbsent(Layout.userQualifier(cell), q -> new Column());
                if (Layout.isCommitCell(cell) && !Layout.isReadable(cell) && !(commitTable == null && Layout.isMarker(cell))) {
                    return unreadable(cell, row);
                } else if (Layout.isCommitCell(cell)) {
                    column.commitCells.put(cell.getTimestamp(), cell);
                } else if (Layout.isPointerCell(cell)) {
                    column.pointers.put(cell.getTimestamp(), cell);
                } else {
                    column.values.add(cell);
                }
            }
        }
        Changes changes = new Changes();
        settleLeftovers(columns, changes);
        for (Column column : columns.values()) {
            collectVersions(column, changes);
            dropHeadless(column, column.commitCells, changes);
            dropHeadless(column, column.pointers, changes);
        }
        return changes.apply(row);
    }

    /** It stays as it is, for somebody to look at. One of them is told of, lest they fill the log. */
    private List<Cell> unreadable(Cell commitCell, List<Cell> row) {
        if (unreadable++ == 0) {
            LOG.warn("Compaction keeps a row as it is: {}",
                    new UnreadableCellException(region.getTableDescriptor().getTableName(), commitCell, "commit timestamp").getMessage());
        }
        return row;
    }

    // ---- values without commit cell

    private void settleLeftovers(Map<byte[], Column> columns, Changes changes) throws IOException {
        long[] writers = columns.values().stream()
                .flatMapToLong(column -> column.values.stream().filter(value -> !column.isCommitted(value))
                        .mapToLong(value -> versions.writerOf(value.getTimestamp())))
                .distinct().toArray();
        Map<Long, Long> entries = entries(writers);
        for (Column column : columns.values()) {
            for (Cell value : column.values) {
                Long entry = column.isCommitted(value) ? null : entries.get(versions.writerOf(value.getTimestamp()));
                if (entry != null) {
                    settleLeftover(column, value, entry, changes);
                }
            }
        }
    }

    /** Commit-table entries by writer; empty if the commit table does not answer. */
    private Map<Long, Long> entries(long[] writers) {
        Map<Long, Long> entries = new HashMap<>();
        if (writers.length > 0 && commitTable != null && commitTableAnswers) {
            try {
                long[] found = commitTable.get(writers);
                for (int i = 0; i < writers.length; i++) {
                    entries.put(writers[i], found[i]);
                }
            } catch (StoreException e) {
                commitTableAnswers = false; // every further row would wait for it in vain
                LOG.warn("Compaction of {} keeps leftovers from here on: {}",
                        region.getRegionInfo().getEncodedName(), e.getMessage());
            }
        }
        return entries;
    }

    private void settleLeftover(Column column, Cell value, long entry, Changes changes) throws IOException {
        if (Timestamps.isTimestamp(entry) && !isLastLevel(value)) {
            return; // until the last one has its commit cell
        }
        if (Timestamps.isTimestamp(entry)) {
            beforeHealing.commit(entry);
            Cell commitCell = commitCell(value, entry);
            column.commitCells.put(value.getTimestamp(), commitCell);
            changes.heals.add(commitCell);
        } else if (!regionHasCommitCell(value)) {
            changes.drops.add(value);
        }
    }

    /** Guard: only last levels get a commit cell. Later ones may be elsewhere in the region. */
    private boolean isLastLevel(Cell value) throws IOException {
        long end = versions.writerOf(value.getTimestamp()) + versions.levels();
        return value.getTimestamp() + 1 == end || read(value, CellUtil.cloneQualifier(value), value.getTimestamp() + 1, end).isEmpty();
    }

    /** Asked after the commit table: an entry may be gone because the commit cell has been written since. */
    private boolean regionHasCommitCell(Cell value) throws IOException {
        byte[] qualifier = Layout.commitQualifier(CellUtil.cloneQualifier(value));
        return !read(value, qualifier, value.getTimestamp(), value.getTimestamp() + 1).isEmpty();
    }

    // ---- committed versions

    private void collectVersions(Column column, Changes changes) throws IOException {
        Cell newest = null;
        long committed = Timestamps.NIL;
        for (Cell value : column.values) {
            long writer = versions.writerOf(value.getTimestamp());
            if (writer == committed) { // an earlier level
                drop(column, value, changes);
                continue;
            }
            if (!column.isCommitted(value)) {
                continue;
            }
            committed = writer;
            if (newest != null) {
                drop(column, value, changes);
            } else if (column.commitTs(value) < watermark) {
                newest = value;
            }
        }
        if (newest != null && Layout.isTombstone(newest) && regionHasNothingBelow(newest)) {
            drop(column, newest, changes);
        }
    }

    private static void drop(Column column, Cell value, Changes changes) {
        changes.drops.add(value);
        dropBeside(column.commitCells.get(value.getTimestamp()), changes);
        dropBeside(column.pointers.get(value.getTimestamp()), changes);
    }

    private static void dropBeside(Cell cell, Changes changes) {
        if (cell != null) {
            changes.drops.add(cell);
        }
    }

    private boolean regionHasNothingBelow(Cell tombstone) throws IOException {
        byte[] qualifier = CellUtil.cloneQualifier(tombstone);
        return read(tombstone, qualifier, 0, tombstone.getTimestamp()).isEmpty()
                && read(tombstone, Layout.commitQualifier(qualifier), 0, tombstone.getTimestamp()).isEmpty();
    }

    /** @param beside commit cells or pointers of the column */
    private void dropHeadless(Column column, Map<Long, Cell> beside, Changes changes) throws IOException {
        Set<Long> found = new HashSet<>();
        column.values.forEach(value -> found.add(value.getTimestamp()));
        for (Cell cell : beside.values()) {
            long version = cell.getTimestamp();
            if (!found.contains(version) && read(cell, Layout.userQualifier(cell), version, version + 1).isEmpty()) {
                changes.drops.add(cell);
            }
        }
    }

    // ---- cells

    private Result read(Cell cell, byte[] qualifier, long lowest, long end) throws IOException {
        return Result.create(region.get(new Get(CellUtil.cloneRow(cell)).addColumn(CellUtil.cloneFamily(cell), qualifier)
                .setTimeRange(lowest, end), false));
    }

    private static Cell commitCell(Cell value, long commitTs) {
        return new KeyValue(CellUtil.cloneRow(value), CellUtil.cloneFamily(value),
                Layout.commitQualifier(CellUtil.cloneQualifier(value)), value.getTimestamp(), Bytes.toBytes(commitTs));
    }

    @Override
    public void shipped() throws IOException {
        if (scanner instanceof Shipper shipper) {
            shipper.shipped();
        }
    }

    @Override
    public void close() throws IOException {
        LOG.debug("Compaction of {} at watermark {}: {} cells dropped, {} commit cells healed, {} rows unreadable",
                region.getRegionInfo().getEncodedName(), watermark, dropped, healed, unreadable);
        scanner.close();
    }
}
