package org.fencepost.simulation.mediator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.MixedChecker;
import org.fencepost.protocol.history.Violation;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorTransaction;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.mediator.MediatorClient.Note;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.DeadEndException;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.DriftingClock;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.RegionServer;
import org.fencepost.simulation.world.Run;
import org.fencepost.simulation.world.Scheduler;
import org.fencepost.tm.mediator.Helper;

/**
 * One run of Mediator as it is, by a {@link Plan}: users, a status oracle that dies and recovers, its helper, and database servers, until the users
 * have done their operations; then everything heals; then the run is judged.
 *
 * <p>Healing: faults end, late messages arrive, a status oracle serves, and the helper makes one pass. After that no entry of the ring
 * may be active, what is in the log must be in the database and nothing else but native puts, and native puts and transactions must get through
 * on every key.
 *
 * <p>A run fails by what users saw (the definition of its isolation level), by what they were told (AnswersTrue), by a stamp beyond the
 * oracle's clock (ClockBounded), by a native operation that fails for no reason (NativesNeverAbort), by an assertion, by not coming to its
 * end, or by what is left.
 */
public final class MediatorSimulation {

    private static final long MAX_STEPS = 50_000;
    /** By which a native operation may fail. */
    private static final Set<Fault> FAILING_NATIVES = EnumSet.of(Fault.DEATH, Fault.LOST_REQUEST, Fault.LOST_ANSWER, Fault.LATE_PUT, Fault.REGION_MOVE,
            Fault.SERVER_CRASH);

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final LedgerServer ledgers;
    private final MediatorServers servers;
    private final OracleProcess oracle;
    /** Of the status oracle when it recovers. */
    private final Network recovery;
    private final List<Note> notes = new ArrayList<>();
    private Failure stampFailure;
    private long lastValue;
    private int clientsLeft;
    /** Clients, later the healer: while there are any, the servers go on. */
    private int busy;

    private MediatorSimulation(Plan plan, Carriers carriers) {
        this.plan = plan;
        this.scheduler = new Scheduler(carriers, MAX_STEPS);
        this.log = new EventLog(scheduler);
        this.ledgers = new LedgerServer(plan, scheduler, log);
        this.servers = new MediatorServers(plan, scheduler, log, this::stamped);
        this.recovery = new Network(plan, scheduler, log, plan.random("recovery"), false);
        this.oracle = new OracleProcess(plan, scheduler, log, ledgers,
                (writes, commitTs) -> new MediatorEndpoint(null, servers, recovery, log).servers.writeBack(writes, commitTs), () -> busy > 0);
        for (int i = 1; i <= plan.regionServers(); i++) {
            SplittableRandom random = plan.random("RS " + i);
            MediatorEndpoint endpoint = endpoint(random);
            servers.add(new RegionServer("RS " + i, plan, scheduler, log, endpoint.time, endpoint.network(), random, servers::crash, () -> busy > 0));
        }
        servers.openAll();
    }

    public static Run run(Plan plan, Carriers carriers) {
        MediatorSimulation simulation = new MediatorSimulation(plan, carriers);
        Failure failure = simulation.failure();
        return new Run(plan, failure, simulation.history(), simulation.log, null, simulation.scheduler.steps());
    }

