package org.fencepost.tm.wire;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;

/** Netty's transport: epoll where there is one, NIO elsewhere. */
public final class Platform {

    private static final boolean EPOLL = Epoll.isAvailable();

    private Platform() {
    }

    /** One thread, which ends with the process. */
    public static EventLoopGroup singleThread(String name) {
        ThreadFactory threads = new DefaultThreadFactory(name, true);
        return EPOLL ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
    }

    public static Class<? extends ServerSocketChannel> serverChannel() {
        return EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }
}
