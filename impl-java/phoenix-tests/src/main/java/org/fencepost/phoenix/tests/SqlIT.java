package org.fencepost.phoenix.tests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.query.QueryServices;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** SQL over JDBC on Fencepost, as a user has it: Phoenix's own driver, and HBase's configuration of docs/phoenix.md. */
public class SqlIT {

    private static HBaseTestingUtility hbase;
    private static String url;

    @BeforeClass
    public static void start() throws Exception {
        Configuration conf = HBaseConfiguration.create();
        hbase = new HBaseTestingUtility(conf);
        hbase.startMiniCluster();
        FencepostService.start(hbase.getConfiguration());
        url = "jdbc:phoenix:" + conf.get("fencepost.tm.zookeeper");
    }

    @AfterClass
    public static void stop() throws Exception {
        hbase.shutdownMiniCluster();
    }

    private static Connection open(boolean autoCommit) throws SQLException {
        return Sql.open(url, autoCommit);
    }

    private static void run(Connection connection, String sql) throws SQLException {
        Sql.run(connection, sql);
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        return Sql.rows(connection, sql);
    }

    @Test
    public void upsertSelectCommitAndRollback() throws Exception {
        try (Connection writer = open(false); Connection other = open(false)) {
            run(writer, "CREATE TABLE t (k VARCHAR PRIMARY KEY, v INTEGER) TRANSACTIONAL=true");
            run(writer, "UPSERT INTO t VALUES ('a', 1)");
            run(writer, "UPSERT INTO t VALUES ('b', 2)");
            assertEquals(List.of("a 1", "b 2"), rows(writer, "SELECT k, v FROM t"));
            assertEquals(List.of(), rows(other, "SELECT k, v FROM t"));
            writer.commit();
            assertEquals("its snapshot is older", List.of(), rows(other, "SELECT k, v FROM t"));
            other.commit();
            assertEquals(List.of("3"), rows(other, "SELECT sum(v) FROM t"));
            run(writer, "UPSERT INTO t VALUES ('a', 10)");
            run(writer, "DELETE FROM t WHERE k = 'b'");
            assertEquals(List.of("a 10"), rows(writer, "SELECT k, v FROM t"));
            writer.rollback();
            assertEquals(List.of("a 1", "b 2"), rows(writer, "SELECT k, v FROM t"));
        }
    }

    @Test
    public void oneOfTwoWritersOfARowConflicts() throws Exception {
        try (Connection one = open(false); Connection two = open(false)) {
            run(one, "CREATE TABLE c (k VARCHAR PRIMARY KEY, v INTEGER, w INTEGER) TRANSACTIONAL=true");
            run(one, "UPSERT INTO c(k, v) VALUES ('a', 1)");
            run(two, "UPSERT INTO c(k, w) VALUES ('a', 2)");
            assertEquals(List.of("a"), rows(one, "SELECT k FROM c"));
            assertEquals(List.of("a"), rows(two, "SELECT k FROM c"));
            one.commit();
            SQLException conflict = assertThrows(SQLException.class, two::commit);
            assertEquals(SQLExceptionCode.TRANSACTION_CONFLICT_EXCEPTION.getErrorCode(), conflict.getErrorCode());
        }
    }

    /** VLDB'18 figure 8: what a statement inserts, it does not select. */
    @Test
    public void aStatementDoesNotSeeWhatItWrites() throws Exception {
        try (Connection connection = open(false)) {
            run(connection, "CREATE SEQUENCE s");
            run(connection, "CREATE TABLE l (k BIGINT PRIMARY KEY, v INTEGER) TRANSACTIONAL=true");
            run(connection, "UPSERT INTO l VALUES (NEXT VALUE FOR s, 1)");
            for (int i = 1; i <= 6; i++) {
                run(connection, "UPSERT INTO l SELECT NEXT VALUE FOR s, v FROM l");
                assertEquals(List.of(Integer.toString(1 << i)), rows(connection, "SELECT count(*) FROM l"));
            }
            connection.commit();
            assertEquals(List.of("64"), rows(connection, "SELECT count(*) FROM l"));
        }
    }

    /** A row may be written and read as often as there are levels. */
    @Test
    public void aRowIsWrittenAgainAfterItWasRead() throws Exception {
        try (Connection connection = open(false)) {
            run(connection, "CREATE TABLE r (k VARCHAR PRIMARY KEY, v INTEGER) TRANSACTIONAL=true");
            for (int i = 0; i < 45; i++) {
                run(connection, "UPSERT INTO r VALUES ('a', " + i + ")");
                assertEquals(List.of("a " + i), rows(connection, "SELECT k, v FROM r"));
            }
            connection.commit();
            assertEquals(List.of("a 44"), rows(connection, "SELECT k, v FROM r"));
        }
    }

