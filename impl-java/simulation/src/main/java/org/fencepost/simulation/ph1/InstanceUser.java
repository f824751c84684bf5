package org.fencepost.simulation.ph1;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.PH1;
import org.fencepost.protocol.ph1.PH1Transaction;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.simulation.ph1.Note.Told;
import org.fencepost.simulation.world.Death;
import org.fencepost.simulation.world.Plan;
import org.fencepost.simulation.world.Scheduler;

/**
 * An instance of the middleware with one user, who runs transactions of a few random operations, one after the other, and is now and then cut off from the
 * others. If it dies, its copy of the version store is lost, and it is started again.
 */
final class InstanceUser implements Runnable {

    private final String name;
    private final Plan plan;
    private final Scheduler scheduler;
    private Endpoint endpoint;
    private final Endpoint.Servers servers;
    private final Function<Endpoint, PH1<String, Long>> start;
    private final SplittableRandom random;
    private final LongSupplier values;
    private final List<Note> notes;
    private PH1<String, Long> ph1;
    private Session session = new Session();
    private List<Note> committed = new ArrayList<>();
    private int budget;

    InstanceUser(String name, Plan plan, Scheduler scheduler, Endpoint endpoint, Endpoint.Servers servers, Function<Endpoint, PH1<String, Long>> start, int budget,
            LongSupplier values, List<Note> notes) {
        this.name = name;
        this.plan = plan;
        this.scheduler = scheduler;
        this.endpoint = endpoint;
        this.servers = servers;
        this.start = start;
        this.random = plan.random(name + "'s operations");
        this.budget = budget;
        this.values = values;
        this.notes = notes;
        this.ph1 = start.apply(endpoint);
    }

    /** What the instance does beside its user's work. If it fails, the next time makes up for it. */
    void evict() {
        try {
            ph1.evict();
        } catch (TransactionException | Death e) {
            // the instance is cut off, or dead
        }
    }

    @Override
    public void run() {
        boolean isCutOff = random.nextInt(3) == 0;
        while (budget > 0) {
            try {
                scheduler.pause(plan.think(random));
                if (isCutOff && !plan.faults().isEmpty() && random.nextInt(6) == 0) {
                    beCutOff();
                }
                transact();
            } catch (Death e) {
                budget--;
                if (endpoint.isAlive()) {
                    servers.instances.crash(name);
                }
                newSession();
                if (!servers.instances.isUp(name)) {
                    scheduler.pause(random.nextBoolean() ? 1 : plan.stall(random));
                    servers.instances.join(name);
                }
                endpoint = endpoint.again();
                ph1 = start.apply(endpoint);
            }
        }
    }

    /** For a while, in which the others may die. */
    private void beCutOff() {
        servers.instances.cutOff(name);
        long nanos = plan.stall(random) / 2;
        if (random.nextInt(3) == 0) {
            scheduler.after(nanos / 2, () -> servers.instances.crashOthers(name));
        }
        scheduler.after(2 * nanos, () -> servers.instances.rejoin(name));
    }

    private void newSession() {
        session = new Session();
        committed = new ArrayList<>();
    }

    void transact() {
        budget--;
        long views = servers.instances.viewNumber();
        PH1Transaction<String, Long> tx;
        try {
            tx = ph1.begin(session);
        } catch (TransactionManagerException e) {
            return;
        }
        Note note = new Note(tx, name, session, List.copyOf(committed));
        notes.add(note);
        try {
            for (int left = 1 + random.nextInt(2 * plan.keys().size() + 1); left > 0; left--) {
                operate(tx, note);
            }
            scheduler.pause(plan.think(random));
            endpoint.requireAlive();
            if (random.nextInt(16) == 0) {
                ph1.rollback(tx);
                note.told = Told.ABORTED;
            } else {
                ph1.commit(tx);
                committed(note);
            }
        } catch (TransactionAbortedException e) {
            note.told = e.abortCause() == AbortCause.UNREADABLE ? Told.TOO_OLD : Told.ABORTED;
            note.excused = servers.instances.excuses(name, views);
        } catch (OutcomeUnknownException e) {
            newSession();
        }
    }

    private void operate(PH1Transaction<String, Long> tx, Note note) {
        budget--;
        scheduler.pause(random.nextInt(servers.instances.inMajority(name) ? 16 : 2) == 0 ? plan.stall(random) : plan.think(random));
        endpoint.requireAlive();
        String key = plan.keys().get(random.nextInt(plan.keys().size()));
        if (random.nextInt(100) >= plan.writePercent()) {
            read(tx, note, key);
        } else if (random.nextInt(100) < plan.deletePercent()) {
            note.values.put(key, null);
            ph1.delete(tx, key);
        } else {
            long value = values.getAsLong();
            note.values.put(key, value);
            ph1.write(tx, key, value);
        }
    }

    void read(PH1Transaction<String, Long> tx, Note note, String key) {
        try {
            Long found = ph1.read(tx, key);
            note.looks++;
            if (!note.values.containsKey(key)) {
                note.reads.add(new Note.Read(key, found));
            } else if (!Objects.equals(found, note.values.get(key))) {
                throw new IllegalStateException(note + " read " + found + " after its own write of " + key + ".");
            }
        } catch (TransactionAbortedException e) {
            note.looks++;
            throw e;
        } catch (StoreException e) {
            endpoint.network().delay();
        }
    }

    private void committed(Note note) {
        note.told = Told.COMMITTED;
        if (!note.values.isEmpty()) {
            committed.add(note);
        }
        for (String key : note.values.keySet()) {
            Cell<Long> cell = servers.cells.get(key);
            if (cell == null ? note.values.get(key) != null && neverDeleted(key, note) : cell.ts() < note.tx.commitTs()) {
                note.missing = key;
            }
        }
    }

    private boolean neverDeleted(String key, Note since) {
        return notes.stream().noneMatch(note -> note.values.containsKey(key) && note.values.get(key) == null && note.tx.commitTs() > since.tx.commitTs());
    }
}
