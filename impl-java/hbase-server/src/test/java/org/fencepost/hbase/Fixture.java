package org.fencepost.hbase;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fencepost.hbase.admin.Janitor;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.Internals.Seams;
import org.fencepost.hbase.store.SystemClock;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.embedded.EmbeddedHBase;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.LeaderPointer;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseCommitTable;
import org.fencepost.protocol.Clock;
import org.fencepost.protocol.fastpath.FastAbortCause;
import org.fencepost.protocol.manager.TransactionManagerCore;
import org.fencepost.protocol.memory.LocalTransactionManager;
import org.fencepost.protocol.trace.Tracer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One HBase for the whole JVM; and for each test that asks for a Fixture a commit table, a transaction manager and
 * tables of its own, so that tests share no timestamps.
 */
public final class Fixture implements AutoCloseable {

    public static final byte[] F = Bytes.toBytes("f");
    /** As the transaction manager counts it: more than the clients' 60 s. */
    private static final long LIFETIME_NANOS = 70_000_000_000L;
    /** Settings of the region servers, which come to have hundreds of tables with a few rows each. */
    public static final Map<String, String> SERVERS = Map.of(Settings.TM_FACTORY, TestManagers.class.getName(), Settings.FAST_WAIT, "300",
            "hbase.regionserver.enable.table.latencies", "false", // histograms of each table
            "hbase.hregion.memstore.mslab.chunksize", "65536", "hbase.hregion.memstore.mslab.max.allocation", "16384"); // for each region, at its first write: 2 MB
    private static final long REFUSED_NANOS = 20_000_000_000L;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    public final Configuration conf;
    public final Connection connection;
    final TableName commits = TableName.valueOf("commits" + NUMBER.incrementAndGet());
    /** The transaction manager's clock runs with the real one; tests move it ahead. */
    final AtomicLong ahead = new AtomicLong();
    LocalTransactionManager manager;
    private final String identity = UUID.randomUUID().toString();
    /** Of tables with a fast path. */
    private long span = 1;
    private final EmbeddedHBase hbase;
    private final List<AutoCloseable> resources = new ArrayList<>();

    private Fixture(EmbeddedHBase hbase) throws IOException {
        this.hbase = hbase;
        this.conf = hbase.configuration();
        conf.set(Settings.COMMIT_TABLE, commits.getNameAsString());
        conf.setInt(Settings.POST_COMMIT_THREADS, 0);
        conf.setInt(Settings.TIMEOUT, 20_000);
        connection = ConnectionFactory.createConnection(conf);
        manager = manager(LIFETIME_NANOS);
        managerUp();
        try (Admin admin = connection.getAdmin()) {
            Tables.createCommitTable(admin, commits, 3);
        }
    }

    /** Theirs and more. */
    public static Map<String, String> servers(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(SERVERS);
        all.putAll(more);
        return all;
    }

    /** For tests with an HBase of their own, before they start it: two in one JVM have too much in common. The next test starts another. */
    public static void stopShared() throws IOException {
        Extension.stop();
    }

    /** For tests with an HBase of their own, whose servers have {@link #SERVERS}. */
    public static Fixture on(EmbeddedHBase hbase) throws IOException {
        return new Fixture(hbase);
    }

    /** Takes over from the fixture's own, with another limit on the life of transactions, and without leaps. */
    LocalTransactionManager manager(long lifetimeNanos) {
        return manager(lifetimeNanos, 1);
    }

    private LocalTransactionManager manager(long lifetimeNanos, long leap) {
        Clock clock = new SystemClock() {
            @Override
            public long nanos() {
                return super.nanos() + ahead.get();
            }
        };
        return new LocalTransactionManager(new TransactionManagerCore(
                new TransactionManagerCore.Settings(leap, 1 << 20, lifetimeNanos, 1 << 20),
                manager == null ? 0 : manager.info().limit() + 1, Long.MAX_VALUE >> 2, 0, clock.nanos(), Tracer.OFF), clock, identity);
    }

