package org.fencepost.conformance.fastpath;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.omid.OmidReplay;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.simulation.world.Carriers;

/**
 * Transactions with several levels, beside the fast path. Records are told by their versions here, and the rest is as in
 * {@link OmidReplay} and {@link FastReplay}. What is taken together or apart:
 * <ul>
 * <li>A read is one step, with all its requests; the commit cells that it would write are lost. One in several steps is given up where the
 *     specification ends it.
 * <li>A transaction reads what it has just written from its memory or from the store, as the server's clock tells; and lists from the store
 *     between checkpoint and snapshot.
 * <li>HealCommitCell is another look at the last level, where there may be a newer one, and the put.
 * <li>A put that is refused is removed by its client, although it was never stored: silent.
 * <li>Above the watermark it is a compaction that drops a level: the director's, since it is HBase's (CompactionScanner). A late copy of a put
 *     comes to a server that takes every put, as those of tables without a fast path do.
 * </ul>
 */
public final class CheckpointsReplay extends MixedReplay {

    /** A record of the specification, by key and version. */
    private record At(String key, long version) {
    }

    private final Versions versions;
    /** What the store has taken from each transaction. */
    private final Map<String, Map<At, Boolean>> wrote = new LinkedHashMap<>();
    /** What each client has healed or removed since it knew its outcome. */
    private final Map<String, Set<At>> done = new LinkedHashMap<>();
    /** What a reader in several steps has met. */
    private final Map<String, At> met = new LinkedHashMap<>();
    private final Map<TlaValue, Runnable> latePuts = new LinkedHashMap<>();

    /** @param constants of the model */
    public CheckpointsReplay(Map<String, String> constants, State initial, Carriers carriers) {
        super(initial, carriers, fastOnes(constants), versions(constants));
        this.versions = versions(constants);
        names().forEach(txn -> {
            wrote.put(txn, new LinkedHashMap<>());
            done.put(txn, new LinkedHashSet<>());
        });
        servers.start("server");
        keys.forEach(key -> servers.openInTime(key, "server"));
    }

    private static Versions versions(Map<String, String> constants) {
        return new Versions(Long.parseLong(constants.get("Span")), Integer.parseInt(constants.get("Levels")));
    }

    private static List<String> fastOnes(Map<String, String> constants) {
        return Stream.of(constants.get("Fast").replaceAll("[{} ]", "").split(",")).filter(name -> !name.isEmpty()).toList();
    }

    private String writerOf(long version) {
        return writer(versions.writerOf(version));
    }

    // ---- what a step is

    /** Told by its label; a record is told by key, and its version as the content. */
    public static Step step(State from, State to, String label) {
        String txn = null;
        String key = null;
        String content = null;
        switch (label) {
            case "Read", "ReadAll" -> {
                String what = label.equals("Read") ? "reads" : "listed";
                txn = Step.firstChange(from, to, what);
                key = txn == null ? null : Values.text(Values.field(gained(from, to, what, txn), "key"));
                txn = txn == null ? whoHasSome(from, what) : txn;
            }
            case "InvalidatePending" -> {
                txn = Step.firstChange(from, to, "cursor");
                txn = txn == null ? laterThan(from, Values.field(Values.gained(from.get("commitTable"), to.get("commitTable")), "row")) : txn;
            }
            case "GetRecord", "GetCommitEntry", "HealCommitCell", "ReReadRecord", "RemoveFalseInvalidation" -> {
                txn = Step.firstChange(from, to, "cursor");
                key = Values.text(Values.field(Values.at(to.get("cursor"), txn), "key"));
            }
            case "Write", "WriteTwice", "FastWrite" -> {
                txn = Step.firstChange(from, to, "wrote");
                TlaValue written = gained(from, to, "wrote", txn);
                key = Values.text(Values.field(written, "key"));
                content = Values.text(Values.field(written, "gone")).equals("TRUE") ? "tombstone" : "value";
            }
            case "PostCommit", "CleanUp" -> {
                txn = Step.firstChange(from, to, "todo");
                TlaValue record = gained(to, from, "todo", txn);
                key = Values.text(Values.field(record, "key"));
                content = Values.text(Values.field(record, "ts"));
            }
            case "HealLeftover", "CleanLeftover", "CollectVersion", "DropLevel", "CollectTombstone" -> {
                key = Step.firstChange(from, to, "stored");
                content = Values.text(Values.field(gained(to, from, "stored", key), "ts"));
            }
            case "CollectEntry" -> content = Values.text(Values.field(Values.gained(to.get("commitTable"), from.get("commitTable")), "row"));
            default -> txn = Step.firstChange(from, to, "status", "level", "excluding", "todo", "reads");
        }
        return new Step(label, null, txn, key == null ? Values.domain(from.get("stored")).get(0) : key, content, from, to);
    }

