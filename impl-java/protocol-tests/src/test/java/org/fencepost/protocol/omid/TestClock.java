package org.fencepost.protocol.omid;

import org.fencepost.protocol.Clock;

/** A clock that stands still until a test moves it; sleeping moves it. */
public final class TestClock implements Clock {

    private long nanos;
    private Runnable duringSleep = () -> {};

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public void sleep(long duration) {
        advance(duration);
        duringSleep.run();
    }

    public synchronized void advance(long duration) {
        nanos += duration;
    }

    void duringSleep(Runnable action) {
        duringSleep = action;
    }
}