    /** Built and kept; and a major compaction, with Phoenix's own compactor beside ours, loses nothing of it. */
    @Test
    public void anIndexIsBuiltAndKept() throws Exception {
        try (Connection connection = open(false); Admin admin = hbase.getConnection().getAdmin()) {
            run(connection, "CREATE TABLE p (k VARCHAR PRIMARY KEY, city VARCHAR, n INTEGER) TRANSACTIONAL=true");
            run(connection, "UPSERT INTO p VALUES ('ann', 'Rome', 1)");
            run(connection, "UPSERT INTO p VALUES ('bob', 'Oslo', 2)");
            connection.commit();
            run(connection, "CREATE INDEX by_city ON p (city) INCLUDE (n)");
            String byCity = "SELECT city, k, n FROM p ORDER BY city";
            assertEquals(List.of("Oslo bob 2", "Rome ann 1"), rows(connection, byCity));
            run(connection, "UPSERT INTO p VALUES ('ann', 'Bern', 3)");
            run(connection, "DELETE FROM p WHERE k = 'bob'");
            assertEquals(List.of("Bern ann 3"), rows(connection, byCity));
            connection.commit();
            for (String table : List.of("P", "BY_CITY")) {
                admin.flush(TableName.valueOf(table));
                hbase.compact(TableName.valueOf(table), true);
            }
            connection.commit();
            assertEquals(List.of("Bern ann 3"), rows(connection, byCity));
            assertEquals(List.of("ann Bern 3"), rows(connection, "SELECT /*+ NO_INDEX */ k, city, n FROM p"));
        }
    }

    /** Phoenix deletes index rows by themselves there, not with those of the table. */
    @Test
    public void rowsOfAnImmutableTableAreDeletedByItsIndex() throws Exception {
        try (Connection connection = open(false)) {
            run(connection, "CREATE TABLE i (k VARCHAR PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER) TRANSACTIONAL=true, IMMUTABLE_ROWS=true");
            for (int i = 0; i < 3; i++) {
                run(connection, "UPSERT INTO i VALUES ('k" + i + "', " + i + ", " + i + ", 7)");
            }
            connection.commit();
            run(connection, "CREATE INDEX i_by_a ON i (a, b) INCLUDE (c)");
            assertEquals(1, Sql.run(connection, "DELETE FROM i WHERE b = 1"));
            connection.commit();
            assertEquals(List.of("k0 0", "k2 2"), rows(connection, "SELECT /*+ NO_INDEX */ k, a FROM i"));
            assertEquals(List.of("k0 0", "k2 2"), rows(connection, "SELECT \":K\", \"0:A\" FROM i_by_a"));
        }
    }

    /** Who moves a row behind the fence deletes an index row that may not be there yet; it must not come back with the population. */
    @Test
    public void anIndexIsBuiltWhileItsTableIsWritten() throws Exception {
        try (Connection connection = open(false)) {
            buildWhileWritten(connection, "m");
        }
    }

    /** The same, where region servers send each other what the client would. */
    @Test
    public void regionServersBuildAnIndexWhileItsTableIsWritten() throws Exception {
        try (Connection connection = Sql.open(url, false, Map.of(QueryServices.ENABLE_SERVER_UPSERT_SELECT, "true"))) {
            buildWhileWritten(connection, "o");
        }
    }

    private static void buildWhileWritten(Connection connection, String name) throws Exception {
        int rows = 400;
        run(connection, "CREATE TABLE " + name + " (k INTEGER PRIMARY KEY, city VARCHAR, n INTEGER) TRANSACTIONAL=true");
        for (int i = 0; i < rows; i++) {
            run(connection, "UPSERT INTO " + name + " VALUES (" + i + ", 'city" + i % 7 + "', 0)");
        }
        connection.commit();
        AtomicBoolean ended = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            int first = writer;
            writers.add(CompletableFuture.runAsync(() -> move(name, rows, first, ended)));
        }
        Thread.sleep(2_000);
        run(connection, "CREATE INDEX " + name + "_by_city ON " + name + " (city) INCLUDE (n)");
        Thread.sleep(1_000);
        ended.set(true);
        writers.forEach(CompletableFuture::join);
        connection.commit();
        List<String> table = rows(connection, "SELECT /*+ NO_INDEX */ city, k, n FROM " + name);
        List<String> index = rows(connection, "SELECT \"0:CITY\", \":K\", \"0:N\" FROM " + name + "_by_city");
        table.sort(null);
        index.sort(null);
        assertEquals(rows, table.size());
        assertEquals(table, index);
    }

    /** Every fourth row, over and over. */
    private static void move(String name, int rows, int first, AtomicBoolean ended) {
        try (Connection connection = open(false)) {
            for (int turn = 0; !ended.get(); turn++) {
                int k = (first + 4 * turn) % rows;
                run(connection, "UPSERT INTO " + name + " VALUES (" + k + ", 'city" + (k + turn) % 7 + "', " + turn + ")");
                try {
                    connection.commit();
                } catch (SQLException e) { // the fence
                    assertEquals(SQLExceptionCode.TRANSACTION_CONFLICT_EXCEPTION.getErrorCode(), e.getErrorCode());
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
