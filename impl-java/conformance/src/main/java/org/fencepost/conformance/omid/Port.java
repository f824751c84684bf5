package org.fencepost.conformance.omid;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.fencepost.conformance.replay.Call.Kind;
import org.fencepost.conformance.replay.Call;
import org.fencepost.conformance.replay.Puppet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.BatchStore;
import org.fencepost.protocol.store.CommitTable;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.Write;

/** The servers as one puppet reaches them: it is held before every request. */
public final class Port {

    private final Puppet puppet;
    private final Servers servers;
    private final LongSupplier nanos;
    /** Which entries the commit table lists first. */
    long firstEntry;
    /** The fence that somebody else has put, and that is the puppet's, too. */
    long fencedAt = Timestamps.NIL;
    /** Since it was reset, a record was fetched. */
    boolean looked;
    /** The version of the record that was fetched last; NIL if there was none. */
    long met = Timestamps.NIL;
    /** What the commit table has answered last. */
    long entry = Timestamps.NIL;

    /** @param nanos the manager's clock */
    public Port(Puppet puppet, Servers servers, LongSupplier nanos) {
        this.puppet = puppet;
        this.servers = servers;
        this.nanos = nanos;
    }

    /** Where there are no leaders, only what {@link org.fencepost.protocol.store.VersionedStore} has is asked for. */
    final LeaderStore<String, Long> store = new LeaderStore<>() {

        @Override
        public Versions versions(String key) {
            return servers.versions();
        }

        @Override
        public void put(long version, Map<String, Write<Long>> writes) {
            Map<String, Write<Long>> sent = new LinkedHashMap<>(writes); // the caller's map changes when the call is over
            puppet.actOnEach(Kind.PUT, sent.keySet(), version, key -> {
                servers.prePut(key, version);
                servers.store.put(key, version, sent.get(key));
            });
        }

        @Override
        public void putCommitted(Map<String, Record<Long>> records, Runnable departs) {
            departs.run();
            puppet.actOnEach(Kind.PUT, records.keySet(), 0, key -> servers.store.putRecord(key, records.get(key)));
        }

        @Override
        public void put(long version, String leader, Map<String, Write<Long>> writes) {
            Map<String, Write<Long>> sent = new LinkedHashMap<>(writes);
            puppet.actOnEach(Kind.PUT, sent.keySet(), version, key -> servers.store.leaders().put(key, version, leader, sent.get(key)));
        }

        @Override
        public long commitCell(String leader, long version) {
            return puppet.ask(Kind.GET_ENTRY, Call.NO_KEY, version, () -> servers.store.entry(leader, version));
        }

        @Override
        public long checkAndMutate(String leader, long version, long entry) {
            return puppet.ask(Kind.CHECK_AND_MUTATE, Call.NO_KEY, version, () -> servers.store.leaders().checkAndMutate(leader, version, entry));
        }

        @Override
        public PrimitiveIterator.OfLong loneMarkers(String key, long watermark) {
            return firstOnesFirst(puppet.ask(Kind.ENTRIES_BELOW, Call.NO_KEY, watermark, () -> servers.store.loneMarkers(key, watermark)));
        }

        @Override
        public void removeMarker(String key, long version) {
            puppet.act(Kind.REMOVE_ENTRY, version, () -> servers.store.putCommitCell(key, version, Timestamps.NIL));
        }

        @Override
        public void removeAborted(Collection<String> keys, long version) {
            if (servers.hasLeaders()) {
                puppet.actOnEach(Kind.REMOVE, keys, version, key -> servers.store.leaders().removeAborted(key, version));
            } else {
                remove(keys, version);
            }
        }

        @Override
        public BatchStore<String, Long> batches() {
            return servers.batches(puppet);
        }

        /** One record for each request: the specification fetches them one by one. */
        @Override
        public Iterator<Record<Long>> get(String key, long fromVersion) {
            return new Iterator<>() {
                private long next = fromVersion;
                private boolean begun;
                private Record<Long> fetched;
                private boolean atEnd;

                @Override
                public boolean hasNext() {
                    if (fetched == null && !atEnd) {
                        if (!begun) {
                            servers.preGet(puppet, key);
                            begun = true;
                        }
                        List<Record<Long>> page = puppet.ask(Kind.GET, key, next, () -> servers.store.page(key, next, 1));
                        looked = true;
                        met = page.isEmpty() ? Timestamps.NIL : page.get(0).version();
                        atEnd = page.isEmpty();
                        fetched = atEnd ? null : page.get(0);
                        next = atEnd ? 0 : fetched.version() - 1;
                    }
                    return fetched != null;
                }

                @Override
                public Record<Long> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    Record<Long> result = fetched;
                    fetched = null;
                    return result;
                }
            };
        }

