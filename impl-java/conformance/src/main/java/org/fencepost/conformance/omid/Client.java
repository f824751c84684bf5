package org.fencepost.conformance.omid;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.fragola.Fragola;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.omid.OmidLLTransaction;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Scheduler;

/** The client of one of the specification's transactions: the protocol's own class, and an application that does as it is told. */
public final class Client extends Puppet {

    /** What the application was given by a read. */
    public record Read(String key, Record<Long> record, boolean own) {
    }

    /** What it was given when it asked for all versions. */
    public record Listed(String key, List<Record<Long>> records) {
    }

    final OmidLL<String, Long> ll;
    final Port port;
    private final boolean hasLeader;
    /** Null before it begins. */
    public OmidLLTransaction<String, Long> tx;
    /** When it began, and when the manager first noted that others begin later. */
    long begunNanos;
    long passedNanos;
    /** What the manager answered to its commit request, perhaps on its way to the client; 0 if nothing. */
    public long commitTs;
    /** The keys of whose put the store has told it. */
    public final Set<String> answered = new HashSet<>();
    public final Set<Read> reads = new LinkedHashSet<>();
    public final Set<Listed> listed = new LinkedHashSet<>();
    /** The key that is being read; null between two reads. */
    public String reading;
    /** A reader whose steps are told takes them one by one, as the specification does: it asks again for what it knows. */
    private static final Tracer STEP_BY_STEP = (action, arguments) -> {};

    /** It has written a row together with its index records, and goes on with these. */
    boolean keepsIndex;
    /** Its first commit-table write was not answered. */
    public boolean entryUnanswered;
    /** Whose commit was answered before it began. */
    public Set<String> precedes = Set.of();
    /** What a client that the commit table refused below the watermark has written: it leaves that to the collector. */
    final Set<String> leftToCollector = new HashSet<>();

    /** Of who writes before it knows its version. */
    private static final long BLIND_VALUE = -1;

    private boolean blind;
    private TransactionStatus atDeath;

    Client(String name, Scheduler scheduler, Servers servers) {
        super(name, scheduler);
        this.port = new Port(this, servers, scheduler::nanos);
        this.hasLeader = servers.hasLeaders();
        Clock clock = clock("Without grace there is nothing to wait for.");
        OmidLL.Settings settings = new OmidLL.Settings(Servers.CLIENT_LIFETIME, 0, Long.MAX_VALUE / 2, 2, true);
        this.ll = hasLeader ? new Fragola<>(port.store, port.manager, clock, servers::hash, settings, STEP_BY_STEP)
                : new OmidLL<>(port.store, port.commitTable, port.manager, clock, servers::hash, servers::tables, settings, STEP_BY_STEP, false);
    }

    /** What a process that dies still does to its memory, as code that tidies up after an error does, nobody sees. */
    @Override
    public void die() {
        atDeath = tx == null ? null : tx.status();
        super.die();
    }

    /** Of its transaction, as it was when it died. */
    public TransactionStatus status() {
        return isDead() && atDeath != null ? atDeath : tx.status();
    }

    /** Whether it has written this at its version, which it did not know then. */
    boolean wroteBlindly(long version, long value) {
        return blind && version == version() && value == BLIND_VALUE;
    }

    /** What it writes tells whose it is. */
    public static long value(String key, long version) {
        return version * 31 + key.hashCode();
    }

    /** Of what it writes; NIL before it begins. */
    public long version() {
        return tx == null ? Timestamps.NIL : tx.startTs();
    }

    /** It has committed, and nothing more is to be done or known; a leader keeps the commit entry. */
    public boolean isClosed() {
        return call() == null && (isDead() || !hasLeader || tx.isReadOnly());
    }

    void begin() {
        order(() -> tx = ll.begin());
    }

    public void write(String key, boolean delete) {
        order(() -> {
            ll.buffer(tx, key, delete ? Write.tombstone() : Write.of(value(key, tx.writePoint())));
            send();
        });
    }

    public void writeAgain() {
        order(this::send);
    }

    void send() {
        try {
            ll.write(tx);
        } catch (StoreException e) {
            // it may send them again
        } catch (TransactionAbortedException e) {
            // refused; the transaction's status tells
        }
    }

    public void read(String key) {
        reading(key, () -> {
            boolean own = tx.readsOwn(key);
            reads.add(new Read(key, ll.read(tx, key), own));
        });
    }

    /** All its own versions of the key, and the one before. */
    public void list(String key) {
        reading(key, () -> listed.add(new Listed(key, ll.readAll(tx, key))));
    }

    /** The same, of which nobody sees the result. */
    public void look(String key) {
        reading(key, () -> ll.readAll(tx, key));
    }

    private void reading(String key, Runnable read) {
        order(() -> {
            reading = key;
            port.looked = false;
            try {
                read.run();
            } catch (StoreException e) {
                // a read that fails is not begun again
            }
            reading = null;
        });
    }

    public void checkpoint() {
        order(() -> ll.checkpoint(tx));
    }

    public void takeSnapshot() {
        order(() -> ll.takeSnapshot(tx));
    }

    /** What it has written it reads from the store now. */
    public void flush() {
        order(() -> ll.flush(tx));
    }

    /** The version of the record that it has fetched last; NIL if there was none. */
    public long met() {
        return port.met;
    }

    /** What the commit table has answered it last. */
    public long entry() {
        return port.entry;
    }

    /** The read that is under way has fetched a record. */
    public boolean hasLooked() {
        return port.looked;
    }

    /** Up to the commit, which sends it. */
    public void buffer(String key, boolean delete) {
        order(() -> ll.buffer(tx, key, delete ? Write.tombstone() : Write.of(value(key, tx.writePoint()))));
    }

    /** @param deletes of each key, whether it is */
    public void commitBlindly(Map<String, Boolean> deletes) {
        order(() -> {
            tx = ll.beginBlind();
            blind = true;
            deletes.forEach((key, delete) -> ll.buffer(tx, key, delete ? Write.tombstone() : Write.of(BLIND_VALUE)));
            commitNow();
        });
    }

    public void commit() {
        order(this::commitNow);
    }

    private void commitNow() {
        try {
            ll.finishCommit(ll.commit(tx));
        } catch (TransactionAbortedException e) {
            if (e.abortCause() == AbortCause.COLLECTED) {
                leftToCollector.addAll(tx.writeSet());
            }
        } catch (OutcomeUnknownException e) {
            // the transaction's status tells
        }
    }

    void rollback() {
        order(() -> ll.rollback(tx));
    }
}
