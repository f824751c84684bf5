package org.fencepost.tm.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.Platform;
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
 * <p>Every request ends within {@link Settings#requestMillis}. Thread-safe. Completions run on the client's one thread:
 * do not block in them.
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

    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 160;

    private final Settings settings;
    /** Kept for life, by which the manager knows what this client has begun. Not 0. */
    private final long session = new SecureRandom().nextLong() | 1;
    /** The shortest that any primary has told. */
    private volatile long lifetimeNanos = Long.MAX_VALUE;
    private final PrimaryFinder finder;
    private final EventLoopGroup loops = Platform.singleThread("tm-client");
    private final EventLoop loop = loops.next();
    private final Bootstrap bootstrap;
    /** Null to connect without. */
    private final SslContext tls;
    private final Queue<Request> incoming = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    // Confined to the client's thread.
    private final Deque<Request> waiting = new ArrayDeque<>();
    /** Null while looking for the primary. */
    private ClientConnection connection;
    /** Numbers the searches for the primary, so that a late result of an earlier one is known. */
    private long search;
    private boolean searching;
    private long searchStartedNanos;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private String problem = "no primary was found";
    private long highestEpoch;
    private long highestCollectable;

    /** Connects when first asked. Throws IllegalArgumentException if the TLS files are no good. */
    public RemoteTransactionManager(Settings settings) {
        this.settings = settings;
        this.tls = sslContext(settings.tls());
        this.finder = new PrimaryFinder(settings.zooKeeper());
        this.bootstrap = new Bootstrap().group(loop).channel(Platform.channel()).option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(settings.answerMillis(), Integer.MAX_VALUE));
        long tick = Math.max(1, Math.min(100, settings.answerMillis() / 10));
        loop.scheduleAtFixedRate(this::tick, tick, tick, TimeUnit.MILLISECONDS);
    }

    private static SslContext sslContext(TlsFiles files) {
        try {
            return files == null ? null : files.forClient();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("The TLS files cannot be used: " + e.getMessage(), e);
        }
    }

    // ---- requests, from any thread

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
        return submit(new Request(Wire.HEALTH, 0, deadline())).condition;
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
     * Sent with the next request, or within a tenth of a second: only collection waits for it, and a reader need not wake the
     * client's thread a second time. If it is lost, the transaction ends by its lifetime.
     */
    @Override
    public void end(long startTs) {
        enqueue(new Request(Wire.END, startTs, deadline()));
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
        return await(submit(new Request(Wire.HEALTH, 0, deadline())).info);
    }

    /** The shortest that any primary has told this client. */
    @Override
    public long lifetimeNanos() {
        return lifetimeNanos;
    }

    long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.requestMillis());
    }

    /** Not private for {@link RemoteOracle}, which shares the connection. */
    <R extends Request> R submit(R request) {
        if (enqueue(request) && drainScheduled.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
        return request;
    }

    /**
     * A message that nobody waits for. Where other requests are under way, the next one will follow soon, and takes it along: that spares
     * waking the client's thread. Else it is sent at once.
     */
    void tell(Request message) {
        if (outstanding.get() > 0) {
            enqueue(message);
        } else {
            submit(message);
        }
    }

    /** Sent with the next request, or within a tenth of a second. Returns false if it has failed already. */
    private boolean enqueue(Request request) {
        if (outstanding.incrementAndGet() > settings.maxOutstanding()) {
            outstanding.decrementAndGet();
            request.fail(new NotServedException("More than " + settings.maxOutstanding() + " requests are waiting for the transaction manager."));
            return false;
        }
        request.answer.whenComplete((value, failure) -> outstanding.decrementAndGet());
        incoming.add(request);
        if (closed.get()) {
            request.fail(closedException());
        }
        return !closed.get();
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
            throw new TransactionManagerException("The client's own thread is stuck.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransactionManagerException("Interrupted while waiting for the transaction manager.", e);
        }
    }

    // ---- the client's thread

    private void drain() {
        drainScheduled.set(false);
        takeIncoming();
        send();
    }

    private void takeIncoming() {
        for (Request request = incoming.poll(); request != null; request = incoming.poll()) {
            waiting.add(request);
        }
    }

    private void send() {
        if (waiting.isEmpty()) {
            return;
        }
        if (connection == null) {
            search();
        } else if (connection.canSend()) {
            connection.send(waiting);
        }
    }

    private void tick() {
        takeIncoming();
        long now = System.nanoTime();
        while (!waiting.isEmpty() && now - waiting.peek().deadlineNanos >= 0) {
            waiting.poll().fail(new NotServedException("No transaction manager served within " + settings.requestMillis()
                    + " ms: " + problem + "."));
        }
        if (connection != null) {
            connection.expireAppends(now);
        }
        long patience = TimeUnit.MILLISECONDS.toNanos(settings.answerMillis());
        if (connection != null && connection.owedNanos(now) > patience) {
            connection.close("no answer came within " + settings.answerMillis() + " ms");
        } else if (connection != null && connection.welcomed() && connection.quietNanos(now) > PING_NANOS) {
            conditionAsync();
        } else if (searching && now - searchStartedNanos > patience) {
            searching = false;
        }
        send();
    }

    private void search() {
        if (searching || closed.get()) {
            return;
        }
        searching = true;
        searchStartedNanos = System.nanoTime();
        long number = ++search;
        finder.find(address -> loop.execute(() -> found(number, address)), why -> loop.execute(() -> failed(number, why)));
    }

    private void found(long number, String address) {
        if (number != search || !searching) {
            return;
        }
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        ClientConnection candidate = new ClientConnection(owner, session);
        ChannelFuture connecting = bootstrap.clone().handler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                if (tls != null) {
                    channel.pipeline().addLast(TlsFiles.verifying(tls.newHandler(channel.alloc(), host, port)));
                }
                channel.pipeline().addLast(candidate);
            }
        }).connect(host, port);
        connecting.addListener(done -> {
            if (!connecting.isSuccess()) {
                failed(number, "the transaction manager at " + address + " cannot be reached: " + connecting.cause().getMessage());
            } else if (number != search || !searching || closed.get()) {
                connecting.channel().close();
            } else {
                searching = false;
                connection = candidate;
            }
        });
    }

    /** Tries again after a pause that grows, so that many clients do not besiege ZooKeeper during a failover. */
    private void failed(long number, String why) {
        if (number == search && searching) {
            problem = why;
            searchStartedNanos = System.nanoTime();
            loop.schedule(() -> {
                if (number == search) {
                    searching = false;
                    send();
                }
            }, pauseMillis + ThreadLocalRandom.current().nextLong(pauseMillis), TimeUnit.MILLISECONDS);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private final ClientConnection.Owner owner = new ClientConnection.Owner() {

        @Override
        public void welcomed(ClientConnection welcomed) {
            if (welcomed.epoch() < highestEpoch) {
                welcomed.close("a primary answered whose epoch is over");
                return;
            }
            highestEpoch = welcomed.epoch();
            lifetimeNanos = Math.min(lifetimeNanos, TimeUnit.MILLISECONDS.toNanos(welcomed.lifetimeMillis()));
            pauseMillis = FIRST_PAUSE_MILLIS;
            send();
        }

        @Override
        public void writable() {
            send();
        }

        @Override
        public void lost(ClientConnection gone, String why, boolean incompatible) {
            if (gone != connection) {
                return;
            }
            connection = null;
            Deque<Request> again = new ArrayDeque<>();
            gone.giveBack(again);
            while (!again.isEmpty()) {
                waiting.addFirst(again.pollLast());
            }
            searching = true;
            failed(search, why);
            if (incompatible) {
                failWaiting(new NotServedException("The client cannot be used: " + why + "."));
            }
        }
    };

    private void failWaiting(TransactionManagerException problem) {
        for (Request request = waiting.poll(); request != null; request = waiting.poll()) {
            request.fail(problem);
        }
    }

    private static NotServedException closedException() {
        return new NotServedException("The client is closed.");
    }

    /** Requests without an answer fail. Closed once more, it does nothing. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        loop.execute(() -> {
            takeIncoming();
            if (connection != null) {
                send();
                connection.close("the client was closed");
            }
            failWaiting(closedException());
        });
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        finder.close();
    }
}
