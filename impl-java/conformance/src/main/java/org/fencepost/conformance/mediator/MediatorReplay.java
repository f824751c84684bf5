package org.fencepost.conformance.mediator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Replay;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.tm.mediator.Helper;

/**
 * Mediator: its clients, the servers' regions, the status oracle with its log and its helper, and the recovery of an oracle that died.
 * Every client is held before each of its requests, and between a fence and the look behind it. What is taken together or apart:
 * <ul>
 * <li>What an application asks for goes with the first request that comes of it.
 * <li>A read that is under way is given up when its transaction does something else. Where it is to go on, it is begun again; then, as
 *     at each look, the server is fenced once more: silent where its clock is there already.
 * <li>That nothing was found in the check, the client hears with its next step.
 * <li>What somebody writes back that is there already is silent.
 * <li>Of each request of the helper, its next one is another helper's.
 * <li>SettleEntry is what the client has told, if that is on its way; else the helper's.
 * </ul>
 *
 * <p>Not compared is {@code faults}.
 */
public final class MediatorReplay extends Replay {

    private final DatabaseServers database;
    private final OracleProcess oracle;
    private final Map<String, Client> clients = new LinkedHashMap<>();
    private final Map<String, NativePuppet> natives = new LinkedHashMap<>();
    private final List<String> keys;
    private final List<String> servers;
    private final Puppet helper;
    private final Port helping;
    private final Puppet recovery;
    private final Map<String, Supplier<?>> lateRecords = new HashMap<>();
    /** Whose record would come too late: they have no other abort. */
    private final Set<String> closedOut = new HashSet<>();

    /** @param constants Delta, a power of two, and Serializable */
    public MediatorReplay(Map<String, String> constants, State initial, Carriers carriers) {
        super(carriers);
        long delta = Long.parseLong(constants.get("Delta"));
        this.keys = Values.domain(initial.get("version"));
        this.servers = Values.domain(initial.get("local"));
        this.database = new DatabaseServers(servers, keys, delta);
        this.helper = new Puppet("helper", scheduler);
        this.recovery = new Puppet("recovery", scheduler);
        this.oracle = new OracleProcess(delta, new Port(recovery, null, database, null)::writeBack);
        this.helping = new Port(helper, oracle, database, null);
        List<String> txns = Values.domain(initial.get("log"));
        boolean serializable = constants.get("Serializable").equals("TRUE");
        txns.forEach(txn -> clients.put(txn, new Client(txn, scheduler, oracle, database, serializable)));
        Values.domain(initial.get("status")).stream().filter(op -> !txns.contains(op))
                .forEach(op -> natives.put(op, new NativePuppet(op, scheduler, database)));
    }

    @Override
    public Collection<Puppet> puppets() {
        List<Puppet> puppets = new ArrayList<>(clients.values());
        puppets.addAll(natives.values());
        puppets.addAll(List.of(helper, recovery));
        return puppets;
    }

    @Override
    public void begin() {
        database.knowTheTime();
    }

    // ---- what a step is

    /** @param label the action's name */
    public static Step step(State from, State to, String label) {
        String server = label.equals("SyncServer") || label.equals("CrashServer") ? changedServer(from, to) : null;
        String key = switch (label) {
            case "Replay", "WriteBack", "StorePut" -> Step.firstChange(from, to, "version");
            case "FenceRead", "FenceCommit" -> gained(from, to, "fenced");
            case "TxCheckConflict" -> gained(from, to, "checked");
            case "TxPut", "NativePut" -> gained(from, to, "writes");
            case "TxGet", "NativeGet" -> gained(from, to, "reads");
            default -> null;
        };
        String op = switch (label) {
            case "Replay", "WriteBack", "StorePut" -> changedAt(from, to, "version", key);
            case "LateRecord" -> Values.text(Values.gained(to.get("lateRecords"), from.get("lateRecords")));
            case "SyncServer", "CrashServer", "CrashTso", "CloseLog", "OpenTso" -> null;
            default -> Step.firstChange(from, to, "status", "reads", "writes", "fenced", "checked", "log", "ring");
        };
        return new Step(label, server, op, key, null, from, to);
    }

    private static String changedServer(State from, State to) {
        TlaValue asked = Values.gained(from.get("synced"), to.get("synced"));
        TlaValue lost = Values.gained(to.get("synced"), from.get("synced"));
        String server = asked != null ? Values.text(asked) : lost != null ? Values.text(lost) : Step.firstChange(from, to, "local");
        return server != null ? server : Values.domain(from.get("local")).get(0);
    }

