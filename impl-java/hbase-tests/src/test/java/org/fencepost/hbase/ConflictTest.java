package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.delete;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** First committer wins. */
@ExtendWith(Fixture.Extension.class)
class ConflictTest {

    private static void assertConflict(Transaction tx) {
        TransactionAbortedException e = assertThrows(TransactionAbortedException.class, tx::commit);
        assertEquals(AbortCause.CONFLICT, e.abortCause());
    }

    @Test
    void theSecondWriterOfACellAborts(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        Transaction first = client.begin();
        Transaction second = client.begin();
        Transaction deleter = client.begin();
        table.put(first, put("r", "a", "1"));
        table.put(second, put("r", "a", "2", "b", "2"));
        table.delete(deleter, delete("r", "a"));
        second.commit();
        assertConflict(first);
        assertConflict(deleter);
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=2 f:b=2", read(table, tx, "r"));
        }
        assertEquals(4, hbase.stored(table.name()).size(), "the losers cleaned up");
        assertEquals(List.of(), hbase.entries());
    }

    @Test
    void perCellTwoWritersOfARowBothCommit(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        Transaction first = client.begin();
        Transaction second = client.begin();
        table.put(first, put("r", "a", "1"));
        table.put(second, put("r", "b", "2"));
        first.commit();
        second.commit();
        try (Transaction tx = client.begin()) {
            assertEquals(List.of("r{f:a=1 f:b=2}"), Fixture.scan(table, tx, new Scan()));
        }
    }

    @Test
    void perRowOneOfThemAborts(Fixture hbase) throws Exception {
        hbase.conf.set(Settings.CONFLICTS, "row");
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        TransactionalTable other = client.table(hbase.table());
        Transaction first = client.begin();
        Transaction second = client.begin();
        Transaction elsewhere = client.begin();
        table.put(first, put("r", "a", "1"));
        table.put(second, put("r", "b", "2"));
        table.put(elsewhere, put("s", "a", "3"));
        other.put(elsewhere, put("r", "a", "3"));
        first.commit();
        assertConflict(second);
        elsewhere.commit();
    }

    @Test
    void aTransactionOfTheSameCellAfterwardsCommits(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        for (int i = 0; i < 5; i++) {
            try (Transaction tx = client.begin()) {
                table.put(tx, put("r", "a", Integer.toString(i)));
                tx.commit();
            }
        }
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=4", read(table, tx, "r"));
        }
    }
}
