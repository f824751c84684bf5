package org.fencepost.ph1.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.fencepost.protocol.ph1.Cell;
import org.fencepost.protocol.ph1.UnversionedStore;
import org.fencepost.protocol.store.StoreException;

/**
 * Apache Cassandra, which keeps one cell for each key: of two writes the one with the greater timestamp stays, whenever they arrive. The
 * timestamp of a write is the commit timestamp of its transaction, in place of Cassandra's microseconds, so one that comes late or is
 * repeated does no harm. What is written with Cassandra's own timestamps is older than that, and no value of pH1's: such tables have no other writers.
 *
 * <p>Everything is read and written at QUORUM. A write that failed may be at one replica: the caller repeats it with the same timestamp
 * until it is answered, or until a read has returned it, which Cassandra has then written to a quorum (its tables' {@code read_repair = 'BLOCKING'}, with
 * which they are created).
 *
 * <p>Keys are spread over {@link #PARTS} partitions, in which they are in order; a scan merges them. Thread-safe.
 */
public final class CassandraStore implements UnversionedStore<Key, ByteBuffer> {

    /** Partitions of a table. Part of the layout: it never changes. */
    static final int PARTS = 16;

    /** Requests of one call that are under way; a connection of the driver has room for 1,024. */
    private static final int SIDE_BY_SIDE = 64;

    /** No key is so long. */
    private static final ByteBuffer BYTES_ABOVE_ALL_KEYS = aboveAllKeys();

    private final CqlSession session;
    private final String keyspace;
    private final ConsistencyLevel consistency;
    private final Map<String, Statements> statements = new ConcurrentHashMap<>();

    private record Statements(PreparedStatement get, PreparedStatement put, PreparedStatement delete, PreparedStatement scan) {
    }

    /** @param session stays the caller's @param keyspace where the tables are */
    public CassandraStore(CqlSession session, String keyspace) {
        this(session, keyspace, ConsistencyLevel.QUORUM);
    }

    /** For tests, which see what happens at ONE. */
    CassandraStore(CqlSession session, String keyspace, ConsistencyLevel consistency) {
        this.session = session;
        this.keyspace = Key.requireTable(keyspace);
        this.consistency = consistency;
    }

    /**
     * Creates a table for transactions, unless it is there.
     *
     * @throws StoreException if Cassandra does not do it
     */
    public static void createTable(CqlSession session, String keyspace, String table) {
        execute(session, "create table " + table, SimpleStatement.newInstance("CREATE TABLE IF NOT EXISTS "
                + Key.requireTable(keyspace) + "." + Key.requireTable(table) + " (part int, key blob, value blob, PRIMARY KEY (part, key)) WITH read_repair = 'BLOCKING'"));
    }

    private Statements of(String table) {
        return statements.computeIfAbsent(table, name -> {
            String full = keyspace + "." + name;
            return new Statements(prepare("SELECT value, writetime(value) FROM " + full + " WHERE part = ? AND key = ?"),
                    prepare("UPDATE " + full + " USING TIMESTAMP ? SET value = ? WHERE part = ? AND key = ?"),
                    prepare("DELETE FROM " + full + " USING TIMESTAMP ? WHERE part = ? AND key = ?"),
                    prepare("SELECT key, value, writetime(value) FROM " + full + " WHERE part = ? AND key >= ? AND key < ? LIMIT ?"));
        });
    }

    private PreparedStatement prepare(String cql) {
        try {
            return session.prepare(cql);
        } catch (DriverException e) {
            throw failed("prepare requests", e);
        }
    }

    private BoundStatement bound(PreparedStatement statement, Object... values) {
        return statement.bind(values).setConsistencyLevel(consistency).setIdempotent(true);
    }

    private BoundStatement getting(Key key) {
        return bound(of(key.table()).get(), part(key), key.buffer());
    }

    private static Cell<ByteBuffer> cell(Key key, Row row) {
        return row == null || row.isNull(0) ? null : Codec.decode(key, row.getLong(1), row.getByteBuffer(0));
    }

    @Override
    public Cell<ByteBuffer> get(Key key) {
        return cell(key, execute(session, "read " + key.table(), getting(key)).one());
    }

