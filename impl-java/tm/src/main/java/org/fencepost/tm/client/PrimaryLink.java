package org.fencepost.tm.client;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.TlsFiles;

/**
 * The way to the primary: finds it through ZooKeeper, keeps one connection to it, and looks for the next one when it is lost.
 *
 * <p>Whoever has a request sends it, and what others have put in meanwhile: one thread sends at a time, and whoever comes then leaves his
 * request to that one. A thread of the link's own connects and takes the answers. The timer's threads look for what takes too long; the one
 * that looks never sends, so that it can end a connection that takes nothing.
 */
final class PrimaryLink implements AutoCloseable {

    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 160;
    private static final long GOODBYE_MILLIS = 100;
    /** So often a thread sends what others have put in meanwhile. */
    private static final int MOST_ROUNDS = 16;

    private final RemoteTransactionManager.Settings settings;
    /** Kept for life, by which the manager knows what this client has begun. Not 0. */
    private final long session = new SecureRandom().nextLong() | 1;
    /** Null to connect without. */
    private final SSLContext tls;
    private final PrimaryFinder finder;
    private final Thread receiver;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicInteger outstanding = new AtomicInteger();
    /** Not sent yet. Anybody adds; whoever holds the lock takes out. */
    private final Deque<Request> waiting = new ConcurrentLinkedDeque<>();
    /** Whoever holds it sends. */
    private final ReentrantLock sending = new ReentrantLock();
    /** From the first attempt to connect until it is lost; null while looking for the primary. */
    private volatile ClientConnection connection;
    private volatile String problem = "no primary was found";
    /** The shortest that any primary has told. */
    private volatile long lifetimeNanos = Long.MAX_VALUE;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** The receiver's. */
    private long highestEpoch;

