package org.fencepost.hbase;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.Layout;

/**
 * A coprocessor for tests: holds one fast-path write between the draw of its version and its storing; and loses answers of
 * others, before they are stored or after that.
 */
public final class Stall implements RegionCoprocessor, RegionObserver {

    private static volatile Stall.Point point;
    private static volatile int losses;
    private static final AtomicBoolean LOSE_NEXT_ANSWER = new AtomicBoolean();

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

    /** Of so many fast-path writes one is lost on the way there and one on the way back; 0: none. */
    static void loseOneIn(int writes) {
        losses = writes;
    }

    /** The next fast-path write is stored, and its answer lost. */
    static void loseNextAnswer() {
        LOSE_NEXT_ANSWER.set(true);
    }

    private static void mayLose() throws IOException {
        int oneIn = losses;
        if (oneIn > 0 && ThreadLocalRandom.current().nextInt(oneIn) == 0) {
            throw new IOException("lost, for a test");
        }
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
            MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        if (!FastRequest.isRecord(batch.getOperation(0))) {
            return;
        }
        if (!isTombstone(batch.getOperation(0))) {
            mayLose();
        }
        Point here = point;
        if (here != null && here.reached.getCount() > 0) {
            here.reached.countDown();
            try {
                here.released.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /** What is stored of it is told by its value alone: a test could not tell two tombstones apart. */
    private static boolean isTombstone(Mutation mutation) {
        for (Cell cell : Layout.cells(mutation)) {
            if (!Layout.isCommitCell(cell) && Layout.isTombstone(cell)) {
                return true;
            }
        }
        return false;
    }

    /** The record is stored. */
    @Override
    public void postPut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
        if (!FastRequest.isRecord(put)) {
            return;
        }
        if (LOSE_NEXT_ANSWER.compareAndSet(true, false)) {
            throw new IOException("lost, for a test");
        }
        if (!isTombstone(put)) {
            mayLose();
        }
    }
}
