package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.SnapshotFilter;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.Write;

/**
 * How transactions of Mediator read a table: columns that are named, since nobody could tell of others whether one is due, or check them.
 */
final class MediatorRows implements TransactionalTable.Rows {

    private final Mediator<CellKey, Write<byte[]>> mediator;
    private final TableName name;

    MediatorRows(Mediator<CellKey, Write<byte[]>> mediator, TableName name) {
        this.mediator = mediator;
        this.name = name;
    }

    /** In one round trip per region server, unless something is due. */
    @Override
    public List<List<Cell>> get(Transaction tx, Requests requests, List<Get> gets) throws IOException {
        gets.forEach(requests::check);
        MediatorState state = (MediatorState) tx.protocol();
        List<List<CellKey>> asked = gets.stream().map(this::columns).toList();
        List<CellKey> stored = asked.stream().flatMap(List::stream).filter(column -> state.ownWrite(column) == null).distinct().toList();
        Map<CellKey, Version<Write<byte[]>>> found = mediator.read(state.tx(), stored);
        List<List<Cell>> rows = new ArrayList<>(gets.size());
        for (int i = 0; i < gets.size(); i++) {
            rows.add(SnapshotFilter.of(gets.get(i).getFilter(), false).apply(row(state, asked.get(i), found)));
        }
        return rows;
    }

    /** In HBase's order. */
    private List<CellKey> columns(Get get) {
        List<CellKey> columns = new ArrayList<>();
        get.getFamilyMap().forEach((family, qualifiers) -> {
            if (qualifiers == null) {
                throw unnamed(get);
            }
            qualifiers.forEach(qualifier -> columns.add(new CellKey(name, get.getRow(), family, qualifier)));
        });
        if (columns.isEmpty()) {
            throw unnamed(get);
        }
        return columns;
    }

    private IllegalArgumentException unnamed(Get get) {
        return new IllegalArgumentException("Mediator's transactions read and delete columns by name: add them to the request for row "
                + Bytes.toStringBinary(get.getRow()) + ".");
    }

    private static List<Cell> row(MediatorState state, List<CellKey> columns, Map<CellKey, Version<Write<byte[]>>> found) {
        List<Cell> cells = new ArrayList<>(columns.size());
        for (CellKey column : columns) {
            Write<byte[]> own = state.ownWrite(column);
            Write<byte[]> seen = own != null ? own : found.containsKey(column) ? found.get(column).value() : Write.tombstone();
            if (!seen.isTombstone()) {
                cells.add(RowReader.cell(column, seen.value()));
            }
        }
        return cells;
    }

    /** The status oracle's filters do not tell which rows of a range are due, and nobody is checked for rows that he missed. */
    @Override
    public ResultScanner scan(Transaction tx, Requests requests, Scan scan) {
        throw new IllegalArgumentException("Mediator's transactions do not scan: get the rows, or scan natively.");
    }
}
