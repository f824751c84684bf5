package org.fencepost.hbase;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.HConstants;
import org.fencepost.protocol.Transaction.Status;
import org.fencepost.protocol.Write;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorTransaction;
import org.fencepost.tm.RemoteOracle;

/** A transaction of Mediator. Its writes are gathered by row, and go to the protocol when it commits. */
final class MediatorState implements ClientTransaction {

    /** What the log takes, at most; and what a column adds to its own bytes there, at most. */
    private static final long LOG_BYTES = RemoteOracle.LARGEST_WRITES;
    private static final long COLUMN_BYTES = 64;

    private final Mediator<RowKey, List<Cell>> mediator;
    private final MediatorTransaction<RowKey, List<Cell>> tx;
    private final Map<RowKey, NavigableMap<CellKey, Write<byte[]>>> writes = new LinkedHashMap<>();
    private long bytes;

    MediatorState(Mediator<RowKey, List<Cell>> mediator) {
        this.mediator = mediator;
        this.tx = mediator.begin();
    }

    MediatorTransaction<RowKey, List<Cell>> tx() {
        return tx;
    }

    /** Those of a row so far, by column. */
    NavigableMap<CellKey, Write<byte[]>> ownWrites(RowKey key) {
        return writes.getOrDefault(key, Collections.emptyNavigableMap());
    }

    @Override
    public long startTs() {
        return tx.startTs();
    }

    @Override
    public long commitTs() {
        return tx.commitTs();
    }

    @Override
    public Status status() {
        return tx.status();
    }

    /** Throws IllegalArgumentException if the log has no room for it. */
    @Override
    public void buffer(CellKey key, Write<byte[]> write) {
        long more = COLUMN_BYTES + key.table().getName().length + 2L * key.row().length + key.family().length
                + key.qualifier().length + (write.isTombstone() ? 0 : write.value().length);
        if (bytes + more > LOG_BYTES) {
            throw new IllegalArgumentException("Transaction " + startTs() + " would have more than " + LOG_BYTES
                    + " bytes in the log: split it.");
        }
        bytes += more;
        writes.computeIfAbsent(new RowKey(key.table(), key.row()), row -> new TreeMap<>(CellKey.COLUMN_ORDER)).put(key, write);
    }

    @Override
    public void commit() {
        writes.forEach((row, columns) -> mediator.txPut(tx, row,
                columns.entrySet().stream().map(column -> cell(column.getKey(), column.getValue())).toList()));
        mediator.commit(tx);
    }

    private static Cell cell(CellKey key, Write<byte[]> write) {
        return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(key.row()).setFamily(key.family())
                .setQualifier(key.qualifier()).setTimestamp(HConstants.LATEST_TIMESTAMP)
                .setType(write.isTombstone() ? Cell.Type.DeleteColumn : Cell.Type.Put)
                .setValue(write.isTombstone() ? HConstants.EMPTY_BYTE_ARRAY : write.value()).build();
    }

    @Override
    public void rollback() {
        mediator.rollback(tx);
    }
}
