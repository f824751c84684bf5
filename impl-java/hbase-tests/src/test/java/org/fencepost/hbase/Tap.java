package org.fencepost.hbase;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.trace.Tracer;

/** Stands between the protocol and HBase, and lets a test act, or throw, before and after every call. */
interface Tap {

    /** No requests: the client knows. */
    Set<String> ASK_NOBODY = Set.of("versions", "batches", "inOneRegion", "tellsClocks");

    default void before(String call) {
    }

    default void after(String call) {
    }

    /** Taps store and commit table of a client; calls are named "store.put", "commitTable.remove" and so on. */
    default Internals.Seams seams() {
        return seams(Tracer.OFF);
    }

    @SuppressWarnings("unchecked")
    default Internals.Seams seams(Tracer tracer) {
        return new Internals.Seams(store -> store instanceof LeaderStore<CellKey, byte[]> leaders ? on(LeaderStore.class, "store", leaders)
                : (VersionedStore<CellKey, byte[]>) on(VersionedStore.class, "store", store),
                table -> on(CommitTable.class, "commitTable", table), tracer);
    }

    default TransactionManager on(TransactionManager manager) {
        return on(TransactionManager.class, "manager", manager);
    }

    private <T> T on(Class<T> type, String name, T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (ASK_NOBODY.contains(method.getName())) {
                Object known = method.invoke(target, arguments);
                return known instanceof BatchStore<?, ?> batches ? on(BatchStore.class, "batches", batches) : known;
            }
            before(name + "." + method.getName());
            try {
                Object result = method.invoke(target, arguments);
                after(name + "." + method.getName());
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** Acts once, before the first call of this name. */
    static Tap onceBefore(String call, Runnable action) {
        return new Tap() {
            private boolean done;

            @Override
            public void before(String now) {
                if (!done && now.equals(call)) {
                    done = true;
                    action.run();
                }
            }
        };
    }

    /** Acts once, after the first call of this name. */
    static Tap onceAfter(String call, Runnable action) {
        return new Tap() {
            private boolean done;

            @Override
            public void after(String now) {
                if (!done && now.equals(call)) {
                    done = true;
                    action.run();
                }
            }
        };
    }
}
