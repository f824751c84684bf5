package org.fencepost.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
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
    /** What does not happen to calls but to transactions has fewer occasions. */
    private static final Set<Fault> SELDOM_TRIED = EnumSet.of(Fault.LATE_POST_COMMIT, Fault.ABANDON);
    private static final int SELDOM_TRIED_FACTOR = 5;

    private final long seed;
    private final int clients;
    private final int operations;
    private final Set<Fault> without;

    private final Map<Fault, Integer> rates = new EnumMap<>(Fault.class);
    /** The calls that a fault prefers; null for all alike. */
    private final Map<Fault, Target> focuses = new EnumMap<>(Fault.class);
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

    private Plan(long seed, int clients, int operations, Set<Fault> without) {
        this.seed = seed;
        this.without = without;
        SplittableRandom random = random("plan");
        int faultPercent = (int) oneOf(random, 0, 20, 20, 50, 50, 80);
        for (Fault fault : Fault.values()) {
            int rate = RATES[random.nextInt(RATES.length)];
            Target focus = random.nextBoolean() ? null : Target.values()[random.nextInt(Target.values().length)];
            if (random.nextInt(100) < faultPercent) {
                rates.put(fault, SELDOM_TRIED.contains(fault) ? SELDOM_TRIED_FACTOR * rate : rate);
                focuses.put(fault, focus);
            }
        }
        drawnClients = 2 + random.nextInt(3);
        drawnOperations = 40;
        keys = IntStream.range(0, 1 + random.nextInt(4)).mapToObj(i -> String.valueOf((char) ('a' + i))).toList();
        keysPerRow = random.nextBoolean() ? keys.size() : 1;
        operationsPerTransaction = 1 + random.nextInt(5);
        writePercent = 20 + random.nextInt(70);
        deletePercent = random.nextInt(3) * 30;
        flushPercent = random.nextInt(3) * 25;
        pageSize = 1 + random.nextInt(3);
        deleteMarkers = random.nextBoolean();
        shards = 1 + random.nextInt(3);
        leap = random.nextBoolean() ? 1 : 16;
        collectors = (int) oneOf(random, 0, 1, 1, 2, 2);
        latencyNanos = MILLISECOND / 2;
        slowPercent = random.nextInt(3) * 10;
        lifetimeNanos = oneOf(random, 8, 25, 100) * MILLISECOND;
        messageLifeNanos = oneOf(random, 1, 4, 30) * MILLISECOND;
        collectorPauseNanos = oneOf(random, 1, 4, 16) * MILLISECOND;
        thinkNanos = oneOf(random, 1, lifetimeNanos / 8, lifetimeNanos / 2);
        settings = new OmidLL.Settings(lifetimeNanos, random.nextInt(4) == 0 ? MILLISECOND : 0, 1 + random.nextInt(3),
                random.nextInt(4) > 0);
        this.clients = clients > 0 ? clients : drawnClients;
        this.operations = operations > 0 ? operations : drawnOperations;
    }

    private static long oneOf(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** The plan that belongs to a seed. */
    public static Plan of(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class));
    }

    /** The same with another number of clients, at least 1. */
    public Plan withClients(int count) {
        return new Plan(seed, count, operations, without);
    }

    /** The same with another number of operations of all clients together, at least 1. */
    public Plan withOperations(int count) {
        return new Plan(seed, clients, count, without);
    }

    /** The same without some faults. */
    public Plan without(Collection<Fault> faults) {
        EnumSet<Fault> all = EnumSet.noneOf(Fault.class);
        all.addAll(without);
        all.addAll(faults);
        return new Plan(seed, clients, operations, Collections.unmodifiableSet(all));
    }

    /** Options of the torture command that lead to this plan again. */
    public String replayOptions() {
        return "--replay " + seed + (clients == drawnClients ? "" : " --clients " + clients)
                + (operations == drawnOperations ? "" : " --operations " + operations)
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

    /** How long a late message is under way; in the worst case to the last moment. */
    long lateness(SplittableRandom random) {
        long lateness = random.nextLong(messageLifeNanos);
        return random.nextBoolean() ? lateness : messageLifeNanos - 1 - lateness / 8;
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
