package org.fencepost.ph1.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fencepost.ph1.group.JGroupsGroup;
import org.fencepost.ph1.group.Kind;
import org.fencepost.ph1.store.GenerationLog;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.ph1.Certifier;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certifier (specs/PH1.tla) as the group's first member runs it: the transaction manager finds conflicts and gives timestamps, and the
 * keeper knows which commits are still being flushed.
 *
 * <p>A snapshot is a start timestamp of the transaction manager, and is given when all commits have ended that were asked for before the
 * keeper had that timestamp: each commit has a place in the order of requests, and so has each candidate for the horizon.
 *
 * <p>Whoever becomes keeper begins a generation of the redo log. That ends those of all earlier keepers: what they certified gets into the log
 * no more, and what is in it is flushed before the first snapshot is given. An earlier keeper that does not know yet could give a snapshot
 * above commits that it has not heard of. So no snapshot is given before most instances have told, after its timestamp was taken, that they are
 * still in the keeper's view; and a new keeper serves when all in its view have told so after it closed the log. An earlier one that was slow may
 * close the log to it once more: then it begins anew.
 *
 * <p>specs/PH1Keeper.tla is about how it passes from one keeper to the next; the certifier of specs/PH1.tla never fails. Thread-safe.
 */
final class HorizonKeeper implements JGroupsGroup.Service, AutoCloseable {

    /** What the keeper has its instance do. */
    interface Redo {

        /** A generation has begun: what is certified from now on belongs to it. */
        void begins(long generation);

        /** Ends what stands in the way of the horizon. */
        void redo(long commitTs);
    }

    private static final Logger LOG = LoggerFactory.getLogger(HorizonKeeper.class);
    private static final long TICK_MILLIS = 50;
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_KEYS = 100_000;

    private final RemoteTransactionManager manager;
    private final GenerationLog log;
    private final Redo redo;
    private final long redoNanos;
    private final long trimNanos;
    private final Deque<CompletableFuture<byte[]>> waiting = new ArrayDeque<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile JGroupsGroup group;
    private volatile boolean closed;
    /** Null while this instance is not the keeper. */
    private Tenure tenure;

    /** A commit that was asked for. */
    private static final class Entry {
        final long since = System.nanoTime();
        /** 0: not known yet. */
        long commitTs;
    }

    private record Candidate(long snapshot, long place) {
    }

    /** What is known while one view lasts. */
    private static final class Tenure {
        final long view;
        final long generation;
        final TreeMap<Long, Entry> entries = new TreeMap<>();
        final Map<Long, Long> places = new HashMap<>();
        final Deque<Candidate> candidates = new ArrayDeque<>();
        long nextPlace;
        long horizon;

        Tenure(long view, long generation, long horizon) {
            this.view = view;
            this.generation = generation;
            this.horizon = horizon;
        }

        /** The greatest candidate of which all that was asked for before has ended. */
        long raised() {
            long first = entries.isEmpty() ? nextPlace : entries.firstKey();
            while (!candidates.isEmpty() && candidates.peek().place() <= first) {
                horizon = candidates.poll().snapshot();
            }
            return horizon;
        }
    }

    /**
     * @param redoMillis  after so long what is not flushed is taken for left by a dead instance
     * @param trimMillis  so long records stay in the log when they are flushed: no request is older
     */
    HorizonKeeper(RemoteTransactionManager manager, GenerationLog log, Redo redo, long redoMillis, long trimMillis) {
        this.manager = manager;
        this.log = log;
        this.redo = redo;
        this.redoNanos = TimeUnit.MILLISECONDS.toNanos(redoMillis);
        this.trimNanos = TimeUnit.MILLISECONDS.toNanos(trimMillis);
    }

