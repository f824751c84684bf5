package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.layout.Failures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what a region has accepted under the rows' exclusive locks: a write of the fast path, or a commit in one phase.
 *
 * <p>A put that fails in HBase's log may yet appear ({@link LogOfThread}). Until that is certain nobody must find out that it is not there: no
 * reader of a later snapshot, and no client that looks for its commit. So the rows stay locked, and in flight, and the put is repeated, which changes
 * nothing where it was stored: until it is stored, or the region is closed, after which nobody reads here (specs/OnePhase.tla, StoreBatch and LoseBatches).
 */
final class UntilStored {

    private static final Logger LOG = LoggerFactory.getLogger(UntilStored.class);
    private static final long PAUSE_MILLIS = 100;

    /** Makes the same puts, new ones for each attempt: one for each row. */
    interface Attempt {
        List<Put> puts() throws IOException;
    }

    private UntilStored() {
    }

    /**
     * Stores all of them, or none. On return everybody can read them. Throws what HBase throws if they are certainly not stored, and an exception of no kind that clients take for a
     * refusal if it certainly is, or if nobody can tell.
     */
    static void put(Region region, Attempt attempt) throws IOException {
        boolean interrupted = false;
        try {
            for (boolean mayAppear = false; true; interrupted |= pause()) {
                LogOfThread.begin();
                List<Put> puts = attempt.puts();
                Put first = puts.get(0);
                try {
                    if (mayAppear) {
                        again(region, puts);
                    } else {
                        store(region, puts);
                    }
                    return;
                } catch (IOException | RuntimeException e) {
                    boolean isNew = !mayAppear;
                    mayAppear |= LogOfThread.mayHaveIt();
                    if (!mayAppear) {
                        throw e;
                    }
                    requireUndecided(region, first, e);
                    if (isNew) {
                        LOG.warn("HBase's log has failed with a write in row {} of {}, which stays locked until it is stored: {}",
                                Bytes.toStringBinary(first.getRow()), region.getRegionInfo().getRegionNameAsString(), Failures.reason(e));
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The client's rights were looked at the first time. Its time may be over, after which HBase would not even try for it. */
    private static void again(Region region, List<Put> puts) throws IOException {
        AsServer.run(() -> {
            store(region, puts);
            return null;
        });
    }

    /** In one entry of the log. */
    private static void store(Region region, List<Put> puts) throws IOException {
        if (puts.size() == 1) {
            region.put(puts.get(0));
        } else {
            region.mutateRowsWithLocks(List.copyOf(puts), puts.stream().map(Put::getRow).toList(), HConstants.NO_NONCE, HConstants.NO_NONCE);
        }
    }

    /** Throws IOException if it is stored, or if the region is closed: then it is not repeated. */
    private static void requireUndecided(Region region, Put put, Exception failure) throws IOException {
        String row = Bytes.toStringBinary(put.getRow());
        if (LogOfThread.isThere(region, put)) {
            throw new IOException("What was written in row " + row + " is stored, and HBase has failed after that: " + Failures.reason(failure));
        }
        if (!region.isAvailable()) {
            throw new IOException("The region of row " + row + " was closed before it was known whether its log has what was written.");
        }
    }

    /** An interruption ends nothing: HBase interrupts those whose region it closes, and that is seen above. Whether there was one. */
    private static boolean pause() {
        boolean interrupted = Thread.interrupted();
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return interrupted;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
