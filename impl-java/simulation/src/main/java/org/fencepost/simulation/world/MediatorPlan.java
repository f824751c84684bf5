package org.fencepost.simulation.world;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.simulation.world.Network.Target;

/** What a seed means for a run of Mediator: the part of its {@link Plan} that other runs do not have. */
public final class MediatorPlan {

    private static final List<Fault> FAULTS = List.of(Fault.DEATH, Fault.STALL, Fault.LOST_REQUEST, Fault.LOST_ANSWER, Fault.LATE_WRITE,
            Fault.DOUBLED_WRITE, Fault.LATE_REQUEST, Fault.LATE_RECORD, Fault.LATE_PUT, Fault.ORACLE_CRASH, Fault.RING_EVICTION,
            Fault.REGION_MOVE, Fault.SERVER_CRASH, Fault.SERVER_ALONE, Fault.ABANDON);
    private static final List<Target> TARGETS = List.of(Target.STORE_READ, Target.STORE, Target.MANAGER, Target.LOG, Target.NATIVE);
    /** Per million occasions. */
    private static final int[] RATES = {5_000, 30_000, 100_000};
    private static final int HELD_BACK_RATE = 150_000;
    /** These have few occasions. */
    private static final Set<Fault> SELDOM_TRIED = Set.of(Fault.SERVER_ALONE, Fault.ABANDON);

    private static final List<String> KEYS = List.of("a", "b", "c");
    private static final long MILLISECOND = 1_000_000;
    private static final int SLOW_COMMIT_RATE = 150_000;

    public final boolean serializable;
    final List<String> keys;
    /** The distance of two timestamps of the oracle. */
    final long delta;
    /** How many of a hundred operations of clients are native. */
    public final int nativePercent;
    public final Mediator.Settings settings;
    public final int ringEntries;
    /** Whether filters hold keys that are not there. */
    public final boolean collisions;
    final int servers;
    final int regions;
    /** Whether a region that is moved, or whose server has died, is opened on the same server again: the specification's Host is a constant. */
    public final boolean regionsStay;
    /** At most so long until the helper's next pass. */
    public final long helperPauseNanos;

    /**
     * Draws the faults, too.
     *
     * @param traced each key is in a region that stays on its server, the same in all runs, and deltas are few, because the model checker
     *               is started for each difference
     */
    MediatorPlan(SplittableRandom random, Map<Fault, Integer> rates, Map<Fault, Target> focuses, boolean traced) {
        rates.clear();
        focuses.clear();
        boolean few = random.nextInt(3) > 0;
        Set<Integer> chosen = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            chosen.add(random.nextInt(FAULTS.size()));
        }
        int percent = random.nextInt(100);
        for (Fault fault : FAULTS) {
            int rate = RATES[few ? RATES.length - 1 : random.nextInt(RATES.length)];
            Target focus = random.nextBoolean() ? null : TARGETS.get(random.nextInt(TARGETS.size()));
            boolean drawn = random.nextInt(100) < percent;
            if (few ? chosen.contains(FAULTS.indexOf(fault)) : drawn) {
                rates.put(fault, SELDOM_TRIED.contains(fault) ? 5 * rate : rate);
                focuses.put(fault, focus);
            }
        }
        if (random.nextInt(4) > 0) {
            rates.put(Fault.HELD_BACK, HELD_BACK_RATE);
        }
        boolean slowCommits = random.nextInt(4) == 0;
        if (slowCommits) { // some are checked and wait before the log, nobody settles them, and others come and go
            rates.clear();
            rates.put(Fault.STALL, SLOW_COMMIT_RATE);
            focuses.put(Fault.STALL, Target.LOG);
        }
        serializable = random.nextBoolean();
        keys = KEYS.subList(0, slowCommits ? KEYS.size() : (int) Plan.oneOf(random, 1, 1, 2, 2, 3));
        long drawnDelta = Plan.oneOf(random, 4, 4, 16, 1024);
        delta = traced ? Math.min(16, drawnDelta) : drawnDelta;
        nativePercent = (int) Plan.oneOf(random, slowCommits ? 60 : 0, 30, 60, 60, 85);
        settings = new Mediator.Settings(serializable, 1 + random.nextInt(3), MILLISECOND / 2, 1 + random.nextInt(3));
        ringEntries = (int) Plan.oneOf(random, 2, 4, 64, 64);
        collisions = random.nextInt(8) == 0;
        int drawnServers = 1 + random.nextInt(3);
        servers = traced ? 2 : drawnServers;
        int drawnRegions = 1 + random.nextInt(keys.size());
        regions = traced ? KEYS.size() : drawnRegions;
        regionsStay = traced;
        helperPauseNanos = (slowCommits ? 400 : Plan.oneOf(random, 2, 10, 40)) * MILLISECOND;
    }

    /** By which transactions are compared. */
    public long hash(String key) {
        return collisions ? 0 : key.hashCode();
    }

    public int region(String key) {
        return key.charAt(0) % regions;
    }

    /** The server of each key that there may be, counted from 1, if {@link #regionsStay}. */
    Map<String, Integer> hosts() {
        return KEYS.stream().collect(Collectors.toMap(key -> key, key -> 1 + host(region(key))));
    }

    /** Of a region, counted from 0. */
    public int host(int region) {
        return region % servers;
    }
}
