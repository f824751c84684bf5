package org.fencepost.hbase;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.fencepost.protocol.FastRegion;

/** What requests on a region server wait for; never for ever. */
final class Latch implements FastRegion.Signal<IOException> {

    /** Far beyond any store; then something is broken, and the reader had better try again than wait on. */
    private static final long PATIENCE_MILLIS = 30_000;

    private final CountDownLatch latch = new CountDownLatch(1);
    private final long patienceMillis;
    private final boolean throwing;

    private Latch(long patienceMillis, boolean throwing) {
        this.patienceMillis = patienceMillis;
        this.throwing = throwing;
    }

    /** Until the transaction manager has told the time, and if it does not, then all the same. */
    static Latch untilTold(long patienceMillis) {
        return new Latch(patienceMillis, false);
    }

    /** Until a fast-path write is over. */
    static Latch ofWrite() {
        return new Latch(PATIENCE_MILLIS, true);
    }

    /** Until a native put is over, or the transaction manager has told the time; then the client had better try again. */
    static Latch ofPut(long patienceMillis) {
        return new Latch(patienceMillis, true);
    }

    @Override
    public void give() {
        latch.countDown();
    }

    @Override
    public void await() throws IOException {
        try {
            if (!latch.await(patienceMillis, TimeUnit.MILLISECONDS) && throwing) {
                throw new RegionTooBusyException("No version for a write, or none stored, for " + patienceMillis + " ms.");
            }
        } catch (InterruptedException e) {
            throw Failures.interrupted(e);
        }
    }
}
