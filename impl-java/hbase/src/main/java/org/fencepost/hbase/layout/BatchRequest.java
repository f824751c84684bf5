package org.fencepost.hbase.layout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
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
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.store.Write;

/**
 * A commit in one phase, between clients and region servers (specs/OnePhase.tla): a check-and-mutate of one row whose own condition never
 * holds, so that without the coprocessor nothing is ever stored. It puts the values of a transaction, those of other rows in an attribute, and
 * the server adds their commit cells. The question whether it is stored looks the same, without values.
 */
public final class BatchRequest {

    /** All are locked while the log takes the batch. */
    public static final int MAX_ROWS = 100;
    /** Of the values in several rows: HBase's own limit of a cell, by which it does not measure those in an attribute. */
    public static final int MAX_BYTES = 10 << 20;

    private static final String BATCH = "fencepost.batch";
    /** In its place where there are several rows: a server that knows one only refuses the request. */
    private static final String BATCH_OF_ROWS = "fencepost.batch.rows";
    private static final int TERMS = 2 * Long.BYTES + 1;
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
     * @param rows     the values, one put for each row, in the rows' order
     */
    public record Terms(long span, long startTs, long commitTs, boolean find, List<Put> rows) {
    }

    private BatchRequest() {
    }

    /**
     * @param put    of all values of the transaction in one row
     * @param others what it writes in other rows of the table
     */
    public static CheckAndMutate put(Put put, Map<CellKey, Write<byte[]>> others, long span, long commitTs) {
        return request(put, others, span, commitTs, PUT);
    }

    /** Whether servers would refuse it for the size of what it has in other rows. */
    public static boolean isTooLarge(CheckAndMutate request) {
        byte[] others = ((Put) request.getAction()).getAttribute(BATCH_OF_ROWS);
        return others != null && others.length > MAX_BYTES;
    }

    /** The same of any values. */
    public static CheckAndMutate find(Put put, Map<CellKey, Write<byte[]>> others, long span, long commitTs) {
        return request(put, others, span, commitTs, FIND);
    }

    private static CheckAndMutate request(Put put, Map<CellKey, Write<byte[]>> others, long span, long commitTs, byte what) {
        byte[] rows = others.isEmpty() ? HConstants.EMPTY_BYTE_ARRAY : WriteSets.encode(others);
        put.setAttribute(others.isEmpty() ? BATCH : BATCH_OF_ROWS,
                ByteBuffer.allocate(TERMS + rows.length).putLong(span).putLong(commitTs).put(what).put(rows).array());
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
    public static Terms terms(CheckAndMutate request, TableName table, Versions versions) throws DoNotRetryIOException {
        if (!(request.getAction() instanceof Put first) || first.getAttribute(BATCH) == null && first.getAttribute(BATCH_OF_ROWS) == null) {
            return null;
        }
        OmidWrites.check(first);
        byte[] others = first.getAttribute(BATCH_OF_ROWS);
        byte[] terms = others == null ? first.getAttribute(BATCH) : others;
        require(!isTooLarge(request), "has at most " + MAX_BYTES + " bytes in other rows");
        require(others == null ? terms.length == TERMS : terms.length > TERMS, "holds two numbers of 8 bytes and what is asked");
        long startTs = Layout.cells(first).iterator().next().getTimestamp();
        List<Put> rows = others == null ? List.of(first) : rows(first, startTs, table, Arrays.copyOfRange(others, TERMS, others.length));
        for (Put row : rows) {
            OmidWrites.check(row);
            for (Cell cell : Layout.cells(row)) {
                require(cell.getTimestamp() == startTs && versions.isTimestamp(startTs) && !Layout.isCommitCell(cell),
                        "goes with values of one transaction, without checkpoints, and nothing else");
            }
        }
        ByteBuffer fields = ByteBuffer.wrap(terms);
        Terms asked = new Terms(fields.getLong(), startTs, fields.getLong(), fields.get() == FIND, rows);
        require(asked.span() > 0 && versions.isTimestamp(asked.commitTs()) && asked.commitTs() >= startTs, "has a commit timestamp that is not before the start");
        return asked;
    }

    private static List<Put> rows(Put first, long startTs, TableName table, byte[] others) throws DoNotRetryIOException {
        NavigableMap<byte[], Put> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        try {
            for (Map.Entry<CellKey, Write<byte[]>> write : WriteSets.decode(others).entrySet()) {
                CellKey key = write.getKey();
                require(key.table().equals(table), "goes with rows of one table");
                rows.computeIfAbsent(key.row(), row -> OmidWrites.mark(new Put(row))).addColumn(key.family(), key.qualifier(), startTs, Layout.encode(write.getValue()));
            }
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new DoNotRetryIOException(malformed("goes with other rows that can be read"), e);
        }
        require(rows.put(first.getRow(), first) == null, "has each row once");
        require(rows.size() <= MAX_ROWS, "has at most " + MAX_ROWS + " rows");
        return List.copyOf(rows.values());
    }

    private static String malformed(String right) {
        return "A commit in one phase (attribute " + BATCH + ") " + right + ": use a client of the servers' version of Fencepost.";
    }

    private static void require(boolean condition, String right) throws DoNotRetryIOException {
        if (!condition) {
            throw new DoNotRetryIOException(malformed(right));
        }
    }

    /** The record of a batch in one row: values and commit cells, marked as what the row's lock and the checks were for. */
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
