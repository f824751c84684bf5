package org.fencepost.conformance.fastpath;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.omid.Port;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.region.BatchRegion;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.simulation.world.Scheduler;

/** Those that take batches: the protocol's {@link BatchRegion} in each region. Of a row's locks the director knows, as for the fast path. */
final class OnePhaseServers extends FastServers {

    /** What a client asks beside its own requests: its batch, and the manager while it puts. */
    final class Beside {
        final Batch batch;
        final Puppet certifier;
        /** The highest clock that its puts were answered with. */
        long told = Timestamps.NIL;
        /** The manager is asked to certify what is being put. */
        boolean asked;
        private long certification;

        Beside(String client) {
            batch = new Batch(client, scheduler, OnePhaseServers.this);
            certifier = new Puppet(client + "'s certifier", scheduler);
        }
    }

    /** Whether what is committed next is taken to lie in several regions, of which the model has one. */
    boolean severalRegions;
    private final Map<String, Beside> besides = new LinkedHashMap<>();

    OnePhaseServers(Scheduler scheduler, List<String> keys, Versions versions) {
        super(scheduler, keys, versions);
    }

    /** A read that looks again, since a record was gone, lifts the clocks again, and so refuses more; the specification's does not. */
    @Override
    protected void preGet(Puppet puppet, String key) {
        if (!(puppet instanceof Client client) || !client.hasLooked()) {
            super.preGet(puppet, key);
        }
    }

    Beside beside(String client) {
        return besides.get(client);
    }

    Collection<Beside> besides() {
        return besides.values();
    }

    /** Throws what the batch throws when its region is closed. Whether it was stored; if not, it was refused. */
    boolean putBatch(Batch batch, long startTs, long commitTs, Map<String, Write<Long>> writes) {
        mover = batch;
        List<String> rows = List.copyOf(writes.keySet());
        return region(rows.get(0)).batches().putBatch(rows, startTs, commitTs, new BatchRegion.Target<>() {
            @Override
            public boolean noNewerCommit() {
                return rows.stream().allMatch(row -> FastRegion.noNewerCommit(startTs, committed(row).stream().mapToLong(Record::version)));
            }

            @Override
            public void store() {
                hold(Kind.STORE_BATCH);
                store.putBatch(writes, startTs, commitTs);
            }
        }) == null;
    }

    private boolean findsRecord(long startTs, long commitTs, Collection<String> keys) {
        boolean found = keys.stream().anyMatch(key -> store.commitCell(key, startTs) == commitTs);
        if (!found) {
            keys.forEach(key -> region(key).batches().refuseCopies(List.of(key), commitTs));
        }
        return found;
    }

    @Override
    protected BatchStore<String, Long> batches(Puppet client) {
        Beside beside = new Beside(client.name());
        besides.put(client.name(), beside);
        return new BatchStore<>() {

            @Override
            public boolean inOneRegion(Collection<String> keys) {
                return !severalRegions;
            }

            @Override
            public boolean tellsClocks(Collection<String> keys) {
                return severalRegions;
            }

            @Override
            public long putTelling(long version, Map<String, Write<Long>> writes, Runnable departs) {
                Map<String, Write<Long>> sent = new LinkedHashMap<>(writes); // the caller's map changes when the call is over
                client.actOnEach(Kind.PUT, sent.keySet(), version, key -> {
                    prePut(key, version);
                    store.put(key, version, sent.get(key));
                    beside.told = Math.max(beside.told, region(key).batches().clock(key));
                });
                return beside.told;
            }

            @Override
            public boolean putBatch(long startTs, long commitTs, Map<String, Write<Long>> writes) {
                beside.batch.sent(startTs, commitTs, new LinkedHashMap<>(writes));
                return client.ask(Kind.PUT_BATCH, Call.NO_KEY, startTs, beside.batch::isStored);
            }

            @Override
            public boolean findsRecord(long startTs, long commitTs, Collection<String> keys) {
                return client.ask(Kind.FIND_BATCH, Call.NO_KEY, startTs, () -> OnePhaseServers.this.findsRecord(startTs, commitTs, keys));
            }
        };
    }

    /** The certifier waits with the request while the client goes on, until it wants the answer. */
    @Override
    protected LongSupplier commitLater(Puppet client, ToLongFunction<TransactionManager> certify) {
        Beside beside = besides.get(client.name());
        beside.asked = true;
        Port port = new Port(beside.certifier, this, scheduler::nanos);
        beside.certifier.order(() -> beside.certification = certify.applyAsLong(port.manager));
        return () -> client.ask(Kind.COMMIT_ANSWER, Call.NO_KEY, 0, () -> beside.certification);
    }
}