    /** Connects at the first request. Throws IllegalArgumentException if the TLS files are no good. */
    PrimaryLink(RemoteTransactionManager.Settings settings) {
        this.settings = settings;
        this.tls = sslContext(settings.tls());
        this.finder = new PrimaryFinder(settings.zooKeeper());
        this.receiver = daemon(this::receive);
        this.timer = new ScheduledThreadPoolExecutor(2, PrimaryLink::daemon);
        receiver.start();
        long tick = Math.max(1, Math.min(100, settings.answerMillis() / 10));
        timer.scheduleAtFixedRate(this::tick, tick, tick, TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tm-client");
        thread.setDaemon(true);
        return thread;
    }

    private static SSLContext sslContext(TlsFiles files) {
        try {
            return files == null ? null : files.forClient();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("The TLS files cannot be used: " + e.getMessage(), e);
        }
    }

    // ---- requests, from any thread

    /** Sends it, or leaves it to whoever sends just now. */
    void submit(Request request) {
        put(request);
        flush();
    }

    /** Leaves it to the next one that is sent, or to the next tick, within a tenth of a second. */
    void put(Request request) {
        if (closed.get()) {
            request.fail(closedException());
            return;
        }
        if (outstanding.incrementAndGet() > settings.maxOutstanding()) {
            outstanding.decrementAndGet();
            request.fail(new NotServedException("More than " + settings.maxOutstanding() + " requests are waiting for the transaction manager."));
            return;
        }
        request.answer.whenComplete((value, failure) -> outstanding.decrementAndGet());
        waiting.add(request);
        if (closed.get() && waiting.remove(request)) { // otherwise somebody has taken it, who ends it
            request.fail(closedException());
        }
    }

    /** Requests that nobody has answered yet. */
    int outstanding() {
        return outstanding.get();
    }

    long lifetimeNanos() {
        return lifetimeNanos;
    }

    // ---- sending

    private boolean isSomethingToSend() {
        ClientConnection to = connection;
        return !waiting.isEmpty() && to != null && to.canSend();
    }

    /**
     * What comes while a thread sends, it sends, too. Two never do: the receiver, since the server may wait until its answers are taken, and who has
     * the lock already and comes here from a completion.
     */
    private void flush() {
        if (Thread.currentThread() == receiver || sending.isHeldByCurrentThread()) {
            flushLater();
            return;
        }
        for (int round = 0; isSomethingToSend() && sending.tryLock(); round++) {
            try {
                ClientConnection to = connection;
                if (to != null && to.canSend()) {
                    to.send(waiting);
                }
            } finally {
                sending.unlock();
            }
            if (round == MOST_ROUNDS) {
                flushLater(); // he has waited for others long enough
                return;
            }
        }
        if (connection == null) {
            LockSupport.unpark(receiver);
        }
    }

    private void flushLater() {
        try {
            timer.execute(this::flush);
        } catch (RejectedExecutionException e) {
            // Closed: what waits has failed.
        }
    }

    private void failWaiting(TransactionManagerException why) {
        for (Request request = waiting.poll(); request != null; request = waiting.poll()) {
            request.fail(why);
        }
    }

    // ---- the receiver

    /** After a connection that is lost it tries again with pauses that grow, so that many clients do not besiege ZooKeeper during a failover. */
    private void receive() {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!closed.get()) {
            try {
                awaitRequests();
                if (connectAndReceive()) {
                    pauseMillis = FIRST_PAUSE_MILLIS;
                }
                Thread.sleep(pauseMillis + ThreadLocalRandom.current().nextLong(pauseMillis));
                pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                // Closed; or somebody's completion has left this behind.
            } catch (RuntimeException | Error e) { // what nobody foresaw is not the end of all requests
                problem = e.toString();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LONGEST_PAUSE_MILLIS));
            }
        }
        lost(null, closedException());
    }

    private void awaitRequests() throws InterruptedException {
        while (waiting.isEmpty()) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Until the connection is lost. Whether there was one. */
    private boolean connectAndReceive() throws InterruptedException {
        String address;
        try {
            address = finder.find(settings.answerMillis());
        } catch (IOException e) {
            problem = e.getMessage();
            return false;
        }
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        ClientConnection found = new ClientConnection(owner, session);
        connection = found;
        if (!closed.get()) { // otherwise nobody would close it
            found.serve(host, port, tls, (int) Math.min(settings.answerMillis(), Integer.MAX_VALUE));
            problem = found.problem();
        }
        lost(found, found.isIncompatible() ? new NotServedException("The client cannot be used: " + problem + ".") : null);
        return found.welcomed();
    }

    private final ClientConnection.Owner owner = new ClientConnection.Owner() {

        @Override
        public String objection(ClientConnection found) {
            if (found.epoch() < highestEpoch) {
                return "a primary answered whose epoch is over";
            }
            highestEpoch = found.epoch();
            lifetimeNanos = Math.min(lifetimeNanos, TimeUnit.MILLISECONDS.toNanos(found.lifetimeMillis()));
            return null;
        }

        @Override
        public void ready() {
            flushLater();
        }
    };

    /**
     * @param gone null if there is none
     * @param end  of all that waits; null if it is to wait for the next connection
     */
    private void lost(ClientConnection gone, TransactionManagerException end) {
        Deque<Request> again = new ArrayDeque<>();
        sending.lock(); // whoever sends just now has noticed
        try {
            connection = null;
            if (gone != null) {
                gone.giveBack(again);
            }
            while (!again.isEmpty()) {
                waiting.addFirst(again.pollLast());
            }
            if (end != null) {
                failWaiting(end);
            }
        } finally {
            sending.unlock();
        }
    }

    // ---- what takes too long

    private void tick() {
        long now = System.nanoTime();
        ClientConnection looked = connection;
        if (looked != null) {
            looked.expireAppends(now);
            if (looked.owedNanos(now) > TimeUnit.MILLISECONDS.toNanos(settings.answerMillis())) {
                looked.close("no answer came within " + settings.answerMillis() + " ms");
            } else if (looked.welcomed() && looked.quietNanos(now) > PING_NANOS) {
                put(new Health(now + TimeUnit.MILLISECONDS.toNanos(settings.requestMillis())));
            }
        }
        if (sending.tryLock()) {
            try {
                expireWaiting(now);
            } finally {
                sending.unlock();
            }
        }
        if (connection == null) {
            LockSupport.unpark(receiver);
        } else if (isSomethingToSend()) {
            flushLater();
        }
    }

    private void expireWaiting(long now) {
        for (Request oldest = waiting.peek(); oldest != null && now - oldest.deadlineNanos >= 0; oldest = waiting.peek()) {
            waiting.remove(oldest);
            oldest.fail(new NotServedException("No transaction manager served within " + settings.requestMillis() + " ms: " + problem + "."));
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
        try {
            if (sending.tryLock(GOODBYE_MILLIS, TimeUnit.MILLISECONDS)) {
                sending.unlock();
                flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ClientConnection last = connection;
        if (last != null) {
            last.close("the client was closed");
        }
        receiver.interrupt();
        timer.shutdownNow();
        finder.close();
    }
}