    private static TlaValue gained(State from, State to, String variable, String index) {
        return Values.gained(Values.at(from.get(variable), index), Values.at(to.get(variable), index));
    }

    /** A read that tells nothing new changes nothing. */
    private static String whoHasSome(State from, String what) {
        return Values.domain(from.get(what)).stream().filter(txn -> isActive(from, txn) && !Values.items(Values.at(from.get(what), txn)).isEmpty())
                .findFirst().orElseThrow();
    }

    private static boolean isActive(State from, String txn) {
        return Values.text(Values.at(from.get("status"), txn)).equals("active");
    }

    /** A reader that somebody pending is in the way of. */
    private static String laterThan(State from, TlaValue row) {
        return Values.domain(from.get("readTs")).stream()
                .filter(txn -> isActive(from, txn) && Values.number(Values.at(from.get("readTs"), txn)) > Values.number(row)
                        && Values.text(Values.field(Values.at(from.get("cursor"), txn), "step")).equals("none"))
                .findFirst().orElseThrow();
    }

    // ---- steps

    @Override
    public void take(Step step) {
        Client client = clients.get(step.txn());
        String key = step.key();
        switch (step.action()) {
            case "Checkpoint" -> client.checkpoint();
            case "TakeSnapshot" -> client.takeSnapshot();
            case "Write" -> write(client, key, isDelete(step));
            case "WriteTwice" -> writeTwice(client, key, isDelete(step));
            case "RefusePut" -> refusePut(client, key);
            case "LatePut" -> latePuts.remove(Values.gained(step.to().get("latePuts"), step.from().get("latePuts"))).run();
            case "Read" -> {
                if (!step.from().get("lvc").equals(step.to().get("lvc"))) {
                    client.flush();
                }
                client.read(key);
                toItsEnd(client);
            }
            case "ReadAll" -> {
                if (client.tx.isExcluding()) {
                    client.flush();
                }
                client.list(key);
                toItsEnd(client);
            }
            case "GetRecord", "GetCommitEntry", "HealCommitCell", "ReReadRecord", "RemoveFalseInvalidation", "InvalidatePending" -> {
                lookOn(client, step);
                if (Values.text(Values.field(Values.at(step.to().get("cursor"), step.txn()), "step")).equals("none")) {
                    giveUpRead(client);
                }
            }
            case "PostCommit", "CleanUp" -> {
                long version = version(step);
                requireVersion(client, version);
                super.take(step);
                done.get(step.txn()).add(new At(key, version));
            }
            case "FastRead" -> fast.get(step.txn()).read(key, false);
            case "FastWrite" -> {
                FastPuppet writer = fast.get(step.txn());
                writer.write(key, isDelete(step));
                carryOut(writer, Kind.STORE_VERSION);
                wrote.get(step.txn()).put(new At(key, writer.version), isDelete(step));
            }
            case "HealLeftover" -> {
                settle(key, version(step));
                carryOut(collector, Kind.PUT_COMMIT_CELLS, key);
            }
            case "CleanLeftover" -> pass(List.of(key), Kind.REMOVE, key, version(step));
            case "DropLevel" -> {
                if (version(step) < servers.table.watermark()) {
                    pass(List.of(key), Kind.REMOVE, key, version(step));
                } else {
                    servers.store.remove(key, version(step));
                }
            }
            case "CollectVersion", "CollectTombstone" -> pass(List.of(key), Kind.REMOVE, key, version(step));
            case "CollectEntry" -> {
                collectFirst(version(step));
                pass(leftovers(), Kind.REMOVE_ENTRY, Call.NO_KEY, version(step));
            }
            default -> super.take(step);
        }
        clients.values().forEach(this::removeRefused);
    }

