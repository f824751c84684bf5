package org.fencepost.hbase.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.fencepost.hbase.client.Internals;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.hbase.layout.FastRequest;
import org.fencepost.hbase.layout.InvalidTableException;
import org.fencepost.hbase.layout.Layout;
import org.fencepost.hbase.layout.TableAttributes;
import org.fencepost.hbase.store.HBaseLeaderStore;
import org.fencepost.hbase.store.SideBySide;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.fragola.FragolaCollector;
import org.fencepost.protocol.fragola.LeaderStore;
import org.fencepost.protocol.manager.AgedWatermarks;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.protocol.omid.Collector;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.trace.Tracer;

/**
 * Collects garbage on HBase: drives {@link Collector} over all tables of a commit table. Run it every so often, from
 * one place; several at once do no harm.
 *
 * <p>A pass raises the commit table's watermark, scans the tables for records without commit cell and settles them, and
 * removes the commit-table entries that nothing refers to any more. Old versions go later, when HBase compacts.
 *
 * <p>Where commit entries are with leaders, it drives {@link FragolaCollector} over all tables with leaders of the transaction manager. A pass
 * settles the records, and when all of them are, in all tables, tells the regions so: only then may compactions drop leaders.
 *
 * <p>The watermark is one that the transaction manager allowed at least a grace period ago: longer than a request
 * lives, so that no write that is still under way can surface below it.
 */
public final class Janitor {

    /** Few beside a region server's handlers, of which HBase has 30 by default. */
    private static final int KEYS_AT_A_TIME = 8;

    private final TransactionClient client;
    private final AgedWatermarks watermarks;
    private final TransactionManager manager;
    private final Collector<CellKey, byte[]> collector;
    /** Null where there is a commit table. */
    private final FragolaCollector<CellKey, byte[]> leaders;

    /** @param grace longer than any request to HBase can be under way, retries included, and twice that for clients that commit in one phase */
    public Janitor(TransactionClient client, TransactionManager manager, Duration grace) {
        this(client, manager, grace, Tracer.OFF);
    }

    /** @param tracer told of every record settled and every entry removed */
    public Janitor(TransactionClient client, TransactionManager manager, Duration grace, Tracer tracer) {
        this.client = client;
        this.watermarks = new AgedWatermarks(manager, Internals.clock(client), grace.toNanos());
        this.manager = manager;
        this.leaders = Internals.settings(client).leaders()
                ? new FragolaCollector<>((LeaderStore<CellKey, byte[]>) Internals.store(client), manager, Janitor::severalAtATime, tracer) : null;
        this.collector = leaders != null ? leaders : new Collector<>(Internals.store(client), Internals.commitTable(client), manager,
                Janitor::severalAtATime, tracer);
    }

    /**
     * Makes a pass, if there is something to collect below a watermark that is old enough; so the first call only takes
     * note of one, unless the grace is 0.
     *
     * @return the watermark of the pass; 0 if there was none
     * @throws StoreException              if HBase did not answer: the pass is incomplete, the next one makes up for it
     * @throws TransactionManagerException if the transaction manager did not answer
     * @throws InvalidTableException       if a table is disabled, or hidden by access control: its records may refer to any
     *                                     commit-table entry
     */
    public synchronized long pass() {
        long watermark = watermarks.next();
        if (watermark > 0) {
            // The tables are listed after the watermark was allowed: writers below it had their tables by then.
            List<TableName> tables = tables();
            Iterable<CellKey> keys = () -> tables.stream().flatMap(table -> leftovers(table, watermark).stream()).iterator();
            if (leaders == null) {
                collector.collect(keys, watermark);
            } else {
                leaders.settle(keys, watermark);
                tables.forEach(table -> ((HBaseLeaderStore) Internals.rows(client)).tellSettled(table, watermark));
            }
        }
        return watermark;
    }

    /** A key's records are settled one after the other, each with up to three requests; most of the time is spent in waiting for answers. */
    private static <K> void severalAtATime(Iterable<K> keys, Consumer<? super K> step) {
        Iterator<K> left = keys.iterator();
        AtomicBoolean failed = new AtomicBoolean();
        SideBySide.run(Collections.nCopies(KEYS_AT_A_TIME, () -> {
            try {
                for (K key = next(left); key != null && !failed.get(); key = next(left)) {
                    step.accept(key);
                }
            } catch (RuntimeException | Error e) {
                failed.set(true);
                throw e;
            }
        }));
    }

    private static <K> K next(Iterator<K> left) {
        synchronized (left) {
            return left.hasNext() ? left.next() : null;
        }
    }

