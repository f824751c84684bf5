package org.fencepost.simulation.world;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Kind;
import org.fencepost.protocol.history.HistoryTransaction.Operation;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.NdjsonTracer;
import org.fencepost.simulation.omid.Account;

/**
 * A run that is over.
 *
 * @param failure null if it is as it should be
 * @param account what became of everything; null for a run of Mediator or pH1
 * @param steps   how often the scheduler decided
 */
public record Run(Plan plan, Failure failure, History history, EventLog log, Account account, long steps) {

    /** By which a manager is not answered. */
    private static final Set<Fault> LOSSES = EnumSet.of(Fault.SESSION_LOSS, Fault.ZOOKEEPER_LOST, Fault.ZOOKEEPER_LATE);
    private static final Set<Action> OF_CLIENTS = EnumSet.of(Action.Brc, Action.Br, Action.Bwc, Action.Wc, Action.LoseFastAnswer, Action.StoreVersion, Action.BootstrapClock);

    /** The clock that a server answers if it does not know the time. */
    private static final long CANNOT_TELL = -1;

    /** Of Mediator: what nobody else logs where it takes place, and what clients were answered. */
    private static final Set<Action> NOT_SERVED = EnumSet.of(Action.NativeGet, Action.TxGet, Action.TxPut, Action.GiveUp, Action.EndReadOnly, Action.AppendLog,
            Action.TxCommit, Action.NativePut, Action.StorePut, Action.SyncServer, Action.Evict, Action.SettleEntry, Action.CloseLog, Action.OpenTso);
    /** Of Mediator: nobody loses anything by these. */
    private static final Set<Fault> DELAYS = EnumSet.of(Fault.HELD_BACK, Fault.STALL);

    /** Of pH1: what servers log where they carry it out, and how the run ended. */
    private static final Set<Action> OF_SERVERS = EnumSet.of(Action.RequestCommit, Action.Evict, Action.CollectTombstone);
    private static final Set<String> ACCOUNT = Set.of("Transaction", "Read", "Written", "Cell");

    public boolean failed() {
        return failure != null;
    }

    /** The run for the trace check. */
    public String trace() {
        StringWriter text = new StringWriter();
        switch (plan.protocol()) {
            case "TMFailover" -> managerTrace(text);
            case "FastPath", "OnePhase" -> fastTrace(text);
            case "Mediator" -> mediatorTrace(text);
            case "Fragola" -> ledTrace(text);
            case "Checkpoints" -> levelTrace(text);
            case "IndexFence" -> indexTrace(text);
            case "PH1" -> instanceTrace(text);
            default -> clientTrace(plan.protocol(), text);
        }
        return text.toString();
    }

