package org.fencepost.hbase.layout;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A key of the protocol: one column of one row of one table. Its versions are HBase's cells under that column.
 * The arrays are neither copied nor to be changed.
 */
public final class CellKey {

    /** The order of columns within a row. */
    public static final Comparator<CellKey> COLUMN_ORDER = Comparator.comparing(CellKey::family, Bytes.BYTES_COMPARATOR)
            .thenComparing(CellKey::qualifier, Bytes.BYTES_COMPARATOR);

    private final TableName table;
    private final byte[] row;
    private final byte[] family;
    private final byte[] qualifier;

    public CellKey(TableName table, byte[] row, byte[] family, byte[] qualifier) {
        this.table = table;
        this.row = row;
        this.family = family;
        this.qualifier = qualifier;
    }

    public TableName table() {
        return table;
    }

    public byte[] row() {
        return row;
    }

    public byte[] family() {
        return family;
    }

    public byte[] qualifier() {
        return qualifier;
    }

    /** What the transaction manager compares when conflicts are per row: equal for all columns of a row. */
    public long rowHash() {
        return mix(add(add(17, table.getName()), row));
    }

    /** What the transaction manager compares when conflicts are per cell. */
    public long cellHash() {
        return mix(add(add(add(add(17, table.getName()), row), family), qualifier));
    }

    /** What a fence of the table is put on, and named by transactions that write it. */
    public static long tableId(TableName table) {
        return mix(add(19, table.getName()));
    }

    /** Of the tables that keys are in, each once. */
    public static long[] tableIds(Collection<CellKey> keys) {
        return keys.stream().map(CellKey::table).distinct().mapToLong(CellKey::tableId).toArray();
    }

    /** The length goes in as well, so that bytes cannot wander from one component into the next unnoticed. */
    private static long add(long hash, byte[] bytes) {
        long sum = hash * 31 + bytes.length;
        for (byte b : bytes) {
            sum = (sum ^ (b & 0xff)) * 0x100000001b3L;
        }
        return sum;
    }

    private static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CellKey that && Arrays.equals(qualifier, that.qualifier)
                && Arrays.equals(row, that.row) && Arrays.equals(family, that.family) && table.equals(that.table);
    }

    @Override
    public int hashCode() {
        return (Arrays.hashCode(row) * 31 + Arrays.hashCode(family)) * 31 + Arrays.hashCode(qualifier);
    }

    @Override
    public String toString() {
        return table + "/" + Bytes.toStringBinary(row) + "/" + Bytes.toStringBinary(family) + ":"
                + Bytes.toStringBinary(qualifier);
    }
}
