package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.hbase.client.CommitCounts;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tests of commits in one phase stand on: a table with a fast path, split at "1", whose region servers know the time. */
@ExtendWith(Fixture.Extension.class)
abstract class OnePhaseTable {

    static final long SPAN = 1 << 20;

    final ExecutorService threads = Executors.newCachedThreadPool();
    Fixture hbase;
    OvertakenManager manager;
    TransactionClient client;
    TableName name;
    TransactionalTable table;
    FastTable fast;

    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        hbase = fixture.withSpan(SPAN);
        manager = new OvertakenManager(hbase.manager);
        client = hbase.closing(TransactionClient.open(hbase.conf, manager));
        name = hbase.fastTable(2);
        table = client.table(name);
        fast = client.fastTable(name);
        fast.write(put("first", "a", "0")); // by now its server knows the time
        fast.write(put("0", "a", "0"));
    }

    @AfterEach
    void stopThreads() {
        Stall.loseOneIn(0);
        FailingLog.fails(false);
        threads.shutdownNow();
    }

    final String read(Transaction tx, String row) {
        return show(table.get(tx, Fixture.get(row)));
    }

    final void assertCounts(long inOnePhase, long theLongWay, long refused) {
        assertEquals(new CommitCounts(inOnePhase, theLongWay, refused, 0), client.commitCounts());
    }
}
