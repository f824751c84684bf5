package org.fencepost.hbase.layout;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Write;

/**
 * How a record lies in HBase (VLDB'18 Fig. 2).
 *
 * <p>The value cell stands under the user's qualifier, with the start timestamp of its writer as HBase timestamp and
 * the user's bytes as they are. The commit cell stands beside it, at the same timestamp, under the qualifier with a
 * suffix appended; its value is the commit timestamp. A tombstone is a value cell that holds a marker, so that within a
 * transaction a put and a delete of a column replace each other.
 *
 * <p>In a table with leaders (Fragola section 3.2) there is a third cell, under another suffix, which tells where the writer's commit entry
 * is: see {@link LeaderPointer}. The commit entry is the leader's commit cell, and holds the invalidation marker if the writer was aborted.
 *
 * <p>A record of the fast path is its value cell alone. It is committed at its version, which tells that it is one:
 * see {@link Versions}.
 *
 * <p>The API keeps users from qualifiers with the suffixes and from values equal to the marker. Both are long and odd
 * enough that nobody meets them by accident.
 */
public final class Layout {

    /** Versions of a column fetched at once. The newest is nearly always the one; a second round trip gets the others. */
    public static final int PAGE = 3;
    /** Begins with 0: no printable qualifier sorts between a column and its commit column. */
    private static final byte[] COMMIT_SUFFIX = {0, 'f', 'p', 'c'};
    /** Of the same length; behind the commit column. */
    private static final byte[] POINTER_SUFFIX = {0, 'f', 'p', 'l'};
    /** The invalidation marker in a leader's commit cell: no timestamp is so short. */
    private static final byte[] MARKER = {(byte) 0xff};

    private static final byte[] TOMBSTONE = {
            (byte) 0xf5, 'f', 'e', 'n', 'c', 'e', 'p', 'o', 's', 't', 0, (byte) 0x9e, (byte) 0xd1, 0x43, (byte) 0xb7, 0x2c};

    private Layout() {
    }

    public static byte[] commitQualifier(byte[] qualifier) {
        return Bytes.add(qualifier, COMMIT_SUFFIX);
    }

    public static byte[] pointerQualifier(byte[] qualifier) {
        return Bytes.add(qualifier, POINTER_SUFFIX);
    }

    /**
     * What to ask for, as a read names it, with the columns of the other cells of records.
     *
     * @param leaders whether records have pointers to their leaders
     */
    public static Map<byte[], NavigableSet<byte[]>> wholeRecords(Map<byte[], NavigableSet<byte[]>> families, boolean leaders) {
        Map<byte[], NavigableSet<byte[]>> wide = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        families.forEach((family, qualifiers) -> {
            if (qualifiers == null || qualifiers.isEmpty()) {
                wide.put(family, null);
                return;
            }
            NavigableSet<byte[]> all = new TreeSet<>(qualifiers);
            qualifiers.forEach(qualifier -> all.add(commitQualifier(qualifier)));
            if (leaders) {
                qualifiers.forEach(qualifier -> all.add(pointerQualifier(qualifier)));
            }
            wide.put(family, all);
        });
        return wide;
    }

    /** Whether no user's column can have it. */
    public static boolean isReserved(byte[] qualifier) {
        return endsWith(COMMIT_SUFFIX, qualifier, 0, qualifier.length) || endsWith(POINTER_SUFFIX, qualifier, 0, qualifier.length);
    }

    public static boolean isCommitCell(Cell cell) {
        return endsWith(COMMIT_SUFFIX, cell);
    }

    public static boolean isPointerCell(Cell cell) {
        return endsWith(POINTER_SUFFIX, cell);
    }

    /** Whether it is a user's column: neither commit cell nor pointer cell. */
    public static boolean isValueCell(Cell cell) {
        return !isCommitCell(cell) && !isPointerCell(cell);
    }

    /** Whether it is the commit cell of this value cell of the same row. */
    public static boolean isCommitCellOf(Cell cell, Cell value) {
        int length = value.getQualifierLength();
        return cell.getTimestamp() == value.getTimestamp() && cell.getQualifierLength() == length + COMMIT_SUFFIX.length
                && isCommitCell(cell) && CellUtil.matchingFamily(cell, value)
                && Arrays.equals(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierOffset() + length,
                        value.getQualifierArray(), value.getQualifierOffset(), value.getQualifierOffset() + length);
    }