    private static boolean isDelete(Step step) {
        return step.content().equals("tombstone");
    }

    private long version(Step step) {
        return servers.inCode(Long.parseLong(step.content()));
    }

    private static void requireVersion(Puppet puppet, long version) {
        if (puppet.call() == null || puppet.call().version != version) {
            throw new Refused(puppet + " should do so to version " + version);
        }
    }

    // ---- writes

    private void write(Client client, String key, boolean delete) {
        client.write(key, delete);
        long version = client.tx.writePoint();
        requireVersion(client, version);
        put(client, key);
        wrote.get(client.name()).put(new At(key, version), delete);
    }

    private void writeTwice(Client client, String key, boolean delete) {
        long version = client.tx.writePoint();
        write(client, key, delete);
        Write<Long> content = delete ? Write.tombstone() : Write.of(Client.value(key, version));
        latePuts.put(Values.record("key", Values.name(key), "record", record(version, delete, Timestamps.NIL)),
                () -> servers.store.put(key, version, content));
    }

    private void refusePut(Client client, String key) {
        client.write(key, false);
        carryOut(client, Kind.PUT, key);
        carryOut(client, Kind.END);
    }

    /** Of the write set is what may have reached the store, and so what was refused. */
    private void removeRefused(Client client) {
        while (client.isAt(Kind.REMOVE) && client.call().keys().size() == 1 && !wrote.get(client.name()).containsKey(new At(client.call().key(), client.call().version))) {
            client.carryOut(client.call().key());
        }
    }

    // ---- reads

    /** What a read does at its server before it looks. */
    private static void admit(Client client) {
        while (client.isAt(Kind.BUMPED) || client.isAt(Kind.AWAIT_FAST_WRITES)) {
            client.carryOut(Call.NO_KEY);
        }
    }

    /** Nobody who may yet commit is in the way. */
    private void toItsEnd(Client client) {
        untilPending(client);
        if (client.call() != null) {
            throw new Refused(client + " finds somebody pending");
        }
    }

    /** Whoever has no entry below the watermark is pending no more. */
    private boolean meetsPending(Client client) {
        return client.isAt(Kind.CHECK_AND_MUTATE) && client.call().version >= servers.table.watermark();
    }

    private void untilPending(Client client) {
        for (admit(client); client.call() != null && !meetsPending(client); admit(client)) {
            if (client.isAt(Kind.PUT_COMMIT_CELLS)) {
                client.lose();
            } else {
                client.carryOut(client.call().key());
            }
        }
    }

    private void lookOn(Client client, Step step) {
        String key = step.key();
        if (step.action().equals("GetRecord")) {
            client.look(key);
            admit(client);
            while (client.isAt(Kind.GET)) {
                carryOut(client, Kind.GET, key);
            }
            require(client, Kind.GET_ENTRY);
            met.put(client.name(), new At(key, client.met()));
            return;
        }
        if (client.call() == null) {
            client.look(key);
            untilPending(client);
        }
        switch (step.action()) {
            case "GetCommitEntry" -> carryOut(client, Kind.GET_ENTRY);
            case "HealCommitCell" -> {
                if (client.isAt(Kind.GET)) {
                    carryOut(client, Kind.GET, key);
                }
                if (client.isAt(Kind.PUT_COMMIT_CELLS)) {
                    carryOut(client, Kind.PUT_COMMIT_CELLS, key);
                }
            }
            case "InvalidatePending" -> carryOut(client, Kind.CHECK_AND_MUTATE);
            case "ReReadRecord" -> carryOut(client, Kind.GET, key);
            default -> carryOut(client, Kind.REMOVE_ENTRY);
        }
        admit(client);
    }

