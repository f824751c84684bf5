package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.CommitRows;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/** A commit table belongs to one transaction manager, and knows how far its timestamps have come. */
@ExtendWith(Fixture.Extension.class)
class BindingTest {

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;

    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        hbase = fixture;
        client = hbase.client();
        table = client.table(hbase.table());
        commit(client, table, "r", "1");
    }

    /** The fixture's manager, which tells something else of itself. */
    private TransactionManager telling(ManagerInfo info) {
        return new Retelling(hbase.manager, info, null);
    }

    private ManagerInfo strangersInfo() {
        ManagerInfo real = hbase.manager.info();
        return new ManagerInfo("somebody-else", 7, real.limit(), real.limit() + 1, real.limit() + 1000, real.lifetimeMillis());
    }

    /** As it was before what was given is durable: an old maxTS, or none. */
    private ManagerInfo setBackInfo() {
        ManagerInfo real = hbase.manager.info();
        return new ManagerInfo(real.identity(), real.tenure() + 1, 0, 1, 1000, real.lifetimeMillis());
    }

    private static void refused(Class<? extends Exception> type, String words, Executable call) {
        Exception e = assertThrows(type, call);
        assertTrue(e.getMessage().contains(words), e.getMessage());
        assertTrue(e.getMessage().endsWith("."), e.getMessage());
    }

    @Test
    void aClientOfAnotherManagerIsRefused() {
        refused(InvalidTableException.class, "belongs to transaction manager",
                () -> TransactionClient.open(hbase.conf, telling(strangersInfo())));
    }

    @Test
    void aClientWhoseManagerHasLostItsClockIsRefused() {
        refused(InvalidTableException.class, "--recover-from", () -> TransactionClient.open(hbase.conf, telling(setBackInfo())));
    }

    /** The next primary begins where the last one's limit was. */
    @Test
    void aManagerThatTookOverIsServed() {
        ManagerInfo real = hbase.manager.info();
        ManagerInfo next = new ManagerInfo(real.identity(), 7, real.limit(), real.limit() + 1, real.limit() + 1000, real.lifetimeMillis());
        TransactionClient.open(hbase.conf, telling(next)).close();
    }

    @Test
    void tablesAreCheckedForIt() throws Exception {
        assertEquals(List.of(), TableCheck.problems(hbase.connection, table.name(), hbase.manager));
        for (ManagerInfo wrong : List.of(strangersInfo(), setBackInfo())) {
            List<String> problems = TableCheck.problems(hbase.connection, table.name(), telling(wrong));
            assertEquals(1, problems.size(), problems.toString());
            assertTrue(problems.get(0).contains("transaction manager"), problems.get(0));
        }
    }

    /** Region servers that were led to another manager stop at the first timestamp that the table does not know. */
    @Test
    void aRegionServerOfAnotherManagerTakesNoEntryThatIsNew() throws Exception {
        moveTo(strangersInfo());
        HBaseCommitTable entries = hbase.commitTable();
        long beyond = hbase.manager.info().limit() + 5;
        refused(StoreException.class, "belongs to transaction manager", () -> entries.checkAndMutate(hbase.manager.begin(), beyond));
        refused(StoreException.class, "belongs to transaction manager", () -> entries.raiseWatermark(1));
        moveTo(setBackInfo());
        refused(StoreException.class, "--recover-from", () -> entries.checkAndMutate(hbase.manager.begin(), beyond));
        hbase.managerUp();
        assertEquals(0, entries.checkAndMutate(hbase.manager.begin(), hbase.manager.begin()));
    }

    private void moveTo(ManagerInfo info) {
        TestManagers.up(hbase.commits, telling(info));
    }

    /** The old one is gone for good: an operator starts another above all that was given, and binds the table to it. */
    @Test
    void anOperatorBindsTheTableToAnotherManager() throws Exception {
        ManagerInfo other = strangersInfo();
        ManagerInfo low = new ManagerInfo(other.identity(), 7, 1, 2, 1000, other.lifetimeMillis());
        moveTo(low);
        refused(StoreException.class, "--recover-from", () -> hbase.commitTable().bindAnew());
        moveTo(other);
        hbase.commitTable().bindAnew();
        TransactionClient.open(hbase.conf, telling(other)).close();
        refused(InvalidTableException.class, "belongs to transaction manager somebody-else", () -> TransactionClient.open(hbase.conf, hbase.manager));
    }

    // ---- the watermark

    @Test
    void theWatermarkIsRaisedNoFurtherThanTheManagerAllows() throws Exception {
        HBaseCommitTable entries = hbase.commitTable();
        try (Transaction tx = client.begin()) {
            refused(StoreException.class, "as its transaction manager says", () -> entries.raiseWatermark(tx.startTimestamp() + 1));
            refused(StoreException.class, "as its transaction manager says", () -> entries.raiseWatermark(Long.MAX_VALUE));
            refused(StoreException.class, "as its transaction manager says", () -> entries.raiseWatermark(-5));
            entries.raiseWatermark(tx.startTimestamp());
            assertEquals("f:a=1", read(table, tx, "r"));
        }
        commit(client, table, "r", "2");
    }

    /** A watermark from before it was bounded, or of a manager that was bound for another: commits end until it goes back. */
    @Test
    void aWatermarkThatIsTooHighGoesBack() throws Exception {
        ManagerInfo real = hbase.manager.info();
        long wrong = real.next() + 1_000;
        TestManagers.up(hbase.commits, new Retelling(hbase.manager, null, wrong));
        HBaseCommitTable entries = hbase.commitTable();
        entries.raiseWatermark(wrong);
        hbase.managerUp();
        assertThrows(org.fencepost.protocol.TransactionAbortedException.class, () -> commit(client, table, "r", "2"));
        assertEquals(wrong, entries.resetWatermark());
        commit(client, table, "r", "3");
        assertTrue(entries.watermark() < wrong, "it is where the transaction manager was");
        hbase.move(hbase.commits, "");
        commit(client, table, "r", "4");
        entries.resetWatermark();
        assertTrue(entries.watermark() > real.next() - 1, "it does not go back further");
    }

    /** Nobody who has not begun is invalidated: that would abort all who are to come. */
    @Test
    void transactionsThatAreToComeAreNotInvalidated() throws Exception {
        HBaseCommitTable entries = hbase.commitTable();
        refused(StoreException.class, "was not given", () -> entries.checkAndMutate(hbase.manager.info().next() + 5, -1));
        commit(client, table, "r", "2");
    }

    @Test
    void nothingIsWrittenNatively() throws Exception {
        byte[] row = CommitRows.watermarkRow(0);
        try (org.apache.hadoop.hbase.client.Table raw = hbase.connection.getTable(hbase.commits)) {
            var put = new org.apache.hadoop.hbase.client.Put(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN,
                    org.apache.hadoop.hbase.util.Bytes.toBytes(Long.MAX_VALUE));
            List<Executable> requests = List.of(() -> raw.put(put),
                    () -> raw.delete(new org.apache.hadoop.hbase.client.Delete(row)),
                    () -> raw.delete(new org.apache.hadoop.hbase.client.Delete(row).addColumns(CommitRows.FAMILY, CommitRows.COLUMN)),
                    () -> raw.increment(new org.apache.hadoop.hbase.client.Increment(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, 1)),
                    () -> raw.append(new org.apache.hadoop.hbase.client.Append(row).addColumn(CommitRows.FAMILY, CommitRows.COLUMN, row)),
                    () -> raw.mutateRow(org.apache.hadoop.hbase.client.RowMutations.of(List.of(put))));
            for (Executable request : requests) {
                Exception e = assertThrows(java.io.IOException.class, request);
                assertTrue(Failures.reason(e).contains("no native writes but the removal of an entry"), e.getMessage());
            }
        }
        commit(client, table, "r", "2");
    }

    /** A region that was moved knows whose it is. */
    @Test
    void theBindingIsStored() throws Exception {
        try (Admin admin = hbase.connection.getAdmin()) {
            TableName commits = hbase.commits;
            admin.disableTable(commits);
            admin.enableTable(commits);
        }
        refused(InvalidTableException.class, "belongs to transaction manager",
                () -> TransactionClient.open(hbase.conf, telling(strangersInfo())));
        commit(client, table, "r", "2");
    }
}
