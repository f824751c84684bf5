package org.fencepost.hbase.layout;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.store.UnreadableRecordException;

/** A stored cell that Fencepost cannot have written, since what it holds makes no sense: nobody can say what is committed there. */
public final class UnreadableCellException extends UnreadableRecordException {

    static final String PAST_FENCEPOST = "somebody has written past Fencepost";

    /** @param what it should hold */
    public UnreadableCellException(TableName table, Cell cell, String what) {
        super("HBase table " + table + ", row " + Bytes.toStringBinary(CellUtil.cloneRow(cell)) + ", column "
                + Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":" + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
                + " at " + cell.getTimestamp() + " holds " + cell.getValueLength() + " bytes that are no " + what
                + ": " + PAST_FENCEPOST + ", remove or repair that cell.");
    }
}
