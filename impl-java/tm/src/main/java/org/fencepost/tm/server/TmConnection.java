package org.fencepost.tm.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.auth.x500.X500Principal;
import org.fencepost.tm.wire.BadFrameException;
import org.fencepost.tm.wire.Wire;

/**
 * The server's end of one connection: takes requests out of what was read, asks the {@link TmService}, collects the
 * answers, and flushes them once when all that was readable has been dealt with. See {@link Wire} for the frames.
 *
 * <p>Requests, answers and hashes stay in pooled buffers and one array of the service: nothing is allocated per request.
 * A client that does not read its answers is not read from until it does.
 */
public final class TmConnection extends ChannelInboundHandlerAdapter {

    private static final int ANSWERS_CAPACITY = 64 * 1024;

    private final TmService service;
    private final Limits limits;

    private ChannelHandlerContext context;
    /** Its hello has come. */
    private boolean greeted;
    /** Its session has come, too. */
    private boolean welcomed;
    private long session;
    /** Null before it is welcomed. */
    private ClientUse client;
    private boolean closed;
    /** The beginning of a frame whose end has not come yet; null if there is none. */
    private ByteBuf partial;
    private long partialSinceNanos;
    private ByteBuf answers;
    private int answered;
    private long receivedNanos;

    public TmConnection(TmService service) {
        this.service = service;
        this.limits = service.limits();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        receivedNanos = System.nanoTime();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!service.admission().opened(this)) {
            goodbye(Wire.FULL, "it serves " + limits.maxConnections() + " connections already");
        }
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closed = true;
        service.admission().closed(this);
        release();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        service.metrics().connectionsBroken++;
        close("the connection failed: " + cause);
    }

    // ---- one batch: what one wake-up of the socket brought

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (closed) {
            in.release();
            return;
        }
        receivedNanos = System.nanoTime(); // later than the receipt of any request in here
        boolean continued = partial != null;
        if (continued) {
            partial.writeBytes(in);
            in.release();
            in = partial;
            partial = null;
        }
        try {
            receive(in);
        } catch (RuntimeException e) { // a mistake of ours, which ends the connection
            in.release();
            throw e;
        }
        keepRest(in, continued && in.readerIndex() == 0);
    }

    /** Requests are taken up only if the lease lasts at a moment after their receipt. */
    private void receive(ByteBuf in) {
        try {
            if (!welcomed || service.mayServe(receivedNanos)) {
                handleFrames(in);
            }
        } catch (BadFrameException e) {
            service.metrics().connectionsRefused++;
            goodbye(Wire.REFUSED, e.getMessage());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        flush(ctx);
        ctx.fireChannelReadComplete();
    }

    private void flush(ChannelHandlerContext ctx) {
        if (answers != null && !closed && service.mayServe(System.nanoTime())) {
            ByteBuf out = answers;
            answers = null;
            ctx.writeAndFlush(out, ctx.voidPromise());
            service.metrics().answered(System.nanoTime() - receivedNanos, answered);
            answered = 0;
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(ctx.channel().isWritable());
        ctx.fireChannelWritabilityChanged();
    }

    private void handleFrames(ByteBuf in) throws BadFrameException {
        while (!closed && in.readableBytes() >= Wire.HEADER) {
            int length = in.getInt(in.readerIndex());
            int longest = welcomed ? service.maxFrame() : Wire.LONGEST_HELLO;
            if (length < 1 || length > longest) {
                throw new BadFrameException("a frame of " + length + " bytes, where 1 to " + longest + " are allowed");
            }
            if (in.readableBytes() - Wire.HEADER < length) {
                return;
            }
            int end = in.readerIndex() + Wire.HEADER + length;
            in.skipBytes(Wire.HEADER);
            handle(in.readByte(), in, length);
            if (!closed && in.readerIndex() != end) {
                throw new BadFrameException("a frame whose fields do not end where it ends");
            }
        }
    }

    /** Copies the beginning of a frame once, and not with each of its bytes that dribbles in. */
    private void keepRest(ByteBuf in, boolean samePartial) {
        if (samePartial && !closed) {
            partial = in;
            return;
        }
        if (in.isReadable() && !closed) {
            partial = context.alloc().directBuffer(in.readableBytes()).writeBytes(in);
            partialSinceNanos = receivedNanos;
        }
        in.release();
    }

    // ---- requests

    private void handle(byte type, ByteBuf in, int length) throws BadFrameException {
        if (!welcomed) {
            if (greeted) {
                session(type, in, length);
            } else {
                hello(type, in, length);
            }
            return;
        }
        if (!client.may(type)) {
            forbid(type, in, length);
            return;
        }
        switch (type) {
            case Wire.BEGIN -> {
                requireLength(length, 5);
                answer(in.readInt(), service.begin(session, receivedNanos));
            }
            case Wire.COMMIT, Wire.COMMIT_AGAIN -> commit(type, in, length);
            case Wire.COMMIT_BLINDLY -> commitBlindly(in, length);
            case Wire.END -> {
                requireLength(length, 9);
                service.end(session, in.readLong());
            }
            case Wire.RENEW -> {
                requireLength(length, 13);
                answer(in.readInt(), service.renew(session, in.readLong(), receivedNanos) ? 1 : 0);
            }
            case Wire.FENCE -> {
                requireLength(length, 13);
                answer(in.readInt(), service.fence(in.readLong()));
            }
            case Wire.PENDING -> {
                requireLength(length, 13);
                answer(in.readInt(), service.isPending(in.readLong()) ? 1 : 0);
            }
            case Wire.WATERMARK -> {
                requireLength(length, 5);
                answer(in.readInt(), service.collectableBelow(receivedNanos));
            }
            case Wire.HEALTH -> {
                requireLength(length, 5);
                Wire.writeCondition(answers(), in.readInt(), service.condition(receivedNanos));
                answered++;
            }
            default -> service.mediator().handle(this, type, in, length);
        }
    }

    private void hello(byte type, ByteBuf in, int length) throws BadFrameException {
        if (type != Wire.HELLO || length != 7 || in.readInt() != Wire.MAGIC) {
            throw new BadFrameException("a first frame that is no hello");
        }
        short version = in.readShort();
        if (version != Wire.VERSION) {
            goodbye(Wire.INCOMPATIBLE, "it speaks version " + Wire.VERSION + " of the protocol, the client version " + version);
        } else if (!service.mayServe(receivedNanos)) {
            goodbye(Wire.STANDBY, "it is not the primary");
        } else {
            greeted = true;
        }
    }

    private void session(byte type, ByteBuf in, int length) throws BadFrameException {
        session = type == Wire.SESSION && length == 9 ? in.readLong() : 0;
        if (session == 0) {
            throw new BadFrameException("a second frame that tells no session");
        }
        if (!service.mayServe(receivedNanos)) {
            goodbye(Wire.STANDBY, "it is not the primary");
        } else {
            client = service.admission().admit(this);
            welcomed = client != null;
        }
        if (welcomed) {
            Wire.writeWelcome(answers(), service.tenureNumber(), service.epoch(), service.lifetimeMillis(), limits.maxWriteSet(),
                    service.identity());
        }
    }

    long session() {
        return session;
    }

    private void commit(byte type, ByteBuf in, int length) throws BadFrameException {
        int fixed = type == Wire.COMMIT ? Wire.COMMIT_FIXED : Wire.COMMIT_AGAIN_FIXED;
        if (length < fixed || (length - fixed) % 8 != 0) {
            throw new BadFrameException("a commit request of " + length + " bytes");
        }
        int id = in.readInt();
        long startTs = in.readLong();
        long comparedUpTo = type == Wire.COMMIT ? startTs : in.readLong();
        int tables = in.readUnsignedShort();
        int keys = (length - fixed) / 8 - tables;
        if (keys < 0) {
            throw new BadFrameException("a commit request that announces more tables than it has");
        }
        long[] hashes = readHashes(in, keys + tables);
        if (!service.begun(startTs)) {
            throw new BadFrameException("a commit of transaction " + startTs + ", which never began");
        }
        if (comparedUpTo < startTs || !service.begun(comparedUpTo)) {
            throw new BadFrameException("a commit of transaction " + startTs + " that was compared up to " + comparedUpTo + ", which was never given");
        }
        if (takesKeys(id, keys)) {
            answer(id, service.commit(session, startTs, comparedUpTo, hashes, keys, tables, receivedNanos));
        }
    }

    private void commitBlindly(ByteBuf in, int length) throws BadFrameException {
        if (length < 1 + 4 || (length - 1 - 4) % 8 != 0) {
            throw new BadFrameException("a blind commit request of " + length + " bytes");
        }
        int id = in.readInt();
        int keys = (length - 1 - 4) / 8;
        long[] hashes = readHashes(in, keys);
        if (takesKeys(id, keys)) {
            answer(id, service.commitBlindly(session, hashes, keys, receivedNanos));
        }
    }

    private long[] readHashes(ByteBuf in, int count) throws BadFrameException {
        long[] hashes = service.hashes();
        if (count > hashes.length) { // other requests may be longer
            throw new BadFrameException("a commit request of " + count + " keys and tables, where " + hashes.length + " are allowed");
        }
        for (int i = 0; i < count; i++) {
            hashes[i] = in.readLong();
        }
        return hashes;
    }

    /** The client's role does not include it. Nobody behind it: the frame need not make sense. */
    private void forbid(byte type, ByteBuf in, int length) throws BadFrameException {
        service.metrics().forbidden++;
        if (!Wire.isAnswered(type) || length < 1 + 4) {
            throw new BadFrameException("a request of type " + type + ", which its operator does not let " + client.name() + " send");
        }
        answer(in.readInt(), Wire.FORBIDDEN);
        in.skipBytes(length - 1 - 4);
    }

    /** Whether the client may put so many more into the conflict table; otherwise it has been told. */
    boolean takesKeys(int id, int keys) {
        boolean may = client.takesKeys(keys, receivedNanos);
        if (!may) {
            service.metrics().tooManyKeys++;
            answer(id, Wire.TOO_MANY_KEYS);
        }
        return may;
    }

    // ---- who it is

    SocketAddress remoteAddress() {
        return context.channel().remoteAddress();
    }

    /** Of its certificate, as in RFC 2253; null without TLS. Only after the first frame has come. */
    String subject() {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        try {
            return tls == null ? null : ((X500Principal) tls.engine().getSession().getPeerPrincipal()).getName(X500Principal.RFC2253);
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException("TLS let a connection pass without a certificate.", e);
        }
    }

    /** Null before it is welcomed. */
    ClientUse client() {
        return client;
    }

    static void requireLength(int length, int expected) throws BadFrameException {
        if (length != expected) {
            throw new BadFrameException("a request of " + length + " bytes where " + expected + " make sense");
        }
    }

    void answer(int id, long value) {
        Wire.writeAnswer(answers(), id, value);
        answered++;
    }

    void answerBegun(int id, long startTs, long[] changes) {
        Wire.writeBegun(answers(), id, startTs, changes);
        answered++;
    }

    /** An answer that comes after its batch. */
    void answerLater(int id, long value) {
        if (!closed) {
            answer(id, value);
            flush(context);
        }
    }

    private ByteBuf answers() {
        if (answers == null) {
            answers = context.alloc().directBuffer(ANSWERS_CAPACITY);
        }
        return answers;
    }

    // ---- the end of a connection

    /** Closes the connection if it keeps the server waiting. */
    void sweep(long nowNanos) {
        if (closed) {
            // It has been told why, and does not take it.
            if (nowNanos - receivedNanos > TimeUnit.MILLISECONDS.toNanos(limits.handshakeMillis())) {
                context.close();
            }
        } else if (!welcomed && nowNanos - receivedNanos > TimeUnit.MILLISECONDS.toNanos(limits.handshakeMillis())) {
            expire("no hello came within " + limits.handshakeMillis() + " ms");
        } else if (partial != null && nowNanos - partialSinceNanos > TimeUnit.MILLISECONDS.toNanos(limits.handshakeMillis())) {
            expire("a frame did not arrive completely within " + limits.handshakeMillis() + " ms");
        } else if (nowNanos - receivedNanos > TimeUnit.MILLISECONDS.toNanos(limits.idleMillis())) {
            expire("nothing came for " + limits.idleMillis() + " ms");
        }
    }

    private void expire(String reason) {
        service.metrics().connectionsBroken++;
        close(reason);
    }

    /** Tells the client why, and closes. Answers of the batch in hand are dropped: the client will not wait for them. */
    void goodbye(byte code, String reason) {
        ByteBuf out = context.alloc().directBuffer();
        Wire.writeGoodbye(out, code, reason);
        context.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
        close(reason, false);
    }

    /** Closes at once; what is not sent yet never will be. */
    void close(String reason) {
        close(reason, true);
    }

    private void close(String reason, boolean atOnce) {
        if (!closed) {
            closed = true;
            service.admission().logClosing(this, reason);
        }
        if (atOnce) {
            context.close();
        }
    }

    private void release() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
        if (answers != null) {
            answers.release();
            answers = null;
        }
    }
}
