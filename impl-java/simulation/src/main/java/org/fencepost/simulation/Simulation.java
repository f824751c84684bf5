package org.fencepost.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import org.fencepost.protocol.Collector;
import org.fencepost.protocol.OmidLL;
import org.fencepost.protocol.Record;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Transaction;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.Write;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.ReadStatesChecker;
import org.fencepost.protocol.history.TimestampChecker;
import org.fencepost.protocol.history.Violation;

/**
 * One run of the protocol as it is, by a {@link Plan}: clients and collectors over simulated servers, until the clients
 * have done their operations; then everything heals; then the run is judged.
 *
 * <p>Healing: faults end, late messages arrive, the dead expire, and one collector makes its passes. After that nothing
 * may be left over in the store or in the commit table, and new transactions must commit on every key.
 *
 * <p>A run fails by what clients saw (the isolation checkers), by what they were told (AnswersTrue), by an assertion of
 * the protocol, by not coming to its end, or by leftovers.
 */
public final class Simulation {

    /** A run of 40 operations takes some hundred steps, or a few thousand if collectors are busy during stalls. */
    private static final long MAX_STEPS = 50_000;

    private final Plan plan;
    private final Scheduler scheduler;
    private final EventLog log;
    private final StoreServer store;
    private final CommitTableServer table;
    private final ManagerServer manager;
    private final List<Memo> memos = new ArrayList<>();
    private int clientsLeft;

    private Simulation(Plan plan, Carriers carriers) {
        this.plan = plan;
        this.scheduler = new Scheduler(carriers, MAX_STEPS);
        this.log = new EventLog(scheduler);
        this.store = new StoreServer(plan.deleteMarkers(), log);
        this.table = new CommitTableServer(plan.shards(), log);
        this.manager = new ManagerServer(plan, scheduler, log);
    }

    /** @param carriers threads to run it on; the caller's alone meanwhile */
    public static Run run(Plan plan, Carriers carriers) {
        Simulation simulation = new Simulation(plan, carriers);
        Failure failure = simulation.failure();
        return new Run(plan, failure, simulation.history(), simulation.log,
                new Account(simulation.memos, simulation.store, simulation.table), simulation.scheduler.steps());
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
        return judge();
    }

    // ---- the run

    private List<Scheduler.Part> parts() {
        List<Scheduler.Part> parts = new ArrayList<>();
        clientsLeft = plan.clients();
        for (int i = 0; i < plan.clients(); i++) {
            String name = "client " + (i + 1);
            int budget = plan.operations() / plan.clients() + (i < plan.operations() % plan.clients() ? 1 : 0);
            parts.add(new Scheduler.Part(name, client(name, budget)));
        }
        for (int i = 0; i < plan.collectors(); i++) {
            String name = "janitor " + (i + 1);
            SplittableRandom random = plan.random(name);
            parts.add(new Scheduler.Part(name, new Janitor(plan, endpoint(random, true), store, scheduler,
                    new DriftingClock(scheduler, plan, random), random, () -> clientsLeft > 0, log)));
        }
        return parts;
    }

    private Runnable client(String name, int budget) {
        SplittableRandom random = plan.random(name);
        Endpoint endpoint = endpoint(random, false);
        DriftingClock clock = new DriftingClock(scheduler, plan, random);
        Client client = new Client(plan, scheduler, endpoint.network(), omid(endpoint, clock), random, budget, memos);
        return () -> {
            client.run();
            clientsLeft--;
        };
    }

    private Endpoint endpoint(SplittableRandom random, boolean collector) {
        return new Endpoint(plan, store, table, manager, new Network(plan, scheduler, log, random, collector));
    }

    private OmidLL<String, Long> omid(Endpoint endpoint, DriftingClock clock) {
        return new OmidLL<>(endpoint.store, endpoint.commitTable, endpoint.manager, clock, String::hashCode, plan.settings(), log);
    }

