package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fencepost.cli.Fencepost;
import org.fencepost.hbase.admin.TableCheck;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.mediator.LocalProcess;
import org.fencepost.protocol.Timestamps;
import org.fencepost.tm.client.RemoteTransactionManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code create-table}, {@code resolve} and {@code janitor} on a real HBase, with a transaction manager in a process of its own. */
@ExtendWith(Fixture.Extension.class)
class OperatorsCommandsTest {

    private static final long SECONDS = 60;
    /** Of transactions, as the transaction manager counts it. */
    private static final int LIFETIME_MILLIS = 1_000;

    @TempDir
    Path directory;
    private Fixture hbase;
    private String zooKeeper;
    private String commits;

    @BeforeEach
    void setUp(Fixture fixture) {
        hbase = fixture;
        zooKeeper = "127.0.0.1:" + hbase.conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
        commits = hbase.commits.getNameAsString();
    }

    /** Exit code and all that a user sees. */
    private String run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-Dhbase.zookeeper.quorum=127.0.0.1", "-Dhbase.zookeeper.property.clientPort=" + hbase.conf.get(HConstants.ZOOKEEPER_CLIENT_PORT)));
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            System.setOut(both);
            System.setErr(both);
            int code = Fencepost.run(all.toArray(String[]::new));
            return code + ": " + said.toString(StandardCharsets.UTF_8).lines().filter(line -> !line.matches("\\d\\d:\\d\\d:\\d\\d,.*"))
                    .reduce((a, b) -> a + "\n" + b).orElse("");
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    // ---- create-table

    private List<String> problems(String table) throws Exception {
        return TableCheck.problems(hbase.connection, TableName.valueOf(table), null);
    }

    @Test
    void tablesOfEachKind() throws Exception {
        assertEquals("0: Commit table made is created.", run("commit-table", "--create", "2", "made"));
        TestManagers.belongsTo(TableName.valueOf("made"), hbase.commits);
        assertEquals("0: Table c-ll is created for Omid LL with commit table made.", run("create-table", "--commit-table", "made", "c-ll", "f", "g"));
        assertEquals("0: Table c-fp is created for Omid LL with commit table made, with a fast path; transaction managers need a --leap of 2048, or a"
                + " multiple.", run("create-table", "--commit-table", "made", "--fast-path", "2048", "--split", "g,\\x00\\xff", "c-fp", "f"));
        assertEquals("0: Table c-2pc is created for Omid 2PC with commit table made.",
                run("create-table", "-Dfencepost.commit.table=made", "--two-phase", "c-2pc", "f"));
        assertEquals("0: Table c-m is created for Mediator; transaction managers need a --leap of 2048, or a multiple.",
                run("create-table", "--mediator", "2048", "c-m", "f"));
        assertEquals(List.of(), problems("c-ll"));
        assertEquals(List.of(), problems("c-2pc"));
        try (Admin admin = hbase.connection.getAdmin()) {
            assertEquals(3, admin.getRegions(TableName.valueOf("c-fp")).size());
            assertEquals(2048, TableAttributes.fastSpanOf(admin.getDescriptor(TableName.valueOf("c-fp"))));
            assertEquals(2048, TableAttributes.requireMediated(admin.getDescriptor(TableName.valueOf("c-m"))));
            assertEquals(2, admin.getDescriptor(TableName.valueOf("c-ll")).getColumnFamilyCount());
        }
    }

    @Test
    void whatDoesNotFitIsRefusedAndNothingIsCreated() throws Exception {
        String present = hbase.table().getNameAsString();
        String with = "--commit-table=" + commits;
        refused("There is an HBase table " + present + " already, and nothing was changed: give another name, or drop it first.", with, present, "f");
        refused("There is no HBase table nowhere: create it first.", "--commit-table=nowhere", "none", "f");
        refused("HBase table " + present + " is not a commit table", "--commit-table=" + present, "none", "f");
        refused("Family f is named twice.", with, "none", "f", "f");
        refused("span", with, "--fast-path", "1000", "none", "f");
        refused("A table of Mediator has no commit table", with, "--mediator", "1024", "none", "f");
        refused("There is no namespace", with, "nowhere:none", "f");
        refused("none of", with, "none of", "f");
        assertTrue(run("commit-table", "--create", "300", "none").startsWith("1: A commit table has 1 to 256 shards"));
        assertEquals("1: There is an HBase table " + commits + " already.", run("commit-table", "--create", "3", commits));
        assertTrue(run("create-table", with, "none").startsWith("2: Missing required parameter: 'FAMILY'"), "no family");
        assertTrue(run("create-table", "--two-phase", "--fast-path", "64", with, "none", "f").startsWith("2: Error: "), "two kinds");
        try (Admin admin = hbase.connection.getAdmin()) {
            assertTrue(!admin.tableExists(TableName.valueOf("none")));
        }
    }

    private void refused(String sentence, String... arguments) {
        List<String> all = new ArrayList<>(List.of("create-table"));
        all.addAll(List.of(arguments));
        String said = run(all.toArray(String[]::new));
        assertTrue(said.startsWith("1: ") && said.contains(sentence) && said.lines().count() == 1, said);
    }

    // ---- resolve, janitor

    /** On HBase's ZooKeeper, where region servers find it as well. */
    private TransactionClient clientOfAProcess() {
        LocalProcess process = hbase.closing(new LocalProcess(List.of("-cp", System.getProperty("java.class.path")), "org.fencepost.cli.Fencepost",
                List.of("tm", "--zookeeper", path(), "--host", "127.0.0.1", "--port", "0", "--metrics-port", "0", "--conflict-table-size", "65536",
                        "--lifetime-ms", Integer.toString(LIFETIME_MILLIS)), directory.resolve("tm.log")));
        process.await("Transaction manager on", SECONDS);
        RemoteTransactionManager manager = hbase.closing(new RemoteTransactionManager(RemoteTransactionManager.Settings.of(path())));
        TestManagers.up(hbase.commits, manager);
        return hbase.closing(TransactionClient.open(new Configuration(hbase.conf), manager));
    }

