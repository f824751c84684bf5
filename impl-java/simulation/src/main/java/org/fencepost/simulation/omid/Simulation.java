package org.fencepost.simulation.omid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.fragola.Fragola;
import org.fencepost.protocol.history.History;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.history.ReadStatesChecker;
import org.fencepost.protocol.history.RelaxedChecker;
import org.fencepost.protocol.history.TimestampChecker;
import org.fencepost.protocol.history.Violation;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.twophase.OmidTwoPhase;
import org.fencepost.simulation.failover.Managers;
import org.fencepost.simulation.mediator.MediatorSimulation;
import org.fencepost.simulation.ph1.PH1Simulation;
import org.fencepost.simulation.world.Carriers;
import org.fencepost.simulation.world.DeadEndException;
import org.fencepost.simulation.world.DriftingClock;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Failure;
import org.fencepost.simulation.world.Memo;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.RegionServer;
import org.fencepost.simulation.world.Run;
import org.fencepost.simulation.world.Scheduler;

/**
 * One run of the protocol as it is, by a {@link Plan}: clients and collectors over simulated servers, until the clients
 * have done their operations; then everything heals; then the run is judged.
 *
 * <p>Some runs have a fast path: then clients run single-key transactions, too, on {@link RegionServers}. Some are of Omid 2PC,
 * or of Fragola.
 *
 * <p>Healing: faults end, late messages arrive, the dead expire, and one collector makes its passes. After that nothing
 * may be left over in the store or in the commit table, and new transactions must commit on every key,
 * and fast-path writes get through.
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
    private final Managers managers;
    private final RegionServers regions;
    /** Null if there is none. */
    private final Index index;
    private final List<Memo> memos = new ArrayList<>();
    private int clientsLeft;
    /** Clients and collectors, later the healer: while there are any, the managers stay. */
    private int busy;

    private Simulation(Plan plan, Carriers carriers) {
        this.plan = plan;
        this.scheduler = new Scheduler(carriers, MAX_STEPS);
        this.log = new EventLog(scheduler);
        this.store = new StoreServer(plan.deleteMarkers(), log, plan.versions());
        this.table = new CommitTableServer(plan.shards(), log);
        this.managers = new Managers(plan, scheduler, log, () -> busy > 0);
        this.index = plan.hasIndex() ? new Index(plan, store, table) : null;
        this.regions = new RegionServers(plan, scheduler, log, store);
        if (plan.hasClocks()) {
            startRegionServers();
        }
    }

    /** @param carriers threads to run it on; the caller's alone meanwhile */
    public static Run run(Plan plan, Carriers carriers) {
        if (plan.mediator() != null) {
            return MediatorSimulation.run(plan, carriers);
        }
        if (plan.isOfPH1()) {
            return PH1Simulation.run(plan, carriers);
        }
        Simulation simulation = new Simulation(plan, carriers);
        Failure failure = simulation.failure();
        if (simulation.managers.judge().failure() != null) {
            failure = simulation.managers.judge().failure();
        }
        return new Run(plan, failure, simulation.history(), simulation.log,
                new Account(simulation.memos, simulation.store, simulation.table), simulation.scheduler.steps());
    }

    private Failure failure() {
        try {
            scheduler.run(withManagers(parts()));
            scheduler.run(withManagers(List.of(new Scheduler.Part("healer", this::heal))));
        } catch (DeadEndException e) {
            return new Failure("DeadEnd", e.getMessage(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("A run was interrupted.", e);
        } catch (Throwable e) {
            return new Failure("Assertion", e.toString(), e);
        }
        return judge();
    }

    private void startRegionServers() {
        for (int i = 1; i <= plan.regionServers(); i++) {
            SplittableRandom random = plan.random("RS " + i);
            Endpoint endpoint = endpoint(random, false);
            regions.add(new RegionServer("RS " + i, plan, scheduler, log, endpoint.manager, endpoint.network(), random,
                    regions::crash, () -> busy > 0));
        }
        regions.openAll();
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
                    clock(name, random), random, () -> clientsLeft > 0, log)));
        }
        for (int i = 0; i < plan.builders(); i++) {
            String name = "builder " + (i + 1);
            parts.add(new Scheduler.Part(name, builder(name, plan.random(name), () -> clientsLeft > 0)));
        }
        return parts;
    }

    private Builder builder(String name, SplittableRandom random, BooleanSupplier goOn) {
        Endpoint endpoint = endpoint(random, false);
        return new Builder(plan, scheduler, endpoint, omid(endpoint, clock(name, random)), index, random, goOn, false, log);
    }

    /** Managers go on as long as one of the parts. */
    private List<Scheduler.Part> withManagers(List<Scheduler.Part> parts) {
        busy = parts.size();
        List<Scheduler.Part> all = new ArrayList<>();
        for (Scheduler.Part part : parts) {
            all.add(new Scheduler.Part(part.name(), () -> {
                part.body().run();
                busy--;
            }));
        }
        managers.processes().forEach(process -> all.add(new Scheduler.Part(process.name(), process)));
        regions.servers().forEach(server -> all.add(new Scheduler.Part(server.name(), server)));
        return all;
    }

    private Runnable client(String name, int budget) {
        SplittableRandom random = plan.random(name);
        Endpoint endpoint = endpoint(random, false);
        DriftingClock clock = clock(name, random);
        Client client = new Client(plan, scheduler, endpoint, omid(endpoint, clock), new FastClient(endpoint.network(), regions, log),
                index, random, budget, memos, log);
        return () -> {
            client.run();
            clientsLeft--;
        };
    }

    private DriftingClock clock(String name, SplittableRandom random) {
        return new DriftingClock(scheduler, plan.drift(), random, name, log);
    }

    private Endpoint endpoint(SplittableRandom random, boolean collector) {
        return new Endpoint(plan, store, regions, table, managers, new Network(plan, scheduler, log, random, collector));
    }

    private OmidLL<String, Long> omid(Endpoint endpoint, DriftingClock clock) {
        return plan.hasLeaders() ? new Fragola<>(endpoint.store, endpoint.manager, clock, String::hashCode, plan.settings(), log)
                : plan.isTwoPhase() ? new OmidTwoPhase<>(endpoint.store, endpoint.commitTable, endpoint.manager, clock, plan.settings(), log)
                : omid(endpoint, endpoint.manager, clock);
    }

    private OmidLL<String, Long> omid(Endpoint endpoint, TransactionManager manager, DriftingClock clock) {
        return plan.hasIndex()
                ? new OmidLL<>(endpoint.store, endpoint.commitTable, manager, clock, String::hashCode, index::tables, plan.settings(), log, false)
                : new OmidLL<>(endpoint.store, endpoint.commitTable, manager, clock, String::hashCode, plan.settings(), log);
    }

    // ---- healing

    private void heal() {
        SplittableRandom random = plan.random("healer");
        Endpoint endpoint = endpoint(random, false);
        endpoint.network().heal();
        managers.heal();
        regions.heal();
        scheduler.pause(Math.max(plan.messageLifeNanos(), plan.managerMessageLifeNanos()));
        requireService(endpoint);
        if (plan.hasLevels() && !plan.isTraced()) { // in a trace a death is a fault
            plan.keys().forEach(key -> dieWithLevels(levels(endpoint), key));
        }
        if (plan.hasIndex()) {
            requireBuild(endpoint);
        }
        for (int i = 0; i < 3; i++) { // a new manager holds the watermark for a lifetime
            scheduler.pause(plan.managerLifetimeNanos());
            endpoint.manager.collectableBelow();
        }
        long watermark = endpoint.manager.collectableBelow();
        scheduler.pause(plan.graceNanos());
        endpoint.collector(log).collect(plan.storedKeys(), watermark);
        requireNothingLeft();
        if (plan.hasFastPath()) {
            requireFastPath(endpoint);
        }
        if (plan.hasLevels() && !plan.isTraced()) { // nor is there an account of these
            plan.keys().forEach(key -> requireLevels(endpoint, levels(endpoint), key));
        }
        DriftingClock clock = clock("healer", random);
        requireProgress(endpoint, omid(endpoint, clock));
        if (plan.isOnePhase() && !plan.isTraced()) { // a trace tells of timestamps in the order of their receipt
            plan.keys().forEach(key -> requireWays(endpoint, clock, key));
        }
    }

    /**
     * Some transaction manager serves again, as soon as a lease has run out (ServesAgain). That another has raised its epoch one finds only
     * when the epoch is used up, and stands by once more.
     */
    private void requireService(Endpoint endpoint) {
        try {
            for (long i = plan.isTraced() || plan.managers() == 1 ? 0 : plan.epochTimestamps(); i >= 0; i--) {
                endpoint.manager.end(endpoint.manager.begin());
            }
            endpoint.manager.collectableBelow();
        } catch (TransactionManagerException e) {
            throw new DeadEndException("no transaction manager serves: " + e.getMessage());
        }
    }

    /** BuildEnds: where nothing goes wrong, with one row in each part; and a fence binds whose writes are not compared. */
    private void requireBuild(Endpoint endpoint) {
        int[] parts = {2 + plan.keys().size()};
        SplittableRandom random = plan.random("last builder");
        new Builder(plan, scheduler, endpoint, omid(endpoint, clock("last builder", random)), index, random, () -> parts[0]-- > 0, true, log).run();
        if (!index.isReady()) {
            throw new DeadEndException("alone and without faults no build of the index ends");
        }
        if (plan.isTraced()) { // a fence that no build puts is not in the trace
            return;
        }
        OmidLL<String, Long> ll = omid(endpoint, clock("fenced", random));
        OmidLLTransaction<String, Long> fenced = ll.begin();
        ll.buffer(fenced, Map.of(), Map.of(plan.keys().get(0), Write.of(0L)));
        endpoint.manager.fence(index.table());
        try {
            ll.commit(fenced);
        } catch (TransactionAbortedException e) {
            return;
        }
        throw new DeadEndException("transaction " + fenced.startTs() + " committed although a fence was put on its table");
    }

    private void requireNothingLeft() {
        for (String key : plan.storedKeys()) {
            List<Record<Long>> records = store.page(key, Long.MAX_VALUE, Integer.MAX_VALUE);
            if (!store.loneMarkers(key, Long.MAX_VALUE).isEmpty()) {
                throw new DeadEndException("after a full collection key " + key + " still holds markers of " + store.loneMarkers(key, Long.MAX_VALUE));
            }
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

    /** No key stays closed to fast-path writes (FastPathOpens), though no regular transaction comes by. */
    private void requireFastPath(Endpoint endpoint) {
        FastClient fast = new FastClient(endpoint.network(), regions, log);
        for (String key : plan.keys()) {
            for (int i = 0; i < 2; i++) {
                requireFastWrite(fast, key);
            }
        }
    }

    private void requireFastWrite(FastClient fast, String key) {
        FastRegion.Answer answer = null;
        for (int attempt = 0; attempt < 3; attempt++) {
            Memo memo = new Memo(HistoryTransaction.fast(scheduler.nanos()));
            memos.add(memo);
            Record<Long> last = fast.br(key);
            Levels.read(memo, key, last, plan.versions());
            memo.record.write(key);
            answer = fast.wc(key, last, Write.of(Client.FAST_VALUE), memo::stored);
            memo.told(answer.refused() == null ? Outcome.COMMITTED : Outcome.ABORTED, scheduler.nanos());
            if (answer.refused() == null) {
                return;
            }
            scheduler.pause(plan.fastPatienceNanos());
        }
        throw new DeadEndException("alone and without faults a fast-path write of " + key + " is refused: " + answer.refused());
    }

    /** Alone and without faults, a transaction commits at the first attempt, even where intents are left (IntentsResolve). */
    private void requireProgress(Endpoint endpoint, OmidLL<String, Long> ll) {
        try {
            for (String key : plan.keys()) {
                if (plan.isTwoPhase() && !plan.isTraced()) { // in a trace a death is a fault
                    update(endpoint, ll, key); // and dies before its post-commit
                    OmidLLTransaction<String, Long> dies = ll.begin();
                    ll.write(dies, Map.of(key, Write.of(0L)));
                }
                update(endpoint, ll, key).run();
            }
        } catch (TransactionException e) {
            throw new DeadEndException("alone and without faults: " + e.getMessage());
        }
    }

    // ---- the same in one phase (specs/OnePhase.tla)

    /** No history shows a needless refusal (RefusalsHaveReason), nor a needless abort of who was refused (AbortsHaveReason). */
    private void requireWays(Endpoint endpoint, DriftingClock clock, String key) {
        OmidLL<String, Long> ll = omid(endpoint, clock);
        requireWay(endpoint, ll, key, true);
        Runnable reader = () -> {
            OmidLLTransaction<String, Long> tx = ll.begin();
            endpoint.read(ll, tx, key, endpoint.get());
            ll.commit(tx);
        };
        requireWay(endpoint, omid(endpoint, new Overtaken(endpoint.manager, reader), clock), key, false);
        requireWay(endpoint, omid(endpoint, new Overtaken(endpoint.manager, () -> {
            reader.run();
            regions.restartAll();
        }), clock), key, false);
        if (plan.hasBlindWrites()) {
            plan.keys().stream().filter(other -> !other.equals(key)).forEach(other -> requireBlindWay(ll, key, other));
            requireNothingBack(endpoint, clock, key);
        }
    }

    /** A batch comes when a tombstone was committed after its timestamp, and collected: it brings nothing back. */
    private void requireNothingBack(Endpoint endpoint, DriftingClock clock, String key) {
        OmidLL<String, Long> ll = omid(endpoint, clock);
        OmidLL<String, Long> late = omid(endpoint, new Overtaken(endpoint.manager, () -> {
            deleteTheLongWay(ll, key);
            long below = endpoint.manager.collectableBelow();
            scheduler.pause(plan.graceNanos());
            for (int pass = 0; pass < 2; pass++) {
                endpoint.collector(log).collect(plan.storedKeys(), below);
            }
            if (!store.page(key, Long.MAX_VALUE, 1).isEmpty()) {
                throw new DeadEndException("alone and without faults a tombstone of key " + key + " is not collected");
            }
        }), clock);
        OmidLLTransaction<String, Long> blind = late.beginBlind();
        late.buffer(blind, key, Write.of(Client.BLIND_VALUE));
        try {
            late.finishCommit(late.commit(blind));
        } catch (TransactionAbortedException e) {
            return;
        }
        throw new DeadEndException("alone and without faults a batch brings back key " + key + ", which was deleted since and collected");
    }

    private void deleteTheLongWay(OmidLL<String, Long> ll, String key) {
        long begun = scheduler.nanos();
        OmidLLTransaction<String, Long> tx = ll.begin();
        ll.buffer(tx, key, Write.tombstone());
        ll.flush(tx);
        Memo memo = new Memo(new HistoryTransaction(begun, tx.startTs()));
        memo.record.delete(key);
        ll.finishCommit(commit(ll, tx, memo));
    }

    /** A blind transaction is in nobody's way who writes another key. */
    private void requireBlindWay(OmidLL<String, Long> ll, String key, String other) {
        try {
            long begun = scheduler.nanos();
            OmidLLTransaction<String, Long> before = ll.begin();
            OmidLLTransaction<String, Long> blind = ll.beginBlind();
            ll.buffer(blind, other, Write.of(Client.BLIND_VALUE));
            Memo memo = new Memo(HistoryTransaction.blind(scheduler.nanos()));
            memo.record.write(other);
            ll.finishCommit(ll.commit(blind));
            memo.record.startsAt(blind.startTs());
            memo.commitTs = blind.commitTs();
            memo.told(Outcome.COMMITTED, scheduler.nanos());
            memos.add(memo);
            ll.buffer(before, key, Write.of(before.startTs()));
            ll.finishCommit(commit(ll, before, key, begun));
        } catch (TransactionException e) {
            throw new DeadEndException("alone and without faults, beside a blind transaction: " + e.getMessage());
        }
    }

    private void requireWay(Endpoint endpoint, OmidLL<String, Long> ll, String key, boolean inOnePhase) {
        for (int attempt = 0; attempt < 3; attempt++) { // a region that was just opened does not know the time yet
            try {
                update(endpoint, ll, key).run();
            } catch (TransactionException e) {
                throw new DeadEndException("alone and without faults: " + e.getMessage());
            }
            if (inOnePhase == (store.committed(memos.get(memos.size() - 1).record.startTs()) != Timestamps.NIL)) {
                return;
            }
            scheduler.pause(plan.fastPatienceNanos());
        }
        throw new DeadEndException("alone and without faults a batch of key " + key + (inOnePhase ? " is refused" : " is stored below a read"));
    }

    // ---- the same with levels (specs/Checkpoints.tla)

    private OmidLL<String, Long> levels(Endpoint endpoint) {
        return omid(endpoint, clock("levels", plan.random("levels")));
    }

    /** A transaction that has the key at two levels in the store. */
    private static OmidLLTransaction<String, Long> writeLevels(OmidLL<String, Long> ll, String key) {
        OmidLLTransaction<String, Long> tx = ll.begin();
        ll.buffer(tx, key, Write.of(0L));
        ll.checkpoint(tx);
        ll.buffer(tx, key, Write.of(tx.writePoint()));
        ll.flush(tx);
        return tx;
    }

    /** One client when its transaction has committed, and one in the middle. */
    private void dieWithLevels(OmidLL<String, Long> ll, String key) {
        long begun = scheduler.nanos();
        commit(ll, writeLevels(ll, key), key, begun);
        writeLevels(ll, key);
    }

    /** AbortLeavesNothing, OwnReads, AllListed, EntriesTrue, AbortsHaveReason, and that there are so many levels. */
    private void requireLevels(Endpoint endpoint, OmidLL<String, Long> ll, String key) {
        OmidLLTransaction<String, Long> aborted = writeLevels(ll, key);
        requireLevel(endpoint, ll, aborted, key, 0);
        if (endpoint.readAll(ll, aborted, key).stream().filter(record -> record.version() >= aborted.startTs()).count() != 2) {
            throw new DeadEndException("transaction " + aborted.startTs() + " does not find both levels of key " + key);
        }
        ll.takeSnapshot(aborted);
        requireLevel(endpoint, ll, aborted, key, 1);
        ll.rollback(aborted);
        if (!endpoint.hasNothingOf(aborted.startTs())) {
            throw new DeadEndException("transaction " + aborted.startTs() + " aborted, and has left records");
        }
        requireSame(endpoint, ll, key, false);
        requireSame(endpoint, ll, key, true);
        requireRefusal(ll, key);
    }

    /** A reader with an older snapshot changes nothing about who commits, even if it met the first level before there was the last. */
    private void requireSame(Endpoint endpoint, OmidLL<String, Long> ll, String key, boolean early) {
        long begun = scheduler.nanos();
        OmidLLTransaction<String, Long> tx = ll.begin();
        ll.buffer(tx, key, Write.of(0L));
        ll.flush(tx);
        OmidLLTransaction<String, Long> older = ll.begin();
        List<Record<Long>> met = fetch(endpoint, older, key);
        ll.checkpoint(tx);
        ll.buffer(tx, key, Write.of(tx.writePoint()));
        Committed<String> committed = commit(ll, tx, key, begun);
        if (early) {
            ll.read(older, key, met.iterator());
        }
        Record<Long> first = endpoint.store.reread(key, tx.startTs());
        ll.finishCommit(committed);
        ll.read(older, key, met.iterator());
        ll.read(older, key, fetch(endpoint, older, key).iterator());
        ll.commit(older);
        if (first.hasCommitCell() || ll.resolve(tx.startTs(), tx.commitTs()) != TransactionStatus.COMMITTED) {
            throw new DeadEndException("transaction " + tx.startTs() + " committed, and an older reader "
                    + (first.hasCommitCell() ? "shows its first level to the fast path" : "has made it abort"));
        }
    }

    private static List<Record<Long>> fetch(Endpoint endpoint, OmidLLTransaction<String, Long> tx, String key) {
        List<Record<Long>> records = new ArrayList<>();
        endpoint.store.get(key, tx.fetchPoint()).forEachRemaining(records::add);
        return records;
    }

    private void requireLevel(Endpoint endpoint, OmidLL<String, Long> ll, OmidLLTransaction<String, Long> tx, String key, int level) {
        Record<Long> seen = endpoint.read(ll, tx, key, endpoint.get());
        if (seen == null || seen.version() != tx.startTs() + level) {
            throw new DeadEndException("transaction " + tx.startTs() + " read " + seen + " and not its level " + level);
        }
    }

    private Committed<String> commit(OmidLL<String, Long> ll, OmidLLTransaction<String, Long> tx, String key, long begun) {
        Memo memo = new Memo(new HistoryTransaction(begun, tx.startTs()));
        memo.record.write(key);
        return commit(ll, tx, memo);
    }

    private Committed<String> commit(OmidLL<String, Long> ll, OmidLLTransaction<String, Long> tx, Memo memo) {
        memos.add(memo);
        Committed<String> committed = ll.commit(tx);
        memo.commitTs = tx.commitTs();
        memo.told(Outcome.COMMITTED, scheduler.nanos());
        return committed;
    }

    /** A transaction meets what it has written at a level that it does not read, and commits; the level after the last one is refused. */
    private void requireRefusal(OmidLL<String, Long> ll, String key) {
        long begun = scheduler.nanos();
        OmidLLTransaction<String, Long> tx = ll.begin();
        for (int level = 1; level < plan.versions().levels(); level++) {
            ll.checkpoint(tx);
        }
        ll.buffer(tx, key, Write.of(tx.writePoint()));
        ll.flush(tx);
        ll.read(tx, key);
        ll.checkpoint(tx);
        try {
            ll.buffer(tx, key, Write.of(tx.writePoint()));
        } catch (TransactionException e) {
            ll.finishCommit(commit(ll, tx, key, begun));
            return;
        }
        throw new DeadEndException("transaction " + tx.startTs() + " writes at version " + tx.writePoint() + ", which is the fast path's");
    }

    private Runnable update(Endpoint endpoint, OmidLL<String, Long> ll, String key) {
        long begun = scheduler.nanos();
        OmidLLTransaction<String, Long> tx = ll.begin();
        Memo memo = new Memo(new HistoryTransaction(begun, tx.startTs()));
        Levels.read(memo, key, endpoint.read(ll, tx, key, endpoint.get()), plan.versions());
        if (index == null) {
            ll.buffer(tx, key, Write.of(tx.startTs()));
        } else {
            index.kept(ll, log).writeIndex(tx, key, index.value(ll.read(tx, key)), Write.of(tx.startTs()));
        }
        memo.record.write(key);
        Committed<String> committed = ll.commit(tx);
        memo.commitTs = tx.commitTs();
        memo.told(Outcome.COMMITTED, scheduler.nanos());
        memos.add(memo);
        return () -> ll.finishCommit(committed);
    }

    // ---- the verdict

    private Failure judge() {
        if (store.leaders().lost() != null) {
            return new Failure("NoLostFollower", store.leaders().lost(), null);
        }
        for (Memo memo : memos) {
            boolean committed = isReadOnly(memo) || hasCommitted(memo);
            if (memo.told.contains(committed ? Outcome.ABORTED : Outcome.COMMITTED)) {
                return new Failure("AnswersTrue", "a client of " + memo.record.startTs() + " was told that it " + (committed ? "aborted"
                        : "committed") + ", and it has " + (committed ? "committed" : "not"), null);
            }
            if (hasCommittedOtherwise(memo)) {
                return new Failure("AnswersTrue", "transaction " + memo.record.startTs() + " has committed twice, or not at " + memo.commitTs, null);
            }
        }
        Failure indexed = index == null ? null : index.judge(memos);
        if (indexed != null) {
            return indexed;
        }
        Failure level = plan.hasLevels() ? Levels.judge(memos, plan.versions()) : null;
        if (level != null) {
            return level;
        }
        List<Violation> violations = plan.hasFastPath() ? RelaxedChecker.check(history()) : TimestampChecker.check(history());
        if (violations.isEmpty() && !plan.hasFastPath()) {
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
        return commitTs(memo) != Timestamps.NIL;
    }

    /** A fast-path write's when it was stored. */
    private long commitTs(Memo memo) {
        long startTs = memo.record.startTs();
        if (memo.record.isFast()) {
            return memo.commitTs;
        } else if (plan.hasLeaders()) {
            return store.leaders().committed(startTs);
        }
        return store.committed(startTs) != Timestamps.NIL ? store.committed(startTs) : table.committed(startTs);
    }

    /** In one phase and by an entry, or at another timestamp than its client knows. */
    private boolean hasCommittedOtherwise(Memo memo) {
        long startTs = memo.record.startTs();
        return !memo.record.isFast() && hasCommitted(memo) && (store.committed(startTs) != Timestamps.NIL && table.committed(startTs) != Timestamps.NIL
                || memo.told.contains(Outcome.COMMITTED) && commitTs(memo) != memo.commitTs);
    }

    /** What clients saw; how each transaction ended is taken from the commit entry, which tells what its client may not. */
    private History history() {
        History history = new History();
        for (Memo memo : memos) {
            boolean committed = isReadOnly(memo) || hasCommitted(memo);
            long answered = memo.told.contains(Outcome.COMMITTED) ? memo.toldNanos : Long.MAX_VALUE;
            history.add(memo.record.end(committed ? Outcome.COMMITTED : Outcome.ABORTED,
                    commitTs(memo), answered));
        }
        return history;
    }
}
