package org.fencepost.bench.harness;

import java.io.IOException;

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
