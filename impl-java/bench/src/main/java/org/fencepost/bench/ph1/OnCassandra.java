package org.fencepost.bench.ph1;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.fencepost.ph1.client.PH1Client;
import org.fencepost.ph1.client.PH1Scanner;
import org.fencepost.ph1.client.Transaction;
import org.fencepost.ph1.demo.CassandraNode;
import org.fencepost.ph1.group.GroupSettings;
import org.fencepost.ph1.store.CassandraLog;
import org.fencepost.ph1.store.CassandraSessions;
import org.fencepost.ph1.store.CassandraStore;
import org.fencepost.ph1.store.Codec;
import org.fencepost.ph1.store.Key;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.Session;
import org.fencepost.tm.client.RemoteTransactionManager;

/**
 * Apache Cassandra alone, and pH1 over it: the same statements, tables and consistency. What is put natively is sent one after the other, as in the paper; pH1
 * sends a transaction's puts side by side.
 */
final class OnCassandra {

    static final String KEYSPACE = "bench";
    static final String DATA_CENTER = "datacenter1";

    private OnCassandra() {
    }

    static CqlSession connect(String host) {
        return CassandraSessions.open(List.of(new InetSocketAddress(host, CassandraNode.PORT)), DATA_CENTER);
    }

    /** Of two writes the later one stays, by this process's clock. */
    static final class Native implements KeyValues {

        private final CqlSession session;
        private final CassandraStore store;
        private final String prefix;
        private final AtomicLong clock = new AtomicLong();

        Native(String host, String prefix) {
            this.session = connect(host);
            this.store = new CassandraStore(session, KEYSPACE);
            this.prefix = prefix;
        }

        private long now() {
            long micros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
            return clock.updateAndGet(last -> Math.max(last + 1, micros));
        }

        @Override
        public Tx begin() {
            return new Tx() {
                @Override
                public byte[] get(String table, byte[] key) {
                    Cell<ByteBuffer> cell = store.get(new Key(KeyValues.table(prefix, table), key));
                    return cell == null ? null : Codec.bytes(cell.value());
                }

                @Override
                public void put(String table, byte[] key, byte[] value) {
                    store.put(new Key(KeyValues.table(prefix, table), key), new Cell<>(now(), ByteBuffer.wrap(value)));
                }

                @Override
                public void scan(String table, byte[] from, int limit, Found found) {
                    store.scan(new Key(KeyValues.table(prefix, table), from), null, limit).forEach((key, cell) -> found.accept(key.bytes(), Codec.bytes(cell.value())));
                }

                @Override
                public void commit() {
                }

                @Override
                public void rollback() {
                }
            };
        }

        @Override
        public void close() {
            session.close();
        }
    }

    /** Several instances of the middleware, each for some of the threads; each thread is a session. */
    static final class PH1 implements KeyValues {

        private record User(PH1Client client, Session session) {
        }

        private final CqlSession connection;
        private final String prefix;
        private final List<PH1Client> instances = new ArrayList<>();
        private final AtomicInteger users = new AtomicInteger();
        private final ThreadLocal<User> user = ThreadLocal.withInitial(
                () -> new User(instances().get(users.getAndIncrement() % instances().size()), new Session()));

        /** @param ports where the instances listen, and 100 above */
        PH1(String host, String zooKeeper, List<Integer> ports, String prefix) {
            this.connection = connect(host);
            this.prefix = prefix;
            List<InetSocketAddress> members = ports.stream().map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).toList();
            for (InetSocketAddress bind : members) {
                instances.add(PH1Client.open(PH1Client.Settings.of(GroupSettings.of("bench", bind, members), RemoteTransactionManager.Settings.of(zooKeeper)),
                        new CassandraStore(connection, KEYSPACE), new CassandraLog(connection, KEYSPACE)));
            }
        }

        private List<PH1Client> instances() {
            return instances;
        }

        @Override
        public Tx begin() {
            User me = user.get();
            Transaction tx = me.client().begin(me.session());
            return new Tx() {
                @Override
                public byte[] get(String table, byte[] key) throws Aborted {
                    return OurAborts.orAborted(() -> me.client().table(KeyValues.table(prefix, table)).get(tx, key));
                }

                @Override
                public void put(String table, byte[] key, byte[] value) {
                    me.client().table(KeyValues.table(prefix, table)).put(tx, key, value);
                }

                @Override
                public void scan(String table, byte[] from, int limit, Found found) throws Aborted {
                    try {
                        PH1Scanner scanner = me.client().table(KeyValues.table(prefix, table)).scanner(tx, from, null, limit);
                        for (int i = 0; i < limit && scanner.hasNext(); i++) {
                            PH1Scanner.Entry entry = scanner.next();
                            found.accept(entry.key(), entry.value());
                        }
                    } catch (TransactionAbortedException e) {
                        throw new Aborted(e);
                    }
                }

                @Override
                public void commit() throws Aborted {
                    OurAborts.orAborted(tx::commit);
                }

                @Override
                public void rollback() {
                    tx.close();
                }
            };
        }

        @Override
        public void close() throws IOException {
            instances.forEach(PH1Client::close);
            connection.close();
        }
    }

    /** For all systems on it; an instance that starts would create the log's table, too, but two at once twice. */
    static void createTables(String host, List<String> prefixes, List<String> names) {
        try (CqlSession session = connect(host)) {
            CassandraSessions.createKeyspace(session, KEYSPACE, 1);
            for (String prefix : prefixes) {
                names.forEach(name -> CassandraStore.createTable(session, KEYSPACE, KeyValues.table(prefix, name)));
            }
            new CassandraLog(session, KEYSPACE);
        }
    }
}
