package org.fencepost.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.mediator.Replica;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.mediator.Helper;
import org.fencepost.tm.mediator.Ledger;
import org.fencepost.tm.mediator.Ledgers;
import org.fencepost.tm.mediator.Recovery;
import org.fencepost.tm.mediator.Tso;
import org.fencepost.tm.mediator.WriteBack;

/**
 * The status oracle in this process, behind one lock, and its log in memory, which survives it: the oracle can be killed, and
 * another one takes over.
 */
final class LocalTso implements Oracle, Helper.Oracle<byte[]>, Ledgers<byte[]> {

    private static final int ENTRIES = 10_000;

    private final TransactionManager manager;
    private final Tracer tracer;
    private final List<LogRecord<byte[]>> records = new ArrayList<>();
    private long writtenBackBelow;
    /** Which oracle may append. */
    private int writer;
    /** Null while it is down. */
    private Tso<byte[]> tso;

    /** @param manager gives the timestamps */
    LocalTso(TransactionManager manager, WriteBack<byte[]> database, Tracer tracer) {
        this.manager = manager;
        this.tracer = tracer;
        recover(database);
    }

    private long timestamp() {
        long ts = manager.begin();
        manager.end(ts);
        return ts;
    }

    synchronized void kill() {
        tso = null;
    }

    /** Throws StoreException if the database does not answer; then try again. */
    void recover(WriteBack<byte[]> database) {
        Recovery<byte[]> recovery = new Recovery<>(this, database, tracer);
        recovery.closeLog();
        while (recovery.replay()) {
            // one after the other
        }
        synchronized (this) {
            tso = recovery.openTso(ENTRIES, this::timestamp, timestamp());
        }
    }

    private Tso<byte[]> up() {
        if (tso == null) {
            throw new TransactionManagerException("The status oracle is down.");
        }
        return tso;
    }

    // ---- clients

    @Override
    public synchronized Begun begin(boolean replica) {
        return new Begun(up().begin(), replica ? up().oracle().replica() : Replica.NONE);
    }

    @Override
    public synchronized long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        return up().txTryCommit(startTs, writes, conflicts, since);
    }

    @Override
    public synchronized void tsoAbort(long commitTs) {
        up().tsoAbort(commitTs);
    }

    @Override
    public synchronized void txCommit(long commitTs) {
        up().settleEntry(commitTs, true);
    }

    @Override
    public synchronized boolean append(LogRecord<byte[]> record) {
        if (tso == null) {
            throw new StoreException("The log is down.");
        }
        AtomicReference<Boolean> answer = new AtomicReference<>();
        AtomicReference<StoreException> failure = new AtomicReference<>();
        tso.append(record, answer::set, failure::set);
        if (failure.get() != null) {
            throw failure.get();
        }
        return answer.get();
    }

    // ---- the helper

    /**
     * One pass of the helper: brings those to their end that were active at the last one already.
     *
     * @param known what the last pass returned
     * @return those that are active
     */
    List<Long> help(List<Long> known, WriteBack<byte[]> by) {
        List<Long> active = active();
        Helper<byte[]> helper = new Helper<>(this, by, tracer);
        active.stream().filter(known::contains).forEach(helper::settle);
        synchronized (this) {
            up().tidy();
        }
        return active;
    }

    /** Until whatever was begun is written back or aborted. Nobody begins anything. */
    void settle(WriteBack<byte[]> by) {
        for (List<Long> known = active(); !known.isEmpty();) {
            known = help(known, by);
        }
    }

    synchronized List<Long> active() {
        List<Long> active = new ArrayList<>();
        for (long commitTs : tso == null ? new long[0] : tso.active()) {
            active.add(commitTs);
        }
        return active;
    }

    @Override
    public synchronized LogRecord<byte[]> find(long commitTs) {
        return up().find(commitTs);
    }

    @Override
    public synchronized void settleEntry(long commitTs, boolean committed) {
        up().settleEntry(commitTs, committed);
    }

    // ---- the log

    @Override
    public synchronized Closed<byte[]> closeLog() {
        writer++;
        return new Closed<>(List.copyOf(records), writtenBackBelow, 0);
    }

    @Override
    public synchronized Ledger<byte[]> create() {
        int mine = writer;
        return new Ledger<>() {
            @Override
            public void append(LogRecord<byte[]> record, Consumer<Exception> done) {
                if (mine == writer) {
                    records.add(record);
                }
                done.accept(mine == writer ? null : new StoreException("Another oracle has closed the log."));
            }

            @Override
            public void writtenBackBelow(long commitTs) {
                writtenBackBelow = Math.max(writtenBackBelow, commitTs);
            }
        };
    }
}