    private Failure failure() {
        try {
            scheduler.run(withServers(parts()));
            scheduler.run(withServers(List.of(new Scheduler.Part("healer", this::heal))));
        } catch (DeadEndException e) {
            return new Failure("DeadEnd", e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("A run was interrupted.", e);
        } catch (Throwable e) {
            return new Failure("Assertion", e.toString(), e);
        }
        return stampFailure != null ? stampFailure : judge();
    }

    /** See ClockBounded in specs/Mediator.tla. */
    private void stamped(long ts) {
        if (ts >= oracle.clock() + plan.leap() && stampFailure == null) {
            stampFailure = new Failure("ClockBounded", "a put is stamped " + ts + ", and the oracle's clock is " + oracle.clock(), null);
        }
    }

    // ---- the run

    private List<Scheduler.Part> parts() {
        List<Scheduler.Part> parts = new ArrayList<>();
        clientsLeft = plan.clients();
        for (int i = 0; i < plan.clients(); i++) {
            String name = "client " + (i + 1);
            int budget = plan.operations() / plan.clients() + (i < plan.operations() % plan.clients() ? 1 : 0);
            MediatorClient client = client(name, endpoint(plan.random(name)), budget);
            parts.add(new Scheduler.Part(name, () -> {
                client.run();
                clientsLeft--;
            }));
        }
        parts.add(new Scheduler.Part("helper 1", this::help));
        return parts;
    }

    /** Servers go on as long as one of the parts. */
    private List<Scheduler.Part> withServers(List<Scheduler.Part> parts) {
        busy = parts.size();
        List<Scheduler.Part> all = new ArrayList<>();
        for (Scheduler.Part part : parts) {
            all.add(new Scheduler.Part(part.name(), () -> {
                part.body().run();
                busy--;
            }));
        }
        all.add(new Scheduler.Part(OracleProcess.NAME, oracle));
        servers.servers().forEach(server -> all.add(new Scheduler.Part(server.name(), server)));
        return all;
    }

    private MediatorEndpoint endpoint(SplittableRandom random) {
        return new MediatorEndpoint(oracle, servers, new Network(plan, scheduler, log, random, false), log);
    }

    private MediatorClient client(String name, MediatorEndpoint endpoint, int budget) {
        return new MediatorClient(name, plan, scheduler, endpoint, mediator(endpoint), log, budget, () -> ++lastValue, notes);
    }

    private Mediator<String, Long> mediator(MediatorEndpoint endpoint) {
        return new Mediator<>(endpoint.oracle, endpoint.log, endpoint.servers,
                new DriftingClock(scheduler, 0, plan.random("clock"), "client", log), plan.mediator()::hash, plan.mediator().settings, log);
    }

    /** A helper that dies is replaced. */
    private void help() {
        SplittableRandom random = plan.random("helper");
        MediatorEndpoint endpoint = endpoint(random);
        Helper<Map<String, Long>> helper = new Helper<>(endpoint.helped, endpoint.servers::writeBack, log);
        while (clientsLeft > 0) {
            scheduler.pause(1 + random.nextLong(plan.mediator().helperPauseNanos));
            try {
                pass(endpoint, helper);
            } catch (TransactionException | Death e) {
                // the next pass makes up for it
            }
        }
    }

    private static void pass(MediatorEndpoint endpoint, Helper<Map<String, Long>> helper) {
        for (long commitTs : endpoint.active()) {
            helper.settle(commitTs);
        }
    }

    // ---- healing

    private void heal() {
        SplittableRandom random = plan.random("healer");
        MediatorEndpoint endpoint = endpoint(random);
        endpoint.network().heal();
        recovery.heal();
        oracle.heal();
        servers.heal();
        scheduler.pause(plan.messageLifeNanos());
        requireService(endpoint);
        try {
            pass(endpoint, new Helper<>(endpoint.helped, endpoint.servers::writeBack, log));
            if (endpoint.active().length > 0) {
                throw new DeadEndException("after the helper's pass entries of the ring are still active: " + endpoint.active().length);
            }
        } catch (StoreException | TransactionManagerException e) {
            throw new DeadEndException("without faults the helper fails: " + e.getMessage());
        }
        requireProgress(endpoint);
    }

    /** Some status oracle serves again, as soon as it has recovered (TsoServes). */
    private void requireService(MediatorEndpoint endpoint) {
        for (int attempt = 0; attempt < 100 && oracle.tso() == null; attempt++) {
            scheduler.pause(plan.messageLifeNanos());
        }
        if (oracle.tso() == null) {
            throw new DeadEndException("no status oracle serves");
        }
    }

    /** Alone and without faults, native puts are answered, and a transaction commits at the first attempt and is seen. */
    private void requireProgress(MediatorEndpoint endpoint) {
        MediatorClient client = client("healer", endpoint, Integer.MAX_VALUE);
        Mediator<String, Long> mediator = mediator(endpoint);
        try {
            for (String key : plan.keys()) {
                client.put(key);
                if (notes.get(notes.size() - 1).told.isEmpty()) {
                    throw new DeadEndException("alone and without faults a native put of " + key + " fails");
                }
                for (int i = 0; i < 2; i++) {
                    transactAlone(client, mediator, key);
                }
            }
        } catch (TransactionException e) {
            throw new DeadEndException("alone and without faults: " + e.getMessage());
        }
    }

    private void transactAlone(MediatorClient client, Mediator<String, Long> mediator, String key) {
        if (plan.mediator().collisions) {
            scheduler.pause(plan.messageLifeNanos()); // for what the oracle is still to be told
            oracle.tso().oracle().evict(); // filters may be to blame for an abort
        }
        long begun = scheduler.nanos();
        MediatorTransaction<String, Long> tx = mediator.begin();
        Note note = new Note(new HistoryTransaction(begun, tx.startTs()).by("healer"));
        note.tx = tx;
        notes.add(note);
        client.read(tx, note, plan.keys());
        client.write(tx, note, key);
        mediator.commit(tx);
        note.told(Outcome.COMMITTED, scheduler.nanos());
        Version<Long> found = client.get(key);
        if (found == null || found.ts() != tx.commitTs()) {
            throw new DeadEndException("what was committed at " + tx.commitTs() + " is not found: " + found);
        }
    }

    // ---- the verdict

    private Failure judge() {
        for (Note note : notes) {
            boolean committed = hasCommitted(note);
            Outcome untrue = committed ? Outcome.ABORTED : Outcome.COMMITTED;
            if (note.told.contains(untrue) || note.resolved == untrue) {
                return new Failure("AnswersTrue", note.record + " was told " + untrue + ", and it has " + (committed ? "committed" : "not"), null);
            }
        }
        Optional<Note> refused = Collections.disjoint(plan.faults(), FAILING_NATIVES)
                ? notes.stream().filter(note -> note.tx == null && note.told.isEmpty()).findFirst() : Optional.empty();
        if (refused.isPresent()) {
            return new Failure("NativesNeverAbort", refused.get().record + " failed, and nothing else did", null);
        }
        List<Violation> violations = plan.mediator().serializable ? MixedChecker.checkSerializability(history())
                : MixedChecker.checkSnapshotIsolation(history());
        if (!violations.isEmpty()) {
            return new Failure(violations.get(0).axiom().name(), violations.get(0).toString(), null);
        }
        return judgeDatabase();
    }

    /** What has committed is in the database, and nothing else. */
    private Failure judgeDatabase() {
        int committed = 0;
        for (Note note : notes) {
            for (Map.Entry<String, Long> write : hasCommitted(note) ? note.values.entrySet() : Map.<String, Long>of().entrySet()) {
                committed++;
                if (!write.getValue().equals(servers.versions(write.getKey()).get(commitTs(note)))) {
                    return new Failure("DeadEnd", "what " + note.record + " wrote to " + write.getKey() + " at " + commitTs(note)
                            + " is not in the database", null);
                }
            }
        }
        int stored = plan.keys().stream().mapToInt(key -> servers.versions(key).size()).sum();
        return stored == committed ? null : new Failure("NoDirtyRead", "the database has " + stored + " versions, and " + committed
                + " were committed", null);
    }

    /** A native put or a put transaction; or a transaction of one write that never had a commit timestamp, and is nowhere. */
    private boolean isPut(Note note) {
        return note.values.size() == 1 && (note.tx == null || note.tx.commitTs() == 0 || note.tx.commitTs() % plan.leap() != 0);
    }

    /** By the log; of native puts and put transactions by the database; of others, which write nothing, as they were told. */
    private boolean hasCommitted(Note note) {
        if (note.values.isEmpty()) {
            return note.told.contains(Outcome.COMMITTED);
        }
        return isPut(note) ? commitTs(note) != 0 : ledgers.commits(note.tx.commitTs());
    }

    private long commitTs(Note note) {
        if (isPut(note)) {
            String key = note.values.keySet().iterator().next();
            return servers.find(key, note.values.get(key));
        }
        return note.tx == null ? 0 : note.tx.commitTs();
    }

    /** What users saw; how each operation ended is taken from those who know what its user may not. */
    private History history() {
        History history = new History();
        for (Note note : notes) {
            long answered = note.told.contains(Outcome.COMMITTED) ? note.toldNanos : Long.MAX_VALUE;
            history.add(note.record.end(hasCommitted(note) ? Outcome.COMMITTED : Outcome.ABORTED, commitTs(note), answered));
        }
        return history;
    }
}
