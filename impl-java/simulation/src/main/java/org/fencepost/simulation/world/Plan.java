package org.fencepost.simulation.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.simulation.world.Network.Target;

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

    /** The specifications that a trace of a run can be checked against. */
    public static final List<String> TRACEABLE = List.of("OmidLL", "OmidTwoPhase", "TMFailover", "FastPath", "OnePhase", "Fragola", "Checkpoints", "IndexFence",
            "Mediator", "PH1");

    private static final String MEDIATOR = "Mediator";
    private static final String FRAGOLA = "Fragola";
    private static final String PH1 = "PH1";
    private static final List<String> INSTANCES = List.of("instance 1", "instance 2", "instance 3");
    private static final String CHECKPOINTS = "Checkpoints";
    private static final String INDEX = "Index";
    private static final String INDEX_FENCE = "IndexFence";

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
        /**
         * Copies of puts arrive when their versions, and the tombstones above, have been collected, and a collector is held
         * back before it collects the commit entries.
         */
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

    /** What two transaction managers suffer that compete; a single one has a calm life but for its crashes. */
    private static final Set<Fault> OF_FAILOVER = EnumSet.of(Fault.MANAGER_RESTART, Fault.MANAGER_PAUSE, Fault.SESSION_LOSS,
            Fault.ZOOKEEPER_LOST, Fault.ZOOKEEPER_LATE);
    /** What region servers suffer, and requests to them that there are with a fast path only. */
    private static final Set<Fault> OF_FAST_PATH = EnumSet.of(Fault.REGION_MOVE, Fault.SERVER_CRASH, Fault.SERVER_ALONE,
            Fault.LATE_FAST_WRITE);
    /** By which no client and no message is lost, doubled or late. */
    private static final EnumSet<Fault> LOSSLESS = EnumSet.of(Fault.HELD_BACK, Fault.STALL, Fault.REGION_MOVE, Fault.SERVER_CRASH, Fault.SERVER_ALONE);
    /** What commits in one phase suffer, and their servers. */
    private static final Set<Fault> OF_ONE_PHASE = EnumSet.of(Fault.REGION_MOVE, Fault.SERVER_CRASH, Fault.SERVER_ALONE, Fault.LATE_BATCH);
    private static final List<Fault> ORDINARY = Arrays.stream(Fault.values())
            .filter(fault -> !OF_FAILOVER.contains(fault) && !OF_FAST_PATH.contains(fault) && fault != Fault.LATE_BATCH && !Fault.OF_MEDIATOR.contains(fault)).toList();
    private static final List<Target> ORDINARY_TARGETS = List.of(Target.STORE_READ, Target.TABLE_READ, Target.STORE, Target.TABLE,
            Target.MANAGER);
    private static final int[] FAST_PATH_RATES = {5_000, 20_000, 60_000};
    /** These have few occasions. */
    private static final int ALONE_RATE = 300_000;
    private static final int LATE_POST_COMMIT_RATE = 300_000;

    /** Enough for several fast-path writes between two timestamps. */
    private static final int CROWDED_SPAN = 16;
    private static final int CROWDED_PERCENT = 60;
    private static final int OUTPACED_DELETES = 75;

    /** Where transactions have several: few, so that they use them up, and some numbers are left for the fast path. */
    private static final int LEVELS = 3;
    private static final int LEVELS_SPAN = 8;
    /** So that there is a level, or a build, between two of them. */
    private static final int MANY_OPERATIONS = 10;
    /** Few, so that a row gets the same one again. */
    private static final int INDEX_KEYS = 3;

    /** Where there are leaders: enough for followers. */
    private static final List<String> LED_KEYS = List.of("a", "b");
    private static final int LED_OPERATIONS = 4;
    private static final int LED_POST_COMMIT_RATE = 800_000;
    private static final int[] LED_RATES = {100_000, 200_000, 400_000};

    /** The hazards of leaders, each with what it takes. */
    private enum LedTheme {
        ANY(null),
        /** Followers are met before their leaders come. */
        LATE_LEADERS(Target.STORE, Fault.HELD_BACK, Fault.STALL),
        /** Followers are looked at while they are healed and their leaders collected. */
        LEADERS_COLLECTED(Target.TABLE_READ, Fault.HELD_BACK, Fault.STALL, Fault.LATE_POST_COMMIT),
        /** Leaders come back, and commits arrive, when all is over. */
        LEADERS_RETURN(Target.TABLE, Fault.HELD_BACK, Fault.DOUBLED_WRITE, Fault.LATE_ENTRY, Fault.LATE_WRITE),
        /** Leaders are lost before the log has them, and copies of their puts arrive before their commits. */
        LEADERS_LOST(Target.TABLE, Fault.HELD_BACK, Fault.LATE_WRITE, Fault.SERVER_CRASH);

        private static final LedTheme[] DRAW = {ANY, LATE_LEADERS, LATE_LEADERS, LEADERS_COLLECTED, LEADERS_COLLECTED, LEADERS_RETURN, LEADERS_RETURN, LEADERS_RETURN,
                LEADERS_LOST, LEADERS_LOST, LEADERS_LOST};

        private final Target target;
        private final List<Fault> faults;

        LedTheme(Target target, Fault... faults) {
            this.target = target;
            this.faults = List.of(faults);
        }
    }

    /** How a run with a fast path is set. */
    private enum Setting {
        /** As a run without. */
        ORDINARY,
        /** All work on one key, without a pause and soon there, and a write in flight takes long. */
        CROWDED,
        /** On one key, and much is deleted and soon collected. */
        OUTPACED
    }

    private static final List<String> SCATTERED = List.of("a", "b", "c", "d");

    private static final int[] FAILOVER_RATES = {10_000, 30_000, 100_000};
    /** Beyond what the leases allow for: a multiple of {@link #DRIFT}. */
    private static final int BEYOND = 5;

    private final long seed;
    private final int clients;
    private final int operations;
    private final Set<Fault> without;
    private final boolean beyondDrift;
    /** The specification whose trace check must be able to explain the run; null if none. */
    private final String traced;

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
    private final int managers;
    private final long leaseMillis;
    private final long epochTimestamps;
    private final boolean fastPath;
    private final Setting setting;
    private final long span;
    private final int fastPercent;
    private final int regionServers;
    private final int regions;
    private final MediatorPlan mediator;
    private final boolean twoPhase;
    private final int levels;
    private final boolean readsOnServer;
    private final boolean onePhase;
    private final boolean blindWrites;
    private final boolean renews;
    /** Some rows in each of two regions, on several servers. */
    private final boolean scattered;
    /** How many build the index, one after the other or one that was given up beside another; 0 if there is none. */
    private final int builders;
    /** Much is soon collected while the index is built. */
    private final boolean eager;
    /** What each run has, whatever the seed; null: nothing in particular. */
    private final String only;
    private final boolean leaders;
    /** What the run is about if it has leaders. */
    private final LedTheme hazard;

    private Plan(long seed, int clients, int operations, Set<Fault> without, boolean beyondDrift, String traced, String only) {
        this.only = only;
        boolean ofMediator = MEDIATOR.equals(only);
        boolean ofIndex = INDEX.equals(only);
        leaders = FRAGOLA.equals(only);
        this.seed = seed;
        this.without = without;
        this.beyondDrift = beyondDrift;
        this.traced = traced;
        SplittableRandom random = random("plan");
        boolean few = random.nextInt(3) > 0;
        Set<Integer> chosen = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            chosen.add(random.nextInt(ORDINARY.size()));
        }
        int percent = random.nextInt(100);
        for (Fault fault : ORDINARY) {
            int rate = RATES[few ? RATES.length - 1 : random.nextInt(RATES.length)];
            Target focus = random.nextBoolean() ? null : ORDINARY_TARGETS.get(random.nextInt(ORDINARY_TARGETS.size()));
            boolean drawn = random.nextInt(100) < percent;
            if (few ? chosen.contains(ORDINARY.indexOf(fault)) : drawn) {
                rates.put(fault, SELDOM_TRIED.contains(fault) ? SELDOM_TRIED_FACTOR * rate : rate);
                focuses.put(fault, focus);
            }
        }
        if (random.nextInt(4) > 0) {
            rates.put(Fault.HELD_BACK, (int) oneOf(random, HELD_BACK_RATES));
            focuses.remove(Fault.HELD_BACK);
        }
        Theme drawnTheme = Theme.DRAW[random.nextInt(Theme.DRAW.length)];
        theme = ofMediator || ofIndex ? Theme.NONE : drawnTheme;
        if (theme != Theme.NONE) {
            rates.clear();
            focuses.clear();
            theme.faults.forEach(fault -> rates.put(fault, Theme.OFTEN.contains(fault) ? 2 * Theme.RATE : Theme.RATE));
            focuses.put(Fault.LOST_ANSWER, Target.TABLE);
            if (theme == Theme.LATE_COPIES) {
                focuses.put(Fault.HELD_BACK, Target.TABLE_READ);
            }
        }
        levels = only == null && theme == Theme.NONE && traced == null && random("levels").nextInt(3) == 0 || isTraced(CHECKPOINTS) ? LEVELS : 1;
        drawnClients = 2 + random.nextInt(3);
        keys = IntStream.range(0, theme == Theme.NONE ? (int) oneOf(random, 1, 1, 2, 4) : 1).mapToObj(i -> String.valueOf((char) ('a' + i))).toList();
        boolean oneRow = random.nextBoolean();
        keysPerRow = oneRow && !isTraced("OmidTwoPhase") || isTraced("FastPath") || isTraced("OnePhase") ? keys.size() : 1;
        boolean lateCopies = theme == Theme.LATE_COPIES;
        operationsPerTransaction = (int) oneOf(random, 1, 1, 2, lateCopies ? 1 : 5);
        writePercent = 20 + random.nextInt(70);
        deletePercent = (int) oneOf(random, lateCopies ? 60 : 0, 30, 60, 60);
        flushPercent = random.nextInt(3) * 25;
        int page = 1 + random.nextInt(3);
        pageSize = traced != null ? 1 : page;
        deleteMarkers = random.nextInt(3) == 0 && !lateCopies;
        int drawnShards = 1 + random.nextInt(3);
        shards = traced != null ? 1 : drawnShards;
        leap = random.nextBoolean() ? 1 : 16;
        collectors = theme == Theme.LATE_ENTRIES ? 0 : (int) oneOf(random, theme == Theme.NONE ? 0 : 2, 1, 1, 2, 2);
        latencyNanos = MILLISECOND / 2;
        slowPercent = random.nextInt(3) * 10;
        lifetimeNanos = oneOf(random, 8, 25, 100) * MILLISECOND;
        messageLifeNanos = oneOf(random, lateCopies ? 60 : 1, lateCopies ? 60 : 4,
                lateCopies || theme == Theme.LATE_ENTRIES ? 60 : 30) * MILLISECOND;
        collectorPauseNanos = oneOf(random, 1, 2, 6) * MILLISECOND;
        thinkNanos = oneOf(random, 1, lifetimeNanos / 8, lifetimeNanos / 2);
        settings = new OmidLL.Settings(lifetimeNanos, random.nextInt(4) == 0 ? MILLISECOND : 0, departNanos(),
                theme == Theme.UNKNOWN_OUTCOMES ? 1 : 1 + random.nextInt(3),
                random.nextInt(4) > 0);
        SplittableRandom failover = random("failover");
        boolean two = failover.nextBoolean();
        managers = theme == Theme.NONE && two && traced == null || isTraced("TMFailover") ? 2 : 1;
        leaseMillis = managers == 1 ? Math.max(20, lifetimeNanos / MILLISECOND) : oneOf(failover, 20, 40, 80);
        epochTimestamps = managers == 1 ? 40 : oneOf(failover, 4, 12, 40);
        if (managers > 1) {
            for (Fault fault : OF_FAILOVER) {
                int rate = FAILOVER_RATES[failover.nextInt(FAILOVER_RATES.length)];
                if (failover.nextInt(5) < 2) {
                    rates.put(fault, rate);
                }
            }
            if (failover.nextBoolean()) {
                rates.put(Fault.DRIFT, RATES[0]);
            }
        }
        SplittableRandom fast = random("fast path");
        boolean one = fast.nextInt(3) == 0;
        fastPath = theme == Theme.NONE && one && traced == null && !leaders && !ofIndex || isTraced("FastPath") || isTraced("OnePhase");
        setting = Setting.values()[fast.nextInt(Setting.values().length)];
        span = oneOf(fast, 2, 2, 4, 16);
        fastPercent = 20 + fast.nextInt(70);
        int servers = 1 + fast.nextInt(3);
        regionServers = traced != null && !isTraced("FastPath") && !isTraced("OnePhase") ? 1 : servers;
        int drawnRegions = 1 + fast.nextInt(2);
        regions = traced != null ? 1 : drawnRegions;
        if (fastPath) {
            for (Fault fault : OF_FAST_PATH) {
                int rate = FAST_PATH_RATES[fast.nextInt(FAST_PATH_RATES.length)];
                if (fast.nextBoolean()) {
                    rates.put(fault, fault == Fault.SERVER_ALONE ? ALONE_RATE : rate);
                }
            }
            if (fast.nextBoolean()) {
                rates.put(Fault.LATE_POST_COMMIT, LATE_POST_COMMIT_RATE);
            }
        }
        mediator = ofMediator ? new MediatorPlan(random("mediator"), rates, focuses, traced != null) : null;
        twoPhase = only == null && theme == Theme.NONE && !fastPath && traced == null && levels == 1 && random("two-phase").nextInt(3) == 0
                || isTraced("OmidTwoPhase");
        readsOnServer = only == null && theme == Theme.NONE && traced == null && random("reads").nextInt(4) == 0;
        SplittableRandom batches = random("one phase");
        onePhase = only == null && theme == Theme.NONE && traced == null && !twoPhase && batches.nextInt(3) == 0 || isTraced("OnePhase");
        scattered = onePhase && traced == null ? batches.nextInt(3) == 0
                : (isTraced("FastPath") || isTraced("OnePhase")) && random("scattered").nextBoolean();
        blindWrites = onePhase && levels == 1 && random("blind").nextInt(3) == 0;
        if (onePhase) {
            for (Fault fault : OF_ONE_PHASE) {
                int rate = FAST_PATH_RATES[batches.nextInt(FAST_PATH_RATES.length)];
                if (batches.nextBoolean()) {
                    rates.putIfAbsent(fault, fault == Fault.SERVER_ALONE || fault == Fault.LATE_BATCH ? ALONE_RATE : 3 * rate);
                }
            }
            if (batches.nextInt(3) == 0) { // clients ask for batches whose answer is lost, while others overwrite and collect
                rates.put(Fault.LOST_ANSWER, ALONE_RATE);
                focuses.put(Fault.LOST_ANSWER, Target.BATCH);
                rates.put(Fault.HELD_BACK, ALONE_RATE);
                focuses.put(Fault.HELD_BACK, Target.STORE_READ);
            }
        }
        SplittableRandom index = random("index");
        boolean indexed = index.nextInt(3) > 0;
        boolean plain = only == null && theme == Theme.NONE && !fastPath && traced == null && levels == 1 && !twoPhase && !readsOnServer && !onePhase;
        renews = only == null && theme == Theme.NONE && traced == null && !scattered && random("renewals").nextInt(5) == 0;
        builders = indexed && plain || ofIndex ? 1 + index.nextInt(2) : 0;
        eager = builders > 0 && index.nextBoolean();
        SplittableRandom led = random("fragola");
        hazard = leaders ? LedTheme.DRAW[led.nextInt(LedTheme.DRAW.length)] : LedTheme.ANY;
        if (leaders) {
            if (hazard != LedTheme.ANY) {
                rates.clear();
            }
            hazard.faults.forEach(fault -> rates.put(fault, fault == Fault.LATE_POST_COMMIT ? LED_POST_COMMIT_RATE : LED_RATES[led.nextInt(LED_RATES.length)]));
            if (hazard == LedTheme.ANY) {
                rates.put(Fault.SERVER_CRASH, LED_RATES[0]);
            }
            focuses.put(Fault.HELD_BACK, hazard.target);
            focuses.put(Fault.STALL, hazard.target);
        }
        drawnOperations = levels > 1 || builders > 0 || leaders || PH1.equals(only) && random("ph1").nextInt(3) == 0 ? 80 : 40;
        this.clients = clients > 0 ? clients : drawnClients;
        this.operations = operations > 0 ? operations : drawnOperations;
    }

    static long oneOf(SplittableRandom random, long... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** The plan that belongs to a seed. */
    public static Plan of(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class), false, null, null);
    }

    /** The plan of a run of Mediator that belongs to a seed. */
    public static Plan ofMediator(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class), false, null, MEDIATOR);
    }

    /** The plan of a run of Fragola that belongs to a seed. */
    public static Plan ofFragola(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class), false, null, FRAGOLA);
    }

    /** The plan of a run of pH1 that belongs to a seed. */
    public static Plan ofPH1(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class), false, null, PH1);
    }

    /** Of pH1's middleware. */
    public static List<String> instances() {
        return INSTANCES;
    }

    /** Whether it is a run of pH1. */
    public boolean isOfPH1() {
        return PH1.equals(only);
    }

    /** The plan of a run that belongs to a seed, in which an index is built. */
    public static Plan ofIndex(long seed) {
        return new Plan(seed, 0, 0, EnumSet.noneOf(Fault.class), false, null, INDEX);
    }

    /** What the run has beside the rest if it is one of Mediator; else null. */
    public MediatorPlan mediator() {
        return mediator;
    }

    /** Whether it is a run of Mediator. */
    public boolean isOfMediator() {
        return mediator != null;
    }

    /** The same with another number of clients, at least 1. */
    public Plan withClients(int count) {
        return new Plan(seed, count, operations, without, beyondDrift, traced, only);
    }

    /** The same with another number of operations of all clients together, at least 1. */
    public Plan withOperations(int count) {
        return new Plan(seed, clients, count, without, beyondDrift, traced, only);
    }

    /** The same without some faults. */
    public Plan without(Collection<Fault> faults) {
        EnumSet<Fault> all = EnumSet.noneOf(Fault.class);
        all.addAll(without);
        all.addAll(faults);
        return new Plan(seed, clients, operations, Collections.unmodifiableSet(all), beyondDrift, traced, only);
    }

    /** The same with managers whose clocks diverge by more than their leases allow for. Such runs may fail: nobody promises anything. */
    public Plan beyondDrift() {
        return new Plan(seed, clients, operations, without, true, traced, only);
    }

    /**
     * The same within what the trace check can explain: the records of a key are fetched one by one, the commit table has
     * one shard, there is no fast path, no Omid 2PC and one transaction manager, and no request reaches it after its client has
     * given it up.
     */
    public Plan traced() {
        return traced("OmidLL");
    }

    /**
     * The same for the trace check of another specification. TMFailover: two transaction managers and no evictions, the rest as
     * for OmidLL. FastPath: a fast path, all keys in one row, or rows in several regions, the rest as for OmidLL. OnePhase: the same, and no faults but delays and those
     * of region servers. Fragola: with leaders, and no faults but delays. Checkpoints: with several levels, and no faults but delays. IndexFence: an index is
     * built, and no faults but delays. Mediator: a run of that, in which regions stay on their servers. PH1: a run of that, in which no request reaches the
     * certifier after its client has given it up. OmidTwoPhase: a run of that, the rest as for OmidLL.
     */
    public Plan traced(String protocol) {
        String alone = protocol.equals(INDEX_FENCE) ? INDEX : Set.of(MEDIATOR, FRAGOLA, PH1).contains(protocol) ? protocol : null;
        Plan plan = new Plan(seed, clients, operations, without, beyondDrift, protocol, alone);
        return plan.without(switch (protocol) {
            case "OnePhase" -> EnumSet.complementOf(LOSSLESS);
            case FRAGOLA, CHECKPOINTS, INDEX_FENCE -> EnumSet.complementOf(EnumSet.of(Fault.HELD_BACK, Fault.STALL));
            case "TMFailover" -> EnumSet.of(Fault.EVICTION);
            case "Mediator" -> EnumSet.noneOf(Fault.class);
            default -> EnumSet.of(Fault.LATE_REQUEST);
        });
    }

    /** Whether there are faults other than delays and those of region servers. */
    public boolean isLossy() {
        return !LOSSLESS.containsAll(faults());
    }

    /** The same without that. */
    public Plan lossless() {
        return without(EnumSet.complementOf(LOSSLESS));
    }

    private boolean isTraced(String protocol) {
        return protocol.equals(traced);
    }

    /** Whether it is for the trace check. */
    public boolean isTraced() {
        return traced != null;
    }

    /** See {@link #traced}; null if it is not. */
    String protocol() {
        return traced;
    }

    /** Options of the torture command that lead to this plan again. */
    public String replayOptions() {
        return "--replay " + seed + (only == null || traced != null && mediator == null && !isOfPH1() ? "" : " --" + only.toLowerCase(Locale.ROOT)) + (clients == drawnClients ? "" : " --clients " + clients)
                + (operations == drawnOperations ? "" : " --operations " + operations)
                + (beyondDrift ? " --beyond-drift" : "") + (traced != null ? " --trace target/torture/trace.ndjson --protocol " + traced : "")
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
    public int rate(Fault fault, Target target) {
        int rate = rates.getOrDefault(fault, 0);
        Target focus = focuses.get(fault);
        return focus == null || target == null ? rate : focus == target ? 3 * rate : rate / 10;
    }

    /** A source of randomness of its own for each purpose, so that leaving one thing out does not change all others. */
    public SplittableRandom random(String purpose) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ (long) purpose.hashCode() << 20);
    }

    public List<String> keys() {
        return mediator != null ? mediator.keys : scattered ? SCATTERED : is(Setting.CROWDED) || is(Setting.OUTPACED) ? keys.subList(0, 1)
                : leaders && keys.size() == 1 ? LED_KEYS : keys;
    }

    /** With those of the index. */
    public List<String> storedKeys() {
        return hasIndex() ? Stream.concat(keys().stream(), keys().stream().flatMap(row -> indexKeys(row).stream())).toList() : keys();
    }

    /** Where the index may have a row. */
    public List<String> indexKeys(String row) {
        int first = 'q' + INDEX_KEYS * (row.charAt(0) - 'a');
        return IntStream.range(first, first + INDEX_KEYS).mapToObj(c -> String.valueOf((char) c)).toList();
    }

    /** Whether the key is of the table, and not of its index. */
    public boolean isRow(String key) {
        return key.charAt(0) < 'q';
    }

    public int row(String key) {
        return (key.charAt(0) - 'a') / (scattered ? 1 : keysPerRow);
    }

    public int operationsPerTransaction() {
        return hasLevels() || hasIndex() ? MANY_OPERATIONS : scattered ? SCATTERED.size()
                : leaders ? Math.max(LED_OPERATIONS, operationsPerTransaction) : operationsPerTransaction;
    }

    public int writePercent() {
        return writePercent;
    }

    public int deletePercent() {
        return is(Setting.OUTPACED) ? OUTPACED_DELETES : deletePercent;
    }

    /** How often a write is sent at once instead of at commit. Never where it is then put in several regions, beside its certification. */
    public int flushPercent() {
        return scattered ? 0 : flushPercent;
    }

    public int pageSize() {
        return pageSize;
    }

    public boolean deleteMarkers() {
        return deleteMarkers && hazard != LedTheme.LEADERS_RETURN;
    }

    public int shards() {
        return shards;
    }

    public long leap() {
        long plain = mediator != null ? mediator.delta : is(Setting.CROWDED) ? CROWDED_SPAN : hasClocks() ? span : leap;
        return hasLevels() ? Math.max(LEVELS_SPAN, plain) : plain;
    }

    /** What a version tells. */
    public Versions versions() {
        return new Versions(leap(), levels);
    }

    /** Whether region servers decide reads, as far as commit cells tell. They leave no trace of that. */
    public boolean readsOnServer() {
        return readsOnServer;
    }

    /** Whether transactions are renewed now and then. */
    public boolean renews() {
        return renews;
    }

    /** Whether the table gets an index. */
    public boolean hasIndex() {
        return builders > 0;
    }

    public int builders() {
        return builders;
    }

    /** Whether transactions make checkpoints. */
    public boolean hasLevels() {
        return levels > 1;
    }

    public int collectors() {
        return isOutpaced() || hazard == LedTheme.LEADERS_COLLECTED ? 2 : collectors;
    }

    /** Whether clients run single-key transactions, too. */
    public boolean hasFastPath() {
        return fastPath;
    }

    /** Whether transactions whose writes lie in one region commit in one phase. */
    public boolean isOnePhase() {
        return onePhase;
    }

    /** Whether some transactions are blind: begun only when they commit. */
    public boolean hasBlindWrites() {
        return blindWrites;
    }

    /** Whether there are region servers with clocks. */
    public boolean hasClocks() {
        return fastPath || onePhase;
    }

    /** Whether clients and store are those of Omid 2PC. */
    public boolean isTwoPhase() {
        return twoPhase;
    }

    /** Whether clients and store are those of Fragola. */
    public boolean hasLeaders() {
        return leaders;
    }

    private boolean is(Setting wanted) {
        return fastPath && setting == wanted;
    }

    private boolean isOutpaced() {
        return is(Setting.OUTPACED) || eager;
    }

    /** How many of a hundred transactions take the fast path. */
    public int fastPercent() {
        return is(Setting.CROWDED) ? CROWDED_PERCENT : fastPercent;
    }

    /** How many of eight reads are of all keys. */
    public int scansInEight() {
        return hasClocks() ? 3 : 1;
    }

    public int regionServers() {
        return mediator != null ? mediator.servers : scattered ? 2 : regionServers;
    }

    /** Whether rows lie in several regions. */
    boolean isScattered() {
        return scattered;
    }

    public int region(int row) {
        return row % (scattered ? 2 : regions);
    }

    /** How long a fast-path write waits for the transaction manager. */
    public long fastPatienceNanos() {
        return 20 * MILLISECOND;
    }

    /** 1, or 2 that compete. */
    public int managers() {
        return managers;
    }

    /** How many timestamps a manager gives before it asks ZooKeeper for more. */
    public long epochTimestamps() {
        return epochTimestamps;
    }

    public long leaseNanos() {
        return leaseMillis * MILLISECOND;
    }

    /** When a fast clock has advanced by a lease and this, a slow one has by a lease. */
    public long driftMillis() {
        return (long) Math.ceil(leaseMillis * ((1 + DRIFT) / (1 - DRIFT) - 1));
    }

    /** No multiple of the leap, if that is possible. */
    public long epochLength() {
        return epochTimestamps * leap() + leap() / 2;
    }

    /** By what fraction an actor's clock may run fast or slow; lifetimes and graces allow for it. */
    public double drift() {
        return has(Fault.DRIFT) ? DRIFT : 0;
    }

    /** The same for a transaction manager's. */
    public double managerDrift() {
        return beyondDrift && managers > 1 ? BEYOND * DRIFT : drift();
    }

    /** No message to ZooKeeper is under way for longer. */
    public long managerMessageLifeNanos() {
        return 2 * leaseNanos();
    }

    /** How long a client looks for a transaction manager that serves: somewhat longer than a failover takes. */
    public long patienceNanos() {
        return 3 * leaseNanos();
    }

    /** Whether faults prefer some actors to others, as chance has it. */
    boolean hasBadLuck() {
        return theme == Theme.NONE;
    }

    /** Whether faults spare the collectors: where a theme is not about what happens in the middle of a pass. */
    boolean sparesCollectors() {
        return theme != Theme.LATE_COPIES;
    }

    public int conflictEntries() {
        return 16;
    }

    public int activeWindow() {
        return 64;
    }

    public OmidLL.Settings settings() {
        return settings;
    }

    public long managerLifetimeNanos() {
        return (long) (lifetimeNanos * LIFETIME_MARGIN);
    }

    /** No message is under way for longer. */
    public long messageLifeNanos() {
        return isOutpaced() ? MILLISECOND : messageLifeNanos;
    }

    /** A put that arrives late may have to wait for a row's lock, too. */
    public long graceNanos() {
        return (long) ((messageLifeNanos() + (onePhase ? departNanos() : 0) + (hasClocks() ? 2 * longestStoreNanos() : 0)) * GRACE_MARGIN);
    }

    /** What is put after its certification departs so soon: others read before, or there is a batch, and a look for it. */
    private long departNanos() {
        return messageLifeNanos + 32 * latencyNanos;
    }

    /** Between two steps of an actor: mostly short, now and then ten times as long. */
    public long latency(SplittableRandom random) {
        long latency = 1 + random.nextLong(is(Setting.CROWDED) ? latencyNanos / SLOW_FACTOR : latencyNanos);
        return random.nextInt(100) < slowPercent ? SLOW_FACTOR * latency : latency;
    }

    /** What a fast-path write takes before it draws its version, and from there until the record can be read. */
    public long storeNanos(SplittableRandom random) {
        return 1 + random.nextLong(random.nextBoolean() ? longestStoreNanos() : latencyNanos);
    }

    private long longestStoreNanos() {
        return (is(Setting.CROWDED) ? SLOW_FACTOR : 4) * latencyNanos;
    }

    /** Long enough for a collector to pass, for the actor's transaction to expire, or for both. */
    public long stall(SplittableRandom random) {
        long pass = graceNanos() + 2 * collectorPauseNanos();
        long typical = oneOf(random, pass, pass, lifetimeNanos, 2 * (managerLifetimeNanos() + pass));
        return typical / 4 + random.nextLong(typical);
    }

    /** An application's time between two operations. */
    public long think(SplittableRandom random) {
        return random.nextLong(is(Setting.CROWDED) || hazard == LedTheme.LEADERS_COLLECTED ? 1 : is(Setting.OUTPACED) ? lifetimeNanos / 4 : thinkNanos);
    }

    /** At most so long until a collector's next pass. */
    public long collectorPauseNanos() {
        return isOutpaced() ? MILLISECOND : hazard == LedTheme.LEADERS_COLLECTED ? 10 * MILLISECOND : collectorPauseNanos;
    }
}
