package org.fencepost.tm.client;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.mediator.Replica;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.mediator.RingReplica;
import org.fencepost.tm.wire.Wire;

/**
 * Mediator's status oracle and its log over the network, on the connection of a {@link RemoteTransactionManager}. Keeps one replica of the
 * ring, which each begin brings up to date by what has changed.
 *
 * <p>A begin may be asked again, and so may a record be sent again, to the next primary, too. While an oracle recovers, both wait for it, up
 * to the time of a request. Thread-safe.
 */
public final class RemoteOracle implements Oracle, Log<byte[]> {

    /** Bytes of the write set of one transaction. */
    public static final int LARGEST_WRITES = Wire.LARGEST_WRITES;

    private static final long[] NONE = {};
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RemoteTransactionManager manager;
    /** Guarded by itself: one thread sends, another takes the answers. */
    private final RingReplica replica = new RingReplica();

    /** @param manager stays the caller's to close */
    public RemoteOracle(RemoteTransactionManager manager) {
        this.manager = manager;
    }

    @Override
    public Begun begin(boolean withReplica) {
        return untilOpen(() -> manager.submit(new TxBegin(withReplica)).begun);
    }

    @Override
    public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        if (conflicts.length != since.length) {
            throw new IllegalArgumentException("There are " + conflicts.length + " keys to compare, and " + since.length + " timestamps.");
        }
        Request request = new Request(Wire.TX_TRY_COMMIT, startTs, writes.length > conflicts.length ? writes : conflicts, NONE, manager.deadline()) {
            @Override
            void writeTo(ByteBuf out) {
                Wire.writeTxTryCommit(out, id, startTs, writes, conflicts, since);
            }
        };
        long answer = manager.await(manager.submit(request).answer);
        if (answer == Wire.RECOVERING) {
            throw new NotServedException("The transaction manager recovers what another has left.");
        }
        return answer;
    }

    /** Sent without waiting. */
    @Override
    public void tsoAbort(long commitTs) {
        manager.submit(new Request(Wire.TSO_ABORT, commitTs, manager.deadline()));
    }

    /** Sent without waiting, as {@link RemoteTransactionManager#tell} does. */
    @Override
    public void txCommit(long commitTs) {
        manager.tell(new Request(Wire.TX_COMMIT, commitTs, manager.deadline()));
    }

    /** Throws IllegalArgumentException if the write set is larger than {@link #LARGEST_WRITES}. */
    @Override
    public boolean append(LogRecord<byte[]> record) {
        if (record.commits() && record.writes().length > LARGEST_WRITES) {
            throw new IllegalArgumentException("The transaction writes " + record.writes().length + " bytes; Mediator's log takes "
                    + LARGEST_WRITES + " at most: commit in smaller parts.");
        }
        try {
            long answer = untilOpen(() -> manager.submit(new Request(Wire.APPEND, 0, manager.deadline()) {
                @Override
                void writeTo(ByteBuf out) {
                    Wire.writeAppend(out, id, record);
                }
            }).answer);
            if (answer == Wire.UNKNOWN) {
                throw new StoreException("Mediator's log does not remember the transaction with commit timestamp " + record.commitTs() + ".");
            }
            return answer == 1;
        } catch (TransactionManagerException e) {
            throw new StoreException(e.getMessage(), e);
        }
    }

    /** Asks again while the oracle recovers. */
    private <T> T untilOpen(Supplier<CompletableFuture<T>> question) {
        long deadline = manager.deadline();
        while (true) {
            T answer = manager.await(question.get());
            if (answer != null && !answer.equals(Wire.RECOVERING)) {
                return answer;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new NotServedException("The transaction manager still recovers what another has left.");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private long revision() {
        synchronized (replica) {
            return replica.revision();
        }
    }

    private Replica apply(long[] changes) {
        synchronized (replica) {
            replica.apply(changes);
            return replica.snapshot();
        }
    }

    /** Tells the revision that is known when it is sent. */
    private final class TxBegin extends Request {

        /** Null: the oracle recovers. */
        final CompletableFuture<Begun> begun = new CompletableFuture<>();
        private final boolean withReplica;

        TxBegin(boolean withReplica) {
            super(Wire.TX_BEGIN, 0, manager.deadline());
            this.withReplica = withReplica;
            answer.whenComplete((code, failure) -> {
                if (failure == null) {
                    begun.complete(null);
                } else {
                    begun.completeExceptionally(failure);
                }
            });
        }

        @Override
        void writeTo(ByteBuf out) {
            Wire.writeTxBegin(out, id, withReplica ? revision() : -1);
        }

        @Override
        void begun(long startTs, long[] changes) {
            begun.complete(new Begun(startTs, withReplica ? apply(changes) : Replica.NONE));
            answer.complete(0L);
        }
    }
}
