package org.fencepost.bench.harness;

import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A thread whose failure is not lost. */
public final class Part extends Thread {

    /** What it does. */
    public interface Body {
        void run() throws Exception;
    }

    private final Body body;
    private Throwable failure;

    public Part(Body body) {
        this.body = body;
        setDaemon(true);
    }

    /** Runs so many side by side, each by its number, and waits for all. */
    public static void all(int count, IntFunction<Body> bodies) throws IOException {
        List<Part> parts = IntStream.range(0, count).mapToObj(number -> new Part(bodies.apply(number))).toList();
        parts.forEach(Thread::start);
        for (Part part : parts) {
            part.finish();
        }
    }

    @Override
    public void run() {
        try {
            body.run();
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Waits for its end. Throws its failure. */
    public void finish() throws IOException {
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        if (failure != null) {
            throw new IOException(failure);
        }
    }
}
