package org.fencepost.phoenix.tests;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.phoenix.exception.SQLExceptionCode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * SQL over JDBC on a real HBase. Clients move money between accounts, and accounts from city to city, while an index by city is built. One of the
 * client processes is killed in the middle, and what it has begun stays behind. Then the paths of a graph are extended by a statement that selects
 * from the table that it writes, again and again, until nothing is new (VLDB'18 fig. 8). In the end the index is compared with the table, the total with
 * that of the beginning, and the paths with those that Java finds.
 */
@Command(name = "demo-phoenix", description = "Apache Phoenix on Fencepost: transfers, an index built meanwhile, a client killed, a closure; then the index is compared"
        + " with its table.", footer = {"", "Exit code: 0 all agrees; 1 something does not."})
public final class PhoenixDemo implements Callable<Integer> {

    private static final int ACCOUNTS = 500;
    private static final int EACH = 100;
    private static final List<String> CITIES = List.of("Bern", "Oslo", "Rome", "Lima", "Kyiv");
    private static final int NODES = 24;
    private static final int THREADS = 4;
    private static final int PERIOD_MILLIS = 5_000;
    private static final int REPORTED = 50;

    @Option(names = "--home", required = true, description = "The folder impl-java/phoenix-tests, built.")
    Path home;

    @Option(names = "--out", required = true, description = "A folder for logs.")
    Path out;

    @Option(names = "--url", hidden = true, description = "Of a server that runs: be its client.")
    String url;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this and exit")
    boolean help;

    private final long begin = System.nanoTime();

    public static void main(String[] arguments) throws Exception {
        PhoenixDemo demo = new PhoenixDemo();
        if (List.of(arguments).contains("--url")) {
            new CommandLine(demo).parseArgs(arguments);
            int code = 2;
            try {
                code = demo.show();
            } catch (Exception e) { // whatever it is, the parent waits for an end
                e.printStackTrace();
            }
            Runtime.getRuntime().halt(code); // HBase's client has threads that go on
        }
        System.exit(new CommandLine(demo).execute(arguments));
    }

    /** Servers and clients are processes of their own, with Phoenix and the page's configuration on their class path, and log to files. */
    @Override
    public Integer call() throws Exception {
        Files.createDirectories(out);
        Files.deleteIfExists(out.resolve("conf/hbase-site.xml"));
        System.out.println("HBase, Phoenix and a transaction manager start; logs are in " + out + ".");
        Process server = jvm(Server.class, "server.log");
        try (BufferedReader lines = server.inputReader()) {
            String url = ready(lines);
            Process client = new ProcessBuilder(Subject.FENCEPOST.command(home.toAbsolutePath(), out, PhoenixDemo.class, "--home", home.toString(), "--out",
                    out.toString(), "--url", url)).redirectOutput(ProcessBuilder.Redirect.INHERIT).redirectError(out.resolve("client.log").toFile()).start();
            int code = client.waitFor();
            if (code > 1) {
                System.err.println("The client has failed; " + out.resolve("client.log") + " says why.");
            }
            return code;
        } finally {
            end(server);
        }
    }

    private int show() throws Exception {
        Process killed = null;
        Process survivors = null;
        try (Connection connection = Sql.open(url, false)) {
            createAccounts(connection);
            killed = jvm(Writers.class, "killed.log", url);
            survivors = jvm(Writers.class, "writers.log", url);
            follow(killed, 1);
            follow(survivors, 1);
            say("Two processes with " + THREADS + " threads each make transfers.");
            Thread.sleep(PERIOD_MILLIS);
            long from = System.nanoTime();
            Sql.run(connection, "CREATE INDEX by_city ON accounts (city) INCLUDE (balance)");
            say("CREATE INDEX by_city: built in " + (System.nanoTime() - from) / 1_000_000 + " ms, beside the transfers.");
            Thread.sleep(PERIOD_MILLIS);
            killed.destroyForcibly().waitFor();
            say("One of the processes was killed, with whatever it had begun.");
            Thread.sleep(PERIOD_MILLIS);
            survivors.getOutputStream().close();
            String counts = last(survivors);
            say("The other one has ended: " + counts + ".");
            boolean agrees = compare(connection) & closure(connection);
            say(agrees ? "All agrees." : "Something does NOT agree.");
            return agrees ? 0 : 1;
        } finally {
            end(killed);
            end(survivors);
        }
    }

    private static void end(Process process) throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private void say(String line) {
        System.out.printf("%4d s  %s%n", (System.nanoTime() - begin) / 1_000_000_000, line);
    }

    private Process jvm(Class<?> main, String log, String... arguments) throws IOException {
        return new ProcessBuilder(Subject.FENCEPOST.command(home.toAbsolutePath(), out, main, arguments))
                .redirectError(out.resolve(log).toFile()).start();
    }

    private static String ready(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(Server.READY)) {
                return line.substring(Server.READY.length());
            }
        }
        throw new IOException("The server has ended before it was ready; its log says why.");
    }

    /** Waits for so many lines of a process. */
    private static void follow(Process process, int lines) throws IOException {
        for (int i = 0; i < lines; i++) {
            if (process.inputReader().readLine() == null) {
                throw new IOException("A client process has ended before its first transfers; its log says why.");
            }
        }
    }

    private static String last(Process process) throws IOException {
        String last = "no transfers";
        for (String line = process.inputReader().readLine(); line != null; line = process.inputReader().readLine()) {
            last = line;
        }
        return last;
    }

    private void createAccounts(Connection connection) throws SQLException {
        Sql.run(connection, "CREATE TABLE accounts (id INTEGER PRIMARY KEY, city VARCHAR, balance BIGINT) TRANSACTIONAL=true");
        for (int id = 0; id < ACCOUNTS; id++) {
            Sql.run(connection, "UPSERT INTO accounts VALUES (" + id + ", '" + CITIES.get(id % CITIES.size()) + "', " + EACH + ")");
        }
        connection.commit();
        say(ACCOUNTS + " accounts with " + EACH + " each.");
    }

    /** The total, and the index with the table, all in one snapshot. */
    private boolean compare(Connection connection) throws SQLException {
        connection.commit();
        long total = Sql.number(connection, "SELECT /*+ NO_INDEX */ sum(balance) FROM accounts");
        List<String> table = new ArrayList<>(Sql.rows(connection, "SELECT /*+ NO_INDEX */ city, id, balance FROM accounts"));
        List<String> index = new ArrayList<>(Sql.rows(connection, "SELECT \"0:CITY\", \":ID\", \"0:BALANCE\" FROM by_city"));
        connection.commit();
        table.sort(null);
        index.sort(null);
        say("Total " + total + ", as in the beginning: " + (total == (long) ACCOUNTS * EACH) + ".");
        say("Index with " + index.size() + " rows, table with " + table.size() + ", and each row in both: " + index.equals(table) + ".");
        return total == (long) ACCOUNTS * EACH && index.equals(table) && table.size() == ACCOUNTS;
    }

    /** All in one transaction: each statement sees what those before it have written, and nothing of its own. */
    private boolean closure(Connection connection) throws SQLException {
        Sql.run(connection, "CREATE TABLE paths (a INTEGER NOT NULL, b INTEGER NOT NULL, CONSTRAINT pk PRIMARY KEY (a, b)) TRANSACTIONAL=true");
        Set<List<Integer>> expected = new TreeSet<>((one, other) -> one.get(0).equals(other.get(0)) ? one.get(1) - other.get(1) : one.get(0) - other.get(0));
        for (int node = 0; node < NODES; node++) {
            int next = node % 8 == 7 ? node - 7 : node + 1; // rings of eight
            Sql.run(connection, "UPSERT INTO paths VALUES (" + node + ", " + next + ")");
            for (int reached = node - node % 8; reached < node - node % 8 + 8; reached++) {
                expected.add(List.of(node, reached));
            }
        }
        long before = 0;
        long now = Sql.number(connection, "SELECT count(*) FROM paths");
        int statements = 0;
        while (now > before) {
            Sql.run(connection, "UPSERT INTO paths SELECT p.a, q.b FROM paths p JOIN paths q ON p.b = q.a");
            statements++;
            before = now;
            now = Sql.number(connection, "SELECT count(*) FROM paths");
        }
        connection.commit();
        List<String> found = Sql.rows(connection, "SELECT a, b FROM paths");
        boolean agrees = found.equals(expected.stream().map(path -> path.get(0) + " " + path.get(1)).toList());
        say("Closure of " + NODES + " edges: " + found.size() + " paths after " + statements + " statements in one transaction, as Java finds them: " + agrees + ".");
        return agrees;
    }

    /** Makes transfers until its standard input ends, and tells now and then how many. */
    static final class Writers {

        private final String url;
        private final AtomicLong transfers = new AtomicLong();
        private final AtomicLong moves = new AtomicLong();
        private final AtomicLong conflicts = new AtomicLong();
        private volatile boolean ended;

        private Writers(String url) {
            this.url = url;
        }

        public static void main(String[] arguments) throws Exception {
            Writers writers = new Writers(arguments[0]);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(new Thread(writers::work, "writer " + i));
                threads.get(i).start();
            }
            while (System.in.read() >= 0) {
                // until whoever has started this closes it
            }
            writers.ended = true;
            for (Thread thread : threads) {
                thread.join();
            }
            writers.tell();
            Runtime.getRuntime().halt(0);
        }

        private synchronized void tell() {
            System.out.println(transfers + " transfers, " + moves + " of which moved an account to another city, " + conflicts + " conflicts");
        }

        private void work() {
            SplittableRandom random = new SplittableRandom();
            try (Connection connection = Sql.open(url, false)) {
                while (!ended) {
                    attempt(connection, random);
                }
            } catch (SQLException | RuntimeException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }

        private void attempt(Connection connection, SplittableRandom random) throws SQLException {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            boolean moves = random.nextInt(4) == 0;
            try {
                long has = Sql.number(connection, "SELECT balance FROM accounts WHERE id = " + from);
                long gets = Sql.number(connection, "SELECT balance FROM accounts WHERE id = " + to);
                long amount = Math.min(has, 1 + random.nextInt(10));
                Sql.run(connection, "UPSERT INTO accounts (id, balance) VALUES (" + from + ", " + (has - amount) + ")");
                String city = CITIES.get(random.nextInt(CITIES.size()));
                Sql.run(connection, moves ? "UPSERT INTO accounts VALUES (" + to + ", '" + city + "', " + (gets + amount) + ")"
                        : "UPSERT INTO accounts (id, balance) VALUES (" + to + ", " + (gets + amount) + ")");
                connection.commit();
                this.moves.addAndGet(moves ? 1 : 0);
                if (transfers.incrementAndGet() % REPORTED == 0) {
                    tell();
                }
            } catch (SQLException e) {
                connection.rollback();
                if (e.getErrorCode() != SQLExceptionCode.TRANSACTION_CONFLICT_EXCEPTION.getErrorCode()) {
                    throw e;
                }
                conflicts.incrementAndGet();
            }
        }
    }
}
