package org.fencepost.conformance.failover;

import static org.fencepost.tm.zookeeper.SharedObjects.LEASE;
import static org.fencepost.tm.zookeeper.SharedObjects.MAX_TS;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.fencepost.audit.models.StateGraph.State;
import org.fencepost.audit.text.TlaValue;
import org.fencepost.conformance.failover.ManagerPuppet.Desk;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.conformance.replay.Replay;
import org.fencepost.conformance.replay.Step;
import org.fencepost.conformance.replay.Values;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.zookeeper.EpochRecord;

/**
 * The transaction manager's failover: lease, epochs and conflict table as the server has them. Clients are bookkeeping, and
 * the serving thread does what the server's does: it looks at the lease when it has received a request, and carries it out.
 *
 * <p>A step of the specification is a call that reaches ZooKeeper, or an answer that reaches the process. What is taken
 * together or apart:
 * <ul>
 * <li>A process waits with a call before it sends it. If time has gone by since, or it should do something else first, that
 *     call is not made, and it begins again with what it saw of the lease before: ZooKeeper's reads may be old.
 * <li>TakeOver and TakeOverAgain read maxTS.
 * <li>A swap whose outcome is unknown is looked up before it is repeated: ExtendEpoch, SwapMaxTs and FindEpoch are this look
 *     where the specification swaps again, and is refused.
 * <li>Halt is whatever the process does until it finds that it was deposed. It is a challenger at once then; Restart is
 *     silent.
 * </ul>
 *
 * <p>Timestamps: the specification's 1 is the code's first. Not compared is the history.
 */
public final class FailoverReplay extends Replay {

    private static final int MOST_TRIES = 4;
    private static final Set<String> HISTORY = Set.of("committed", "precedes", "floor", "given", "faults");

    /** A write that ZooKeeper may execute when nobody waits for it any more. */
    private record Stray(String object, int version, Runnable effect) {
    }

    private final ZooKeeper zooKeeper = new ZooKeeper();
    private final Map<String, ManagerPuppet> managers = new LinkedHashMap<>();
    private final List<String> keys;
    /** The last write that a process has sent and not waited for. */
    private final Map<String, Stray> strayWrites = new HashMap<>();
    private final Map<String, Stray> straySwaps = new HashMap<>();
    private final FailoverClients clients;
    private final String first;

    /** @param initial one of them serves, with its first epoch, and the others have seen it */
    public FailoverReplay(State initial, Carriers carriers) {
        super(carriers);
        int epochLength = (int) Values.number(initial.get("maxTs"));
        List<String> names = Values.domain(initial.get("role"));
        names.forEach(name -> managers.put(name, new ManagerPuppet(name, scheduler, zooKeeper, epochLength)));
        this.clients = new FailoverClients(Values.domain(initial.get("status")));
        this.keys = Values.domain(Values.at(initial.get("lastCommit"), names.get(0)));
        this.first = Values.text(initial.get("holder"));
    }

    @Override
    public Collection<ManagerPuppet> puppets() {
        return managers.values();
    }

    @Override
    public void begin() {
        ManagerPuppet primary = managers.get(first);
        for (primary.step(); primary.call() != null; primary.goOn()) {
            continue;
        }
        primary.known = zooKeeper.read(LEASE);
        managers.values().stream().filter(m -> m != primary).forEach(this::look);
    }

    // ---- what a step is

    /** Told by its label; who takes it is who changes. */
    public static Step step(State from, State to, String label) {
        String process = changed(from, to, "role", "age", "call", "epoch", "desk");
        if (label.equals("ObserveLease") && process == null) {
            process = changedItem(from, to, "current");
        }
        if (label.startsWith("Late")) {
            process = Values.text(to.get(label.equals("LateSwap") ? "raiser" : "holder"));
        }
        boolean receipt = label.equals("Receive");
        String txn = receipt ? Values.text(Values.field(Values.items(Values.at(to.get("desk"), process)).iterator().next(), "txn"))
                : changed(from, to, "status", "waiting");
        return new Step(label, label.equals("Tick") ? null : process, txn, null, null, from, to);
    }

    /** At which name one of the variables, which are functions, changes; null if at none. */
    private static String changed(State from, State to, String... variables) {
        for (String variable : variables) {
            for (String name : Values.domain(from.get(variable))) {
                if (!Values.at(from.get(variable), name).equals(Values.at(to.get(variable), name))) {
                    return name;
                }
            }
        }
        return null;
    }

