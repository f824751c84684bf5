package org.fencepost.hbase.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.security.User;

/**
 * Threads that do what they are given as the user who gives it. A thread has the identity of whoever made it and keeps it, and those of a pool
 * serve everybody: without this a region server's own request could be carried out, and refused, as one of a client's in the same process.
 */
final class CallersThreads extends AbstractExecutorService {

    private final ExecutorService threads;

    CallersThreads(ExecutorService threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable work) {
        User caller;
        try {
            caller = User.getCurrent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(() -> caller.runAs((PrivilegedAction<Void>) () -> {
            work.run();
            return null;
        }));
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit);
    }
}
