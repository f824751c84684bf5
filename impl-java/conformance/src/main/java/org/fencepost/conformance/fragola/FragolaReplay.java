package org.fencepost.conformance.fragola;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.omid.Client;
import org.fencepost.conformance.omid.OmidReplay;
import org.fencepost.conformance.omid.Servers;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.Scheduler;

/**
 * Fragola, whose specification takes from Omid LL's what is the same, and so does this. A state is read as Omid LL has it, too: the commit
 * cells of leaders are both its commit table and commit cells. Where that differs:
 * <ul>
 * <li>InspectLeftover is a look at the leader and, if it has neither timestamp nor marker, the attempt to mark it.
 * <li>CollectEntry is the end of a pass, if nothing is left over.
 * <li>A version is collected in a pass over its key and all leftovers, since it may be their leader.
 * <li>Nothing in the store knows the watermark: the collector is told.
 * </ul>
 */
public final class FragolaReplay extends OmidReplay {

    private static final class FragolaServers extends Servers {
        FragolaServers(Scheduler scheduler, List<String> keys, Versions versions) {
            super(scheduler, keys, versions);
        }

        @Override
        public boolean hasLeaders() {
            return true;
        }
    }

    public FragolaReplay(State initial, Carriers carriers) {
        super(initial, carriers, Values.domain(initial.get("status")), FragolaServers::new, Versions.DENSE);
    }

    public static Step step(State from, State to) {
        return Step.of(asInOmidLL(from), asInOmidLL(to));
    }

    /** With {@code commitTable} and {@code commitCell}, as the specification's instance of OmidLL has them. */
    private static State asInOmidLL(State state) {
        Map<String, TlaValue> variables = new LinkedHashMap<>(state.variables());
        TlaValue leader = state.get("leader");
        TlaValue leaderCell = state.get("leaderCell");
        variables.put("commitTable", leaderCell);
        variables.put("commitCell", Values.function(Values.domain(state.get("stored")), key -> Values.function(Values.domain(leader),
                txn -> Values.text(Values.at(leader, txn)).equals(key) ? Values.number(Math.max(0, Values.number(Values.at(leaderCell, txn))))
                        : Values.at(Values.at(state.get("followerCell"), key), txn))));
        return new State(variables);
    }

    /** The commit table is not used; it keeps the watermark here, for those who look. */
    @Override
    protected void raise(long watermark) {
        collector.order(() -> collecting.raiseWatermark(watermark));
        servers.table.raiseWatermark(0, watermark);
    }

    @Override
    protected void collectEntry(Client writer) {
        if (!leftovers().isEmpty()) {
            super.collectEntry(writer);
            return;
        }
        long watermark = servers.table.watermark();
        collector.order(() -> collecting.collectEntries(List.of(leader(writer)), watermark));
        carryOut(collector, Kind.ENTRIES_BELOW, Call.NO_KEY);
    }

    @Override
    protected List<String> toCollect(String key) {
        List<String> all = new ArrayList<>(List.of(key));
        leftovers().stream().filter(other -> !other.equals(key)).forEach(all::add);
        return all;
    }

    // ---- the code's state

    private static String leader(Client client) {
        return client.tx == null || client.tx.writeSet().isEmpty() ? "NoKey" : client.tx.firstWritten();
    }

    private TlaValue ofTxn(Function<Client, TlaValue> value) {
        return Values.function(clients.keySet(), txn -> value.apply(clients.get(txn)));
    }

    private TlaValue leaderCell(Client client) {
        return servers.inSpec(servers.store.entry(leader(client), client.version()));
    }

    @Override
    public TlaValue value(String variable) {
        return switch (variable) {
            case "leader" -> ofTxn(client -> Values.name(leader(client)));
            case "leaderCell", "commitTable" -> ofTxn(this::leaderCell);
            case "followerCell" -> Values.function(keys, key -> ofTxn(client -> key.equals(leader(client)) ? Values.number(0)
                    : servers.inSpec(servers.store.entry(key, client.version()))));
            case "committed" -> Values.names(clients.values().stream()
                    .filter(client -> servers.store.leaders().committed(client.version()) != Timestamps.NIL).map(Client::name));
            default -> super.value(variable);
        };
    }
}
