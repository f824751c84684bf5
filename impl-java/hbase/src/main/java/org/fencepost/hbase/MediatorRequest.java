package org.fencepost.hbase;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.mediator.Version;

/**
 * What goes between Mediator's clients and {@link MediatorObserver}, as attributes of HBase's own requests: a read of a row
 * and its check are gets; a put transaction is a check-and-mutate, which has an answer; what is written back is marked.
 * Requests without these attributes are native.
 *
 * <p>The condition of the check-and-mutate never holds: without the coprocessor nothing is stored. Answers begin with a cell
 * of their own, whose timestamp tells what was found.
 */
final class MediatorRequest {

    /** In place of a start timestamp: the last version, without a fence. */
    static final long LATEST = Long.MAX_VALUE;
    /** In place of the timestamp since when nobody may have written: the row is not checked. */
    static final long FENCE_ONLY = -1;

    private static final String READ = "fencepost.mediator.read";
    private static final String CHECK = "fencepost.mediator.check";
    private static final String COMMIT = "fencepost.mediator.commit";
    private static final String WRITE_BACK = "fencepost.mediator.writeback";
    private static final byte[] MARK = {};
    private static final byte[] ANSWER = {'m'};

    /** What a check asks for. */
    record Check(long since, long commitTs) {
    }

    private MediatorRequest() {
    }

    // ---- reads and checks

    static Get read(RowKey key, long startTs) {
        Get get = new Get(key.row());
        get.setAttribute(READ, Bytes.toBytes(startTs));
        return get;
    }

    /** The start timestamp, or LATEST; NIL for other requests. */
    static long startTs(Get get) {
        byte[] startTs = get.getAttribute(READ);
        return startTs == null ? Timestamps.NIL : Bytes.toLong(startTs);
    }

    static Get check(RowKey key, long since, long commitTs) {
        Get get = new Get(key.row());
        get.setAttribute(CHECK, ByteBuffer.allocate(2 * Long.BYTES).putLong(since).putLong(commitTs).array());
        return get;
    }

    /** Null for other requests. */
    static Check check(Get get) {
        byte[] check = get.getAttribute(CHECK);
        if (check == null) {
            return null;
        }
        ByteBuffer fields = ByteBuffer.wrap(check);
        return new Check(fields.getLong(), fields.getLong());
    }

    /** The first cell of an answer. */
    static Cell answer(byte[] row, long ts) {
        return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row).setFamily(ANSWER).setQualifier(ANSWER)
                .setTimestamp(ts).setType(Cell.Type.Put).setValue(MARK).build();
    }

    /**
     * The row in the answer to {@link #read}; null if it was never written, without cells if all of it is deleted.
     *
     * @throws InvalidTableException if HBase answered alone
     */
    static Version<List<Cell>> version(RowKey key, Result answer) {
        long ts = ts(key, answer);
        return ts == Timestamps.NIL ? null : new Version<>(ts, Arrays.asList(answer.rawCells()).subList(1, answer.size()));
    }

    /** The timestamp that an answer tells; NIL if nothing was found. Throws as {@link #version} does. */
    static long ts(RowKey key, Result answer) {
        if (answer == null || answer.isEmpty() || !CellUtil.matchingQualifier(answer.rawCells()[0], ANSWER)
                || !CellUtil.matchingFamily(answer.rawCells()[0], ANSWER)) {
            throw new InvalidTableException("HBase table " + key.table() + " has lost its coprocessor "
                    + MediatorObserver.class.getName() + ": add it to the table's description again.");
        }
        return answer.rawCells()[0].getTimestamp();
    }

    // ---- writes

    /** Marks what a transaction has given its timestamp. */
    static <M extends Mutation> M writeBack(M mutation) {
        mutation.setAttribute(WRITE_BACK, MARK);
        return mutation;
    }

    static boolean isWriteBack(Mutation mutation) {
        return mutation.getAttribute(WRITE_BACK) != null;
    }

    /** A put transaction. */
    static CheckAndMutate localCommit(RowKey key, Row write, long startTs) {
        mutations(write).forEach(mutation -> mutation.setAttribute(COMMIT, Bytes.toBytes(startTs)));
        CheckAndMutate.Builder never = CheckAndMutate.newBuilder(key.row()).ifEquals(ANSWER, ANSWER, ANSWER);
        return write instanceof RowMutations all ? never.build(all) : write instanceof Put put ? never.build(put)
                : never.build((Delete) write);
    }

    /** The start timestamp of a put transaction; NIL for other requests. */
    static long startTs(CheckAndMutate request) {
        byte[] startTs = mutations(request.getAction()).get(0).getAttribute(COMMIT);
        return startTs == null ? Timestamps.NIL : Bytes.toLong(startTs);
    }

    static List<Mutation> mutations(Row row) {
        return row instanceof RowMutations all ? all.getMutations() : List.of((Mutation) row);
    }

    static CheckAndMutateResult answer(CheckAndMutate request, long ts) {
        return new CheckAndMutateResult(true, Result.create(List.of(answer(request.getRow(), ts))));
    }
}
