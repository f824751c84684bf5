package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Runs what a coprocessor does in place of a check-and-mutate, from the hook before it: HBase then asks no other
 * coprocessor, none of which can drop the answer, and nothing of its own is run. The rows' locks are HBase's, whose shared half
 * puts and deletes hold; the thread that has it exclusively may put in that row.
 */
final class Exclusively {

    interface OnRow<T> {
        T run() throws IOException;
    }

    private Exclusively() {
    }

    static <T> T run(Region region, byte[] row, OnRow<T> body) throws IOException {
        return run(region, List.of(row), body);
    }

    /** @param rows in their order, in which HBase locks those of a batch as well: so nobody waits in a circle */
    static <T> T run(Region region, List<byte[]> rows, OnRow<T> body) throws IOException {
        region.startRegionOperation();
        try {
            return locked(region, rows, body);
        } finally {
            region.closeRegionOperation();
        }
    }

    private static <T> T locked(Region region, List<byte[]> rows, OnRow<T> body) throws IOException {
        if (rows.isEmpty()) {
            return body.run();
        }
        Region.RowLock lock = region.getRowLock(rows.get(0), false);
        try {
            return locked(region, rows.subList(1, rows.size()), body);
        } finally {
            lock.release();
        }
    }
}
