package org.fencepost.hbase.layout;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What tables of Omid take: value cells and commit cells at the version of a transaction, and the removal of exactly such a
 * version. Clients mark what they send of these, and region servers refuse everything else, because HBase's own writes destroy
 * what is committed: a delete marker at the time of day hides versions of transactions, later ones included, and a compaction
 * then drops them; a put, an increment or an append at the time of day is a version that no transaction has.
 *
 * <p>The mark keeps accidents out, not attacks: who may write to the table may also forge it.
 */
public final class OmidWrites {

    /** Begins what a client reads when its write is refused. */
    static final String REFUSED = "A transactional table takes writes of transactions only, not ";

    private static final String MARK = "fencepost.version";
    private static final byte[] MARKED = {};

    private OmidWrites() {
    }

    public static <M extends Mutation> M mark(M mutation) {
        mutation.setAttribute(MARK, MARKED);
        return mutation;
    }

    /**
     * What a put stores as a record that is committed from the beginning, as {@code VersionedStore.putCommitted} does.
     *
     * @param commitTs later than the version
     */
    public static Put committed(Put put, long version, long commitTs) {
        Put committed = mark(new Put(put.getRow()));
        byte[] value = Bytes.toBytes(commitTs);
        for (Cell cell : Layout.cells(put)) {
            byte[] qualifier = CellUtil.cloneQualifier(cell);
            committed.addColumn(CellUtil.cloneFamily(cell), qualifier, version, CellUtil.cloneValue(cell))
                    .addColumn(CellUtil.cloneFamily(cell), Layout.commitQualifier(qualifier), version, value);
        }
        return committed;
    }

    /** On the region server. Throws unless it is marked and what its mark says. */
    public static void check(Mutation mutation) throws DoNotRetryIOException {
        if (mutation.getAttribute(MARK) == null) {
            throw outside("a native " + (mutation instanceof Put ? "put" : "delete") + " of row " + Bytes.toStringBinary(mutation.getRow()));
        }
        require(mutation.getTTL() == Long.MAX_VALUE, mutation, "a time to live");
        require(!mutation.isEmpty(), mutation, "no columns");
        for (Cell cell : Layout.cells(mutation)) {
            long version = cell.getTimestamp();
            require(version >= (mutation instanceof Delete ? 0 : 1) && version != HConstants.LATEST_TIMESTAMP, mutation, "no version");
            require(cell.getType() == (mutation instanceof Delete ? Cell.Type.Delete : Cell.Type.Put), mutation,
                    "cells of type " + cell.getType());
            require(mutation instanceof Delete || !Layout.isCommitCell(cell) || Layout.isPostCommit(cell), mutation,
                    "a commit cell without commit timestamp in column " + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)));
        }
    }

    private static void require(boolean condition, Mutation mutation, String otherwise) throws DoNotRetryIOException {
        if (!condition) {
            throw new DoNotRetryIOException("A write of a transaction to row " + Bytes.toStringBinary(mutation.getRow()) + " has "
                    + otherwise + ": use a client of the servers' version of Fencepost.");
        }
    }

    /** The refusal of what no transaction sends. */
    public static DoNotRetryIOException outside(String what) {
        return new DoNotRetryIOException(REFUSED + what
                + ": use a transaction, or upgrade a Fencepost client that is older than this region server.");
    }
}