    private static boolean endsWith(byte[] suffix, Cell cell) {
        return endsWith(suffix, cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    }

    private static boolean endsWith(byte[] suffix, byte[] array, int offset, int length) {
        int end = offset + length;
        return length >= suffix.length && Arrays.equals(array, end - suffix.length, end, suffix, 0, suffix.length);
    }

    /** The user's qualifier of a value cell, a commit cell or a pointer cell. */
    public static byte[] userQualifier(Cell cell) {
        int length = cell.getQualifierLength() - (isValueCell(cell) ? 0 : COMMIT_SUFFIX.length);
        return Arrays.copyOfRange(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierOffset() + length);
    }

    /**
     * The commit timestamp of the record of that version; NIL if it is tentative, as far as its cells tell.
     *
     * @param commitCell null if there is none
     * @param versions   of the table
     * @throws UnreadableCellException if the commit cell holds none
     */
    public static long commitTs(TableName table, long version, Cell commitCell, Versions versions) {
        return versions.isFast(version) ? version : commitCell == null ? Timestamps.NIL : commitTs(table, commitCell);
    }

    /** The same, and NIL where the commit cell holds none: for those who leave it to the reader to complain. */
    public static long commitTsIfReadable(long version, Cell commitCell, Versions versions) {
        return versions.isFast(version) ? version : commitCell == null || !isReadable(commitCell) ? Timestamps.NIL : number(commitCell);
    }

    /** Throws UnreadableCellException if it holds none. */
    public static long commitTs(TableName table, Cell commitCell) {
        if (!isReadable(commitCell)) {
            throw new UnreadableCellException(table, commitCell, "commit timestamp");
        }
        return number(commitCell);
    }

    /** Whether it holds a number that a writer of this version can have committed at: a blind one at the version itself. */
    public static boolean isReadable(Cell commitCell) {
        return commitCell.getValueLength() == Long.BYTES && number(commitCell) >= commitCell.getTimestamp();
    }

    /** Whether a client may put it: what is committed at the version itself comes from a batch, whose commit cells the server adds. */
    static boolean isPostCommit(Cell commitCell) {
        return isReadable(commitCell) && number(commitCell) > commitCell.getTimestamp();
    }

    /** Whether this commit cell is a leader's that holds the invalidation marker. */
    public static boolean isMarker(Cell commitCell) {
        return CellUtil.matchingValue(commitCell, MARKER);
    }

    /** The same of a cell that HBase's KeyOnlyFilter has left the length of the value. */
    public static boolean isLengthOfMarker(Cell commitCell) {
        return CellUtil.matchingValue(commitCell, Bytes.toBytes(MARKER.length));
    }

    /** What a leader's commit cell holds. Throws UnreadableCellException if it can be no entry. */
    public static long entry(TableName table, Cell commitCell) {
        return isMarker(commitCell) ? Timestamps.INVALIDATED : commitTs(table, commitCell);
    }

    /** @param entry a commit timestamp or INVALIDATED */
    public static byte[] encodeEntry(long entry) {
        return entry == Timestamps.INVALIDATED ? MARKER : Bytes.toBytes(entry);
    }

    private static long number(Cell cell) {
        return Bytes.toLong(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    }

    public static boolean isTombstone(byte[] value) {
        return Arrays.equals(value, TOMBSTONE);
    }

    public static boolean isTombstone(Cell valueCell) {
        return CellUtil.matchingValue(valueCell, TOMBSTONE);
    }

    /** The bytes of a value cell. */
    public static byte[] encode(Write<byte[]> write) {
        return write.isTombstone() ? TOMBSTONE : write.value();
    }

    /** The value in a value cell; null for a tombstone. */
    public static byte[] decode(Cell valueCell) {
        return isTombstone(valueCell) ? null : CellUtil.cloneValue(valueCell);
    }

    public static Iterable<Cell> cells(Mutation mutation) {
        return () -> mutation.getFamilyCellMap().values().stream().flatMap(List::stream).iterator();
    }

    /** A cell of these very arrays. */
    public static Cell cell(byte[] row, byte[] family, byte[] qualifier, long ts, Cell.Type type, byte[] value) {
        return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row).setFamily(family).setQualifier(qualifier)
                .setTimestamp(ts).setType(type).setValue(value).build();
    }
}
