package org.fencepost.demo;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;

/**
 * Lets a client die, at a random moment of the protocol: from a random call to the store, the commit table or the log on,
 * no call is made any more.
 */
final class Mortality {

    /** An Error, because whoever catches exceptions would go on living. */
    static final class ClientDied extends Error {
        ClientDied(String moment) {
            super(moment);
        }
    }

    private static final int CALLS_PER_LIFE = 1000;

    private static final Map<String, String> MOMENTS = Map.of(
            "VersionedStore.put", "before its tentative records are stored",
            "CommitTable.checkAndMutate", "between storing its records and its commit entry",
            "VersionedStore.putCommitCells", "after its commit entry, before post-commit",
            "CommitTable.remove", "after post-commit, before it removes its commit entry",
            "VersionedStore.removeAborted", "before it cleans up after an abort",
            "DataServers.txCheckConflict", "with its commit timestamp, before the servers have checked it",
            "Log.append", "between the check and its record in the log",
            "DataServers.writeBack", "after its record in the log, before it writes back",
            "DataServers.localCommit", "before its only put");

    private final int callsToLive;
    private int calls;

    Mortality(SplittableRandom random) {
        this(random, CALLS_PER_LIFE);
    }

    /** @param callsPerLife at most */
    Mortality(SplittableRandom random, int callsPerLife) {
        callsToLive = 1 + random.nextInt(callsPerLife);
    }

    /** A client of Mediator. */
    @SuppressWarnings("unchecked")
    MediatorClient mediatorClient(Configuration conf, Oracle oracle, Log<byte[]> log) {
        return Internals.open(conf, oracle, mortal(Log.class, log), new Internals.MediatorSeams(
                servers -> (DataServers<CellKey, Write<byte[]>>) mortal(DataServers.class, servers), Tracer.OFF));
    }

    @SuppressWarnings("unchecked")
    Internals.Seams seams(Tracer tracer) {
        return new Internals.Seams(store -> (VersionedStore<CellKey, byte[]>) mortal(VersionedStore.class, store),
                table -> mortal(CommitTable.class, table), tracer);
    }

    private <T> T mortal(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (!method.getName().equals("versions")) { // which is no request
                count(type.getSimpleName() + "." + method.getName());
            }
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private synchronized void count(String call) {
        if (++calls >= callsToLive) {
            throw new ClientDied(MOMENTS.getOrDefault(call, "while it reads"));
        }
    }
}
