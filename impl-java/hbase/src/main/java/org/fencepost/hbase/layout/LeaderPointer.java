package org.fencepost.hbase.layout;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What the pointer cell of a record holds (Fragola section 3.2): nothing if the record is its transaction's leader; otherwise the leader's
 * table, row, family and qualifier, the first three each after its length in two bytes. The table is left out where it is the record's own.
 */
public final class LeaderPointer {

    /** The pointer of a leader. */
    private static final byte[] SELF = {};
    private static final byte[] SAME_TABLE = {};

    private LeaderPointer() {
    }

    /** The pointer of a key's record. */
    public static byte[] encode(CellKey key, CellKey leader) {
        if (key.equals(leader)) {
            return SELF;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        add(bytes, leader.table().equals(key.table()) ? SAME_TABLE : leader.table().getName());
        add(bytes, leader.row());
        add(bytes, leader.family());
        bytes.writeBytes(leader.qualifier());
        return bytes.toByteArray();
    }

    private static void add(ByteArrayOutputStream bytes, byte[] part) {
        bytes.writeBytes(Bytes.toBytes((short) part.length));
        bytes.writeBytes(part);
    }

    public static boolean isLeader(Cell pointer) {
        return pointer.getValueLength() == 0;
    }

    /** Whether {@link #decode} can tell where the leader is. */
    public static boolean isReadable(TableName table, Cell pointer) {
        try {
            decode(table, pointer);
            return true;
        } catch (UnreadableCellException e) {
            return false;
        }
    }

    /**
     * The leader of a record; null if it is the record itself.
     *
     * @param table   of the pointer cell
     * @param pointer a pointer cell
     * @throws UnreadableCellException if it cannot be one's
     */
    public static CellKey decode(TableName table, Cell pointer) {
        if (isLeader(pointer)) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(CellUtil.cloneValue(pointer));
        try {
            byte[] name = next(bytes);
            byte[] row = next(bytes);
            byte[] family = next(bytes);
            byte[] qualifier = new byte[bytes.remaining()];
            bytes.get(qualifier);
            if (row.length == 0 || row.length > HConstants.MAX_ROW_LENGTH || family.length == 0 || family.length > Byte.MAX_VALUE
                    || Layout.isReserved(qualifier)) {
                throw new UnreadableCellException(table, pointer, "pointer to a leader");
            }
            return new CellKey(name.length == 0 ? table : TableName.valueOf(name), row, family, qualifier);
        } catch (BufferUnderflowException | IllegalArgumentException e) { // TableName's
            throw new UnreadableCellException(table, pointer, "pointer to a leader");
        }
    }

    private static byte[] next(ByteBuffer bytes) {
        int length = bytes.getShort();
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        bytes.get(part);
        return part;
    }
}
