package org.fencepost.simulation.ph1;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.Certifier;
import org.fencepost.protocol.ph1.Group;
import org.fencepost.protocol.ph1.KeyVersion;
import org.fencepost.protocol.ph1.LocalCertifier;
import org.fencepost.protocol.ph1.RedoLog;
import org.fencepost.protocol.ph1.UnversionedStore;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Network.Target;

/** Certifier, redo log, store and group as one actor at an instance reaches them, over a {@link Network}, for as long as the instance lives. */
final class Endpoint {

    /** What all share. */
    static final class Servers {

        final LocalCertifier<String> certifier;
        final Instances instances;
        final Map<String, Cell<Long>> cells = new TreeMap<>();
        final Map<Long, RedoLog.RedoRecord<String, Long>> records = new HashMap<>();
        private final EventLog log;

        Servers(EventLog log, List<String> names) {
            this.log = log;
            this.certifier = new LocalCertifier<>(0, log);
            this.instances = new Instances(log, names);
        }

        /** The store keeps the greater timestamp, whenever a put arrives. */
        private void put(String key, Cell<Long> cell) {
            Cell<Long> old = cells.get(key);
            if (old == null || old.ts() < cell.ts()) {
                cells.put(key, cell);
                log.change("key " + key, key, "cell", old, cell);
            }
            log.served("PutArrives", "commit", cell.ts(), "key", key);
        }

        private void delete(String key, long ts) {
            if (cells.containsKey(key) && cells.get(key).ts() <= ts) {
                log.change("key " + key, key, "cell", cells.remove(key), "");
                log.served("CollectTombstone", "key", key, "commit", ts);
            }
        }

        private RedoLog.RedoRecord<String, Long> append(RedoLog.RedoRecord<String, Long> record) {
            RedoLog.RedoRecord<String, Long> first = records.get(record.commitTs());
            if (first != null) {
                return first;
            }
            records.put(record.commitTs(), record);
            log.change("log", Long.toString(record.commitTs()), "record", "", record.commits() ? "commit" : "abort");
            log.served("Record", "commit", record.commitTs(), "commits", record.commits());
            return record;
        }
    }

    private final String name;
    private final Servers servers;
    private final Network network;
    private final int deaths;

    Endpoint(String name, Servers servers, Network network) {
        this.name = name;
        this.servers = servers;
        this.network = network;
        this.deaths = servers.instances.deaths(name);
    }

    Network network() {
        return network;
    }

    /** Of the instance once it is started again. What the one that died still does, this one has nothing to do with. */
    Endpoint again() {
        return new Endpoint(name, servers, network);
    }

    boolean isAlive() {
        return deaths == servers.instances.deaths(name);
    }

    /** Whose instance has died does nothing more. */
    void requireAlive() {
        if (!isAlive()) {
            throw new Death();
        }
    }

    private <T> T call(Target target, String object, String what, Supplier<T> effect) {
        requireAlive();
        try {
            return network.call(target, object, what, effect);
        } finally {
            requireAlive(); // an answer that nobody hears
        }
    }

    private void act(Target target, String object, String what, Runnable effect) {
        call(target, object, what, () -> {
            effect.run();
            return null;
        });
    }

    final Certifier<String> certifier = new Certifier<>() {

        @Override
        public long horizon() {
            return call(Target.MANAGER, "certifier", "horizon", () -> servers.certifier.horizon());
        }

        @Override
        public long requestCommit(long readTs, Collection<String> keys) {
            List<String> sent = List.copyOf(keys);
            return call(Target.MANAGER, "certifier", "requestCommit " + readTs, () -> {
                long answer = servers.certifier.requestCommit(readTs, sent);
                servers.log.served("RequestCommit", "instance", Instances.number(name), "life", deaths, "snapshot", readTs, "answer", answer);
                return answer;
            });
        }

        @Override
        public void complete(long commitTs) {
            act(Target.MANAGER, "certifier", "complete " + commitTs, () -> servers.certifier.complete(commitTs));
        }

        @Override
        public void release(long commitTs) {
            act(Target.MANAGER, "certifier", "release " + commitTs, () -> servers.certifier.release(commitTs));
        }

        @Override
        public List<Long> flushing() {
            return call(Target.MANAGER, "certifier", "flushing", () -> servers.certifier.flushing());
        }
    };

    final RedoLog<String, Long> log = new RedoLog<>() {

        @Override
        public RedoRecord<String, Long> append(RedoRecord<String, Long> record) {
            return call(Target.TABLE, Long.toString(record.commitTs()), "append " + record.commitTs(), () -> servers.append(record));
        }

        @Override
        public RedoRecord<String, Long> find(long commitTs) {
            return call(Target.TABLE_READ, Long.toString(commitTs), "find " + commitTs, () -> servers.records.get(commitTs));
        }
    };

    final UnversionedStore<String, Long> store = new UnversionedStore<>() {

        @Override
        public Cell<Long> get(String key) {
            return call(Target.STORE_READ, key, "get " + key, () -> servers.cells.get(key));
        }

        @Override
        public void put(String key, Cell<Long> cell) {
            act(Target.STORE, key, "put " + key + " " + cell.ts(), () -> servers.put(key, cell));
        }

        @Override
        public void delete(String key, long ts) {
            act(Target.STORE, key, "delete " + key + " " + ts, () -> servers.delete(key, ts));
        }

        @Override
        public Map<String, Cell<Long>> scan(String from, String to, int limit) {
            return call(Target.STORE_READ, "scan", "scan", () -> new TreeMap<>(servers.cells));
        }
    };

    final Group<String, Long> group = new Group<>() {

        @Override
        public View view() {
            return servers.instances.view(name);
        }

        @Override
        public int instances() {
            return servers.instances.count();
        }

        /** In parts of one version. */
        @Override
        public void send(String member, Map<String, KeyVersion<Long>> versions) {
            Map.copyOf(versions).entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> send(member, each.getKey(), each.getValue()));
        }

        private void send(String member, String key, KeyVersion<Long> version) {
            act(Target.FAST, "npvs " + member, "save " + key + " " + version, () -> servers.instances.deliver(name, member, key, version));
            // More often than others die elsewhere.
            if (!member.equals(name) && (network.suffers(Fault.DEATH) || network.suffers(Fault.DEATH) || network.suffers(Fault.DEATH))) {
                servers.instances.crash(member); // when it has answered, which is when it matters, and is back at once
                servers.instances.join(member);
            }
        }

        @Override
        public void tellFloor(long floor) {
            servers.instances.tellFloor(name, floor);
        }

        @Override
        public Map<String, Long> floors() {
            return servers.instances.floors();
        }

        @Override
        public void evict(long below) {
            servers.instances.evict(name, below);
        }
    };
}
