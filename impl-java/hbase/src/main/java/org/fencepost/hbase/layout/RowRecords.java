package org.fencepost.hbase.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Record;

/**
 * Turns the cells of one row, as HBase returned them, into records: pairs each value cell with the commit cell of the
 * same version, if it needs one, and with its pointer cell, if it has one. Such cells without value cell are dropped.
 */
public final class RowRecords {

    private final Map<CellKey, List<Cell>> valueCells = new LinkedHashMap<>();
    private final Map<CellKey, Map<Long, Cell>> commitCells = new HashMap<>();
    private final Map<CellKey, Map<Long, Cell>> pointerCells = new HashMap<>();
    private final TableName table;
    private final Versions versions;

    private RowRecords(TableName table, Versions versions) {
        this.table = table;
        this.versions = versions;
    }

    /**
     * The records of each column, newest first.
     *
     * @param versions of the table
     * @throws UnreadableCellException if a commit cell holds no timestamp, or if the pointer of a record without makes no sense
     */
    public static Map<CellKey, List<Record<byte[]>>> of(TableName table, Versions versions, Result row) {
        RowRecords cells = new RowRecords(table, versions);
        if (!row.isEmpty()) {
            for (Cell cell : row.rawCells()) {
                cells.add(row.getRow(), cell);
            }
        }
        return cells.records();
    }

    private void add(byte[] row, Cell cell) {
        CellKey key = new CellKey(table, row, CellUtil.cloneFamily(cell), Layout.userQualifier(cell));
        if (Layout.isCommitCell(cell)) {
            commitCells.computeIfAbsent(key, k -> new HashMap<>()).put(cell.getTimestamp(), cell);
        } else if (Layout.isPointerCell(cell)) {
            pointerCells.computeIfAbsent(key, k -> new HashMap<>()).put(cell.getTimestamp(), cell);
        } else {
            valueCells.computeIfAbsent(key, k -> new ArrayList<>()).add(cell);
        }
    }

    private Map<CellKey, List<Record<byte[]>>> records() {
        Map<CellKey, List<Record<byte[]>>> records = new LinkedHashMap<>();
        valueCells.forEach((key, cells) -> {
            Map<Long, Cell> commitCellOf = commitCells.getOrDefault(key, Map.of());
            Map<Long, Cell> pointerOf = pointerCells.getOrDefault(key, Map.of());
            List<Record<byte[]>> column = new ArrayList<>(cells.size());
            for (Cell cell : cells) {
                column.add(record(cell, commitCellOf.get(cell.getTimestamp()), pointerOf.get(cell.getTimestamp())));
            }
            records.put(key, column);
        });
        return records;
    }

    /** A leader's marker is no commit cell to readers. Where there is a timestamp, nobody asks for the leader. */
    private Record<byte[]> record(Cell value, Cell commitCell, Cell pointer) {
        long version = value.getTimestamp();
        boolean marked = pointer != null && commitCell != null && Layout.isMarker(commitCell);
        long commitTs = marked ? Timestamps.NIL : Layout.commitTs(table, version, commitCell, versions);
        return new Record<>(version, Layout.decode(value), commitTs,
                pointer == null || commitTs != Timestamps.NIL ? null : LeaderPointer.decode(table, pointer));
    }
}
