package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.TransactionAbortedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A fence on a table binds who began before it and writes the table (specs/IndexFence.tla, FencedNeverCommits), and nobody else. */
@ExtendWith(Fixture.Extension.class)
class FenceTest {

    @Test
    void whoBeganBeforeItAndWritesTheTableAborts(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        TransactionalTable other = client.table(hbase.table());
        Transaction writer = client.begin();
        Transaction elsewhere = client.begin();
        Transaction reader = client.begin();
        table.put(writer, put("r", "a", "1"));
        other.put(writer, put("r", "a", "1"));
        other.put(elsewhere, put("s", "a", "1"));
        long fence = client.fence(table.name());
        assertEquals(AbortCause.FENCED, assertThrows(TransactionAbortedException.class, writer::commit).abortCause());
        elsewhere.commit();
        assertEquals("", read(table, reader, "r"));
        reader.commit();
        Transaction later = client.begin();
        assertTrue(later.startTimestamp() > fence);
        table.put(later, put("r", "a", "2"));
        later.commit();
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=2", read(table, tx, "r"));
            assertEquals("", read(other, tx, "r"), "nothing is left of who was fenced");
        }
        assertEquals(List.of(), hbase.entries());
    }

    /** Which is what an index is built from. */
    @Test
    void whoBeginsAfterItSeesAllThatWasLetPass(Fixture hbase) throws Exception {
        TransactionClient client = hbase.client();
        TransactionalTable table = client.table(hbase.table());
        Fixture.commit(client, table, "r", "let pass");
        client.fence(table.name());
        try (Transaction build = client.begin()) {
            assertEquals("f:a=let pass", read(table, build, "r"));
        }
    }

    @Test
    void noneIsPutWhereItWouldBindNobody(Fixture hbase) throws Exception {
        Fixture fast = hbase.withSpan(16);
        TransactionClient client = fast.client();
        TableName name = fast.fastTable(1);
        String refusal = assertThrows(InvalidTableException.class, () -> client.fence(name)).getMessage();
        assertTrue(refusal.contains("has the fast path, whose writes ask no transaction manager"), refusal);
        assertEquals("There is no HBase table no-such-table: create it first.",
                assertThrows(InvalidTableException.class, () -> client.fence(TableName.valueOf("no-such-table"))).getMessage());
    }
}
