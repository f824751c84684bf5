package org.fencepost.hbase.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.region.BatchRegion;

/**
 * A commit in one phase, between clients and region servers (specs/OnePhase.tla): a check-and-mutate of one row whose own condition never
 * holds, so that without the coprocessor nothing is ever stored. It puts the values of a transaction, and the server adds their commit
 * cells. The question whether it is stored looks the same and is about one of the columns.
 */
public final class BatchRequest {

    private static final String BATCH = "fencepost.batch";
    private static final byte[] NEVER = {'n'};
    private static final byte PUT = 0;
    private static final byte FIND = 1;
    private static final byte YES = -1;
    private static final byte NO = -2;

    /**
     * What a batch asks for.
     *
     * @param span     of the table, as the client knows it
     * @param commitTs of the transaction, whose start timestamp is the version of all cells
     * @param find     whether it is asked for only
     */
    public record Terms(long span, long startTs, long commitTs, boolean find) {
    }

    private BatchRequest() {
    }

    /** @param put of all values of the transaction, in one row */
    public static CheckAndMutate put(Put put, long span, long commitTs) {
        return request(put, span, commitTs, PUT);
    }

    /** @param key of any of the columns */
    public static CheckAndMutate find(CellKey key, long span, long startTs, long commitTs) {
        Put put = OmidWrites.mark(new Put(key.row()).addColumn(key.family(), key.qualifier(), startTs, HConstants.EMPTY_BYTE_ARRAY));
        return request(put, span, commitTs, FIND);
    }

    private static CheckAndMutate request(Put put, long span, long commitTs, byte what) {
        put.setAttribute(BATCH, ByteBuffer.allocate(2 * Long.BYTES + 1).putLong(span).putLong(commitTs).put(what).array());
        Cell first = Layout.cells(put).iterator().next();
        return FastRequest.never(put.getRow(), CellUtil.cloneFamily(first), CellUtil.cloneQualifier(first)).build(put);
    }

    /**
     * What was answered: stored or found, or neither.
     *
     * @throws InvalidTableException if the table has no coprocessor that answers
     */
    public static boolean isStored(CheckAndMutateResult result, TableName table) {
        if (result.getResult() == null || result.getResult().isEmpty()) {
            throw new InvalidTableException("HBase table " + table + " has lost its coprocessor "
                    + Coprocessors.FAST_PATH + ": add it with Tables.enableFastPath.");
        }
        return CellUtil.cloneValue(result.getResult().rawCells()[0])[0] == YES;
    }

    // ---- on region servers

    /** Null for other requests. Throws if it makes no sense. */
    public static Terms terms(CheckAndMutate request, Versions versions) throws DoNotRetryIOException {
        byte[] terms = request.getAction() instanceof Put put ? put.getAttribute(BATCH) : null;
        if (terms == null) {
            return null;
        }
        require(terms.length == 2 * Long.BYTES + 1, "holds two numbers of 8 bytes and what is asked");
        OmidWrites.check((Put) request.getAction());
        long startTs = Timestamps.NIL;
        for (Cell cell : Layout.cells((Put) request.getAction())) {
            require((startTs == Timestamps.NIL || startTs == cell.getTimestamp()) && versions.isTimestamp(cell.getTimestamp())
                    && !Layout.isCommitCell(cell), "goes with values of one transaction, without checkpoints, and nothing else");
            startTs = cell.getTimestamp();
        }
        ByteBuffer fields = ByteBuffer.wrap(terms);
        Terms asked = new Terms(fields.getLong(), startTs, fields.getLong(), fields.get() == FIND);
        require(asked.span() > 0 && versions.isTimestamp(asked.commitTs()) && asked.commitTs() >= startTs, "has a commit timestamp that is not before the start");
        return asked;
    }

    private static void require(boolean condition, String right) throws DoNotRetryIOException {
        if (!condition) {
            throw new DoNotRetryIOException("Attribute " + BATCH + " " + right + ": use a client of the servers' version of Fencepost.");
        }
    }

    /** The record of a batch: values and commit cells, marked as what the row's lock and the checks were for. */
    public static Put record(Put values, long commitTs) throws IOException {
        Put put = FastRequest.asRecord(new Put(values.getRow()));
        byte[] commit = Bytes.toBytes(commitTs);
        for (Cell cell : Layout.cells(values)) {
            put.add(cell);
            put.addColumn(CellUtil.cloneFamily(cell), Layout.commitQualifier(CellUtil.cloneQualifier(cell)), cell.getTimestamp(), commit);
        }
        return put;
    }

    /** @param refused null: it is stored */
    public static CheckAndMutateResult answer(byte[] row, BatchRegion.Refusal refused) {
        return answer(row, refused == null ? YES : (byte) refused.ordinal());
    }

    public static CheckAndMutateResult answer(byte[] row, boolean found) {
        return answer(row, found ? YES : NO);
    }

    private static CheckAndMutateResult answer(byte[] row, byte code) {
        return new CheckAndMutateResult(code == YES, Result.create(List.of(Layout.cell(row, NEVER, NEVER, 0, Cell.Type.Put, new byte[] {code}))));
    }
}
