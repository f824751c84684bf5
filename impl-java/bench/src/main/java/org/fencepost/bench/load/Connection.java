package org.fencepost.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One connection of the {@link Generator}: what it asked and has no answer to yet, and which cells its transactions write.
 * Answers come in the order of the requests of their kind; one that does not ends the run.
 *
 * <p>Cells are random numbers of 64 bits. For a conflict that is certain, a transaction whose begin was answered is held
 * until the next one's is, and then commits right behind it, with a cell in common: the first to commit is later than
 * both began, so the second must abort.
 */
final class Connection implements Protocol.Answers {

    private static final int IN_BYTES = 1 << 18;
    private static final int OUT_BYTES = 1 << 23;
    private static final int GREETING_MILLIS = 5_000;

    private final SocketChannel channel;
    private final Protocol protocol;
    private final Generator generator;
    private final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_BYTES);
    private final Fifo begins = new Fifo();
    private final Fifo commits = new Fifo();
    private final Fifo committing = new Fifo();
    private final long[] keys;
    private final double holdChance;

    private SelectionKey key;
    private boolean greeted;
    private long random;
    private long lastStart;
    /** The start of the transaction that waits for one to conflict with; 0 if none does. */
    private long held;
    /** When what is being dealt with was read. */
    private long now;

    Connection(InetSocketAddress server, Protocol protocol, Generator generator, Load load, int number) throws IOException {
        this.protocol = protocol;
        this.generator = generator;
        this.keys = new long[load.writeSet()];
        // Every second transaction of a pair aborts; the first one of a pair is not asked whether it wants to be held.
        this.holdChance = load.conflictPercent() / (100.0 - load.conflictPercent());
        this.random = 0x9E3779B97F4A7C15L * (System.nanoTime() + number);
        this.channel = SocketChannel.open();
        try {
            channel.socket().connect(server, GREETING_MILLIS);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            greet();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void greet() throws IOException {
        protocol.hello(out);
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        out.clear();
        channel.configureBlocking(false);
        long deadline = System.nanoTime() + GREETING_MILLIS * 1_000_000L;
        while (!greeted) {
            if (System.nanoTime() > deadline) {
                throw new IOException("The server did not greet within " + GREETING_MILLIS + " ms.");
            }
            read();
            Thread.onSpinWait();
        }
    }

    void register(Selector selector) throws IOException {
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    boolean holds() {
        return held != 0;
    }

    /** Posts a begin; it leaves with the next {@link #flush}. */
    void begin(long sinceNanos) {
        begins.add(sinceNanos);
        try {
            protocol.begin(out);
        } catch (BufferOverflowException e) {
            throw overloaded();
        }
        generator.posted();
    }

    /** Takes what has come, and posts what follows from it. */
    void serve(SelectionKey ready) throws IOException {
        if (ready.isReadable()) {
            read();
        }
        flush();
    }

    private void read() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("The server closed the connection.");
        }
        now = System.nanoTime();
        in.flip();
        while (protocol.answer(in, this)) {
            // the answers come back to the methods below
        }
        in.compact();
    }

    void flush() throws IOException {
        if (out.position() > 0) {
            out.flip();
            channel.write(out);
            boolean more = out.hasRemaining();
            out.compact();
            key.interestOps(more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    // ---- answers

    @Override
    public void greeted() {
        greeted = true;
    }

    @Override
    public void begun(long startTs) {
        if (startTs <= lastStart) {
            throw new IllegalStateException("Start timestamp " + startTs + " came after " + lastStart + ".");
        }
        lastStart = startTs;
        generator.answered(begins.poll(), now);
        if (held != 0) {
            chooseKeys(0);
            commit(startTs);
            chooseKeys(1);
            commit(held);
            held = 0;
        } else if (holdChance > 0 && (nextRandom() >>> 11) * 0x1p-53 < holdChance) {
            held = startTs;
        } else {
            chooseKeys(0);
            commit(startTs);
        }
    }

    @Override
    public void ended(long startTs, boolean committed) {
        long asked = committing.poll();
        if (startTs != 0 && startTs != asked) {
            throw new IllegalStateException("An answer to transaction " + startTs + " came where one to " + asked + " was due.");
        }
        generator.answered(commits.poll(), now);
        if (generator.transactionEnded(committed)) {
            begin(now);
        }
    }

    private void commit(long startTs) {
        commits.add(now);
        committing.add(startTs);
        try {
            protocol.commit(out, startTs, keys);
        } catch (BufferOverflowException e) {
            throw overloaded();
        }
    }

    private static IllegalStateException overloaded() {
        return new IllegalStateException("The server takes requests more slowly than they are posted: lower the load.");
    }

    /** Keeps the first so many. */
    private void chooseKeys(int keep) {
        for (int i = keep; i < keys.length; i++) {
            keys[i] = nextRandom();
        }
    }

    private long nextRandom() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return random;
    }

    void close() throws IOException {
        channel.close();
    }

    /** A queue of longs. */
    private static final class Fifo {

        private long[] ring = new long[1 << 10];
        private int head;
        private int tail;

        void add(long value) {
            if (tail - head == ring.length) {
                long[] larger = new long[2 * ring.length];
                for (int i = head; i < tail; i++) {
                    larger[i - head] = ring[i & ring.length - 1];
                }
                tail -= head;
                head = 0;
                ring = larger;
            }
            ring[tail++ & ring.length - 1] = value;
        }

        long poll() {
            if (head == tail) {
                throw new IllegalStateException("An answer came that nobody had asked for.");
            }
            return ring[head++ & ring.length - 1];
        }
    }
}
