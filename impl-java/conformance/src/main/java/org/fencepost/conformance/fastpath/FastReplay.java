package org.fencepost.conformance.fastpath;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.omid.OmidReplay;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Versions;
import org.fencepost.simulation.world.Carriers;

/**
 * Omid LL with a fast path. The regular transactions are those of {@link OmidReplay}; what they meet on the servers is the
 * protocol's own, and so are the fast-path transactions' writes. What is taken together or apart:
 * <ul>
 * <li>A fast-path write is held from its look, with its version drawn, until the record is stored.
 * <li>A put that is refused is removed by its client, although it was never stored: silent.
 * <li>A region that is opened, or whose versions are used up when a write comes, is to ask for the time: silent.
 * </ul>
 */
public class FastReplay extends MixedReplay {

    /** The smallest span with more than one version in between; the models that are replayed have it. */
    private static final Versions VERSIONS = new Versions(4, 1);
    private static final Set<String> ACTIONS = Set.of("Brc", "Br", "Bwc", "Wc", "StoreVersion", "LoseFastAnswer", "MoveRegion",
            "CrashServer", "BootstrapClock", "Failover", "BumpClock", "AwaitFastWrites", "RefusePut");

    /** What a put was refused for, which is no write of the transaction then. */
    private final Map<String, String> refusedPuts = new LinkedHashMap<>();
    private final List<String> serverNames;

    public FastReplay(State initial, Carriers carriers) {
        this(initial, carriers, FastServers::new);
    }

    FastReplay(State initial, Carriers carriers, ServersFactory factory) {
        super(initial, carriers, Values.domain(initial.get("fast")), factory, VERSIONS);
        this.serverNames = Values.domain(initial.get("lvc"));
        serverNames.forEach(servers::start);
        keys.forEach(key -> servers.openInTime(key, Values.text(Values.at(initial.get("host"), key))));
    }

    @Override
    public Set<String> answeredCommits() {
        Set<String> all = new HashSet<>(super.answeredCommits());
        fast.values().stream().filter(f -> f.status.equals("closed")).map(Puppet::name).forEach(all::add);
        return all;
    }

    // ---- what a step is

    /** What the fast path adds is told by its label, the rest as for Omid LL. */
    public static Step step(State from, State to, String label) {
        if (!ACTIONS.contains(label)) {
            return Step.of(from, to);
        }
        String txn = Step.firstChange(from, to, "gate", "fast", "status");
        String key = txn == null ? Step.firstChange(from, to, "host") : null;
        if (label.equals("BumpClock") || label.equals("AwaitFastWrites")) {
            key = Values.text(Values.field(Values.at(to.get("gate"), txn), "key"));
        } else if (txn != null && !label.equals("RefusePut")) {
            String of = Values.domain(from.get("fast")).contains(txn) ? txn : null;
            key = of == null ? null : Values.text(Values.field(Values.at(to.get("fast"), of), "key"));
        }
        if (key == null || key.equals("NoKey")) {
            key = Values.domain(from.get("host")).get(0);
        }
        boolean ofRegion = Set.of("MoveRegion", "CrashServer").contains(label);
        boolean deletes = txn != null && !Values.items(Values.at(to.get("deletes"), txn)).isEmpty();
        return new Step(label, ofRegion ? Values.text(Values.at(to.get("host"), key)) : null, ofRegion ? null : txn, key,
                deletes ? "tombstone" : null, from, to);
    }

    @Override
    public void take(Step step) {
        if (!ACTIONS.contains(step.action())) {
            super.take(step);
            return;
        }
        Client client = clients.get(step.txn());
        FastPuppet writer = fast.get(step.txn());
        boolean delete = "tombstone".equals(step.content());
        switch (step.action()) {
            case "BumpClock" -> {
                client.read(step.key());
                requireAt(client, Kind.BUMPED);
            }
            case "AwaitFastWrites" -> {
                carryOut(client, Kind.BUMPED);
                requireAt(client, Kind.GET);
            }
            case "RefusePut" -> refusePut(client, step.key(), delete);
            case "Brc", "Br" -> {
                writer.precedes = answeredCommits();
                writer.read(step.key(), step.action().equals("Br"));
            }
            case "Bwc" -> {
                writer.precedes = answeredCommits();
                writer.write(step.key(), delete);
            }
            case "Wc" -> writer.write(step.key(), delete);
            case "StoreVersion" -> carryOut(writer, Kind.STORE_VERSION);
            case "LoseFastAnswer" -> writer.status = "unresolved";
            case "MoveRegion" -> open(step.key(), step.process());
            case "CrashServer" -> {
                String crashed = servers.host(step.key());
                servers.start(crashed);
                keys.stream().filter(key -> servers.host(key).equals(crashed)).forEach(key -> open(key, step.process()));
            }
            case "BootstrapClock" -> servers.bootstrapClock(step.key());
            case "Failover" -> servers.failOver();
            default -> throw new IllegalStateException(step.action());
        }
    }

