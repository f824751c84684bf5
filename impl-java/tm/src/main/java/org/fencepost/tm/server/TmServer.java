package org.fencepost.tm.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.failover.Floor;
import org.fencepost.tm.failover.HighAvailability;
import org.fencepost.tm.failover.Origin;
import org.fencepost.tm.failover.TraceFile;
import org.fencepost.tm.wire.Platform;
import org.fencepost.tm.wire.TlsFiles;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.ZooKeeperAuth;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The transaction manager's process. Two threads do its work: one serves all connections and decides all transactions
 * ({@link TmService}, {@link TmConnection}), one keeps the lease in ZooKeeper ({@link HighAvailability}). Start two or more
 * processes; one serves, the others stand by.
 */
@Command(name = "tm", sortOptions = false,
        description = "Runs a transaction manager. Several with the same --zookeeper are primary and backups.",
        footer = {"", "Timestamps are 63-bit numbers. Those of a new system begin at the time of day in nanoseconds. At 500,000",
                "transactions a second, day and night, with two timestamps each, they last from the year 2026 on",
                "  --leap      64  3,678 years",
                "  --leap    2048    115 years",
                "  --leap   65536      3 years and 7 months",
                "  --leap 1048576     81 days",
                "A transaction manager does not serve when less than a day is left."})
