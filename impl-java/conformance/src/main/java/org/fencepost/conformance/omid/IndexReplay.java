package org.fencepost.conformance.omid;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.omid.IndexBuild;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Scheduler;

/**
 * A secondary index, whose specification takes from Omid LL's what is the same, and so does this. What it adds:
 * <ul>
 * <li>Whoever creates the index puts the fence; a part of the build is a transaction's client with a build of its own, which is told of that fence.
 * <li>A row goes in one request with its index records: Write and WriteIndex are its rows, one after the other. Until an index record
 *     is stored, it is no write of the specification.
 * <li>Which rows have the trigger, which part is under way, and what parts tell each other, the director knows alone.
 * </ul>
 */
public final class IndexReplay extends OmidReplay {

    /** A bucket of the conflict table that no key is in. */
    private static final long TABLE = Servers.hashInBucket(7, 1);

    private static final class IndexServers extends Servers {

        private final Set<String> rows;

        IndexServers(Scheduler scheduler, List<String> keys, Versions versions, Set<String> rows) {
            super(scheduler, keys, versions);
            this.rows = rows;
        }

        @Override
        long[] tables(Collection<String> written) {
            return written.stream().anyMatch(rows::contains) ? new long[] {TABLE} : super.tables(written);
        }
    }

    private final Set<String> rows;
    /** Whose values have the same index records as the first ones. */
    private final Set<String> again;
    private final String first;
    private final Puppet creator;
    private final Map<String, IndexBuild<String, Long>> builds = new HashMap<>();
    private final Set<String> triggers = new HashSet<>();
    private final Map<TlaValue, Supplier<?>> lateIndexPuts = new LinkedHashMap<>();
    private long fencedAt = Timestamps.NIL;
    private long readyFrom = Timestamps.NIL;

    /** @param constants of the model */
    public IndexReplay(Map<String, String> constants, State initial, Carriers carriers) {
        super(initial, carriers, Values.domain(initial.get("status")),
                (scheduler, keys, versions) -> new IndexServers(scheduler, keys, versions, names(constants, "Row")), Versions.DENSE);
        this.rows = names(constants, "Row");
        this.again = names(constants, "Again");
        this.first = constants.get("First");
        this.creator = new Puppet("creator", scheduler);
        builds.put(creator.name(), newBuild(clients.get(first), new Port(creator, servers, scheduler::nanos)));
        clients.forEach((name, client) -> builds.put(name, newBuild(client, client.port)));
    }

    private static Set<String> names(Map<String, String> constants, String set) {
        String items = constants.get(set).replaceAll("[{} ]", "");
        return items.isEmpty() ? Set.of() : Set.of(items.split(","));
    }

    private IndexBuild<String, Long> newBuild(Client client, Port port) {
        return new IndexBuild<>(client.ll, port.store, port.manager, kept(client), TABLE, Tracer.OFF);
    }

    private SecondaryIndex<String, Long> kept(Client client) {
        return new SecondaryIndex<>(client.ll, this::entry, Tracer.OFF);
    }

    private SecondaryIndex.Entry<String, Long> entry(String row, long value) {
        long version = (value - row.hashCode()) / 31; // see Client.value
        String key = again.contains(writer(version)) ? "e0" : "e1";
        key = rows.size() == 1 ? key : "<" + key + ", " + row + ">";
        return new SecondaryIndex.Entry<>(key, Client.value(key, version));
    }

    @Override
    public Collection<Puppet> puppets() {
        List<Puppet> all = new ArrayList<>(super.puppets());
        all.add(creator);
        return all;
    }

    /** The first rows are there. */
    @Override
    public void begin() {
        takeFirst("Begin", null);
        rows.forEach(row -> takeFirst("Write", row));
        takeFirst("RequestCommit", null);
        takeFirst("WriteCommitEntry", null);
        rows.forEach(row -> takeFirst("PostCommit", row));
        takeFirst("RemoveCommitEntry", null);
    }

    private void takeFirst(String action, String row) {
        super.take(new Step(action, null, first, row, "value", null, null));
    }

    // ---- what a step is

    /** What the index adds is told by its label, the rest as for Omid LL. */
    public static Step step(State from, State to, String label) {
        String txn = null;
        String key = null;
        switch (label) {
            case "InstallTrigger" -> key = Values.text(Values.gained(from.get("triggers"), to.get("triggers")));
            case "BuildBegin", "EndPart", "Ready" -> txn = Step.firstChange(from, to, "status");
            case "WriteIndex" -> {
                txn = Step.firstChange(from, to, "writes");
                key = Values.text(Values.gained(Values.at(from.get("writes"), txn), Values.at(to.get("writes"), txn)));
            }
            case "Populate" -> {
                txn = Step.firstChange(from, to, "populated");
                key = Values.text(Values.gained(Values.at(from.get("populated"), txn), Values.at(to.get("populated"), txn)));
            }
            case "DelayPopulate", "LatePopulate", "Fence", "GiveUpPart" -> {
                // see take
            }
            default -> {
                return Step.of(from, to);
            }
        }
        return new Step(label, null, txn, key, null, from, to);
    }

