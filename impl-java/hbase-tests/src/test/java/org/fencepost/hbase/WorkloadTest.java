package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.history.HistoryTransaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The two workloads of the field, with {@code -Dfencepost.workload.transactions=n} (by default 50,000 each in {@code make test-all}, 2,000 in {@code make test}). */
@ExtendWith(Fixture.Extension.class)
class WorkloadTest {

    private static final byte[] COLUMN = Bytes.toBytes("v");

    private static byte[] row(int key) {
        return Bytes.toBytes(String.format("%06d", key));
    }

    /**
     * Lists of start timestamps; a transaction reads some and appends its own to others. The last element of a list is
     * its version. At the end every list holds the committed appends, each once, in the order of their commits.
     */
    private static final class ListAppend extends Workload {

        private static final int ACTIVE_KEYS = 20;
        /** After so many transactions the oldest key is left alone and a new one comes. */
        private static final int KEY_LIFE = 40;

        /** Of each key; what of them aborted counts for nothing. */
        private final Map<Integer, Queue<Transaction>> appends = new ConcurrentHashMap<>();

        ListAppend(Fixture hbase) throws Exception {
            super(hbase, "list-append");
        }

        @Override
        void body(Transaction tx, HistoryTransaction seen, SplittableRandom random, int number) throws Exception {
            int firstKey = number / KEY_LIFE;
            if (random.nextInt(50) == 0) {
                scan(tx, seen, firstKey);
                return;
            }
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                int key = firstKey + random.nextInt(ACTIVE_KEYS);
                String list = read(tx, seen, key);
                if (random.nextBoolean()) {
                    table.put(tx, new Put(row(key)).addColumn(Fixture.F, COLUMN,
                            Bytes.toBytes(list + (list.isEmpty() ? "" : ",") + tx.startTimestamp())));
                    seen.write(key);
                    appends.computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>()).add(tx);
                }
            }
        }

        private String read(Transaction tx, HistoryTransaction seen, int key) {
            Result found = table.get(tx, new Get(row(key)).addColumn(Fixture.F, COLUMN));
            String list = found.isEmpty() ? "" : Bytes.toString(found.value());
            seen.read(key, lastOf(list));
            return list;
        }

        private void scan(Transaction tx, HistoryTransaction seen, int firstKey) throws Exception {
            Map<Integer, Long> versions = new HashMap<>();
            Scan window = new Scan().withStartRow(row(firstKey)).withStopRow(row(firstKey + ACTIVE_KEYS));
            try (ResultScanner scanner = table.getScanner(tx, window)) {
                for (Result found : scanner) {
                    versions.put(Integer.parseInt(Bytes.toString(found.getRow())), lastOf(Bytes.toString(found.value())));
                }
            }
            for (int key = firstKey; key < firstKey + ACTIVE_KEYS; key++) {
                seen.read(key, versions.getOrDefault(key, 0L));
            }
        }

        private static long lastOf(String list) {
            return list.isEmpty() ? 0 : Long.parseLong(list.substring(list.lastIndexOf(',') + 1));
        }

        /** Once per key, with all that committed; a transaction that appends to a list twice shows twice. */
        void checkFinalLists() {
            try (TransactionClient reader = openClient()) {
                TransactionalTable lists = reader.table(table.name());
                appends.forEach((key, transactions) -> {
                    List<Long> expected = transactions.stream().filter(t -> t.status() == TransactionStatus.COMMITTED)
                            .sorted(Comparator.comparingLong(Transaction::commitTimestamp))
                            .map(Transaction::startTimestamp).toList();
                    try (Transaction tx = reader.begin()) {
                        assertEquals(expected, elements(lists.get(tx, new Get(row(key)))), "list " + key);
                    }
                });
            }
        }

        private static List<Long> elements(Result list) {
            return list.isEmpty() ? List.of() : Stream.of(Bytes.toString(list.value()).split(",")).map(Long::valueOf).toList();
        }
    }

    @Test
    void listAppend(Fixture hbase) throws Exception {
        ListAppend workload = new ListAppend(hbase);
        workload.run();
        workload.checkFinalLists();
    }

    /**
     * Transfers between accounts, "balance,writer" each. An account that becomes empty is deleted. Some transactions
     * add up all accounts by a scan, and every one that does must find the same total.
     */
    private static final class Bank extends Workload {

        private static final int ACCOUNTS = 40;
        private static final int EACH = 10;

        Bank(Fixture hbase) throws Exception {
            super(hbase, "bank");
        }

        @Override
        void body(Transaction tx, HistoryTransaction seen, SplittableRandom random, int number) throws Exception {
            if (number == 0) {
                for (int account = 0; account < ACCOUNTS; account++) {
                    write(tx, seen, account, EACH);
                }
            } else if (random.nextInt(20) == 0) {
                total(tx, seen);
            } else {
                int from = random.nextInt(ACCOUNTS);
                int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                List<Result> balances = table.get(tx, List.of(new Get(row(from)), new Get(row(to))));
                int available = note(seen, from, balances.get(0));
                int amount = Math.min(available, 1 + random.nextInt(EACH));
                write(tx, seen, from, available - amount);
                write(tx, seen, to, note(seen, to, balances.get(1)) + amount);
            }
        }

        private int note(HistoryTransaction seen, int account, Result found) {
            String[] fields = found.isEmpty() ? new String[] {"0", "0"} : Bytes.toString(found.value()).split(",");
            seen.read(account, Long.parseLong(fields[1]));
            return Integer.parseInt(fields[0]);
        }

        private void write(Transaction tx, HistoryTransaction seen, int account, int balance) {
            if (balance == 0) {
                table.delete(tx, new Delete(row(account)).addColumns(Fixture.F, COLUMN));
                seen.delete(account);
            } else {
                table.put(tx, new Put(row(account)).addColumn(Fixture.F, COLUMN,
                        Bytes.toBytes(balance + "," + tx.startTimestamp())));
                seen.write(account);
            }
        }

        private void total(Transaction tx, HistoryTransaction seen) throws Exception {
            Result[] found = new Result[ACCOUNTS];
            try (ResultScanner scanner = table.getScanner(tx, new Scan())) {
                for (Result account : scanner) {
                    found[Integer.parseInt(Bytes.toString(account.getRow()))] = account;
                }
            }
            int total = 0;
            for (int account = 0; account < ACCOUNTS; account++) {
                total += note(seen, account, found[account] == null ? Result.EMPTY_RESULT : found[account]);
            }
            if (total != 0 && total != ACCOUNTS * EACH) {
                throw new AssertionError("Transaction " + tx.startTimestamp() + " counts " + total + " in all accounts.");
            }
        }
    }

    @Test
    void bank(Fixture hbase) throws Exception {
        new Bank(hbase).run();
    }
}