    @Override
    public Map<Key, Cell<ByteBuffer>> get(Collection<Key> keys) {
        Map<Key, Cell<ByteBuffer>> cells = new HashMap<>();
        sideBySide("read", keys, this::getting, (key, answer) -> {
            Cell<ByteBuffer> cell = cell(key, answer.one());
            if (cell != null) {
                cells.put(key, cell);
            }
        });
        return cells;
    }

    /** So many at once: the driver refuses what a connection has no room for. */
    private void sideBySide(String what, Collection<Key> keys, Function<Key, BoundStatement> request, BiConsumer<Key, AsyncResultSet> taken) {
        List<Key> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += SIDE_BY_SIDE) {
            Map<Key, CompletionStage<AsyncResultSet>> answers = new HashMap<>();
            all.subList(from, Math.min(all.size(), from + SIDE_BY_SIDE)).forEach(key -> answers.put(key, session.executeAsync(request.apply(key))));
            answers.forEach((key, answer) -> taken.accept(key, joined(what + " " + key.table(), answer)));
        }
    }

    private BoundStatement putting(Key key, Cell<ByteBuffer> cell) {
        return bound(of(key.table()).put(), cell.ts(), ByteBuffer.wrap(Codec.encode(cell)), part(key), key.buffer());
    }

    @Override
    public void put(Key key, Cell<ByteBuffer> cell) {
        execute(session, "write " + key.table(), putting(key, cell));
    }

    @Override
    public void put(Map<Key, Cell<ByteBuffer>> cells) {
        sideBySide("write", cells.keySet(), key -> putting(key, cells.get(key)), (key, answer) -> {});
    }

    /** Cassandra keeps what it deletes for the table's gc_grace_seconds: until then no older put brings it back. */
    @Override
    public void delete(Key key, long ts) {
        execute(session, "delete from " + key.table(), bound(of(key.table()).delete(), ts, part(key), key.buffer()));
    }

    @Override
    public Map<Key, Cell<ByteBuffer>> scan(Key from, Key to, int limit) {
        String table = tableOf(from, to);
        ByteBuffer low = from == null ? ByteBuffer.allocate(0) : from.buffer();
        ByteBuffer high = to == null ? BYTES_ABOVE_ALL_KEYS.duplicate() : to.buffer();
        List<CompletionStage<AsyncResultSet>> answers = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            answers.add(session.executeAsync(bound(of(table).scan(), part, low, high, limit).setPageSize(limit)));
        }
        TreeMap<Key, Cell<ByteBuffer>> merged = new TreeMap<>();
        for (CompletionStage<AsyncResultSet> answer : answers) {
            for (Row row : joined("scan " + table, answer).currentPage()) {
                Key key = new Key(table, Codec.bytes(row.getByteBuffer(0)));
                if (!row.isNull(1)) {
                    merged.put(key, Codec.decode(key, row.getLong(2), row.getByteBuffer(1)));
                }
            }
        }
        Map<Key, Cell<ByteBuffer>> first = new LinkedHashMap<>();
        merged.entrySet().stream().limit(limit).forEach(entry -> first.put(entry.getKey(), entry.getValue()));
        return first;
    }

    private static ByteBuffer aboveAllKeys() {
        byte[] bytes = new byte[Key.MAX_BYTES + 1];
        Arrays.fill(bytes, (byte) 0xff);
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    static String tableOf(Key from, Key to) {
        if (from == null && to == null || from != null && to != null && !from.table().equals(to.table())) {
            throw new IllegalArgumentException("A scan is of one table: name it by one of its ends.");
        }
        return (from == null ? to : from).table();
    }

    private static AsyncResultSet joined(String what, CompletionStage<AsyncResultSet> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw failed(what, e.getCause());
        }
    }

    private static int part(Key key) {
        return (int) Long.remainderUnsigned(key.hash(), PARTS);
    }

    static ResultSet execute(CqlSession session, String what, Statement<?> statement) {
        try {
            return session.execute(statement);
        } catch (DriverException e) {
            throw failed(what, e);
        }
    }

    static StoreException failed(String what, Throwable e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage().lines().findFirst().orElse("");
        return new StoreException("Cassandra did not " + what + ": " + message, e);
    }
}
