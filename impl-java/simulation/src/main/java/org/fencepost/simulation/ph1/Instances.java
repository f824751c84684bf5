package org.fencepost.simulation.ph1;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fencepost.protocol.ph1.Group.View;
import org.fencepost.protocol.ph1.KeyVersion;
import org.fencepost.protocol.ph1.VersionTable;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.world.EventLog;

/** The instances of the middleware, their copies of the version store, and who is in a view with whom. */
final class Instances {

    private final EventLog log;
    private final Map<String, VersionTable<String, Long>> copies = new TreeMap<>();
    /** Of those that are up. */
    private final Map<String, View> views = new TreeMap<>();
    private final Map<String, Long> floors = new HashMap<>();
    private final Map<String, Long> leftMajority = new HashMap<>();
    private long viewNumber;
    private final Map<String, Integer> deaths = new HashMap<>();
    private boolean majorityWasLost;

    Instances(EventLog log, List<String> names) {
        this.log = log;
        names.forEach(name -> copies.put(name, new VersionTable<>()));
        install(new TreeSet<>(names));
    }

    /** Of an instance with such a name, as traces have it. */
    static int number(String name) {
        return Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1));
    }

    int count() {
        return copies.size();
    }

    VersionTable<String, Long> copy(String name) {
        return copies.get(name);
    }

    View view(String name) {
        return views.getOrDefault(name, new View(0, Set.of()));
    }

    boolean isUp(String name) {
        return views.containsKey(name);
    }

    boolean inMajority(String name) {
        return 2 * view(name).members().size() > count();
    }

    Map<String, Long> floors() {
        return floors;
    }

    void tellFloor(String name, long floor) {
        floors.put(name, floor);
    }

    /** A version reaches a member. */
    void deliver(String from, String to, String key, KeyVersion<Long> version) {
        if (!view(from).members().contains(to)) {
            throw new StoreException(to + " is not in the view of " + from);
        }
        copies.get(to).save(key, version);
        log.change(to, "npvs " + to, "version of " + key, "", version);
        log.served("SaveArrives", "instance", number(from), "member", number(to), "key", key, "from", version.from(), "commit", version.until());
    }

    void evict(String from, long below) {
        boolean evicted = false;
        for (String member : view(from).members()) {
            evicted |= copies.get(member).evict(below);
        }
        if (evicted) {
            log.served("Evict", "below", below, "instance", number(from));
        }
    }

    // ---- faults

    void crash(String name) {
        deaths.merge(name, 1, Integer::sum);
        Set<String> others = new TreeSet<>(view(name).members());
        others.remove(name);
        views.remove(name);
        floors.remove(name);
        copies.put(name, new VersionTable<>());
        install(others);
        log.served("Crash", "instance", number(name));
    }

    /** How often it has died. */
    int deaths(String name) {
        return deaths.getOrDefault(name, 0);
    }

    /** All but one of those that are up die, unless they can be reached from that one. */
    void crashOthers(String name) {
        for (String other : copies.keySet()) {
            if (isUp(other) && !view(name).members().contains(other)) {
                crash(other);
            }
        }
    }

    void cutOff(String name) {
        if (view(name).members().size() > 1) {
            Set<String> others = new TreeSet<>(view(name).members());
            others.remove(name);
            install(others);
            install(new TreeSet<>(Set.of(name)));
            log.served("CutOff", "instance", number(name));
        }
    }

    /** Who was cut off reaches the others again, unless it has died in the meantime. */
    void rejoin(String name) {
        if (isUp(name)) {
            join(name);
        }
    }

    /** All that are up, this one included, are in one view. */
    void join(String name) {
        boolean restarts = !isUp(name);
        if (restarts) {
            install(new TreeSet<>(Set.of(name)));
        }
        Set<String> all = new TreeSet<>(views.keySet());
        boolean joins = restarts || !view(name).members().equals(all);
        for (String from : all) {
            for (String to : all) {
                transferState(from, to);
            }
        }
        install(all);
        if (joins) {
            log.served("Join", "instance", number(name));
        }
    }

    private void transferState(String from, String to) {
        copies.get(to).merge(copies.get(from).state());
    }

    private void install(Set<String> members) {
        View view = new View(++viewNumber, members);
        members.forEach(member -> {
            views.put(member, view);
            log.change(member, "view of " + member, "view", "", members);
        });
        if (copies.keySet().stream().noneMatch(this::inMajority)) {
            majorityWasLost = true;
        }
        new ArrayList<>(copies.keySet()).stream().filter(name -> !inMajority(name)).forEach(name -> leftMajority.put(name, view.number()));
    }

    long viewNumber() {
        return viewNumber;
    }

    /** Whether versions may be lost to who began at an instance when there had been so many views. */
    boolean excuses(String name, long since) {
        return majorityWasLost || !inMajority(name) || leftMajority.getOrDefault(name, -1L) >= since;
    }
}