    private static String changedAt(State from, State to, String variable, String index) {
        TlaValue before = Values.at(from.get(variable), index);
        TlaValue after = Values.at(to.get(variable), index);
        return Values.domain(before).stream().filter(name -> !Values.at(before, name).equals(Values.at(after, name))).findFirst().orElseThrow();
    }

    /** The key that a set of somebody's has gained; null if none has. */
    private static String gained(State from, State to, String variable) {
        return Values.domain(from.get(variable)).stream()
                .map(name -> Values.gained(Values.at(from.get(variable), name), Values.at(to.get(variable), name))).filter(Objects::nonNull)
                .map(item -> Values.text(variable.equals("reads") ? Values.field(item, "key") : item)).findFirst().orElse(null);
    }

    // ---- steps

    @Override
    public void take(Step step) {
        if (natives.containsKey(step.txn())) {
            takeNative(natives.get(step.txn()), step);
            return;
        }
        Client client = clients.get(step.txn());
        String key = step.key();
        switch (step.action()) {
            case "Begin" -> begin(client);
            case "FenceRead" -> {
                client.read(key);
                carryOut(client, Kind.FENCE, key);
                requireLook(client, key);
            }
            case "TxGet" -> look(client, key);
            case "GiveUp" -> look(client, lateFor(client));
            case "TxPut" -> client.write(key);
            case "TxTryCommit" -> txTryCommit(client);
            case "LocalCommit" -> {
                client.commit();
                require(client, Kind.STORE_PUT);
            }
            case "StorePut" -> carryOut(client, Kind.STORE_PUT, key);
            case "EndReadOnly" -> {
                if (client.isAt(Kind.CHECK_ANSWER)) {
                    carryOut(client, Kind.CHECK_ANSWER);
                } else {
                    client.commit();
                }
            }
            case "FenceCommit" -> carryOut(client, Kind.CHECK, Port.fence(key));
            case "TxCheckConflict" -> {
                String checked = key != null ? key : conflictFor(client);
                requireFence(client, checked, client.commitTs());
                carryOut(client, Kind.CHECK, Port.check(checked));
                requireNoWait(client);
            }
            case "TsoAbort" -> carryOut(client, Kind.TSO_ABORT);
            case "AppendLog" -> {
                hearOfCheck(client);
                requireOracle();
                carryOut(client, Kind.APPEND);
            }
            case "DelayRecord" -> {
                hearOfCheck(client);
                lateRecords.put(client.name(), hold(client, Kind.APPEND, Call.NO_KEY));
                client.recordUnanswered = true;
            }
            case "LateRecord" -> lateRecord(client);
            case "WriteBack" -> carryOut(client, Kind.WRITE_BACK, key);
            case "TxCommit" -> {
                writeBackAgain(client);
                carryOut(client, Kind.TX_COMMIT);
            }
            case "Crash" -> client.die();
            case "CrashServer" -> crashServer(step.process());
            case "SyncServer" -> database.syncServer(step.process(), oracle);
            case "Evict" -> oracle.evict(client.commitTs());
            case "HelperAbort" -> {
                help(client);
                carryOut(helper, Kind.APPEND);
                replace(helper);
            }
            case "SettleEntry" -> settleEntry(client);
            case "Replay" -> replay(client, key);
            case "CrashTso" -> {
                oracle.crash();
                replace(recovery);
            }
            case "CloseLog" -> closeLog();
            case "OpenTso" -> {
                recover();
                writeBackAgain(recovery);
                oracle.open();
            }
            default -> throw new Refused("the code has no action " + step.action());
        }
    }

    private void takeNative(NativePuppet puppet, Step step) {
        switch (step.action()) {
            case "NativePut" -> {
                puppet.precedes = closed();
                puppet.put(step.key());
                require(puppet, Kind.STORE_PUT);
            }
            case "NativeGet" -> {
                puppet.precedes = closed();
                puppet.get(step.key());
            }
            case "StorePut" -> carryOut(puppet, Kind.STORE_PUT, step.key());
            default -> throw new Refused("the code has no action " + step.action());
        }
    }

    /** What was answered. */
    private Set<String> closed() {
        return Stream.of(clients, natives).flatMap(ops -> ops.keySet().stream()).filter(op -> status(op).equals("closed")).collect(Collectors.toSet());
    }

    // ---- clients

