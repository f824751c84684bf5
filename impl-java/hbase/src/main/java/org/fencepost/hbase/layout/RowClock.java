package org.fencepost.hbase.layout;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The clock of a row, with which a region server answers a put of a transaction that is certified meanwhile (specs/OnePhase.tla, HasPassed). A
 * server that knows nothing of this answers as HBase does, with nothing.
 */
public final class RowClock {

    private static final String CLOCK = "fencepost.clock";
    private static final byte[] ASKED = {'a'};
    private static final byte[] NEVER = {'n'};

    private RowClock() {
    }

    public static void ask(Put put) {
        put.setAttribute(CLOCK, ASKED);
    }

    /** Long.MAX_VALUE where the server told nothing. */
    public static long told(Object answer) {
        if (answer instanceof Result result && !result.isEmpty() && result.rawCells()[0].getValueLength() == Long.BYTES) {
            return Bytes.toLong(CellUtil.cloneValue(result.rawCells()[0]));
        }
        return Long.MAX_VALUE;
    }

    // ---- on region servers

    public static boolean isAsked(Mutation mutation) {
        return mutation instanceof Put && mutation.getAttribute(CLOCK) != null;
    }

    public static Result answer(byte[] row, long clock) {
        return Result.create(List.of(Layout.cell(row, NEVER, NEVER, 0, Cell.Type.Put, Bytes.toBytes(clock))));
    }
}
