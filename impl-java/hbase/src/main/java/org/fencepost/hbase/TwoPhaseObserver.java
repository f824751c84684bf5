package org.fencepost.hbase;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.protocol.IntentStore;
import org.fencepost.protocol.Record;
import org.fencepost.protocol.Timestamps;

/**
 * Coprocessor of tables of Omid 2PC (specs/OmidTwoPhase.tla), in place of the one for Omid LL: performs its prewrites.
 *
 * <p>A prewrite arrives as a check-and-mutate of one row, whose own condition is one that never holds: without this
 * coprocessor nothing would ever be stored. Under HBase's exclusive lock of the row it looks at the newest version of each
 * column but the transaction's own, and stores all columns if none is in the way.
 */
public class TwoPhaseObserver extends TransactionalRegionObserver {

    private static final String PREWRITE = "fencepost.prewrite";
    private static final byte[] MARK = {};
    private static final byte[] NEVER = {'n'};
    /** The newest version, and the transaction's own, which may be there from an earlier try. */
    private static final int VERSIONS = 2;

    /** @param put of value cells, all of one version */
    static CheckAndMutate request(Put put) {
        put.setAttribute(PREWRITE, MARK);
        Cell first = Requests.cells(put).iterator().next();
        return FastRequest.never(put.getRow(), CellUtil.cloneFamily(first), CellUtil.cloneQualifier(first)).build(put);
    }

    /**
     * What is in the way of the row's prewrite: see {@link IntentStore#obstacle}; NIL if it was stored.
     *
     * @throws InvalidTableException if the table has no coprocessor that answers
     */
    static long answer(CheckAndMutateResult result, TableName table) {
        if (result.getResult() == null || result.getResult().isEmpty()) {
            throw new InvalidTableException("HBase table " + table + " has lost its coprocessor "
                    + TwoPhaseObserver.class.getName() + ": add it with Tables.twoPhase.");
        }
        return Bytes.toLong(CellUtil.cloneValue(result.getResult().rawCells()[0]));
    }

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        if (!(request.getAction() instanceof Put put) || put.getAttribute(PREWRITE) == null) {
            return super.preCheckAndMutate(context, request, result); // which refuses it
        }
        OmidWrites.check(put);
        context.bypass();
        Region region = context.getEnvironment().getRegion();
        byte[] row = request.getRow();
        long obstacle = Exclusively.run(region, row, () -> prewrite(region, put));
        Cell cell = CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY).setRow(row).setFamily(NEVER).setQualifier(NEVER)
                .setTimestamp(0).setType(Cell.Type.Put).setValue(Bytes.toBytes(obstacle)).build();
        return new CheckAndMutateResult(obstacle == Timestamps.NIL, Result.create(List.of(cell)));
    }

    private long prewrite(Region region, Put put) throws IOException {
        long obstacle = obstacle(region, put);
        if (obstacle == Timestamps.NIL) {
            region.put(put);
        }
        return obstacle;
    }

    private long obstacle(Region region, Put put) throws IOException {
        Get get = new Get(put.getRow()).readVersions(VERSIONS);
        long version = Timestamps.NIL;
        for (Cell cell : Requests.cells((Mutation) put)) {
            if (version != Timestamps.NIL && version != cell.getTimestamp() || Layout.isCommitCell(cell)) {
                throw new DoNotRetryIOException("A prewrite stores values of one transaction and nothing else.");
            }
            version = cell.getTimestamp();
            byte[] family = CellUtil.cloneFamily(cell);
            byte[] qualifier = CellUtil.cloneQualifier(cell);
            get.addColumn(family, qualifier).addColumn(family, Layout.commitQualifier(qualifier));
        }
        Map<CellKey, List<Record<byte[]>>> columns =
                RowRecords.of(region.getTableDescriptor().getTableName(), span(), Result.create(region.get(get, false)));
        for (List<Record<byte[]>> records : columns.values()) {
            long obstacle = IntentStore.obstacle(version, records.iterator());
            if (obstacle != Timestamps.NIL) {
                return obstacle;
            }
        }
        return Timestamps.NIL;
    }
}
