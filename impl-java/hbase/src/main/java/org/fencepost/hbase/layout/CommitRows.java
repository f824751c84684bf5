package org.fencepost.hbase.layout;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.UnreadableRecordException;

/**
 * The rows of the commit table. An entry's key is a shard byte, drawn from the bits of the start timestamp so that
 * consecutive transactions go to different shards, and the start timestamp. The shard's watermark has the key of
 * timestamp 0, which no transaction has. Entries and watermarks are 8 bytes in one column; beside the watermark is the shard's
 * {@link Binding}.
 */
public final class CommitRows {

    public static final byte[] FAMILY = {'c'};
    public static final byte[] COLUMN = {'e'};
    /** Where the table descriptor keeps the number of shards, fixed for the table's life. */
    public static final String SHARDS = "fencepost.shards";
    public static final int MAX_SHARDS = 256;

    private static final int KEY_LENGTH = 1 + Long.BYTES;

    private final int shards;

    public CommitRows(int shards) {
        if (shards < 1 || shards > MAX_SHARDS) {
            throw new IllegalArgumentException("A commit table has 1 to " + MAX_SHARDS + " shards, not " + shards + ".");
        }
        this.shards = shards;
    }

    static CommitRows of(TableDescriptor table) {
        String shards = table.getValue(SHARDS);
        if (shards == null) {
            throw new InvalidTableException("HBase table " + table.getTableName()
                    + " is not a commit table: create one with Tables.createCommitTable.");
        }
        return new CommitRows(Integer.parseInt(shards));
    }

    public int shards() {
        return shards;
    }

    /** Multiplication spreads neighbouring timestamps; its upper bits are the mixed ones. */
    private int shardOf(long startTs) {
        long mixed = startTs * 0x9E3779B97F4A7C15L;
        return (int) (((mixed >>> 40) * shards) >>> 24);
    }

    public byte[] entryRow(long startTs) {
        return row(shardOf(startTs), startTs);
    }

    public static byte[] watermarkRow(int shard) {
        return row(shard, 0);
    }

    /** Also the bounds of a scan over a shard: its entries lie between rows 1 and the watermark. */
    public static byte[] row(int shard, long startTs) {
        byte[] row = new byte[KEY_LENGTH];
        row[0] = (byte) shard;
        Bytes.putLong(row, 1, startTs);
        return row;
    }

    /** Whether it is the key of an entry or of a watermark. */
    public static boolean isRow(byte[] row) {
        return row.length == KEY_LENGTH && Bytes.toLong(row, 1) >= 0;
    }

    /** @param row one, see {@link #isRow}; others' first numbers are no timestamps, and throw */
    public static long startTs(byte[] row) {
        if (!isRow(row)) {
            throw new UnreadableRecordException("A commit table has a row " + Bytes.toStringBinary(row)
                    + ", which is none of an entry: somebody has written past Fencepost, remove it.");
        }
        return Bytes.toLong(row, 1);
    }

    /** The row of the same shard that has its watermark. */
    public static byte[] watermarkRowOf(byte[] row) {
        return watermarkRow(Byte.toUnsignedInt(row[0]));
    }

    public static boolean isWatermarkRow(byte[] row) {
        return startTs(row) == 0;
    }

    /** Whether a row may hold this number: an outcome, or a watermark. */
    static boolean isEntry(byte[] row, long entry) {
        return isWatermarkRow(row) ? entry >= 0 : Timestamps.isTimestamp(entry) || entry == Timestamps.INVALIDATED;
    }

    /**
     * The entry in a row as it is stored, NIL if there is none.
     *
     * @throws UnreadableCellException if it is no entry
     */
    public static long entry(TableName table, Result stored) {
        if (stored.isEmpty()) {
            return Timestamps.NIL;
        }
        Cell cell = stored.rawCells()[0];
        if (cell.getValueLength() != Long.BYTES || !isEntry(stored.getRow(), Bytes.toLong(stored.value()))) {
            throw new UnreadableCellException(table, cell, "commit entry");
        }
        return Bytes.toLong(stored.value());
    }

    /** Keys that split the table into one region per shard. */
    public byte[][] splitKeys() {
        byte[][] keys = new byte[shards - 1][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = new byte[] {(byte) (i + 1)};
        }
        return keys;
    }
}
