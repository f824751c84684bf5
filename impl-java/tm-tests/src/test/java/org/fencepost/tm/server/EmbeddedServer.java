package org.fencepost.tm.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.failover.Lease;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.failover.TmTrace;
import org.fencepost.tm.mediator.MemoryLedgers;
import org.fencepost.tm.mediator.Recovery;
import org.fencepost.tm.wire.Wire;

/** A serving {@link TmService} without sockets, threads, ZooKeeper or BookKeeper. Its connections count the memory they hold. */
public final class EmbeddedServer {

    /** Timestamps whose owners are remembered. */
    static final int OWNERS = 1 << 10;
    static final long SESSION = 77;
    public static final Limits LIMITS = new Limits(100, 8, 8, 100, 1_000_000_000, 1_000, 10_000, 1 << 16);

    final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
    final Lease lease = new Lease();
    final TmService service;
    final MemoryLedgers<byte[]> log = new MemoryLedgers<>();
    private final EmbeddedChannel loopOwner = new EmbeddedChannel();

    public EmbeddedServer() {
        this(false);
    }

    public EmbeddedServer(boolean withMediator) {
        this(LIMITS, withMediator);
    }

    public EmbeddedServer(Limits limits) {
        this(limits, false);
    }

    private EmbeddedServer(Limits limits, boolean withMediator) {
        service = new TmService(loopOwner.eventLoop(), limits, 60_000, 1 << 12, OWNERS, 1_000_000);
        if (withMediator) {
            offerMediator();
        }
        lease.grant(System.nanoTime(), Long.MAX_VALUE / 2);
        serve(0);
    }

    private void offerMediator() {
        service.offerMediator(new TmService.Opener() {
            @Override
            public void serve(Tenure tenure) {
                Recovery<byte[]> recovery = new Recovery<>(log, (writes, commitTs) -> {}, Tracer.OFF);
                recovery.closeLog();
                while (recovery.replay()) {
                    // until there is none left
                }
                service.mediator().open(tenure, recovery.openTso(64, tenure::timestamp, tenure.epoch()));
            }

            @Override
            public void halt() {
            }

            @Override
            public void close() {
            }
        });
    }

    /** Starts a tenure. */
    void serve(long epoch) {
        long limit = Long.MAX_VALUE / 2;
        TransactionManagerCore core = new TransactionManagerCore(new TransactionManagerCore.Settings(1, 1 << 12, 60_000_000_000L, 1 << 12),
                epoch, limit, 0, System.nanoTime(), Tracer.OFF);
        service.serve(new Tenure("system", lease, core, epoch, limit, () -> {}, new TmTrace(Tracer.OFF, "", 0)));
        loopOwner.runPendingTasks();
    }

    /** Connected, but without a hello. */
    EmbeddedChannel connect() {
        return connect(new EmbeddedChannel());
    }

    /** The same, from an IP address. */
    EmbeddedChannel connect(String address) {
        return connect(new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 1);
            }
        });
    }

    private EmbeddedChannel connect(EmbeddedChannel channel) {
        channel.config().setAllocator(memory);
        channel.pipeline().addLast(new TmConnection(service));
        channel.pipeline().fireChannelActive();
        return channel;
    }

    /** All of one session. */
    EmbeddedChannel connectAndGreet() {
        return connectAndGreet(SESSION);
    }

    EmbeddedChannel connectAndGreet(long session) {
        EmbeddedChannel channel = connect();
        ByteBuf hello = Unpooled.buffer();
        Wire.writeHello(hello, session);
        channel.writeInbound(hello);
        if (answers(channel).get(0).readByte() != Wire.WELCOME) {
            throw new AssertionError("not welcome");
        }
        return channel;
    }

    /** What came out, frame by frame, each from its type on. Throws AssertionError if it does not end at a frame's end. */
    static List<ByteBuf> answers(EmbeddedChannel channel) {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            all.writeBytes(out);
            out.release();
        }
        List<ByteBuf> frames = new ArrayList<>();
        while (all.isReadable()) {
            frames.add(all.readSlice(all.readInt()));
        }
        return frames;
    }

    long heldBytes() {
        return memory.metric().usedDirectMemory() + memory.metric().usedHeapMemory();
    }
}
