package org.fencepost.prove;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Parts of a proof side by side. */
record Parallel(int jobs) {

    /** @param then is told of each part in their order, as soon as it and all before it have ended */
    <T> void each(List<String> parts, Function<String, T> work, BiConsumer<String, T> then) {
        ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, jobs));
        try {
            Map<String, Future<T>> running = new LinkedHashMap<>();
            parts.forEach(part -> running.put(part, workers.submit(() -> work.apply(part))));
            running.forEach((part, future) -> then.accept(part, end(future)));
        } finally {
            workers.shutdownNow();
        }
    }

    private static <T> T end(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts the command
        }
    }
}