    private void begin(Client client) {
        client.precedes = closed();
        client.begin();
        carryOut(client, Kind.BEGIN);
        client.replica = clients.values().stream().filter(other -> other.commitTs() != 0
                && keys.stream().anyMatch(key -> client.due(key) == other.commitTs())).map(Puppet::name).collect(Collectors.toSet());
    }

    private void look(Client client, String key) {
        if (!client.looksAt(key)) {
            client.read(key);
            if (client.isAt(Kind.FENCE)) {
                requireFence(client, key, client.tx.startTs());
                carryOut(client, Kind.FENCE, key);
            }
        }
        requireLook(client, key);
        if (client.port.fenced.contains(key)) {
            requireFence(client, key, client.tx.startTs());
        }
        carryOut(client, Kind.GET, key);
        requireNoWait(client);
    }

    private static void requireLook(Client client, String key) {
        if (!client.looksAt(key)) {
            throw new Refused(client + " should look at " + key);
        }
    }

    /** To fence the server once more changes nothing. */
    private void requireFence(Client client, String key, long ts) {
        if (database.local(database.host(key)) < ts) {
            throw new Refused(client + " fences " + database.host(key) + " again");
        }
    }

    private static void requireNoWait(Client client) {
        if (client.isAt(Kind.AWAIT_SERVER)) {
            throw new Refused(client + " waits for an older put");
        }
    }

    /** A key of which something that is due is not there. */
    private String lateFor(Client client) {
        return client.port.fenced.stream().filter(key -> !client.reads.containsKey(key) && !client.tx.writeSet().contains(key))
                .filter(key -> ts(database.lastBefore(key, client.tx.startTs())) < client.due(key)).findFirst()
                .orElseThrow(() -> new Refused(client + " finds all that is due"));
    }

    private String conflictFor(Client client) {
        return client.port.fenced.stream().filter(key -> client.port.since.containsKey(key) && !client.port.checked.contains(key))
                .filter(key -> database.conflicts(key, client.port.since.get(key), client.commitTs())).findFirst()
                .orElseThrow(() -> new Refused(client + " finds no conflict"));
    }

    private static long ts(Version<?> version) {
        return version == null ? 0 : version.ts();
    }

    private void txTryCommit(Client client) {
        client.commit();
        client.port.fenced.clear();
        carryOut(client, Kind.COMMIT);
        if (client.tx.commitTs() != 0) {
            client.filter = keys.stream().filter(key -> oracle.latest(Client.hash(key)) == client.tx.commitTs()).collect(Collectors.toSet());
        }
    }

    private static void hearOfCheck(Client client) {
        if (!client.recordUnanswered) {
            carryOut(client, Kind.CHECK_ANSWER);
        }
    }

    private void requireOracle() {
        if (!oracle.state().equals("up")) {
            throw new Refused("nobody writes the log");
        }
    }

    private void lateRecord(Client client) {
        if (oracle.state().equals("down") && log(client).equals("none")) {
            requireOracle();
        }
        try {
            lateRecords.remove(client.name()).get();
        } catch (StoreException e) {
            // it comes too late
        }
    }

    private void crashServer(String server) {
        database.crash(server);
        Stream.of(clients, natives).flatMap(ops -> ops.values().stream())
                .filter(op -> op.isAt(Kind.STORE_PUT) && database.host(op.call().key()).equals(server)).forEach(Puppet::lose);
    }

    /** What is there already is written once more. */
    private void writeBackAgain(Puppet puppet) {
        while (puppet.isAt(Kind.WRITE_BACK)) {
            String key = puppet.call().key();
            if (!database.isStored(key, puppet.call().version)) {
                throw new Refused(puppet + " writes " + key + " back first");
            }
            puppet.carryOut(key);
        }
    }

    // ---- the oracle's helper, and recovery

    /** Up to its first request that may change something. */
    private void help(Client client) {
        helper.order(() -> new Helper<>(helping.helped, helping::writeBack, Tracer.OFF).settle(client.commitTs()));
        carryOut(helper, Kind.FIND);
    }

    private static void replace(Puppet puppet) {
        if (puppet.call() != null) {
            puppet.die();
            puppet.revive();
        }
    }

    private void settleEntry(Client client) {
        if (!oracle.hear(client.commitTs())) {
            help(client);
            writeBackAgain(helper);
            carryOut(helper, Kind.SETTLE_ENTRY);
        }
    }

