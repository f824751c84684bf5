package org.fencepost.conformance.fastpath;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.omid.OmidReplay;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Values;
import org.fencepost.protocol.Versions;
import org.fencepost.simulation.world.Carriers;

/** Regular transactions beside those of the fast path, on region servers with clocks. */
abstract class MixedReplay extends OmidReplay {

    final FastServers servers;
    final Map<String, FastPuppet> fast = new LinkedHashMap<>();

    /** @param fastOnes the names of those of the fast path; all others are regular */
    MixedReplay(State initial, Carriers carriers, List<String> fastOnes, Versions versions) {
        this(initial, carriers, fastOnes, FastServers::new, versions);
    }

    /** @param factory of {@link FastServers} */
    MixedReplay(State initial, Carriers carriers, List<String> fastOnes, ServersFactory factory, Versions versions) {
        super(initial, carriers, Values.domain(initial.get("status")).stream().filter(txn -> !fastOnes.contains(txn)).toList(), factory, versions);
        this.servers = (FastServers) super.servers;
        fastOnes.forEach(txn -> fast.put(txn, new FastPuppet(txn, scheduler, servers)));
    }

    @Override
    public Collection<Puppet> puppets() {
        Collection<Puppet> all = super.puppets();
        all.addAll(fast.values());
        return all;
    }

    @Override
    protected final String writer(long version, String regular) {
        return fast.values().stream().filter(f -> f.version == version).map(Puppet::name).findFirst().orElse(regular);
    }

    final Collection<String> names() {
        Set<String> all = new LinkedHashSet<>(clients.keySet());
        all.addAll(fast.keySet());
        return all;
    }

    /** A function on the regular transactions, with the others. */
    final TlaValue with(TlaValue regular, Function<FastPuppet, TlaValue> value) {
        return Values.function(names(), name -> clients.containsKey(name) ? Values.at(regular, name) : value.apply(fast.get(name)));
    }
}