    @Override
    public void take(Step step) {
        Client client = clients.get(step.txn());
        String key = step.key();
        switch (step.action()) {
            case "InstallTrigger" -> triggers.add(key);
            case "Fence" -> {
                creator.order(() -> fencedAt = builds.get(creator.name()).fence());
                carryOut(creator, Kind.FENCE);
                clients.values().forEach(each -> each.port.fencedAt = fencedAt);
            }
            case "BuildBegin" -> begin(client, () -> client.order(() -> {
                build(client).fence();
                client.tx = build(client).buildBegin();
            }));
            case "Write" -> {
                if (triggers.contains(key)) {
                    client.keepsIndex = true;
                    client.order(() -> {
                        Write<Long> write = step.content().equals("tombstone") ? Write.tombstone() : Write.of(Client.value(key, client.version()));
                        kept(client).writeIndex(client.tx, key, value(found(client, key)), write);
                        client.send();
                    });
                    put(client, key);
                } else {
                    super.take(step);
                }
            }
            case "WriteIndex" -> put(client, key);
            case "GetRecord" -> {
                if (client.call() == null && !rows.contains(key) && !SecondaryIndex.mayUse(readyFrom, client.version())) {
                    throw new Refused("the index is not ready for " + client);
                }
                super.take(step);
            }
            case "Populate" -> {
                Record<Long> found = found(client, key);
                populate(client, key, found);
                if (value(found) != null) {
                    carryOut(client, Kind.PUT, entry(key, found.value()).key());
                }
            }
            case "DelayPopulate" -> delayPopulate(step);
            case "LatePopulate" -> lateIndexPuts.remove(Values.gained(step.to().get("lateIndexPuts"), step.from().get("lateIndexPuts"))).get();
            case "EndPart" -> {
                client.order(() -> build(client).endPart(client.tx));
                carryOut(client, Kind.END);
            }
            case "Ready" -> {
                client.order(() -> readyFrom = build(client).ready(client.tx));
                carryOut(client, Kind.END);
            }
            case "GiveUpPart" -> {
                // it goes on, and hears nothing of it
            }
            default -> super.take(step);
        }
    }

    private IndexBuild<String, Long> build(Client client) {
        return builds.get(client.name());
    }

    private static Record<Long> found(Client client, String row) {
        return client.reads.stream().filter(read -> read.key().equals(row) && !read.own()).findFirst()
                .orElseThrow(() -> new Refused(client + " has not read " + row)).record();
    }

    /** Null where there is none. */
    private static Long value(Record<Long> record) {
        return record == null ? null : record.value();
    }

    private void populate(Client part, String row, Record<Long> found) {
        part.order(() -> {
            try {
                build(part).populate(part.tx, Collections.singletonMap(row, found));
            } catch (StoreException | TransactionAbortedException e) {
                // it may do it again, if its time lasts
            }
        });
    }

    /** Whose put it is, the specification does not tell if several parts may send it, and it makes no difference. */
    private void delayPopulate(Step step) {
        TlaValue gained = Values.gained(step.from().get("lateIndexPuts"), step.to().get("lateIndexPuts"));
        for (String name : Values.domain(step.from().get("populated"))) {
            Client part = clients.get(name);
            for (String row : rows) {
                boolean left = !Values.has(Values.at(step.from().get("populated"), name), Values.name(row));
                Record<Long> found = part.reads.stream().filter(read -> read.key().equals(row)).findFirst().map(Client.Read::record).orElse(null);
                if (!left || value(found) == null || part.call() != null || part.isDead()) {
                    continue;
                }
                String key = entry(row, found.value()).key();
                TlaValue put = Values.pair(key, writer(found.version()));
                if (gained == null || gained.equals(put)) {
                    populate(part, row, found);
                    if (part.isAt(Kind.PUT)) {
                        lateIndexPuts.put(put, hold(part, Kind.PUT, key));
                        return;
                    }
                }
            }
        }
        throw new Refused("no part can send such a put");
    }

    // ---- the code's state

    @Override
    public TlaValue value(String variable) {
        return switch (variable) {
            case "triggers", "triggered", "building", "populated", "drawn" -> null;
            case "fence" -> servers.inSpec(servers.manager.lastCommit(TABLE));
            case "fencedAt" -> servers.inSpec(fencedAt);
            case "readyFrom" -> servers.inSpec(readyFrom);
            case "lateIndexPuts" -> Values.set(lateIndexPuts.keySet().stream());
            case "writes", "deletes", "unanswered", "todo" -> Values.function(clients.keySet(), name -> written(clients.get(name), Values.at(super.value(variable), name)));
            default -> super.value(variable);
        };
    }

    private TlaValue written(Client client, TlaValue keys) {
        return Values.set(Values.items(keys).stream().filter(key -> rows.contains(Values.text(key)) || client.answered.contains(Values.text(key))));
    }
}
