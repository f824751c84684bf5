package org.fencepost.hbase.client;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Descriptions;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.Connections;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.hbase.store.HBaseLeaderStore;
import org.fencepost.hbase.store.HBaseStore;
import org.fencepost.hbase.store.SystemClock;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.fragola.Fragola;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.OmidLL;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Committed;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.VersionedStore;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.protocol.twophase.OmidTwoPhase;

/**
 * Where transactions on HBase begin. One per process is enough; thread-safe.
 *
 * <p>Configured through the keys of {@link Settings}. After a commit, the records get their commit cells in the
 * background, on a bounded number of threads with a bounded queue; when that is full, committing threads do it
 * themselves.
 */
public final class TransactionClient implements AutoCloseable {

    private final Settings settings;
    private final Connections connections;
    private final Connection connection;
    private final HBaseStore rows;
    private final VersionedStore<CellKey, byte[]> store;
    private final CommitTable commitTable;
    private final OmidLL<CellKey, byte[]> protocol;
    private final FastPath fastPath;
    private final TransactionManager manager;
    private final Tracer tracer;
    private final Clock clock = new SystemClock();
    private final PostCommits postCommits;
    private final LongAdder inOnePhase = new LongAdder();
    private final LongAdder theLongWay = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private volatile boolean closed;

    private TransactionClient(Settings settings, Connections connections, TransactionManager manager, Internals.Seams seams)
            throws IOException {
        this.settings = settings;
        this.connections = connections;
        this.connection = connections.repeating();
        Connection once = connections.once();
        this.rows = rows(settings, connection, once);
        this.store = seams.store().apply(rows);
        this.commitTable = settings.leaders() ? null : seams.commitTable().apply(entries(once, manager));
        this.protocol = protocol(manager, seams.tracer());
        this.fastPath = new FastPath(connection, once, settings.timeoutMillis(), seams.tracer());
        this.manager = manager;
        this.tracer = seams.tracer();
        this.postCommits = new PostCommits(protocol, settings);
    }

    private static HBaseStore rows(Settings settings, Connection connection, Connection once) {
        return settings.leaders() ? new HBaseLeaderStore(connection, once, settings.timeoutMillis())
                : settings.longWay() ? new HBaseStore(connection) : new HBaseStore(connection, once, settings.timeoutMillis());
    }

    private HBaseCommitTable entries(Connection once, TransactionManager manager) throws IOException {
        HBaseCommitTable entries = new HBaseCommitTable(connection, once, settings.commitTable(), settings.timeoutMillis());
        entries.requireManager(manager.info());
        entries.reachShards();
        return entries;
    }

    private OmidLL<CellKey, byte[]> protocol(TransactionManager manager, Tracer tracer) {
        if (settings.twoPhase()) {
            return new OmidTwoPhase<>(rows, commitTable, manager, clock, CellKey::tableIds, settings.protocol(), tracer);
        }
        ToLongFunction<CellKey> conflictHash = settings.conflictsPerRow() ? CellKey::rowHash : CellKey::cellHash;
        return settings.leaders()
                ? new Fragola<>((LeaderStore<CellKey, byte[]>) store, manager, clock, conflictHash, CellKey::tableIds, settings.protocol(), tracer)
                : new OmidLL<>(store, commitTable, manager, clock, conflictHash, CellKey::tableIds, settings.protocol(), tracer, false);
    }

    /**
     * Connects to HBase.
     *
     * @param conf    HBase's configuration, with the keys of {@link Settings}
     * @param manager stays the caller's to close
     * @throws StoreException           if HBase does not answer within {@link Settings#TIMEOUT}
     * @throws InvalidTableException    if there is to be a commit table and it does not exist or is none, or belongs to another transaction manager, or to
     *                                  this one before it lost its clock
     * @throws TransactionManagerException if the transaction manager does not answer
     * @throws IllegalArgumentException if the configuration makes no sense
     */
    public static TransactionClient open(Configuration conf, TransactionManager manager) {
        return open(conf, manager, Internals.Seams.NONE);
    }

    /**
     * The same, with a trace of what it does; see {@link #open(Configuration, TransactionManager)}.
     *
     * @param tracer told of every action of a client; called by any thread
     */
    public static TransactionClient open(Configuration conf, TransactionManager manager, Tracer tracer) {
        return open(conf, manager, new Internals.Seams(store -> store, table -> table, tracer));
    }

