package org.fencepost.hbase;

import static org.fencepost.hbase.Fixture.F;
import static org.fencepost.hbase.Fixture.commit;
import static org.fencepost.hbase.Fixture.get;
import static org.fencepost.hbase.Fixture.pending;
import static org.fencepost.hbase.Fixture.put;
import static org.fencepost.hbase.Fixture.read;
import static org.fencepost.hbase.Fixture.scan;
import static org.fencepost.hbase.Fixture.show;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.MediatorClient;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.OmidWrites;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.hbase.store.HBaseLeaderStore;
import org.fencepost.protocol.AbortCause;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.store.Record;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions of users whose rights HBase's AccessController limits: each right gives what it says and no more, and nobody reads
 * anything wrong for lack of rights. Nobody needs more than READ to open a table; who opens a client needs READ on
 * the commit table.
 */
class RightsTest {

    private static final long SPAN = 1 << 10;
    /** More versions than a read fetches at first. */
    private static final int VERSIONS = 2 * Layout.PAGE;
    private static final String EARLY_OUT = "hbase.security.access.early_out";
    private static final byte[] A = Bytes.toBytes("a");

    /** Until the region server has heard of a change of rights. */
    private static final long HEARD_MILLIS = 700;

    private static EmbeddedHBase cluster;
    private static int number;

    private Fixture hbase;
    private TransactionClient admin;

