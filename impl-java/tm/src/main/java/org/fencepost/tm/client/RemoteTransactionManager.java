package org.fencepost.tm.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.wire.Wire;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;

/**
 * The transaction manager over the network: finds the primary through ZooKeeper, keeps one connection to it, sends
 * requests without waiting for the answers of earlier ones, and looks for the next primary when this one is lost.
 *
 * <p>A begin may be asked again, of another primary too. A commit or a fence is sent once: if its answer is lost, the
 * future fails with {@link TransactionManagerException}, and the caller decides. The commit protocol aborts then, which is
 * right whatever the manager did, because the commit table was not touched. {@link NotServedException} says that the
 * request was certainly not carried out.
 *
 * <p>Every request ends within {@link Settings#requestMillis}. Thread-safe. Requests are sent by the threads that have
 * them, which may have to wait until the manager takes them; completions run on the client's threads, or on one that sends: do not block in
 * them.
 */
public final class RemoteTransactionManager implements TransactionManager, AutoCloseable {

    /**
     * @param zooKeeper      host:port, several separated by commas; a path may follow. The servers' own
     * @param requestMillis  after so long a request fails
     * @param answerMillis   a primary that owes an answer for so long is given up, and looked for anew
     * @param maxOutstanding requests that may be unanswered; more fail at once
     * @param tls            null to connect without
     */
    public record Settings(String zooKeeper, long requestMillis, long answerMillis, int maxOutstanding, TlsFiles tls) {

        public Settings {
            ZooKeeperObjects.requireAddress(zooKeeper);
            if (requestMillis < 1 || answerMillis < 1 || maxOutstanding < 1) {
                throw new IllegalArgumentException("Time limits and outstanding requests must be at least 1.");
            }
        }

        /** 10 s per request, 1 s for a primary to answer, 65,536 outstanding, no TLS. */
        public static Settings of(String zooKeeper) {
            return of(zooKeeper, null);
        }

        /**
         * The same with TLS.
         *
         * @param tls null to connect without
         */
        public static Settings of(String zooKeeper, TlsFiles tls) {
            return new Settings(zooKeeper, 10_000, 1_000, 1 << 16, tls);
        }
    }

    private final Settings settings;
    private final PrimaryLink link;
    /** Guarded by this. */
    private long highestCollectable;

    /** Connects when first asked. Throws IllegalArgumentException if the TLS files are no good. */
    public RemoteTransactionManager(Settings settings) {
        this.settings = settings;
        this.link = new PrimaryLink(settings);
    }

    public CompletableFuture<Long> beginAsync() {
        return submit(new Request(Wire.BEGIN, 0, deadline())).answer;
    }

    /** See {@link #commit(long, long[], long[])}. */
    public CompletableFuture<Long> commitAsync(long startTs, long[] writeSet, long[] tables) {
        return submit(new Request(Wire.COMMIT, startTs, writeSet, tables, deadline())).answer;
    }

    public CompletableFuture<Long> fenceAsync(long table) {
        return submit(new Request(Wire.FENCE, table, deadline())).answer;
    }

    /** How the primary is; never null. */
    public CompletableFuture<Condition> conditionAsync() {
        return submit(new Health(deadline())).condition;
    }

    @Override
    public long begin() {
        return await(beginAsync());
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        return await(commitAsync(startTs, writeSet, tables));
    }

    @Override
    public long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        return commitLater(startTs, comparedUpTo, writeSet, tables).getAsLong();
    }

    @Override
    public LongSupplier commitLater(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
        CompletableFuture<Long> answer = comparedUpTo == startTs ? commitAsync(startTs, writeSet, tables)
                : submit(new Request(Wire.COMMIT_AGAIN, startTs, comparedUpTo, writeSet, tables, deadline())).answer;
        return () -> await(answer);
    }

    @Override
    public long commitBlindly(long[] writeSet) {
        return await(submit(new Request(Wire.COMMIT_BLINDLY, 0, writeSet, NO_TABLES, deadline())).answer);
    }

    @Override
    public long fence(long table) {
        return await(fenceAsync(table));
    }

    @Override
    public boolean renew(long startTs) {
        return await(submit(new Request(Wire.RENEW, startTs, deadline())).answer) == 1;
    }

    @Override
    public boolean isPending(long startTs) {
        return await(submit(new Request(Wire.PENDING, startTs, deadline())).answer) == 1;
    }

    /**
     * Sent with the next request, or within a tenth of a second: only collection waits for it. If it is lost, the transaction ends by its
     * lifetime.
     */
    @Override
    public void end(long startTs) {
        link.put(new Request(Wire.END, startTs, deadline()));
    }

    /** A new primary may tell less than the last one did, which still holds: this never sinks. */
    @Override
    public long collectableBelow() {
        long told = await(submit(new Request(Wire.WATERMARK, 0, deadline())).answer);
        synchronized (this) {
            highestCollectable = Math.max(highestCollectable, told);
            return highestCollectable;
        }
    }

    /** As the primary answers; throws {@link NotServedException} if there is none in time. */
    @Override
    public ManagerInfo info() {
        return await(submit(new Health(deadline())).info);
    }

    /** The shortest that any primary has told this client. */
    @Override
    public long lifetimeNanos() {
        return link.lifetimeNanos();
    }

    long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.requestMillis());
    }

    /** Not private for {@link RemoteOracle}, which shares the connection. */
    <R extends Request> R submit(R request) {
        link.submit(request);
        return request;
    }

    /** A message that nobody waits for. Where other requests are under way, the next one will follow soon, and takes it along. Else it is sent at once. */
    void tell(Request message) {
        if (link.outstanding() > 0) {
            link.put(message);
        } else {
            link.submit(message);
        }
    }

    <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(2 * settings.requestMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NotServedException) {
                throw new NotServedException(e.getCause().getMessage());
            }
            throw new TransactionManagerException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new TransactionManagerException("The client does not take its answers.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransactionManagerException("Interrupted while waiting for the transaction manager.", e);
        }
    }

    /** Requests without an answer fail. Closed once more, it does nothing. */
    @Override
    public void close() {
        link.close();
    }
}
