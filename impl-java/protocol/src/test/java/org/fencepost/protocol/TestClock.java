package org.fencepost.protocol;

/** A clock that stands still until a test moves it; sleeping moves it. */
final class TestClock implements Clock {

    private long nanos;
    private Runnable duringSleep = () -> { };

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public void sleep(long duration) {
        advance(duration);
        duringSleep.run();
    }

    synchronized void advance(long duration) {
        nanos += duration;
    }

    void duringSleep(Runnable action) {
        duringSleep = action;
    }
}