    // ---- healing

    private void heal() {
        SplittableRandom random = plan.random("healer");
        Endpoint endpoint = endpoint(random, false);
        endpoint.network().heal();
        scheduler.pause(plan.messageLifeNanos());
        for (int i = 0; i < 4; i++) { // a new manager may have to be waited for; each one holds the watermark for a lifetime
            scheduler.pause(plan.managerLifetimeNanos());
            manager.collectableBelow();
        }
        long watermark = endpoint.manager.collectableBelow();
        scheduler.pause(plan.graceNanos());
        new Collector<>(endpoint.store, endpoint.commitTable, endpoint.manager, log).collect(plan.keys(), watermark);
        requireNothingLeft();
        requireProgress(omid(endpoint, new DriftingClock(scheduler, plan, random)));
    }

    private void requireNothingLeft() {
        for (String key : plan.keys()) {
            List<Record<Long>> records = store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE);
            if (records.size() > 1 || !records.isEmpty() && (!records.get(0).hasCommitCell() || records.get(0).isTombstone())) {
                throw new DeadEndException("after a full collection key " + key + " still holds " + records);
            }
        }
        for (int shard = 0; shard < table.shards(); shard++) {
            List<Long> entries = table.entriesBelow(shard, Long.MAX_VALUE);
            if (!entries.isEmpty()) {
                throw new DeadEndException("after a full collection the commit table still has entries of " + entries);
            }
        }
    }

    /** Alone and without faults, a transaction commits at the first attempt. */
    private void requireProgress(OmidLL<String, Long> ll) {
        try {
            for (String key : plan.keys()) {
                long begun = scheduler.nanos();
                Transaction<String, Long> tx = ll.begin();
                Memo memo = new Memo(new HistoryTransaction(begun, tx.startTs()));
                memo.record.read(key, ll.read(tx, key));
                ll.buffer(tx, key, Write.of(tx.startTs()));
                memo.record.write(key);
                ll.commit(tx).run();
                memo.commitTs = tx.commitTs();
                memo.told(Outcome.COMMITTED, scheduler.nanos());
                memos.add(memo);
            }
        } catch (TransactionException e) {
            throw new DeadEndException("alone and without faults: " + e.getMessage());
        }
    }

    // ---- the verdict

    private Failure judge() {
        for (Memo memo : memos) {
            boolean committed = isReadOnly(memo) || hasCommitted(memo);
            if (memo.told.contains(committed ? Outcome.ABORTED : Outcome.COMMITTED)) {
                return new Failure("AnswersTrue", "a client of " + memo.record.startTs() + " was told that it " + (committed ? "aborted"
                        : "committed") + ", and it has " + (committed ? "committed" : "not"), null);
            }
        }
        List<Violation> violations = TimestampChecker.check(history());
        if (violations.isEmpty()) {
            violations = ReadStatesChecker.check(history());
        }
        return violations.isEmpty() ? null
                : new Failure(violations.get(0).axiom().name(), violations.get(0).toString(), null);
    }

    /** It ended well without asking for a commit timestamp. */
    private static boolean isReadOnly(Memo memo) {
        return memo.told.contains(Outcome.COMMITTED) && memo.commitTs == Timestamps.NIL;
    }

    private boolean hasCommitted(Memo memo) {
        return table.committed(memo.record.startTs()) != Timestamps.NIL;
    }

    /** What clients saw; how each transaction ended is taken from the commit table, who knows what its client may not. */
    private History history() {
        History history = new History();
        for (Memo memo : memos) {
            boolean committed = isReadOnly(memo) || hasCommitted(memo);
            long answered = memo.told.contains(Outcome.COMMITTED) ? memo.toldNanos : Long.MAX_VALUE;
            history.add(memo.record.end(committed ? Outcome.COMMITTED : Outcome.ABORTED,
                    table.committed(memo.record.startTs()), answered));
        }
        return history;
    }
}
