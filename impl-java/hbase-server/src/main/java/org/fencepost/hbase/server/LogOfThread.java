package org.fencepost.hbase.server;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.Region;
import org.fencepost.hbase.layout.Layout;

/**
 * Whether HBase's log was asked to take what this thread writes. A write that fails afterwards is not over: HBase does not show it, but the log may
 * have it, and whoever opens the region from that log shows it. One that fails before is over.
 */
final class LogOfThread {

    private static final ThreadLocal<Boolean> ASKED = ThreadLocal.withInitial(() -> false);

    private LogOfThread() {
    }

    /** Before a write. */
    static void begin() {
        ASKED.set(false);
    }

    /** To be called right before the log gets it. */
    static void ask() {
        ASKED.set(true);
    }

    /** Whether a write that has failed may be in the log. */
    static boolean mayHaveIt() {
        return ASKED.get();
    }

    /** Whether a put that has failed may yet appear: the log may have it, and it cannot be read. Of a delete nobody can tell that. */
    static boolean leavesOpen(Region region, Mutation failed) {
        return mayHaveIt() && !isThere(region, failed);
    }

    /** Then it was not the log that failed, but what came after, such as another coprocessor. Without the client, who may have gone. */
    static boolean isThere(Region region, Mutation put) {
        try {
            Cell one = Layout.cells(put).iterator().next();
            Get get = new Get(put.getRow()).setTimestamp(one.getTimestamp()).addColumn(CellUtil.cloneFamily(one), CellUtil.cloneQualifier(one));
            return AsServer.run(() -> !region.get(get, false).isEmpty());
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
