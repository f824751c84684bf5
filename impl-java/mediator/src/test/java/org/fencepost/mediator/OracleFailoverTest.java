package org.fencepost.mediator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.LogRecord;
import org.fencepost.protocol.mediator.Oracle.Begun;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.tm.client.RemoteOracle;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transaction managers in processes of their own, which are killed, over real bookies and a real ZooKeeper. */
class OracleFailoverTest {

    private static final int CLIENTS = 4;
    private static final int FAILOVERS = 3;

    @TempDir
    Path directory;
    private Bookies bookies;
    private RemoteTransactionManager manager;
    private RemoteOracle oracle;
    private LocalProcess primary;
    private int started;
    private int helperMillis = 1_000;
    private volatile boolean over;

    @BeforeEach
    void start() throws Exception {
        bookies = new Bookies(directory, 3);
        Files.createFile(database());
        startPrimary();
        manager = new RemoteTransactionManager(new RemoteTransactionManager.Settings(bookies.zooKeeper(), 60_000, 5_000, 1 << 10, null));
        oracle = new RemoteOracle(manager);
    }

    @AfterEach
    void stop() {
        manager.close();
        primary.close();
        bookies.close();
    }

    private Path database() {
        return directory.resolve("database");
    }

    private void startPrimary() {
        List<String> jvm = new ArrayList<>(Bookies.JVM);
        jvm.add(0, "-Ddatabase=" + database());
        primary = new LocalProcess(jvm, FileDatabaseServer.class.getName(), List.of("--zookeeper", bookies.zooKeeper(), "--port", "0", "--metrics-port", "0",
                "--lease-ms", "500", "--drift-ms", "100", "--leap", "1048576", "--conflict-table-size", "1024", "--bookkeeper", bookies.metadata(),
                "--helper-ms", Integer.toString(helperMillis), "--ledger-bytes", "2000", "--ring-size", "256"), directory.resolve("tm" + started++ + ".log"));
        primary.await("Transaction manager on", 60);
    }

    private void failOver() {
        primary.kill();
        startPrimary();
    }

    private List<String> writtenBack() throws IOException {
        return Files.readAllLines(database());
    }

    private long tryCommit(Begun tx, long key) {
        return oracle.txTryCommit(tx.startTs(), new long[] {key}, new long[] {key}, new long[] {tx.startTs()});
    }

    private static LogRecord<byte[]> record(Begun tx, long commitTs, String writes) {
        return new LogRecord<>(tx.startTs(), commitTs, writes.getBytes(StandardCharsets.UTF_8));
    }

    /** A transaction that is in the log, and whose client is gone then. Repeated where the helper came before its record, on a busy machine. */
    private LogRecord<byte[]> log(long key, String writes) {
        while (true) {
            Begun tx = oracle.begin(true);
            long commitTs = tryCommit(tx, key);
            if (commitTs > 0 && oracle.append(record(tx, commitTs, writes))) {
                return record(tx, commitTs, writes);
            }
        }
    }

    @Test
    void aNewOracleFinishesWhatTheLogHasAndAbortsTheRest() throws Exception {
        LogRecord<byte[]> one = log(1, "one");
        long unlogged = tryCommit(oracle.begin(true), 2);
        Begun before = oracle.begin(true);
        failOver();
        assertTrue(oracle.append(one), "asked again");
        assertFalse(oracle.append(record(before, unlogged, "two")), "the log is closed to it");
        assertEquals(List.of(one.commitTs() + " one"), writtenBack());
        assertEquals(TransactionManager.BELOW_WATERMARK, tryCommit(before, 3));
        Begun next = oracle.begin(true);
        assertTrue(next.startTs() > before.startTs());
        assertEquals(0, next.replica().latestCommitted(1));
    }

    @Test
    void theHelperFinishesWhatClientsLeave() throws Exception {
        long logged = log(1, "one").commitTs();
        Begun late = oracle.begin(true);
        long unlogged = tryCommit(oracle.begin(true), 2);
        while (oracle.begin(true).replica().latestCommitted(1) != 0 || oracle.begin(true).replica().latestCommitted(2) != 0) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertEquals(List.of(logged + " one"), writtenBack());
        assertFalse(oracle.append(record(late, unlogged, "two")), "aborted by a record");
        assertTrue(tryCommit(late, 2) > 0, "an aborted transaction is no conflict");
    }

