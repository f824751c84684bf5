package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.store.HBaseLeaderStore;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fragola on HBase: commit entries are with leaders, followers point to them, in whatever table they are. */
@ExtendWith(Fixture.Extension.class)
class LeaderTableTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;
    private TransactionalTable other;

    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        hbase = fixture.withLeaders();
        client = hbase.client();
        table = client.table(hbase.leaderTable());
        other = client.table(hbase.leaderTable());
    }

    private static CellKey key(TransactionalTable table, String row) {
        return new CellKey(table.name(), Bytes.toBytes(row), F, Bytes.toBytes("a"));
    }

    private HBaseLeaderStore store() {
        return (HBaseLeaderStore) Internals.rows(client);
    }

    /** Leads with row r of the first table, and writes row s of both. */
    private Transaction inBoth(TransactionClient of, String value) {
        Transaction tx = of.begin();
        table(of, table).put(tx, put("r", "a", value));
        table(of, table).put(tx, put("s", "a", value));
        table(of, other).put(tx, put("s", "a", value));
        Internals.protocol(of).write(Internals.state(tx));
        return tx;
    }

    private static TransactionalTable table(TransactionClient of, TransactionalTable table) {
        return of.table(table.name());
    }

    private Transaction committedAndDead(String value) {
        Transaction tx = inBoth(client, value);
        Internals.protocol(client).commit(Internals.state(tx)); // and no post-commit
        return tx;
    }

    private List<String> record(String row, Transaction tx, String value, String leader) {
        return List.of(row + "/a@" + tx.startTimestamp() + "=" + value, row + "/a!" + tx.startTimestamp() + "=" + tx.commitTimestamp(),
                row + "/a>" + tx.startTimestamp() + "=" + leader);
    }

    private static List<String> all(List<List<String>> records) {
        return records.stream().flatMap(List::stream).toList();
    }

    private String now(TransactionalTable where, String row) {
        try (Transaction tx = client.begin()) {
            return read(where, tx, row);
        }
    }

    private void settleAll() {
        hbase.expireAll();
        assertNotEquals(0, hbase.janitor(client).pass());
    }

    @Test
    void oneKeyNeedsNoRequestAfterTheCommit() throws Exception {
        List<String> calls = new ArrayList<>();
        Tap counting = new Tap() {
            @Override
            public void after(String call) {
                calls.add(call);
            }
        };
        TransactionClient counted = hbase.closing(Internals.open(hbase.conf, counting.on(hbase.manager), counting.seams()));
        TransactionalTable same = counted.table(table.name());
        calls.clear();
        Transaction tx = commit(counted, same, "r", "1");
        counted.close();
        assertEquals(List.of("manager.begin", "store.putOnce", "manager.commit", "store.checkAndMutate"),
                calls.stream().filter(call -> !call.equals("manager.lifetimeNanos")).toList());
        assertEquals(record("r", tx, "1", "null"), hbase.stored(table.name()));
        assertEquals(new org.fencepost.hbase.client.CommitCounts(0, 1, 0, 0), counted.commitCounts());
        assertEquals("f:a=1", now(table, "r"));
    }

    /** Guard (SentOnce): a copy of what is sent again may be on its way, and must not bring back what was lost. */
    @Test
    void whatIsSentAgainIsInTheLogWhenItIsAnswered() throws Exception {
        try (Admin admin = hbase.connection.getAdmin()) {
            LogCount.in(admin, table.name());
        }
        List<String> puts = new ArrayList<>();
        Tap losing = new Tap() {
            @Override
            public void after(String call) {
                if (call.startsWith("store.put")) {
                    puts.add(call);
                }
                if (puts.size() == 1) {
                    throw new StoreException("the answer is lost, for a test");
                }
            }
        };
        TransactionClient hasty = hbase.client(losing.seams());
        Transaction tx = hasty.begin();
        table(hasty, table).put(tx, put("r", "a", "1"));
        assertThrows(StoreException.class, tx::commit);
        assertEquals(List.of(1L, 0L), List.of(LogCount.appends(table.name()), LogCount.syncs(table.name())));
        puts.add("");
        tx.commit();
        assertEquals(List.of("store.putOnce", "", "store.put"), puts);
        assertEquals(List.of(3L, 2L), List.of(LogCount.appends(table.name()), LogCount.syncs(table.name())), "put, put, commit cell");
        assertEquals("f:a=1", now(table, "r"));
    }

    /** Fails what would be answered before the log has it. */
    public static final class Unlogged implements RegionCoprocessor, RegionObserver {
        @Override
        public Optional<RegionObserver> getRegionObserver() {
            return Optional.of(this);
        }

        @Override
        public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) throws IOException {
            if (put.getDurability() == Durability.ASYNC_WAL) {
                throw new IOException("no answer, for a test");
            }
        }
    }

    @Test
    void theStoreItselfSendsAgainWhatWasNotAnswered() throws Exception {
        try (Admin admin = hbase.connection.getAdmin()) {
            LogCount.in(admin, table.name());
            admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name())).setCoprocessor(Unlogged.class.getName()).build());
        }
        Transaction tx = commit(client, table, "r", "1");
        assertEquals(record("r", tx, "1", "null"), hbase.stored(table.name()));
        assertEquals(List.of(2L, 2L), List.of(LogCount.appends(table.name()), LogCount.syncs(table.name())));
    }

    @Test
    void whoIsInterruptedSendsNothingAgain() throws Exception {
        try (Admin admin = hbase.connection.getAdmin()) {
            LogCount.in(admin, table.name());
        }
        Transaction tx = client.begin();
        table.put(tx, put("r", "a", "1"));
        Thread.currentThread().interrupt();
        assertThrows(StoreException.class, () -> Internals.protocol(client).write(Internals.state(tx)));
        assertTrue(Thread.interrupted(), "still interrupted");
        assertEquals(0, LogCount.syncs(table.name()));
        tx.rollback();
    }

    /** As if its server had died before the log had it. */
    @Test
    void aLeaderThatWasLostNeverCommits() throws Exception {
        Transaction tx = client.begin();
        table.put(tx, put("r", "a", "1"));
        Internals.protocol(client).write(Internals.state(tx));
        store().removeAborted(List.of(key(table, "r")), tx.startTimestamp());
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, tx::commit);
        assertEquals(AbortCause.COLLECTED, e.abortCause());
        assertTrue(e.getMessage().contains("a server that died had not stored"), e.getMessage());
        assertEquals("", now(table, "r"));
    }

    /** Of Omid LL: the put, the commit entry, the commit cell, and without a sync the removal of the entry. */
    @Test
    void aSingleWriteIsOneLogSyncAndThoseOfOmidLlAreThree() throws Exception {
        int count = 20;
        hbase.conf.set(Settings.PLACEMENT, "table");
        TransactionClient ll = hbase.client();
        TransactionalTable plain = ll.table(hbase.table());
        try (Admin admin = hbase.connection.getAdmin()) {
            for (TableName each : List.of(table.name(), plain.name(), hbase.commits)) {
                LogCount.in(admin, each);
            }
        }
        for (int i = 0; i < count; i++) {
            commit(client, table, "r" + i, "1");
        }
        assertEquals(count, LogCount.syncs(table.name(), hbase.commits));
        assertEquals(2 * count, LogCount.appends(table.name(), hbase.commits));
        for (int i = 0; i < count; i++) {
            commit(ll, plain, "r" + i, "1");
        }
        long bindings = LogCount.appends(hbase.commits) - 2 * count; // of shards that were not bound before
        assertTrue(bindings >= 0 && bindings <= 3, () -> bindings + " bindings");
        assertEquals(3 * count + bindings, LogCount.syncs(plain.name(), hbase.commits));
        assertEquals(4 * count + bindings, LogCount.appends(plain.name(), hbase.commits));
    }

    @Test
    void followersInAllTablesPointToTheLeader() throws Exception {
        Transaction tx = inBoth(client, "1");
        String leader = key(table, "r").toString();
        assertEquals(List.of("s/a@" + tx.startTimestamp() + "=1", "s/a>" + tx.startTimestamp() + "=" + leader), hbase.stored(other.name()));
        tx.commit();
        assertEquals(all(List.of(record("r", tx, "1", "null"), record("s", tx, "1", leader))), hbase.stored(table.name()));
        assertEquals(record("s", tx, "1", leader), hbase.stored(other.name()));
    }

    @Test
    void aReaderLooksAtTheLeaderInAnotherTableAndHeals() throws Exception {
        Transaction tx = committedAndDead("1");
        assertEquals(2, hbase.stored(other.name()).size());
        try (Transaction reader = client.begin()) {
            assertEquals(List.of("s{f:a=1}"), Fixture.scan(other, reader, new Scan()));
        }
        assertEquals(record("s", tx, "1", key(table, "r").toString()), hbase.stored(other.name()));
        assertEquals("f:a=1", now(table, "s"));
    }

    @Test
    void aReaderMarksThePendingLeader() throws Exception {
        commit(client, other, "s", "0");
        Transaction writer = inBoth(client, "1");
        assertEquals("f:a=0", now(other, "s"));
        assertTrue(hbase.stored(table.name()).contains("r/a!" + writer.startTimestamp() + "=-1"));
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, writer::commit);
        assertEquals(AbortCause.INVALIDATED, e.abortCause());
        assertEquals(List.of("r/a!" + writer.startTimestamp() + "=-1"), hbase.stored(table.name()), "F6: the marker stays");
        assertEquals(Timestamps.COLLECTED, store().checkAndMutate(key(table, "r"), writer.startTimestamp(), writer.startTimestamp() + 1));
        settleAll();
        hbase.compact(table.name());
        assertEquals(List.of(), hbase.stored(table.name()));
    }

    /** F6: a commit that arrives late finds no leader, or one that a late copy of its put has brought back, with the marker. */
    @Test
    void aLateCommitNeedsALeaderWithoutMarker() throws Exception {
        Transaction writer = inBoth(client, "1");
        writer.rollback();
        assertEquals(Timestamps.COLLECTED, store().checkAndMutate(key(table, "r"), writer.startTimestamp(), writer.startTimestamp() + 1));
        Transaction marked = inBoth(client, "2");
        assertEquals("", now(table, "s"));
        marked.rollback();
        hbase.compact(table.name()); // the delete markers go
        store().put(marked.startTimestamp(), key(table, "r"), Map.of(key(table, "r"), Write.of(Bytes.toBytes("2"))));
        assertEquals(Timestamps.INVALIDATED, store().checkAndMutate(key(table, "r"), marked.startTimestamp(), marked.startTimestamp() + 1));
        assertEquals("", now(table, "r"));
    }

    /** F1: the puts are under way in parallel. Absence is believed of nobody. */
    @Test
    void aFollowerThatComesBeforeItsLeaderIsPassedOver() throws Exception {
        commit(client, other, "s", "0");
        TransactionalTable[] seen = new TransactionalTable[1];
        Transaction writer = client.begin();
        table.put(writer, put("r", "a", "1"));
        other.put(writer, put("s", "a", "1"));
        store().put(writer.startTimestamp(), key(table, "r"), Map.of(key(other, "s"), Write.of(Bytes.toBytes("1"))));
        assertEquals("f:a=0", now(other, "s"));
        assertEquals(5, hbase.stored(other.name()).size(), "nothing is written");
        writer.commit();
        assertEquals("f:a=1", now(other, "s"));
        assertEquals("f:a=1", now(table, "r"));
    }

    /** F2: a leader that was overwritten is the commit entry of its followers until those are healed. */
    @Test
    void anOverwrittenLeaderStaysUntilItsFollowersAreHealed() throws Exception {
        Transaction dead = committedAndDead("1");
        Transaction next = commit(client, table, "r", "2");
        hbase.expireAll();
        hbase.compact(table.name()); // told nothing
        assertEquals("f:a=1", now(other, "s"));
        assertTrue(hbase.stored(table.name()).contains("r/a@" + dead.startTimestamp() + "=1"));
        settleAll();
        hbase.compact(table.name());
        String leader = key(table, "r").toString();
        assertEquals(all(List.of(record("r", next, "2", "null"), record("s", dead, "1", leader))), hbase.stored(table.name()));
        assertEquals(record("s", dead, "1", leader), hbase.stored(other.name()));
        assertEquals("f:a=1", now(other, "s"));
        hbase.move(table.name(), "r");
        commit(client, table, "r", "3");
        hbase.compact(table.name());
        assertEquals(9, hbase.stored(table.name()).size(), "a region that was moved knows no watermark");
    }

    /** F2, F3: a pass that ends early lets no leader go, whatever it has healed. */
    @Test
    void anIncompletePassLetsNoLeaderGo() throws Exception {
        Transaction dead = committedAndDead("1");
        try (Transaction tx = client.begin()) {
            table.delete(tx, delete("r", "a"));
            tx.commit();
        }
        TransactionClient unlucky = hbase.client(Tap.onceAfter("store.putCommitCells", () -> {
            throw new StoreException("the first record is healed, then HBase is gone");
        }).seams());
        hbase.expireAll();
        assertThrows(StoreException.class, () -> hbase.janitor(unlucky).pass());
        hbase.compact(table.name());
        hbase.compact(table.name());
        assertTrue(hbase.stored(table.name()).contains("r/a@" + dead.startTimestamp() + "=1"), "the leader");
        assertEquals("f:a=1", now(other, "s"));
        settleAll();
        hbase.compact(table.name());
        hbase.compact(table.name());
        assertEquals(record("s", dead, "1", key(table, "r").toString()), hbase.stored(table.name()), "the tombstone covers nothing");
        assertEquals("f:a=1", now(other, "s"));
    }

    @Test
    void theDeadArePutToRestInAllTables() throws Exception {
        committedAndDead("1");
        inBoth(client, "2");
        Transaction marked = inBoth(client, "3");
        assertEquals("f:a=1", now(other, "s"));
        assertEquals(3, hbase.janitor(client).leftovers());
        settleAll();
        assertEquals(0, hbase.janitor(client).leftovers());
        assertEquals(3, hbase.stored(other.name()).size());
        assertEquals("f:a=1", now(table, "s"));
        assertThrows(TransactionAbortedException.class, marked::commit);
    }

    @Test
    void anUnknownOutcomeIsResolvedAtTheLeader() {
        TransactionClient unlucky = hbase.client(new Tap() {
            @Override
            public void after(String call) {
                if (call.equals("store.checkAndMutate")) {
                    throw new StoreException("the answer is lost");
                }
            }
        }.seams());
        Transaction tx = inBoth(unlucky, "1");
        OutcomeUnknownException e = assertThrows(OutcomeUnknownException.class, tx::commit);
        assertEquals(TransactionStatus.COMMITTED, client.resolve(e));
        assertThrows(IllegalArgumentException.class, () -> client.resolve(e.startTs(), e.commitTs()));
        assertEquals("f:a=1", now(other, "s"));
    }

    @Test
    void conflictsAreFoundAsEver() {
        Transaction first = client.begin();
        table.put(first, put("r", "a", "1"));
        commit(client, table, "r", "2");
        assertThrows(TransactionAbortedException.class, first::commit);
        pending(client, table, "r", "3").rollback();
        assertEquals("f:a=2", now(table, "r"));
    }

    @Test
    void aTableOfAnotherManagerIsNotTouched() throws Exception {
        TableName name = hbase.leaderTable();
        try (org.apache.hadoop.hbase.client.Admin admin = hbase.connection.getAdmin()) {
            admin.modifyTable(org.apache.hadoop.hbase.client.TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
                    .setValue("fencepost.manager", "another").build());
        }
        assertThrows(org.fencepost.hbase.layout.InvalidTableException.class, () -> client.table(name));
        store().put(1, new CellKey(name, F, F, F), Map.of(new CellKey(name, F, F, F), Write.of(F)));
        settleAll();
        assertEquals(2, hbase.stored(name).size());
    }
}
