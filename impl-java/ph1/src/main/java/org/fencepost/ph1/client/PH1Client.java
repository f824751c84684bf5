package org.fencepost.ph1.client;

import java.nio.ByteBuffer;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.fencepost.hbase.store.SystemClock;
import org.fencepost.ph1.group.GroupSettings;
import org.fencepost.ph1.group.JGroupsGroup;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.GenerationLog;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.ph1.PH1;
import org.fencepost.protocol.ph1.ReplicatedVersions;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.protocol.ph1.UnversionedStore;
import org.fencepost.protocol.ph1.VersionTable;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * An instance of pH1's middleware in this process: transactions under snapshot isolation over a store without versions. It needs most of
 * the group's instances, a transaction manager, and the store. Thread-safe:
 *
 * <pre>{@code
 * try (PH1Client client = PH1Client.open(settings, new CassandraStore(session, "bank"), new CassandraLog(session, "bank"))) {
 *     PH1Table accounts = client.table("accounts");
 *     try (Transaction tx = client.begin()) {
 *         accounts.put(tx, key, value);
 *         tx.commit();
 *     }
 * }
 * }</pre>
 */
public final class PH1Client implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int ATTEMPTS = 10_000;

    /**
     * @param group          where the instances are
     * @param manager        where the transaction manager is
     * @param patienceMillis so long a begin, a record, a version or a put is tried again
     * @param evictMillis    between two evictions of versions that nobody needs
     * @param redoMillis     after so long an unfinished flush is taken for that of a dead instance; one that is only slow may be aborted
     * @param trimMillis     so long a record stays in the redo log after its flush; longer than any request lasts
     */
    public record Settings(GroupSettings group, RemoteTransactionManager.Settings manager, long patienceMillis, long evictMillis, long redoMillis,
            long trimMillis) {

        public Settings {
            if (patienceMillis < 1 || evictMillis < 1 || redoMillis < 1 || trimMillis <= 2 * patienceMillis) {
                throw new IllegalArgumentException("Times are at least 1 ms, and records stay for more than twice the patience.");
            }
        }

        /** The same with a patience of 30 s, eviction every 500 ms, redo after 5 s, and records that stay for 10 minutes. */
        public static Settings of(GroupSettings group, RemoteTransactionManager.Settings manager) {
            return new Settings(group, manager, 30_000, 500, 5_000, 600_000);
        }
    }

    private final RemoteTransactionManager manager;
    private final UnversionedStore<Key, ByteBuffer> store;
    private final VersionTable<Key, ByteBuffer> versions = new VersionTable<>();
    private final HorizonKeeper keeper;
    private final JGroupsGroup group;
    private final GroupCertifier certifier;
    private final PH1<Key, ByteBuffer> protocol;
    /** For the keeper, which tries again itself, and has other things to do. */
    private volatile PH1<Key, ByteBuffer> redoer;
    private final Session session = new Session();
    private final ScheduledExecutorService evictions = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ph1-evict");
        thread.setDaemon(true);
        return thread;
    });

    private PH1Client(Settings settings, UnversionedStore<Key, ByteBuffer> store, GenerationLog log) {
        this.store = store;
        this.manager = new RemoteTransactionManager(settings.manager());
        this.keeper = new HorizonKeeper(manager, log, new HorizonKeeper.Redo() {
            @Override
            public void begins(long generation) {
                certifier().begins(generation);
            }

            @Override
            public void redo(long commitTs) {
                redoer.redo(commitTs);
            }
        }, settings.redoMillis(), settings.trimMillis());
        JGroupsGroup joined;
        try {
            joined = new JGroupsGroup(settings.group(), versions, keeper);
        } catch (RuntimeException e) {
            manager.close();
            evictions.shutdownNow();
            throw e;
        }
        this.group = joined;
        this.certifier = new GroupCertifier(group, settings.patienceMillis());
        this.protocol = instance(settings, log, ATTEMPTS);
        this.redoer = instance(settings, log, 1);
        keeper.start(group);
        evictions.scheduleWithFixedDelay(this::evict, settings.evictMillis(), settings.evictMillis(), TimeUnit.MILLISECONDS);
    }

    private PH1<Key, ByteBuffer> instance(Settings settings, GenerationLog log, int attempts) {
        return new PH1<>(certifier, certifier.log(log), store, new ReplicatedVersions<>(group, versions), new SystemClock(), PAUSE_NANOS, attempts,
                TimeUnit.MILLISECONDS.toNanos(settings.patienceMillis()), Tracer.OFF);
    }

    private GroupCertifier certifier() {
        return certifier;
    }

    PH1<Key, ByteBuffer> protocol() {
        return protocol;
    }

    /**
     * Starts the instance; returns when it has joined the group, or begun one. Transactions begin when most instances are there.
     *
     * @param store with its tables; stays the caller's
     * @param log   in the same store, as a rule; stays the caller's
     * @throws StoreException if the group cannot be joined
     */
    public static PH1Client open(Settings settings, UnversionedStore<Key, ByteBuffer> store, GenerationLog log) {
        return new PH1Client(settings, store, log);
    }

    private void evict() {
        try {
            protocol.evict();
        } catch (TransactionException e) {
            // not now: there is no view of most instances, or no horizon
        }
    }

    /**
     * A table, which the store's createTable has made; this is not checked before it is used.
     *
     * @throws IllegalArgumentException if it is no name of a table
     */
    public PH1Table table(String name) {
        return new PH1Table(this, Key.requireTable(name));
    }

    /** Begins a transaction in this client's own session: it sees all that was committed by this client without another session. */
    public Transaction begin() {
        return begin(session);
    }

    /**
     * Begins a transaction, which sees what was committed in its session before it, and what others have committed as far as earlier flushes
     * have ended.
     *
     * @param session of the user
     * @throws TransactionManagerException if the instance is not with most others, or the transaction manager does not answer, for the time
     *                                     of the settings' patience
     */
    public Transaction begin(Session session) {
        return new Transaction(this, protocol.begin(session));
    }

    UnversionedStore<Key, ByteBuffer> store() {
        return store;
    }

    /** How many instances are in this one's view; 0 while it is in none. */
    public int instances() {
        return group.view().members().size();
    }

    /** Versions that this instance holds, of keys that were overwritten. */
    public int versions() {
        return versions.state().values().stream().mapToInt(java.util.Set::size).sum();
    }

    /** The most that a transaction may write, in bytes of keys and values. */
    static int maxWriteBytes() {
        return Codec.MAX_RECORD_BYTES;
    }

    /** Leaves the group. What is being flushed is ended by another instance. Closing twice is no error. */
    @Override
    public synchronized void close() {
        if (group.isClosed()) {
            return;
        }
        evictions.shutdownNow();
        keeper.close();
        group.close();
        manager.close();
    }
}
