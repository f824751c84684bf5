package org.fencepost.hbase.server;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Runs what a coprocessor does in place of a check-and-mutate, from the hook before it: HBase then asks no other
 * coprocessor, none of which can drop the answer, and nothing of its own is run. The row's lock is HBase's, whose shared half
 * puts and deletes hold; the thread that has it exclusively may put in that row.
 */
final class Exclusively {

    interface OnRow<T> {
        T run() throws IOException;
    }

    private Exclusively() {
    }

    static <T> T run(Region region, byte[] row, OnRow<T> body) throws IOException {
        region.startRegionOperation();
        try {
            Region.RowLock lock = region.getRowLock(row, false);
            try {
                return body.run();
            } finally {
                lock.release();
            }
        } finally {
            region.closeRegionOperation();
        }
    }
}