public final class TmServer implements Callable<Integer>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TmServer.class);
    private static final int READ_BYTES = 64 * 1024;
    /** Reads of one connection before others get their turn. */
    private static final int READS_IN_A_ROW = 4;
    private static final int BACKLOG = 1024;
    /** Between two looks at the file of --authorize. */
    private static final long AUTHORIZATION_MILLIS = 1_000;

    static final Clock MONOTONIC = new Clock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    };

    @Mixin
    private TmOptions options;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Prints this.")
    private boolean help;

    /** Null if there is no Mediator in this program. */
    private final MediatorBackend.Factory mediator;
    private final Floor.Factory floors;
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private EventLoopGroup loops;
    private Channel listener;
    private MetricsServer metrics;
    private ZooKeeperObjects shared;
    private TmService service;
    private Thread leaseThread;
    /** For what takes long, and for no client's requests: the signatures of TLS handshakes, and the file of rights. */
    private final ScheduledExecutorService background =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("tm-background", true));
    private volatile boolean closing;

    public TmServer() {
        this(null, (tables, site) -> noFloor(tables));
    }

    /**
     * @param mediator null if Mediator is not to be had
     * @param floors   what the tables know of earlier timestamps
     */
    public TmServer(MediatorBackend.Factory mediator, Floor.Factory floors) {
        this.mediator = mediator;
        this.floors = floors;
    }

    private static Floor noFloor(List<String> tables) {
        if (!tables.isEmpty()) {
            throw new IllegalArgumentException("This program knows no HBase: start fencepost tm for --commit-table.");
        }
        return Floor.NONE;
    }

    public static void main(String[] arguments) {
        System.exit(run(new TmServer(), arguments));
    }

    /** Runs it as {@code fencepost tm} and returns its exit code. Options that make no sense are one line on the standard error. */
    public static int run(TmServer server, String... arguments) {
        CommandLine line = new CommandLine(server).setCommandName("fencepost tm");
        line.setParameterExceptionHandler((e, parsed) -> {
            System.err.println(e.getMessage() + ". See fencepost tm --help.");
            return CommandLine.ExitCode.USAGE;
        });
        return line.execute(arguments);
    }

    /** Serves until the process ends. Exit code 1 if it could not start or a thread failed, with the reason on standard error. */
    @Override
    public Integer call() throws Exception {
        try {
            start();
        } catch (IllegalArgumentException | ArithmeticException | IOException e) {
            System.err.println("The transaction manager cannot start: " + e.getMessage());
            close();
            return 1;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        System.out.println("Transaction manager on " + options.host + ":" + port() + ", metrics on " + options.host + ":"
                + metrics.port() + ".");
        return exitCode.get();
    }

    private void start() throws IOException {
        TlsFiles tlsFiles = options.tlsFiles();
        SslContext tls = tlsFiles == null ? null : tlsFiles.forServer();
        Authorization authorization = options.authorization();
        Limits limits = options.limits();
        ZooKeeperAuth zooKeeperAuth = ZooKeeperAuth.of(options.zooKeeperAuth);
        HighAvailability.Settings checked = options.highAvailability(options.port);
        loops = Platform.singleThread("tm-serve");
        shared = new ZooKeeperObjects(options.zooKeeper, zooKeeperAuth);
        service = new TmService(loops.next(), limits, options.lifetimeMillis, options.conflictEntries, TmOptions.OWNERS, checked.leaseMillis());
        offerMediator();
        if (authorization != null) {
            service.authorize(authorization);
            watchAuthorization(authorization);
        }
        warnOfOpenDoors(zooKeeperAuth);
        listener = listen(service, limits, tls);
        metrics = new MetricsServer(new InetSocketAddress(options.host, options.metricsPort), loops.next(), service);
        HighAvailability availability = highAvailability(options.highAvailability(port()));
        leaseThread = new Thread(() -> keepLease(availability), "tm-lease");
        leaseThread.setDaemon(true);
        leaseThread.start();
    }

    private HighAvailability highAvailability(HighAvailability.Settings settings) throws IOException {
        TraceFile trace = options.trace == null ? null : new TraceFile(options.trace, settings);
        Floor floor = floors.open(options.commitTables, options.hbaseSite);
        Origin origin = new ZooKeeperOrigin(shared, settings.core().leap(), floor, options.recovery(), System::currentTimeMillis);
        return new HighAvailability(settings, origin, trace == null ? shared : trace.recording(shared), MONOTONIC, service,
                () -> LockSupport.unpark(leaseThread), trace == null ? Tracer.OFF : trace, options.followTime ? TmServer::time : () -> 0);
    }

    /** As new systems read it: {@link TimestampSupply#first}. */
    private static long time() {
        return Math.multiplyExact(System.currentTimeMillis(), 1_000_000L);
    }

    /** Who may change the file need not be able to stop the process: what makes no sense is not taken, and the old rights stay. */
    private void watchAuthorization(Authorization first) {
        Authorization[] present = {first};
        String[] failing = {null};
        background.scheduleWithFixedDelay(() -> {
            try {
                Authorization now = present[0].readAgain(options.authorize);
                if (now != present[0]) {
                    present[0] = now;
                    service.authorize(now);
                    LOG.info("{} has changed and holds from now on.", options.authorize);
                }
                failing[0] = null;
            } catch (IllegalArgumentException e) {
                if (!e.getMessage().equals(failing[0])) {
                    LOG.warn("{} Rights stay as they were.", e.getMessage());
                    failing[0] = e.getMessage();
                }
            }
        }, AUTHORIZATION_MILLIS, AUTHORIZATION_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void warnOfOpenDoors(ZooKeeperAuth zooKeeperAuth) throws IOException {
        if (zooKeeperAuth.isNone()) {
            LOG.warn("Whoever reaches ZooKeeper may change what the transaction managers keep there: give --zookeeper-auth.");
        }
        if (options.tls == null && !InetAddress.getByName(options.host).isLoopbackAddress()) {
            LOG.warn("Whoever reaches {} may begin, abort and fence transactions: give --tls-cert, --tls-key, --tls-ca and --authorize.", options.host);
        }
    }

    private void offerMediator() {
        if (options.mediator != null && mediator == null) {
            throw new IllegalArgumentException("Mediator is not in this program: start it by the launcher, fencepost tm.");
        }
        if (options.mediator != null) {
            MediatorBackend backend = mediator.open(options.mediator, shared, loops.next());
            service.offerMediator(new MediatorService(options.mediator, backend, loops.next(), service));
        }
    }

    private Channel listen(TmService service, Limits limits, SslContext tls) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap().group(loops).channel(Platform.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG).option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(READS_IN_A_ROW))
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(limits.outboundBytes() / 2, limits.outboundBytes()))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc(), background));
                        }
                        channel.pipeline().addLast(new TmConnection(service));
                    }
                });
        var bound = bootstrap.bind(options.host, options.port).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("port " + options.port + " of " + options.host + " cannot be bound: " + bound.cause().getMessage());
        }
        return bound.channel();
    }

    private int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    private void keepLease(HighAvailability availability) {
        String failing = null;
        String followed = null;
        try {
            while (!closing) {
                long pause;
                try {
                    pause = availability.step();
                    failing = null;
                    String holder = availability.otherHolder();
                    if (holder != null && !holder.equals(followed)) {
                        LOG.info("Backup: {} holds the lease.", holder);
                    }
                    followed = holder;
                } catch (SharedObjects.UnreachableException | IllegalArgumentException e) {
                    if (!e.getMessage().equals(failing)) {
                        LOG.warn("{} Trying again.", e.getMessage());
                        failing = e.getMessage();
                        followed = null; // the log's last line says what it waits for
                    }
                    pause = e instanceof IllegalArgumentException ? availability.refusedNanos() : availability.retryNanos();
                }
                LockSupport.parkNanos(pause);
            }
        } catch (Throwable e) {
            LOG.error("The thread that keeps the lease failed.", e);
            exitCode.complete(1);
        }
    }

    @Override
    public void close() {
        closing = true;
        if (leaseThread != null) {
            leaseThread.interrupt();
        }
        if (service != null) {
            service.close();
        }
        if (loops != null) {
            loops.shutdownGracefully();
        }
        background.shutdownNow();
        if (metrics != null) {
            metrics.close();
        }
        if (shared != null) {
            shared.close();
        }
        exitCode.complete(0);
    }
}
