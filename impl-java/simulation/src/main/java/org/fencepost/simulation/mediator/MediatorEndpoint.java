package org.fencepost.simulation.mediator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.mediator.Replica;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Network.Target;
import org.fencepost.tm.mediator.Helper;
import org.fencepost.tm.mediator.Tso;

/** Oracle, log and database servers of a run of Mediator as one actor reaches them, over a {@link Network}. */
final class MediatorEndpoint {

    private static final String RING = "ring";

    private final OracleProcess process;
    private final MediatorServers dataServers;
    private final Network network;
    private final EventLog trace;

    MediatorEndpoint(OracleProcess process, MediatorServers dataServers, Network network, EventLog trace) {
        this.process = process;
        this.dataServers = dataServers;
        this.network = network;
        this.trace = trace;
    }

    Network network() {
        return network;
    }

    private <T> T ask(String what, Function<Tso<Map<String, Long>>, T> request) {
        return network.call(Target.MANAGER, RING, what, () -> process.serve(request));
    }

    private void tell(String what, Consumer<Tso<Map<String, Long>>> message) {
        network.call(Target.MANAGER, RING, what, () -> serve(message));
    }

    /** Without waiting. */
    private void send(String what, Consumer<Tso<Map<String, Long>>> message) {
        network.send(Target.MANAGER, RING, what, () -> serve(message));
    }

    private Void serve(Consumer<Tso<Map<String, Long>>> message) {
        return process.serve(tso -> {
            message.accept(tso);
            return null;
        });
    }

    final Oracle oracle = new Oracle() {

        @Override
        public Begun begin(boolean replica) {
            return ask("begin", tso -> {
                Begun begun = new Begun(tso.begin(), replica ? tso.oracle().replica() : Replica.NONE);
                trace.served("Begin", "txn", begun.startTs());
                return begun;
            });
        }

        @Override
        public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
            return ask("txTryCommit " + startTs, tso -> {
                long answer = tso.txTryCommit(startTs, writes, conflicts, since);
                trace.served("TxTryCommit", "txn", startTs, "answer", answer);
                return answer;
            });
        }

        @Override
        public void tsoAbort(long commitTs) {
            send("tsoAbort " + commitTs, tso -> {
                tso.tsoAbort(commitTs);
                trace.served("TsoAbort", "commit", commitTs);
            });
        }

        @Override
        public void txCommit(long commitTs) {
            send("txCommit " + commitTs, tso -> tso.settleEntry(commitTs, true));
        }
    };

    private boolean append(LogRecord<Map<String, Long>> record) {
        LogRecord<Map<String, Long>> sent = !record.commits() ? record
                : new LogRecord<>(record.startTs(), record.commitTs(), new LinkedHashMap<>(record.writes()));
        return network.call(Target.LOG, Long.toString(record.commitTs()), "append " + (record.commits() ? "" : "abort ") + record.commitTs(),
                () -> process.append(sent));
    }

    final Log<Map<String, Long>> log = this::append;

    /** The helper's. */
    final Helper.Oracle<Map<String, Long>> helped = new Helper.Oracle<>() {

        @Override
        public LogRecord<Map<String, Long>> find(long commitTs) {
            return ask("find " + commitTs, tso -> tso.find(commitTs));
        }

        @Override
        public void settleEntry(long commitTs, boolean committed) {
            tell("settleEntry " + commitTs, tso -> tso.settleEntry(commitTs, committed));
        }

        @Override
        public boolean append(LogRecord<Map<String, Long>> record) {
            return MediatorEndpoint.this.append(record);
        }
    };

    /** The helper's. */
    long[] active() {
        return ask("active", Tso::active);
    }

    /** As servers ask for the time. */
    final TransactionManager time = new TransactionManager() {

        @Override
        public long begin() {
            return ask("begin", tso -> {
                long time = tso.begin();
                trace.served("GiveTime", "ts", time);
                return time;
            });
        }

        @Override
        public long commit(long startTs, long[] writeSet, long[] tables) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void end(long startTs) {
        }

        @Override
        public long collectableBelow() {
            throw new UnsupportedOperationException();
        }
    };

    final DataServers<String, Long> servers = new DataServers<>() {

        /** By server, where the client believes that they are. */
        private Collection<List<String>> byServer(Collection<String> keys) {
            Map<String, List<String>> groups = new TreeMap<>();
            keys.forEach(key -> groups.computeIfAbsent(dataServers.host(key), server -> new ArrayList<>()).add(key));
            return groups.values();
        }

        @Override
        public Map<String, Version<Long>> txGet(Map<String, Long> due, long startTs) {
            Map<String, Version<Long>> found = new LinkedHashMap<>();
            byServer(due.keySet()).forEach(group -> found.putAll(network.call(Target.STORE_READ, group.get(0), "txGet " + startTs + group,
                    () -> dataServers.txGet(group, startTs))));
            return found;
        }

        @Override
        public Map<String, Version<Long>> get(Collection<String> keys) {
            Map<String, Version<Long>> found = new LinkedHashMap<>();
            keys.forEach(key -> {
                Version<Long> version = network.call(Target.STORE_READ, key, "get " + key, () -> dataServers.lastVersion(key));
                if (version != null) {
                    found.put(key, version);
                }
            });
            return found;
        }

        @Override
        public boolean txCheckConflict(Map<String, Long> since, Collection<String> fence, long commitTs) {
            List<String> all = new ArrayList<>(since.keySet());
            fence.stream().filter(key -> !since.containsKey(key)).forEach(all::add);
            Map<String, Long> checked = new LinkedHashMap<>(since);
            boolean free = true;
            for (List<String> group : byServer(all)) {
                Map<String, Long> here = new LinkedHashMap<>(checked);
                here.keySet().retainAll(group);
                List<String> fenced = group.stream().filter(fence::contains).toList();
                free &= network.call(Target.STORE_READ, group.get(0), "txCheckConflict " + commitTs + group,
                        () -> dataServers.txCheckConflict(here, fenced, commitTs));
            }
            return free;
        }

        @Override
        public void writeBack(Map<String, Long> writes, long commitTs) {
            for (List<String> group : byServer(writes.keySet())) {
                Map<String, Long> here = new LinkedHashMap<>(writes);
                here.keySet().retainAll(group);
                network.act(Target.STORE, group.get(0), "writeBack " + commitTs + group, () -> dataServers.writeBack(here, commitTs));
            }
        }

        @Override
        public long localCommit(String key, Long value, long startTs) {
            return network.ask(Target.NATIVE, key, "localCommit " + startTs, () -> dataServers.localCommit(key, value, startTs));
        }
    };

    // ---- native clients

    void nativePut(String key, long value) {
        network.act(Target.NATIVE, key, "put " + key, () -> dataServers.nativePut(key, value));
    }

    /** Null if there is nothing. */
    Version<Long> nativeGet(String key) {
        return network.call(Target.STORE_READ, key, "get " + key, () -> dataServers.lastVersion(key));
    }
}
