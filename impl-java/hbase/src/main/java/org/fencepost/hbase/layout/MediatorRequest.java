package org.fencepost.hbase.layout;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
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
import org.fencepost.protocol.store.Write;

/**
 * What goes between Mediator's clients and {@code MediatorObserver}, as attributes of HBase's own requests: a read of columns of a
 * row and their check are gets; a put transaction is a check-and-mutate, which has an answer; what is written back is marked.
 * Requests without these attributes are native.
 *
 * <p>The condition of the check-and-mutate never holds: without the coprocessor nothing is stored. Answers begin with a cell
 * of their own, whose timestamp tells what was found.
 */
public final class MediatorRequest {

    /** In place of a start timestamp: the last version, without a fence. */
    public static final long LATEST = Long.MAX_VALUE;
    /** In place of the timestamp since when nobody may have written: the column is not checked. */
    public static final long FENCE_ONLY = -1;

    private static final String READ = "fencepost.mediator.read";
    private static final String CHECK = "fencepost.mediator.check";
    private static final String COMMIT = "fencepost.mediator.commit";
    private static final String WRITE_BACK = "fencepost.mediator.writeback";
    private static final byte[] MARK = {};
    private static final byte[] ANSWER = {'m'};

    /**
     * What a read or a check asks for.
     *
     * @param ts      start or commit timestamp, or LATEST
     * @param columns with the timestamp of the version that is due, for a read; for a check, since when nobody may have written them
     */
    public record Asked(long ts, NavigableMap<CellKey, Long> columns) {
    }

    private MediatorRequest() {
    }

    // ---- reads and checks

    /** @param due of columns of one row */
    public static Get read(NavigableMap<CellKey, Long> due, long startTs) {
        return get(READ, startTs, due);
    }

    /** Null for other requests. Throws IllegalArgumentException if it makes no sense; so does {@link #check(TableName, Get)}. */
    public static Asked read(TableName table, Get get) {
        return asked(READ, table, get);
    }

    /** @param since of columns of one row */
    public static Get check(NavigableMap<CellKey, Long> since, long commitTs) {
        return get(CHECK, commitTs, since);
    }

    /** Null for other requests. */
    public static Asked check(TableName table, Get get) {
        return asked(CHECK, table, get);
    }

    /** The timestamps go in the order of the columns. */
    private static Get get(String attribute, long ts, NavigableMap<CellKey, Long> columns) {
        Get get = new Get(columns.firstKey().row());
        ByteBuffer timestamps = ByteBuffer.allocate((1 + columns.size()) * Long.BYTES).putLong(ts);
        columns.forEach((key, ofColumn) -> {
            get.addColumn(key.family(), key.qualifier());
            timestamps.putLong(ofColumn);
        });
        get.setAttribute(attribute, timestamps.array());
        return get;
    }

    private static Asked asked(String attribute, TableName table, Get get) {
        byte[] value = get.getAttribute(attribute);
        if (value == null) {
            return null;
        }
        NavigableMap<CellKey, Long> columns = new TreeMap<>(CellKey.COLUMN_ORDER);
        get.getFamilyMap().forEach((family, qualifiers) -> {
            if (qualifiers != null) {
                qualifiers.forEach(qualifier -> columns.put(new CellKey(table, get.getRow(), family, qualifier), Timestamps.NIL));
            }
        });
        if (columns.isEmpty() || value.length != (1 + columns.size()) * Long.BYTES) {
            throw new IllegalArgumentException("A client asks with another version of this library: use the servers' own.");
        }
        ByteBuffer timestamps = ByteBuffer.wrap(value);
        long ts = timestamps.getLong();
        columns.replaceAll((key, none) -> timestamps.getLong());
        if (!Timestamps.isTimestamp(ts) || columns.values().stream().anyMatch(of -> of < FENCE_ONLY || of > ts)) {
            throw new IllegalArgumentException("A client asks for what was or was not written before " + ts
                    + ", and for a column since a later time: use the servers' version of Fencepost.");
        }
        return new Asked(ts, columns);
    }

    /** The first cell of an answer. */
    public static Cell answer(byte[] row, long ts) {
        return Layout.cell(row, ANSWER, ANSWER, ts, Cell.Type.Put, MARK);
    }

    /** The version of a column: what was put, or that it was deleted. */
    public static Cell version(CellKey key, long ts, Cell.Type type, byte[] value) {
        return Layout.cell(key.row(), key.family(), key.qualifier(), ts, type, value);
    }

