package org.fencepost.simulation.omid;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.fastpath.FastRegion;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.omid.SecondaryIndex;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Memo;
import org.fencepost.simulation.world.Network;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;

/**
 * An application: transactions of a few random operations, one after the other. It handles errors as an application
 * may: it tries again, rolls back, or leaves everything as it is. When it dies, another one takes its place, with an
 * empty memory.
 */
final class Client implements Runnable {

    private static final int MAX_ASKING = 6;
    /** What fast-path writes store: they do not know their version. */
    static final long FAST_VALUE = -1;
    /** Nor does a blind transaction know its version when it writes. */
    static final long BLIND_VALUE = -2;

    private record Errand(long dueNanos, Runnable body) {
    }

    private final Plan plan;
    private final Scheduler scheduler;
    private final Network network;
    private final Endpoint endpoint;
    private final OmidLL<String, Long> ll;
    private final FastClient fast;
    private final Levels levels;
    /** Null if there is none. */
    private final Index index;
    private final SecondaryIndex<String, Long> kept;
    private final SplittableRandom random;
    private final List<Memo> memos;
    private int budget;
    /** What a living client has still to do: late post-commits, and outcomes to be found out. */
    private final PriorityQueue<Errand> errands = new PriorityQueue<>(Comparator.comparingLong(Errand::dueNanos));

    /**
     * @param index  null if there is none
     * @param budget operations until it stops
     * @param memos  of all clients; this one adds its own
     */
    Client(Plan plan, Scheduler scheduler, Endpoint endpoint, OmidLL<String, Long> ll, FastClient fast, Index index, SplittableRandom random,
            int budget, List<Memo> memos, Tracer tracer) {
        this.plan = plan;
        this.scheduler = scheduler;
        this.network = endpoint.network();
        this.endpoint = endpoint;
        this.ll = ll;
        this.fast = fast;
        this.levels = new Levels(ll, endpoint, plan.versions());
        this.index = index;
        this.kept = index == null ? null : index.kept(ll, tracer);
        this.random = random;
        this.budget = budget;
        this.memos = memos;
    }

    @Override
    public void run() {
        while (budget > 0 || !errands.isEmpty()) {
            try {
                if (!errands.isEmpty() && (budget <= 0 || errands.peek().dueNanos() <= scheduler.nanos())) {
                    Errand next = errands.remove();
                    scheduler.pause(Math.max(0, next.dueNanos() - scheduler.nanos()));
                    next.body().run();
                } else if (plan.hasFastPath() && random.nextInt(100) < plan.fastPercent()) {
                    transactFast();
                } else if (plan.hasBlindWrites() && random.nextInt(3) == 0) {
                    transactBlindly();
                } else {
                    transact();
                }
            } catch (Death e) {
                errands.clear();
                budget--;
            }
        }
    }

    private void later(Runnable body) {
        errands.add(new Errand(scheduler.nanos() + plan.stall(random), body));
    }

    private void transact() {
        long begun = scheduler.nanos();
        OmidLLTransaction<String, Long> tx;
        try {
            tx = ll.begin();
        } catch (TransactionManagerException e) {
            budget--;
            return;
        }
        Memo memo = new Memo(new HistoryTransaction(begun, tx.startTs()));
        memos.add(memo);
        try {
            for (int left = 1 + random.nextInt(plan.operationsPerTransaction()); left > 0 && budget > 0; left--) {
                operate(tx, memo);
            }
            finish(tx, memo);
        } catch (TransactionAbortedException e) {
            memo.told(Outcome.ABORTED, scheduler.nanos());
            if (e.abortCause() != AbortCause.COLLECTED) { // cleaning up is the collector's then
                requireNothingLeft(tx);
            }
        } finally {
            memo.commitTs = tx.commitTs();
        }
    }

    /** Writes alone, which the manager hears of when they commit. */
    private void transactBlindly() {
        OmidLLTransaction<String, Long> tx = ll.beginBlind();
        Memo memo = new Memo(HistoryTransaction.blind(scheduler.nanos()));
        try {
            for (int left = 1 + random.nextInt(plan.operationsPerTransaction()); left > 0 && budget > 0; left--) {
                budget--;
                scheduler.pause(plan.think(random));
                String key = plan.keys().get(random.nextInt(plan.keys().size()));
                boolean delete = random.nextInt(100) < plan.deletePercent();
                boolean again = tx.writeSet().contains(key);
                ll.buffer(tx, key, delete ? Write.tombstone() : Write.of(BLIND_VALUE));
                recordWrite(memo, key, again, delete);
            }
            finish(tx, memo);
        } catch (TransactionAbortedException e) {
            memo.told(Outcome.ABORTED, scheduler.nanos());
        } finally {
            if (tx.hasBegun()) {
                memo.record.startsAt(tx.startTs());
                memo.commitTs = tx.commitTs();
                memos.add(memo);
            }
        }
    }

    private static void recordWrite(Memo memo, String key, boolean again, boolean delete) {
        if (again) {
            memo.record.rewrite(key, delete);
        } else if (delete) {
            memo.record.delete(key);
        } else {
            memo.record.write(key);
        }
    }

