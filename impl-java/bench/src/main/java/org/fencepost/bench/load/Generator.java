package org.fencepost.bench.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * The load generator (VLDB'18 sec. 5.1.2): one thread that posts begin requests, posts the commit request of each
 * transaction when its begin has been answered, and never waits for an answer. The same for every system, but for the
 * {@link Protocol}.
 *
 * <p>Closed loop, for throughput: a fixed number of transactions is outstanding; where one ends the next one begins. The
 * thread sleeps while nothing has arrived, so its CPU time tells whether it is the bottleneck.
 *
 * <p>Open loop, for latency: begins are due at even distances, whatever the answers do. The latency of a begin counts
 * from when it was due, so that a system that stalls is charged for all whom it kept waiting; that of a commit, from
 * when the answer to its begin was read. The thread spins. When something else gets its core nevertheless, that is no
 * system's fault: what was under way is set aside and counted, and nothing is due meanwhile. How late begins were posted
 * otherwise is measured too.
 *
 * <p>Paced, for the background of other measurements: an open loop that sleeps, and begins nothing while too much is under way.
 *
 * <p>What one read brings is dealt with as a batch, and all requests that follow from it leave in one write.
 */
public final class Generator implements AutoCloseable {

    /** The table that all transactions say they have written to. */
    static final long TABLE = 0x5EED;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long SELECT_MILLIS = 100;
    /** The thread was not running if so much more time than CPU time has passed between two turns of its loop. */
    private static final long STALL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Load load;
    private final Selector selector;
    private final List<Connection> connections = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "generator");
    /** Confined to the generator's thread, and read when it has ended. */
    private final Histogram latency = new Histogram(1_000, LONGEST_NANOS, 3);
    private final Histogram lateness = new Histogram(1_000, LONGEST_NANOS, 3);

    private volatile boolean recording;
    private volatile boolean stopping;
    private volatile long ended;
    private volatile long aborted;
    private volatile Throwable failure;

    private long beganCount;
    private long endedCount;
    private long abortedCount;
    private long setAside;
    /** Moves on with every stall. */
    private long startNanos;
    private long turnNanos;
    private long turnCpuNanos;
    private long stallEndNanos;
    private int nextConnection;

    /** Connects. Throws IOException, or IllegalStateException with what the server said, if that fails. */
    public Generator(InetSocketAddress server, Supplier<Protocol> protocols, Load load) throws IOException {
        this.load = load;
        this.selector = Selector.open();
        try {
            for (int i = 0; i < load.connections(); i++) {
                connections.add(new Connection(server, protocols.get(), this, load, i));
            }
            for (Connection connection : connections) {
                connection.register(selector);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    public void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Begins nothing new, waits for what is under way. Throws IllegalStateException if the run failed. */
    public void stop() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        check();
    }

    /** Throws IllegalStateException if the run failed. */
    public void check() {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage() == null ? failure.toString() : failure.getMessage(), failure);
        }
    }

    public boolean hasFailed() {
        return failure != null;
    }

    // ---- for the thread that measures

    /** From now on latencies count, or no longer. */
    public void record(boolean on) {
        recording = on;
    }

    /** Transactions committed or aborted so far. */
    public long ended() {
        return ended;
    }

    public long aborted() {
        return aborted;
    }

    /** Of begins and commits, in nanoseconds; only after {@link #stop}. */
    public Histogram latency() {
        return latency;
    }

    /** How long after they were due begins were posted, in nanoseconds; only after {@link #stop}. */
    public Histogram lateness() {
        return lateness;
    }

    /** Share of the requests that were under way while this thread was not running; only after {@link #stop}. */
    public double setAside() {
        return (double) setAside / Math.max(1, setAside + latency.getTotalCount());
    }

    // ---- the generator's thread

    private void run() {
        try {
            startNanos = System.nanoTime();
            turnNanos = startNanos;
            turnCpuNanos = THREADS.getCurrentThreadCpuTime();
            if (!load.isOpen()) {
                for (int i = 0; i < load.outstanding(); i++) {
                    connection(i).begin(startNanos);
                }
            }
            flushAll();
            long drainBy = Long.MAX_VALUE;
            while (!stopping || beganCount > endedCount + held()) {
                if (stopping && drainBy == Long.MAX_VALUE) {
                    drainBy = System.nanoTime() + DRAIN_NANOS;
                } else if (stopping && System.nanoTime() > drainBy) {
                    throw new IllegalStateException(beganCount - endedCount + " transactions were not answered within 20 s.");
                }
                if (load.isOpen() && !stopping) {
                    long now = System.nanoTime();
                    if (!load.isPaced()) {
                        noticeStall(now);
                    }
                    beginWhatIsDue(now);
                }
                int ready = load.isOpen() && !load.isPaced() ? selector.selectNow() : selector.select(load.isPaced() ? 1 : SELECT_MILLIS);
                if (ready > 0) {
                    for (SelectionKey key : selector.selectedKeys()) {
                        ((Connection) key.attachment()).serve(key);
                    }
                    selector.selectedKeys().clear();
                    ended = endedCount;
                    aborted = abortedCount;
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void noticeStall(long now) {
        long passed = now - turnNanos;
        if (passed >= STALL_NANOS) {
            long cpu = THREADS.getCurrentThreadCpuTime();
            long stalled = passed - (cpu - turnCpuNanos);
            if (stalled >= STALL_NANOS) {
                startNanos += stalled;
                stallEndNanos = now;
            }
            turnNanos = now;
            turnCpuNanos = cpu;
        }
    }

    private void beginWhatIsDue(long now) throws IOException {
        long due = (long) ((now - startNanos) * load.rate() / 1e9);
        if (load.isPaced() && due > endedCount + load.outstanding()) {
            due = endedCount + load.outstanding();
            startNanos = now - (long) (due * 1e9 / load.rate());
        }
        if (beganCount < due) {
            while (beganCount < due) {
                long dueNanos = startNanos + (long) (beganCount * 1e9 / load.rate());
                connection(nextConnection++).begin(dueNanos);
                if (recording) {
                    lateness.recordValue(Math.min(now - dueNanos, LONGEST_NANOS));
                }
            }
            flushAll();
        }
    }

    private Connection connection(int i) {
        return connections.get(Math.floorMod(i, connections.size()));
    }

    private void flushAll() throws IOException {
        for (Connection connection : connections) {
            connection.flush();
        }
    }

    private int held() {
        int held = 0;
        for (Connection connection : connections) {
            held += connection.holds() ? 1 : 0;
        }
        return held;
    }

    // ---- told by the connections

    void posted() {
        beganCount++;
    }

    void answered(long sinceNanos, long now) {
        if (recording && sinceNanos < stallEndNanos) {
            setAside++;
        } else if (recording) {
            latency.recordValue(Math.min(now - sinceNanos, LONGEST_NANOS));
        }
    }

    /** True if another transaction shall begin in its place. */
    boolean transactionEnded(boolean committed) {
        endedCount++;
        if (!committed) {
            abortedCount++;
        }
        return !load.isOpen() && !stopping;
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        for (Connection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
