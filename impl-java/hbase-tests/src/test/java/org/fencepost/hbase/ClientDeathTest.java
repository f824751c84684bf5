package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Kills a client before and after each of its calls, and looks at what others see: all of the transaction or nothing
 * of it, for ever the same; and after the janitor nothing is left that tells of the death.
 */
@ExtendWith(Fixture.Extension.class)
class ClientDeathTest {

    /** Nothing in the client may catch it. */
    private static final class Death extends Error {
        Death(String call) {
            super("died at " + call);
        }
    }

    /** Dies at the n-th call: before it if n is even, after it if n is odd; and stays dead. */
    private static final class Mortal implements Tap {
        private final int deadline;
        private int time;
        private final List<String> calls = new ArrayList<>();

        Mortal(int deadline) {
            this.deadline = deadline;
        }

        /** A client that dies as it connects has begun nothing, and what it has been told already it does not ask. */
        private void tick(String what) {
            if (what.endsWith(" manager.info") || what.endsWith(" manager.lifetimeNanos")) {
                return;
            }
            calls.add(what);
            if (time++ >= deadline) {
                throw new Death(what);
            }
        }

        @Override
        public void before(String call) {
            tick("before " + call);
        }

        @Override
        public void after(String call) {
            tick("after " + call);
        }
    }

    Fixture hbase;
    TransactionClient client;
    TransactionalTable table;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        setUp(hbase, hbase.table());
    }

    final void setUp(Fixture fixture, TableName name) {
        hbase = fixture;
        client = hbase.client();
        table = client.table(name);
    }

    /** What commits. */
    String commitPoint() {
        return "commitTable.checkAndMutate";
    }

    List<String> afterCommit() {
        return List.of("store.putCommitCells", "commitTable.remove");
    }

    private void reset() {
        try (Transaction tx = client.begin()) {
            table.put(tx, List.of(put("r", "a", "old"), put("s", "a", "old"), put("gone", "a", "old")));
            tx.commit();
        }
    }

    private String state() {
        try (Transaction tx = client.begin()) {
            return Stream.of("r", "s", "gone").map(row -> read(table, tx, row)).toList().toString();
        }
    }

    private String stateByScan() throws Exception {
        try (Transaction tx = client.begin()) {
            return Fixture.scan(table, tx, new Scan()).toString();
        }
    }

    private interface Story {
        void run(TransactionClient mortal, TransactionalTable table);
    }

    private static void commitStory(TransactionClient mortal, TransactionalTable table) {
        Transaction tx = mortal.begin();
        table.get(tx, get("r"));
        table.put(tx, List.of(put("r", "a", "new"), put("s", "a", "new")));
        table.delete(tx, new org.apache.hadoop.hbase.client.Delete(Bytes.toBytes("gone")));
        tx.commit();
    }

    private static void rollbackStory(TransactionClient mortal, TransactionalTable table) {
        Transaction tx = mortal.begin();
        table.put(tx, List.of(put("r", "a", "new"), put("s", "a", "new")));
        Internals.protocol(mortal).write(Internals.state(tx));
        tx.rollback();
    }

    private void conflictStory(TransactionClient mortal, TransactionalTable table) {
        Transaction tx = mortal.begin();
        table.put(tx, List.of(put("r", "a", "new"), put("s", "a", "new")));
        try (Transaction rival = client.begin()) {
            this.table.put(rival, put("s", "a", "old"));
            rival.commit();
        }
        try {
            tx.commit();
        } catch (TransactionAbortedException e) {
            return;
        }
        throw new AssertionError("no conflict");
    }

    private static final String OLD = "[f:a=old, f:a=old, f:a=old]";
    private static final String NEW = "[f:a=new, f:a=new, ]";

    /** Runs a story with death at every moment. Returns what the client did in the end, having died at none. */
    private List<String> dieEverywhere(Story story, String afterwards) throws Exception {
        for (int deadline = 0;; deadline++) {
            reset();
            Mortal mortal = new Mortal(deadline);
            TransactionClient victim = Internals.open(hbase.conf, mortal.on(hbase.manager), mortal.seams());
            boolean died = false;
            try {
                story.run(victim, victim.table(table.name()));
            } catch (Death death) {
                died = true;
            }
            String moment = mortal.calls.get(mortal.calls.size() - 1);
            boolean janitorFirst = deadline % 2 == 0;
            String seen = janitorFirst ? null : state();
            hbase.expireAll();
            hbase.janitor(client).pass();
            if (seen == null) {
                seen = state();
            }
            boolean committed = mortal.calls.contains("after " + commitPoint());
            assertEquals(committed ? NEW : OLD, seen, "death " + moment);
            assertEquals(seen, state(), "the same for ever; death " + moment);
            assertEquals(committed ? "[r{f:a=new}, s{f:a=new}]" : "[gone{f:a=old}, r{f:a=old}, s{f:a=old}]", stateByScan());
            assertNothingLeft(moment);
            victim.close();
            if (!died) {
                assertEquals(afterwards, seen);
                return mortal.calls;
            }
        }
    }

    void assertNothingLeft(String moment) throws Exception {
        hbase.expireAll();
        hbase.janitor(client).pass();
        List<String> cells = hbase.stored(table.name());
        for (String cell : cells) {
            String key = cell.substring(0, cell.indexOf('='));
            assertTrue(cells.stream().anyMatch(other -> other.startsWith(key.replace('@', '!') + "=")),
                    "no commit cell for " + cell + ", death " + moment);
        }
        assertEquals(List.of(), hbase.entries(), "death " + moment);
    }

    @Test
    void whileCommitting(Fixture hbase) throws Exception {
        List<String> calls = dieEverywhere(ClientDeathTest::commitStory, NEW);
        List<String> expected = new ArrayList<>(List.of("manager.begin", "store.put", "manager.commit", commitPoint()));
        expected.addAll(afterCommit());
        assertEquals(expected, moments(calls));
    }

    @Test
    void whileRollingBack(Fixture hbase) throws Exception {
        List<String> calls = dieEverywhere(ClientDeathTest::rollbackStory, OLD);
        assertEquals(List.of("manager.begin", "store.put", "manager.end", "store.removeAborted"), moments(calls));
    }

    @Test
    void whileCleaningUpAfterAConflict(Fixture hbase) throws Exception {
        List<String> calls = dieEverywhere(this::conflictStory, OLD);
        assertEquals(List.of("manager.begin", "store.put", "manager.commit", "store.removeAborted"), moments(calls));
    }

    private static List<String> moments(List<String> calls) {
        return calls.stream().filter(call -> call.startsWith("after ")).map(call -> call.substring("after ".length())).toList();
    }
}
