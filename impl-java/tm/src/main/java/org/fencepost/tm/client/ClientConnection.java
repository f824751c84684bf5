package org.fencepost.tm.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.BadFrameException;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.Wire;

/**
 * The client's end of one connection: hello first, then requests out and answers in, which come in the order of the
 * requests. Confined to the client's thread.
 */
final class ClientConnection extends ByteToMessageDecoder {

    /** Who owns the connection; called from the client's thread. */
    interface Owner {

        void welcomed(ClientConnection connection);

        void writable();

        /** Called once, even if the hello was never answered. */
        void lost(ClientConnection connection, String why, boolean incompatible);
    }

    /** A ring of half a million active entries. */
    private static final int LARGEST_ANSWER = 1 << 26;

    private final Owner owner;
    private final long session;
    private final Queue<Request> unanswered = new ArrayDeque<>();
    /** Those that wait for Mediator's log, by id: they are answered in any order. */
    private final Map<Integer, Request> appends = new LinkedHashMap<>();
    private final long openedNanos = System.nanoTime();
    private ChannelHandlerContext context;
    private String problem = "the connection was closed";
    private boolean incompatible;
    private boolean welcomed;
    private boolean lost;
    private int lastId;
    private long lastSentNanos;
    private String identity;
    private long tenure;
    private long epoch;
    private long lifetimeMillis;
    private int maxWriteSet;

    /** @param session of the client; see {@link Wire} */
    ClientConnection(Owner owner, long session) {
        this.owner = owner;
        this.session = session;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ByteBuf out = ctx.alloc().directBuffer();
        Wire.writeHello(out, session);
        ctx.writeAndFlush(out);
        ctx.fireChannelActive();
    }

    boolean canSend() {
        return welcomed && !lost && context.channel().isWritable();
    }

    /** Sends them all with one flush. Only while {@link #canSend}. */
    void send(Queue<Request> requests) {
        lastSentNanos = System.nanoTime();
        ByteBuf out = context.alloc().directBuffer();
        for (Request request = requests.poll(); request != null; request = requests.poll()) {
            if (request.hashes() > maxWriteSet) {
                request.fail(new NotServedException("The transaction writes " + request.hashes() + " keys; the transaction"
                        + " manager takes " + maxWriteSet + " at most (--max-write-set): commit in smaller parts."));
                continue;
            }
            request.id = ++lastId;
            request.sentNanos = lastSentNanos;
            request.writeTo(out);
            if (request.waitsForLog()) {
                appends.put(request.id, request);
            } else if (request.isAnswered()) {
                unanswered.add(request);
            } else {
                request.answer.complete(0L);
            }
        }
        context.writeAndFlush(out, context.voidPromise());
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> none) throws BadFrameException {
        while (!lost && in.readableBytes() >= Wire.HEADER) {
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
            welcomed = true;
            owner.welcomed(this);
        } else if (welcomed && type == Wire.ANSWER) {
            Request request = answered(in.readInt());
            long value = in.readLong();
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
        } else if (welcomed && type == Wire.BEGUN) {
            begun(answered(in.readInt()), in);
        } else if (welcomed && type == Wire.CONDITION) {
            Request request = answered(in.readInt());
            Condition condition = new Condition(in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
            request.condition.complete(condition);
            request.info.complete(new ManagerInfo(identity, tenure, epoch, condition.nextTimestamp(), condition.limit(), lifetimeMillis));
            request.answer.complete(0L);
        } else {
            throw new BadFrameException("an answer of unknown type " + type + " came");
        }
    }

    private static void begun(Request request, ByteBuf in) throws BadFrameException {
        try {
            request.begun(in.readLong(), Wire.readLongs(in, in.readableBytes() / 8));
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

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable root = cause.getCause() == null ? cause : cause.getCause();
        close(root.getMessage() == null ? root.toString() : root.getMessage());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        owner.writable();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        lost();
    }

    void close(String why) {
        problem = why;
        context.close().addListener(done -> lost());
    }

    private void lost() {
        if (!lost) {
            lost = true;
            owner.lost(this, problem, incompatible);
        }
    }

    /** Moves what may be asked again to the given queue, in order; fails the rest, whose outcome is unknown. */
    void giveBack(Queue<Request> repeatable) {
        unanswered.addAll(appends.values());
        appends.clear();
        for (Request request = unanswered.poll(); request != null; request = unanswered.poll()) {
            if (request.isRepeatable()) {
                repeatable.add(request);
            } else {
                request.fail(new TransactionManagerException("The transaction manager's answer was lost: " + problem + "."));
            }
        }
    }

    /** How long the server has owed an answer, or the welcome; 0 if it owes none. */
    long owedNanos(long nowNanos) {
        if (!welcomed) {
            return nowNanos - openedNanos;
        }
        Request oldest = unanswered.peek();
        return oldest == null ? 0 : nowNanos - oldest.sentNanos;
    }

    /** Fails records that the log has not answered in their time. */
    void expireAppends(long nowNanos) {
        appends.values().removeIf(request -> {
            boolean late = nowNanos - request.deadlineNanos >= 0;
            if (late) {
                request.fail(new TransactionManagerException("Mediator's log did not answer in time."));
            }
            return late;
        });
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