    private static void requireAt(Puppet puppet, Kind kind) {
        if (!puppet.isAt(kind)) {
            throw new Refused(puppet + " should wait with " + kind);
        }
    }

    void open(String key, String server) {
        servers.open(key, server);
        fast.values().stream().filter(f -> f.isAt(Kind.STORE_VERSION) && f.key.equals(key)).forEach(Puppet::lose);
    }

    private void refusePut(Client client, String key, boolean delete) {
        boolean again = client.tx.ownWrite(key) != null;
        if (again) {
            client.writeAgain();
        } else {
            client.write(key, delete);
            refusedPuts.put(client.name(), key);
        }
        carryOut(client, Kind.PUT, key);
        carryOut(client, Kind.END);
        if (!again) {
            carryOut(client, Kind.REMOVE, key);
        }
    }

    // ---- the code's state

    @Override
    public TlaValue value(String variable) {
        return switch (variable) {
            case "lvc" -> Values.function(serverNames, server -> servers.inSpec(servers.lvc(server)));
            case "host" -> Values.function(keys, key -> Values.name(servers.host(key)));
            case "bootstrapped" -> Values.names(keys.stream().filter(key -> servers.region(key).knowsTheTime()));
            case "gate" -> Values.function(names(), name -> gate(clients.get(name)));
            case "fast" -> Values.function(fast.keySet(), name -> fast(fast.get(name)));
            case "status" -> with(variable, f -> Values.string(f.status));
            case "readTs", "commitTs" -> with(variable, f -> servers.inSpec(f.version));
            case "writes" -> withoutRefused(with(variable, f -> Values.names(Stream.of(f.key).filter(key -> f.hasVersion()))));
            case "deletes" -> withoutRefused(with(variable, f -> Values.names(Stream.of(f.key).filter(key -> f.hasVersion() && f.deletes))));
            case "unanswered" -> withoutRefused(with(variable, f -> Values.names(Stream.empty())));
            case "todo" -> with(variable, f -> Values.names(Stream.empty()));
            case "cursor" -> with(variable, f -> Values.record("key", Values.name("NoKey"), "step", Values.string("none"), "met",
                    Values.name("NoTxn")));
            case "commitTable" -> with(variable, f -> Values.number(0));
            case "reads" -> with(variable, f -> Values.set(f.hasRead ? Stream.of(read(f)) : Stream.empty()));
            case "precedes" -> with(variable, f -> Values.names(f.precedes.stream()));
            case "committed" -> Values.set(Stream.concat(Values.items(super.value(variable)).stream(),
                    fast.values().stream().filter(f -> f.stored).map(f -> Values.name(f.name()))));
            case "stored" -> Values.function(keys, key -> Values.set(Stream.concat(
                    Values.items(Values.at(super.value(variable), key)).stream(),
                    fast.values().stream().filter(f -> f.hasVersion() && servers.store.record(key, f.version) != null)
                            .map(f -> Values.name(f.name())))));
            case "commitCell" -> Values.function(keys, key -> with(Values.at(super.value(variable), key),
                    f -> servers.inSpec(f.hasVersion() ? servers.store.commitCell(key, f.version) : 0)));
            case "lowWatermark" -> servers.tookOverFrom() == 0 ? super.value(variable) : servers.inSpec(servers.tookOverFrom());
            default -> super.value(variable);
        };
    }

    /** A function on the regular transactions, with the others. */
    private TlaValue with(String variable, Function<FastPuppet, TlaValue> value) {
        return with(super.value(variable), value);
    }

    private TlaValue withoutRefused(TlaValue keysOfTxn) {
        return Values.function(names(), name -> Values.set(Values.items(Values.at(keysOfTxn, name)).stream()
                .filter(key -> !Values.text(key).equals(refusedPuts.get(name)))));
    }

    private static TlaValue gate(Client client) {
        boolean reads = client != null && client.call() != null && client.reading != null && !client.hasLooked();
        String step = !reads ? "none" : client.isAt(Kind.BUMPED) ? "bumped" : client.isAt(Kind.GET) ? "admitted" : "" + client.call();
        return Values.record("step", Values.string(step), "key", Values.name(reads ? client.reading : "NoKey"));
    }

    private TlaValue fast(FastPuppet f) {
        return Values.record("step", Values.string(f.step()), "key", Values.name(f.key), "last", servers.inSpec(f.last()));
    }

    private TlaValue read(FastPuppet f) {
        String from = f.read == null || f.read.isTombstone() ? "NoTxn" : writer(f.read.version());
        return Values.record("key", Values.name(f.key), "from", Values.name(from), "own", Values.name("FALSE"));
    }
}
