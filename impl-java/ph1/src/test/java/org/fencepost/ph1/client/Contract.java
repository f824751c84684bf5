package org.fencepost.ph1.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.fencepost.ph1.store.GenerationLog;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.RedoLog.RedoRecord;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.protocol.ph1.UnversionedStore;

/** What holds over every store: the store's own promises, the log's, and what transactions see on top. */
final class Contract {

    static final int ACCOUNTS = 12;
    private static final int DEPOSIT = 100;

    private Contract() {
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(bytes(text)).asReadOnlyBuffer();
    }

    // ---- the store

    static void storeKeepsTheGreaterTimestamp(UnversionedStore<Key, ByteBuffer> store, String table) {
        Key key = new Key(table, bytes("order"));
        assertNull(store.get(key));
        store.put(key, new Cell<>(2048L * 20, buffer("new")));
        store.put(key, new Cell<>(2048L * 10, buffer("late")));
        assertEquals(new Cell<>(2048L * 20, buffer("new")), store.get(key));
        store.put(key, new Cell<>(2048L * 20, buffer("new"))); // repeated
        assertEquals(new Cell<>(2048L * 20, buffer("new")), store.get(key));
        store.put(key, new Cell<>(2048L * 30, null));
        assertEquals(new Cell<>(2048L * 30, null), store.get(key));
        store.delete(key, 2048L * 20); // not so new
        assertEquals(new Cell<>(2048L * 30, null), store.get(key));
        store.delete(key, 2048L * 30);
        assertNull(store.get(key));
        store.put(key, new Cell<>(2048L * 10, buffer("late")));
        assertNull(store.get(key));
        store.put(key, new Cell<>(Long.MAX_VALUE / 2, buffer("")));
        assertEquals(new Cell<>(Long.MAX_VALUE / 2, buffer("")), store.get(key));
        store.delete(key, Long.MAX_VALUE / 2);
    }

