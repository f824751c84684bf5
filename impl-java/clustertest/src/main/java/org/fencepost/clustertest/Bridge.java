package org.fencepost.clustertest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SplittableRandom;
import org.fencepost.clustertest.client.Client;
import org.fencepost.clustertest.client.Session;
import org.fencepost.clustertest.client.Target;
import org.fencepost.clustertest.nemesis.Nemesis;
import org.fencepost.clustertest.nemesis.ScriptCluster;
import org.fencepost.clustertest.verdict.Adya;
import org.fencepost.clustertest.verdict.HistoryFile;
import org.fencepost.clustertest.verdict.Op;
import org.fencepost.clustertest.verdict.Verdict;
import org.fencepost.clustertest.workload.Invocation;
import org.fencepost.clustertest.workload.Paths;
import org.fencepost.clustertest.workload.Workload;
import org.fencepost.clustertest.workload.Workloads;

/**
 * What the tests in Clojure use of this module: the same operations by the same seed, carried out by the same client, with the same fields in the history. The
 * system under test is ours, unless the class path has another {@link Target} as a service. One for a test; thread-safe. Operations
 * are maps with the keys "type", "f", "value" and those that {@link Op} adds; micro-operations begin with a text.
 */
public final class Bridge implements AutoCloseable {

    private final Paths paths = new Paths();
    private final Workload workload;
    private final Target target;
    private final SplittableRandom random;
    private final Session session;
    private volatile boolean closed;

    /**
     * Connects to the cluster whose configuration $CLUSTER_CONF names, and makes tables for the test.
     *
     * @param timeout of each request, in milliseconds
     * @throws IllegalArgumentException if there is no such workload, the system cannot do it, or there is no cluster
     * @throws IOException              if the cluster does not serve
     */
    public Bridge(String workload, int timeout, long seed) throws IOException, InterruptedException {
        this.workload = Workloads.named(workload);
        this.random = new SplittableRandom(seed);
        this.target = ServiceLoader.load(Target.class).findFirst().orElse(Target.FENCEPOST);
        target.requireCan(this.workload);
        this.session = target.open(new ScriptCluster(Path.of("cluster/cluster")).configuration(), this.workload, timeout, paths);
        Thread watch = new Thread(this::watch, "failovers");
        watch.setDaemon(true);
        watch.start();
    }

    private void watch() {
        try {
            session.watchFailovers(() -> !closed, epoch -> paths.count(Paths.FAILOVER));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Name of the table, for moves of its regions. */
    public String table() {
        return session.table();
    }

    /** Whether the workload's cluster has bookies. */
    public boolean hasBookies() {
        return workload.isMediators();
    }

    /** The roles that faults strike, some of them more than once, since they are struck more often; none: HBase's. */
    public List<String> struckRoles() {
        return session.roles();
    }

    /** What the workload has to begin with. */
    public List<Map<String, Object>> first() {
        return workload.first().stream().map(Bridge::map).toList();
    }

    /** The next operation of the workload. */
    public synchronized Map<String, Object> next() {
        return map(workload.next(random));
    }

    /** The final reads. */
    public synchronized List<Map<String, Object>> last() {
        return workload.last().stream().map(Bridge::map).toList();
    }

    private static Map<String, Object> map(Invocation invocation) {
        Map<String, Object> map = new LinkedHashMap<>(invocation.more());
        map.put("f", invocation.f());
        map.put("value", invocation.value());
        return map;
    }

    /** Carries an operation out; the answer has "type", "value" and more. Ends within a few timeouts. */
    public Map<String, Object> perform(Map<String, Object> operation) {
        Map<String, Object> more = new LinkedHashMap<>(operation);
        Object f = more.remove("f");
        Object value = more.remove("value");
        Client.Completion end = session.client().perform(new Op(0, 0, Op.Type.invoke, 0L, f.toString(), value, more));
        Map<String, Object> answer = new LinkedHashMap<>(end.more());
        answer.put("type", end.type().name());
        answer.put("value", end.value());
        return answer;
    }

    /** To be told of each region that was moved. */
    public void regionMoved() {
        paths.count(Paths.REGION_MOVE);
    }

    /** How often each path was taken, by name. */
    public Map<String, Long> paths() {
        return paths.taken();
    }

    /** What the workload asks for: the paths that only the history tells, or the others. */
    private Map<String, Integer> asks(boolean ofHistory) {
        Map<String, Integer> asks = new LinkedHashMap<>(target.asks(workload));
        Set<String> told = workload.counts(List.of()).keySet();
        asks.keySet().removeIf(path -> told.contains(path) != ofHistory);
        return asks;
    }

    /**
     * A sentence for each path that was taken fewer times than the workload and the faults ask for in so many seconds; none: all is well. What only the history
     * tells is not counted here.
     */
    public List<String> tooSeldom(String nemesis, long seconds) {
        session.countPaths();
        List<String> seldom = new ArrayList<>(paths.tooSeldom(Paths.within(seconds, asks(false))));
        seldom.addAll(paths.tooSeldom(Paths.within(seconds, Nemesis.asks(nemesis))));
        return seldom;
    }

    /**
     * What {@code make cluster-test} says of a history: each part's name, with "valid" (true, false or "unknown") and "reasons". Looks in the cluster for what
     * only the store tells; so before {@link #close}. Without adya's verdict where adya is not installed: Elle is there.
     *
     * @param history Jepsen's history.edn
     * @param folder  for the completed history, and for all violations
     * @param seconds how long the load lasted
     * @throws IllegalArgumentException if it is no history
     * @throws IOException              if a file cannot be read or written
     */
    public Map<String, Object> judge(Path history, Path folder, long seconds) throws IOException, InterruptedException {
        List<String> missing = new ArrayList<>();
        List<Op> completed = session.completed(HistoryFile.read(history), missing);
        Judgement judgement = Judgement.of(workload, completed, folder);
        Paths told = new Paths();
        workload.counts(completed).forEach(told::add);
        judgement.add("paths", Verdict.unknownFor(told.tooSeldom(Paths.within(seconds, asks(true))), "those that only the history tells were taken as often as asked"));
        judgement.add("store", Verdict.unknownFor(missing, "could be asked for what clients did not learn"));
        Map<String, Object> parts = judgement.json();
        if (Adya.find() == null) {
            parts.remove("adya");
        }
        return parts;
    }

    @Override
    public void close() {
        closed = true;
        session.close();
    }
}