    /** Which name enters a set; null if none does. */
    private static String changedItem(State from, State to, String variable) {
        return Values.items(to.get(variable)).stream().filter(item -> !Values.has(from.get(variable), item)).map(Values::text)
                .findFirst().orElse(null);
    }

    @Override
    public void take(Step step) {
        carryOut(step);
        ManagerPuppet tm = managers.get(step.process());
        if (tm != null && tm.halted && !Set.of("Halt", "LateLeaseWrite", "LateSwap").contains(step.action())) {
            throw new Refused(tm + " halts");
        }
    }

    private void carryOut(Step step) {
        ManagerPuppet tm = step.process() == null ? null : managers.get(step.process());
        switch (step.action()) {
            case "Tick" -> managers.values().forEach(m -> m.tick(1));
            case "ObserveLease" -> observeLease(tm == null ? idleObserver() : tm);
            case "AcquireLease" -> acquireLease(tm);
            case "RenewLease" -> renewLease(tm);
            case "WriteLease" -> writeLease(tm);
            case "HoldLease" -> hear(tm, Kind.ZK_WRITE_ANSWER, LEASE);
            case "TakeOver" -> {
                hear(tm, Kind.ZK_WRITE_ANSWER, LEASE);
                tm.agedTicks = tm.leaseSentTicks;
                readMaxTs(tm);
            }
            case "TakeOverAgain" -> {
                hear(tm, Kind.ZK_WRITE_ANSWER, MAX_TS);
                readMaxTs(tm);
            }
            case "ExtendEpoch" -> extendEpoch(tm);
            case "SwapMaxTs" -> swapMaxTs(tm);
            case "HoldEpoch" -> hear(tm, Kind.ZK_WRITE_ANSWER, MAX_TS);
            case "FindEpoch" -> findEpoch(tm);
            case "Receive" -> receive(tm, step.txn());
            case "Begin" -> reply(tm, tm.desk.tenure().begin(tm.desk.receivedNanos()));
            case "RequestCommit" -> requestCommit(tm);
            case "LoseAnswer" -> {
                forsake(tm);
                if (tm.takesOverFrom >= 0) {
                    throw new Refused(tm + " begins anew as a challenger");
                }
            }
            case "LateLeaseWrite" -> strayWrites.remove(step.process()).effect().run();
            case "LateSwap" -> straySwaps.remove(step.process()).effect().run();
            case "Halt" -> halt(tm);
            case "Crash" -> {
                forsake(tm);
                tm.end();
                forget(tm);
            }
            case "Restart" -> restart(tm);
            default -> clients.take(step);
        }
    }

    // ---- the lease

    private static void require(ManagerPuppet tm, Kind kind, String object) {
        if (!tm.isAt(kind, object)) {
            throw new Refused(tm + " should wait with " + kind + " of " + object);
        }
    }

    private static void hear(ManagerPuppet tm, Kind answer, String object) {
        require(tm, answer, object);
        tm.goOn();
    }

    /** Somebody who looks again and sees what it saw. */
    private ManagerPuppet idleObserver() {
        return managers.values().stream().filter(m -> m.role().equals("backup") && m.specCall().equals("none") && knowsPresent(m)).findFirst()
                .orElseThrow(() -> new Refused("nobody would look at the lease"));
    }

    private void observeLease(ManagerPuppet tm) {
        if (tm.isAt(Kind.ZK_WRITE_ANSWER, LEASE)) {
            tm.goOn(); // refused
        }
        if (tm.role().equals("primary")) {
            tm.drop();
            tm.step();
            require(tm, Kind.ZK_READ, LEASE);
            tm.goOn();
            tm.known = tm.read;
        } else {
            look(tm);
        }
    }

    /** A backup's look at the lease, and the answer. */
    private void look(ManagerPuppet tm) {
        boolean asBefore = knowsPresent(tm);
        tm.drop();
        tm.step();
        require(tm, Kind.ZK_READ, LEASE);
        tm.goOn();
        tm.goOn();
        tm.known = tm.read;
        tm.agedTicks = asBefore ? tm.agedTicks : tm.ticks();
    }

    private boolean knowsPresent(ManagerPuppet tm) {
        return tm.known != null && tm.known.version() == zooKeeper.read(LEASE).version();
    }

    private void acquireLease(ManagerPuppet tm) {
        if (!(tm.isAt(Kind.ZK_WRITE, LEASE) && tm.leaseSentTicks == tm.ticks())) {
            beginAnew(tm);
        }
        send(tm, LEASE);
    }

