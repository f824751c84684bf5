package org.fencepost.clustertest.client;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.workload.Invocation;

/** Collects a history as it comes about. All times are of one monotonic clock. Thread-safe. */
public final class Recorder {

    private volatile long origin = System.nanoTime();
    private final List<Op> history = new ArrayList<>();
    private final Map<Op.Type, Integer> counts = new EnumMap<>(Op.Type.class);

    /** The run begins now. */
    public void begin() {
        origin = System.nanoTime();
    }

    /** Nanoseconds since the run began. */
    public long now() {
        return System.nanoTime() - origin;
    }

    public synchronized Op invoke(long process, Invocation what) {
        return add(Op.Type.invoke, process, what.f(), what.value(), what.more());
    }

    public synchronized Op complete(Op invoked, Client.Completion end) {
        return add(end.type(), invoked.process(), invoked.f(), end.value(), end.more());
    }

    public synchronized void nemesis(String f, Object value) {
        add(Op.Type.info, Op.NEMESIS, f, value, Map.of());
    }

    private Op add(Op.Type type, Object process, String f, Object value, Map<String, Object> more) {
        Op op = new Op(history.size(), now(), type, process, f, value, more);
        history.add(op);
        if (op.isClient()) {
            counts.merge(type, 1, Integer::sum);
        }
        return op;
    }

    /** Of clients, by type. */
    public synchronized Map<Op.Type, Integer> counts() {
        return new EnumMap<>(counts);
    }

    /** A copy. */
    public synchronized List<Op> history() {
        return new ArrayList<>(history);
    }
}
