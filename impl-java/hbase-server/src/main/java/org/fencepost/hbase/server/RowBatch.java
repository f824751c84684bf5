package org.fencepost.hbase.server;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fencepost.hbase.layout.BatchRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.protocol.region.BatchRegion;

/** Where a commit in one phase is stored: one row, under its exclusive lock. */
abstract class RowBatch implements BatchRegion.Target<IOException> {

    private final Region region;
    private final Put values;
    private final BatchRequest.Terms terms;

    RowBatch(Region region, Put values, BatchRequest.Terms terms) {
        this.region = region;
        this.values = values;
        this.terms = terms;
    }

    @Override
    public void store() throws IOException {
        UntilStored.put(region, () -> BatchRequest.record(values, terms.commitTs()));
    }

    /** Guard (FindsRecord): whether it is there, as its commit cell tells. */
    boolean isFound() throws IOException {
        Cell value = Layout.cells(values).iterator().next();
        Get get = new Get(values.getRow()).setTimestamp(terms.startTs())
                .addColumn(CellUtil.cloneFamily(value), Layout.commitQualifier(CellUtil.cloneQualifier(value)));
        for (Cell commitCell : region.get(get, false)) {
            if (Layout.commitTs(region.getTableDescriptor().getTableName(), commitCell) == terms.commitTs()) {
                return true;
            }
        }
        return false;
    }
}
