package org.fencepost.protocol;

/** The only source of time of the client algorithm. */
public interface Clock {

    /** Monotonic nanoseconds from an arbitrary origin; compare by subtraction only. */
    long nanos();

    /** Waits about so many nanoseconds; returns early, with the thread's interrupt flag set, when interrupted. */
    void sleep(long nanos);
}
