package org.fencepost.simulation.ph1;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.ph1.PH1;
import org.fencepost.protocol.ph1.PH1Transaction;
import org.fencepost.protocol.ph1.ReplicatedVersions;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.ph1.Note.Told;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.DeadEndException;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.DriftingClock;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Run;
import org.fencepost.simulation.world.Scheduler;

/**
 * One run of pH1: three instances of the middleware with a user each, and a janitor who ends what dead ones have left and collects tombstones, until the
 * users have done their operations; then everything heals; then the run is judged. It suffers what the {@link Plan} of its seed has for clients, and
 * changes of views.
 *
 * <p>After healing the janitor makes one pass. After that nothing may stand in the way of the horizon, the store must have what was committed last, and
 * a transaction alone must commit on every key and be seen.
 */
public final class PH1Simulation {

    private static final long MAX_STEPS = 50_000;
    private static final List<String> NAMES = Plan.instances();

    /** What a call may take of an actor that is slow. */
    private static final long SLOWEST_NANOS = 45_000_000;

    private record Seen(long nanos, long horizon) {
    }

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final Endpoint.Servers servers;
    private final List<Note> notes = new ArrayList<>();
    private final List<InstanceUser> users = new ArrayList<>();
    private final Deque<Seen> horizons = new ArrayDeque<>();
    private long lastValue;
    private int usersLeft;

    private PH1Simulation(Plan plan, Carriers carriers) {
        this.plan = plan;
        this.scheduler = new Scheduler(carriers, MAX_STEPS);
        this.log = new EventLog(scheduler);
        this.servers = new Endpoint.Servers(log, NAMES);
    }

    public static Run run(Plan plan, Carriers carriers) {
        PH1Simulation simulation = new PH1Simulation(plan, carriers);
        Failure failure = simulation.failure();
        simulation.account();
        return new Run(plan, failure, simulation.history(), simulation.log, null, simulation.scheduler.steps());
    }

    /** What users were told, for those who count. */
    private History history() {
        History history = new History();
        for (Note note : notes) {
            HistoryTransaction tx = new HistoryTransaction(0, note.tx.readTs()).by(note.session);
            note.values.forEach((key, value) -> {
                if (value == null) {
                    tx.delete(key);
                } else {
                    tx.write(key);
                }
            });
            history.add(tx.end(note.told == Told.COMMITTED ? Outcome.COMMITTED : note.told == Told.NOTHING ? Outcome.UNKNOWN : Outcome.ABORTED, note.tx.commitTs(), 0));
        }
        return history;
    }

    /** How the run ended, for the trace: transactions in the order of their begins, what they read of others and wrote, and what the store has. */
    private void account() {
        Map<Long, Long> writers = new HashMap<>();
        notes.forEach(note -> note.values.values().forEach(value -> writers.put(value, note.tx.commitTs())));
        List<Session> sessions = notes.stream().map(note -> note.session).distinct().toList();
        for (int i = 0; i < notes.size(); i++) {
            Note note = notes.get(i);
            log.served("Transaction", "instance", Instances.number(note.instance), "session", sessions.indexOf(note.session), "told", note.told.name().toLowerCase(Locale.ROOT),
                    "reads", note.reads.stream().map(Note.Read::key).distinct().count(), "writes", note.values.size(), "looks", note.looks);
        }
        for (int i = 0; i < notes.size(); i++) {
            for (Note.Read read : notes.get(i).reads) {
                log.served("Read", "number", i, "key", read.key(), "from", read.found() == null ? 0L : writers.getOrDefault(read.found(), -1L));
            }
            for (Map.Entry<String, Long> written : notes.get(i).values.entrySet()) {
                log.served("Written", "number", i, "key", written.getKey(), "delete", written.getValue() == null);
            }
        }
        for (String key : plan.keys()) {
            log.served("Cell", "key", key, "commit", servers.cells.containsKey(key) ? servers.cells.get(key).ts() : 0);
        }
    }

