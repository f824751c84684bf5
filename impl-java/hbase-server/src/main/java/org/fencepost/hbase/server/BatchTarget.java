package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.BatchRequest;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.protocol.region.BatchRegion;

/** Where a commit in one phase is stored: rows of a region, under their exclusive locks. */
abstract class BatchTarget implements BatchRegion.Target<IOException> {

    private final Region region;
    private final BatchRequest.Terms terms;
    private final List<byte[]> rows;

    BatchTarget(Region region, BatchRequest.Terms terms) {
        this.region = region;
        this.terms = terms;
        this.rows = terms.rows().stream().map(Put::getRow).filter(region.getRegionInfo()::containsRow).toList();
    }

    /** Of the batch, those that the region has, in their order. */
    List<byte[]> rows() {
        return rows;
    }

    /** Guard (InOneRegion): the region may have been split since the client looked. Nothing would make two regions' rows atomic. */
    boolean isInOneRegion() {
        return rows.size() == terms.rows().size();
    }

    @Override
    public void store() throws IOException {
        UntilStored.put(region, this::records);
    }

    private List<Put> records() throws IOException {
        List<Put> records = new ArrayList<>(rows.size());
        for (Put values : terms.rows()) {
            records.add(BatchRequest.record(values, terms.commitTs()));
        }
        return records;
    }

    /**
     * Guard (FindsRecord): whether it is there, as the commit cell of one record tells.
     *
     * @param row that the request is about, and whose rights HBase has looked at
     */
    boolean isFound(byte[] row) throws IOException {
        Put values = terms.rows().stream().filter(put -> Bytes.equals(put.getRow(), row)).findFirst().orElseThrow();
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
