package org.fencepost.ph1.client;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.fencepost.ph1.group.JGroupsGroup;
import org.fencepost.ph1.group.Kind;
import org.fencepost.ph1.store.GenerationLog;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.ph1.Certifier;
import org.fencepost.protocol.ph1.RedoLog;
import org.fencepost.protocol.store.StoreException;

/**
 * The certifier as one instance reaches it: whoever keeps the horizon now. While that changes, horizons are asked for again. It remembers
 * in which generation a commit was certified, and its {@link #log} appends the record to that. Thread-safe.
 */
final class GroupCertifier implements Certifier<Key> {

    private static final long PAUSE_MILLIS = 10;

    private final JGroupsGroup group;
    private final long patienceNanos;
    private final Map<Long, Long> generations = new ConcurrentHashMap<>();
    private volatile long generation;
    private long lastHorizon;

    /** @param patienceMillis so long a horizon is asked for again */
    GroupCertifier(JGroupsGroup group, long patienceMillis) {
        this.group = group;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    }

    static byte[] encode(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * numbers.length);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    /** This instance keeps the horizon, in a new generation. */
    synchronized void begins(long begun) {
        generation = Math.max(generation, begun);
    }

    private byte[] ask(byte kind, byte[] body) {
        try {
            return group.askKeeper(kind, body);
        } catch (StoreException e) {
            throw new TransactionManagerException("The certifier did not answer: " + e.getMessage(), e);
        }
    }

    /** Of a keeper that does not know yet that there is another one it may be lower than what this instance has: that still holds. */
    @Override
    public long horizon() {
        LongBuffer answer = ByteBuffer.wrap(patiently(() -> ask(Kind.HORIZON, new byte[0]))).asLongBuffer();
        synchronized (this) {
            lastHorizon = Math.max(lastHorizon, answer.get(0));
            generation = Math.max(generation, answer.get(1));
            return lastHorizon;
        }
    }

    private byte[] patiently(Supplier<byte[]> question) {
        long start = System.nanoTime();
        while (true) {
            try {
                return question.get();
            } catch (TransactionManagerException e) {
                if (group.isClosed() || Thread.currentThread().isInterrupted() || System.nanoTime() - start > patienceNanos) {
                    throw e;
                }
                sleep();
            }
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long requestCommit(long readTs, Collection<Key> keys) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(body);
            out.writeLong(readTs);
            out.writeInt(keys.size());
            for (Key key : keys) {
                out.writeLong(key.hash());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LongBuffer answer = ByteBuffer.wrap(ask(Kind.REQUEST_COMMIT, body.toByteArray())).asLongBuffer();
        if (answer.get(0) > 0) {
            generations.put(answer.get(0), answer.get(1));
        }
        return answer.get(0);
    }

    @Override
    public void complete(long commitTs) {
        ask(Kind.COMPLETE, encode(commitTs));
        generations.remove(commitTs);
    }

    @Override
    public void release(long commitTs) {
        ask(Kind.RELEASE, encode(commitTs));
        generations.remove(commitTs);
    }

    @Override
    public List<Long> flushing() {
        LongBuffer answer = ByteBuffer.wrap(ask(Kind.FLUSHING, new byte[0])).asLongBuffer();
        List<Long> all = new ArrayList<>();
        while (answer.hasRemaining()) {
            all.add(answer.get());
        }
        return all;
    }

    /**
     * The redo log. A record for a transaction that another instance had certified comes from the keeper, which aborts what was left in its own
     * generation, or an earlier one.
     */
    RedoLog<Key, ByteBuffer> log(GenerationLog log) {
        return new RedoLog<>() {
            @Override
            public RedoRecord<Key, ByteBuffer> append(RedoRecord<Key, ByteBuffer> record) {
                RedoRecord<Key, ByteBuffer> first = log.append(generations.getOrDefault(record.commitTs(), generation), record);
                if (!first.commits()) {
                    generations.remove(record.commitTs());
                }
                return first;
            }

            @Override
            public RedoRecord<Key, ByteBuffer> find(long commitTs) {
                return log.find(commitTs);
            }
        };
    }
}
