package org.fencepost.hbase;

import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A key of Mediator: one row of one table, with all its columns. A native put of several columns is one put of one key. The
 * array is neither copied nor to be changed.
 */
record RowKey(TableName table, byte[] row) {

    /** What the status oracle compares. */
    long hash() {
        return new CellKey(table, row, null, null).rowHash();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey that && Arrays.equals(row, that.row) && table.equals(that.table);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(row);
    }

    @Override
    public String toString() {
        return table + "/" + Bytes.toStringBinary(row);
    }
}