    /** By its client, while no helper comes; nobody asks anything else meanwhile. */
    @Test
    @Timeout(120)
    void theOracleIsToldOfACommit() throws Exception {
        helperMillis = (int) TimeUnit.HOURS.toMillis(1);
        failOver();
        long commitTs = log(1, "one").commitTs();
        FileDatabaseServer.append(database(), "one".getBytes(StandardCharsets.UTF_8), commitTs);
        oracle.txCommit(commitTs);
        while (metric("mediator_active_entries") > 0) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertEquals(0, metric("mediator_helped_total{end=\"committed\"}"));
    }

    private int metric(String name) throws IOException {
        Matcher address = Pattern.compile("metrics on (\\S+?)\\.?\\s").matcher(Files.readString(directory.resolve("tm" + (started - 1) + ".log")));
        assertTrue(address.find());
        try (InputStream in = URI.create("http://" + address.group(1) + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("fencepost_tm_" + name + " "))
                    .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1))).findFirst().orElseThrow();
        }
    }

    /** Two of three bookies are away: the oracle cannot write and gives up; when they are back, its successor closes the log. */
    @Test
    @Tag("long")
    void anOracleWhoseLogFailsIsReplaced() throws Exception {
        Begun tx = oracle.begin(true);
        long commitTs = tryCommit(tx, 1);
        bookies.kill(0);
        bookies.kill(1);
        Thread back = new Thread(() -> {
            primary.await("No longer primary", 60);
            bookies.start(0);
            bookies.start(1);
        });
        back.start();
        boolean committed = oracle.append(record(tx, commitTs, "one"));
        back.join();
        assertEquals(committed ? List.of(commitTs + " one") : List.of(), writtenBack(), "what is told is what happened");
        log(1, "two");
    }

    /** Clients that stop anywhere, and oracles that are killed at any time. */
    @Test
    @Tag("long")
    void whatIsToldIsWhatHappens() throws Exception {
        Map<Long, String> committed = new ConcurrentHashMap<>();
        Set<Long> aborted = ConcurrentHashMap.newKeySet();
        Set<Long> given = ConcurrentHashMap.newKeySet();
        AtomicInteger transactions = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(i);
            Thread client = new Thread(() -> {
                while (!over) {
                    transact(random, committed, aborted, given);
                    transactions.incrementAndGet();
                }
            });
            client.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
            clients.add(client);
            client.start();
        }
        for (int i = 1; i <= FAILOVERS; i++) {
            while (transactions.get() < 150 * i && failures.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            failOver();
        }
        oracle.begin(true);
        over = true;
        for (Thread client : clients) {
            client.join();
        }
        assertEquals(List.of(), failures);
        while (oracle.begin(true).replica().latestCommitted(0) != 0 || oracle.begin(true).replica().latestCommitted(1) != 0) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        Set<String> found = new HashSet<>(writtenBack());
        committed.forEach((commitTs, writes) -> assertTrue(found.contains(commitTs + " " + writes), "lost: " + commitTs));
        found.forEach(line -> assertFalse(aborted.contains(Long.parseLong(line.split(" ")[0])), "aborted, and written back: " + line));
        System.out.println("OracleFailoverTest: " + transactions + " transactions, " + committed.size() + " told committed, " + aborted.size()
                + " told aborted, " + FAILOVERS + " failovers");
    }

    private void transact(Random random, Map<Long, String> committed, Set<Long> aborted, Set<Long> given) {
        try {
            Begun tx = oracle.begin(true);
            assertTrue(given.add(tx.startTs()), "given twice");
            long commitTs = tryCommit(tx, random.nextInt(2));
            if (commitTs < 0 || random.nextInt(10) == 0) {
                return;
            }
            assertTrue(given.add(commitTs), "given twice");
            String writes = "w" + random.nextInt(1000);
            boolean commits = random.nextInt(20) == 0 ? oracle.append(LogRecord.abort(commitTs)) : oracle.append(record(tx, commitTs, writes));
            if (!commits) {
                aborted.add(commitTs);
                return;
            }
            committed.put(commitTs, writes);
            if (random.nextInt(10) > 0) {
                FileDatabaseServer.append(database(), writes.getBytes(StandardCharsets.UTF_8), commitTs);
                oracle.txCommit(commitTs);
            }
        } catch (TransactionManagerException | StoreException e) {
            // nobody knows
        }
    }
}
