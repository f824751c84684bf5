package org.fencepost.ph1.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.fencepost.ph1.client.PH1Client;
import org.fencepost.ph1.group.GroupSettings;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraSessions;
import org.fencepost.ph1.store.CassandraStore;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.OutcomeUnknownException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.protocol.ph1.UnversionedStore;
import org.fencepost.tm.client.RemoteTransactionManager;

/** An instance of the middleware in a process of its own: its users transfer money, and it counts the total all the time. For the demo. */
final class BankInstance {

    static final String KEYSPACE = "bank";
    static final String OPEN = "The accounts are open.";
    static final String FLUSH = "in the middle of a flush";
    private static final int USERS = 2;

    private final Bank bank;
    private final AtomicBoolean timeIsUp = new AtomicBoolean();
    private final LongAdder committed = new LongAdder();
    private final LongAdder aborted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder looks = new LongAdder();
    private final LongAdder wrong = new LongAdder();

    private BankInstance(PH1Client client) {
        this.bank = new Bank(client);
    }

    /**
     * Arguments: its place; the ports of all instances, with commas; ZooKeeper; Cassandra's address; seconds to run; after how many seconds it
     * gets stuck in a flush, 0 for never.
     */
    public static void main(String[] arguments) throws InterruptedException {
        List<InetSocketAddress> members = Stream.of(arguments[1].split(","))
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port))).toList();
        GroupSettings group = new GroupSettings("bank", members.get(Integer.parseInt(arguments[0])), members, 2_000, 2_000);
        Sticky store;
        try (CqlSession session = CassandraSessions.open(List.of(new InetSocketAddress(arguments[3], CassandraNode.PORT)), "datacenter1");
                PH1Client client = PH1Client.open(PH1Client.Settings.of(group, RemoteTransactionManager.Settings.of(arguments[2])),
                        store = new Sticky(new CassandraStore(session, KEYSPACE)), new CassandraLog(session, KEYSPACE))) {
            new BankInstance(client).run(Integer.parseInt(arguments[4]), () -> store.getStuckIn(Integer.parseInt(arguments[5])));
            Thread.sleep(Long.MAX_VALUE); // the others need most instances; it is killed
        }
    }

    private void run(int seconds, Runnable opened) throws InterruptedException {
        bank.open();
        System.out.println(OPEN);
        opened.run();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            SplittableRandom random = new SplittableRandom(ProcessHandle.current().pid() + i);
            Session session = new Session();
            threads.add(start(() -> transfer(session, random)));
        }
        threads.add(start(this::look));
        for (int elapsed = 2; elapsed <= seconds; elapsed += 2) {
            TimeUnit.SECONDS.sleep(2);
            System.out.println(summary());
        }
        timeIsUp.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(summary());
        System.out.println("The total is " + bank.total() + ".");
    }

    /** Numbers, for {@link PH1Demo}, which adds them up. */
    private String summary() {
        return "counts " + committed + " " + aborted + " " + unknown + " " + looks + " " + wrong;
    }

    private Thread start(Runnable work) {
        Thread thread = new Thread(() -> {
            while (!timeIsUp.get()) {
                try {
                    work.run();
                } catch (TransactionAbortedException e) {
                    aborted.increment();
                } catch (OutcomeUnknownException e) {
                    unknown.increment();
                } catch (TransactionException e) {
                    Bank.pause(); // the group, Cassandra or the transaction manager is not there
                }
            }
        });
        thread.start();
        return thread;
    }

    private void transfer(Session session, SplittableRandom random) {
        bank.transfer(session, random);
        committed.increment();
    }

    private void look() {
        if (bank.total() != Bank.TOTAL) {
            wrong.increment();
        }
        looks.increment();
        Bank.pause();
    }

    /** Gets stuck for ever between the two puts of a transfer, so that it can be killed there. */
    private static final class Sticky implements UnversionedStore<Key, ByteBuffer> {

        private final UnversionedStore<Key, ByteBuffer> store;
        private volatile long stuckAt = Long.MAX_VALUE;
        private long lastTs;
        private boolean stuck;

        Sticky(UnversionedStore<Key, ByteBuffer> store) {
            this.store = store;
        }

        /** 0 for never. */
        void getStuckIn(int seconds) {
            stuckAt = seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        }

        /** All other threads stop here, too. */
        @Override
        public synchronized void put(Key key, Cell<ByteBuffer> cell) {
            if (lastTs == cell.ts() && System.nanoTime() > stuckAt) {
                System.out.println(FLUSH + ": one account of two is written");
                stuck = true;
            }
            while (stuck) {
                Bank.pause();
            }
            lastTs = cell.ts();
            store.put(key, cell);
        }

        @Override
        public Cell<ByteBuffer> get(Key key) {
            return store.get(key);
        }

        @Override
        public void delete(Key key, long ts) {
            store.delete(key, ts);
        }

        @Override
        public Map<Key, Cell<ByteBuffer>> scan(Key from, Key to, int limit) {
            return store.scan(from, to, limit);
        }
    }
}
