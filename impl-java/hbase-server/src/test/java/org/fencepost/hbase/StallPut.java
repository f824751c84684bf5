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
import org.fencepost.hbase.layout.MediatorRequest;

/** A coprocessor for tests: holds native puts of one row between the stamp and the store. */
public final class StallPut implements RegionCoprocessor, RegionObserver {

    private static volatile Point point;

    /** Where puts of the row wait. */
    static final class Point implements AutoCloseable {
        private final String row;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Point(String row) {
            this.row = row;
        }

        void awaitReached() throws InterruptedException {
            if (!reached.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("No put of row " + row + " came by.");
            }
        }

        @Override
        public void close() {
            released.countDown();
            point = null;
        }
    }

    static Point at(String row) {
        point = new Point(row);
        return point;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    /** Behind Mediator's, which has a higher priority. */
    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        Point here = point;
        if (here == null || !new String(batch.getOperation(0).getRow()).equals(here.row)
                || MediatorRequest.isWriteBack(batch.getOperation(0))) {
            return;
        }
        here.reached.countDown();
        try {
            here.released.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
