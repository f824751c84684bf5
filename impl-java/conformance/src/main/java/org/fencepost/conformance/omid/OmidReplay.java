package org.fencepost.conformance.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Replay;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fragola.FragolaCollector;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.store.PutRefusedException;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Scheduler;

/**
 * Omid LL. Every transaction has a client, which is held before each of its requests; two collectors are held likewise. A step of
 * the specification is one request that reaches its server, after which its sender goes on to its next request. What the
 * specification takes together or apart:
 * <ul>
 * <li>What an application asks for (begin, write, read, commit, roll back) goes with the first request that comes of it.
 * <li>A transaction that ends without commit tells the manager, and a put that was answered may be sent again with others
 *     that were not: silent, since the specification's state stays as it is.
 * <li>The answer to a commit request is delivered with the next step of the client, since it may be lost until then.
 * <li>A read whose next step is not to write the commit cell: that write is lost, on which nothing depends.
 * <li>A client that the commit table refused below the watermark leaves its records to the collector, which does its
 *     CleanUp.
 * <li>HealLeftover is a look at the commit table and a put, CleanLeftover a look at the record and a removal.
 * <li>A collection is one of {@link Collector}'s passes, up to the removal in question; then the collector dies, and
 *     another takes its place. What it only looks at on the way is silent.
 * <li>RaiseWatermark waits until the manager gives up who has not ended below, and takes what the manager allows, or has allowed.
 *     Evict is a commit of somebody else.
 * </ul>
 */
public class OmidReplay extends Replay {

    /** Time between two begins, so that the manager can give up the elder one while the younger one lives. */
    private static final long BETWEEN_BEGINS = 4 * Servers.SLICE;

    public final Servers servers;
    public final Map<String, Client> clients = new LinkedHashMap<>();
    public final List<String> keys;
    private final Puppet inspector;
    protected final Puppet collector;
    private final Map<String, Supplier<?>> latePuts = new HashMap<>();
    private final Map<String, Supplier<?>> lateEntries = new HashMap<>();
    private final Port collectorPort;
    protected final Collector<String, Long> collecting;
    private final Collector<String, Long> inspecting;
    private final Observed observed;
    /** The watermarks that the manager has allowed: a collector may use one later. */
    private final Set<Long> told = new TreeSet<>();
    private Client lastBegun;

    public OmidReplay(State initial, Carriers carriers) {
        this(initial, carriers, Values.domain(initial.get("status")), Servers::new, Versions.DENSE);
    }

    public interface ServersFactory {
        Servers create(Scheduler scheduler, List<String> keys, Versions versions);
    }

    /** @param txns those that do not take a fast path */
    protected OmidReplay(State initial, Carriers carriers, List<String> txns, ServersFactory factory, Versions versions) {
        super(carriers);
        this.keys = Values.domain(initial.get("stored"));
        this.servers = factory.create(scheduler, keys, versions);
        txns.forEach(txn -> clients.put(txn, new Client(txn, scheduler, servers)));
        this.inspector = new Puppet("inspector", scheduler);
        this.collector = new Puppet("collector", scheduler);
        this.collectorPort = new Port(collector, servers, scheduler::nanos);
        this.collecting = collector(collectorPort);
        this.inspecting = collector(new Port(inspector, servers, scheduler::nanos));
        this.observed = new Observed(servers, clients, keys, List.of(inspector, collector), latePuts, lateEntries) {
            @Override
            String writer(long version) {
                return OmidReplay.this.writer(version, super.writer(version));
            }
        };
    }

    /** The name of the transaction that wrote a version. */
    protected String writer(long version, String regular) {
        return regular;
    }

    /** The same of any version. */
    protected final String writer(long version) {
        return observed.writer(version);
    }

    /** The transactions whose clients know that they have committed. */
    public Set<String> answeredCommits() {
        return observed.answeredCommits();
    }

    private Collector<String, Long> collector(Port port) {
        return servers.hasLeaders() ? new FragolaCollector<>(port.store, port.manager, Tracer.OFF)
                : new Collector<>(port.store, port.commitTable, port.manager, Tracer.OFF);
    }

    @Override
    public Collection<Puppet> puppets() {
        List<Puppet> puppets = new ArrayList<>(clients.values());
        puppets.addAll(List.of(inspector, collector));
        return puppets;
    }

    @Override
    public TlaValue value(String variable) {
        return observed.value(variable);
    }

    @Override
    public void take(Step step) {
        told.add(servers.manager.collectableBelow(scheduler.nanos()));
        carryOut(step);
    }

