package org.fencepost.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.protocol.store.StoreException;

/**
 * The social application of SYSTOR'14 section 1. Users post their status by ordinary HBase puts. The system guesses the statuses of two
 * friends at a time, in a transaction that reads both and writes both. Some of its clients die half-way, and once the status
 * oracle. Each status names what it is: {@code p17} a post, {@code g42 after p17} a guess from a post.
 *
 * <p>HBase keeps all versions, so in the end they tell whether all was right: what follows what it was guessed from, every
 * guess stands at both friends or at none, no post is missing, and nobody has seen natively what was not committed. The table stays, to be
 * looked at; the next run drops it.
 */
public final class MediatorDemo {

    private static final TableName STATUSES = TableName.valueOf("fencepost.demo.statuses");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] STATUS = Bytes.toBytes("status");
    private static final int USERS = 20;
    private static final int POSTERS = 2;
    private static final int GUESSERS = 4;
    private static final int CALLS_PER_LIFE = 400;
    private static final Duration RUN_TIME = Duration.ofSeconds(16);
    private static final Duration POST_PAUSE = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Configuration conf;
    private final Connection connection;
    private final Oracle oracle;
    private final Log<byte[]> log;
    private final PrintStream out;
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger clientNumber = new AtomicInteger();
    private final AtomicBoolean timeIsUp = new AtomicBoolean();
    private final Set<String> posted = ConcurrentHashMap.newKeySet();
    private final Set<String> committed = ConcurrentHashMap.newKeySet();
    private final Set<String> aborted = ConcurrentHashMap.newKeySet();
    /** What native gets have returned, with the row. */
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LongAdder natives = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final Map<AbortCause, LongAdder> causes = new EnumMap<>(AbortCause.class);

    private MediatorDemo(Configuration conf, Connection connection, Oracle oracle, Log<byte[]> log, PrintStream out) {
        this.conf = conf;
        this.connection = connection;
        this.oracle = oracle;
        this.log = log;
        this.out = out;
        for (AbortCause cause : AbortCause.values()) {
            causes.put(cause, new LongAdder());
        }
    }

    /**
     * Runs the demo, half a minute or so.
     *
     * @param conf     of an HBase with this library on its class path, whose region servers know the transaction manager
     * @param span     the leap of the transaction manager
     * @param failOver kills the status oracle; returns when another one is on its way
     * @return whether everything was right
     */
    public static boolean run(Configuration conf, Oracle oracle, Log<byte[]> log, long span, Runnable failOver, PrintStream out)
            throws IOException, InterruptedException {
        try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
            if (admin.tableExists(STATUSES)) {
                admin.disableTable(STATUSES);
                admin.deleteTable(STATUSES);
            }
            TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(STATUSES).setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
            admin.createTable(Tables.mediated(table.build(), span));
            return new MediatorDemo(conf, connection, oracle, log, out).run(failOver);
        }
    }

    private boolean run(Runnable failOver) throws IOException, InterruptedException {
        try (Table statuses = connection.getTable(STATUSES)) {
            for (int user = 0; user < USERS; user++) {
                post(statuses, user);
            }
            out.printf("%d users have posted a status, by ordinary HBase puts. For %d seconds %d clients post and look natively, and %d guess the"
                    + " statuses of two friends, in transactions.%n", USERS, RUN_TIME.toSeconds(), POSTERS, GUESSERS);
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < POSTERS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                clients.add(start("demo-native", () -> runNatively(random)));
            }
            for (int i = 0; i < GUESSERS; i++) {
                SplittableRandom random = new SplittableRandom(100 + i);
                clients.add(start("demo-guess", () -> runClients(random)));
            }
            watch(failOver);
            for (Thread client : clients) {
                client.join();
            }
            return settled() & verdict(statuses);
        }
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.start();
        return thread;
    }

    // ---- native clients

    private void runNatively(SplittableRandom random) {
        try (Table statuses = connection.getTable(STATUSES)) {
            while (!timeIsUp.get()) {
                post(statuses, random.nextInt(USERS));
                int user = random.nextInt(USERS);
                seen.add(user + " " + text(statuses.get(status(user))));
                natives.add(2);
                TimeUnit.NANOSECONDS.sleep(POST_PAUSE.toNanos());
            }
        } catch (IOException | InterruptedException e) {
            out.println("    a native client FAILS: " + e);
            unknown.increment();
            seen.add("a native operation failed");
        }
    }

    private void post(Table statuses, int user) throws IOException {
        String post = "p" + number.incrementAndGet();
        statuses.put(status(user, post));
        posted.add(user + " " + post);
    }

    // ---- transactions

    /** One client after the other: when one dies, the next takes its place. */
    private void runClients(SplittableRandom random) {
        while (!timeIsUp.get()) {
            String name = "client " + clientNumber.incrementAndGet();
            try (MediatorClient client = new Mortality(random, CALLS_PER_LIFE).mediatorClient(conf, oracle, log)) {
                TransactionalTable statuses = client.table(STATUSES);
                while (!timeIsUp.get()) {
                    guess(client, statuses, random);
                }
            } catch (Mortality.ClientDied e) {
                dead.increment();
                out.printf("    %s dies %s%n", name, e.getMessage());
            } catch (StoreException | TransactionManagerException e) {
                out.printf("    %s gives up: %s%n", name, e.getMessage());
            }
        }
    }

    private void guess(MediatorClient client, TransactionalTable statuses, SplittableRandom random) {
        int one = random.nextInt(USERS);
        int other = (one + 1 + random.nextInt(USERS - 1)) % USERS;
        String guess = "g" + number.incrementAndGet();
        Transaction tx = client.begin();
        try {
            for (int user : new int[] {one, other}) {
                String before = text(statuses.get(tx, status(user)));
                statuses.put(tx, status(user, guess + " after " + name(before)));
            }
            tx.commit();
            committed.add(guess);
        } catch (TransactionAbortedException e) {
            aborted.add(guess);
            causes.get(e.abortCause()).increment();
        } catch (OutcomeUnknownException e) {
            unknown.increment();
        }
    }

    // ---- what becomes of it

    private void watch(Runnable failOver) throws InterruptedException {
        boolean failedOver = false;
        long start = System.nanoTime();
        for (long elapsed = 0; elapsed < RUN_TIME.toNanos(); elapsed = System.nanoTime() - start) {
            TimeUnit.SECONDS.sleep(2);
            out.printf("%3d s: %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), summary());
            if (!failedOver && elapsed > RUN_TIME.toNanos() / 3) {
                failedOver = true;
                failOver.run();
            }
        }
        timeIsUp.set(true);
    }

    private String summary() {
        StringBuilder text = new StringBuilder(String.format("%,d native operations; %,d guesses committed", natives.sum(), committed.size()));
        causes.forEach((cause, count) -> {
            if (count.sum() > 0) {
                text.append(String.format(", %,d %s", count.sum(), cause));
            }
        });
        return text.append(unknown.sum() > 0 ? String.format(", %,d of unknown outcome", unknown.sum()) : "").toString();
    }

    /** Until a transaction can read everything: what dead clients had in the log is written back then, by the helper. */
    private boolean settled() throws InterruptedException {
        out.printf("Time is up. %d clients have died. The helper finishes what they left.%n", dead.sum());
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (MediatorClient client = MediatorClient.open(conf, oracle, log)) {
            TransactionalTable statuses = client.table(STATUSES);
            while (System.nanoTime() - end < 0) {
                try (Transaction tx = client.begin()) {
                    for (int user = 0; user < USERS; user++) {
                        statuses.get(tx, status(user));
                    }
                    return true;
                } catch (TransactionAbortedException e) {
                    TimeUnit.MILLISECONDS.sleep(100);
                }
            }
        }
        out.println("Some of it is NOT FINISHED.");
        return false;
    }

    private boolean verdict(Table statuses) throws IOException {
        Set<String> all = new HashSet<>();
        Map<String, Integer> guesses = new HashMap<>();
        int misplaced = 0;
        for (int user = 0; user < USERS; user++) {
            List<String> versions = new ArrayList<>();
            for (Cell cell : statuses.get(status(user).readAllVersions()).listCells()) {
                versions.add(Bytes.toString(CellUtil.cloneValue(cell)));
            }
            Collections.reverse(versions);
            for (int i = 0; i < versions.size(); i++) {
                String version = versions.get(i);
                all.add(user + " " + version);
                if (version.startsWith("g")) {
                    guesses.merge(name(version), 1, Integer::sum);
                    misplaced += version.endsWith(" after " + name(versions.get(i - 1))) ? 0 : 1;
                }
            }
        }
        long missing = posted.stream().filter(post -> !all.contains(post)).count();
        long halves = guesses.values().stream().filter(count -> count != 2).count();
        long untrue = committed.stream().filter(guess -> !guesses.containsKey(guess)).count() + aborted.stream().filter(guesses::containsKey).count();
        long dirty = seen.stream().filter(what -> !all.contains(what)).count();
        out.printf("%,d versions of %d statuses: %d guesses over a post that they did not know, %d at one friend only, %d not as their client was"
                + " told; %d posts missing; %d things seen natively that were not committed.%n", all.size(), USERS, misplaced, halves, untrue,
                missing, dirty);
        boolean right = misplaced == 0 && halves == 0 && untrue == 0 && missing == 0 && dirty == 0 && !committed.isEmpty();
        out.println(right ? "All is right." : "SOMETHING IS WRONG.");
        return right;
    }

    // ---- rows

    private static byte[] row(int user) {
        return Bytes.toBytes(String.format("user-%03d", user));
    }

    private static Get status(int user) {
        return new Get(row(user)).addColumn(FAMILY, STATUS);
    }

    private static Put status(int user, String text) {
        return new Put(row(user)).addColumn(FAMILY, STATUS, Bytes.toBytes(text));
    }

    private static String text(Result row) {
        return Bytes.toString(row.getValue(FAMILY, STATUS));
    }

    /** What comes first in a status: p17, or g42. */
    private static String name(String status) {
        return status.split(" ")[0];
    }
}
