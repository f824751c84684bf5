package org.fencepost.hbase;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** A coprocessor for tests: holds one fast-path write between the draw of its version and its storing. */
public final class Stall implements RegionCoprocessor, RegionObserver {

    private static volatile Stall.Point point;

    /** Where a write waits. */
    static final class Point implements AutoCloseable {
        final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        void awaitReached() throws InterruptedException {
            if (!reached.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("No fast-path write came by.");
            }
        }

        @Override
        public void close() {
            released.countDown();
            point = null;
        }
    }

    /** The next fast-path write waits until this is closed. */
    static Point next() {
        point = new Point();
        return point;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        Point here = point;
        if (here != null && FastRequest.isRecord(batch.getOperation(0)) && here.reached.getCount() > 0) {
            here.reached.countDown();
            try {
                here.released.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