    private void carryOut(Step step) {
        Client client = step.txn() == null ? null : clients.get(step.txn());
        String key = step.key();
        switch (step.action()) {
            case "Begin" -> begin(client);
            case "Write" -> {
                client.write(key, step.content().equals("tombstone"));
                put(client, key);
                loseOthers(client);
            }
            case "DelayPut" -> {
                client.write(key, step.content().equals("tombstone"));
                latePuts.put(key + " " + step.txn(), hold(client, Kind.PUT, key));
            }
            case "RetryPut" -> retryPut(client, key);
            case "LatePut" -> latePut(key + " " + step.txn());
            case "EndReadOnly" -> {
                client.commit();
                carryOut(client, Kind.END);
            }
            case "ReadOwnWrite" -> client.read(key);
            case "GetRecord" -> {
                if (client.call() == null) {
                    client.read(key);
                }
                carryOut(client, Kind.GET, key);
            }
            case "GetCommitEntry" -> getCommitEntry(client, step.to());
            case "HealCommitCell" -> carryOut(client, Kind.PUT_COMMIT_CELLS, client.reading);
            case "InvalidatePending" -> carryOut(client, Kind.CHECK_AND_MUTATE);
            case "ReReadRecord" -> carryOut(client, Kind.REREAD, client.reading);
            case "RemoveFalseInvalidation", "RemoveCommitEntry" -> carryOut(client, Kind.REMOVE_ENTRY);
            case "RequestCommit" -> requestCommit(client);
            case "LoseCommitAnswer" -> lose(client, Kind.COMMIT_ANSWER);
            case "WriteCommitEntry" -> {
                deliverCommitAnswer(client);
                carryOut(client, Kind.CHECK_AND_MUTATE);
            }
            case "LoseEntryAnswer" -> {
                deliverCommitAnswer(client);
                lateEntries.put(step.txn(), hold(client, Kind.CHECK_AND_MUTATE, Call.NO_KEY));
                client.entryUnanswered = true;
            }
            case "LateCommitEntry" -> lateEntries.remove(step.txn()).get();
            case "PostCommit" -> carryOut(client, Kind.PUT_COMMIT_CELLS, key);
            case "Rollback" -> rollback(client);
            case "CleanUp" -> cleanUp(client, key);
            case "Crash" -> client.die();
            case "Evict" -> servers.commitElsewhere(key);
            case "LoseLeader" -> servers.store.unput(client.tx.firstWritten(), client.version());
            case "RaiseWatermark" -> raiseWatermark(Values.number(step.to().get("watermark")));
            case "HealLeftover" -> {
                settle(collector, collecting, client, key);
                carryOut(collector, Kind.PUT_COMMIT_CELLS, key);
            }
            case "InspectLeftover" -> {
                settle(inspector, inspecting, client, key);
                require(inspector, Kind.REREAD);
            }
            case "CleanLeftover" -> cleanLeftover(inspector, key);
            case "CollectEntry" -> {
                collectFirst(client.tx.startTs());
                collectEntry(client);
                requireVersion(Kind.REMOVE_ENTRY, client.tx.startTs());
                collector.carryOut(Call.NO_KEY);
                endPass();
            }
            case "CollectVersion", "CollectTombstone" -> collectVersion(key, client.tx.startTs());
            default -> throw new Refused("the code has no action " + step.action());
        }
    }

    // ---- clients

    private void begin(Client client) {
        begin(client, client::begin);
    }

    final void begin(Client client, Runnable beginning) {
        if (lastBegun != null) {
            notePassing(lastBegun);
            waitUntil(lastBegun.begunNanos + BETWEEN_BEGINS);
        }
        client.precedes = answeredCommits();
        beginning.run();
        carryOut(client, Kind.BEGIN);
        client.begunNanos = scheduler.nanos();
        lastBegun = client;
    }

    private void waitUntil(long nanos) {
        scheduler.pause(Math.max(1, nanos - scheduler.nanos()));
    }

    /** The manager is asked about something else as soon as may be, and so begins a new slice of time. */
    private void notePassing(Client client) {
        if (client.passedNanos == 0) {
            waitUntil(client.begunNanos + Servers.SLICE);
            servers.manager.collectableBelow(scheduler.nanos());
            client.passedNanos = scheduler.nanos();
        }
    }

    protected static void put(Client client, String key) {
        carryOut(client, Kind.PUT, key);
        client.answered.add(key);
    }

    /** A write is sent together with those that were not answered before. */
    private static void loseOthers(Client client) {
        if (client.isAt(Kind.PUT)) {
            client.lose();
        }
    }

    private void retryPut(Client client, String key) {
        client.writeAgain();
        require(client, Kind.PUT);
        for (String again : List.copyOf(client.call().keys())) {
            if (client.answered.contains(again)) {
                if (!observed.isStored(client, again)) {
                    throw new Refused(client + " stores " + again + " again");
                }
                client.carryOut(again);
            }
        }
        put(client, key);
        loseOthers(client);
    }

    /** A copy of what the client is about to put is under way, too. */
    protected final void sendTwice(Client client, String key) {
        requireRow(client, Kind.PUT, key);
        latePuts.put(key + " " + client.name(), client.call().copy(key));
    }

    private void latePut(String put) {
        try {
            latePuts.remove(put).get();
        } catch (PutRefusedException e) {
            // nobody hears of it
        }
    }

