package org.fencepost.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.store.SystemClock;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.server.TransactionManagerFactory;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Action;
import org.fencepost.protocol.trace.Tracer;

/**
 * Concurrent bank transfers on an HBase, by clients of which some die in the middle of a transaction, and what becomes
 * of it: the total stays what it was, and in the end nothing is left of the dead. Leaves its two tables to be looked at; the next run drops them.
 */
public final class Demo {

    static final TableName COMMITS = TableName.valueOf("fencepost.demo.commits");
    private static final TableName ACCOUNTS = TableName.valueOf("fencepost.demo.accounts");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] BALANCE = Bytes.toBytes("balance");
    private static final int NUMBER_OF_ACCOUNTS = 100;
    private static final int FIRST_BALANCE = 100;
    private static final int CLIENTS = 6;
    private static final Duration RUN_TIME = Duration.ofSeconds(12);
    /** Short, so that the janitor need not wait long before it may clean up after the dead. */
    private static final Duration LIFETIME = Duration.ofSeconds(4);

    private final Configuration conf;
    private final PrintStream out;
    /** That of the demo which runs; region servers are in the same process. */
    private static volatile TransactionManager managerHere;

    private final TransactionManager manager;
    private final Counters counters = new Counters();
    private final AtomicInteger clientNumber = new AtomicInteger();
    private final AtomicBoolean timeIsUp = new AtomicBoolean();
    private final LongAdder committed = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final Map<AbortCause, LongAdder> aborted = new EnumMap<>(AbortCause.class);

    private Demo(Configuration conf, PrintStream out) {
        this.conf = new Configuration(conf);
        this.conf.set(Settings.COMMIT_TABLE, COMMITS.getNameAsString());
        this.conf.setLong(Settings.LIFETIME, LIFETIME.toMillis());
        this.conf.setInt(Settings.POST_COMMIT_THREADS, 0); // so that a client can die there too
        this.out = out;
        SystemClock clock = new SystemClock();
        this.manager = new LocalTransactionManager(new TransactionManagerCore(new TransactionManagerCore.Settings(
                1, 1 << 16, LIFETIME.plusSeconds(1).toNanos(), 1 << 16), 0, Long.MAX_VALUE, 0, clock.nanos(), Tracer.OFF), clock);
        managerHere = manager;
        for (AbortCause cause : AbortCause.values()) {
            aborted.put(cause, new LongAdder());
        }
    }

    /** How region servers in this process reach the demo's transaction manager. */
    public static final class Here implements TransactionManagerFactory {

        @Override
        public String address(Configuration server, TableName table) {
            return "this process";
        }

        @Override
        public TransactionManager connect(Configuration server, String address) {
            return new TransactionManager() {
                @Override
                public long begin() {
                    return managerHere.begin();
                }

                @Override
                public long commit(long startTs, long[] writeSet, long[] tables) {
                    return managerHere.commit(startTs, writeSet, tables);
                }

                @Override
                public void end(long startTs) {
                    managerHere.end(startTs);
                }

                @Override
                public long collectableBelow() {
                    return managerHere.collectableBelow();
                }

                @Override
                public ManagerInfo info() {
                    return managerHere.info();
                }
            };
        }
    }

    /** Settings of the servers of an HBase in this process, on which the demo is to run. */
    public static final Map<String, String> SERVERS = Map.of(Settings.TM_FACTORY, Here.class.getName());

    /**
     * Runs the demo, half a minute at most on an idle machine.
     *
     * @param conf of an HBase in this process, its servers with {@link #SERVERS}
     * @return whether the total was intact at every look, and nothing of the dead clients was left at the end
     */
    public static boolean run(Configuration conf, PrintStream out) throws IOException, InterruptedException {
        Demo demo = new Demo(conf, out);
        try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
            dropTables(admin);
            Tables.createCommitTable(admin, COMMITS, 4);
            Tables.create(admin, ACCOUNTS, COMMITS, Bytes.toString(FAMILY));
            return demo.run();
        }
    }

    private static void dropTables(Admin admin) throws IOException {
        for (TableName table : List.of(ACCOUNTS, COMMITS)) {
            if (admin.tableExists(table)) {
                admin.disableTable(table);
                admin.deleteTable(table);
            }
        }
    }

    private boolean run() throws InterruptedException, IOException {
        try (TransactionClient observer = TransactionClient.open(conf, manager)) {
            openAccounts(observer);
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                SplittableRandom random = new SplittableRandom(i);
                Thread client = new Thread(() -> runClients(random), "demo-client");
                client.start();
                clients.add(client);
            }
            boolean intact = watch(observer);
            for (Thread client : clients) {
                client.join();
            }
            return intact & cleanUp(observer);
        }
    }

    private void openAccounts(TransactionClient client) {
        TransactionalTable accounts = client.table(ACCOUNTS);
        try (Transaction tx = client.begin()) {
            for (int i = 0; i < NUMBER_OF_ACCOUNTS; i++) {
                accounts.put(tx, balance(i, FIRST_BALANCE));
            }
            tx.commit();
        }
        out.printf("%d accounts hold %d each, %,d in all. %d clients transfer money for %d seconds.%n", NUMBER_OF_ACCOUNTS,
                FIRST_BALANCE, NUMBER_OF_ACCOUNTS * FIRST_BALANCE, CLIENTS, RUN_TIME.toSeconds());
    }

    /** One client after the other: when one dies, the next takes its place. */
    private void runClients(SplittableRandom random) {
        while (!timeIsUp.get()) {
            String name = "client " + clientNumber.incrementAndGet();
            Mortality mortality = new Mortality(random);
            try (TransactionClient client = Internals.open(conf, manager, mortality.seams(counters))) {
                TransactionalTable accounts = client.table(ACCOUNTS);
                while (!timeIsUp.get()) {
                    transfer(client, accounts, random);
                }
            } catch (Mortality.ClientDied e) {
                out.printf("    %s dies %s%n", name, e.getMessage());
            } catch (StoreException e) {
                out.printf("    %s gives up: %s%n", name, e.getMessage());
            }
        }
    }

    private void transfer(TransactionClient client, TransactionalTable accounts, SplittableRandom random) {
        int from = random.nextInt(NUMBER_OF_ACCOUNTS);
        int to = (from + 1 + random.nextInt(NUMBER_OF_ACCOUNTS - 1)) % NUMBER_OF_ACCOUNTS;
        Transaction tx = client.begin();
        try {
            int available = balance(accounts.get(tx, new Get(row(from))));
            int amount = Math.min(available, 1 + random.nextInt(FIRST_BALANCE));
            accounts.put(tx, balance(from, available - amount));
            accounts.put(tx, balance(to, balance(accounts.get(tx, new Get(row(to)))) + amount));
            tx.commit();
            committed.increment();
        } catch (TransactionAbortedException e) {
            aborted.get(e.abortCause()).increment();
        } catch (OutcomeUnknownException e) {
            unknown.increment();
        }
    }

    /** Adds up all accounts every other second, in transactions that run beside the transfers. */
    private boolean watch(TransactionClient observer) throws InterruptedException, IOException {
        boolean intact = true;
        long start = System.nanoTime();
        while (System.nanoTime() - start < RUN_TIME.toNanos()) {
            TimeUnit.SECONDS.sleep(2);
            int total = total(observer);
            intact &= isIntact(total);
            out.printf("%3d s: total %,d; %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), total, summary());
        }
        timeIsUp.set(true);
        return intact;
    }

    private String summary() {
        StringBuilder text = new StringBuilder(String.format("%,d committed", committed.sum()));
        aborted.forEach((cause, count) -> {
            if (count.sum() > 0) {
                text.append(String.format(", %,d %s", count.sum(), cause));
            }
        });
        if (unknown.sum() > 0) {
            text.append(String.format(", %,d of unknown outcome", unknown.sum()));
        }
        return text.append(String.format("; readers invalidated %,d, healed %,d",
                counters.of(Action.InvalidatePending), counters.of(Action.HealCommitCell))).toString();
    }

    /** The janitor, once the transaction manager has given the dead up. */
    private boolean cleanUp(TransactionClient observer) throws InterruptedException, IOException {
        Janitor janitor = new Janitor(observer, manager, Duration.ZERO, counters);
        out.printf("Time is up. The dead have left %d records without commit cell. The janitor waits for %d seconds,"
                + " the longest life of a transaction.%n", janitor.leftovers(), LIFETIME.toSeconds() + 1);
        manager.collectableBelow();
        TimeUnit.NANOSECONDS.sleep(LIFETIME.plusSeconds(2).toNanos());
        long watermark = janitor.pass();
        out.printf("Janitor: below watermark %,d it healed %d records, cleaned %d, and collected %d commit entries.%n",
                watermark, counters.of(Action.HealLeftover), counters.of(Action.CleanLeftover),
                counters.of(Action.CollectEntry));
        int left = janitor.leftovers();
        int total = total(observer);
        out.printf("In the end: total %,d (%s), %d records without commit cell.%n", total,
                isIntact(total) ? "intact" : "NOT INTACT", left);
        return isIntact(total) && left == 0;
    }

    private static boolean isIntact(int total) {
        return total == NUMBER_OF_ACCOUNTS * FIRST_BALANCE;
    }

    private static int total(TransactionClient client) throws IOException {
        int total = 0;
        try (Transaction tx = client.begin(); ResultScanner rows = client.table(ACCOUNTS).getScanner(tx, new Scan())) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
                total += balance(row);
            }
        }
        return total;
    }

    private static byte[] row(int account) {
        return Bytes.toBytes(String.format("account-%03d", account));
    }

    private static int balance(Result row) {
        return Bytes.toInt(row.getValue(FAMILY, BALANCE));
    }

    private static Put balance(int account, int balance) {
        return new Put(row(account)).addColumn(FAMILY, BALANCE, Bytes.toBytes(balance));
    }

    /** Counts actions. */
    private static final class Counters implements Tracer {

        private final Map<Action, LongAdder> counts = new EnumMap<>(Action.class);

        Counters() {
            for (Action action : Action.values()) {
                counts.put(action, new LongAdder());
            }
        }

        long of(Action action) {
            return counts.get(action).sum();
        }

        @Override
        public void event(Action action, Object... arguments) {
            counts.get(action).increment();
        }
    }
}
