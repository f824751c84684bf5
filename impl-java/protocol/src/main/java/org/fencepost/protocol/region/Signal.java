package org.fencepost.protocol.region;

/** Given once; whoever waits for it goes on. */
public interface Signal<E extends Exception> {

    void give();

    /** Returns when it was given. Where that takes too long, the implementor returns, too, or throws. */
    void await() throws E;
}
