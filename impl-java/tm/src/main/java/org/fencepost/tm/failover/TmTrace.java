package org.fencepost.tm.failover;

import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/** Events of one process for a tracer that several may share: each tells whose it is, and the time on that process's clock. */
public final class TmTrace {

    private final Tracer tracer;
    private final String owner;
    private final long originNanos;

    /** @param originNanos where the owner's times begin to count */
    public TmTrace(Tracer tracer, String owner, long originNanos) {
        this.tracer = tracer;
        this.owner = owner;
        this.originNanos = originNanos;
    }

    boolean on() {
        return tracer.on();
    }

    /** @param nanos on the owner's clock; told in microseconds */
    void event(Action action, long nanos, String name, long value) {
        if (tracer.on()) {
            tracer.event(action, "tm", owner, "clock", micros(nanos), name, value);
        }
    }

    /** A commit request and its answer. The keys are a text, with blanks between. */
    void event(Action action, long nanos, long txn, long answer, String keys) {
        tracer.event(action, "tm", owner, "clock", micros(nanos), "txn", txn, "answer", answer, "keys", keys);
    }

    private long micros(long nanos) {
        return (nanos - originNanos) / 1_000;
    }

    /** For what decides transactions. */
    Tracer tracer() {
        return tracer;
    }
}