    static TransactionClient open(Configuration conf, TransactionManager manager, Internals.Seams seams) {
        Settings settings = Settings.from(conf);
        Connections connections = null;
        try {
            connections = Connections.open(settings.bounded(conf));
            return new TransactionClient(settings, connections, manager, seams);
        } catch (IOException | RuntimeException e) {
            if (connections != null) {
                connections.close();
            }
            throw e instanceof IOException io ? Failures.store("find the commit table", settings.commitTable(), io)
                    : (RuntimeException) e;
        }
    }

    /** Throws {@link TransactionManagerException} if the transaction manager does not answer, and {@link IllegalStateException} if this is closed. */
    public Transaction begin() {
        requireOpen();
        org.fencepost.protocol.omid.OmidLLTransaction<CellKey, byte[]> tx = protocol.begin();
        protocol.gatherHeals(tx);
        return new Transaction(this, new OmidTransaction(this, tx), settings.maxWriteBytes());
    }

    /**
     * A transaction that only writes, to tables with the fast path, and replaces whatever was committed before it commits: nobody's earlier
     * write is a conflict. It asks the transaction manager nothing until then, and one thing where its writes commit in one phase
     * ({@link Settings#COMMIT}). Its {@link Transaction#startTimestamp} is 0 until then. What reads throws
     * {@link org.fencepost.protocol.TransactionException}, deletes of rows and families among it, and so does what sends writes before the
     * commit, and a write to another table. Throws {@link IllegalStateException} if this is closed.
     */
    public Transaction beginBlind() {
        requireOpen();
        return new Transaction(this, new OmidTransaction(this, protocol.beginBlind()), settings.maxWriteBytes());
    }