    private static void giveUpRead(Client client) {
        while (client.call() != null) {
            client.lose();
        }
    }

    // ---- the collector

    private void settle(String key, long version) {
        collector.order(() -> collecting.settleLeftover(key, new Record<>(version, null, Timestamps.NIL, null)));
        carryOut(collector, Kind.GET_ENTRY);
    }

    /** A pass over some keys, up to this request of it, before which it only looks. */
    private void pass(List<String> over, Kind kind, String key, long version) {
        long watermark = servers.table.watermark();
        collector.order(() -> collecting.collect(over, watermark));
        while (collector.call() != null) {
            switch (collector.call().kind) {
                case RAISE_WATERMARK, GET, GET_ENTRY, REREAD, ENTRIES_BELOW -> collector.carryOut(collector.call().key());
                default -> {
                    boolean wanted = collector.isAt(kind) && collector.call().version == version && collector.call().keys().contains(key);
                    if (!wanted) {
                        throw new Refused(collector + " and should do " + kind + " " + version + " first");
                    }
                    collector.carryOut(key);
                    collector.die();
                    collector.revive();
                    return;
                }
            }
        }
        throw new Refused("a pass does no " + kind + " " + version);
    }

    // ---- the code's state

    @Override
    public TlaValue value(String variable) {
        return switch (variable) {
            case "status" -> with(super.value(variable), f -> Values.string(f.status));
            case "readTs" -> with(super.value(variable), this::readTs);
            case "commitTs" -> with(super.value(variable), f -> servers.inSpec(f.version));
            case "level" -> ofTxn(c -> Values.number(c.tx.level()), Values.number(0));
            case "excluding" -> ofTxn(c -> truth(c.tx.isExcluding()), truth(false));
            case "wrote" -> Values.function(names(), txn -> Values.set(wrote.get(txn).entrySet().stream().map(w -> Values.record("key",
                    Values.name(w.getKey().key()), "level", Values.number(level(w.getKey().version())), "gone", truth(w.getValue())))));
            case "todo" -> Values.function(names(), txn -> Values.set(todo(txn).map(r -> Values.record("key", Values.name(r.key()), "ts",
                    servers.inSpec(r.version())))));
            case "cursor" -> Values.function(names(), txn -> cursor(clients.get(txn)));
            case "stored" -> Values.function(keys, key -> Values.set(records(key).map(r -> stored(key, r))));
            case "commitTable" -> Values.set(begun().filter(c -> servers.table.get(c.version()) != Timestamps.NIL)
                    .map(c -> Values.record("row", servers.inSpec(c.version()), "ts", servers.inSpec(servers.table.get(c.version())))));
            case "lvc" -> servers.inSpec(servers.lvc("server"));
            case "latePuts" -> Values.set(latePuts.keySet().stream());
            case "committed" -> Values.set(Stream.concat(Values.items(super.value(variable)).stream(),
                    fast.values().stream().filter(f -> f.stored).map(f -> Values.name(f.name()))));
            case "reads" -> Values.function(names(), txn -> Values.set(clients.containsKey(txn)
                    ? clients.get(txn).reads.stream().map(r -> reading(r.key(), r.record(), r.own()))
                    : Stream.of(fast.get(txn)).filter(f -> f.hasRead).map(f -> reading(f.key, f.read, false))));
            case "listed" -> Values.function(names(), txn -> Values.set(clients.containsKey(txn)
                    ? clients.get(txn).listed.stream().map(l -> listed(clients.get(txn), l)) : Stream.empty()));
            default -> super.value(variable);
        };
    }

    private Stream<Client> begun() {
        return clients.values().stream().filter(c -> c.tx != null);
    }

    private static TlaValue truth(boolean value) {
        return Values.name(value ? "TRUE" : "FALSE");
    }

