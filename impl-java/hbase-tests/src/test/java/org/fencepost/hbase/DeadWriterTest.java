package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.scan;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A writer that died leaves its readers a request or two each, not some for each of its records. */
@ExtendWith(Fixture.Extension.class)
class DeadWriterTest {

    /** More than are healed at once. */
    private static final int RECORDS = 300;

    private Fixture hbase;
    private TransactionClient client;
    private TransactionalTable table;
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    @BeforeEach
    void setUp(Fixture fixture) throws Exception {
        hbase = fixture;
        client = hbase.client(new Tap() {
            @Override
            public void before(String call) {
                calls.merge(call, 1, Integer::sum);
            }
        }.seams());
        table = client.table(hbase.table());
    }

    private static String row(int i) {
        return String.format("r%04d", i);
    }

    /** Its records are stored, its commit not asked for. */
    private Transaction dead() {
        Transaction tx = client.begin();
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            puts.add(put(row(i), "a", "dead"));
        }
        table.put(tx, puts);
        Internals.protocol(client).write(Internals.state(tx));
        return tx;
    }

    private int scanned() throws Exception {
        calls.clear();
        try (Transaction tx = client.begin()) {
            return scan(table, tx, new Scan()).size();
        }
    }

    @Test
    void committed() throws Exception {
        Transaction dead = dead();
        Internals.protocol(client).commit(Internals.state(dead)); // and dies before post-commit
        assertEquals(RECORDS, scanned());
        assertEquals(Map.of("commitTable.get", 1, "store.putCommitCells", 2), calls);
        assertEquals(2 * RECORDS, hbase.stored(table.name()).size(), "all are healed");
        assertEquals(RECORDS, scanned());
        assertEquals(Map.of(), calls);
    }

    @Test
    void notCommitted() throws Exception {
        commit(client, table, row(7), "before");
        dead();
        assertEquals(1, scanned());
        assertEquals(Map.of("commitTable.get", 1, "commitTable.checkAndMutate", 1, "store.reread", 1), calls);
        assertEquals(1, scanned());
        assertEquals(Map.of("commitTable.get", 1, "store.reread", 1), calls);
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=before", read(table, tx, row(7)));
            assertEquals("", read(table, tx, row(8)));
        }
    }

    /** Of many writers, one request asks for all. */
    @Test
    void many() throws Exception {
        List<Get> gets = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Transaction dead = Fixture.pending(client, table, row(i), "v" + i);
            Internals.protocol(client).commit(Internals.state(dead));
            gets.add(get(row(i)));
        }
        calls.clear();
        try (Transaction tx = client.begin()) {
            var rows = table.get(tx, gets);
            for (int i = 0; i < 20; i++) {
                assertEquals("f:a=v" + i, show(rows.get(i)));
            }
        }
        assertNull(calls.get("commitTable.checkAndMutate"));
        assertEquals(1, calls.get("commitTable.get"));
        assertEquals(1, calls.get("store.putCommitCells"));
        assertTrue(hbase.stored(table.name()).size() == 40, "all are healed");
    }

    /** What is remembered is the writer's outcome, not the reader's snapshot. */
    @Test
    void committedAfterTheSnapshot() throws Exception {
        commit(client, table, row(0), "before");
        Transaction dead = dead();
        try (Transaction old = client.begin()) {
            Internals.protocol(client).commit(Internals.state(dead));
            assertEquals(List.of(row(0) + "{f:a=before}"), scan(table, old, new Scan()));
        }
        assertEquals(RECORDS, scanned());
    }
}