    /** As if it had gone on right after its last look, which was long ago. */
    private void beginAnew(ManagerPuppet tm) {
        tm.drop();
        tm.step();
        if (tm.isAt(Kind.ZK_READ, LEASE) && tm.known != null) {
            tm.stale = tm.known;
            tm.goOn();
            tm.stale = null;
            tm.goOn();
        }
    }

    private void renewLease(ManagerPuppet tm) {
        if (tm.tenure() == null) {
            throw new Refused(tm + " does not serve yet");
        }
        if (tm.isAt(Kind.ZK_READ_ANSWER, LEASE)) {
            tm.goOn();
        } else {
            beginAnew(tm);
        }
        send(tm, LEASE);
    }

    private static void send(ManagerPuppet tm, String object) {
        require(tm, Kind.ZK_WRITE, object);
        tm.sent = true;
    }

    private void writeLease(ManagerPuppet tm) {
        require(tm, Kind.ZK_WRITE, LEASE);
        tm.goOn();
        tm.sent = false;
        if (tm.written >= 0) {
            tm.known = zooKeeper.read(LEASE);
        }
    }

    // ---- epochs

    private void readMaxTs(ManagerPuppet tm) {
        hear(tm, Kind.ZK_READ, MAX_TS);
        tm.goOn();
        tm.takesOverFrom = EpochRecord.parse(tm.read.text()).limit();
        require(tm, Kind.ZK_WRITE, MAX_TS);
    }

    private void extendEpoch(ManagerPuppet tm) {
        if (!tm.isAt(Kind.ZK_WRITE, MAX_TS)) {
            tm.drop();
            tm.step();
            lookUpSwap(tm);
        }
        if (!tm.isAt(Kind.ZK_READ_ANSWER, MAX_TS)) {
            require(tm, Kind.ZK_WRITE, MAX_TS);
        }
        tm.sent = true;
    }

    /** If it does not know what became of its last swap: up to the answer, or to the next swap where it was not executed. */
    private void lookUpSwap(ManagerPuppet tm) {
        if (tm.isAt(Kind.ZK_READ, MAX_TS)) {
            tm.goOn();
            EpochRecord present = EpochRecord.parse(tm.read.text());
            if (present.owner().equals(tm.owner()) && present.limit() == tm.tenure().durableLimit()) {
                tm.goOn();
            }
        }
    }

    private void swapMaxTs(ManagerPuppet tm) {
        if (tm.isAt(Kind.ZK_READ_ANSWER, MAX_TS)) {
            if (tm.read.version() != zooKeeper.read(MAX_TS).version()) {
                tm.drop();
                tm.step();
                lookUpSwap(tm);
            }
        } else {
            require(tm, Kind.ZK_WRITE, MAX_TS);
            tm.goOn();
        }
        tm.sent = false;
    }

    private void findEpoch(ManagerPuppet tm) {
        if (tm.isAt(Kind.ZK_WRITE_ANSWER, MAX_TS) && tm.tenure() != null) {
            tm.goOn(); // refused
            tm.step();
            lookUpSwap(tm);
        }
        hear(tm, Kind.ZK_READ_ANSWER, MAX_TS);
    }

    // ---- requests

    private void receive(ManagerPuppet tm, String txn) {
        if (tm.tenure() == null || !tm.tenure().leaseHeld(tm.nanos())) {
            throw new Refused(tm + " does not serve");
        }
        tm.desk = new Desk(clients.waitsFor(txn), txn, tm.nanos(), tm.tenure());
    }

    private void requestCommit(ManagerPuppet tm) {
        long[] hashes = clients.writes(tm.desk.txn()).stream().mapToLong(this::hash).toArray();
        long startTs = clients.readTs(tm.desk.txn()) + ZooKeeper.BASE - 1;
        if (!tm.desk.tenure().begun(startTs)) {
            throw new Refused(tm + " knows no transaction " + startTs);
        }
        reply(tm, tm.desk.tenure().requestCommit(startTs, hashes, hashes.length, 0, tm.desk.receivedNanos()));
    }

    private long hash(String key) {
        return keys.indexOf(key) + 1;
    }

    private void reply(ManagerPuppet tm, long answer) {
        if (answer == Tenure.NO_TIMESTAMPS) {
            throw new Refused(tm + " has no timestamps");
        }
        clients.answer(tm.desk.kind(), tm.desk.txn(), answer < 0 ? 0 : inSpec(answer));
        tm.desk = null;
    }

    // ---- failures

