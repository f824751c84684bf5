package org.fencepost.hbase.layout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;

/**
 * What goes between clients and {@code FastPathObserver}, as attributes of HBase's own requests: the snapshot of a regular
 * read, the mark of a fast-path read, the expected version of a fast-path write, and with each of them the span of the
 * table as the client knows it.
 *
 * <p>A fast-path write travels as a check-and-mutate, which has an answer and whose condition never holds: without the
 * coprocessor nothing is ever stored.
 */
public final class FastRequest {

    private static final String SNAPSHOT = "fencepost.snapshot";
    private static final String SPAN = "fencepost.span";
    private static final String READ = "fencepost.fast.read";
    private static final String WRITE = "fencepost.fast.write";
    private static final String LEFTOVERS = "fencepost.leftovers";
    private static final byte[] MARK = {};
    private static final byte[] RECORD = {};
    private static final byte[] NEVER = {'n'};
    private static final byte STORED = -1;

    /**
     * What a fast-path write asks for.
     *
     * @param span of the table, as the client knows it
     * @param last the commit timestamp that br told, NIL for no record; or {@link FastRegion#ANY}
     */
    public record Terms(long span, long last) {
    }

    private FastRequest() {
    }

    // ---- reads

    public static void setSnapshot(Query read, long startTs) {
        read.setAttribute(SNAPSHOT, Bytes.toBytes(startTs));
    }

    /** The snapshot of a regular transaction's read; NIL for other reads. Throws if it makes no sense, as all that follow do. */
    public static long snapshot(Query read) throws DoNotRetryIOException {
        return number(read, SNAPSHOT);
    }

    /** The same, of a get that asks for what a snapshot has. */
    public static long snapshot(Get get) throws DoNotRetryIOException {
        long snapshot = number(get, SNAPSHOT);
        if (snapshot != Timestamps.NIL) {
            requireWholeSnapshot(get, snapshot, get.getTimeRange(), get.getMaxResultsPerColumnFamily(), get.getRowOffsetPerColumnFamily());
        }
        return snapshot;
    }

    /** The same, of a scan. */
    public static long snapshot(Scan scan) throws DoNotRetryIOException {
        long snapshot = number(scan, SNAPSHOT);
        if (snapshot != Timestamps.NIL) {
            requireWholeSnapshot(scan, snapshot, scan.getTimeRange(), scan.getMaxResultsPerColumnFamily(),
                    scan.getRowOffsetPerColumnFamily());
            if (scan.isRaw() || scan.getBatch() > 0) {
                throw wrong(SNAPSHOT, "goes with neither raw scans nor batches");
            }
        }
        return snapshot;
    }

    /** With limits that count cells, or another time range, the newest record below the snapshot might be missing. */
    private static void requireWholeSnapshot(Query read, long snapshot, TimeRange range, int limit, int offset)
            throws DoNotRetryIOException {
        if (range.getMin() != 0 || range.getMax() < snapshot || range.getMax() > snapshot + Versions.LEVELS || !read.getColumnFamilyTimeRange().isEmpty()) {
            throw wrong(SNAPSHOT, "goes with the time range up to itself, or to a level");
        }
        if (limit > 0 || offset > 0) {
            throw wrong(SNAPSHOT, "goes with no limits on cells");
        }
    }

    /** A client that knows another span would take fast-path records for tentative ones, or the other way round. */
    public static <Q extends Query> Q withSpan(Q read, long span) {
        read.setAttribute(SPAN, Bytes.toBytes(span));
        return read;
    }

    /** What the client takes for the table's span; NIL for requests of others. */
    public static long span(Query read) throws DoNotRetryIOException {
        return Math.max(number(read, SPAN), number(read, READ));
    }

    /** All keys of a table, for the {@code Janitor}. Who may not see all of them is refused. */
    public static Scan leftovers(long span, long watermark) throws IOException {
        Scan scan = withSpan(new Scan(), span).readAllVersions().setTimeRange(0, watermark).setCacheBlocks(false);
        scan.setAttribute(LEFTOVERS, MARK);
        return scan;
    }

    public static boolean isForLeftovers(Scan scan) {
        return scan.getAttribute(LEFTOVERS) != null;
    }

    /** NIL if the request has no such attribute. */
    private static long number(OperationWithAttributes request, String attribute) throws DoNotRetryIOException {
        byte[] number = request.getAttribute(attribute);
        if (number == null) {
            return Timestamps.NIL;
        }
        if (number.length != Long.BYTES || !Timestamps.isTimestamp(Bytes.toLong(number))) {
            throw wrong(attribute, "holds one positive number of 8 bytes");
        }
        return Bytes.toLong(number);
    }

    private static DoNotRetryIOException wrong(String attribute, String right) {
        return new DoNotRetryIOException("Attribute " + attribute + " " + right + ": use a client of the servers' version of Fencepost.");
    }

