package org.fencepost.bench.mix;

import java.io.IOException;
import java.util.Arrays;

/** A system that {@link Bench} compares, in the process of its client. Threads share it. */
abstract class Contender implements AutoCloseable {

    /** The parts of a transaction, as in VLDB'18 fig. 5. */
    enum Phase {
        BEGIN, READ, WRITE, COMMIT
    }

    /** The system has aborted the transaction. */
    static final class Aborted extends Exception {

        private static final long serialVersionUID = 1;

        Aborted(Throwable cause) {
            super(cause);
        }
    }

    /** One transaction of one thread. */
    interface Tx {

        void read(byte[] row) throws IOException, Aborted;

        void write(byte[] row, byte[] value) throws IOException, Aborted;

        void commit() throws IOException, Aborted;
    }

    /** Where the time of one thread's transactions went, in nanoseconds. */
    static final class Stopwatch {

        private final long[] nanos = new long[Phase.values().length];
        private long last;

        void start() {
            Arrays.fill(nanos, 0);
            last = System.nanoTime();
        }

        /** What went by since the last call was that. */
        void lap(Phase phase) {
            long now = System.nanoTime();
            nanos[phase.ordinal()] += now - last;
            last = now;
        }

        long nanos(Phase phase) {
            return nanos[phase.ordinal()];
        }

        long total() {
            return Arrays.stream(nanos).sum();
        }
    }

    static final byte[] FAMILY = {'f'};
    static final byte[] COLUMN = {'c'};

    abstract Tx begin() throws IOException;

    /** Begins a transaction with checkpoints, where the system and its table have them. */
    Closure.Edges edges() throws IOException {
        throw new UnsupportedOperationException("without checkpoints");
    }

    /** Runs a transaction; the default goes through {@link #begin}. */
    void run(Job job, byte[] value, Stopwatch watch) throws IOException, Aborted {
        Tx tx = begin();
        watch.lap(Phase.BEGIN);
        for (Job.Access access : job.accesses()) {
            if (access.write()) {
                tx.write(access.row(), value);
                watch.lap(Phase.WRITE);
            } else {
                tx.read(access.row());
                watch.lap(Phase.READ);
            }
        }
        tx.commit();
        watch.lap(Phase.COMMIT);
    }

    @Override
    public abstract void close() throws IOException;
}
