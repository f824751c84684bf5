package org.fencepost.audit.models;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs several things at a time. */
public final class SideBySide {

    private SideBySide() {
    }

    /**
     * Ends when all have ended, or one has failed and those before it have ended: what it has thrown is thrown then, and the others are interrupted and not waited for.
     *
     * @param jobs how many at a time
     * @param told each as soon as it and those before it have ended
     */
    public static <E> void run(int jobs, List<? extends Callable<E>> calls, Consumer<? super E> told) throws IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<E>> futures = new ArrayList<>();
            calls.forEach(call -> futures.add(pool.submit(call)));
            for (Future<E> future : futures) {
                told.accept(future.get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            if (e.getCause() instanceof RuntimeException rejected) {
                throw rejected;
            }
            throw new IllegalStateException("the runner itself failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
