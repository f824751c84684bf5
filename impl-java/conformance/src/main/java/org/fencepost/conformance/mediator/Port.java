package org.fencepost.conformance.mediator;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.tm.mediator.Helper;

/** Oracle, log and database as one puppet reaches them: it is held before every request, and between a fence and the look behind it. */
final class Port {

    private final Puppet puppet;
    private final OracleProcess process;
    private final DatabaseServers database;
    private final LongConsumer stamped;
    /** The keys whose server has its fence, and those that were found free of conflicts. */
    final Set<String> fenced = new HashSet<>();
    final Set<String> checked = new HashSet<>();
    /** What it was told when it began. */
    Oracle.Begun begun;
    /** Since when others must not have written them, by key. */
    Map<String, Long> since = Map.of();

    /** @param stamped told the stamp of a put */
    Port(Puppet puppet, OracleProcess process, DatabaseServers database, LongConsumer stamped) {
        this.puppet = puppet;
        this.process = process;
        this.database = database;
        this.stamped = stamped;
    }

    final Oracle oracle = new Oracle() {

        @Override
        public Begun begin(boolean replica) {
            begun = puppet.ask(Kind.BEGIN, Call.NO_KEY, 0, () -> process.begin(replica));
            return begun;
        }

        @Override
        public long txTryCommit(long startTs, long[] writes, long[] conflicts, long[] earliest) {
            return puppet.ask(Kind.COMMIT, Call.NO_KEY, startTs, () -> process.txTryCommit(startTs, writes, conflicts, earliest));
        }

        @Override
        public void tsoAbort(long commitTs) {
            puppet.act(Kind.TSO_ABORT, commitTs, () -> process.serving().tsoAbort(commitTs));
        }

        @Override
        public void txCommit(long commitTs) {
            puppet.act(Kind.TX_COMMIT, commitTs, () -> process.tell(commitTs));
        }
    };

    boolean append(LogRecord<Map<String, String>> record) {
        return puppet.ask(Kind.APPEND, Call.NO_KEY, record.commitTs(), () -> process.append(record));
    }

    void writeBack(Map<String, String> writes, long commitTs) {
        puppet.actOnEach(Kind.WRITE_BACK, writes.keySet(), commitTs, key -> database.writeBack(puppet, key, commitTs, writes.get(key)));
    }

    static String fence(String key) {
        return "fence " + key;
    }

    static String check(String key) {
        return "check " + key;
    }

    final DataServers<String, String> servers = new DataServers<>() {

        /** Of one key: the application reads them one by one. */
        @Override
        public Map<String, Version<String>> txGet(Map<String, Long> due, long startTs) {
            String key = due.keySet().iterator().next();
            puppet.ask(Kind.FENCE, key, startTs, () -> {
                database.fenceRead(puppet, key, startTs);
                return fenced.add(key);
            });
            Version<String> found = puppet.ask(Kind.GET, key, startTs, () -> database.lookBefore(puppet, key, startTs));
            return found == null ? Map.of() : Map.of(key, found);
        }

        @Override
        public Map<String, Version<String>> get(Collection<String> keys) {
            String key = keys.iterator().next();
            Version<String> found = puppet.ask(Kind.GET, key, 0, () -> database.lastBefore(key, Long.MAX_VALUE));
            return found == null ? Map.of() : Map.of(key, found);
        }

        /** A fence and a look for each key, in any order, up to the first conflict; and the answer. */
        @Override
        public boolean txCheckConflict(Map<String, Long> earliest, Collection<String> fence, long commitTs) {
            since = earliest;
            Set<String> keys = new LinkedHashSet<>(earliest.keySet());
            keys.addAll(fence);
            Map<String, Supplier<?>> rows = new LinkedHashMap<>();
            keys.forEach(key -> rows.put(fence(key), () -> {
                database.fenceCommit(puppet, key, commitTs);
                return fenced.add(key);
            }));
            earliest.forEach((key, ts) -> rows.put(check(key), () -> database.isFree(puppet, key, ts, commitTs) && checked.add(key)));
            for (Call call = new Call(Kind.CHECK, commitTs, rows); !rows.isEmpty();) {
                if (!(Boolean) puppet.await(call)) {
                    return false;
                }
            }
            return puppet.ask(Kind.CHECK_ANSWER, Call.NO_KEY, commitTs, () -> true);
        }

        @Override
        public void writeBack(Map<String, String> writes, long commitTs) {
            Port.this.writeBack(writes, commitTs);
        }

        @Override
        public long localCommit(String key, String value, long startTs) {
            return database.put(puppet, key, value, startTs, stamped);
        }
    };

    /** The helper's. */
    final Helper.Oracle<Map<String, String>> helped = new Helper.Oracle<>() {

        @Override
        public LogRecord<Map<String, String>> find(long commitTs) {
            return puppet.ask(Kind.FIND, Call.NO_KEY, commitTs, () -> process.serving().find(commitTs));
        }

        @Override
        public void settleEntry(long commitTs, boolean committed) {
            puppet.act(Kind.SETTLE_ENTRY, commitTs, () -> process.serving().settleEntry(commitTs, committed));
        }

        @Override
        public boolean append(LogRecord<Map<String, String>> record) {
            return Port.this.append(record);
        }
    };
}
