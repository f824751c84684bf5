package org.fencepost.ph1.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.fencepost.ph1.demo.CassandraNode;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.store.StoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Cassandra of three nodes, each of which has all keys, and of which one or two are down. */
@Tag("evidence")
class ThreeNodesTest {

    private static final List<String> HOSTS = List.of("127.0.0.45", "127.0.0.46", "127.0.0.47");
    private static final int KEYS = 200;
    private static final Cell<ByteBuffer> OLD = new Cell<>(2048, ByteBuffer.wrap(new byte[] {1}).asReadOnlyBuffer());
    private static final Cell<ByteBuffer> NEW = new Cell<>(4096, ByteBuffer.wrap(new byte[] {2}).asReadOnlyBuffer());

    @TempDir
    Path directory;

    private final List<CassandraNode> nodes = new ArrayList<>();

    private CassandraNode start(int node) throws IOException {
        CassandraNode started = CassandraNode.start(Path.of(System.getProperty("fencepost.cassandra"), "lib"), directory.resolve(HOSTS.get(node)),
                HOSTS.get(node), HOSTS.get(0));
        if (node < nodes.size()) {
            nodes.set(node, started);
        } else {
            nodes.add(started);
        }
        return started.await();
    }

    @AfterEach
    void stop() {
        nodes.forEach(CassandraNode::close);
    }

    private static CqlSession open(int... up) {
        return CassandraSessions.open(IntStream.of(up).mapToObj(node -> new InetSocketAddress(HOSTS.get(node), CassandraNode.PORT)).toList(), "datacenter1");
    }

    private static Key key(int number) {
        return new Key("accounts", new byte[] {(byte) number});
    }

    /** Repeated, as the protocol does. */
    private static void put(CassandraStore store, Key key, Cell<ByteBuffer> cell) {
        for (int attempt = 1;; attempt++) {
            try {
                store.put(key, cell);
                return;
            } catch (StoreException e) {
                if (attempt == 60) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What was answered is read at QUORUM by whoever asks, and is not at ONE: a node that was down has the old value. */
    @Test
    void readsAtOneAreStale() throws IOException {
        for (int node = 0; node < HOSTS.size(); node++) {
            start(node);
        }
        try (CqlSession session = open(0, 1, 2)) {
            CassandraSessions.createKeyspace(session, "bank", 3);
            CassandraStore.createTable(session, "bank", "accounts");
            CassandraStore store = new CassandraStore(session, "bank");
            IntStream.range(0, KEYS).forEach(number -> put(store, key(number), OLD));
            nodes.get(2).kill();
            IntStream.range(0, KEYS).forEach(number -> put(store, key(number), NEW));

            nodes.get(1).kill();
            assertThrows(StoreException.class, () -> store.put(new Key("accounts", new byte[] {1, 1}), NEW));
            start(1);
            put(store, new Key("accounts", new byte[] {1, 1}), NEW); // repeated with the same timestamp
        }
        start(2);
        nodes.get(0).kill();
        try (CqlSession session = open(1, 2)) {
            CassandraStore atOne = new CassandraStore(session, "bank", ConsistencyLevel.ONE);
            CassandraStore atQuorum = new CassandraStore(session, "bank");
            waitUntilItAnswers(atQuorum);
            long stale = IntStream.range(0, KEYS).filter(number -> !NEW.equals(atOne.get(key(number)))).count();
            System.out.println(stale + " of " + KEYS + " reads at ONE were stale.");
            assertTrue(stale > 0, "no read at ONE was stale");
            IntStream.range(0, KEYS).forEach(number -> assertEquals(NEW, atQuorum.get(key(number))));
        }
    }

    private static void waitUntilItAnswers(CassandraStore store) {
        for (int attempt = 1;; attempt++) {
            try {
                store.get(new Key("accounts", new byte[] {9, 9}));
                return;
            } catch (StoreException e) {
                if (attempt == 120) {
                    throw e;
                }
                pause();
            }
        }
    }
}
