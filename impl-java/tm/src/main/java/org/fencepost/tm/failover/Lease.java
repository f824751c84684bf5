package org.fencepost.tm.failover;

/**
 * Until when this process may serve, on its own monotonic clock. Written by the thread that renews, read by the one that
 * serves. A lease that ran out may come back to life by a renewal that was sent in time: that one was accepted, so
 * nobody has taken over.
 */
public final class Lease {

    private volatile boolean granted;
    private volatile long endNanos;

    /** @param sentNanos from before the renewal was sent: a challenger cannot have seen it earlier */
    public void grant(long sentNanos, long durationNanos) {
        endNanos = sentNanos + durationNanos;
        granted = true;
    }

    public void revoke() {
        granted = false;
    }

    boolean held(long nowNanos) {
        return granted && nowNanos - endNanos < 0;
    }

    /** 0 when it is over. */
    long remaining(long nowNanos) {
        return held(nowNanos) ? endNanos - nowNanos : 0;
    }
}