    @BeforeAll
    static void start() throws Exception {
        String controller = AccessController.class.getName();
        Fixture.stopShared();
        cluster = EmbeddedHBase.start(1, 1, Fixture.servers(Map.of("hbase.security.authorization", "true",
                "hbase.coprocessor.master.classes", controller, "hbase.coprocessor.region.classes", controller,
                "hbase.coprocessor.regionserver.classes", controller, "hbase.superuser", User.getCurrent().getShortName())));
        try (Connection connection = ConnectionFactory.createConnection(cluster.configuration()); Admin admin = connection.getAdmin()) {
            for (int i = 0; i < 300 && !admin.tableExists(TableName.valueOf("hbase:acl")); i++) {
                Thread.sleep(100);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
    }

    @BeforeEach
    void open() throws IOException {
        hbase = Fixture.on(cluster).withSpan(SPAN);
        admin = hbase.client();
    }

    @AfterEach
    void close() throws Exception {
        hbase.close();
    }

    // ---- users

    /** A client of a new user. To open a client takes READ on the commit table, to open a table some right in it. */
    private final class Client {
        private final User user = User.createUserForTesting(hbase.conf, "user" + ++number, new String[0]);

        Client opens() throws Exception {
            return may(hbase.commits, null, null, Action.READ);
        }

        void mayEverywhere(Action... actions) throws IOException {
            try {
                AccessControlClient.grant(hbase.connection, user.getShortName(), actions);
            } catch (Throwable e) {
                throw new IOException(e);
            }
        }

        /** What was granted on the whole table. */
        Client mayNoMore(TableName table, Action action) throws Exception {
            try {
                AccessControlClient.revoke(hbase.connection, table, user.getShortName(), null, null, action);
            } catch (Throwable e) {
                throw new IOException(e);
            }
            Thread.sleep(HEARD_MILLIS);
            return this;
        }

        Client may(TableName table, String family, String qualifier, Action... actions) throws Exception {
            try {
                AccessControlClient.grant(hbase.connection, table, user.getShortName(), family == null ? null : Bytes.toBytes(family),
                        qualifier == null ? null : Bytes.toBytes(qualifier), actions);
            } catch (Throwable e) {
                throw new IOException(e);
            }
            return this;
        }

        <T> T as(PrivilegedExceptionAction<T> action) throws Exception {
            Thread.sleep(HEARD_MILLIS);
            return user.runAs(action);
        }

        TransactionClient transactions() throws Exception {
            return as(() -> hbase.client());
        }

        Connection connection() throws Exception {
            return hbase.closing(as(() -> ConnectionFactory.createConnection(hbase.conf)));
        }
    }

    private static void denied(Executable call) {
        StoreException e = assertThrows(StoreException.class, call);
        assertTrue(Stream.of("nsufficient permissions", "grant him READ", "who may administer").anyMatch(e.getMessage()::contains), e.getMessage());
    }

    /** @param filtering whether HBase hides what may not be read; otherwise it refuses who may not read anything of a family */
    private TableName set(TableName name, boolean filtering) throws IOException {
        try (Admin tables = hbase.connection.getAdmin()) {
            tables.modifyTable(TableDescriptorBuilder.newBuilder(tables.getDescriptor(name))
                    .setValue(EARLY_OUT, Boolean.toString(!filtering)).build());
        }
        return name;
    }

    /** All of them: whoever may read in one may ask how the table is set up. */
    private byte[][] families(TableName name) throws IOException {
        try (Admin tables = hbase.connection.getAdmin()) {
            return tables.getDescriptor(name).getColumnFamilyNames().toArray(byte[][]::new);
        }
    }

    // ---- regular reads

    private void write(TransactionalTable table, String row, String value) {
        try (Transaction tx = admin.begin()) {
            table.put(tx, put(row, "a", value, "b", value));
            table.put(tx, new Put(Bytes.toBytes(row)).addColumn(Bytes.toBytes("g"), A, Bytes.toBytes(value)));
            tx.commit();
        }
    }

    /** They began before the snapshot and committed after it, so the server must look below them. */
    private void commitLater(TableName name, String row, List<Transaction> overlapping) throws IOException {
        try (Table raw = hbase.connection.getTable(name); Transaction later = admin.begin()) {
            for (Transaction tx : overlapping) {
                Put put = OmidWrites.mark(new Put(Bytes.toBytes(row)));
                for (String column : List.of("f:a", "f:b", "g:a")) {
                    byte[] family = Bytes.toBytes(column.substring(0, 1));
                    byte[] qualifier = Bytes.toBytes(column.substring(2));
                    put.addColumn(family, qualifier, tx.startTimestamp(), A);
                    put.addColumn(family, Layout.commitQualifier(qualifier), tx.startTimestamp(), Bytes.toBytes(later.startTimestamp()));
                }
                raw.put(put);
            }
        }
    }

    private static Scan reversed() {
        return new Scan().setReversed(true);
    }

    /** What a reader sees, by get, multi-get and scans, at a snapshot that others have written over; and what HBase sends him. */
    private void assertReads(String columns, Client user, TableName name) throws Exception {
        TransactionalTable writer = admin.table(name);
        write(writer, "r", "1");
        write(writer, "s", "1");
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(name, families(name));
        List<Transaction> overlapping = Stream.generate(admin::begin).limit(VERSIONS).toList();
        try (Transaction old = client.begin()) {
            for (String row : List.of("r", "s")) {
                commitLater(name, row, overlapping);
                write(writer, row, "new");
            }
            assertEquals(columns, read(table, old, "r"));
            assertEquals(columns, show(table.get(old, List.of(get("s"), get("r"))).get(1)));
            List<String> rows = columns.isEmpty() ? List.of() : List.of("r{" + columns + "}", "s{" + columns + "}");
            assertEquals(rows, scan(table, old, new Scan()));
            assertEquals(rows.isEmpty() ? rows : List.of(rows.get(1), rows.get(0)), scan(table, old, reversed()));
            assertEquals(columns.contains("f:a") ? "f:a=1" : "", show(table.get(old, get("r").addColumn(F, A))));
            try (Table raw = user.connection().getTable(name)) {
                assertSent(columns, raw.get(Internals.requests(table).widen(get("r"), old.startTimestamp(), old.startTimestamp() - 1)));
                try (ResultScanner scanner = raw.getScanner(Internals.requests(table).widen(new Scan(), old.startTimestamp(), old.startTimestamp() - 1))) {
                    for (Result row : scanner) {
                        assertSent(columns, row);
                    }
                }
            }
        }
        try (Transaction now = client.begin()) {
            assertEquals(columns.replace("=1", "=new"), read(table, now, "r"));
        }
        CellKey key = new CellKey(name, Bytes.toBytes("r"), F, A);
        long version;
        try (Transaction now = admin.begin()) {
            version = Internals.rows(admin).get(key, now.startTimestamp()).next().version();
        }
        Record<byte[]> reread = columns.contains("f:a") ? Internals.rows(client).reread(key, version) : null;
        assertTrue(reread == null ? !columns.contains("f:a") : reread.hasCommitCell());
    }

    private static void assertSent(String columns, Result row) {
        for (Cell cell : row.isEmpty() ? new Cell[0] : row.rawCells()) {
            String column = Bytes.toString(CellUtil.cloneFamily(cell)) + ":" + Bytes.toString(Layout.userQualifier(cell));
            assertTrue(columns.contains(column + "="), column + " was sent");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void columns(boolean filtering) throws Exception {
        TableName name = set(hbase.table("f", "g"), filtering);
        Client user = new Client().opens().may(name, "f", "a", Action.READ);
        assertReads("f:a=1", user, name);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void families(boolean filtering) throws Exception {
        TableName name = set(hbase.table("f", "g"), filtering);
        Client user = new Client().opens().may(name, "f", null, Action.READ);
        if (filtering) {
            assertReads("f:a=1 f:b=1", user, name);
        } else { // HBase itself gives whoever may read a family no other ones, but refuses
            TransactionClient client = user.transactions();
            TransactionalTable table = client.table(name, families(name));
            write(admin.table(name), "r", "1");
            try (Transaction tx = client.begin()) {
                assertEquals("f:a=1 f:b=1", show(table.get(tx, get("r").addFamily(F))));
                denied(() -> table.get(tx, get("r").addFamily(Bytes.toBytes("g"))));
                denied(() -> scan(table, tx, new Scan().addFamily(Bytes.toBytes("g"))));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tables(boolean filtering) throws Exception {
        TableName name = set(hbase.table("f", "g"), filtering);
        assertReads("f:a=1 f:b=1 g:a=1", new Client().opens().may(name, null, null, Action.READ), name);
    }

    @Test
    void namespaces() throws Exception {
        TableName name = hbase.table("f", "g");
        Client user = new Client().opens();
        try {
            AccessControlClient.grant(hbase.connection, NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR, user.user.getShortName(), Action.READ);
        } catch (Throwable e) {
            throw new IOException(e);
        }
        assertReads("f:a=1 f:b=1 g:a=1", user, name);
    }

    @Test
    void nothing() throws Exception {
        TableName hiding = set(hbase.table("f", "g"), true);
        assertReads("", new Client().opens(), hiding);
        TableName refusing = set(hbase.table("f", "g"), false);
        Client user = new Client().opens().may(refusing, null, null, Action.READ);
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(refusing, families(refusing));
        user.mayNoMore(refusing, Action.READ);
        InvalidTableException e = assertThrows(InvalidTableException.class, () -> client.table(refusing, families(refusing)));
        assertTrue(e.getMessage().contains("grant the right to read it"), e.getMessage());
        try (Transaction tx = client.begin()) {
            denied(() -> read(table, tx, "r"));
            denied(() -> scan(table, tx, new Scan()));
            denied(() -> scan(table, tx, reversed()));
        }
    }

    /** Access lists on cells: whoever may read a cell reads its record, whatever the commit cell has. */
    @Test
    void cells() throws Exception {
        TableName name = set(hbase.table("f", "g"), true);
        Client user = new Client().opens();
        Transaction tx = commit(admin, admin.table(name), "r", "seen");
        try (Table raw = hbase.connection.getTable(name)) {
            Put seen = OmidWrites.mark(new Put(Bytes.toBytes("r"))).addColumn(F, A, tx.startTimestamp(), Bytes.toBytes("seen"));
            seen.setACL(user.user.getShortName(), new Permission(Action.READ));
            raw.put(seen);
        }
        commit(admin, admin.table(name), "s", "unseen");
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(name, families(name));
        try (Transaction reader = client.begin()) {
            assertEquals("f:a=seen", read(table, reader, "r"));
            assertEquals("", read(table, reader, "s"));
            assertEquals(List.of("r{f:a=seen}"), scan(table, reader, new Scan()));
            assertEquals(List.of("r{f:a=seen}"), scan(table, reader, reversed()));
        }
    }

    /** The lines of docs/security.md, word by word, give a reader, a writer and a collector what they need. */
    @Test
    void whatTheDocumentationGrants() throws Exception {
        TableName accounts = hbase.fastTable(1);
        Map<String, Client> users = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("../../docs/security.md"))) {
            Matcher grant = Pattern.compile(" {4}grant '(\\w+)', '([RWA]+)'(?:, '([\\w.]+)')?").matcher(line);
            if (grant.matches()) {
                Client user = users.computeIfAbsent(grant.group(1), name -> new Client());
                Action[] actions = grant.group(2).chars().mapToObj(c -> Action.values()["RWXCA".indexOf(c)]).toArray(Action[]::new);
                if (grant.group(3) == null) {
                    user.mayEverywhere(actions);
                } else {
                    user.may(grant.group(3).equals("accounts") ? accounts : hbase.commits, null, null, actions);
                }
            }
        }
        assertEquals(Set.of("reader", "writer", "janitor"), users.keySet());
        TransactionClient writer = users.get("writer").transactions();
        commit(writer, writer.table(accounts), "r", "1");
        writer.fastTable(accounts).orElseRegular(20).write(put("r", "a", "2"));
        Transaction pending = pending(writer, writer.table(accounts), "s", "1");
        TransactionClient reader = users.get("reader").transactions();
        try (Transaction tx = reader.begin()) {
            assertEquals("f:a=2", read(reader.table(accounts), tx, "r"));
            assertEquals("", read(reader.table(accounts), tx, "s"));
            assertEquals("f:a=2", show(reader.fastTable(accounts).read(get("r").addColumn(F, A))));
        }
        assertThrows(TransactionAbortedException.class, pending::commit);
        hbase.expireAll();
        TransactionClient janitor = users.get("janitor").transactions();
        assertTrue(users.get("janitor").as(() -> hbase.janitor(janitor).pass()) > 0);
    }

    // ---- what is not settled

    /** A reader who may not write settles nothing, and errs if the answer depends on it. */
    @Test
    void whoMayOnlyRead() throws Exception {
        TableName name = hbase.table("f", "g");
        Client user = new Client().opens().may(name, null, null, Action.READ);
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(name, families(name));
        Transaction committed = pending(admin, admin.table(name), "r", "1");
        Internals.protocol(admin).commit(Internals.state(committed)); // and no post-commit
        Transaction writer = pending(admin, admin.table(name), "s", "1");
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "r"));
            assertEquals("f:a=1", read(table, tx, "r"));
            assertEquals("", read(table, tx, "s"), "the pending writer loses the right to commit");
            denied(() -> {
                table.put(tx, put("t", "a", "1"));
                tx.commit();
            });
        }
        assertEquals(1, hbase.stored(name).stream().filter(cell -> cell.startsWith("r/")).count(), "not healed");
        TransactionAbortedException aborted = assertThrows(TransactionAbortedException.class, writer::commit);
        assertEquals(AbortCause.INVALIDATED, aborted.abortCause());
    }

    /** Fragola's F8: a leader is looked at with READ and marked with WRITE where it is. Who has not gets an error, never data. */
    @Test
    void leadersOfWhomOneMayNotRead() throws Exception {
        hbase.withLeaders();
        TransactionClient leading = hbase.client();
        TableName led = hbase.leaderTable();
        TableName following = hbase.leaderTable();
        for (String row : List.of("committed", "pending")) {
            Transaction tx = leading.begin();
            leading.table(led).put(tx, put(row, "a", "1"));
            leading.table(following).put(tx, put(row, "a", "1"));
            Internals.protocol(leading).write(Internals.state(tx));
            if (row.equals("committed")) {
                Internals.protocol(leading).commit(Internals.state(tx)); // and no post-commit
            }
        }
        Client user = new Client().may(following, null, null, Action.READ, Action.WRITE);
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(following, F);
        for (String row : List.of("committed", "pending")) {
            try (Transaction tx = client.begin()) {
                denied(() -> read(table, tx, row));
            }
        }
        user.may(led, "f", "b", Action.READ); // one column, of which HBase shows no leader
        try (Transaction tx = client.begin()) {
            Thread.sleep(HEARD_MILLIS);
            denied(() -> read(table, tx, "committed"));
        }
        user.may(led, null, null, Action.READ);
        Thread.sleep(HEARD_MILLIS);
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "committed"));
            denied(() -> read(table, tx, "pending"));
        }
        user.may(led, null, null, Action.READ, Action.WRITE);
        Thread.sleep(HEARD_MILLIS);
        try (Transaction tx = client.begin()) {
            assertEquals("", read(table, tx, "pending"));
        }
        denied(() -> ((HBaseLeaderStore) Internals.rows(client)).tellSettled(led, 5));
    }

