package org.fencepost.clustertest.client;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fencepost.hbase.admin.IndexBuilder;
import org.fencepost.hbase.admin.Tables;
import org.fencepost.hbase.client.Index;
import org.fencepost.hbase.client.IndexedTable;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.protocol.store.StoreException;

/**
 * The index of a run, which gives way to another one: a table is made for that, everybody who begins from then on keeps it and no longer the one before, and
 * then it is built. A build that failed goes on with the next one. Thread-safe.
 */
final class ChangingIndex {

    /** @param tables by who uses it */
    private record Generation(Index index, Map<TransactionClient, IndexedTable> tables) {
    }

    private static final int MOST_TABLES = 2;
    /** So that a client thread ends when the load does, whatever the master does. A change that fails is followed by another, with another table. */
    private static final int CHANGE_MILLIS = 15_000;

    private final Configuration conf;
    private final RunTables run;
    private final List<TransactionClient> clients;
    private final Deque<TableName> tables = new ArrayDeque<>();
    private final ReentrantLock building = new ReentrantLock();
    private volatile Generation current;
    private int generations;
    private boolean ready;
    /** Up to which the present build has come; null for none. */
    private byte[] lastRow;

    ChangingIndex(Configuration conf, RunTables run, List<TransactionClient> clients) {
        this.conf = conf;
        this.run = run;
        this.clients = clients;
    }

    /**
     * What a transaction keeps and reads; null for none. To be asked when it has begun: whoever was told of an index before it was
     * given up began before the fence of the next one.
     */
    IndexedTable of(TransactionClient client) {
        Generation now = current;
        return now == null ? null : now.tables().get(client);
    }

    /** Returns from when on it is ready. Throws {@link StoreException}, also where somebody else builds, and what {@link IndexBuilder#build} throws. */
    long build() {
        if (!building.tryLock()) {
            throw new StoreException("Another build is under way.", null);
        }
        try {
            if (current == null || ready) {
                change();
            }
            long readyFrom = IndexBuilder.build(clients.get(0), current.index(), lastRow, progress -> lastRow = progress.lastRow());
            ready = true;
            return readyFrom;
        } catch (IOException e) {
            throw new StoreException("The table of an index: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        } finally {
            building.unlock();
        }
    }

    private void change() throws IOException {
        TableName name = TableName.valueOf("index-" + run.table() + "-" + generations++);
        Index index = new Index(run.table(), Cells.FAMILY, Cells.COLUMN, name, RangeCells::indexKey);
        tables.add(name);
        RunTables.administer(conf, CHANGE_MILLIS, admin -> {
            for (TableName old : List.copyOf(tables)) { // but for the one that is kept until this succeeds
                if (tables.size() > MOST_TABLES && !old.equals(name) && !old.equals(kept())) {
                    drop(admin, old);
                    tables.remove(old);
                }
            }
            admin.createTable(index.describe(Tables.transactional(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Index.FAMILY)).build(), run.commits())));
        });
        Map<TransactionClient, IndexedTable> ofClients = new HashMap<>();
        clients.forEach(client -> ofClients.put(client, client.indexed(index)));
        lastRow = null;
        ready = false;
        current = new Generation(index, ofClients);
    }

    /** Null for none. */
    private TableName kept() {
        return current == null ? null : current.index().name();
    }

    void drop() throws IOException {
        RunTables.administer(conf, admin -> {
            for (TableName name : tables) {
                drop(admin, name);
            }
        });
    }

    static void drop(Admin admin, TableName name) throws IOException {
        if (admin.tableExists(name)) {
            if (admin.isTableEnabled(name)) {
                admin.disableTable(name);
            }
            admin.deleteTable(name);
        }
    }
}
