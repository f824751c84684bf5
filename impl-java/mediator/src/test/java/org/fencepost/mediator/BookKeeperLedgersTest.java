package org.fencepost.mediator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.mediator.Ledger;
import org.fencepost.tm.mediator.Ledgers.Closed;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On three real bookies in processes of their own. */
class BookKeeperLedgersTest {

    @TempDir
    static Path directory;
    private static Bookies bookies;

    /** ZooKeeper's part: objects with versions. */
    private static final class Objects implements SharedObjects {

        private final Map<String, Versioned> objects = new HashMap<>();
        boolean loseAnswers;

        @Override
        public synchronized Versioned read(String name) {
            return objects.getOrDefault(name, new Versioned("", 0));
        }

        @Override
        public synchronized int compareAndSet(String name, String text, int version) throws UnreachableException {
            if (read(name).version() != version) {
                return -1;
            }
            objects.put(name, new Versioned(text, version + 1));
            if (loseAnswers) {
                throw new UnreachableException("The answer was lost.", null);
            }
            return version + 1;
        }

        LedgerList list() {
            return LedgerList.parse(read(BookKeeperLedgers.LIST).text());
        }
    }

    private final Objects objects = new Objects();
    private final List<BookKeeperLedgers> opened = new ArrayList<>();
    /** The serving thread is this one, when it waits. */
    private final BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
    private int calledBack;

    @BeforeAll
    static void start() throws Exception {
        bookies = new Bookies(directory, 3);
    }

    @AfterAll
    static void stop() {
        bookies.close();
    }

    @AfterEach
    void close() {
        opened.forEach(BookKeeperLedgers::close);
    }

    private BookKeeperLedgers ledgers(long ledgerBytes) {
        Executor serving = callbacks::add;
        opened.add(new BookKeeperLedgers(new BookKeeperLedgers.Settings(bookies.metadata(), 3, ledgerBytes), objects, serving));
        return opened.get(opened.size() - 1);
    }

    private static LogRecord<byte[]> commit(long commitTs) {
        return new LogRecord<>(commitTs - 1, commitTs, new byte[] {(byte) commitTs, 7});
    }

    /** Waits for the answer: null if the record is durable. */
    private Exception append(Ledger<byte[]> ledger, LogRecord<byte[]> record) throws InterruptedException {
        Exception[] problem = {null};
        boolean[] done = {false};
        ledger.append(record, why -> {
            problem[0] = why;
            done[0] = true;
        });
        while (!done[0]) {
            callBack();
        }
        return problem[0];
    }

    private void callBack() throws InterruptedException {
        Runnable next = callbacks.poll(60, TimeUnit.SECONDS);
        assertTrue(next != null, "no answer");
        next.run();
        calledBack++;
    }

    private static String told(Closed<byte[]> closed) {
        return closed.records().stream().map(record -> record.commitTs() + (record.commits() ? " " + record.startTs() + " " + record.writes().length : ""))
                .collect(Collectors.joining(", "));
    }

    @Test
    void theNextOracleReadsWhatWasAppended() throws InterruptedException {
        BookKeeperLedgers one = ledgers(1 << 20);
        assertEquals("", told(one.closeLog()));
        Ledger<byte[]> ledger = one.create();
        assertNull(append(ledger, commit(10)));
        ledger.writtenBackBelow(11);
        assertNull(append(ledger, LogRecord.abort(20)));
        Closed<byte[]> closed = ledgers(1 << 20).closeLog();
        assertEquals("10 9 2, 20", told(closed));
        assertEquals(11, closed.writtenBackBelow());
        assertEquals(0, closed.knownFrom());
    }

    @Test
    void anOracleThatWasReplacedAppendsNothing() throws InterruptedException {
        BookKeeperLedgers one = ledgers(1 << 20);
        one.closeLog();
        Ledger<byte[]> old = one.create();
        assertNull(append(old, commit(10)));
        BookKeeperLedgers two = ledgers(1 << 20);
        assertEquals("10 9 2", told(two.closeLog()));
        Ledger<byte[]> next = two.create();
        assertTrue(append(old, commit(20)) != null, "the ledger is fenced");
        assertThrows(StoreException.class, one::createLedger, "the list is another's");
        assertNull(append(next, commit(30)));
        assertEquals("10 9 2, 30 29 2", told(ledgers(1 << 20).closeLog()));
    }

