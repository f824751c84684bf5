package org.fencepost.conformance.omid;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;

/**
 * The code's state in the specification's variables: what its objects and servers hold, and, where its state is in the
 * middle of a method, with which request it waits. All variables but {@code faults}, which only counts.
 */
class Observed {

    private static final TlaValue NO_READ = cursor("none", "NoKey", "NoTxn");

    private final Servers servers;
    private final Map<String, Client> clients;
    private final List<String> keys;
    private final List<Puppet> collectors;
    private final Map<String, ?> latePuts;
    private final Map<String, ?> lateEntries;

    /** @param latePuts by key and transaction, with a blank between */
    Observed(Servers servers, Map<String, Client> clients, List<String> keys, List<Puppet> collectors,
            Map<String, ?> latePuts, Map<String, ?> lateEntries) {
        this.servers = servers;
        this.clients = clients;
        this.keys = keys;
        this.collectors = collectors;
        this.latePuts = latePuts;
        this.lateEntries = lateEntries;
    }

    /** The transactions whose clients know that they have committed. */
    Set<String> answeredCommits() {
        return clients.values().stream().filter(c -> Set.of("committed", "closed").contains(status(c))).map(Puppet::name)
                .collect(Collectors.toSet());
    }

    TlaValue value(String variable) {
        return switch (variable) {
            case "faults" -> null;
            case "status" -> ofTxn(c -> Values.string(status(c) + unexpected(c)));
            case "readTs" -> ofTxn(c -> servers.inSpec(c.version()));
            case "commitTs" -> ofTxn(c -> servers.inSpec(commitTs(c)));
            case "writes" -> ofTxn(c -> Values.names(writes(c)));
            case "deletes" -> ofTxn(c -> Values.names(writes(c).filter(key -> c.tx.ownWrite(key).isTombstone())));
            case "unanswered" -> ofTxn(c -> Values.names(writes(c).filter(key -> !c.isDead() && !c.answered.contains(key))));
            case "todo" -> ofTxn(c -> Values.names(todo(c).stream()));
            case "cursor" -> ofTxn(this::cursor);
            case "reads" -> ofTxn(c -> Values.set(c.reads.stream().map(this::read)));
            case "precedes" -> ofTxn(c -> Values.names(c.precedes.stream()));
            case "clock" -> Values.number(servers.clock());
            case "lastCommit" -> ofKey(key -> servers.inSpec(servers.manager.lastCommit(servers.hash(key))));
            case "lowWatermark" -> lowWatermark();
            case "stored" -> ofKey(key -> Values.names(begun().filter(c -> isStored(c, key)).map(Puppet::name)));
            case "commitCell" -> ofKey(key -> ofTxn(c -> servers.inSpec(servers.store.commitCell(key, c.version()))));
            case "commitTable" -> ofTxn(c -> servers.inSpec(servers.table.get(c.version())));
            case "watermark" -> Values.number(servers.firstFrom(servers.table.watermark()));
            case "committed" -> Values.names(begun().filter(c -> servers.table.committed(c.version()) != Timestamps.NIL).map(Puppet::name));
            case "inspected" -> Values.set(collectors.stream().filter(c -> c.call() != null).map(this::inspected));
            case "latePuts" -> Values.set(latePuts.keySet().stream().map(put -> Values.pair(put.split(" ")[0], put.split(" ")[1])));
            case "lateEntries" -> Values.names(lateEntries.keySet().stream());
            default -> Values.string("no variable of the code");
        };
    }

    /** The last commit that it shuts out. Others' commits are evicted, too, and may have raised it a little further. */
    private TlaValue lowWatermark() {
        return servers.inSpec(clients.values().stream().mapToLong(c -> c.commitTs).filter(ts -> ts <= servers.manager.lowWatermark())
                .max().orElse(Timestamps.NIL));
    }

    private interface OfTxn {
        TlaValue value(Client client);
    }

    private TlaValue ofTxn(OfTxn value) {
        return Values.function(clients.keySet(), txn -> value.value(clients.get(txn)));
    }

    private TlaValue ofKey(Function<String, TlaValue> value) {
        return Values.function(keys, value);
    }

    private Stream<Client> begun() {
        return clients.values().stream().filter(c -> c.tx != null);
    }

    // ---- clients

    private static Stream<String> writes(Client client) {
        return client.tx == null ? Stream.empty() : client.tx.writeSet().stream();
    }

