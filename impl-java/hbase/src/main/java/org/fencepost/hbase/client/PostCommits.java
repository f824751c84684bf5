package org.fencepost.hbase.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.store.Committed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Post-commit in the background. A thread takes all that waits: while it writes the commit cells of some transactions, others
 * gather, and the busier the client, the more of them share a request. Commit entries are in nobody's way, for readers find
 * the commit cell first; so they are removed together, of a second or so, since every region of the commit table logs its
 * removals apart.
 *
 * <p>What a client that dies leaves undone is for readers and the collector, as ever. Thread-safe.
 */
final class PostCommits implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PostCommits.class);
    private static final int MOST_AT_ONCE = 256;
    private static final long GATHERING_SECONDS = 1;
    private static final long IDLE_SECONDS = 10;

    private final OmidLL<CellKey, byte[]> protocol;
    private final int timeoutMillis;
    private final BlockingQueue<Committed<CellKey>> waiting;
    /** Whether a thread is going to look at what waits. */
    private final AtomicBoolean called = new AtomicBoolean();
    /** Start timestamps of those whose commit entries can go. Guarded by itself. */
    private final List<Long> removable = new ArrayList<>();
    /** Null: the committing thread does it all. */
    private final ScheduledThreadPoolExecutor threads;

    PostCommits(OmidLL<CellKey, byte[]> protocol, Settings settings) {
        this.protocol = protocol;
        this.timeoutMillis = settings.timeoutMillis();
        this.waiting = new LinkedBlockingQueue<>(settings.postCommitQueue());
        this.threads = settings.postCommitThreads() == 0 ? null : threads(settings.postCommitThreads());
    }

    private static ScheduledThreadPoolExecutor threads(int count) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(count, work -> {
            Thread thread = new Thread(work, "fencepost-postcommit");
            thread.setDaemon(true);
            return thread;
        }, new ThreadPoolExecutor.DiscardPolicy()); // after close: as if the client had died
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false); // execute() has no delay, and is carried out
        threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Where too many wait, the caller does it for its own. The transaction has committed, whatever goes wrong here. */
    void add(Committed<CellKey> committed) {
        if (committed.isReadOnly()) {
            return;
        }
        if (threads == null || !waiting.offer(committed)) {
            told(() -> protocol.finishCommit(committed)).run();
        } else {
            told(this::call).run();
        }
    }

    private void call() {
        if (called.compareAndSet(false, true)) {
            try {
                threads.execute(told(this::takeAll));
            } catch (RuntimeException | Error e) {
                called.set(false); // no thread was to be had: the next one calls again
                throw e;
            }
        }
    }

    /** An executor would keep an exception to itself; a commit would seem to have failed. */
    private static Runnable told(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException | VirtualMachineError e) {
                LOG.error("A post-commit failed, which readers and the collector will finish.", e);
            }
        };
    }

    private void takeAll() {
        called.set(false); // before it looks: what is added from now on calls again
        try {
            List<Committed<CellKey>> taken = new ArrayList<>();
            if (waiting.drainTo(taken, MOST_AT_ONCE) > 0) {
                removeSoon(protocol.postCommit(taken));
            }
        } finally {
            if (!waiting.isEmpty()) {
                call(); // and not a loop: removals want their turn
            }
        }
    }

    private void removeSoon(List<Long> startTs) {
        synchronized (removable) {
            boolean first = removable.isEmpty();
            removable.addAll(startTs);
            if (first && !removable.isEmpty()) {
                try {
                    threads.schedule(told(this::removeEntries), GATHERING_SECONDS, TimeUnit.SECONDS);
                } catch (RuntimeException | Error e) {
                    removable.clear(); // left to the collector; the next ones are gathered anew
                    throw e;
                }
            }
        }
    }

    private void removeEntries() {
        List<Long> due;
        synchronized (removable) {
            due = List.copyOf(removable);
            removable.clear();
        }
        protocol.removeCommitEntry(due);
    }

    /** Finishes what is under way, for at most {@link Settings#TIMEOUT}. */
    @Override
    public void close() {
        if (threads == null) {
            return;
        }
        threads.shutdown();
        try {
            if (threads.awaitTermination(timeoutMillis, TimeUnit.MILLISECONDS)) {
                told(this::finishRest).run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        told(this::removeEntries).run();
    }

    /** Nobody is called any more. */
    private void finishRest() {
        List<Committed<CellKey>> rest = new ArrayList<>();
        if (waiting.drainTo(rest) > 0) {
            removeSoon(protocol.postCommit(rest));
        }
    }
}
