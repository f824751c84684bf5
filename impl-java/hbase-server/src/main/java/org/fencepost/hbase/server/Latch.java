package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.protocol.region.Signal;

/** What requests on a region server wait for; never for ever, and for the transaction manager not all at once. */
final class Latch implements Signal<IOException> {

    /** Far beyond any store; then something is broken, and the reader had better try again than wait on. */
    private static final long PATIENCE_MILLIS = 30_000;

    private final CountDownLatch latch = new CountDownLatch(1);
    private final long patienceMillis;
    private final boolean throwing;
    /** Null: any number may wait, since what they wait for is a request that HBase is carrying out. */
    private final WaitingHandlers handlers;

    private Latch(long patienceMillis, boolean throwing, WaitingHandlers handlers) {
        this.patienceMillis = patienceMillis;
        this.throwing = throwing;
        this.handlers = handlers;
    }

    /** Until the transaction manager has told the time, and if it does not, then all the same. */
    static Latch untilTold(long patienceMillis, WaitingHandlers handlers) {
        return new Latch(patienceMillis, false, handlers);
    }

    /** The same for who cannot go on without; if it takes too long, the client had better try again. */
    static Latch ofTime(long patienceMillis, WaitingHandlers handlers) {
        return new Latch(patienceMillis, true, handlers);
    }

    /** Until a fast-path write is over. */
    static Latch ofWrite() {
        return new Latch(PATIENCE_MILLIS, true, null);
    }

    /** Until a native put is over; then the client had better try again. */
    static Latch ofPut(long patienceMillis) {
        return new Latch(patienceMillis, true, null);
    }

    @Override
    public void give() {
        latch.countDown();
    }

    @Override
    public void await() throws IOException {
        if (latch.getCount() == 0) {
            return;
        }
        if (handlers != null && !handlers.enter()) {
            giveUp("while " + handlers.places() + " other requests wait for the transaction manager");
            return;
        }
        try {
            if (!latch.await(patienceMillis, TimeUnit.MILLISECONDS)) {
                giveUp("for " + patienceMillis + " ms");
            }
        } catch (InterruptedException e) {
            throw Failures.interrupted(e);
        } finally {
            if (handlers != null) {
                handlers.leave();
            }
        }
    }

    private void giveUp(String since) throws RegionTooBusyException {
        if (throwing) {
            throw new RegionTooBusyException("No version for a write, or none stored, " + since + ".");
        }
    }
}
