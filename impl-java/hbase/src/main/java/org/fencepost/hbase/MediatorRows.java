package org.fencepost.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.Version;

/** How transactions of Mediator read a table: whole rows, of which the requested columns are returned. */
final class MediatorRows implements TransactionalTable.Rows {

    private final Mediator<RowKey, List<Cell>> mediator;
    private final TableName name;

    MediatorRows(Mediator<RowKey, List<Cell>> mediator, TableName name) {
        this.mediator = mediator;
        this.name = name;
    }

    /** In one round trip per region server, unless something is due. */
    @Override
    public List<List<Cell>> get(Transaction tx, Requests requests, List<Get> gets) {
        gets.forEach(requests::check);
        MediatorState state = (MediatorState) tx.protocol();
        List<RowKey> keys = gets.stream().map(get -> new RowKey(name, get.getRow())).toList();
        Map<RowKey, Version<List<Cell>>> found = mediator.read(state.tx(), keys.stream().distinct().toList());
        List<List<Cell>> rows = new ArrayList<>(gets.size());
        for (int i = 0; i < gets.size(); i++) {
            rows.add(row(state, keys.get(i), found.get(keys.get(i)), gets.get(i)));
        }
        return rows;
    }

    /** @param stored null for none */
    private List<Cell> row(MediatorState state, RowKey key, Version<List<Cell>> stored, Get get) {
        NavigableMap<CellKey, Cell> columns = new TreeMap<>(CellKey.COLUMN_ORDER);
        if (stored != null) {
            for (Cell cell : stored.value()) {
                CellKey column = new CellKey(name, key.row(), CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
                columns.put(column, RowReader.cell(column, CellUtil.cloneValue(cell)));
            }
        }
        state.ownWrites(key).forEach((column, write) -> {
            if (write.isTombstone()) {
                columns.remove(column);
            } else {
                columns.put(column, RowReader.cell(column, write.value()));
            }
        });
        columns.keySet().removeIf(column -> !RowReader.isRequested(get.getFamilyMap(), column));
        return new ArrayList<>(columns.values());
    }

    /** The status oracle's filters do not tell which rows of a range are due, and nobody is checked for rows that he missed. */
    @Override
    public ResultScanner scan(Transaction tx, Requests requests, Scan scan) {
        throw new IllegalArgumentException("Mediator's transactions do not scan: get the rows, or scan natively.");
    }
}
