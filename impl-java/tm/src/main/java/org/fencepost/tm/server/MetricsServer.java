package org.fencepost.tm.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DelimiterBasedFrameDecoder;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.fencepost.tm.wire.Platform;

/**
 * Metrics and health over HTTP, on a port and a thread of their own. Each request asks the serving thread, so that a
 * stuck one shows: as status 503. Health is 200 for the primary, 503 for a backup.
 *
 * <p>As little HTTP as monitors need: one GET for each connection, whose header is no longer than {@value #LARGEST_HEADER} bytes, and of
 * which only the first line counts. Nothing blocks, so that whoever sends or reads slowly keeps nobody waiting. A connection lasts
 * {@value #CONNECTION_MILLIS} ms, whatever it does; when there are {@value #MOST_CONNECTIONS}, one more takes the oldest's place.
 */
final class MetricsServer implements AutoCloseable {

    private static final long ANSWER_MILLIS = 1_000;
    private static final long CONNECTION_MILLIS = 5_000;
    private static final int MOST_CONNECTIONS = 64;
    private static final int LARGEST_HEADER = 8 * 1024;
    private static final int BACKLOG = 1024;
    private static final Map<Integer, String> REASONS = Map.of(200, "OK", 400, "Bad Request", 404, "Not Found", 405, "Method Not Allowed",
            503, "Service Unavailable");

    private final EventLoop serving;
    private final TmService service;
    private final long connectionMillis;
    private final EventLoopGroup loops = Platform.singleThread("tm-metrics");
    private final Channel listener;
    /** Oldest first. Confined to the thread. */
    private final Set<Channel> connections = new LinkedHashSet<>();

    /** @param serving the serving thread */
    MetricsServer(InetSocketAddress address, EventLoop serving, TmService service) throws IOException {
        this(address, serving, service, CONNECTION_MILLIS);
    }

    /** @param connectionMillis how long a connection lasts */
    MetricsServer(InetSocketAddress address, EventLoop serving, TmService service, long connectionMillis) throws IOException {
        this.serving = serving;
        this.service = service;
        this.connectionMillis = connectionMillis;
        var bound = new ServerBootstrap().group(loops).channel(Platform.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG).option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new DelimiterBasedFrameDecoder(LARGEST_HEADER, Unpooled.copiedBuffer("\r\n\r\n", StandardCharsets.US_ASCII)),
                                new Exchange());
                    }
                }).bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully();
            throw new IOException("port " + address.getPort() + " of " + address.getHostString() + ", for metrics, cannot be bound: "
                    + bound.cause().getMessage());
        }
        listener = bound.channel();
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** One connection. */
    private final class Exchange extends SimpleChannelInboundHandler<ByteBuf> {

        private boolean asked;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            if (connections.size() >= MOST_CONNECTIONS) {
                Iterator<Channel> oldest = connections.iterator();
                Channel gone = oldest.next();
                oldest.remove();
                gone.close();
            }
            connections.add(ctx.channel());
            Future<?> end = ctx.executor().schedule(() -> ctx.close(), connectionMillis, TimeUnit.MILLISECONDS);
            ctx.channel().closeFuture().addListener(closed -> end.cancel(false));
            ctx.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            connections.remove(ctx.channel());
            ctx.fireChannelInactive();
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf header) {
            if (asked) {
                return; // what follows the one request is not looked at
            }
            asked = true;
            String first = header.toString(StandardCharsets.US_ASCII).lines().findFirst().orElse("");
            String[] words = first.split(" ", -1);
            if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
                answer(ctx, 400, "text/plain", "This is no HTTP request.\n");
            } else if (!words[0].equals("GET")) {
                answer(ctx, 405, "text/plain", "Only GET is answered here.\n");
            } else {
                get(ctx, words[1]);
            }
        }

        private void get(ChannelHandlerContext ctx, String target) {
            int query = target.indexOf('?');
            switch (query < 0 ? target : target.substring(0, query)) {
                case "/metrics" -> ask(ctx, "text/plain; version=0.0.4", service::renderMetrics);
                case "/health" -> ask(ctx, "application/json", service::renderHealth);
                default -> answer(ctx, 404, "text/plain", "There are /metrics and /health.\n");
            }
        }

        /** Comes back when the serving thread has answered, or should have. */
        private void ask(ChannelHandlerContext ctx, String type, Callable<String> render) {
            Future<String> asking = serving.submit(render);
            Future<?> late = ctx.executor().schedule(() -> asking.cancel(false), ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            asking.addListener(done -> ctx.executor().execute(() -> {
                late.cancel(false);
                if (asking.isSuccess()) {
                    String text = asking.getNow();
                    answer(ctx, text.contains("\"backup\"") ? 503 : 200, type, text);
                } else {
                    answer(ctx, 503, "text/plain", "The serving thread did not answer within " + ANSWER_MILLIS + " ms.\n");
                }
            }));
        }

        private void answer(ChannelHandlerContext ctx, int status, String type, String text) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            String head = "HTTP/1.1 " + status + " " + REASONS.get(status) + "\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length
                    + (status == 405 ? "\r\nAllow: GET" : "") + "\r\nConnection: close\r\n\r\n";
            ctx.writeAndFlush(Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), body)).addListener(ChannelFutureListener.CLOSE);
        }

        /** A header that is too long, or a connection that broke. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (!asked && ctx.channel().isActive()) {
                asked = true;
                answer(ctx, 400, "text/plain", "The request is longer than " + LARGEST_HEADER + " bytes.\n");
            } else {
                ctx.close();
            }
        }
    }

    @Override
    public void close() {
        loops.shutdownGracefully();
    }
}
