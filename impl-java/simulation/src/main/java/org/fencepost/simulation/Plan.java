package org.fencepost.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.fencepost.protocol.OmidLL;
import org.fencepost.simulation.Network.Target;

/**
 * What a seed means: the size of the run, which faults it suffers and how often, and how everything is set. Each seed
 * draws all of that (swarm testing: a run with few faults, or with one setting at its extreme, gets deeper than one
 * with a little of everything).
 *
 * <p>Some seeds have a theme: the few faults that a known hazard needs, often, on one key. Such hazards need several rare
 * things in a row, which the others hardly bring about.
 *
 * <p>A plan can be made smaller afterwards, which changes nothing else about it; that is how a failure is minimised.
 * Immutable.
 */
public final class Plan {

    /** Clocks run at most so much fast or slow. */
    static final double DRIFT = 0.05;
    /** A manager's lifetime exceeds its clients' by more than their clocks can diverge. */
    private static final double LIFETIME_MARGIN = 1.25;
    /** A collector's grace exceeds the life of a message by more than its clock can be fast. */
    private static final double GRACE_MARGIN = 1.1;

    private static final long MILLISECOND = 1_000_000;
    private static final int SLOW_FACTOR = 10;
    /** Per million occasions. */
    private static final int[] RATES = {3_000, 20_000, 100_000};
    /** A hazard that some seeds are about, and what it takes. */
    private enum Theme {
        NONE,
        /** Copies of puts arrive when their versions, and the tombstones above, have been collected. */
        LATE_COPIES(Fault.DOUBLED_WRITE, Fault.LATE_POST_COMMIT, Fault.HELD_BACK),
        /** Clients ask for outcomes while readers and collectors are at the entry. */
        UNKNOWN_OUTCOMES(Fault.LOST_ANSWER, Fault.HELD_BACK, Fault.STALL),
        /** Commit entries arrive after their clients were told that they are aborted, and before a collector bars them. */
        LATE_ENTRIES(Fault.LATE_ENTRY, Fault.HELD_BACK);

        private static final int RATE = 200_000;
        private static final Set<Fault> OFTEN = EnumSet.of(Fault.HELD_BACK, Fault.DOUBLED_WRITE);
        private static final Theme[] DRAW = {NONE, NONE, NONE, NONE, NONE, LATE_COPIES, UNKNOWN_OUTCOMES, LATE_ENTRIES};

        private final List<Fault> faults;

        Theme(Fault... faults) {
            this.faults = List.of(faults);
        }
    }

    /** It drives actors into the middle of each other's work, which is what most races need: so it is mostly on. */
    private static final long[] HELD_BACK_RATES = {30_000, 100_000, 250_000};
    /** What does not happen to calls but to transactions has fewer occasions. */
    private static final Set<Fault> SELDOM_TRIED = EnumSet.of(Fault.LATE_POST_COMMIT, Fault.ABANDON);
    private static final int SELDOM_TRIED_FACTOR = 5;

    private final long seed;
    private final int clients;
    private final int operations;
    private final Set<Fault> without;
    private final boolean traced;

    private final Map<Fault, Integer> rates = new EnumMap<>(Fault.class);
    /** The calls that a fault prefers; null for all alike. */
    private final Map<Fault, Target> focuses = new EnumMap<>(Fault.class);
    private final Theme theme;
    private final int drawnClients;
    private final int drawnOperations;
    private final List<String> keys;
    private final int keysPerRow;
    private final int operationsPerTransaction;
    private final int writePercent;
    private final int deletePercent;
    private final int flushPercent;
    private final int pageSize;
    private final boolean deleteMarkers;
    private final int shards;
    private final long leap;
    private final int collectors;
    private final long latencyNanos;
    private final int slowPercent;
    private final long lifetimeNanos;
    private final long messageLifeNanos;
    private final long collectorPauseNanos;
    private final long thinkNanos;
    private final OmidLL.Settings settings;

