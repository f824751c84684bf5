package org.fencepost.hbase.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.fencepost.protocol.store.PutRefusedException;

/**
 * Requests that wait for HBase side by side, the caller's thread with one of them. The threads for the others are the process's; where there are as many as may
 * be, the caller does the rest one after the other.
 */
public final class SideBySide {

    private static final int MOST_THREADS = 64;
    private static final long IDLE_SECONDS = 10;
    private static final Executor THREADS = threads();

    private SideBySide() {
    }

    private static Executor threads() {
        return new CallersThreads(new ThreadPoolExecutor(0, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
            Thread thread = new Thread(work, "fencepost-store");
            thread.setDaemon(true);
            return thread;
        }, new ThreadPoolExecutor.CallerRunsPolicy()));
    }

    /** On return all have ended. Throws what one of them has thrown: that a put was refused, if one was, since no repetition helps. */
    public static void run(List<Runnable> requests) {
        List<CompletableFuture<Void>> others = new ArrayList<>();
        requests.stream().skip(1).forEach(each -> others.add(CompletableFuture.runAsync(each, THREADS)));
        RuntimeException failure = null;
        try {
            requests.stream().limit(1).forEach(Runnable::run);
        } catch (RuntimeException e) {
            failure = e;
        }
        for (CompletableFuture<Void> each : others) {
            try {
                each.join();
            } catch (CompletionException e) {
                failure = worse(failure, e.getCause());
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static RuntimeException worse(RuntimeException before, Throwable now) {
        if (now instanceof Error error) {
            throw error;
        }
        return before == null || now instanceof PutRefusedException ? (RuntimeException) now : before;
    }
}
