package org.fencepost.clustertest.nemesis;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.fencepost.clustertest.client.Recorder;
import org.fencepost.clustertest.workload.Paths;

/**
 * Disturbs the cluster: by turns a while with one fault and a while without. Which faults, and on which nodes, follows from the seed; when exactly each
 * strikes does not. Every command is in the history, with what came of it.
 */
public final class Nemesis {

    /**
     * A fault.
     *
     * @param name     of its two operations in the history, start-name and stop-name
     * @param stop     empty if it is over at once
     * @param lasts    in seconds
     * @param recovers whether what died of it must be started again: region servers that were cut off end themselves afterwards
     * @param quiet    seconds afterwards
     */
    record Fault(String name, List<String> start, List<String> stop, int lasts, boolean recovers, int quiet) {
    }

    /** Faults of one kind. */
    interface Kind {
        Fault next(Nemesis nemesis) throws IOException, InterruptedException;
    }

    private static final Map<String, Kind> KINDS = new LinkedHashMap<>();
    /** How often something must have happened in a minute, by kind. */
    private static final Map<String, Map<String, Integer>> ASKS = Map.of("tm-kill", Map.of(Paths.FAILOVER, 2), "tm-lease", Map.of(Paths.FAILOVER, 2),
            "region-moves", Map.of(Paths.REGION_MOVE, 5));

    private static final int FIRST_SECONDS = 4;
    private static final int QUIET_SECONDS = 6;
    private static final String RECOVERY_SECONDS = "60";
    private static final List<String> HEAL = List.of("heal");
    private static final List<String> ROLES = List.of("regionserver", "tm", "datanode", "zookeeper", "master");
    private static final List<String> ALL_BUT_HBASES = List.of("partition", "kill", "pause", "tm-lease", "clock");
    private static final List<String> ALL = List.of("partition", "kill", "pause", "tm-lease", "region-moves", "clock");
    private static final Set<String> OF_HBASE = Set.of("region-moves", "region-server", "client-partition");
    private static final String BOOKIE = "bookie";
    /** Where they run. */
    private static final String CLIENTS = "control";

    static {
        KINDS.put("partition", Nemesis::partition);
        KINDS.put("client-partition", Nemesis::clientPartition);
        KINDS.put("kill", nemesis -> nemesis.onNode("kill", "restart", nemesis.oneOf(nemesis.roles()), 8));
        KINDS.put("pause", nemesis -> nemesis.onNode("pause", "resume", nemesis.oneOf(nemesis.roles()), 9));
        KINDS.put("tm-kill", nemesis -> nemesis.onPrimary("kill", "restart", 6));
        KINDS.put("tm-lease", nemesis -> nemesis.onPrimary("pause", "resume", 4 + nemesis.random.nextInt(3)));
        KINDS.put("region-moves", nemesis -> new Fault("move-region", List.of("move-region", nemesis.table), List.of(), 0, false, 2));
        KINDS.put("region-server", nemesis -> nemesis.onNode("kill", "restart", "regionserver", 12));
        KINDS.put("cassandra-pause", nemesis -> nemesis.onNode("pause", "resume", "cassandra", 9));
        KINDS.put("clock", Nemesis::clock);
        KINDS.put("all", nemesis -> KINDS.get(nemesis.oneOf(nemesis.own.isEmpty() ? ALL : ALL_BUT_HBASES)).next(nemesis));
    }

    private final Cluster cluster;
    private final String table;
    private final List<String> own;
    private final Kind kind;
    private final SplittableRandom random;
    private final Recorder recorder;
    private final Paths paths;
    private final boolean managersEndThemselves;
    /** Started and not stopped; null if there is none. */
    private volatile String underWay;

    /**
     * @param name                  "none" or a kind of faults; throws IllegalArgumentException for others
     * @param own                   roles to kill and pause; none: HBase's
     * @param managersEndThemselves when they were struck and let go on, so that they must be started again
     */
    public Nemesis(String name, Cluster cluster, String table, List<String> own, SplittableRandom random, Recorder recorder, Paths paths, boolean managersEndThemselves) {
        requireKnown(name);
        this.kind = KINDS.get(name);
        this.cluster = cluster;
        this.table = table;
        this.own = own;
        this.random = random;
        this.recorder = recorder;
        this.paths = paths;
        this.managersEndThemselves = managersEndThemselves;
    }

    public static String names() {
        return "none, " + String.join(", ", KINDS.keySet());
    }

    public static void requireKnown(String name) {
        if (!name.equals("none") && !KINDS.containsKey(name)) {
            throw new IllegalArgumentException("There is no nemesis " + name + "; there are " + names() + ".");
        }
    }

    /** Whether it strikes HBase and nothing else. */
    public static boolean isOfHBase(String name) {
        return OF_HBASE.contains(name);
    }

    public static Map<String, Integer> asks(String name) {
        return ASKS.getOrDefault(name, Map.of());
    }

    // ---- faults