    /** A client that was told must not know another one than the manager gave. */
    private static long commitTs(Client client) {
        boolean knows = client.tx != null && client.tx.commitTs() != Timestamps.NIL;
        return knows ? client.tx.commitTs() : client.commitTs;
    }

    private static String status(Client client) {
        if (client.tx == null) {
            return "idle";
        }
        return switch (client.status()) {
            case ACTIVE -> client.isDead() ? "dead" : "active";
            case REQUESTING, CERTIFIED -> client.isDead() ? "dead" : client.entryUnanswered ? "unknown" : "certified";
            case COMMITTED -> client.isClosed() ? "closed" : "committed";
            case ABORTED -> "aborted";
            case UNKNOWN -> "unresolved";
        };
    }

    /** A request that a client in this state should not have. */
    private static String unexpected(Client client) {
        if (client.call() == null || client.reading != null) {
            return "";
        }
        Set<Kind> expected = switch (status(client)) {
            case "certified", "unknown" -> EnumSet.of(Kind.COMMIT_ANSWER, Kind.CHECK_AND_MUTATE);
            case "committed" -> EnumSet.of(Kind.PUT_COMMIT_CELLS, Kind.REMOVE_ENTRY);
            case "aborted" -> EnumSet.of(Kind.REMOVE);
            case "active" -> client.keepsIndex ? EnumSet.of(Kind.PUT) : EnumSet.noneOf(Kind.class);
            default -> EnumSet.noneOf(Kind.class);
        };
        return expected.contains(client.call().kind) ? "" : ", with " + client.call();
    }

    /** The keys that the client is about to write or to remove, or has left to the collector. */
    private static Collection<String> todo(Client client) {
        String status = status(client);
        boolean finishes = status.equals("committed") && client.isAt(Kind.PUT_COMMIT_CELLS)
                || status.equals("aborted") && client.isAt(Kind.REMOVE);
        return finishes ? client.call().keys() : client.isDead() ? List.of() : client.leftToCollector;
    }

    private static TlaValue cursor(String step, String key, String met) {
        return Values.record("key", Values.name(key), "step", Values.string(step), "met", Values.name(met));
    }

    private TlaValue cursor(Client client) {
        if (client.reading == null || client.call() == null || !client.hasLooked()) {
            return NO_READ;
        }
        Call call = client.call();
        return switch (call.kind) {
            case GET -> cursor("record", client.reading, writer(call.version + 1)); // from below the record met last
            case GET_ENTRY -> cursor("entry", client.reading, writer(call.version));
            case PUT_COMMIT_CELLS -> cursor("heal", client.reading, writer(call.version));
            case CHECK_AND_MUTATE -> cursor("pending", client.reading, writer(call.version));
            case REREAD -> cursor("reread", client.reading, writer(call.version));
            case REMOVE_ENTRY -> cursor("repair", client.reading, writer(call.version));
            default -> cursor("" + call, client.reading, "NoTxn");
        };
    }

    /** The name of the transaction that has this start timestamp. */
    String writer(long version) {
        return begun().filter(c -> c.version() == version).map(Puppet::name).findFirst().orElse("nobody");
    }

    private TlaValue read(Client.Read read) {
        Record<Long> record = read.record();
        String from = record == null || record.isTombstone() ? "NoTxn"
                : isWritten(read.key(), record) ? writer(record.version()) : "a wrong value";
        return Values.record("key", Values.name(read.key()), "from", Values.name(from), "own",
                Values.name(read.own() ? "TRUE" : "FALSE"));
    }

    private boolean isWritten(String key, Record<Long> record) {
        return record.value() == Client.value(key, record.version()) || begun().anyMatch(c -> c.wroteBlindly(record.version(), record.value()));
    }

    // ---- the collector and the store

    /** Between two steps a collector is at its second look at a record, or does nothing. */
    private TlaValue inspected(Puppet collector) {
        return collector.isAt(Kind.REREAD) ? Values.pair(collector.call().key(), writer(collector.call().version))
                : Values.string(collector.call().toString());
    }

    /** A value that is not the one that the transaction wrote, or that somebody else wrote for it, is none of its. */
    boolean isStored(Client client, String key) {
        Record<Long> record = servers.store.record(key, client.version());
        Write<Long> own = client.tx.ownWrite(key);
        return record != null && (own == null ? Write.of(Client.value(key, client.version())) : own).equals(new Write<>(record.value()));
    }
}