    /** Without READ on the commit table a committed transaction must not look pending, nor be invalidated. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theCommitTableIsNotHalfRead(boolean filtering) throws Exception {
        set(hbase.commits, filtering);
        TableName name = hbase.table("f", "g");
        Client user = new Client().opens().may(name, null, null, Action.READ, Action.WRITE)
                .may(hbase.commits, null, null, Action.WRITE);
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(name, families(name));
        user.mayNoMore(hbase.commits, Action.READ);
        Transaction committed = pending(admin, admin.table(name), "r", "1");
        Internals.protocol(admin).commit(Internals.state(committed));
        try (Transaction tx = client.begin()) {
            denied(() -> read(table, tx, "r"));
        }
        try (Transaction tx = admin.begin()) {
            assertEquals("f:a=1", read(admin.table(name), tx, "r"));
        }
    }

    /** A writer of one column: its commit cells are others' to write. */
    @Test
    void whoMayWriteOneColumn() throws Exception {
        TableName name = set(hbase.table("f", "g"), true);
        Client user = new Client().opens().may(name, "f", "a", Action.READ, Action.WRITE)
                .may(hbase.commits, null, null, Action.READ, Action.WRITE);
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(name, families(name));
        commit(client, table, "r", "1");
        denied(() -> {
            try (Transaction tx = client.begin()) {
                table.put(tx, put("r", "b", "1"));
                tx.commit();
            }
        });
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "r"));
        }
        try (Transaction tx = admin.begin()) {
            assertEquals("f:a=1", read(admin.table(name), tx, "r"));
        }
    }

    /** It would take the leftovers that it does not see for settled, and remove their commit entries. */
    @Test
    void aCollectorMustSeeAll() throws Exception {
        TableName name = set(hbase.table("f", "g"), true);
        Client user = new Client().opens().may(name, "f", "b", Action.READ, Action.WRITE)
                .may(hbase.commits, null, null, Action.READ, Action.WRITE, Action.ADMIN);
        Transaction committed = pending(admin, admin.table(name), "r", "1");
        Internals.protocol(admin).commit(Internals.state(committed));
        hbase.expireAll();
        InvalidTableException blind = assertThrows(InvalidTableException.class, () -> hbase.janitor(user.transactions()).pass());
        assertTrue(blind.getMessage().contains("may not read the description"), blind.getMessage());
        user.mayEverywhere(Action.ADMIN); // tables of other tests, too
        denied(() -> hbase.janitor(user.transactions()).pass());
        try (Transaction tx = admin.begin()) {
            assertEquals("f:a=1", read(admin.table(name), tx, "r"));
        }
    }

    // ---- what readers and writers may not do to others

    /** It ends all commits below. */
    @Test
    void onlyWhoMayAdministerTheCommitTableRaisesItsWatermark() throws Exception {
        Client writer = new Client().may(hbase.commits, null, null, Action.READ, Action.WRITE);
        HBaseCommitTable entries = entries(writer);
        long watermark = hbase.manager.collectableBelow();
        denied(() -> entries.raiseWatermark(watermark));
        denied(() -> entries.resetWatermark());
        denied(() -> entries.bindAnew());
        writer.may(hbase.commits, null, null, Action.READ, Action.WRITE, Action.ADMIN).as(() -> {
            entries.raiseWatermark(watermark);
            return null;
        });
        assertEquals(watermark, hbase.commitTable().watermark());
    }

    private HBaseCommitTable entries(Client user) throws Exception {
        Connection connection = user.connection();
        return user.as(() -> new HBaseCommitTable(connection, connection, hbase.commits, 20_000));
    }

    /** A reader takes the right to commit from whom it meets, and commits nobody; nor does it write anything else. */
    @Test
    void readersDoNotDecideOverCommits() throws Exception {
        Transaction pending = pending(admin, admin.table(hbase.table()), "r", "1");
        HBaseCommitTable entries = entries(new Client().may(hbase.commits, null, null, Action.READ));
        denied(() -> entries.checkAndMutate(pending.startTimestamp(), hbase.manager.begin()));
        denied(() -> entries.remove(pending.startTimestamp()));
        assertEquals(Timestamps.NIL, entries.checkAndMutate(pending.startTimestamp(), Timestamps.INVALIDATED));
        assertEquals(AbortCause.INVALIDATED, assertThrows(TransactionAbortedException.class, pending::commit).abortCause());
    }

    /** A writer is believed up to the transaction manager's durable limit, a reader what was given. */
    @Test
    void readersDoNotTakeTheClockIntoTheFuture() throws Exception {
        TableName name = hbase.fastTable(1);
        admin.fastTable(name).orElseRegular(20).write(put("r", "a", "1"));
        long tomorrow = (hbase.manager.info().next() / SPAN + 100) * SPAN;
        Get forged = get("r").addColumn(F, A).setTimeRange(0, tomorrow);
        FastRequest.setSnapshot(forged, tomorrow);
        Client reader = new Client().may(name, null, null, Action.READ);
        Connection connection = reader.connection();
        IOException e = reader.as(() -> assertThrows(IOException.class, () -> connection.getTable(name).get(forged)));
        assertTrue(e.getMessage().contains("was not given"), e.getMessage());
        long version = admin.fastTable(name).orElseRegular(20).write(put("r", "a", "2"));
        try (Transaction tx = admin.begin()) {
            assertTrue(version < tx.startTimestamp());
            assertEquals("f:a=2", read(admin.table(name), tx, "r"));
        }
    }

    // ---- the fast path

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fastPath(boolean filtering) throws Exception {
        TableName name = set(hbase.fastTable(1), filtering);
        Client user = new Client().opens().may(name, "f", "a", Action.READ, Action.WRITE);
        Client reader = new Client().opens().may(name, "f", "a", Action.READ);
        TransactionClient client = user.transactions();
        FastTable fast = client.fastTable(name, families(name));
        FastTable reading = reader.transactions().fastTable(name, families(name));
        Get a = get("r").addColumn(F, A);
        Get b = get("r").addColumn(F, Bytes.toBytes("b"));
        commit(admin, admin.table(name), "r", "1"); // with a commit cell
        assertEquals("f:a=1", show(fast.read(a)));
        assertEquals("f:a=1", show(reading.read(a)));
        Fixture.writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, fast, put("r", "a", "2"));
        assertEquals("f:a=2", show(reading.read(a)));
        fast.readModifyWrite(a, last -> put("r", "a", show(last).replace("f:a=", "") + "+"));
        assertEquals("f:a=2+", show(reading.read(a)));
        assertThrows(StoreException.class, () -> reading.write(put("r", "a", "3")));
        assertThrows(StoreException.class, () -> fast.write(put("r", "b", "3")));
        admin.fastTable(name).write(put("r", "b", "secret"));
        if (filtering) {
            assertEquals("", show(fast.read(b)));
        } else {
            denied(() -> fast.read(b));
        }
        pending(admin, admin.table(name), "r", "4"); // the reader looks below it
        assertEquals("f:a=2+", show(fast.read(a)));
        assertEquals("f:a=2+", show(reading.read(a)));
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=2+", read(client.table(name, families(name)), tx, "r"));
        }
    }

    /** A region server asks the commit table as itself, with threads, too, that a client of the same process has made. */
    @Test
    void threadsServeWhoeverGivesThemWork() throws Exception {
        Client client = new Client().opens();
        Connection connection = client.connection();
        client.as(() -> {
            List<Thread> asking = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                asking.add(new Thread(() -> assertDoesNotThrow(() -> new HBaseCommitTable(connection, connection, hbase.commits, 20_000).watermark())));
            }
            asking.forEach(Thread::start);
            for (Thread thread : asking) {
                thread.join();
            }
            return null;
        });
        try (Fixture other = Fixture.on(cluster).withSpan(SPAN)) { // whose commit table the client may not read
            Fixture.writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, other.client().fastTable(other.fastTable(1)), put("r", "a", "1"));
        }
    }

    /** Each row's rights are looked at, and where one lacks none is stored. */
    @Test
    void rowsOfOneBatch() throws Exception {
        TableName name = hbase.fastTable(1);
        Client user = new Client().opens().may(name, "f", "a", Action.READ, Action.WRITE)
                .may(name, "f", Bytes.toString(Layout.commitQualifier(A)), Action.READ, Action.WRITE)
                .may(hbase.commits, null, null, Action.READ, Action.WRITE);
        TransactionClient client = user.transactions();
        TransactionalTable table = client.table(name, families(name));
        Fixture.writeAfter(FastAbortCause.CLOCK_NOT_BOOTSTRAPPED, admin.fastTable(name), put("first", "a", "0"));
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", "1"));
            table.put(tx, put("s", "a", "1"));
            tx.commit();
        }
        assertEquals(1, client.commitCounts().inOnePhase());
        Transaction denied = client.begin();
        table.put(denied, put("r", "a", "2"));
        table.put(denied, put("s", "b", "2"));
        assertThrows(TransactionException.class, denied::commit);
        assertEquals(1, client.commitCounts().inOnePhase());
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", read(table, tx, "r"));
        }
        assertTrue(hbase.stored(name).stream().noneMatch(cell -> cell.contains("!" + denied.startTimestamp() + "=")), "it has a commit cell");
    }

    /** Under a tentative record the server itself looks for the last committed one, and finds none that the caller may not read. */
    @Test
    void fastPathBelowTentative() throws Exception {
        TableName name = set(hbase.fastTable(1), true);
        Client user = new Client().opens();
        commit(admin, admin.table(name), "r", "secret");
        Transaction tentative = pending(admin, admin.table(name), "r", "tentative");
        try (Table raw = hbase.connection.getTable(name)) {
            Put seen = OmidWrites.mark(new Put(Bytes.toBytes("r"))).addColumn(F, A, tentative.startTimestamp(), A);
            seen.setACL(user.user.getShortName(), new Permission(Action.READ));
            raw.put(seen);
        }
        assertEquals("", show(user.transactions().fastTable(name, families(name)).read(get("r").addColumn(F, A))));
    }

    // ---- Mediator

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void mediator(boolean filtering) throws Exception {
        MediatorWorld world = new MediatorWorld(hbase, SPAN, Tracer.OFF);
        TableName name = set(hbase.mediatedTable(1), filtering);
        Client user = new Client().may(name, "f", "a", Action.READ, Action.WRITE);
        world.put(name, "r", "a", "1", "b", "secret");
        MediatorClient client = user.as(() -> world.client("snapshot"));
        TransactionalTable table = client.table(name, families(name));
        Get a = get("r").addColumn(F, A);
        try (Transaction tx = client.begin()) {
            assertEquals("f:a=1", show(table.get(tx, a)));
            denied(() -> table.get(tx, get("r").addColumn(F, Bytes.toBytes("b"))));
            denied(() -> table.get(tx, get("r").addColumn(F, A).addColumn(F, Bytes.toBytes("b"))));
        }
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "a", show(table.get(tx, a)).replace("f:a=", "") + "+"));
            tx.commit();
        }
        world.tso.settle(world::writeBack);
        assertEquals("f:a=1+ f:b=secret", world.get(name, "r"));
        world.delete(name, new org.apache.hadoop.hbase.client.Delete(Bytes.toBytes("r")));
        try (Transaction tx = client.begin()) {
            assertEquals("", show(table.get(tx, a)));
            denied(() -> table.get(tx, get("r").addColumn(F, Bytes.toBytes("b"))));
        }
        try (Transaction tx = client.begin()) {
            table.put(tx, put("r", "b", "mine"));
            assertThrows(RuntimeException.class, tx::commit);
        }
        assertEquals("", world.get(name, "r"));
    }
}
