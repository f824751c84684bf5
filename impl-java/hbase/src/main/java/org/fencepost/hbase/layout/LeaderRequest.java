package org.fencepost.hbase.layout;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.Timestamps;

/**
 * What goes between clients and the region servers of tables with leaders (specs/Fragola.tla): the check-and-mutate of a leader's commit
 * cell, whose own condition is one that never holds, so that without the coprocessor nothing would ever be stored; the look at it, a get
 * with an attribute; and what the {@code Janitor} tells, which is how far all records are settled.
 */
public final class LeaderRequest {

    private static final String LOOK_UP = "fencepost.leader";
    private static final String SETTLED = "fencepost.settled";
    private static final byte[] ANSWER = {'l'};
    /** In the first region, if it is asked for no other one. */
    private static final byte[] FIRST_ROW = {0};

    private LeaderRequest() {
    }

    // ---- clients

    /** @param entry a commit timestamp or INVALIDATED */
    public static CheckAndMutate checkAndMutate(CellKey leader, long version, long entry) {
        byte[] qualifier = Layout.commitQualifier(leader.qualifier());
        return FastRequest.never(leader.row(), leader.family(), qualifier)
                .build(new Put(leader.row()).addColumn(leader.family(), qualifier, version, Layout.encodeEntry(entry)));
    }

    public static Get lookUp(CellKey leader, long version) {
        Get get = new Get(leader.row()).addColumn(leader.family(), leader.qualifier());
        get.setAttribute(LOOK_UP, Bytes.toBytes(version));
        return get;
    }

    /** @param regionStart the first key of a region */
    public static Get settled(byte[] regionStart, long watermark) {
        Get get = new Get(regionStart.length == 0 ? FIRST_ROW : regionStart);
        get.setAttribute(SETTLED, Bytes.toBytes(watermark));
        return get;
    }

    /** What was there, or COLLECTED. Throws InvalidTableException if the table has no coprocessor that answers. */
    public static long answer(Result answer, TableName table) {
        if (answer == null || answer.isEmpty() || !CellUtil.matchingQualifier(answer.rawCells()[0], ANSWER)) {
            throw new InvalidTableException("HBase table " + table + " was asked for a leader's commit cell and has none, or has lost its coprocessor "
                    + Coprocessors.LEADER + ": add that to the table's description again.");
        }
        return Bytes.toLong(CellUtil.cloneValue(answer.rawCells()[0]));
    }

    // ---- on region servers

    /** The commit cell that a check-and-mutate is to write. Throws if the request is none of a leader's. */
    public static Cell commitCell(CheckAndMutate request) throws DoNotRetryIOException {
        if (!(request.getAction() instanceof Put put) || put.size() != 1) {
            throw OmidWrites.outside("a check-and-mutate");
        }
        Cell cell = Layout.cells(put).iterator().next();
        if (!Layout.isCommitCell(cell) || cell.getTimestamp() < 1 || cell.getTimestamp() == HConstants.LATEST_TIMESTAMP
                || !Layout.isMarker(cell) && !Layout.isPostCommit(cell) || put.getTTL() != Long.MAX_VALUE) {
            throw OmidWrites.outside("a check-and-mutate of anything but a leader's commit cell");
        }
        return cell;
    }

    /** The version of the leader that a get looks at; NIL for other gets. */
    public static long lookedUp(Get get) throws DoNotRetryIOException {
        long version = number(get, LOOK_UP);
        if (version != Timestamps.NIL && (get.numFamilies() != 1
                || get.getFamilyMap().values().stream().anyMatch(columns -> columns == null || columns.size() != 1))) {
            throw new DoNotRetryIOException("The attribute " + LOOK_UP + " goes with one column: use a client of the servers' version of Fencepost.");
        }
        return version;
    }

    /** Below which version all records of all tables are settled; NIL for other gets. */
    public static long settled(Get get) throws DoNotRetryIOException {
        return number(get, SETTLED);
    }

    private static long number(Get get, String attribute) throws DoNotRetryIOException {
        byte[] number = get.getAttribute(attribute);
        if (number == null) {
            return Timestamps.NIL;
        }
        if (number.length != Long.BYTES || !Timestamps.isTimestamp(Bytes.toLong(number))) {
            throw new DoNotRetryIOException("The attribute " + attribute + " holds one positive number of 8 bytes: use a client of the servers'"
                    + " version of Fencepost.");
        }
        return Bytes.toLong(number);
    }

    public static Cell answer(byte[] row, long found) {
        return Layout.cell(row, ANSWER, ANSWER, 0, Cell.Type.Put, Bytes.toBytes(found));
    }

    public static CheckAndMutateResult answered(byte[] row, long previous) {
        return new CheckAndMutateResult(previous == Timestamps.NIL, Result.create(List.of(answer(row, previous))));
    }
}