    /**
     * A table to use in transactions; keep it, any number of threads may use it.
     *
     * @param families some that the caller may read in, where it may not read in all of the table
     * @throws InvalidTableException if there is no such table, if it is not set up for transactions of this client (a client has tables of a
     *                               commit table or tables with leaders, see {@link Settings#PLACEMENT}), or if it is for checkpoints and the
     *                               transaction manager's timestamps leave no room for them
     * @throws StoreException        if HBase does not answer
     * @throws IllegalStateException if this is closed
     */
    public TransactionalTable table(TableName name, byte[]... families) {
        return table(description(name, families));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("This TransactionClient is closed: open another one.");
        }
    }

    private TransactionalTable table(TableDescriptor description) {
        if (TableAttributes.versionsOf(description).levels() > 1 && !TableAttributes.hasFastPath(description)) {
            TableAttributes.requireRoom(description.getTableName(), TableAttributes.spanOf(description), manager);
        }
        return new TransactionalTable(this, description, connection.getConfiguration(), new OmidRows(this, description));
    }

    /** As it is now; throws {@link InvalidTableException} if the table is not set up for transactions of this client. */
    private TableDescriptor description(TableName name, byte[]... families) {
        requireOpen();
        try {
            TableDescriptor description = Descriptions.read(connection, name, families);
            if (settings.leaders()) {
                TableAttributes.requireLeaders(description);
                TableAttributes.requireManager(description, manager.info());
            } else {
                TableAttributes.requireTransactional(description, settings.commitTable());
                TableAttributes.requireProtocol(description, settings.twoPhase());
            }
            TableAttributes.requireNotReplicated(description);
            rows.opened(description);
            return description;
        } catch (IOException e) {
            throw Failures.store("read the description", name, e);
        }
    }

    /**
     * A table with a secondary index, to be written from now on through what this returns, by everybody; keep it, any number of threads may
     * use it. See {@link Index} for what comes then.
     *
     * @throws InvalidTableException if one of the tables does not exist or is not set up for transactions, if the index is not that of
     *                               {@link Index#describe}, or if a table cannot have one
     * @throws StoreException        if HBase does not answer
     */
    public IndexedTable indexed(Index index) {
        requireCommitTable("indexes", index.table());
        TableDescriptor table = description(index.table());
        TableDescriptor entries = description(index.name());
        index.require(table, entries);
        TableAttributes.requireProtocol(table, false);
        return new IndexedTable(this, index, table(table), table(entries));
    }

    /** From which timestamp on the index is ready, as HBase knows it now; 0 while it is not. */
    long readyFrom(Index index) {
        return Index.readyFrom(description(index.name()));
    }

    /**
     * A table to use in single-key transactions that do not need the transaction manager; keep it, any number of threads
     * may use it.
     *
     * @param families                     see {@link #table}
     * @throws InvalidTableException       if there is no such table, if it has no fast path, or if the transaction manager's
     *                                     timestamps leave no room for one
     * @throws StoreException              if HBase does not answer
     * @throws TransactionManagerException if the transaction manager does not answer
     */
    public FastTable fastTable(TableName name, byte[]... families) {
        requireCommitTable("a fast path", name);
        TableDescriptor description = description(name, families);
        long span = TableAttributes.fastSpanOf(description);
        TableAttributes.requireRoom(name, span, manager);
        return new FastTable(this, table(description), TableAttributes.versionsOf(description));
    }

    /**
     * What became of a transaction after {@link OutcomeUnknownException}; any client may ask.
     * If it is still pending, it commits now. UNKNOWN: too late to tell.
     */
    public TransactionStatus resolve(long startTs, long commitTs) {
        return protocol.resolve(startTs, commitTs);
    }

    /** The same, also of a transaction that was to commit in one phase. */
    public TransactionStatus resolve(OutcomeUnknownException unknown) {
        return protocol.resolve(unknown);
    }

    /** How many of this client's transactions that write have committed, and which way: see {@link Settings#COMMIT}. */
    public CommitCounts commitCounts() {
        return new CommitCounts(inOnePhase.sum(), theLongWay.sum(), refused.sum(), passed.sum());
    }

    /**
     * Puts a fence on a table (VLDB'18 section 6.1): of the transactions that write it, those that began earlier do not commit any more,
     * but abort with {@link org.fencepost.protocol.AbortCause#FENCED}. A transaction that begins after this has returned sees what all
     * others have written and committed that began before the fence. Once a new transaction manager leads, a fence is as good as before:
     * nobody commits who began under the last one.
     *
     * @return the fence's timestamp. It is no snapshot: begin a transaction for that
     * @throws InvalidTableException       if there is no such table, if it is not set up for transactions, or if it has the fast path,
     *                                     whose writes no fence binds
     * @throws StoreException              if HBase does not answer
     * @throws TransactionManagerException if the transaction manager does not answer: the fence may stand or not; put another
     */
    public long fence(TableName name) {
        requireCommitTable("fences", name);
        if (TableAttributes.hasFastPath(description(name))) {
            throw new InvalidTableException("Table " + name + " has the fast path, whose writes ask no transaction manager: a fence"
                    + " does not bind them. Put fences on tables without it.");
        }
        return manager.fence(CellKey.tableId(name));
    }

    /** What no model has with leaders. */
    private void requireCommitTable(String what, TableName table) {
        if (settings.leaders()) {
            throw new InvalidTableException("HBase table " + table + " cannot have " + what + " here, where commit entries are with leaders: open a"
                    + " client whose " + Settings.PLACEMENT + " is table, over tables of a commit table.");
        }
    }

    void commit(org.fencepost.protocol.omid.OmidLLTransaction<CellKey, byte[]> tx) {
        try {
            Committed<CellKey> committed = protocol.commit(tx);
            if (!committed.isReadOnly() || settings.leaders() && committed.commitTs() != Timestamps.NIL) {
                theLongWay.increment();
            } else if (committed.commitTs() != Timestamps.NIL) {
                inOnePhase.increment();
            }
            postCommits.add(committed);
        } finally {
            if (tx.wasRefused()) {
                refused.increment();
            }
            if (tx.wasPassed()) {
                passed.increment();
            }
        }
    }

    TransactionManager manager() {
        return manager;
    }

    OmidLL<CellKey, byte[]> protocol() {
        return protocol;
    }

    FastPath fastPath() {
        return fastPath;
    }

    /** Whether region servers decide what it sees, where they can. What they decide leaves no trace, and they do not tell all versions. */
    boolean readsOnServer(Transaction tx) {
        return settings.readsOnServer() && !tracer.on() && tx.visibility() != Visibility.ALL;
    }

    HBaseStore rows() {
        return rows;
    }

    VersionedStore<CellKey, byte[]> store() {
        return store;
    }

    /** Null where commit entries are with leaders. */
    CommitTable commitTable() {
        return commitTable;
    }

    Connection connection() {
        return connection;
    }

    Settings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    /** Finishes the post-commits that are under way, for at most {@link Settings#TIMEOUT}, and disconnects. */
    @Override
    public void close() {
        closed = true;
        postCommits.close();
        connections.close();
    }
}