    private String path() {
        return zooKeeper + "/" + commits;
    }

    private String resolve(Transaction tx, String... more) {
        List<String> all = new ArrayList<>(List.of("resolve", "--commit-table", commits, "--tm-zookeeper", path()));
        all.addAll(List.of(more));
        all.add(Long.toString(tx.startTimestamp()));
        return run(all.toArray(String[]::new)).replace(Long.toString(tx.startTimestamp()), "START");
    }

    private String janitor(String... more) {
        List<String> all = new ArrayList<>(List.of("janitor", "--commit-table", commits, "--tm-zookeeper", path()));
        all.addAll(List.of(more));
        return run(all.toArray(String[]::new));
    }

    private Transaction written(TransactionClient client, TransactionalTable table, String row) {
        Transaction tx = client.begin();
        table.put(tx, put(row, "a", "new"));
        Internals.protocol(client).write(Internals.state(tx));
        return tx;
    }

    @Test
    void transactionsAreResolvedAndCollected() throws Exception {
        TransactionClient client = clientOfAProcess();
        TransactionalTable table = client.table(hbase.table());

        Transaction settled = client.begin();
        table.put(settled, put("settled", "a", "new"));
        settled.commit();
        assertEquals(List.of(), hbase.entries(), "its entry has gone");
        assertEquals("0: committed: transaction START committed at " + settled.commitTimestamp() + ".", resolve(settled));

        Transaction unsettled = written(client, table, "unsettled");
        Internals.protocol(client).commit(Internals.state(unsettled));
        assertEquals("0: committed: transaction START committed at " + unsettled.commitTimestamp() + ".", resolve(unsettled));
        assertEquals("0: committed: transaction START committed at " + unsettled.commitTimestamp() + ".", resolve(unsettled, "--invalidate"));

        Transaction idle = client.begin();
        assertEquals("1: under way, if it began at all and was not rolled back: nothing that transaction START wrote is there, and it may still commit.",
                resolve(idle));
        Transaction pending = written(client, table, "pending");
        assertEquals("1: under way: transaction START has not committed and still may; it has written a column.", resolve(pending));
        Transaction dead = written(client, table, "dead");
        String aborted = "0: aborted: transaction START has not committed and cannot commit any more; it has written a column, which readers or the"
                + " janitor remove.";
        assertEquals(aborted, resolve(dead, "--invalidate"));
        assertEquals(aborted, resolve(dead));
        assertEquals(aborted, resolve(dead, "--table", table.name().getNameAsString()));

        // A reader that came late has invalidated what was settled behind it.
        hbase.commitTable().checkAndMutate(settled.startTimestamp(), Timestamps.INVALIDATED);
        assertEquals("0: committed: transaction START committed at " + settled.commitTimestamp() + ".", resolve(settled));

        Thread.sleep(2 * LIFETIME_MILLIS);
        String said = janitor("--grace", "1", "--every", "2", "--passes", "2");
        String date = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\S+ ";
        assertTrue(said.matches("0: " + date + "Nothing is old enough to be collected yet: that takes 1 s\\.(\n" + date
                + "Collected below \\d+ in \\d+ ms: .*\\.){2}"), said);
        assertTrue(said.contains("records completed"), said);
        assertEquals(List.of(), hbase.entries());
        assertEquals("0: committed: transaction START committed at " + unsettled.commitTimestamp() + ".", resolve(unsettled));
        assertEquals("1: unknown: nothing is left of transaction START, which may have aborted, or committed long ago and been overwritten.",
                resolve(pending));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=new", read(table, tx, "unsettled"));
        }
    }

    @Test
    void whatMakesNoSenseIsSaidInASentence() throws Exception {
        TransactionClient client = clientOfAProcess();
        TransactionalTable table = client.table(hbase.table());
        String[] resolve = {"resolve", "--commit-table", commits, "--tm-zookeeper", path(), "1"};
        resolve[5] = Long.toString(Long.MAX_VALUE);
        assertTrue(run(resolve).startsWith("2: No transaction has begun with timestamp " + Long.MAX_VALUE), run(resolve));
        resolve[5] = "0";
        assertTrue(run(resolve).startsWith("2: No transaction has begun with timestamp 0"), run(resolve));
        resolve[5] = "seven";
        assertTrue(run(resolve).startsWith("2: Invalid value for positional parameter"), run(resolve));
        assertTrue(run("resolve", "--commit-table", commits, "1").startsWith("2: Which transaction manager? Give --tm-zookeeper"));
        resolve[5] = "1";
        resolve[2] = "nowhere";
        assertEquals("2: There is no HBase table nowhere: create it first.", run(resolve));
        assertTrue(run("janitor", "--commit-table", commits).startsWith("2: Which transaction manager? Give --tm-zookeeper"));
        assertTrue(janitor("--passes", "3").startsWith("2: --every and --passes"), janitor("--passes", "3"));
        assertTrue(janitor("--grace", "-1").startsWith("2: --every and --passes"));
        try (Admin admin = hbase.connection.getAdmin()) {
            admin.disableTable(table.name());
            String said = janitor("--grace", "0");
            assertTrue(said.startsWith("1: The pass is incomplete") && said.contains(table.name() + " is disabled") && said.lines().count() == 1, said);
            admin.enableTable(table.name());
        }
        assertTrue(janitor("--grace", "0").startsWith("0: Collected below"));
    }
}