    /** To be called once, when there is a group. */
    void start(JGroupsGroup joined) {
        group = joined;
        for (Runnable task : List.<Runnable>of(this::keep, this::answerHorizons)) {
            Thread thread = new Thread(task, "ph1-keeper");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    // ---- becoming the keeper, and redo

    private void keep() {
        long trimmable = 0;
        long trimmableNanos = System.nanoTime();
        long checkedNanos = trimmableNanos;
        String problem = "";
        while (!closed) {
            try {
                long view = group.viewNumber();
                if (!group.isKeeper()) {
                    resign();
                } else if (!serves(view)) {
                    takeOver(view);
                } else if (System.nanoTime() - checkedNanos > CHECK_NANOS) {
                    checkedNanos = System.nanoTime();
                    long flushed = check();
                    if (checkedNanos - trimmableNanos > trimNanos) {
                        log.trim(trimmable); // flushed for so long
                        trimmable = flushed;
                        trimmableNanos = checkedNanos;
                    }
                } else {
                    redoOld();
                }
            } catch (TransactionException e) {
                if (!problem.equals(e.getMessage())) { // once
                    LOG.info("The keeper tries again: {}", e.getMessage());
                }
                problem = String.valueOf(e.getMessage());
            } catch (RuntimeException e) {
                LOG.warn("The keeper tries again", e);
            }
            sleep();
        }
    }

    private synchronized boolean serves(long view) {
        return tenure != null && tenure.view == view;
    }

    private synchronized void resign() {
        tenure = null;
    }

    private void takeOver(long view) {
        resign();
        long generation = manager.begin();
        manager.end(generation);
        if (!log.begin(generation)) {
            throw new StoreException("The redo log is in a later generation than " + generation + ": another instance keeps the horizon, or this is"
                    + " another transaction manager than the one that the log was begun with.");
        }
        redo.begins(generation);
        List<Long> left = log.unflushed();
        left.forEach(redo::redo);
        long horizon = manager.begin();
        manager.end(horizon);
        if (group.confirmed(view, true)) { // from here on no earlier keeper is confirmed any more
            synchronized (this) {
                tenure = new Tenure(view, generation, horizon);
            }
            LOG.info("This instance keeps the horizon from {} on; it has redone {} commits.", horizon, left.size());
        }
    }

    /**
     * Tells the log what is flushed, so that the next keeper has less to do. Begins anew, if an earlier keeper that was slow has begun a generation.
     *
     * @return all commits below are flushed
     */
    private long check() {
        long generation;
        long below;
        synchronized (this) {
            if (tenure == null) {
                return 0;
            }
            generation = tenure.generation;
            below = tenure.raised();
        }
        if (!log.begin(generation)) {
            resign();
            return 0;
        }
        log.flushed(generation, below);
        return below;
    }

    /** Harmless if the transaction's instance is only slow, though it may be aborted. */
    private void redoOld() {
        List<Long> old = new ArrayList<>();
        synchronized (this) {
            if (tenure != null) {
                tenure.entries.values().stream().filter(entry -> entry.commitTs != 0 && System.nanoTime() - entry.since > redoNanos)
                        .forEach(entry -> old.add(entry.commitTs));
            }
        }
        old.forEach(redo::redo);
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- requests

    @Override
    public CompletableFuture<byte[]> handle(byte kind, DataInputStream body) throws IOException {
        return switch (kind) {
            case Kind.HORIZON -> horizon();
            case Kind.REQUEST_COMMIT -> requestCommit(body);
            case Kind.COMPLETE, Kind.RELEASE -> ended(body.readLong());
            case Kind.FLUSHING -> flushing();
            default -> throw new IOException("kind " + kind);
        };
    }

    private synchronized Tenure required() {
        if (tenure == null || tenure.view != group.viewNumber()) {
            throw new StoreException("The certifier is changing.");
        }
        return tenure;
    }

    private CompletableFuture<byte[]> horizon() {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        synchronized (waiting) {
            waiting.add(answer);
            waiting.notifyAll();
        }
        return answer;
    }

    /** All who wait are answered with one timestamp, and one question to the members. */
    private void answerHorizons() {
        while (!closed) {
            List<CompletableFuture<byte[]>> asked;
            synchronized (waiting) {
                try {
                    while (waiting.isEmpty()) {
                        waiting.wait();
                    }
                } catch (InterruptedException e) {
                    return;
                }
                asked = List.copyOf(waiting);
                waiting.clear();
            }
            try {
                byte[] answer = nextHorizon();
                asked.forEach(one -> one.complete(answer));
            } catch (RuntimeException e) {
                asked.forEach(one -> one.completeExceptionally(e));
            }
        }
    }

    private byte[] nextHorizon() {
        Tenure mine = required();
        long snapshot = manager.begin();
        manager.end(snapshot);
        Candidate candidate;
        synchronized (this) {
            candidate = new Candidate(snapshot, mine.nextPlace);
        }
        if (!group.confirmed(mine.view, false)) {
            throw new StoreException("The certifier's view is changing.");
        }
        synchronized (this) {
            mine.candidates.add(candidate);
            return GroupCertifier.encode(mine.raised(), mine.generation);
        }
    }

    private CompletableFuture<byte[]> requestCommit(DataInputStream body) throws IOException {
        long readTs = body.readLong();
        int count = body.readInt();
        if (count < 1 || count > MAX_KEYS) {
            throw new IOException("a write set of " + count + " keys");
        }
        long[] hashes = new long[count];
        for (int i = 0; i < count; i++) {
            hashes[i] = body.readLong();
        }
        Tenure mine;
        long place;
        synchronized (this) {
            mine = required();
            place = mine.nextPlace++;
            mine.entries.put(place, new Entry());
        }
        return manager.commitAsync(readTs, hashes, TransactionManager.NO_TABLES).handleAsync((answer, failure) -> {
            synchronized (this) {
                if (failure == null && answer > 0) {
                    mine.entries.get(place).commitTs = answer;
                    mine.places.put(answer, place);
                } else { // what it may have certified nobody hears of, and nobody logs
                    mine.entries.remove(place);
                }
            }
            if (failure != null) {
                throw new TransactionManagerException(failure.getMessage(), failure);
            }
            return GroupCertifier.encode(answer > 0 ? answer
                    : answer == TransactionManager.BELOW_WATERMARK ? Certifier.BELOW_WATERMARK : Certifier.CONFLICT, mine.generation);
        });
    }

    private synchronized CompletableFuture<byte[]> ended(long commitTs) {
        Long place = tenure == null ? null : tenure.places.remove(commitTs);
        if (place != null) {
            tenure.entries.remove(place);
        }
        return CompletableFuture.completedFuture(new byte[0]);
    }

    private synchronized CompletableFuture<byte[]> flushing() {
        return CompletableFuture.completedFuture(GroupCertifier.encode(required().places.keySet().stream().sorted().mapToLong(Long::longValue).toArray()));
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        synchronized (waiting) {
            waiting.forEach(one -> one.completeExceptionally(new StoreException("The instance is closed.")));
            waiting.clear();
        }
    }
}