        @Override
        public Record<Long> reread(String key, long version) {
            return puppet.ask(Kind.REREAD, key, version, () -> servers.store.record(key, version));
        }

        @Override
        public void putCommitCells(Collection<String> keys, long version, long commitTs) {
            puppet.actOnEach(Kind.PUT_COMMIT_CELLS, keys, version, key -> {
                servers.preUpdate(key, commitTs);
                servers.store.putCommitCell(key, version, commitTs);
            });
        }

        @Override
        public void remove(Collection<String> keys, long version) {
            puppet.actOnEach(Kind.REMOVE, keys, version, key -> servers.store.remove(key, version));
        }
    };

    final CommitTable commitTable = new CommitTable() {

        @Override
        public long get(long startTs) {
            entry = puppet.ask(Kind.GET_ENTRY, Call.NO_KEY, startTs, () -> servers.table.get(startTs));
            return entry;
        }

        @Override
        public long checkAndMutate(long startTs, long value) {
            entry = puppet.ask(Kind.CHECK_AND_MUTATE, Call.NO_KEY, startTs, () -> servers.table.checkAndMutate(startTs, value));
            return entry;
        }

        @Override
        public void remove(long startTs) {
            puppet.act(Kind.REMOVE_ENTRY, startTs, () -> servers.table.remove(startTs));
        }

        @Override
        public void raiseWatermark(long watermark) {
            puppet.act(Kind.RAISE_WATERMARK, watermark, () -> servers.table.raiseWatermark(0, watermark));
        }

        @Override
        public long watermark() {
            return servers.table.watermark();
        }

        @Override
        public PrimitiveIterator.OfLong entriesBelow(long watermark) {
            return firstOnesFirst(puppet.ask(Kind.ENTRIES_BELOW, Call.NO_KEY, watermark, () -> servers.table.entriesBelow(0, watermark)));
        }
    };

    /** Entries are listed in any order, so the one that the specification takes comes first. */
    private PrimitiveIterator.OfLong firstOnesFirst(List<Long> entries) {
        return entries.stream().sorted((a, b) -> Boolean.compare(b == firstEntry, a == firstEntry)).mapToLong(Long::longValue).iterator();
    }

    public final TransactionManager manager = new TransactionManager() {

        @Override
        public long begin() {
            return puppet.ask(Kind.BEGIN, Call.NO_KEY, 0, () -> servers.give(servers.manager.begin(nanos.getAsLong())));
        }

        /** The answer can be lost when the manager has made its decision, so it is held once more. */
        @Override
        public long commit(long startTs, long[] writeSet, long[] tables) {
            return commit(startTs, startTs, writeSet, tables);
        }

        @Override
        public long commit(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
            long[] hashes = LongStream.concat(LongStream.of(writeSet), LongStream.of(tables)).toArray();
            long answer = puppet.ask(Kind.COMMIT, Call.NO_KEY, startTs,
                    () -> servers.manager.commit(startTs, comparedUpTo, hashes, writeSet.length, tables.length));
            if (answer < 0) {
                return answer;
            }
            servers.give(answer);
            return puppet.ask(Kind.COMMIT_ANSWER, Call.NO_KEY, answer, () -> answer);
        }

        @Override
        public LongSupplier commitLater(long startTs, long comparedUpTo, long[] writeSet, long[] tables) {
            return servers.commitLater(puppet, manager -> manager.commit(startTs, comparedUpTo, writeSet, tables));
        }

        /** Nobody loses the answer in the models that are replayed. */
        @Override
        public long commitBlindly(long[] writeSet) {
            return puppet.ask(Kind.COMMIT, Call.NO_KEY, 0, () -> servers.give(servers.manager.commitBlindly(writeSet, writeSet.length)));
        }

        @Override
        public long fence(long table) {
            return fencedAt != Timestamps.NIL ? fencedAt : puppet.ask(Kind.FENCE, Call.NO_KEY, 0, () -> servers.give(servers.manager.fence(table)));
        }

        @Override
        public void end(long startTs) {
            puppet.act(Kind.END, startTs, () -> servers.manager.end(startTs));
        }

        /** Collectors are told what to use. */
        @Override
        public long collectableBelow() {
            throw new UnsupportedOperationException();
        }
    };
}