    private static Fault partition(Nemesis nemesis) throws IOException, InterruptedException {
        List<String> nodes = List.of("n1", "n2", "n3", "n4", "n5");
        List<String> start = switch (nemesis.random.nextInt(4)) {
            case 0 -> List.of("partition", "halves");
            case 1 -> List.of("partition", "ring");
            case 2 -> List.of("partition", "node", nemesis.oneOf(nodes));
            default -> {
                int from = nemesis.random.nextInt(nodes.size());
                yield List.of("partition", "from", nodes.get(from), "to", nodes.get((from + 1 + nemesis.random.nextInt(nodes.size() - 1)) % nodes.size()));
            }
        };
        return new Fault("partition", start, HEAL, 12, true, QUIET_SECONDS);
    }

    /** Clients and a region server: requests do not arrive, or their answers do not. Everybody else is well. */
    private static Fault clientPartition(Nemesis nemesis) throws IOException, InterruptedException {
        String node = nemesis.oneOf(nemesis.cluster.nodes("regionserver"));
        List<String> start = nemesis.random.nextBoolean() ? List.of("partition", "from", CLIENTS, "to", node) : List.of("partition", "from", node, "to", CLIENTS);
        return new Fault("client-partition", start, HEAL, 8, false, QUIET_SECONDS);
    }

    /** Each process's own clock. Rates stay within what leases allow for. */
    private static Fault clock(Nemesis nemesis) {
        int sign = nemesis.random.nextBoolean() ? 1 : -1;
        List<String> start = switch (nemesis.random.nextInt(3)) {
            case 0 -> List.of("skew", "jump", Integer.toString(sign * (1 + nemesis.random.nextInt(30))), "n" + (1 + nemesis.random.nextInt(5)));
            case 1 -> List.of("skew", "strobe", "5", "100", "n" + (1 + nemesis.random.nextInt(5)));
            default -> List.of("skew", "rate", sign > 0 ? "1.04" : "0.96", "n" + (4 + nemesis.random.nextInt(2)), "tm");
        };
        return new Fault("skew", start, List.of("unskew"), 8, false, QUIET_SECONDS);
    }

    private List<String> roles() throws IOException, InterruptedException {
        if (!own.isEmpty()) {
            return own;
        }
        return cluster.nodes(BOOKIE).isEmpty() ? ROLES : Stream.concat(ROLES.stream(), Stream.of(BOOKIE)).toList();
    }

    private Fault onNode(String start, String stop, String role, int lasts) throws IOException, InterruptedException {
        List<String> nodes = cluster.nodes(role);
        if (nodes.isEmpty()) {
            throw new IOException("No node of this cluster has the role " + role + ".");
        }
        String node = oneOf(nodes);
        return new Fault(start + "-" + role, List.of(start, role, node), List.of(stop, role, node), lasts, true, QUIET_SECONDS);
    }

    private Fault onPrimary(String start, String stop, int lasts) throws IOException, InterruptedException {
        String node = cluster.run("tm-primary").strip();
        return new Fault(start + "-primary", List.of(start, "tm", node), List.of(stop, "tm", node), lasts, managersEndThemselves, QUIET_SECONDS);
    }

    private String oneOf(List<String> all) {
        return all.get(random.nextInt(all.size()));
    }

    // ---- the run

    /** Until told to stop; then the fault that is under way is stopped. */
    public void run(BooleanSupplier goOn) throws InterruptedException {
        sleep(FIRST_SECONDS, goOn);
        while (kind != null && goOn.getAsBoolean()) {
            Fault fault;
            try {
                fault = kind.next(this);
            } catch (IOException e) {
                recorder.nemesis("fault", e.getMessage());
                sleep(2, goOn);
                continue;
            }
            underWay = String.join(" ", fault.start());
            boolean done = command("start-" + fault.name(), fault.start());
            if (done && fault.start().get(0).equals("move-region")) {
                paths.count(Paths.REGION_MOVE);
            }
            sleep(fault.lasts(), goOn);
            if (!fault.stop().isEmpty()) {
                command("stop-" + fault.name(), fault.stop());
            }
            if (fault.recovers() && goOn.getAsBoolean()) {
                command("ready", List.of("ready", RECOVERY_SECONDS));
            }
            underWay = null;
            sleep(fault.quiet(), goOn);
        }
    }

    /** What it is doing, for people; null for nothing. */
    public String underWay() {
        return underWay;
    }

    /**
     * Ends all faults and waits until the cluster serves.
     *
     * @return whether it does
     */
    public boolean heal() throws InterruptedException {
        return command("heal", HEAL) & command("ready", List.of("ready"));
    }

    private boolean command(String f, List<String> command) throws InterruptedException {
        recorder.nemesis(f, String.join(" ", command));
        try {
            String said = cluster.run(command.toArray(String[]::new));
            recorder.nemesis(f, said.isBlank() ? "done" : said);
            return true;
        } catch (IOException e) {
            recorder.nemesis(f, e.getMessage());
            return false;
        }
    }

    private static void sleep(int seconds, BooleanSupplier goOn) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (goOn.getAsBoolean() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
