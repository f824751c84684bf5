package org.fencepost.bench.ph1;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.fencepost.bench.ph1.KeyValues.Found;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.tm.client.RemoteTransactionManager;

/** Apache HBase alone, and Omid LL over it. */
final class OnHBase {

    static final byte[] FAMILY = {'f'};
    static final byte[] COLUMN = {'c'};

    private OnHBase() {
    }

    static Get get(byte[] key) {
        return new Get(key).addColumn(FAMILY, COLUMN);
    }

    static Put put(byte[] key, byte[] value) {
        return new Put(key).addColumn(FAMILY, COLUMN, value);
    }

    static Scan scan(byte[] from, int limit) {
        return new Scan().addColumn(FAMILY, COLUMN).withStartRow(from).setLimit(limit).setCaching(limit);
    }

    static void tell(ResultScanner rows, int limit, Found found) throws IOException {
        int left = limit;
        for (Result row = rows.next(); row != null && left > 0; row = --left > 0 ? rows.next() : null) {
            found.accept(row.getRow(), row.value());
        }
    }

    static final class Native implements KeyValues {

        private final Connection connection;
        private final String prefix;

        Native(Configuration conf, String prefix) throws IOException {
            this.connection = ConnectionFactory.createConnection(conf);
            this.prefix = prefix;
        }

        private Table open(String table) throws IOException {
            return connection.getTable(TableName.valueOf(KeyValues.table(prefix, table)));
        }

        @Override
        public Tx begin() {
            return new Tx() {
                @Override
                public byte[] get(String table, byte[] key) throws IOException {
                    try (Table opened = open(table)) {
                        return opened.get(OnHBase.get(key)).value();
                    }
                }

                @Override
                public void put(String table, byte[] key, byte[] value) throws IOException {
                    try (Table opened = open(table)) {
                        opened.put(OnHBase.put(key, value));
                    }
                }

                @Override
                public void scan(String table, byte[] from, int limit, Found found) throws IOException {
                    try (Table opened = open(table); ResultScanner rows = opened.getScanner(OnHBase.scan(from, limit))) {
                        tell(rows, limit, found);
                    }
                }

                @Override
                public void commit() {
                }

                @Override
                public void rollback() {
                }
            };
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    static final class Regular implements KeyValues {

        private final RemoteTransactionManager manager;
        private final TransactionClient client;
        private final String prefix;
        private final Map<String, TransactionalTable> tables = new ConcurrentHashMap<>();

        Regular(Configuration conf, String zooKeeper, String prefix) {
            this.manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper));
            this.client = TransactionClient.open(conf, manager);
            this.prefix = prefix;
        }

        private TransactionalTable open(String table) {
            return tables.computeIfAbsent(table, name -> client.table(TableName.valueOf(KeyValues.table(prefix, name))));
        }

        @Override
        public Tx begin() {
            Transaction tx = client.begin();
            return new Tx() {
                @Override
                public byte[] get(String table, byte[] key) throws Aborted {
                    return OurAborts.orAborted(() -> open(table).get(tx, OnHBase.get(key)).value());
                }

                @Override
                public void put(String table, byte[] key, byte[] value) {
                    open(table).put(tx, OnHBase.put(key, value));
                }

                @Override
                public void scan(String table, byte[] from, int limit, Found found) throws IOException, Aborted {
                    try (ResultScanner rows = open(table).getScanner(tx, OnHBase.scan(from, limit))) {
                        tell(rows, limit, found);
                    } catch (TransactionAbortedException e) {
                        throw new Aborted(e);
                    }
                }

                @Override
                public void commit() throws Aborted {
                    OurAborts.orAborted(tx::commit);
                }

                @Override
                public void rollback() {
                    tx.close();
                }
            };
        }

        @Override
        public void close() {
            client.close();
            manager.close();
        }
    }
}
