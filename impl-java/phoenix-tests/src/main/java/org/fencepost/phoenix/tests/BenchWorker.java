package org.fencepost.phoenix.tests;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.phoenix.exception.SQLExceptionCode;
import org.apache.phoenix.query.BaseTest;
import org.apache.phoenix.util.ReadOnlyProps;

/**
 * One contender of {@link PhoenixBench}: HBase, a transaction manager and clients in a JVM of their own, started by what Phoenix's own tests are started by. It
 * takes commands on its standard input, {@code JOB THREADS MILLISECONDS} each, and answers with a line: how many transactions committed, how many
 * conflicted, median and 99th percentile of the latency in microseconds.
 */
final class BenchWorker extends BaseTest {

    static final String ANSWER = "answer ";
    static final int ROWS = 10_000;
    private static final int CITIES = 100;
    private static final int BATCH = 1_000;
    private static final String TABLE = "CREATE TABLE people (id INTEGER PRIMARY KEY, city VARCHAR, n BIGINT) TRANSACTIONAL=true, TRANSACTION_PROVIDER='OMID'";
    private static final String INDEX = "CREATE INDEX by_city ON people (city) INCLUDE (n)";

    /** What is measured; each transaction is one of these. */
    enum Job {
        UPSERT("UPSERT INTO people VALUES (?, ?, ?)"),
        POINT("SELECT city, n FROM people WHERE id = ?"),
        AGGREGATE("SELECT count(*), sum(n) FROM people WHERE city = ?"),
        /** The index is built, while the given number of threads make upserts; the latency is of these, and one is committed more: the index. */
        INDEX("");

        final String sql;

        Job(String sql) {
            this.sql = sql;
        }
    }

    private volatile boolean ended;

    private BenchWorker() {
    }

    public static void main(String[] none) {
        try {
            setUpTestDriver(new ReadOnlyProps(Map.of("phoenix.use.stats.parallelization", "false").entrySet().iterator()));
            serve(new BenchWorker());
        } catch (Exception e) { // whatever it is, the parent waits for an answer or an end
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void serve(BenchWorker worker) throws Exception {
        try (Connection connection = Sql.open(getUrl(), false)) {
            worker.load(connection);
            System.out.println(ANSWER + "ready");
            for (Scanner commands = new Scanner(System.in); commands.hasNextLine();) {
                String[] command = commands.nextLine().split(" ");
                System.out.println(ANSWER + worker.run(connection, Job.valueOf(command[0]), Integer.parseInt(command[1]), Long.parseLong(command[2])));
            }
        }
    }

    private void load(Connection connection) throws SQLException {
        Sql.run(connection, TABLE);
        Sql.run(connection, INDEX);
        try (PreparedStatement upsert = connection.prepareStatement(Job.UPSERT.sql)) {
            for (int id = 0; id < ROWS; id++) {
                bind(Job.UPSERT, upsert, id, new SplittableRandom(id));
                upsert.execute();
                if (id % BATCH == BATCH - 1) {
                    connection.commit();
                }
            }
        }
    }

    private static void bind(Job job, PreparedStatement statement, int id, SplittableRandom random) throws SQLException {
        switch (job) {
            case UPSERT -> {
                statement.setInt(1, id);
                statement.setString(2, "city" + random.nextInt(CITIES));
                statement.setLong(3, random.nextInt(CITIES));
            }
            case POINT -> statement.setInt(1, id);
            default -> statement.setString(1, "city" + random.nextInt(CITIES));
        }
    }

    private String run(Connection connection, Job job, int threads, long millis) throws Exception {
        Job clients = job == Job.INDEX ? Job.UPSERT : job;
        ended = false;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<long[]>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(pool.submit(() -> repeat(clients)));
            }
            long begin = System.nanoTime();
            if (job == Job.INDEX) {
                Sql.run(connection, "DROP INDEX by_city ON people");
                begin = System.nanoTime();
                Sql.run(connection, INDEX);
            } else {
                Thread.sleep(millis);
            }
            long nanos = System.nanoTime() - begin;
            ended = true;
            List<long[]> latencies = new ArrayList<>();
            for (Future<long[]> each : all) {
                latencies.add(each.get());
            }
            long conflicts = latencies.stream().mapToLong(each -> Arrays.stream(each).filter(nano -> nano < 0).count()).sum();
            long[] sorted = latencies.stream().flatMapToLong(Arrays::stream).filter(nano -> nano >= 0).sorted().toArray();
            return nanos / 1000 + " " + sorted.length + " " + conflicts + " " + micros(sorted, 0.5) + " " + micros(sorted, 0.99);
        } finally {
            pool.shutdownNow();
        }
    }

    private static long micros(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))] / 1000;
    }

    /** Latencies in nanoseconds; -1 of a transaction that conflicted. */
    private long[] repeat(Job job) throws SQLException {
        SplittableRandom random = new SplittableRandom();
        LongStream.Builder latencies = LongStream.builder();
        try (Connection connection = Sql.open(getUrl(), false); PreparedStatement statement = connection.prepareStatement(job.sql)) {
            while (!ended) {
                long begin = System.nanoTime();
                bind(job, statement, random.nextInt(ROWS), random);
                latencies.add(transact(connection, statement, job) ? System.nanoTime() - begin : -1);
            }
        }
        return latencies.build().toArray();
    }

    private static boolean transact(Connection connection, PreparedStatement statement, Job job) throws SQLException {
        try {
            if (job == Job.UPSERT) {
                statement.execute();
            } else {
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        rows.getObject(1);
                    }
                }
            }
            connection.commit();
            return true;
        } catch (SQLException e) {
            connection.rollback();
            if (e.getErrorCode() != SQLExceptionCode.TRANSACTION_CONFLICT_EXCEPTION.getErrorCode()) {
                throw e;
            }
            return false;
        }
    }
}
