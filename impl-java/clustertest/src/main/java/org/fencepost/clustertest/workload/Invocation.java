package org.fencepost.clustertest.workload;

import java.util.List;
import java.util.Map;
import org.fencepost.clustertest.verdict.Op;

/** What a client is asked to do: function and value as Jepsen has them, and what {@link Op} adds. */
public record Invocation(String f, Object value, Map<String, Object> more) {

    static Invocation of(String path, List<List<Object>> micro) {
        return new Invocation("txn", micro, Map.of(Op.PATH, path));
    }

    static Invocation regular(List<List<Object>> micro) {
        return of(Op.REGULAR, micro);
    }

    static Invocation fast(List<List<Object>> micro) {
        return of(Op.FAST, micro);
    }
}
