package org.fencepost.ph1.store;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.fencepost.protocol.ph1.RedoLog.RedoRecord;

/**
 * The redo log in a table of Cassandra. A record is appended by a conditional update (Paxos), whose condition is that the transaction has none
 * and that the partition is in the record's generation, which is a static column. Thread-safe.
 */
public final class CassandraLog implements GenerationLog {

    /** Its table in the keyspace. */
    public static final String TABLE = "fencepost_redo";

    private final CqlSession session;
    private final PreparedStatement state;
    private final PreparedStatement begin;
    private final PreparedStatement append;
    private final PreparedStatement find;
    private final PreparedStatement commits;
    private final PreparedStatement flushed;
    private final PreparedStatement trim;

    /**
     * Creates the table, unless it is there.
     *
     * @param session stays the caller's
     * @throws org.fencepost.protocol.store.StoreException if Cassandra does not answer
     */
    public CassandraLog(CqlSession session, String keyspace) {
        this.session = session;
        String table = Key.requireTable(keyspace) + "." + TABLE;
        CassandraStore.execute(session, "create " + table, SimpleStatement.newInstance("CREATE TABLE IF NOT EXISTS " + table
                + " (part int, commit_ts bigint, generation bigint static, flushed_below bigint static, commits boolean, writes blob,"
                + " PRIMARY KEY (part, commit_ts))"));
        String here = " WHERE part = ?";
        state = prepare("SELECT generation, flushed_below FROM " + table + here + " LIMIT 1");
        begin = prepare("UPDATE " + table + " SET generation = ?" + here + " IF generation = ?");
        append = prepare("UPDATE " + table + " SET commits = ?, writes = ?" + here + " AND commit_ts = ? IF generation = ? AND commits = null");
        find = prepare("SELECT commits, writes FROM " + table + here + " AND commit_ts = ?");
        commits = prepare("SELECT commit_ts, commits FROM " + table + here + " AND commit_ts >= ?");
        flushed = prepare("UPDATE " + table + " SET flushed_below = ?" + here + " IF generation = ?");
        trim = prepare("DELETE FROM " + table + here + " AND commit_ts < ?");
    }

    private PreparedStatement prepare(String cql) {
        try {
            return session.prepare(cql);
        } catch (DriverException e) {
            throw CassandraStore.failed("prepare requests", e);
        }
    }

    /** Written where a quorum has it, and read with what was being decided. */
    private ResultSet execute(String what, PreparedStatement statement, boolean reads, Object... values) {
        return CassandraStore.execute(session, what + " the redo log", statement.bind(values)
                .setConsistencyLevel(reads ? ConsistencyLevel.SERIAL : ConsistencyLevel.QUORUM).setSerialConsistencyLevel(ConsistencyLevel.SERIAL)
                .setIdempotent(reads));
    }

    @Override
    public boolean begin(long generation) {
        for (int part = 0; part < PARTS; part++) {
            Row now = execute("read", state, true, part).one();
            Long present = now == null || now.isNull(0) ? null : (Long) now.getLong(0);
            if (present != null && present > generation) {
                return false;
            }
            boolean ours = present != null && present == generation; // begun by an attempt that was not answered
            if (!ours && !execute("begin a generation of", begin, false, generation, part, present).wasApplied()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public RedoRecord<Key, ByteBuffer> append(long generation, RedoRecord<Key, ByteBuffer> record) {
        ByteBuffer writes = record.commits() ? ByteBuffer.wrap(Codec.encode(record.writes())) : null;
        boolean applied = execute("append to", append, false, record.commits(), writes, GenerationLog.part(record.commitTs()), record.commitTs(), generation)
                .wasApplied();
        if (applied) {
            return record;
        }
        RedoRecord<Key, ByteBuffer> first = find(record.commitTs());
        return first == null ? new RedoRecord<>(record.commitTs(), null) : first;
    }

    @Override
    public RedoRecord<Key, ByteBuffer> find(long commitTs) {
        Row row = execute("read", find, true, GenerationLog.part(commitTs), commitTs).one();
        if (row == null || row.isNull(0)) {
            return null;
        }
        return new RedoRecord<>(commitTs, row.getBoolean(0) ? Codec.decodeWrites(Codec.bytes(row.getByteBuffer(1))) : null);
    }

    @Override
    public List<Long> unflushed() {
        List<Long> found = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            Row now = execute("read", state, true, part).one();
            addCommits(part, now == null || now.isNull(1) ? 0 : now.getLong(1), found);
        }
        Collections.sort(found);
        return found;
    }

    private void addCommits(int part, long from, List<Long> found) {
        for (Row row : execute("read", commits, true, part, from)) {
            if (!row.isNull(1) && row.getBoolean(1)) {
                found.add(row.getLong(0));
            }
        }
    }

    /** The commit timestamps, in order, of all records that commit from this one on, flushed or not, and that were not trimmed: for audits. */
    public List<Long> commits(long from) {
        List<Long> found = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            addCommits(part, from, found);
        }
        Collections.sort(found);
        return found;
    }

    @Override
    public void flushed(long generation, long below) {
        for (int part = 0; part < PARTS; part++) {
            execute("write", flushed, false, below, part, generation);
        }
    }

    @Override
    public void trim(long below) {
        for (int part = 0; part < PARTS; part++) {
            execute("trim", trim, false, part, below);
        }
    }
}
