package org.fencepost.hbase.layout;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** What goes between clients and the region servers of a commit table, and how it is answered. */
public final class CommitTableRequest {

    /** In place of a watermark: the one that was raised by mistake goes back to where the transaction manager is. */
    public static final long RESET = -1;
    /** In place of a watermark: the region is bound to the transaction manager that its server has now. */
    public static final long BIND = -2;

    private static final String INVALIDATE = "fencepost.invalidate";
    private static final String BOUND = "fencepost.binding";
    private static final byte[] MARK = {};
    private static final byte[] NEVER = {'n'};

    private CommitTableRequest() {
    }

    /** The request that the coprocessor serves: put an entry, or raise the watermark if the row is a watermark's. */
    public static CheckAndMutate request(byte[] row, long entry) {
        Put put = new Put(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, Bytes.toBytes(entry));
        return CheckAndMutate.newBuilder(row).ifEquals(CommitRows.FAMILY, NEVER, NEVER).build(put);
    }

    /** The request of a reader: put INVALIDATED. */
    public static Get invalidation(byte[] row) {
        Get get = new Get(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN);
        get.setAttribute(INVALIDATE, MARK);
        return get;
    }

    /** A get of a shard's binding, after it has been bound. */
    public static Get binding(byte[] watermarkRow) {
        Get get = storedBinding(watermarkRow);
        get.setAttribute(BOUND, MARK);
        return get;
    }

    /** A get of a shard's binding as it is. */
    public static Get storedBinding(byte[] watermarkRow) {
        return new Get(watermarkRow).addColumn(CommitRows.FAMILY, Binding.IDENTITY).addColumn(CommitRows.FAMILY, Binding.FLOOR);
    }

    /** The previous entry (or COLLECTED, or for a watermark its previous value) in the answer to a request. */
    public static long answer(Result answer, String table) {
        if (answer == null || answer.isEmpty() || !CellUtil.matchingQualifier(answer.rawCells()[0], NEVER)) {
            throw new InvalidTableException("HBase table " + table + " has lost its coprocessor "
                    + Coprocessors.COMMIT_TABLE + ": add it to the table's description again.");
        }
        return Bytes.toLong(CellUtil.cloneValue(answer.rawCells()[0]));
    }

    // ---- on region servers

    public static boolean isInvalidation(Get get) {
        return get.getAttribute(INVALIDATE) != null;
    }

    public static boolean asksForBinding(Get get) {
        return get.getAttribute(BOUND) != null;
    }

    public static Cell answer(byte[] row, long previous) {
        return Layout.cell(row, CommitRows.FAMILY, NEVER, 0, Cell.Type.Put, Bytes.toBytes(previous));
    }
}
