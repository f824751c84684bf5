package org.fencepost.tm.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.BadFrameException;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.wire.Wire;

/**
 * The client's end of one connection: hello first, then requests out and answers in, which come in the order of the requests. One thread
 * connects and takes the answers; requests are sent by any thread, one at a time; whoever wants may close it.
 */
final class ClientConnection {

    /** Whose it is; called by the thread that takes the answers. */
    interface Owner {

        /** The manager's welcome has come: why this is none to ask, in a clause, or null. */
        String objection(ClientConnection connection);

        /** Requests can be sent from now on. */
        void ready();
    }

    /** A ring of half a million active entries. */
    private static final int LARGEST_ANSWER = 1 << 26;
    private static final int BUFFER_BYTES = 1 << 16;
    /** Others may add requests all the time. */
    private static final int MOST_AT_ONCE = 1 << 12;
    private static final String CLOSED = "the connection was closed";

    private final long session;
    private final Owner owner;
    /** Under TLS, if there is TLS. To close the socket above would wait for whoever writes. */
    private final Socket socket = new Socket();
    private final Queue<Request> unanswered = new ConcurrentLinkedQueue<>();
    /** Those that wait for Mediator's log, by id: they are answered in any order. */
    private final Map<Integer, Request> appends = new ConcurrentSkipListMap<>();
    private final long openedNanos = System.nanoTime();
    /** Why it was closed; null while nobody has. */
    private final AtomicReference<String> problem = new AtomicReference<>();
    private volatile boolean incompatible;
    private volatile boolean welcomed;
    private volatile long lastSentNanos;
    /** Whether something is being written just now, and since when it makes no progress. */
    private volatile boolean writing;
    private volatile long writingNanos;
    private OutputStream out;
    /** What is sent next. It and the id are the sender's. */
    private ByteBuf frames = Unpooled.buffer(BUFFER_BYTES);
    private int lastId;
    private String identity;
    private long tenure;
    private long epoch;
    private long lifetimeMillis;
    private int maxWriteSet;

    /**
     * @param session of the client; see {@link Wire}
     */
    ClientConnection(Owner owner, long session) {
        this.owner = owner;
        this.session = session;
    }

    /**
     * Connects, and takes answers until the connection is lost: {@link #problem} says why.
     *
     * @param tls null to connect without
     */
    void serve(String host, int port, SSLContext tls, int connectMillis) {
        try (socket) {
            connect(host, port, connectMillis);
            Socket talking = tls == null ? socket : TlsFiles.over(socket, tls, host, port);
            out = talking.getOutputStream();
            Wire.writeHello(frames, session);
            write();
            receive(talking.getInputStream());
            close(CLOSED);
        } catch (IOException | BadFrameException | RuntimeException | Error e) { // frames too short for what they announce, no memory, among others
            close(reason(e));
        }
    }