    /** It hears no more of its call, which may be executed later. */
    private void forsake(ManagerPuppet tm) {
        if (tm.sent && tm.isAt(Kind.ZK_WRITE)) {
            String object = tm.call().key();
            Runnable effect = tm.call().take(object)::get;
            (object.equals(LEASE) ? strayWrites : straySwaps).put(tm.name(), new Stray(object, tm.expected(), effect));
        }
        tm.drop();
    }

    private void forget(ManagerPuppet tm) {
        tm.known = null;
        tm.desk = null;
        tm.takesOverFrom = -1;
    }

    private void halt(ManagerPuppet tm) {
        forsake(tm);
        tm.halted = tm.tenure() == null; // who does not serve yet is a challenger again
        for (int i = 0; i < MOST_TRIES && !tm.halted; i++) {
            tm.step();
            while (tm.call() != null && !tm.halted && seesAnother(tm)) {
                tm.goOn();
            }
            tm.drop();
        }
        if (!tm.halted) {
            throw new Refused(tm + " goes on");
        }
        forget(tm);
    }

    /** It looks, or tries what will be refused. */
    private boolean seesAnother(ManagerPuppet tm) {
        return !tm.isAt(Kind.ZK_WRITE) || tm.expected() != zooKeeper.read(tm.call().key()).version();
    }

    private static void restart(ManagerPuppet tm) {
        if (tm.isDead()) {
            tm.start();
        }
        tm.halted = false;
        tm.agedTicks = tm.ticks();
    }

    // ---- the code's state

    private static long inSpec(long timestamp) {
        return timestamp == 0 ? 0 : timestamp - ZooKeeper.BASE + 1;
    }

    private static long inSpecAsBound(long limit) {
        return limit - ZooKeeper.BASE;
    }

    @Override
    public TlaValue value(String variable) {
        if (HISTORY.contains(variable)) {
            return null;
        }
        return switch (variable) {
            case "maxTs" -> Values.number(inSpecAsBound(zooKeeper.maxTs().limit()));
            case "raiser" -> name(zooKeeper.maxTs().owner());
            case "holder" -> name(zooKeeper.lease().owner());
            case "current" -> Values.names(names(this::knowsPresent));
            case "strayWrites" -> strays(strayWrites);
            case "straySwaps" -> strays(straySwaps);
            case "role" -> ofTm(tm -> Values.string(tm.role()));
            case "age" -> ofTm(tm -> Values.number(tm.age()));
            case "call" -> ofTm(tm -> Values.string(tm.specCall()));
            case "sentAge" -> ofTm(tm -> Values.number(tm.sentAge()));
            case "epoch" -> ofTm(tm -> bound(tm, Tenure::durableLimit));
            case "clock" -> ofTm(tm -> bound(tm, tenure -> tenure.condition(tm.nanos()).nextTimestamp()));
            case "lowWatermark" -> ofTm(tm -> bound(tm, tenure -> tenure.condition(tm.nanos()).lowWatermark()));
            case "lastCommit" -> ofTm(tm -> Values.function(keys, key -> Values.number(
                    tm.tenure() == null ? 0 : inSpec(tm.tenure().lastCommit(hash(key))))));
            case "desk" -> ofTm(tm -> Values.set(Stream.ofNullable(tm.desk).map(desk -> request(desk.kind(), desk.txn()))));
            default -> clients.value(variable);
        };
    }

    private TlaValue ofTm(Function<ManagerPuppet, TlaValue> value) {
        return Values.function(managers.keySet(), name -> value.apply(managers.get(name)));
    }

    private Stream<String> names(Predicate<ManagerPuppet> which) {
        return managers.values().stream().filter(which).map(Puppet::name);
    }

    private static TlaValue name(String owner) {
        return Values.name(owner.equals(ZooKeeper.NOBODY) ? "NoTm" : owner.split("\\.")[0]);
    }

    private static TlaValue request(String kind, String txn) {
        return Values.record("kind", Values.string(kind), "txn", Values.name(txn));
    }

    /** Those that would still be executed. */
    private TlaValue strays(Map<String, Stray> strays) {
        return Values.names(strays.entrySet().stream()
                .filter(e -> e.getValue().version() == zooKeeper.read(e.getValue().object()).version()).map(Map.Entry::getKey));
    }

    private static TlaValue bound(ManagerPuppet tm, Function<Tenure, Long> limit) {
        return Values.number(tm.tenure() != null ? inSpecAsBound(limit.apply(tm.tenure()))
                : tm.takesOverFrom >= 0 ? inSpecAsBound(tm.takesOverFrom) : 0);
    }
}
