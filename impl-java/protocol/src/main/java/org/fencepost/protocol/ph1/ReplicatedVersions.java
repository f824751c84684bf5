package org.fencepost.protocol.ph1;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fencepost.protocol.ph1.Group.View;
import org.fencepost.protocol.store.StoreException;

/**
 * The version store over a group (pH1 section 4-C): versions are saved when all members of one view hold them; each instance reads its own copy.
 *
 * <p>Only a view of most instances saves, reads and evicts. What a minority saved the others would miss; that it neither reads nor evicts
 * spares it errors, since a version is true wherever it is (specs/PH1.tla).
 *
 * @param <K> keys, with equals and hashCode
 * @param <V> values, with equals and hashCode
 */
public final class ReplicatedVersions<K, V> implements VersionStore<K, V> {

    private final Group<K, V> group;
    private final VersionTable<K, V> copy;

    /** @param copy the instance's own, which the group writes to as well */
    public ReplicatedVersions(Group<K, V> group, VersionTable<K, V> copy) {
        this.group = group;
        this.copy = copy;
    }

    @Override
    public void save(Map<K, KeyVersion<V>> versions) {
        View view = majority();
        Set<String> answered = new HashSet<>();
        while (!savedEverywhere(view, answered)) {
            Set<String> missing = new TreeSet<>(view.members());
            missing.removeAll(answered);
            String member = missing.iterator().next();
            group.send(member, versions);
            answered.add(member);
            View next = majority();
            if (next.number() != view.number()) { // who joined may have the state of one that the versions had not reached
                answered.clear();
            }
            view = next;
        }
    }

    private static boolean savedEverywhere(View view, Set<String> answered) {
        return answered.containsAll(view.members());
    }

    @Override
    public KeyVersion<V> read(K key, long readTs) {
        majority();
        return copy.read(key, readTs);
    }

    @Override
    public void tellFloor(long floor) {
        group.tellFloor(floor);
    }

    @Override
    public long oldestSnapshot() {
        return group.view().members().stream().mapToLong(member -> group.floors().getOrDefault(member, 0L)).min().orElse(0);
    }

    @Override
    public boolean hasAllInstances() {
        return group.view().members().size() == group.instances();
    }

    @Override
    public void evict(long below) {
        majority();
        group.evict(below);
    }

    /** The present view, if most instances are in it. */
    private View majority() {
        View view = group.view();
        if (!isMajority(view)) {
            throw new StoreException("This instance is in a view of " + view.members().size() + " of " + group.instances()
                    + ": it goes on when it reaches most of them.");
        }
        return view;
    }

    private boolean isMajority(View view) {
        return 2 * view.members().size() > group.instances();
    }
}