    /** One read, of one key or of all, or one write. What fails is tried again, or left alone, but not always noticed. */
    private void operate(OmidLLTransaction<String, Long> tx, Memo memo) {
        budget--;
        scheduler.pause(plan.think(random));
        if (plan.renews() && random.nextInt(3) == 0) {
            renew(tx);
        }
        String key = plan.keys().get(random.nextInt(plan.keys().size()));
        if (plan.hasLevels() && random.nextInt(3) == 0) {
            operateLevels(tx, memo, key);
        } else if (random.nextInt(100) < plan.writePercent()) {
            write(tx, memo, key);
        } else if (plan.readsOnServer()) {
            scan(tx, memo, random.nextInt(4) == 0 ? List.of(key) : plan.keys());
        } else if (index != null && random.nextBoolean()) {
            askIndex(tx, memo, key);
        } else if (random.nextInt(8) < plan.scansInEight()) {
            RegionServers.Hook scan = endpoint.scan();
            plan.keys().forEach(each -> read(tx, memo, each, scan));
        } else {
            read(tx, memo, key, endpoint.get());
        }
    }

    /** Again and again, for so long that others are given up, and collected under. */
    private void renew(OmidLLTransaction<String, Long> tx) {
        long end = scheduler.nanos() + plan.stall(random);
        do {
            try {
                ll.renew(tx);
            } catch (TransactionManagerException e) {
                // it keeps the time that it has
            }
            scheduler.pause(random.nextLong(plan.settings().lifetimeNanos()));
        } while (scheduler.nanos() < end && scheduler.nanos() < tx.deadlineNanos());
    }

    /** IndexReads: of the keys that the index may have for a row, it has that of the row's value and no other. */
    private void askIndex(OmidLLTransaction<String, Long> tx, Memo memo, String row) {
        if (!index.mayUse(tx.startTs())) {
            return;
        }
        try {
            Record<Long> found = ll.read(tx, row);
            memo.record.read(row, found);
            for (String key : plan.indexKeys(row)) {
                Record<Long> entry = ll.read(tx, key);
                if (entry == null || entry.version() != tx.startTs()) {
                    memo.asked.add(key);
                }
                index.requireSame(tx, row, found, key, entry);
            }
        } catch (StoreException e) {
            network.delay();
        }
    }

    /** With the index record, where there is the trigger: that reads the row first. Returns whether it was written. */
    private boolean buffer(OmidLLTransaction<String, Long> tx, Memo memo, String key, Write<Long> write) {
        if (index == null || !index.isKept(key)) {
            ll.buffer(tx, key, write);
            return true;
        }
        Record<Long> was;
        try {
            was = ll.read(tx, key);
        } catch (StoreException e) {
            return false;
        }
        memo.record.read(key, was);
        kept.writeIndex(tx, key, index.value(was), write);
        return true;
    }

