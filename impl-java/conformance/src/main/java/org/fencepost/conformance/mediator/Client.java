package org.fencepost.conformance.mediator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorTransaction;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.simulation.world.Scheduler;

/** The client of one of the specification's transactions: the protocol's own class, and an application that does as it is told. */
final class Client extends Puppet {

    private final Mediator<String, String> mediator;
    final Port port;
    /** Null before it begins. */
    MediatorTransaction<String, String> tx;
    /** What it has read; null where there was nothing. */
    final Map<String, Version<String>> reads = new LinkedHashMap<>();
    /** The key that is being read; null between two reads. */
    String reading;
    /** Of a put transaction, once the server has given it. */
    long stamp = Timestamps.NIL;
    /** What its entry in the ring holds. */
    Set<String> filter = Set.of();
    /** The latest entry of each key that it knew of when it began. */
    Set<String> replica = Set.of();
    /** Its record was sent and not answered. */
    boolean recordUnanswered;
    Set<String> precedes = Set.of();

    Client(String name, Scheduler scheduler, OracleProcess process, DatabaseServers database, boolean serializable) {
        super(name, scheduler);
        this.port = new Port(this, process, database, ts -> stamp = ts);
        this.mediator = new Mediator<>(port.oracle, port::append, port.servers, clock("With one attempt to read there is nothing to wait for."), Client::hash,
                new Mediator.Settings(serializable, 1, 0, 2), Tracer.OFF);
    }

    static long hash(String key) {
        return key.hashCode();
    }

    void begin() {
        order(() -> tx = mediator.begin());
    }

    void read(String key) {
        loseRead();
        order(() -> {
            reading = key;
            try {
                reads.put(key, mediator.read(tx, List.of(key)).get(key));
            } catch (StoreException e) {
                // the application does something else
            } catch (TransactionAbortedException e) {
                // the transaction's status tells
            }
            reading = null;
        });
    }

    /** A read that is under way fails. */
    private void loseRead() {
        if (reading != null && call() != null) {
            lose();
        }
    }

    /** The server has its fence, and it waits with the look behind it. */
    boolean looksAt(String key) {
        return isAt(Kind.GET) && key.equals(reading);
    }

    void write(String key) {
        loseRead();
        order(() -> mediator.txPut(tx, key, name()));
    }

    void commit() {
        loseRead();
        order(() -> {
            try {
                mediator.commit(tx);
            } catch (TransactionAbortedException | OutcomeUnknownException e) {
                // the transaction's status tells
            }
        });
    }

    /** The version of a key that is due, by what it knew of the ring when it began. */
    long due(String key) {
        return port.begun.replica().latestCommitted(hash(key));
    }

    private boolean isPutTransaction() {
        return tx != null && reads.isEmpty() && tx.writeSet().size() == 1;
    }

    /** A client that was told must not know another one than the server gave. */
    long commitTs() {
        return tx == null ? Timestamps.NIL : tx.commitTs() != Timestamps.NIL ? tx.commitTs() : stamp;
    }

    /** As the specification has it. */
    String status() {
        if (tx == null) {
            return "idle";
        }
        if (isDead()) {
            return "dead";
        }
        return switch (tx.status()) {
            case ACTIVE -> isAt(Kind.STORE_PUT) ? "stamped" : isAt(Kind.COMMIT) ? "asks to commit" : "active";
            case REQUESTING, CERTIFIED -> switch (call() == null ? Kind.END : call().kind) {
                    case CHECK, CHECK_ANSWER -> "certified";
                    case APPEND -> recordUnanswered ? "unknown" : "certified";
                    case TSO_ABORT -> "aborted";
                    case WRITE_BACK, TX_COMMIT -> "committed";
                    default -> "certified, with " + call();
                };
            case COMMITTED -> "closed";
            case ABORTED -> "aborted";
            case UNKNOWN -> isPutTransaction() ? "dead" : "unresolved";
        };
    }
}
