package org.fencepost.tm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * Threads that begin and commit transactions on few keys, through whatever fails, and afterwards the judgement: no
 * timestamp was given twice, a begin that was asked for after a commit was answered got a greater timestamp, and no two
 * transactions that overlap were let pass with a common key.
 */
public final class Load implements AutoCloseable {

    private static final int KEYS = 40;

    private record Commit(long startTs, long commitTs, long key) {
    }

    private final RemoteTransactionManager manager;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    /** The greatest timestamp that any commit was answered with. */
    private final AtomicLong committed = new AtomicLong();
    private volatile boolean stopped;

    public Load(RemoteTransactionManager manager, int count) {
        this.manager = manager;
        for (int i = 0; i < count; i++) {
            Worker worker = new Worker();
            Thread thread = new Thread(worker, "load-" + i);
            workers.add(worker);
            threads.add(thread);
            thread.start();
        }
    }

    private final class Worker implements Runnable {

        private final List<Long> timestamps = new ArrayList<>();
        private final List<Commit> commits = new ArrayList<>();
        private String violation;
        private volatile long passed;
        private long failures;

        @Override
        public void run() {
            while (!stopped) {
                try {
                    transact();
                } catch (TransactionManagerException e) {
                    failures++;
                }
            }
        }

        private void transact() {
            long before = committed.get();
            long startTs = manager.begin();
            timestamps.add(startTs);
            if (startTs <= before) {
                violation = "Transaction " + startTs + " began after " + before + " was committed.";
            }
            long first = ThreadLocalRandom.current().nextLong(KEYS);
            long[] writeSet = {first, KEYS + ThreadLocalRandom.current().nextLong(KEYS)};
            long commitTs = manager.commit(startTs, writeSet);
            if (commitTs > 0) {
                committed.accumulateAndGet(commitTs, Math::max);
                timestamps.add(commitTs);
                for (long key : writeSet) {
                    commits.add(new Commit(startTs, commitTs, key));
                }
                passed++;
            }
        }
    }

    /** Commits so far. */
    long passed() {
        return workers.stream().mapToLong(worker -> worker.passed).sum();
    }

    /** Waits until so many more have committed. */
    public void awaitProgress(long commits) {
        long goal = passed() + commits;
        Await.until("the load goes on", 60_000, () -> passed() >= goal);
    }

    @Override
    public void close() {
        stopped = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops, and throws AssertionError for the first violation. Returns a summary. */
    public String judge() {
        close();
        workers.stream().map(worker -> worker.violation).filter(violation -> violation != null).findAny()
                .ifPresent(violation -> {
                    throw new AssertionError(violation);
                });
        long[] all = workers.stream().flatMap(worker -> worker.timestamps.stream()).mapToLong(Long::longValue).sorted().toArray();
        for (int i = 1; i < all.length; i++) {
            if (all[i - 1] == all[i]) {
                throw new AssertionError("Timestamp " + all[i] + " was given twice.");
            }
        }
        judgeConflicts();
        return all.length + " timestamps, " + passed() + " commits, "
                + workers.stream().mapToLong(worker -> worker.failures).sum() + " requests lost";
    }

    private void judgeConflicts() {
        Map<Long, List<Commit>> byKey = new HashMap<>();
        workers.forEach(worker -> worker.commits.forEach(commit -> byKey.computeIfAbsent(commit.key(), key -> new ArrayList<>()).add(commit)));
        for (List<Commit> commits : byKey.values()) {
            Commit[] sorted = commits.toArray(new Commit[0]);
            Arrays.sort(sorted, Comparator.comparingLong(Commit::commitTs));
            for (int i = 1; i < sorted.length; i++) {
                if (sorted[i].startTs() < sorted[i - 1].commitTs()) {
                    throw new AssertionError("Lost update: " + sorted[i - 1] + " and " + sorted[i] + " overlap.");
                }
            }
        }
    }
}