    private void clientTrace(String protocol, StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer(protocol, text, "seed", plan.seed(), "faults", !isCalm(),
                "collectors", plan.collectors())) {
            actions(tracer);
        }
    }

    private void ledTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer("Fragola", text, "seed", plan.seed(), "faults", false, "collectors", plan.collectors(),
                "managers", takenOver())) {
            actions(tracer);
        }
    }

    private void indexTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer("IndexFence", text, "seed", plan.seed(), "faults", false, "collectors", plan.collectors(),
                "managers", takenOver(), "span", plan.leap(), "rows", String.join(" ", plan.keys()))) {
            actions(tracer);
        }
    }

    private void actions(NdjsonTracer tracer) {
        for (EventLog.Event event : log.events()) {
            if (event.kind() == EventLog.Kind.action) {
                tracer.event(Action.valueOf(event.name()), event.arguments());
            }
        }
        account.write(tracer);
    }

    /** With what applications found, which tells more than that they have looked. */
    private void levelTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer("Checkpoints", text, "seed", plan.seed(), "faults", false, "collectors", plan.collectors(),
                "managers", takenOver(), "span", plan.leap(), "levels", plan.versions().levels())) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.served) {
                    tracer.server(event.name(), event.arguments());
                } else if (event.kind() == EventLog.Kind.action && !event.name().equals(Action.ReadAll.name())) {
                    tracer.event(Action.valueOf(event.name()), event.arguments());
                }
            }
            account.write(tracer);
        }
    }

    /**
     * What servers carry out while their client waits for other answers, too, stands where they do. So does a certification that passes, of who puts
     * meanwhile; a refusal stands where its client hears of it, since until then it goes on.
     */
    private static final class Carried {
        private final Set<Object> buffered = new HashSet<>();
        private final Set<Object> beside = new HashSet<>();
        private final Set<List<Object>> told = new HashSet<>();
        private final Set<EventLog.Event> unanswered = new HashSet<>();
        private final boolean lossy;

        /** A put of several rows fails with one of them: then its client takes none of them for answered. */
        Carried(List<EventLog.Event> events, boolean lossy) {
            this.lossy = lossy;
            Map<List<Object>, Boolean> lost = new HashMap<>();
            for (int i = events.size() - 1; i >= 0; i--) {
                EventLog.Event event = events.get(i);
                if (event.name().equals("Write")) {
                    List<Object> put = List.of(event.arguments()[1], event.arguments()[3]);
                    if (event.kind() == EventLog.Kind.action) {
                        lost.put(put, isLost(event));
                    } else if (lost.getOrDefault(put, false)) {
                        unanswered.add(event);
                    }
                }
            }
        }

        private boolean isLost(EventLog.Event write) {
            return lossy && List.of(write.arguments()).contains("lost");
        }

        /** Whether it stands here, and not elsewhere. */
        boolean stands(EventLog.Event event) {
            boolean served = event.kind() == EventLog.Kind.served;
            List<Object> arguments = List.of(event.arguments());
            return switch (event.name()) {
                case "BufferWrite" -> buffered.add(arguments.get(1)) || true;
                case "PutBeside" -> beside.add(arguments.get(1)) || true;
                case "Write" -> served || isLost(event);
                case "RequestCommit" -> stands(served && beside.contains(arguments.get(1)) && (Long) arguments.get(3) > 0, served, arguments);
                case "PostCommit", "CleanUp" -> stands(served, served, arguments);
                default -> true;
            };
        }

        private boolean stands(boolean here, boolean served, List<Object> arguments) {
            if (here) {
                told.add(arguments);
            }
            return here || !served && !told.contains(arguments);
        }

        /** A put of what was buffered is one more try in the specification; one that is not answered might be late. */
        void write(NdjsonTracer tracer, EventLog.Event event) {
            Object txn = event.arguments()[1];
            Object key = event.arguments()[3];
            Object delete = event.arguments()[5];
            long clock = (Long) event.arguments()[7];
            if (unanswered.contains(event)) {
                tracer.server("LatePut", "key", key, "met", txn, "delete", delete);
            } else if (buffered.contains(txn)) {
                tracer.server("RetryPut", "txn", txn, "key", key, "clock", clock == Long.MAX_VALUE ? CANNOT_TELL : clock);
            } else {
                tracer.server("Write", "txn", txn, "key", key, "delete", delete);
            }
        }
    }

    /** What does not tell its transaction tells its client, or its server. */
    private void fastTrace(StringWriter text) {
        List<Object> header = new ArrayList<>(List.of("seed", plan.seed(), "faults", plan.isLossy(), "collectors", plan.collectors(),
                "managers", takenOver(), "servers", plan.regionServers(), "span", plan.leap()));
        if (plan.isScattered()) {
            plan.keys().forEach(key -> header.addAll(List.of("row " + key, plan.row(key), "region " + key, plan.region(plan.row(key)))));
        }
        Carried carried = new Carried(log.events(), plan.isLossy());
        try (NdjsonTracer tracer = new NdjsonTracer(plan.protocol(), text, header.toArray())) {
            for (EventLog.Event event : log.events()) {
                if (!carried.stands(event)) {
                    continue;
                }
                List<Object> arguments = new ArrayList<>(List.of(event.arguments()));
                boolean refused = event.kind() == EventLog.Kind.refusal;
                if (refused) {
                    arguments.addAll(List.of("cause", event.name()));
                }
                String name = refused ? "RefuseVersion" : event.name();
                if (event.kind() == EventLog.Kind.action && !OF_CLIENTS.contains(Action.valueOf(name))) {
                    tracer.event(Action.valueOf(name), event.arguments());
                } else if (refused || event.kind() == EventLog.Kind.action || name.equals("PutVersion")) {
                    arguments.addAll(List.of("client", event.mover()));
                    tracer.server(name, arguments.toArray());
                } else if (name.equals("Write")) {
                    carried.write(tracer, event);
                } else if (event.kind() == EventLog.Kind.served) {
                    if (arguments.get(0).equals("server")) {
                        arguments.set(1, RegionServer.number((String) arguments.get(1)));
                    }
                    tracer.server(name, arguments.toArray());
                }
            }
            account.write(tracer);
            account.writeFast(tracer);
        }
    }

    /** What a server carries out stands there, and not where its client has the answer. */
    private void mediatorTrace(StringWriter text) {
        List<Object> header = new ArrayList<>(List.of("seed", plan.seed(), "faults", !DELAYS.containsAll(plan.faults()), "delta", plan.leap(),
                "serializable", plan.mediator().serializable ? 1 : 0, "ring", plan.mediator().ringEntries, "collisions", plan.mediator().collisions));
        plan.mediator().hosts().forEach((key, server) -> header.addAll(List.of("host " + key, server)));
        try (NdjsonTracer tracer = new NdjsonTracer("Mediator", text, header.toArray())) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.served || event.kind() == EventLog.Kind.action && NOT_SERVED.contains(Action.valueOf(event.name()))) {
                    List<Object> arguments = new ArrayList<>(List.of(event.arguments()));
                    if (event.name().endsWith("Get") || event.name().equals("WriteBack")) {
                        arguments.addAll(List.of("client", event.mover()));
                    } else if (event.name().equals("GiveTime") || event.name().equals("SyncServer")) {
                        arguments.addAll(List.of("server", RegionServer.number(event.mover())));
                    }
                    tracer.server(event.name(), arguments.toArray());
                } else if (event.name().equals(Fault.SERVER_CRASH.name())) {
                    tracer.server("CrashServer", "server", RegionServer.number((String) event.arguments()[1]));
                } else if (event.name().equals(Fault.ORACLE_CRASH.name())) {
                    tracer.server("CrashTso", event.arguments());
                }
            }
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.change && event.name().startsWith("key ")) {
                    long ts = Long.parseLong(((String) event.arguments()[0]).substring("version ".length()));
                    tracer.account("Version", "key", event.name().substring("key ".length()), "ts", ts);
                }
            }
            for (HistoryTransaction tx : history.transactions()) {
                if (!tx.isNative()) {
                    tracer.account("Transaction", "txn", tx.startTs(), "committed", tx.outcome() == Outcome.COMMITTED, "reads",
                            tx.operations().stream().filter(op -> op.kind() == Kind.READ).map(Operation::key).distinct().count());
                }
            }
        }
    }

    /** What a server carries out stands there, and not where its client has the answer. */
    private void instanceTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer("PH1", text, "seed", plan.seed(), "faults", !plan.faults().isEmpty(), "instances", Plan.instances().size())) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.action && !OF_SERVERS.contains(Action.valueOf(event.name()))) {
                    tracer.event(Action.valueOf(event.name()), event.arguments());
                } else if (event.kind() == EventLog.Kind.served && ACCOUNT.contains(event.name())) {
                    tracer.account(event.name(), event.arguments());
                } else if (event.kind() == EventLog.Kind.served) {
                    tracer.server(event.name(), event.arguments());
                }
            }
        }
    }

    /** Times in microseconds, drift in thousandths. */
    private void managerTrace(StringWriter text) {
        try (NdjsonTracer tracer = new NdjsonTracer("TMFailover", text, "seed", plan.seed(), "lease", plan.leaseNanos() / 1_000,
                "patience", plan.leaseNanos() / 1_000 + plan.driftMillis() * 1_000, "drift", (int) (1_000 * plan.drift()),
                "leap", plan.leap(), "epoch", plan.epochLength(), "lossy", LOSSES.stream().anyMatch(plan::has))) {
            for (EventLog.Event event : log.events()) {
                if (event.kind() == EventLog.Kind.server || event.kind() == EventLog.Kind.manager) {
                    List<Object> arguments = new ArrayList<>(List.of("at", event.nanos() / 1_000));
                    arguments.addAll(List.of(event.arguments()));
                    tracer.server(event.name(), arguments.toArray());
                }
            }
            account.writeReceived(tracer, answers());
        }
    }

    /** To commit requests, as far as clients received them. */
    private Map<Object, Object> answers() {
        Map<Object, Object> answers = new HashMap<>();
        for (EventLog.Event event : log.events()) {
            if (event.kind() == EventLog.Kind.action && event.name().equals(Action.RequestCommit.name())) {
                answers.put(event.arguments()[1], event.arguments()[3]); // txn, answer
            }
        }
        return answers;
    }

    /** Another transaction manager is a fault to the clients of the first one, whatever made it necessary. */
    private boolean isCalm() {
        return plan.faults().isEmpty() && takenOver() <= 1;
    }

    /** How many transaction managers have, the first one included. */
    private long takenOver() {
        return log.events().stream().filter(event -> event.kind() == EventLog.Kind.manager && event.name().equals(Action.TakeOver.name())).count();
    }
}