    private Failure failure() {
        try {
            scheduler.run(parts());
            scheduler.run(List.of(new Scheduler.Part("healer", this::heal)));
        } catch (DeadEndException e) {
            return new Failure("DeadEnd", e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("A run was interrupted.", e);
        } catch (Throwable e) {
            return new Failure("Assertion", e.toString(), e);
        }
        return new Judge(notes, ts -> servers.records.containsKey(ts) && servers.records.get(ts).commits(), servers.cells).judge();
    }

    private List<Scheduler.Part> parts() {
        List<Scheduler.Part> parts = new ArrayList<>();
        usersLeft = NAMES.size();
        for (String name : NAMES) {
            Endpoint endpoint = endpoint(name, name);
            InstanceUser user = user(name, endpoint, plan.operations());
            users.add(user);
            parts.add(new Scheduler.Part(name, () -> {
                user.run();
                usersLeft--;
            }));
        }
        parts.add(new Scheduler.Part("janitor", this::cleanUp));
        return parts;
    }

    private Endpoint endpoint(String name, String actor) {
        return new Endpoint(name, servers, new Network(plan, scheduler, log, plan.random(actor), false));
    }

    private InstanceUser user(String name, Endpoint endpoint, int budget) {
        return new InstanceUser(name, plan, scheduler, endpoint, servers, at -> start(name, at), budget, () -> ++lastValue, notes);
    }

    private PH1<String, Long> start(String name, Endpoint endpoint) {
        return new PH1<>(endpoint.certifier, endpoint.log, endpoint.store, new ReplicatedVersions<>(endpoint.group, servers.instances.copy(name)),
                new DriftingClock(scheduler, 0, plan.random("clock"), "client", log), plan.collectorPauseNanos(), 4, tracer(name));
    }

    /** Events tell the instance. */
    private Tracer tracer(String name) {
        return (action, arguments) -> {
            Object[] told = Arrays.copyOf(arguments, arguments.length + 2);
            told[arguments.length] = "instance";
            told[arguments.length + 1] = Instances.number(name);
            log.event(action, told);
        };
    }

    // ---- the janitor, at one instance after the other

    private void cleanUp() {
        SplittableRandom random = plan.random("janitor");
        List<Endpoint> endpoints = NAMES.stream().map(name -> endpoint(name, "janitor at " + name)).toList();
        while (usersLeft > 0) {
            scheduler.pause(1 + random.nextLong(4 * plan.collectorPauseNanos()));
            int at = random.nextInt(NAMES.size());
            try {
                pass(NAMES.get(at), endpoints.get(at).again());
            } catch (TransactionException | Death e) {
                // the next pass makes up for it
            }
        }
    }

    private void pass(String name, Endpoint endpoint) {
        if (servers.instances.inMajority(name)) {
            for (InstanceUser user : users) {
                user.evict();
            }
            PH1<String, Long> ph1 = start(name, endpoint);
            List<Long> flushing = endpoint.certifier.flushing();
            endpoint.network().delay();
            flushing.forEach(ph1::redo);
            collect(ph1);
        }
    }

    /** A deletion that is older than any message: puts from before have arrived, those of instances included that stood still. */
    private void collect(PH1<String, Long> ph1) {
        horizons.add(new Seen(scheduler.nanos(), servers.certifier.horizon()));
        long below = 0;
        for (Seen seen : horizons) {
            below = isOld(seen) ? Math.max(below, seen.horizon()) : below;
        }
        for (String key : plan.keys()) {
            ph1.collectTombstone(key, below);
        }
    }

    private boolean isOld(Seen seen) {
        boolean standStill = plan.faults().contains(Fault.STALL) || plan.faults().contains(Fault.HELD_BACK);
        long standing = standStill ? 4 * (plan.managerLifetimeNanos() + plan.graceNanos() + 2 * plan.collectorPauseNanos()) : 0;
        return scheduler.nanos() - seen.nanos() > plan.messageLifeNanos() + SLOWEST_NANOS + standing;
    }

    // ---- healing

    private void heal() {
        scheduler.pause(plan.messageLifeNanos());
        NAMES.forEach(servers.instances::join);
        String name = NAMES.get(0);
        Endpoint endpoint = endpoint(name, "healer");
        endpoint.network().heal();
        PH1<String, Long> ph1 = start(name, endpoint);
        try {
            endpoint.certifier.flushing().forEach(ph1::redo);
            if (!endpoint.certifier.flushing().isEmpty()) {
                throw new DeadEndException("after the janitor's pass the horizon stands still behind " + endpoint.certifier.flushing());
            }
            plan.keys().forEach(key -> transactAlone(ph1, name, key));
        } catch (TransactionException e) {
            throw new DeadEndException("alone and without faults: " + e.getMessage());
        }
    }

    /** Twice, so that a key that has been written is written again. */
    private void transactAlone(PH1<String, Long> ph1, String name, String key) {
        Session session = new Session();
        for (int i = 0; i < 2; i++) {
            PH1Transaction<String, Long> tx = ph1.begin(session);
            Note note = new Note(tx, name, session, List.of());
            notes.add(note);
            note.reads.add(new Note.Read(key, ph1.read(tx, key)));
            note.looks++;
            long value = ++lastValue;
            note.values.put(key, value);
            ph1.write(tx, key, value);
            ph1.commit(tx);
            note.told = Note.Told.COMMITTED;
        }
    }
}