    private TlaValue ofTxn(Function<Client, TlaValue> value, TlaValue otherwise) {
        return Values.function(names(), name -> clients.containsKey(name) && clients.get(name).tx != null ? value.apply(clients.get(name)) : otherwise);
    }

    /** The place of a read in the order of commits is behind what it has read. */
    private TlaValue readTs(FastPuppet f) {
        return f.hasRead ? Values.number(Values.number(servers.inSpec(f.last())) + 1) : servers.inSpec(f.version);
    }

    private long level(long version) {
        return versions.isFast(version) ? 0 : version % versions.span();
    }

    private Stream<Record<Long>> records(String key) {
        return servers.store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE).stream();
    }

    private TlaValue stored(String key, Record<Long> record) {
        boolean wrong = !record.isTombstone() && record.value() != Client.value(key, record.version());
        return wrong ? Values.string("a wrong value at " + record.version())
                : record(record.version(), record.isTombstone(), versions.isFast(record.version()) ? Timestamps.NIL : record.commit());
    }

    private TlaValue record(long version, boolean gone, long commit) {
        return Values.record("ts", servers.inSpec(version), "by", Values.name(writerOf(version)), "gone", truth(gone), "commit", servers.inSpec(commit));
    }

    private TlaValue reading(String key, Record<Long> record, boolean own) {
        boolean nothing = record == null || record.isTombstone();
        return Values.record("key", Values.name(key), "from", Values.name(nothing ? "NoTxn" : writerOf(record.version())), "level",
                Values.number(nothing ? 0 : level(record.version())), "own", truth(own));
    }

    private TlaValue listed(Client client, Client.Listed listed) {
        List<Record<Long>> own = new ArrayList<>(listed.records());
        own.removeIf(r -> versions.writerOf(r.version()) != client.version());
        Record<Long> before = listed.records().stream().filter(r -> versions.writerOf(r.version()) != client.version()).findFirst().orElse(null);
        return Values.record("key", Values.name(listed.key()), "of", Values.name(client.name()), "versions",
                Values.set(own.stream().map(r -> Values.record("level", Values.number(level(r.version())), "gone", truth(r.isTombstone())))), "before",
                Values.name(before == null || before.isTombstone() ? "NoTxn" : writerOf(before.version())));
    }

    /** What the client has still to do, if it goes on with it. */
    private Stream<At> todo(String txn) {
        Client client = clients.get(txn);
        if (client == null || client.tx == null || client.isDead()) {
            return Stream.empty();
        }
        boolean heals = client.tx.status() == TransactionStatus.COMMITTED && client.isAt(Kind.PUT_COMMIT_CELLS);
        boolean removes = client.tx.status() == TransactionStatus.ABORTED && client.isAt(Kind.REMOVE);
        Map<String, Long> last = wrote.get(txn).keySet().stream().collect(Collectors.toMap(At::key, At::version, Math::max));
        return wrote.get(txn).keySet().stream().filter(r -> removes || heals && last.get(r.key()) == r.version())
                .filter(r -> !done.get(txn).contains(r));
    }

    /** Where a read has ended, what it has met stays there. */
    private TlaValue cursor(Client client) {
        At place = client == null || !met.containsKey(client.name()) ? new At(keys.get(0), Timestamps.NIL) : met.get(client.name());
        String step = client == null || client.reading == null || client.call() == null ? "none" : step(client);
        return Values.record("step", Values.string(step), "key", Values.name(place.key()), "ts", servers.inSpec(place.version()), "commit",
                step.equals("heal") ? servers.inSpec(client.entry()) : Values.number(0));
    }

    private static String step(Client client) {
        return switch (client.call().kind) {
            case GET_ENTRY -> "entry";
            case GET -> Timestamps.isTimestamp(client.entry()) ? "heal" : "reread";
            case PUT_COMMIT_CELLS -> "heal";
            case CHECK_AND_MUTATE -> "pending";
            case REMOVE_ENTRY -> "repair";
            default -> "" + client.call();
        };
    }
}