    private Plan(long seed, int clients, int operations, Set<Fault> without, boolean traced) {
        this.seed = seed;
        this.without = without;
        this.traced = traced;
        SplittableRandom random = random("plan");
        boolean few = random.nextInt(3) > 0;
        Set<Integer> chosen = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            chosen.add(random.nextInt(Fault.values().length));
        }
        int percent = random.nextInt(100);
        for (Fault fault : Fault.values()) {
            int rate = RATES[few ? RATES.length - 1 : random.nextInt(RATES.length)];
            Target focus = random.nextBoolean() ? null : Target.values()[random.nextInt(Target.values().length)];
            boolean drawn = random.nextInt(100) < percent;
            if (few ? chosen.contains(fault.ordinal()) : drawn) {
                rates.put(fault, SELDOM_TRIED.contains(fault) ? SELDOM_TRIED_FACTOR * rate : rate);
                focuses.put(fault, focus);
            }
        }
        if (random.nextInt(4) > 0) {
            rates.put(Fault.HELD_BACK, (int) oneOf(random, HELD_BACK_RATES));
            focuses.remove(Fault.HELD_BACK);
        }
        theme = Theme.DRAW[random.nextInt(Theme.DRAW.length)];
        if (theme != Theme.NONE) {
            rates.clear();
            focuses.clear();
            theme.faults.forEach(fault -> rates.put(fault, Theme.OFTEN.contains(fault) ? 2 * Theme.RATE : Theme.RATE));
            focuses.put(Fault.LOST_ANSWER, Target.TABLE);
        }
        drawnClients = 2 + random.nextInt(3);
        drawnOperations = 40;
        keys = IntStream.range(0, theme == Theme.NONE ? (int) oneOf(random, 1, 1, 2, 4) : 1).mapToObj(i -> String.valueOf((char) ('a' + i))).toList();
        keysPerRow = random.nextBoolean() ? keys.size() : 1;
        boolean lateCopies = theme == Theme.LATE_COPIES;
        operationsPerTransaction = (int) oneOf(random, 1, 1, 2, lateCopies ? 1 : 5);
        writePercent = 20 + random.nextInt(70);
        deletePercent = (int) oneOf(random, lateCopies ? 60 : 0, 30, 60, 60);
        flushPercent = random.nextInt(3) * 25;
        int page = 1 + random.nextInt(3);
        pageSize = traced ? 1 : page;
        deleteMarkers = random.nextInt(3) == 0 && !lateCopies;
        int drawnShards = 1 + random.nextInt(3);
        shards = traced ? 1 : drawnShards;
        leap = random.nextBoolean() ? 1 : 16;
        collectors = theme == Theme.LATE_ENTRIES ? 0 : (int) oneOf(random, theme == Theme.NONE ? 0 : 2, 1, 1, 2, 2);
        latencyNanos = MILLISECOND / 2;
        slowPercent = random.nextInt(3) * 10;
        lifetimeNanos = oneOf(random, 8, 25, 100) * MILLISECOND;
        messageLifeNanos = oneOf(random, lateCopies ? 60 : 1, lateCopies ? 60 : 4,
                lateCopies || theme == Theme.LATE_ENTRIES ? 60 : 30) * MILLISECOND;
        collectorPauseNanos = oneOf(random, 1, 2, 6) * MILLISECOND;
        thinkNanos = oneOf(random, 1, lifetimeNanos / 8, lifetimeNanos / 2);
        settings = new OmidLL.Settings(lifetimeNanos, random.nextInt(4) == 0 ? MILLISECOND : 0,
                theme == Theme.UNKNOWN_OUTCOMES ? 1 : 1 + random.nextInt(3),
                random.nextInt(4) > 0);
        this.clients = clients > 0 ? clients : drawnClients;
        this.operations = operations > 0 ? operations : drawnOperations;
    }

    private static long oneOf(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** The plan that belongs to a seed. */
    public static Plan of(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class), false);
    }

    /** The same with another number of clients, at least 1. */
    public Plan withClients(int count) {
        return new Plan(seed, count, operations, without, traced);
    }

    /** The same with another number of operations of all clients together, at least 1. */
    public Plan withOperations(int count) {
        return new Plan(seed, clients, count, without, traced);
    }

    /** The same without some faults. */
    public Plan without(Collection<Fault> faults) {
        EnumSet<Fault> all = EnumSet.noneOf(Fault.class);
        all.addAll(without);
        all.addAll(faults);
        return new Plan(seed, clients, operations, Collections.unmodifiableSet(all), traced);
    }

    /**
     * The same within what the trace check can explain: the records of a key are fetched one by one, the commit table has
     * one shard, and no request reaches the transaction manager after its client has given it up.
     */
    public Plan traced() {
        return new Plan(seed, clients, operations, without, true).without(List.of(Fault.LATE_REQUEST));
    }

    /** Options of the torture command that lead to this plan again. */
    public String replayOptions() {
        return "--replay " + seed + (clients == drawnClients ? "" : " --clients " + clients)
                + (operations == drawnOperations ? "" : " --operations " + operations)
                + (traced ? " --trace target/torture/trace.ndjson" : "")
                + (without.isEmpty() ? "" : " --without " + without.stream().map(Fault::name).collect(Collectors.joining(",")));
    }

    public long seed() {
        return seed;
    }

    public int clients() {
        return clients;
    }

    /** Of all clients together. */
    public int operations() {
        return operations;
    }

    /** The faults that may happen in the run. */
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>(rates.keySet());
        faults.removeAll(without);
        return faults;
    }

    boolean has(Fault fault) {
        return rates.containsKey(fault) && !without.contains(fault);
    }

    /**
     * How many of a million calls suffer the fault if it is not left out; 0 if it was not drawn. Half of the faults prefer
     * calls of one kind: races between a few calls need the same thing to happen to the same kind of call again.
     *
     * @param target whom the call is for; null for what is no call
     */
    int rate(Fault fault, Target target) {
        int rate = rates.getOrDefault(fault, 0);
        Target focus = focuses.get(fault);
        return focus == null || target == null ? rate : focus == target ? 3 * rate : rate / 10;
    }

    /** A source of randomness of its own for each purpose, so that leaving one thing out does not change all others. */
    SplittableRandom random(String purpose) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ (long) purpose.hashCode() << 20);
    }

    List<String> keys() {
        return keys;
    }

    int row(String key) {
        return (key.charAt(0) - 'a') / keysPerRow;
    }

    int operationsPerTransaction() {
        return operationsPerTransaction;
    }

    int writePercent() {
        return writePercent;
    }

    int deletePercent() {
        return deletePercent;
    }

    /** How often a write is sent at once instead of at commit. */
    int flushPercent() {
        return flushPercent;
    }

    int pageSize() {
        return pageSize;
    }

    boolean deleteMarkers() {
        return deleteMarkers;
    }

    int shards() {
        return shards;
    }

    long leap() {
        return leap;
    }

    int collectors() {
        return collectors;
    }

    /** Whether faults prefer some actors to others, as chance has it; with a theme they spare the collectors. */
    boolean hasBadLuck() {
        return theme == Theme.NONE;
    }

    int conflictEntries() {
        return 16;
    }

    int activeWindow() {
        return 64;
    }

    OmidLL.Settings settings() {
        return settings;
    }

    long managerLifetimeNanos() {
        return (long) (lifetimeNanos * LIFETIME_MARGIN);
    }

    /** No message is under way for longer. */
    long messageLifeNanos() {
        return messageLifeNanos;
    }

    long graceNanos() {
        return (long) (messageLifeNanos * GRACE_MARGIN);
    }

    /** Between two steps of an actor: mostly short, now and then ten times as long. */
    long latency(SplittableRandom random) {
        long latency = 1 + random.nextLong(latencyNanos);
        return random.nextInt(100) < slowPercent ? SLOW_FACTOR * latency : latency;
    }

    /** Long enough for a collector to pass, for the actor's transaction to expire, or for both. */
    long stall(SplittableRandom random) {
        long pass = graceNanos() + 2 * collectorPauseNanos;
        long typical = oneOf(random, pass, pass, lifetimeNanos, 2 * (managerLifetimeNanos() + pass));
        return typical / 4 + random.nextLong(typical);
    }

    /** An application's time between two operations. */
    long think(SplittableRandom random) {
        return random.nextLong(thinkNanos);
    }

    /** At most so long until a collector's next pass. */
    long collectorPauseNanos() {
        return collectorPauseNanos;
    }
}
