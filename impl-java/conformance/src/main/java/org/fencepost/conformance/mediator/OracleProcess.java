package org.fencepost.conformance.mediator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.fencepost.conformance.replay.Refused;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle.Begun;
import org.fencepost.protocol.mediator.Replica;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;
import org.fencepost.tm.mediator.Ledger;
import org.fencepost.tm.mediator.Ledgers;
import org.fencepost.tm.mediator.Recovery;
import org.fencepost.tm.mediator.RingReplica;
import org.fencepost.tm.mediator.Tso;
import org.fencepost.tm.mediator.WriteBack;

/**
 * The status oracle's process, from one to the next: the real {@link Tso} and {@link Recovery}, over a log in which a record is durable at
 * once. Nothing is let go of from the log.
 */
final class OracleProcess implements Ledgers<Map<String, String>>, Ledger<Map<String, String>>, TransactionManager, Tracer {

    private static final int RING_ENTRIES = 8;

    private final long delta;
    private final WriteBack<Map<String, String>> database;
    private final List<LogRecord<Map<String, String>>> records = new ArrayList<>();
    /** What clients know of the ring: they are of one process. */
    private final RingReplica replica = new RingReplica();
    /** That it has committed, it was told and has not heard yet. */
    private final Set<Long> told = new HashSet<>();
    /** Of the ring, by commit timestamp. */
    private final Map<Long, String> entries = new HashMap<>();
    private Tso<Map<String, String>> tso;
    private Recovery<Map<String, String>> recovery;
    private long clock;

    /** One that has never given a timestamp. */
    OracleProcess(long delta, WriteBack<Map<String, String>> database) {
        this.delta = delta;
        this.database = database;
        takeOver();
        tso = recovery.openTso(RING_ENTRIES, this::timestamp, clock);
    }

    // ---- from one to the next

    String state() {
        return tso != null ? "up" : recovery != null ? "replaying" : "down";
    }

    void crash() {
        tso = null;
        recovery = null;
        entries.clear();
        told.clear();
    }

    /** Another one begins to recover. */
    void takeOver() {
        recovery = new Recovery<>(this, database, this);
        recovery.closeLog();
    }

    /** Writes back all that is in the log, one transaction after the other. */
    void replay() {
        while (recovery.replay()) {
            continue;
        }
    }

    void open() {
        clock += delta;
        tso = recovery.openTso(RING_ENTRIES, this::timestamp, clock);
        recovery = null;
    }

    private long timestamp() {
        clock += delta;
        return clock;
    }

    long clock() {
        return clock;
    }

    // ---- what is asked of it

    Tso<Map<String, String>> serving() {
        if (tso == null) {
            throw new TransactionManagerException("no status oracle serves");
        }
        return tso;
    }

    Begun begin(boolean withReplica) {
        long startTs = serving().begin();
        if (!withReplica) {
            return new Begun(startTs, Replica.NONE);
        }
        replica.apply(tso.oracle().changesSince(replica.revision()));
        return new Begun(startTs, replica.snapshot());
    }

    long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] since) {
        long answer = serving().txTryCommit(startTs, writes, conflicts, since);
        if (answer > 0 && writes.length > 0) {
            entries.put(answer, "aborted"); // once it is not active any more, unless it says otherwise
        }
        return answer;
    }

    boolean append(LogRecord<Map<String, String>> record) {
        if (tso == null) {
            throw new StoreException("no status oracle writes the log");
        }
        Boolean[] commits = new Boolean[1];
        tso.append(record, answer -> commits[0] = answer, failed -> {
            throw failed;
        });
        return commits[0];
    }

    /** That a transaction has committed: heard later, or never. */
    void tell(long commitTs) {
        if (tso != null) {
            told.add(commitTs);
        }
    }

    /** Whether there was something to hear. */
    boolean hear(long commitTs) {
        boolean was = told.remove(commitTs);
        if (was) {
            tso.settleEntry(commitTs, true);
        }
        return was;
    }

    /** Of a server that asks for the time. */
    @Override
    public long begin() {
        return serving().begin();
    }

    @Override
    public long commit(long startTs, long[] writeSet, long[] tables) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void end(long startTs) {
    }

    @Override
    public long collectableBelow() {
        throw new UnsupportedOperationException();
    }

    // ---- the ring

    /** Deletes an entry, as the ring does: with all the others up to the oldest active one. */
    void evict(long commitTs) {
        long[] settled = entries.keySet().stream().mapToLong(Long::longValue).sorted().takeWhile(ts -> !tso.oracle().isActive(ts)).toArray();
        if (settled.length != 1 || settled[0] != commitTs) {
            throw new Refused("the ring deletes " + LongStream.of(settled).boxed().toList() + ", not just " + commitTs);
        }
        tso.oracle().evict();
    }

    /** As the specification has it. */
    String entry(long commitTs) {
        return !entries.containsKey(commitTs) ? "none" : tso.oracle().isActive(commitTs) ? "active" : entries.get(commitTs);
    }

    /** The latest entry that holds a key. */
    long latest(long hash) {
        return tso.oracle().replica().latestCommitted(hash);
    }

    long tsMin() {
        return tso == null ? 0 : tso.oracle().tsMin();
    }

    @Override
    public void event(Action action, Object... arguments) {
        if (action == Action.SettleEntry) {
            entries.put((Long) arguments[1], (Boolean) arguments[3] ? "committed" : "aborted");
        } else if (action == Action.Evict) {
            entries.remove((Long) arguments[1]);
        }
    }

    // ---- the log

    @Override
    public Closed<Map<String, String>> closeLog() {
        return new Closed<>(List.copyOf(records), 0, 0);
    }

    @Override
    public Ledger<Map<String, String>> create() {
        return this;
    }

    @Override
    public void append(LogRecord<Map<String, String>> record, Consumer<Exception> done) {
        records.add(record);
        done.accept(null);
    }

    /** The transaction's first record; null if it has none. */
    LogRecord<Map<String, String>> record(long commitTs) {
        return records.stream().filter(record -> record.commitTs() == commitTs).findFirst().orElse(null);
    }
}