    /**
     * Starts HBase at first use; it ends with the JVM. JUnit's root store would not do: where Surefire hands out classes to several JVMs, each class is
     * an execution of its own, with a root of its own.
     */
    public static final class Extension implements ParameterResolver {

        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Fixture.class);
        private static EmbeddedHBase shared;

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                if (shared != null) {
                    shared.deleteFiles();
                }
                // Hadoop's own hooks would wait for each other longer than Surefire does, which has all results by now.
                Runtime.getRuntime().halt(0);
            }));
        }

        private record Own(Fixture fixture) implements ExtensionContext.Store.CloseableResource {
            @Override
            public void close() throws Exception {
                fixture.close();
            }
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Fixture.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getStore(NAMESPACE)
                    .getOrComputeIfAbsent("fixture", key -> new Own(create()), Own.class).fixture();
        }

        private static synchronized void stop() throws IOException {
            EmbeddedHBase stopping = shared;
            shared = null; // even if it does not stop in order: nobody may have half of it
            if (stopping != null) {
                stopping.close();
            }
        }

        private static synchronized Fixture create() {
            try {
                if (shared == null) {
                    shared = EmbeddedHBase.start(2, 1, SERVERS);
                }
                return new Fixture(shared);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() throws Exception {
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).close();
        }
        managerDown(); // whose conflict table is large
        connection.close();
    }

    // ---- set-up

    public TransactionClient client() {
        return client(Seams.NONE);
    }

    public TransactionClient client(Seams seams) {
        return closing(Internals.open(conf, manager, seams));
    }

    /** A new transactional table with these families, "f" if none is given. */
    public TableName table(String... families) throws IOException {
        return tableOf(commits, families);
    }

    TableName tableOf(TableName commitTable, String... families) throws IOException {
        TableName name = TableName.valueOf("t" + NUMBER.incrementAndGet());
        try (Admin admin = connection.getAdmin()) {
            Tables.create(admin, name, commitTable, families.length == 0 ? new String[] {"f"} : families);
        }
        return name;
    }

    /** A new table with leaders. Its clients have the placement leader. */
    TableName leaderTable() throws IOException {
        TableName name = TableName.valueOf("l" + NUMBER.incrementAndGet());
        try (Admin admin = connection.getAdmin()) {
            Tables.createWithLeaders(admin, name, manager, "f");
        }
        return name;
    }

    /** Clients that are opened from now on have tables with leaders. */
    Fixture withLeaders() {
        conf.set(Settings.PLACEMENT, TableAttributes.LEADER);
        return this;
    }

    /** A commit table of whose transaction manager the region servers know nothing. */
    TableName commitTableOfNobody() throws IOException {
        TableName name = TableName.valueOf("nobodys");
        try (Admin admin = connection.getAdmin()) {
            if (!admin.tableExists(name)) {
                Tables.createCommitTable(admin, name, 1);
            }
        }
        return name;
    }

    /** Sets the transaction manager up for a fast path; to be called before clients are opened. */
    public Fixture withSpan(long leap) {
        return withSpan(leap, LIFETIME_NANOS);
    }

    public Fixture withSpan(long leap, long lifetimeNanos) {
        span = leap;
        manager = manager(lifetimeNanos, leap);
        managerUp();
        return this;
    }

    /** Region servers can reach the transaction manager. */
    public void managerUp() {
        TestManagers.up(commits, manager);
    }

    public void managerDown() {
        TestManagers.down(commits);
    }

    /** A new table with a fast path, of so many regions, split at "1", "2" and so on. */
    public TableName fastTable(int regions) throws IOException {
        TableName name = TableName.valueOf("f" + NUMBER.incrementAndGet());
        TableDescriptor transactional = Tables.transactional(TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), commits);
        TableDescriptor table = TableDescriptorBuilder.newBuilder(Tables.fastPath(transactional, span))
                .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(Stall.class.getName())
                        .setPriority(Coprocessor.PRIORITY_HIGHEST).build()).build();
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(table, splits(regions));
        }
        return name;
    }

    /** A new table of Mediator, of so many regions, split at "1", "2" and so on. */
    public TableName mediatedTable(int regions) throws IOException {
        TableName name = TableName.valueOf("m" + NUMBER.incrementAndGet());
        TableDescriptor mediated = Tables.mediated(TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build(), span);
        TestManagers.belongsTo(name, commits);
        TableDescriptor table = TableDescriptorBuilder.newBuilder(mediated)
                .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(StallPut.class.getName())
                        .setPriority(Coprocessor.PRIORITY_LOWEST).build()).build();
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(table, splits(regions));
        }
        return name;
    }

    private static byte[][] splits(int regions) {
        return regions == 1 ? null
                : IntStream.range(1, regions).mapToObj(i -> Bytes.toBytes(Integer.toString(i))).toArray(byte[][]::new);
    }

    /** Closes it at the end, before all that is there. */
    <T extends AutoCloseable> T closing(T resource) {
        resources.add(resource);
        return resource;
    }

    void killServerOf(TableName table, String row) throws IOException {
        try (RegionLocator locator = connection.getRegionLocator(table)) {
            hbase.killRegionServer(locator.getRegionLocation(Bytes.toBytes(row), true).getServerName());
        }
    }

    /** For regions that are opened later. */
    public void configureServers(String key, String value) {
        hbase.configureServers(key, value);
    }

    void startServer() throws IOException {
        hbase.startRegionServer();
    }

    /** Moves the region of a row to the other of two region servers, while the caller waits. */
    void move(TableName table, String row) throws IOException {
        try (RegionLocator locator = connection.getRegionLocator(table); Admin admin = connection.getAdmin()) {
            HRegionLocation at = locator.getRegionLocation(Bytes.toBytes(row), true);
            ServerName other = admin.getRegionServers().stream().filter(server -> !server.equals(at.getServerName()))
                    .findFirst().orElseThrow();
            admin.move(at.getRegion().getEncodedNameAsBytes(), other);
        }
    }

    Janitor janitor(TransactionClient client) {
        return new Janitor(client, manager, java.time.Duration.ZERO);
    }

    HBaseCommitTable commitTable() throws IOException {
        return new HBaseCommitTable(connection, connection, commits, 20_000);
    }

    void flush(TableName table) throws IOException {
        hbase.flush(table);
    }

    /** Of everything, what is in memory included. */
    void compact(TableName table) throws IOException {
        hbase.flush(table);
        hbase.majorCompact(table);
    }

    void compactFilesOnly(TableName table) throws IOException {
        hbase.majorCompact(table);
    }

    /** Tries until it is written; the cause of the refusals before that must be the expected one. Region servers get over both by asking for the time. */
    static long writeAfter(FastAbortCause expected, FastTable fast, Put put) throws InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < REFUSED_NANOS) {
            try {
                return fast.write(put);
            } catch (FastPathAbortedException e) {
                assertEquals(expected, e.abortCause());
                Thread.sleep(20);
            }
        }
        StringBuilder asking = new StringBuilder("Still refused: " + expected + ". Who should ask for the time:");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("fencepost-manager-")) {
                asking.append('\n').append(thread.getName()).append(' ').append(Arrays.toString(stack));
            }
        });
        throw new AssertionError(asking.toString());
    }

    /** Lets the transaction manager come so far that it has given this timestamp. */
    void giveUpTo(long ts) {
        for (long given = manager.begin(); given < ts; given = manager.begin()) {
            manager.end(given);
        }
        expireAll();
    }

    /** Lets the transaction manager give up on every transaction that is active now; it notices in two steps. */
    void expireAll() {
        for (int i = 0; i < 2; i++) {
            ahead.addAndGet(2 * LIFETIME_NANOS);
            manager.collectableBelow();
        }
    }

    interface Past {
        void write(Table table) throws IOException;
    }

    /** What somebody could do who may alter the table's description: writes while the table has no coprocessors. */
    void writePast(TableName name, Past past) throws IOException {
        try (Admin admin = connection.getAdmin(); Table table = connection.getTable(name)) {
            TableDescriptor guarded = admin.getDescriptor(name);
            TableDescriptorBuilder bare = TableDescriptorBuilder.newBuilder(guarded);
            guarded.getCoprocessorDescriptors().forEach(coprocessor -> bare.removeCoprocessor(coprocessor.getClassName()));
            admin.modifyTable(bare.build());
            past.write(table);
            admin.modifyTable(guarded);
        }
    }

    // ---- requests, short

    public static Put put(String row, String... qualifiersAndValues) {
        Put put = new Put(Bytes.toBytes(row));
        for (int i = 0; i < qualifiersAndValues.length; i += 2) {
            put.addColumn(F, Bytes.toBytes(qualifiersAndValues[i]), Bytes.toBytes(qualifiersAndValues[i + 1]));
        }
        return put;
    }

    public static Delete delete(String row, String... qualifiers) {
        Delete delete = new Delete(Bytes.toBytes(row));
        for (String qualifier : qualifiers) {
            delete.addColumns(F, Bytes.toBytes(qualifier));
        }
        return delete;
    }

    public static Get get(String row) {
        return new Get(Bytes.toBytes(row));
    }

    /** The columns of a row as "family:qualifier=value ...". */
    public static String show(Result row) {
        StringBuilder text = new StringBuilder();
        if (!row.isEmpty()) {
            for (Cell cell : row.rawCells()) {
                text.append(text.isEmpty() ? "" : " ").append(Bytes.toString(CellUtil.cloneFamily(cell))).append(':')
                        .append(Bytes.toString(CellUtil.cloneQualifier(cell))).append('=')
                        .append(Bytes.toString(CellUtil.cloneValue(cell)));
            }
        }
        return text.toString();
    }

    public static String read(TransactionalTable table, Transaction tx, String row) {
        return show(table.get(tx, get(row)));
    }

    /** All rows of a scan as "row{columns}". */
    public static List<String> scan(TransactionalTable table, Transaction tx, Scan scan) throws IOException {
        List<String> rows = new ArrayList<>();
        try (ResultScanner scanner = table.getScanner(tx, scan)) {
            for (Result row : scanner) {
                rows.add(Bytes.toString(row.getRow()) + "{" + show(row) + "}");
            }
        }
        return rows;
    }

    // ---- transactions that write column f:a of a row

    public static Transaction commit(TransactionClient client, TransactionalTable table, String row, String value) {
        try (Transaction tx = client.begin()) {
            table.put(tx, put(row, "a", value));
            tx.commit();
            return tx;
        }
    }

    /** Its record is stored, its commit not asked for. */
    public static Transaction pending(TransactionClient client, TransactionalTable table, String row, String value) {
        Transaction tx = client.begin();
        table.put(tx, put(row, "a", value));
        Internals.protocol(client).write(Internals.state(tx));
        return tx;
    }

    // ---- what is really stored

    /**
     * Every cell of a table as "row/qualifier@version=value", "row/qualifier!version=commit" or "row/qualifier>version=leader", delete markers
     * left out.
     */
    List<String> stored(TableName name) throws IOException {
        List<String> cells = new ArrayList<>();
        try (Table table = connection.getTable(name);
                ResultScanner rows = table.getScanner(new Scan().readAllVersions())) {
            for (Result row : rows) {
                for (Cell cell : row.rawCells()) {
                    String at = Bytes.toString(row.getRow()) + "/" + Bytes.toString(Layout.userQualifier(cell));
                    byte[] value = Layout.isValueCell(cell) ? Layout.decode(cell) : null;
                    cells.add(Layout.isCommitCell(cell) ? at + "!" + cell.getTimestamp() + "=" + Layout.entry(name, cell)
                            : Layout.isPointerCell(cell) ? at + ">" + cell.getTimestamp() + "=" + LeaderPointer.decode(name, cell)
                            : at + "@" + cell.getTimestamp() + "=" + (value == null ? "TOMBSTONE" : Bytes.toString(value)));
                }
            }
        }
        return cells;
    }

    /** Every commit entry as "start=commit". */
    List<String> entries() throws IOException {
        HBaseCommitTable commitTable = commitTable();
        List<String> entries = new ArrayList<>();
        for (PrimitiveIterator.OfLong all = commitTable.entriesBelow(Long.MAX_VALUE); all.hasNext();) {
            long startTs = all.nextLong();
            entries.add(startTs + "=" + commitTable.get(startTs));
        }
        return entries;
    }
}