    /** How many columns have a record without commit cell now, pending transactions' included. */
    public int leftovers() {
        return tables().stream().mapToInt(table -> leftovers(table, Long.MAX_VALUE).size()).sum();
    }

    /** All transactional tables of this commit table, or all tables with leaders of this transaction manager. */
    private List<TableName> tables() {
        TableName commitTable = Internals.settings(client).commitTable();
        Predicate<TableDescriptor> isOurs = leaders == null ? table -> commitTable.equals(TableAttributes.commitTableOf(table)) : withLeaders();
        try (Admin admin = Internals.connection(client).getAdmin()) {
            List<TableName> tables = new ArrayList<>();
            Set<TableName> unseen = allTables();
            for (TableDescriptor table : admin.listTableDescriptors()) {
                unseen.remove(table.getTableName());
                if (isOurs.test(table)) {
                    requireEnabled(admin, table.getTableName());
                    Internals.rows(client).opened(table);
                    tables.add(table.getTableName());
                }
            }
            requireNone(unseen, admin);
            return tables;
        } catch (IOException e) {
            throw Failures.store("list the tables", leaders == null ? commitTable : TableName.META_TABLE_NAME, e);
        }
    }

    private Predicate<TableDescriptor> withLeaders() {
        String identity = manager.info().identity();
        return table -> TableAttributes.hasLeadersOf(table, identity);
    }

    /** As hbase:meta has them, which everybody may read, system tables left out. */
    private Set<TableName> allTables() throws IOException {
        Set<TableName> tables = new HashSet<>();
        try (Table meta = Internals.connection(client).getTable(TableName.META_TABLE_NAME);
                ResultScanner states = meta.getScanner(new Scan().addFamily(HConstants.TABLE_FAMILY))) {
            for (Result state = states.next(); state != null; state = states.next()) {
                TableName table = TableName.valueOf(state.getRow());
                if (!table.isSystemTable()) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    /** HBase leaves those out of its list whose description we may not read. Committed records in them would lose their entries. */
    private static void requireNone(Set<TableName> unseen, Admin admin) throws IOException {
        for (TableName table : unseen) {
            if (admin.tableExists(table)) {
                throw new InvalidTableException("The janitor may not read the description of HBase table " + table + ", whose records may refer"
                        + " to the commit table or to leaders: grant it CREATE or ADMIN on all tables.");
            }
        }
    }

    private static void requireEnabled(Admin admin, TableName table) throws IOException {
        if (!admin.isTableEnabled(table)) {
            throw new InvalidTableException("HBase table " + table + " is disabled: enable or drop it, since nothing can"
                    + " be collected while its records may refer to the commit table or to leaders.");
        }
    }

    /** Guard: a leader with a marker is not settled. The server shows lengths in place of values, or, to whom it may hide cells, values. */
    private boolean isMarker(Cell commitCell) {
        return leaders != null && (Layout.isMarker(commitCell) || Layout.isLengthOfMarker(commitCell));
    }

    /** The columns of a table that have a record without commit cell below the watermark. */
    private List<CellKey> leftovers(TableName name, long watermark) {
        List<CellKey> leftovers = new ArrayList<>();
        Versions versions = Internals.rows(client).versionsOf(name);
        try (Table table = Internals.connection(client).getTable(name);
                ResultScanner rows = table.getScanner(FastRequest.leftovers(versions.span(), watermark))) {
            for (Result row = rows.next(); row != null; row = rows.next()) {
                addLeftovers(name, versions, row, leftovers);
            }
        } catch (IOException e) {
            throw Failures.store("look for leftovers", name, e);
        }
        return leftovers;
    }

    private void addLeftovers(TableName table, Versions told, Result row, List<CellKey> leftovers) {
        Map<CellKey, Set<Long>> unsettled = new LinkedHashMap<>();
        for (Cell cell : row.rawCells()) {
            // A column's commit cells come after its values.
            Set<Long> versions = unsettled.computeIfAbsent(new CellKey(table, row.getRow(), CellUtil.cloneFamily(cell),
                    Layout.userQualifier(cell)), key -> new HashSet<>());
            if (Layout.isCommitCell(cell)) {
                if (!isMarker(cell)) {
                    versions.remove(cell.getTimestamp());
                }
            } else if (Layout.isValueCell(cell) && !told.isFast(cell.getTimestamp())) {
                versions.add(cell.getTimestamp());
            }
        }
        unsettled.forEach((key, versions) -> {
            if (!versions.isEmpty()) {
                leftovers.add(key);
            }
        });
    }
}