    static void storeScansInOrder(UnversionedStore<Key, ByteBuffer> store, String table) {
        TreeMap<Key, Cell<ByteBuffer>> all = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            Key key = new Key(table, new byte[] {(byte) (i * 37), (byte) i});
            all.put(key, new Cell<>(i + 1L, i % 5 == 0 ? null : buffer("v" + i)));
        }
        all.forEach(store::put);
        List<Key> keys = List.copyOf(all.keySet());
        assertEquals(new LinkedHashMap<>(all.subMap(keys.get(10), keys.get(90))), store.scan(keys.get(10), keys.get(90), 1_000));
        assertEquals(keys.subList(10, 30), List.copyOf(store.scan(keys.get(10), null, 20).keySet()));
        assertEquals(keys.subList(0, 7), List.copyOf(store.scan(null, keys.get(99), 7).keySet()));
        all.forEach((key, cell) -> store.delete(key, cell.ts()));
    }

    // ---- the log

    static void logTakesOneRecordOfItsGeneration(GenerationLog log, long base) {
        Map<Key, ByteBuffer> writes = new LinkedHashMap<>();
        writes.put(new Key("accounts", bytes("a")), buffer("1"));
        writes.put(new Key("accounts", bytes("b")), null);
        RedoRecord<Key, ByteBuffer> record = new RedoRecord<>(base + 10, writes);
        assertTrue(log.begin(base + 1));
        assertTrue(log.begin(base + 1)); // its answer was lost
        assertNull(log.find(base + 10));
        assertEquals(record, log.append(base + 1, record));
        assertEquals(record, log.append(base + 1, record));
        assertTrue(log.append(base + 1, new RedoRecord<>(base + 10, null)).commits()); // too late to abort it
        assertEquals(record, log.find(base + 10));
        assertFalse(log.append(base + 1, new RedoRecord<>(base + 11, null)).commits());
        assertFalse(log.append(base + 1, new RedoRecord<>(base + 11, writes)).commits()); // too late to commit it

        assertTrue(log.begin(base + 2));
        assertFalse(log.begin(base + 1));
        assertFalse(log.append(base + 1, new RedoRecord<>(base + 12, writes)).commits()); // its generation is over
        assertNull(log.find(base + 12));
        assertTrue(log.append(base + 1, record).commits()); // it had got in before
        for (int i = 20; i < 60; i++) {
            log.append(base + 2, new RedoRecord<>(base + i, writes));
        }
        List<Long> unflushed = log.unflushed();
        assertEquals(41, unflushed.size());
        assertEquals(base + 10, unflushed.get(0));
        log.flushed(base + 1, base + 50); // its generation is over
        assertEquals(41, log.unflushed().size());
        log.flushed(base + 2, base + 50);
        assertEquals(10, log.unflushed().size());
        log.trim(base + 50);
        assertNull(log.find(base + 49));
        assertEquals(50 + base, log.find(base + 50).commitTs());
        log.flushed(base + 2, base + 60);
        log.trim(base + 60);
    }

    // ---- transactions

    static void transactionsSeeSnapshots(PH1Client here, PH1Client there, String table) {
        PH1Table mine = here.table(table);
        PH1Table others = there.table(table);
        Session session = new Session();
        try (Transaction tx = here.begin(session)) {
            for (int i = 0; i < 300; i++) { // more than a page
                mine.put(tx, bytes(String.format("s%03d", i)), bytes("1"));
            }
            tx.commit();
        }
        Transaction reader = here.begin(session);
        Transaction own = here.begin(session);
        assertArrayEquals(bytes("1"), mine.get(reader, bytes("s000")));
        mine.put(own, bytes("s000"), bytes("2"));
        mine.delete(own, bytes("s001"));
        mine.put(own, bytes("s0005"), bytes("new"));
        assertArrayEquals(bytes("2"), mine.get(own, bytes("s000")));
        assertNull(mine.get(own, bytes("s001")));
        assertEquals(300, count(mine.scanner(own, bytes("s"), bytes("t"))));

        Transaction later;
        try (Transaction tx = begunAfter(there, reader.startTimestamp())) {
            others.put(tx, bytes("s002"), bytes("3"));
            others.delete(tx, bytes("s003"));
            others.put(tx, bytes("s0025"), bytes("inserted"));
            tx.commit();
            later = begunAfter(there, tx.commitTimestamp());
        }
        assertArrayEquals(bytes("1"), mine.get(reader, bytes("s002")));
        assertArrayEquals(bytes("1"), mine.get(reader, bytes("s003")));
        assertNull(mine.get(reader, bytes("s0025")));
        assertEquals(300, count(mine.scanner(reader, bytes("s"), bytes("t"))));
        assertEquals(300, count(mine.scanner(reader, null, null)));
        assertArrayEquals(bytes("3"), others.get(later, bytes("s002")));
        assertNull(others.get(later, bytes("s003")));
        assertArrayEquals(bytes("inserted"), others.get(later, bytes("s0025")));
        assertEquals(300, count(others.scanner(later, bytes("s"), bytes("t"))));
        mine.put(own, bytes("s002"), bytes("lost"));
        TransactionAbortedException conflict = assertThrows(TransactionAbortedException.class, own::commit);
        assertEquals(AbortCause.CONFLICT, conflict.abortCause());
        reader.commit();
        later.commit();
    }

    /** Whose snapshot has what was committed at a timestamp. */
    private static Transaction begunAfter(PH1Client client, long commitTs) {
        while (true) {
            Transaction tx = client.begin();
            if (tx.startTimestamp() > commitTs) {
                return tx;
            }
            tx.rollback();
        }
    }

    private static int count(PH1Scanner scanner) {
        int count = 0;
        for (byte[] last = null; scanner.hasNext(); count++) {
            byte[] key = scanner.next().key();
            assertTrue(last == null || java.util.Arrays.compareUnsigned(last, key) < 0);
            last = key;
        }
        return count;
    }

    /** Money that moves between accounts while readers count it; and something goes wrong in the meantime. */
    static int transfers(Instances instances, int count, String table, long millis, Runnable trouble) throws InterruptedException {
        try (Transaction tx = instances.get(0).begin()) {
            for (int i = 0; i < ACCOUNTS; i++) {
                instances.get(0).table(table).put(tx, bytes("account" + i), bytes("" + DEPOSIT));
            }
            tx.commit();
        }
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger commits = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            int place = i % count;
            SplittableRandom random = new SplittableRandom(i);
            Thread thread = new Thread(() -> {
                while (!stop.get() && failure.get() == null) {
                    try {
                        transfer(instances.get(place), table, random);
                        commits.incrementAndGet();
                    } catch (AssertionError e) {
                        failure.set(e);
                    } catch (TransactionException e) {
                        pause(5); // aborted, unknown, or the instance is gone
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        Thread.sleep(millis / 2);
        trouble.run();
        Thread.sleep(millis / 2);
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
        Instances.until(() -> total(instances.get(count - 1), table) == ACCOUNTS * DEPOSIT);
        return commits.get();
    }

    private static void transfer(PH1Client client, String table, SplittableRandom random) {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        if (random.nextInt(3) == 0) {
            assertEquals(ACCOUNTS * DEPOSIT, total(client, table));
            return;
        }
        PH1Table accounts = client.table(table);
        try (Transaction tx = client.begin()) {
            move(accounts, tx, from, -1);
            move(accounts, tx, to, 1);
            tx.commit();
        } catch (OutcomeUnknownException e) {
            pause(1);
        }
    }

    /** An empty account is deleted. */
    private static void move(PH1Table accounts, Transaction tx, int account, int amount) {
        byte[] key = bytes("account" + account);
        byte[] value = accounts.get(tx, key);
        int balance = (value == null ? 0 : Integer.parseInt(new String(value, StandardCharsets.UTF_8))) + amount;
        if (balance == 0) {
            accounts.delete(tx, key);
        } else {
            accounts.put(tx, key, bytes("" + balance));
        }
    }

    static int total(PH1Client client, String table) {
        try (Transaction tx = client.begin()) {
            int total = 0;
            PH1Scanner scanner = client.table(table).scanner(tx, bytes("account"), bytes("accounu"));
            while (scanner.hasNext()) {
                total += Integer.parseInt(new String(scanner.next().value(), StandardCharsets.UTF_8));
            }
            tx.commit();
            return total;
        } catch (TransactionAbortedException e) {
            pause(5);
            return total(client, table);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
