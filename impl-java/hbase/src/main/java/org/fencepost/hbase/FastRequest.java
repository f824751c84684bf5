package org.fencepost.hbase;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.FastAbortCause;
import org.fencepost.protocol.FastRegion;
import org.fencepost.protocol.Record;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Write;

/**
 * What goes between clients and {@link FastPathObserver}, as attributes of HBase's own requests: the snapshot of a regular
 * read, the mark of a fast-path read, the expected version of a fast-path write, and with each of them the span of the
 * table as the client knows it.
 *
 * <p>A fast-path write travels as a check-and-mutate, which has an answer and whose condition never holds: without the
 * coprocessor nothing is ever stored.
 */
final class FastRequest {

    private static final String SNAPSHOT = "fencepost.snapshot";
    private static final String SPAN = "fencepost.span";
    private static final String READ = "fencepost.fast.read";
    private static final String WRITE = "fencepost.fast.write";
    private static final byte[] MARK = {};
    private static final byte[] NEVER = {'n'};
    private static final byte STORED = -1;

    /**
     * What a fast-path write asks for.
     *
     * @param span of the table, as the client knows it
     * @param last the commit timestamp that br told, NIL for no record; or {@link FastRegion#ANY}
     */
    record Terms(long span, long last) {
    }

    private FastRequest() {
    }

    // ---- reads

    static void setSnapshot(Query read, long startTs) {
        read.setAttribute(SNAPSHOT, Bytes.toBytes(startTs));
    }

    /** The snapshot of a regular transaction's read; NIL for other reads. */
    static long snapshot(Query read) {
        return number(read, SNAPSHOT);
    }

    /** A client that knows another span would take fast-path records for tentative ones, or the other way round. */
    static <Q extends Query> Q withSpan(Q read, long span) {
        read.setAttribute(SPAN, Bytes.toBytes(span));
        return read;
    }

    /** What the client takes for the table's span; NIL for requests of others. */
    static long span(Query read) {
        return Math.max(number(read, SPAN), number(read, READ));
    }

    private static long number(Query read, String attribute) {
        byte[] number = read.getAttribute(attribute);
        return number == null ? Timestamps.NIL : Bytes.toLong(number);
    }

    static Get read(CellKey key, long span) {
        Get get = new Get(key.row()).addColumn(key.family(), key.qualifier());
        get.setAttribute(READ, Bytes.toBytes(span));
        return get;
    }

    static boolean isRead(Get get) {
        return get.getAttribute(READ) != null;
    }

    /**
     * The record in the answer to {@link #read}, {@link LastRecord#cells}; null if none is committed.
     *
     * @throws InvalidTableException if it is not committed: then HBase answered alone
     */
    static Record<byte[]> last(CellKey key, long span, Result answer) {
        if (answer.isEmpty()) {
            return null;
        }
        Cell[] cells = answer.rawCells();
        long version = cells[0].getTimestamp();
        long commit = Layout.commitTs(version, cells.length == 2 ? cells[1] : null, span);
        if (commit == Timestamps.NIL) {
            throw nobodyAnswers(key);
        }
        return new Record<>(version, Layout.decode(cells[0]), commit);
    }

    // ---- writes

    static CheckAndMutate write(CellKey key, Write<byte[]> write, Terms terms) {
        Put put = new Put(key.row()).addColumn(key.family(), key.qualifier(), Layout.encode(write));
        put.setAttribute(WRITE, ByteBuffer.allocate(2 * Long.BYTES).putLong(terms.span()).putLong(terms.last()).array());
        return CheckAndMutate.newBuilder(key.row()).ifEquals(key.family(), NEVER, NEVER).build(put);
    }

    /** Null for other requests. */
    static Terms terms(CheckAndMutate request) {
        Row action = request.getAction();
        byte[] terms = action instanceof Mutation mutation ? mutation.getAttribute(WRITE) : null;
        if (terms == null) {
            return null;
        }
        ByteBuffer fields = ByteBuffer.wrap(terms);
        return new Terms(fields.getLong(), fields.getLong());
    }

    /** The record, marked as what the row's lock and the checks were for. The value is not copied. */
    static Put record(byte[] row, byte[] family, byte[] qualifier, Cell value, long version) throws IOException {
        Put put = new Put(row, version).add(CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row)
                .setFamily(family).setQualifier(qualifier).setTimestamp(version).setType(Cell.Type.Put)
                .setValue(value.getValueArray(), value.getValueOffset(), value.getValueLength()).build());
        put.setAttribute(WRITE, MARK);
        return put;
    }

    static boolean isRecord(Mutation mutation) {
        return mutation.getAttribute(WRITE) != null;
    }

    static CheckAndMutateResult answer(byte[] row, FastRegion.Answer answer) {
        byte code = answer.refused() == null ? STORED : (byte) answer.refused().ordinal();
        byte[] value = ByteBuffer.allocate(1 + Long.BYTES).put(code).putLong(answer.version()).array();
        Cell cell = CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row).setFamily(NEVER).setQualifier(NEVER)
                .setTimestamp(0).setType(Cell.Type.Put).setValue(value).build();
        return new CheckAndMutateResult(code == STORED, Result.create(List.of(cell)));
    }

    /**
     * The version of a stored write.
     *
     * @throws FastPathAbortedException if it was refused
     * @throws InvalidTableException    if the table has no coprocessor that answers
     */
    static long version(CellKey key, CheckAndMutateResult result) {
        if (result.getResult() == null || result.getResult().isEmpty()) {
            throw nobodyAnswers(key);
        }
        ByteBuffer answer = ByteBuffer.wrap(CellUtil.cloneValue(result.getResult().rawCells()[0]));
        byte code = answer.get();
        if (code != STORED) {
            throw new FastPathAbortedException(key, FastAbortCause.values()[code]);
        }
        return answer.getLong();
    }

    private static InvalidTableException nobodyAnswers(CellKey key) {
        return new InvalidTableException("HBase table " + key.table() + " has lost its coprocessor "
                + FastPathObserver.class.getName() + ": add it with Tables.enableFastPath.");
    }
}
