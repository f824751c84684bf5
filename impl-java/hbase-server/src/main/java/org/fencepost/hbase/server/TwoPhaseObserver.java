package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.layout.RowRecords;
import org.fencepost.hbase.layout.TwoPhaseRequest;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.twophase.IntentStore;

/**
 * Coprocessor of tables of Omid 2PC (specs/OmidTwoPhase.tla), in place of the one for Omid LL: performs its prewrites.
 *
 * <p>A prewrite arrives as a check-and-mutate of one row, whose own condition is one that never holds: without this
 * coprocessor nothing would ever be stored. Under HBase's exclusive lock of the row it looks at the newest version of each
 * column but the transaction's own, and stores all columns if none is in the way.
 */
public class TwoPhaseObserver extends TransactionalRegionObserver {

    /** The newest version, and the transaction's own, which may be there from an earlier try. */
    private static final int VERSIONS = 2;

    @Override
    public CheckAndMutateResult preCheckAndMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            CheckAndMutate request, CheckAndMutateResult result) throws IOException {
        if (!(request.getAction() instanceof Put put) || !TwoPhaseRequest.isPrewrite(put)) {
            return super.preCheckAndMutate(context, request, result); // which refuses it
        }
        OmidWrites.check(put);
        context.bypass();
        Region region = context.getEnvironment().getRegion();
        byte[] row = request.getRow();
        long obstacle = Exclusively.run(region, row, () -> prewrite(region, put));
        return TwoPhaseRequest.answer(row, obstacle);
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
        for (Cell cell : Layout.cells((Mutation) put)) {
            if (version != Timestamps.NIL && version != cell.getTimestamp() || Layout.isCommitCell(cell)) {
                throw new DoNotRetryIOException("A prewrite stores values of one transaction and nothing else.");
            }
            version = cell.getTimestamp();
            byte[] family = CellUtil.cloneFamily(cell);
            byte[] qualifier = CellUtil.cloneQualifier(cell);
            get.addColumn(family, qualifier).addColumn(family, Layout.commitQualifier(qualifier));
        }
        Map<CellKey, List<Record<byte[]>>> columns =
                RowRecords.of(region.getTableDescriptor().getTableName(), versions(), Result.create(region.get(get, false)));
        for (List<Record<byte[]>> records : columns.values()) {
            long obstacle = IntentStore.obstacle(version, records.iterator());
            if (obstacle != Timestamps.NIL) {
                return obstacle;
            }
        }
        return Timestamps.NIL;
    }
}