    public static Get read(CellKey key, long span) {
        Get get = new Get(key.row()).addColumn(key.family(), key.qualifier());
        get.setAttribute(READ, Bytes.toBytes(span));
        return get;
    }

    /** Throws if it is one and not of the newest version of one column. */
    public static boolean isRead(Get get) throws DoNotRetryIOException {
        if (get.getAttribute(READ) == null) {
            return false;
        }
        Iterator<NavigableSet<byte[]>> families = get.getFamilyMap().values().iterator();
        NavigableSet<byte[]> qualifiers = families.hasNext() ? families.next() : null;
        if (qualifiers == null || qualifiers.size() != 1 || families.hasNext() || Layout.isReserved(qualifiers.first())
                || get.getMaxVersions() != 1 || !get.getTimeRange().isAllTime() || !get.getColumnFamilyTimeRange().isEmpty()) {
            throw wrong(READ, "goes with the newest version of one column");
        }
        return true;
    }

    /**
     * The record in the answer to {@link #read}, {@code LastRecord.cells}; null if none is committed.
     *
     * @throws InvalidTableException if it is not committed: then HBase answered alone
     */
    public static Record<byte[]> last(CellKey key, Versions versions, Result answer) {
        if (answer.isEmpty()) {
            return null;
        }
        Cell[] cells = answer.rawCells();
        long version = cells[0].getTimestamp();
        long commit = Layout.commitTs(key.table(), version, cells.length == 2 ? cells[1] : null, versions);
        if (commit == Timestamps.NIL) {
            throw nobodyAnswers(key);
        }
        return new Record<>(version, Layout.decode(cells[0]), commit);
    }

    // ---- writes

    public static CheckAndMutate write(CellKey key, Write<byte[]> write, Terms terms) {
        Put put = new Put(key.row()).addColumn(key.family(), key.qualifier(), Layout.encode(write));
        put.setAttribute(WRITE, ByteBuffer.allocate(2 * Long.BYTES).putLong(terms.span()).putLong(terms.last()).array());
        return never(key.row(), key.family(), key.qualifier()).build(put);
    }

    /**
     * A check-and-mutate whose condition never holds, since nothing is stored at 0. It names a column that is written, since who
     * may write is judged by that, too.
     */
    static CheckAndMutate.Builder never(byte[] row, byte[] family, byte[] qualifier) {
        return CheckAndMutate.newBuilder(row).ifEquals(family, qualifier, NEVER).timeRange(TimeRange.until(1));
    }

    /** Null for other requests. Throws if they make no sense. */
    public static Terms terms(CheckAndMutate request) throws DoNotRetryIOException {
        byte[] terms = request.getAction() instanceof Put put ? put.getAttribute(WRITE) : null;
        if (terms == null) {
            return null;
        }
        if (terms.length != 2 * Long.BYTES) {
            throw wrong(WRITE, "holds two numbers of 8 bytes");
        }
        ByteBuffer fields = ByteBuffer.wrap(terms);
        return new Terms(fields.getLong(), fields.getLong());
    }

    /** The record, marked as what the row's lock and the checks were for. The value is not copied. */
    public static Put record(byte[] row, byte[] family, byte[] qualifier, Cell value, long version) throws IOException {
        Put put = new Put(row, version).add(CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row)
                .setFamily(family).setQualifier(qualifier).setTimestamp(version).setType(Cell.Type.Put)
                .setValue(value.getValueArray(), value.getValueOffset(), value.getValueLength()).build());
        return asRecord(put);
    }

    /** The mark of what a region server itself has checked, and stores. */
    static Put asRecord(Put put) {
        put.setAttribute(WRITE, RECORD);
        return put;
    }

    /** This very array makes it one: what a client sends is another, whatever it holds. */
    public static boolean isRecord(Mutation mutation) {
        return mutation.getAttribute(WRITE) == RECORD;
    }

    public static CheckAndMutateResult answer(byte[] row, FastRegion.Answer answer) {
        byte code = answer.refused() == null ? STORED : (byte) answer.refused().ordinal();
        byte[] value = ByteBuffer.allocate(1 + Long.BYTES).put(code).putLong(answer.version()).array();
        Cell cell = Layout.cell(row, NEVER, NEVER, 0, Cell.Type.Put, value);
        return new CheckAndMutateResult(code == STORED, Result.create(List.of(cell)));
    }

    /**
     * The version of a stored write.
     *
     * @throws FastPathAbortedException if it was refused
     * @throws InvalidTableException    if the table has no coprocessor that answers
     */
    public static long version(CellKey key, CheckAndMutateResult result) {
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
                + Coprocessors.FAST_PATH + ": add it with Tables.enableFastPath.");
    }
}