    private void connect(String host, int port, int connectMillis) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), connectMillis);
        } catch (IOException e) {
            throw new IOException("the transaction manager at " + host + ":" + port + " cannot be reached: " + reason(e), e);
        }
    }

    private static String reason(Throwable e) {
        return e.getMessage() == null || e instanceof Error ? e.toString() : e.getMessage();
    }

    // ---- requests

    boolean canSend() {
        return welcomed && problem.get() == null;
    }

    /** Sends some of them, the first ones, and none any more once it is closed. By one thread at a time, and only while {@link #canSend}. */
    void send(Queue<Request> requests) {
        lastSentNanos = System.nanoTime();
        for (int sent = 0; sent < MOST_AT_ONCE && canSend(); sent++) {
            Request request = requests.poll();
            if (request == null) {
                break;
            }
            put(request);
            if (frames.readableBytes() >= BUFFER_BYTES) {
                write();
            }
        }
        write();
    }

    private void put(Request request) {
        if (request.answer.isDone()) {
            return; // it has failed meanwhile
        }
        int begin = frames.writerIndex();
        try {
            if (request.hashes() > maxWriteSet) {
                throw new IllegalArgumentException("The transaction writes " + request.hashes() + " keys; the transaction manager takes "
                        + maxWriteSet + " at most (--max-write-set): commit in smaller parts.");
            }
            request.id = ++lastId;
            request.sentNanos = lastSentNanos;
            request.writeTo(frames);
        } catch (RuntimeException | Error e) { // which is not the fault of whoever sends it
            frames.writerIndex(begin);
            request.fail(new NotServedException(reason(e)));
            return;
        }
        if (request.waitsForLog()) {
            appends.put(request.id, request);
        } else if (request.isAnswered()) {
            unanswered.add(request);
        } else {
            request.answer.complete(0L);
        }
    }

    /** In parts: each that is taken is progress. */
    private void write() {
        try {
            writingNanos = System.nanoTime();
            writing = true;
            while (frames.isReadable()) {
                int part = Math.min(frames.readableBytes(), BUFFER_BYTES);
                out.write(frames.array(), frames.arrayOffset() + frames.readerIndex(), part);
                frames.skipBytes(part);
                writingNanos = System.nanoTime();
            }
        } catch (IOException e) {
            close(reason(e));
        } finally {
            writing = false;
        }
        frames = emptied(frames);
    }

    /** What was large once need not stay so. */
    private static ByteBuf emptied(ByteBuf buffer) {
        return buffer.capacity() > 4 * BUFFER_BYTES ? Unpooled.buffer(BUFFER_BYTES) : buffer.clear();
    }

    // ---- answers

    private void receive(InputStream answers) throws IOException, BadFrameException {
        ByteBuf in = Unpooled.buffer(BUFFER_BYTES);
        while (problem.get() == null && in.writeBytes(answers, BUFFER_BYTES) >= 0) {
            handleFrames(in);
            in = in.isReadable() ? in.discardReadBytes() : emptied(in);
        }
    }

    private void handleFrames(ByteBuf in) throws BadFrameException {
        while (problem.get() == null && in.readableBytes() >= Wire.HEADER) {
            int length = in.getInt(in.readerIndex());
            if (length < 1 || length > LARGEST_ANSWER) {
                throw new BadFrameException("an answer of " + length + " bytes came");
            }
            if (in.readableBytes() < Wire.HEADER + length) {
                return;
            }
            in.skipBytes(Wire.HEADER);
            handle(in.readByte(), in.readSlice(length - 1));
        }
    }

    private void handle(byte type, ByteBuf in) throws BadFrameException {
        if (type == Wire.GOODBYE) {
            byte code = in.readByte();
            incompatible = code == Wire.INCOMPATIBLE || code == Wire.UNAUTHORIZED;
            close("the transaction manager refused: " + Wire.readText(in));
        } else if (!welcomed && type == Wire.WELCOME) {
            in.readShort();
            tenure = in.readLong();
            epoch = in.readLong();
            lifetimeMillis = in.readLong();
            maxWriteSet = in.readInt();
            identity = Wire.readText(in);
            welcome();
        } else if (welcomed && type == Wire.ANSWER) {
            int id = in.readInt();
            long value = in.readLong();
            answer(answered(id), value);
        } else if (welcomed && type == Wire.BEGUN) {
            int id = in.readInt();
            long startTs = in.readLong();
            long[] changes = Wire.readLongs(in, in.readableBytes() / 8);
            Request request = answered(id);
            told(request, () -> request.begun(startTs, changes));
        } else if (welcomed && type == Wire.CONDITION) {
            int id = in.readInt();
            Condition condition = new Condition(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
            Request request = answered(id);
            told(request, () -> request.told(condition,
                    new ManagerInfo(identity, tenure, epoch, condition.nextTimestamp(), condition.limit(), lifetimeMillis)));
        } else {
            throw new BadFrameException("an answer of unknown type " + type + " came");
        }
    }

    private void welcome() {
        String objection = owner.objection(this);
        if (objection != null) {
            close(objection);
            return;
        }
        welcomed = true;
        owner.ready();
    }

    private static void answer(Request request, long value) {
        if (value == Wire.NO_TIMESTAMPS) {
            request.fail(new NotServedException("The transaction manager has used up its timestamps and waits for ZooKeeper."));
        } else if (value == Wire.NO_MEDIATOR) {
            request.fail(new NotServedException("The transaction manager was started without Mediator, that is, without --bookkeeper."));
        } else if (value == Wire.FORBIDDEN) {
            request.fail(new NotServedException("The transaction manager's operator has not given this client's certificate the role for this"
                    + " request (--authorize)."));
        } else if (value == Wire.TOO_MANY_KEYS) {
            request.fail(new NotServedException("This client commits more keys each second than the transaction manager allows"
                    + " (--max-keys-per-second): commit less often, or in smaller parts."));
        } else if (value == Wire.NOT_YOURS) {
            request.fail(new NotServedException("The transaction was begun by another client: only that one can commit it."));
        } else {
            request.answer.complete(value);
        }
    }

    private static void told(Request request, Runnable answer) throws BadFrameException {
        try {
            answer.run();
        } catch (IllegalArgumentException e) {
            request.fail(new TransactionManagerException(e.getMessage()));
            throw new BadFrameException(e.getMessage());
        }
    }

    private Request answered(int id) throws BadFrameException {
        Request request = unanswered.peek();
        if (request != null && request.id == id) {
            return unanswered.poll();
        }
        Request append = appends.remove(id);
        if (append == null) {
            throw new BadFrameException("an answer came out of turn");
        }
        return append;
    }

    // ---- its end

    /** The first reason counts. */
    void close(String why) {
        problem.compareAndSet(null, why);
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use either way.
        }
    }

    /** Null while it is open. */
    String problem() {
        return problem.get();
    }

    /** The manager has refused this client for good. */
    boolean isIncompatible() {
        return incompatible;
    }

    /** After {@link #serve}: moves what may be asked again to the given queue, in order; fails the rest, whose outcome is unknown. */
    void giveBack(Queue<Request> repeatable) {
        unanswered.addAll(appends.values());
        appends.clear();
        for (Request request = unanswered.poll(); request != null; request = unanswered.poll()) {
            if (request.answer.isDone()) {
                continue;
            }
            if (request.isRepeatable()) {
                repeatable.add(request);
            } else {
                request.fail(new TransactionManagerException("The transaction manager's answer was lost: " + problem() + "."));
            }
        }
    }

    /** How long the server has owed an answer, or the welcome, or has taken nothing of what is sent; 0 if it owes none. */
    long owedNanos(long nowNanos) {
        if (!welcomed) {
            return nowNanos - openedNanos;
        }
        long stuck = writing ? nowNanos - writingNanos : 0;
        Request oldest = unanswered.peek();
        return oldest == null ? stuck : Math.max(stuck, nowNanos - oldest.sentNanos);
    }

    /** Fails records that the log has not answered in their time. */
    void expireAppends(long nowNanos) {
        for (Request request : appends.values()) {
            if (nowNanos - request.deadlineNanos >= 0 && appends.remove(request.id, request)) {
                request.fail(new TransactionManagerException("Mediator's log did not answer in time."));
            }
        }
    }

    boolean welcomed() {
        return welcomed;
    }

    /** How long nothing was sent. */
    long quietNanos(long nowNanos) {
        return nowNanos - lastSentNanos;
    }

    long epoch() {
        return epoch;
    }

    long lifetimeMillis() {
        return lifetimeMillis;
    }
}
