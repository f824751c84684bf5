package org.fencepost.clustertest;

import java.util.List;
import java.util.Map;

/** What a client is asked to do: function and value as Jepsen has them, and what {@link Op} adds. */
record Invocation(String f, Object value, Map<String, Object> more) {

    static Invocation regular(List<List<Object>> micro) {
        return new Invocation("txn", micro, Map.of(Op.PATH, Op.REGULAR));
    }

    static Invocation fast(List<List<Object>> micro) {
        return new Invocation("txn", micro, Map.of(Op.PATH, Op.FAST));
    }
}