    private static void getCommitEntry(Client client, State to) {
        carryOut(client, Kind.GET_ENTRY);
        String next = Values.text(Values.field(Values.at(to.get("cursor"), client.name()), "step"));
        if (client.isAt(Kind.PUT_COMMIT_CELLS) && !next.equals("heal")) {
            client.lose();
        }
    }

    private static void requestCommit(Client client) {
        client.commit();
        carryOut(client, Kind.COMMIT);
        if (client.isAt(Kind.COMMIT_ANSWER)) {
            client.commitTs = client.call().version;
        }
    }

    protected static void deliverCommitAnswer(Client client) {
        if (client.isAt(Kind.COMMIT_ANSWER)) {
            carryOut(client, Kind.COMMIT_ANSWER);
        }
    }

    /** A read that is under way fails. */
    private static void rollback(Client client) {
        int reads = client.reads.size();
        while (client.call() != null) {
            client.lose();
        }
        if (client.reads.size() > reads) {
            throw new Refused(client + " was given the value first");
        }
        client.rollback();
        carryOut(client, Kind.END);
    }

    private void cleanUp(Client client, String key) {
        if (client.leftToCollector.remove(key)) {
            settle(collector, collecting, client, key);
            cleanLeftover(collector, key);
        } else {
            carryOut(client, Kind.REMOVE, key);
        }
    }

    // ---- the collector

    private void raiseWatermark(long number) {
        if (lastBegun != null) {
            notePassing(lastBegun); // before the wait for others, since it counts from here
        }
        for (Client client : clients.values()) {
            boolean holds = client.tx != null && client.tx.status() == TransactionStatus.ACTIVE;
            if (holds && Values.number(servers.inSpec(client.tx.startTs())) < number) {
                notePassing(client);
                waitUntil(client.passedNanos + Servers.LIFETIME);
            }
        }
        told.add(servers.manager.collectableBelow(scheduler.nanos()));
        long watermark = told.stream().filter(ts -> servers.firstFrom(ts) == number).findFirst()
                .orElseThrow(() -> new Refused("the manager has told no such watermark"));
        raise(watermark);
    }

    protected void raise(long watermark) {
        collector.order(() -> collecting.raiseWatermark(watermark));
        carryOut(collector, Kind.RAISE_WATERMARK);
    }

    /** Up to the second look at the record, or to the put of its commit cell; where commit entries are with leaders, one without is marked. */
    private static void settle(Puppet puppet, Collector<String, Long> collector, Client writer, String key) {
        puppet.order(() -> collector.settleLeftover(key, new Record<>(writer.tx.startTs(), null, Timestamps.NIL, writer.tx.firstWritten())));
        carryOut(puppet, Kind.GET_ENTRY);
        if (puppet.isAt(Kind.CHECK_AND_MUTATE)) {
            puppet.carryOut(Call.NO_KEY);
        }
    }

    private static void cleanLeftover(Puppet collector, String key) {
        carryOut(collector, Kind.REREAD, key);
        if (collector.isAt(Kind.REMOVE)) {
            carryOut(collector, Kind.REMOVE, key);
        }
    }

    /** Of the entries that the collector may take in any order. */
    protected final void collectFirst(long startTs) {
        collectorPort.firstEntry = startTs;
    }

    /** A pass over the keys with leftovers, as a janitor makes it; if there are any, they come first. */
    protected void collectEntry(Client writer) {
        pass(leftovers());
        if (collector.isAt(Kind.ENTRIES_BELOW)) {
            collector.carryOut(Call.NO_KEY);
        }
    }

    /** The keys with a record below the watermark that has no commit cell. */
    protected final List<String> leftovers() {
        return keys.stream().filter(key -> servers.store.page(key, servers.table.watermark() - 1, Integer.MAX_VALUE).stream()
                .anyMatch(record -> !record.hasCommitCell())).toList();
    }

    /** Over what a pass goes that is to collect a version of this key. */
    protected List<String> toCollect(String key) {
        return List.of(key);
    }

    private void collectVersion(String key, long version) {
        pass(toCollect(key));
        requireVersion(Kind.REMOVE, version);
        collector.carryOut(key);
        endPass();
    }

    private void requireVersion(Kind kind, long version) {
        if (!collector.isAt(kind) || collector.call().version != version) {
            throw new Refused(collector + " should wait with " + kind + " " + version);
        }
    }

    /** Begins a pass, up to where it would change something or come to the entries. */
    protected final void pass(List<String> over) {
        long watermark = servers.table.watermark();
        collector.order(() -> collecting.collect(over, watermark));
        if (!servers.hasLeaders()) {
            carryOut(collector, Kind.RAISE_WATERMARK); // to where it is
        }
        while (collector.isAt(Kind.GET)) {
            collector.carryOut(collector.call().key());
        }
    }

    private void endPass() {
        if (collector.call() != null) {
            collector.die();
            collector.revive();
        }
    }
}
