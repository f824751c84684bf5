package org.fencepost.hbase.layout;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.twophase.IntentStore;

/**
 * A prewrite of Omid 2PC, between clients and region servers: a check-and-mutate of one row whose own condition is one that never
 * holds, so that without the coprocessor nothing would ever be stored.
 */
public final class TwoPhaseRequest {

    private static final String PREWRITE = "fencepost.prewrite";
    private static final byte[] MARK = {};
    private static final byte[] NEVER = {'n'};

    private TwoPhaseRequest() {
    }

    /** @param put of value cells, all of one version */
    public static CheckAndMutate request(Put put) {
        put.setAttribute(PREWRITE, MARK);
        Cell first = Layout.cells(put).iterator().next();
        return FastRequest.never(put.getRow(), CellUtil.cloneFamily(first), CellUtil.cloneQualifier(first)).build(put);
    }

    /**
     * What is in the way of the row's prewrite: see {@link IntentStore#obstacle}; NIL if it was stored.
     *
     * @throws InvalidTableException if the table has no coprocessor that answers
     */
    public static long answer(CheckAndMutateResult result, TableName table) {
        if (result.getResult() == null || result.getResult().isEmpty()) {
            throw new InvalidTableException("HBase table " + table + " has lost its coprocessor "
                    + Coprocessors.TWO_PHASE + ": add it with Tables.twoPhase.");
        }
        return Bytes.toLong(CellUtil.cloneValue(result.getResult().rawCells()[0]));
    }

    // ---- on region servers

    public static boolean isPrewrite(Put put) {
        return put.getAttribute(PREWRITE) != null;
    }

    /** @param obstacle NIL: the prewrite was stored */
    public static CheckAndMutateResult answer(byte[] row, long obstacle) {
        Cell cell = Layout.cell(row, NEVER, NEVER, 0, Cell.Type.Put, Bytes.toBytes(obstacle));
        return new CheckAndMutateResult(obstacle == Timestamps.NIL, Result.create(List.of(cell)));
    }
}
