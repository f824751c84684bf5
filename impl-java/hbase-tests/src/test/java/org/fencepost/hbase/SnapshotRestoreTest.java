package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What HBase's snapshots do to transactions, as docs/operate.md tells it: which steps keep each of them whole, and which do not. */
@ExtendWith(Fixture.Extension.class)
class SnapshotRestoreTest {

    private Fixture hbase;
    private Admin admin;
    private TransactionClient client;
    private TransactionalTable left;
    private TransactionalTable right;

    @BeforeEach
    void setUp(Fixture hbase) throws Exception {
        this.hbase = hbase;
        admin = hbase.connection.getAdmin();
        client = hbase.client();
        left = client.table(hbase.table());
        right = client.table(hbase.table());
    }

    @AfterEach
    void close() throws IOException {
        admin.close();
    }

    /** Writes a row of both tables. */
    private Transaction both(String row, String value) {
        Transaction tx = client.begin();
        left.put(tx, put(row, "a", value));
        right.put(tx, put(row, "a", value));
        return tx;
    }

    private List<String> readBoth(String row) {
        try (Transaction tx = client.begin()) {
            return List.of(read(left, tx, row), read(right, tx, row));
        }
    }

    private void snapshot(TableName... tables) throws IOException {
        for (TableName table : tables) {
            admin.snapshot(table.getNameAsString() + "-snapshot", table);
        }
    }

    private void restore(TableName... tables) throws IOException {
        for (TableName table : tables) {
            admin.disableTable(table);
            admin.restoreSnapshot(table.getNameAsString() + "-snapshot", false);
        }
        for (TableName table : tables) {
            admin.enableTable(table);
        }
    }

    @Test
    void allTablesTogetherWithWritersAndJanitorStopped() throws Exception {
        both("r", "old").commit();
        Internals.protocol(client).commit(Internals.state(both("s", "old"))); // its writer dies before post-commit
        pending(client, left, "t", "never"); // and this one's before commit
        snapshot(left.name(), right.name(), hbase.commits);
        both("r", "new").commit();
        both("s", "new").commit();
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > 0);
        hbase.compact(left.name());
        hbase.compact(right.name());
        restore(left.name(), right.name(), hbase.commits);
        assertEquals(List.of("f:a=old", "f:a=old"), readBoth("r"));
        assertEquals(List.of("f:a=old", "f:a=old"), readBoth("s"));
        assertEquals(List.of("", ""), readBoth("t"));
        both("s", "newer").commit();
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > 0);
        assertEquals(0, hbase.janitor(client).leftovers());
        hbase.compact(left.name());
        assertEquals(List.of("f:a=old", "f:a=old"), readBoth("r"));
        assertEquals(List.of("f:a=newer", "f:a=newer"), readBoth("s"));
        assertEquals(List.of("", ""), readBoth("t"));
    }

    /** What a table's records do not tell themselves, the commit table tells, and has forgotten meanwhile. */
    @Test
    void oneTableAloneLosesCommitsThatItsSnapshotDidNotHold() throws Exception {
        Internals.protocol(client).commit(Internals.state(both("r", "old")));
        snapshot(left.name());
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > 0);
        restore(left.name());
        assertEquals(List.of("", "f:a=old"), readBoth("r"), "as docs/operate.md warns");
    }

    @Test
    void oneTableAloneOnceEverythingIsSettled() throws Exception {
        Internals.protocol(client).commit(Internals.state(both("r", "old")));
        pending(client, left, "t", "never");
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > 0);
        assertEquals(0, hbase.janitor(client).leftovers());
        snapshot(left.name());
        both("r", "new").commit();
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > 0);
        hbase.compact(left.name());
        restore(left.name());
        assertEquals(List.of("f:a=old", "f:a=new"), readBoth("r"));
        assertEquals(List.of("", ""), readBoth("t"));
        both("r", "newer").commit();
        assertEquals(List.of("f:a=newer", "f:a=newer"), readBoth("r"));
    }

    @Test
    void aCloneOfASettledTableIsATableOfItsOwn() throws Exception {
        commit(client, left, "r", "old");
        hbase.expireAll();
        assertTrue(hbase.janitor(client).pass() > 0);
        assertEquals(0, hbase.janitor(client).leftovers());
        snapshot(left.name());
        TableName name = TableName.valueOf(left.name() + "-clone");
        admin.cloneSnapshot(left.name() + "-snapshot", name);
        TransactionalTable clone = client.table(name);
        commit(client, left, "r", "new");
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=old", read(clone, tx, "r"));
            clone.put(tx, put("r", "a", "other"));
            tx.commit();
        }
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=other", read(clone, tx, "r"));
            assertEquals("f:a=new", read(left, tx, "r"));
        }
        assertEquals(List.of(), TableCheck.problems(hbase.connection, name, null));
    }

    /** HBase refuses to merge or split a commit table, unless somebody allows it: then a merge loses nothing. */
    @Test
    void mergedRegionsOfACommitTable() throws Exception {
        List<RegionInfo> shards = admin.getRegions(hbase.commits);
        byte[][] two = {shards.get(0).getEncodedNameAsBytes(), shards.get(1).getEncodedNameAsBytes()};
        assertThrows(IOException.class, () -> merge(two));
        for (int i = 0; i < 10; i++) {
            Internals.protocol(client).commit(Internals.state(both("r" + i, "1")));
        }
        hbase.commitTable().raiseWatermark(client.begin().startTimestamp() / 2);
        long watermark = hbase.commitTable().watermark();
        admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(hbase.commits)).setMergeEnabled(true).build());
        merge(two);
        assertEquals(shards.size() - 1, admin.getRegions(hbase.commits).size());
        assertEquals(watermark, hbase.commitTable().watermark());
        for (int i = 0; i < 10; i++) {
            assertEquals(List.of("f:a=1", "f:a=1"), readBoth("r" + i));
        }
        both("r0", "2").commit();
        assertEquals(List.of("f:a=2", "f:a=2"), readBoth("r0"));
    }

    private void merge(byte[][] regions) throws Exception {
        try {
            admin.mergeRegionsAsync(regions, false).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : e;
        }
    }
}