    private void replay(Client client, String key) {
        if (oracle.state().equals("up")) {
            help(client);
            carryOut(helper, Kind.WRITE_BACK, key);
            replace(helper);
        } else {
            recover();
            while (recovery.isAt(Kind.WRITE_BACK) && recovery.call().version != client.commitTs()) {
                String next = recovery.call().key();
                if (!database.isStored(next, recovery.call().version)) {
                    throw new Refused(recovery + " writes back in the order of the log");
                }
                recovery.carryOut(next);
            }
            carryOut(recovery, Kind.WRITE_BACK, key);
        }
    }

    private void recover() {
        if (recovery.call() == null) {
            recovery.order(oracle::replay);
        }
    }

    private void closeLog() {
        for (Client client : clients.values()) {
            boolean tooLate = client.commitTs() != 0 && !client.tx.writeSet().isEmpty() && oracle.record(client.commitTs()) == null;
            if (tooLate && Set.of("certified", "unknown", "dead").contains(client.status())) {
                closedOut.add(client.name());
            }
        }
        oracle.takeOver();
    }

    // ---- the code's state

    @Override
    public TlaValue value(String variable) {
        return switch (variable) {
            case "faults" -> null;
            case "status" -> ofOp(op -> Values.string(status(op)));
            case "readTs" -> ofOp(op -> Values.number(clients.containsKey(op) && clients.get(op).tx != null ? clients.get(op).tx.startTs() : 0));
            case "commitTs" -> ofOp(op -> Values.number(commitTs(op)));
            case "writes" -> ofOp(op -> Values.names(writes(op).stream()));
            case "reads" -> ofOp(op -> Values.set(reads(op)));
            case "precedes" -> ofOp(op -> Values.names((clients.containsKey(op) ? clients.get(op).precedes : natives.get(op).precedes).stream()));
            case "replica" -> ofTxn(client -> Values.names(client.replica.stream()));
            case "fenced" -> ofTxn(client -> Values.names(client.port.fenced.stream()));
            case "checked" -> ofTxn(client -> Values.names(client.port.checked.stream()));
            case "filter" -> ofTxn(client -> Values.names(client.filter.stream()));
            case "ring" -> ofTxn(client -> Values.string(oracle.entry(client.commitTs())));
            case "log" -> ofTxn(client -> Values.string(log(client)));
            case "clock" -> Values.number(oracle.clock());
            case "tso" -> Values.string(oracle.state());
            case "tsMin" -> Values.number(oracle.tsMin());
            case "lateRecords" -> Values.names(lateRecords.keySet().stream());
            case "local" -> Values.function(servers, server -> Values.number(database.local(server)));
            case "synced" -> Values.names(servers.stream().filter(database::isSynced));
            case "version" -> Values.function(keys, key -> ofOp(op -> Values.number(database.find(key, op))));
            default -> Values.string("no variable of the code");
        };
    }

    private TlaValue ofOp(Function<String, TlaValue> value) {
        return Values.function(Stream.of(clients, natives).flatMap(ops -> ops.keySet().stream()).toList(), value);
    }

    private TlaValue ofTxn(Function<Client, TlaValue> value) {
        return Values.function(clients.keySet(), txn -> value.apply(clients.get(txn)));
    }

    private String status(String op) {
        return clients.containsKey(op) ? clients.get(op).status() : natives.get(op).status;
    }

    private long commitTs(String op) {
        return clients.containsKey(op) ? clients.get(op).commitTs() : natives.get(op).stamp;
    }

    private Set<String> writes(String op) {
        if (clients.containsKey(op)) {
            return clients.get(op).tx == null ? Set.of() : clients.get(op).tx.writeSet();
        }
        return natives.get(op).puts ? Set.of(natives.get(op).key) : Set.of();
    }

    private Stream<TlaValue> reads(String op) {
        if (clients.containsKey(op)) {
            return clients.get(op).reads.entrySet().stream().map(read -> read(read.getKey(), read.getValue()));
        }
        NativePuppet puppet = natives.get(op);
        return puppet.key == null || puppet.puts ? Stream.empty() : Stream.of(read(puppet.key, puppet.found));
    }

    private static TlaValue read(String key, Version<String> found) {
        return Values.record("key", Values.name(key), "from", Values.name(found == null ? "NoTxn" : found.value()), "own", Values.name("FALSE"));
    }

    /** The first record; and whose record would come too late is aborted. */
    private String log(Client client) {
        LogRecord<?> record = client.commitTs() == 0 ? null : oracle.record(client.commitTs());
        return record != null ? record.commits() ? "commit" : "abort" : closedOut.contains(client.name()) ? "abort" : "none";
    }
}