    @Test
    void appendsDoNotWaitForEachOther() throws InterruptedException {
        BookKeeperLedgers one = ledgers(1 << 20);
        one.closeLog();
        Ledger<byte[]> ledger = one.create();
        List<String> answers = new ArrayList<>();
        for (int i = 1; i <= 2_000; i++) {
            ledger.append(commit(i), problem -> answers.add(String.valueOf(problem)));
        }
        while (answers.size() < 2_000) {
            callBack();
        }
        assertEquals(List.of("null"), answers.stream().distinct().toList());
        assertEquals(2_000, ledgers(1 << 20).closeLog().records().size());
    }

    @Test
    void aBookieMayBeAway() throws InterruptedException {
        BookKeeperLedgers one = ledgers(1 << 20);
        one.closeLog();
        Ledger<byte[]> ledger = one.create();
        assertNull(append(ledger, commit(10)));
        bookies.kill(0);
        try {
            assertNull(append(ledger, commit(20)));
            assertEquals("10 9 2, 20 19 2", told(ledgers(1 << 20).closeLog()));
        } finally {
            bookies.start(0);
        }
    }

    /** Ledgers of one record each. Of those that nobody needs, the last one stays. */
    @Test
    void longLogsAreCutAndWhatIsWrittenBackIsDeleted() throws InterruptedException {
        BookKeeperLedgers one = ledgers(1);
        one.closeLog();
        Ledger<byte[]> ledger = one.create();
        for (int i = 1; i <= 3; i++) {
            assertNull(append(ledger, commit(10 * i)));
            while (calledBack < 2 * i) { // for the append and for the next ledger
                callBack();
            }
        }
        ledger.writtenBackBelow(20);
        assertEquals(4, objects.list().ledgers().size(), "20 is not written back");
        ledger.writtenBackBelow(31);
        while (objects.list().ledgers().size() > 2) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        Closed<byte[]> closed = ledgers(1).closeLog();
        assertEquals("30 29 2", told(closed));
        assertEquals(21, closed.knownFrom());
    }

    @Test
    void aLostAnswerOfZooKeeperIsLookedUp() throws InterruptedException {
        BookKeeperLedgers one = ledgers(1 << 20);
        one.closeLog();
        objects.loseAnswers = true;
        assertThrows(StoreException.class, one::create);
        objects.loseAnswers = false;
        assertNull(append(one.create(), commit(10)));
        assertEquals("10 9 2", told(ledgers(1 << 20).closeLog()));
    }

    @Test
    void configurationErrorsAreOneSentence() {
        assertEquals("BookKeeper's metadata service reads like zk+hierarchical://HOST:PORT/ledgers, not '127.0.0.1:2181'.",
                assertThrows(IllegalArgumentException.class, () -> new BookKeeperLedgers.Settings("127.0.0.1:2181", 3, 1)).getMessage());
        BookKeeperLedgers four = new BookKeeperLedgers(new BookKeeperLedgers.Settings(bookies.metadata(), 4, 1), objects, Runnable::run);
        opened.add(four);
        four.closeLog();
        assertEquals("Mediator's log could not create a ledger on 4 bookies: Not enough non-faulty bookies available.",
                assertThrows(StoreException.class, four::create).getMessage());
    }

    @Test
    void whatNobodyWroteIsRefused() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> LedgerList.parse("x known-from 1 ledgers y")).getMessage()
                .startsWith("Mediator's list of ledgers in ZooKeeper reads 'x known-from 1 ledgers y'"));
        assertEquals("An entry of Mediator's log has 3 bytes, which no transaction manager wrote.",
                assertThrows(IllegalArgumentException.class, () -> Entry.parse(new byte[3])).getMessage());
    }
}
