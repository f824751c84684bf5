package org.fencepost.simulation.mediator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorTransaction;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.Fault;
import org.fencepost.simulation.world.Memo;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;

/**
 * A user of Mediator's data: native puts and gets, and transactions of a few random operations, one after the other. Whoever
 * dies, or does not learn what became of a put or a commit, is not heard of again: another user goes on in his place.
 */
final class MediatorClient implements Runnable {

    /** What the user remembers for the judge, with the value that it wrote to each key. */
    static final class Note extends Memo {

        final Map<String, Long> values = new TreeMap<>();
        /** Null for a native operation. */
        MediatorTransaction<String, Long> tx;
        /** What somebody was told who asked later; null if nobody was. */
        Outcome resolved;

        Note(HistoryTransaction record) {
            super(record);
        }

        void wrote(String key, long value) {
            if (values.put(key, value) == null) {
                record.write(key);
            }
        }
    }

    private final String name;
    private final Plan plan;
    private final Scheduler scheduler;
    private final MediatorEndpoint endpoint;
    private final Mediator<String, Long> mediator;
    private final Tracer tracer;
    private final SplittableRandom random;
    private final LongSupplier values;
    private final List<Note> notes;
    private int budget;
    private int users;

    /**
     * @param budget operations until it stops
     * @param values a new one each time
     * @param notes  of all clients; this one adds its own
     */
    MediatorClient(String name, Plan plan, Scheduler scheduler, MediatorEndpoint endpoint, Mediator<String, Long> mediator, Tracer tracer,
            int budget, LongSupplier values, List<Note> notes) {
        this.name = name;
        this.plan = plan;
        this.scheduler = scheduler;
        this.endpoint = endpoint;
        this.mediator = mediator;
        this.tracer = tracer;
        this.random = plan.random(name + "'s operations");
        this.budget = budget;
        this.values = values;
        this.notes = notes;
    }

    @Override
    public void run() {
        while (budget > 0) {
            try {
                scheduler.pause(plan.think(random));
                if (random.nextInt(100) >= plan.mediator().nativePercent) {
                    transact();
                } else if (random.nextInt(100) < plan.writePercent()) {
                    put(anyKey());
                } else {
                    get(anyKey());
                }
            } catch (Death e) {
                budget--;
                users++;
            }
        }
    }

    private String anyKey() {
        return plan.keys().get(random.nextInt(plan.keys().size()));
    }

    private Note note(HistoryTransaction record) {
        Note note = new Note(record.by(name + (users == 0 ? "" : "." + users)));
        notes.add(note);
        return note;
    }

    // ---- native operations

    void put(String key) {
        budget--;
        Note note = note(HistoryTransaction.nativeOperation(scheduler.nanos()));
        long value = values.getAsLong();
        note.wrote(key, value);
        try {
            endpoint.nativePut(key, value);
            note.told(Outcome.COMMITTED, scheduler.nanos());
        } catch (StoreException e) {
            users++;
        }
    }

    Version<Long> get(String key) {
        budget--;
        Note note = note(HistoryTransaction.nativeOperation(scheduler.nanos()));
        try {
            Version<Long> found = endpoint.nativeGet(key);
            tracer.event(Action.NativeGet, "key", key, "from", found == null ? 0 : found.ts());
            note.record.read(key, found == null ? 0 : found.ts());
            note.told(Outcome.COMMITTED, scheduler.nanos());
            return found;
        } catch (StoreException e) {
            return null; // it saw nothing
        }
    }

    // ---- transactions

    private void transact() {
        budget--;
        long begun = scheduler.nanos();
        MediatorTransaction<String, Long> tx;
        try {
            tx = mediator.begin();
        } catch (TransactionManagerException e) {
            return;
        }
        Note note = note(new HistoryTransaction(begun, tx.startTs()));
        note.tx = tx;
        try {
            for (int left = 1 + random.nextInt(2 * plan.keys().size()); left > 0; left--) {
                operate(tx, note);
            }
            scheduler.pause(plan.think(random));
            if (endpoint.network().suffers(Fault.ABANDON)) {
                users++;
            } else if (random.nextInt(16) == 0) {
                mediator.rollback(tx);
                note.told(Outcome.ABORTED, scheduler.nanos());
            } else {
                commit(tx, note);
            }
        } catch (TransactionAbortedException e) {
            note.told(Outcome.ABORTED, scheduler.nanos());
        }
    }

    private void operate(MediatorTransaction<String, Long> tx, Note note) {
        budget--;
        scheduler.pause(plan.think(random));
        if (random.nextInt(100) < plan.writePercent()) {
            write(tx, note, anyKey());
        } else {
            read(tx, note, random.nextInt(3) == 0 ? plan.keys() : List.of(anyKey()));
        }
    }

    void write(MediatorTransaction<String, Long> tx, Note note, String key) {
        long value = values.getAsLong();
        note.wrote(key, value);
        mediator.txPut(tx, key, value);
    }

    /** What fails is tried again, or left alone. */
    void read(MediatorTransaction<String, Long> tx, Note note, List<String> keys) {
        note.record.readsFrom(scheduler.nanos());
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                List<String> others = new ArrayList<>(keys);
                others.removeAll(tx.writeSet());
                Map<String, Version<Long>> found = mediator.read(tx, keys);
                others.forEach(key -> note.record.read(key, found.get(key) == null ? 0 : found.get(key).ts()));
                keys.stream().filter(tx.writeSet()::contains).forEach(key -> requireOwn(tx, key, found.get(key)));
                return;
            } catch (StoreException e) {
                endpoint.network().delay();
            }
        }
    }

    private static void requireOwn(MediatorTransaction<String, Long> tx, String key, Version<Long> found) {
        if (found == null || !found.value().equals(tx.ownWrite(key))) {
            throw new IllegalStateException("Transaction " + tx.startTs() + " read " + found + " after its own write of " + key + ".");
        }
    }

    private void commit(MediatorTransaction<String, Long> tx, Note note) {
        try {
            mediator.commit(tx);
            note.told(Outcome.COMMITTED, scheduler.nanos());
        } catch (OutcomeUnknownException e) {
            users++;
            if (random.nextBoolean()) {
                scheduler.pause(plan.stall(random));
                resolve(e, note);
            }
        }
    }

    /** Whoever asks is told the truth, though not that all is written back. */
    private void resolve(OutcomeUnknownException unknown, Note note) {
        try {
            TransactionStatus status = mediator.resolve(unknown.startTs(), unknown.commitTs());
            if (status != TransactionStatus.UNKNOWN) {
                note.resolved = status == TransactionStatus.COMMITTED ? Outcome.COMMITTED : Outcome.ABORTED;
            }
        } catch (StoreException e) {
            // it stays unknown
        }
    }
}