    /**
     * The columns in the answer to a read that have a version.
     *
     * @throws InvalidTableException if HBase answered alone
     */
    public static Map<CellKey, Version<Write<byte[]>>> versions(TableName table, Result answer) {
        ts(table, answer);
        Map<CellKey, Version<Write<byte[]>>> versions = new HashMap<>();
        for (Cell cell : Arrays.asList(answer.rawCells()).subList(1, answer.size())) {
            CellKey key = new CellKey(table, CellUtil.cloneRow(cell), CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
            versions.put(key, new Version<>(cell.getTimestamp(),
                    cell.getType() == Cell.Type.Put ? Write.of(CellUtil.cloneValue(cell)) : Write.tombstone()));
        }
        return versions;
    }

    /** The timestamp that an answer tells; NIL for none. Throws as {@link #versions} does. */
    public static long ts(TableName table, Result answer) {
        if (answer == null || answer.isEmpty() || !CellUtil.matchingQualifier(answer.rawCells()[0], ANSWER)
                || !CellUtil.matchingFamily(answer.rawCells()[0], ANSWER)) {
            throw new InvalidTableException("HBase table " + table + " has lost its coprocessor "
                    + Coprocessors.MEDIATOR + ": add it to the table's description again.");
        }
        return answer.rawCells()[0].getTimestamp();
    }

    // ---- writes

    /** Marks what a transaction has given its timestamp. */
    public static <M extends Mutation> M writeBack(M mutation) {
        mutation.setAttribute(WRITE_BACK, MARK);
        return mutation;
    }

    /** Throws unless all of it is put or deleted at one timestamp of its own. */
    public static void requireWriteBack(Mutation mutation) throws DoNotRetryIOException {
        long ts = Timestamps.NIL;
        for (Cell cell : Layout.cells(mutation)) {
            boolean first = ts == Timestamps.NIL;
            if (first ? !isTimestamp(cell.getTimestamp()) : ts != cell.getTimestamp()) {
                throw malformed(WRITE_BACK, "has one timestamp, which is none of the server's time");
            }
            ts = cell.getTimestamp();
        }
        if (ts == Timestamps.NIL || mutation.getTTL() != Long.MAX_VALUE) {
            throw malformed(WRITE_BACK, "has columns, and no time to live");
        }
    }

    private static boolean isTimestamp(long ts) {
        return Timestamps.isTimestamp(ts) && ts != HConstants.LATEST_TIMESTAMP;
    }

    private static DoNotRetryIOException malformed(String attribute, String right) {
        return new DoNotRetryIOException("A request with attribute " + attribute + " " + right
                + ": use a client of the servers' version of Fencepost.");
    }

    public static boolean isWriteBack(Mutation mutation) {
        return mutation.getAttribute(WRITE_BACK) != null;
    }

    /** A put transaction. */
    public static CheckAndMutate localCommit(CellKey key, Row write, long startTs) {
        mutations(write).forEach(mutation -> mutation.setAttribute(COMMIT, Bytes.toBytes(startTs)));
        CheckAndMutate.Builder never = FastRequest.never(key.row(), key.family(), key.qualifier());
        return write instanceof RowMutations all ? never.build(all) : write instanceof Put put ? never.build(put)
                : never.build((Delete) write);
    }

    /** The start timestamp of a put transaction; NIL for other requests. Throws if it makes no sense. */
    public static long startTs(CheckAndMutate request) throws DoNotRetryIOException {
        List<Mutation> mutations = mutations(request.getAction());
        byte[] startTs = mutations.isEmpty() ? null : mutations.get(0).getAttribute(COMMIT);
        if (startTs == null) {
            return Timestamps.NIL;
        }
        if (startTs.length != Long.BYTES || !isTimestamp(Bytes.toLong(startTs))) {
            throw malformed(COMMIT, "tells when the transaction began, in 8 bytes");
        }
        if (mutations.stream().anyMatch(mutation -> mutation.isEmpty() || !(mutation instanceof Put || mutation instanceof Delete))) {
            throw malformed(COMMIT, "puts or deletes columns by name");
        }
        return Bytes.toLong(startTs);
    }

    public static List<Mutation> mutations(Row row) {
        return row instanceof RowMutations all ? all.getMutations() : List.of((Mutation) row);
    }

    public static CheckAndMutateResult answer(CheckAndMutate request, long ts) {
        return new CheckAndMutateResult(true, Result.create(List.of(answer(request.getRow(), ts))));
    }
}