    private void read(OmidLLTransaction<String, Long> tx, Memo memo, String key, RegionServers.Hook hook) {
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                found(tx, memo, key, endpoint.read(ll, tx, key, hook));
                return;
            } catch (StoreException e) {
                network.delay();
            }
        }
    }

    private void found(OmidLLTransaction<String, Long> tx, Memo memo, String key, Record<Long> found) {
        requireOwnValue(key, found);
        if (plan.hasLevels()) {
            levels.read(tx, memo, key, found);
        } else {
            memo.record.read(key, found);
        }
    }

    /** Of keys that the region servers decide, in parts of so many that the snapshot has. Of those in between it has nothing. */
    private void scan(OmidLLTransaction<String, Long> tx, Memo memo, List<String> keys) {
        int limit = 1 + random.nextInt(keys.size());
        RegionServers.Hook hook = endpoint.scan();
        try {
            for (int from = 0; from < keys.size();) {
                List<Endpoint.Row> rows = endpoint.scan(tx, keys.subList(from, keys.size()), limit, hook);
                int end = rows.size() < limit ? keys.size() : keys.indexOf(rows.get(limit - 1).key()) + 1;
                for (String key : keys.subList(from, end)) {
                    Endpoint.Row row = rows.stream().filter(each -> each.key().equals(key)).findFirst().orElse(null);
                    found(tx, memo, key, row == null ? ll.readDecided(tx, key, null)
                            : row.decided() ? ll.readDecided(tx, key, row.records().get(0)) : ll.read(tx, key, row.records().iterator()));
                }
                from = end;
            }
        } catch (StoreException e) {
            // what was not read is not missed
        }
    }

    /** Each regular transaction writes a value of its own under each key. */
    private static long value(String key, long version) {
        return version * 31 + key.hashCode();
    }

    private void requireOwnValue(String key, Record<Long> found) {
        if (found == null || found.isTombstone()) {
            return;
        }
        boolean regular = !plan.versions().isFast(found.version());
        boolean blind = regular && plan.hasBlindWrites() && found.value() == BLIND_VALUE;
        if (!blind && found.value() != (regular ? value(key, found.version()) : FAST_VALUE)) {
            throw new IllegalStateException("Version " + found.version() + " of key " + key + " has the value " + found.value()
                    + ", which belongs to another version.");
        }
    }

    private void write(OmidLLTransaction<String, Long> tx, Memo memo, String key) {
        if (!Levels.mayWrite(tx, memo, key)) {
            return; // it may have been sent already
        }
        boolean delete = random.nextInt(100) < plan.deletePercent();
        boolean again = tx.writeSet().contains(key);
        try {
            if (!buffer(tx, memo, key, delete ? Write.tombstone() : Write.of(value(key, tx.writePoint())))) {
                return;
            }
        } catch (TransactionException e) {
            if (levels.isRefusal(e, tx)) {
                return;
            }
            throw e;
        }
        Levels.wrote(tx, memo, key, delete);
        recordWrite(memo, key, again, delete);
        if (random.nextInt(100) < plan.flushPercent()) {
            flush(tx);
        }
    }

    private void operateLevels(OmidLLTransaction<String, Long> tx, Memo memo, String key) {
        try {
            levels.operate(tx, memo, key, random);
        } catch (StoreException e) {
            // what was not stored is sent again, what was not read is not missed
        }
    }

    /** AbortLeavesNothing, where nothing gets lost. */
    private void requireNothingLeft(OmidLLTransaction<String, Long> tx) {
        boolean lossless = EnumSet.of(Fault.HELD_BACK, Fault.STALL).containsAll(plan.faults());
        Levels.require(!plan.hasLevels() || !lossless || endpoint.hasNothingOf(tx.startTs()), "AbortLeavesNothing", tx, "has left records");
    }

    private void flush(OmidLLTransaction<String, Long> tx) {
        try {
            ll.write(tx);
        } catch (StoreException e) {
            // commit will tell, if the application does not send them again
        }
    }

    // ---- fast path

    /** One read, or one write that may have read before. A write is never sent again by whoever does not know its outcome. */
    private void transactFast() {
        budget--;
        scheduler.pause(plan.think(random));
        String key = plan.keys().get(random.nextInt(plan.keys().size()));
        Memo memo = new Memo(HistoryTransaction.fast(scheduler.nanos()));
        memos.add(memo);
        try {
            switch (random.nextInt(4)) {
                case 0 -> {
                    Levels.read(memo, key, fast.brc(key), plan.versions());
                    memo.told(Outcome.COMMITTED, scheduler.nanos());
                }
                case 1, 2 -> answered(memo, fast.bwc(key, fastWrite(memo, key), memo::stored));
                default -> {
                    Record<Long> last = fast.br(key);
                    requireOwnValue(key, last);
                    Levels.read(memo, key, last, plan.versions());
                    scheduler.pause(random.nextInt(4) == 0 ? plan.stall(random) : plan.think(random));
                    answered(memo, fast.wc(key, last, fastWrite(memo, key), memo::stored));
                }
            }
        } catch (StoreException e) {
            // a read that failed, or a write of unknown outcome
        }
    }

    private Write<Long> fastWrite(Memo memo, String key) {
        if (random.nextInt(100) < plan.deletePercent()) {
            memo.record.delete(key);
            return Write.tombstone();
        }
        memo.record.write(key);
        return Write.of(FAST_VALUE);
    }

    private void answered(Memo memo, FastRegion.Answer answer) {
        memo.told(answer.refused() == null ? Outcome.COMMITTED : Outcome.ABORTED, scheduler.nanos());
    }

    // ---- the end

    private void finish(OmidLLTransaction<String, Long> tx, Memo memo) {
        scheduler.pause(plan.think(random));
        if (network.suffers(Fault.ABANDON)) {
            return;
        }
        if (random.nextInt(16) == 0) {
            ll.rollback(tx);
            memo.told(Outcome.ABORTED, scheduler.nanos());
            requireNothingLeft(tx);
            return;
        }
        for (int attempt = 0; attempt < 3; attempt++) {
            try {
                commit(tx, memo);
                return;
            } catch (StoreException e) {
                network.delay();
            }
        }
        ll.rollback(tx);
        memo.told(Outcome.ABORTED, scheduler.nanos());
    }

    private void commit(OmidLLTransaction<String, Long> tx, Memo memo) {
        try {
            Committed<String> committed = ll.commit(tx);
            memo.told(Outcome.COMMITTED, scheduler.nanos());
            if (network.suffers(Fault.LATE_POST_COMMIT)) {
                later(() -> ll.finishCommit(committed));
            } else {
                ll.finishCommit(committed);
            }
        } catch (OutcomeUnknownException e) {
            for (int i = random.nextInt(MAX_ASKING); i >= 0; i--) { // this client, and others that it tells
                later(() -> resolve(e, memo));
            }
        }
    }

    private void resolve(OutcomeUnknownException unknown, Memo memo) {
        try {
            TransactionStatus status = ll.resolve(unknown);
            if (status != TransactionStatus.UNKNOWN) {
                memo.told(status == TransactionStatus.COMMITTED ? Outcome.COMMITTED : Outcome.ABORTED, scheduler.nanos());
            }
        } catch (StoreException e) {
            // it stays unknown to whoever asked
        }
    }
}
