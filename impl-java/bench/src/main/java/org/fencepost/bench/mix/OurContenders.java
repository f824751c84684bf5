package org.fencepost.bench.mix;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.fencepost.hbase.client.FastTable;
import org.fencepost.hbase.client.Transaction;
import org.fencepost.hbase.client.TransactionClient;
import org.fencepost.hbase.client.TransactionalTable;
import org.fencepost.hbase.layout.FastPathAbortedException;
import org.fencepost.protocol.TransactionAbortedException;
import org.fencepost.tm.client.RemoteTransactionManager;

/** HBase alone, Omid LL, 2PC and Fragola as we have them, and Omid FP, which takes the fast path where a transaction has one row. */
final class OurContenders {

    private OurContenders() {
    }

    private static Get get(byte[] row) {
        return new Get(row).addColumn(Contender.FAMILY, Contender.COLUMN);
    }

    private static Put put(byte[] row, byte[] value) {
        return new Put(row).addColumn(Contender.FAMILY, Contender.COLUMN, value);
    }

    /** Each access is an operation of its own, and a transaction nothing. */
    static final class Native extends Contender {

        private final org.apache.hadoop.hbase.client.Connection connection;
        private final TableName name;

        Native(Configuration conf, String table) throws IOException {
            connection = ConnectionFactory.createConnection(conf);
            name = TableName.valueOf(table);
        }

        @Override
        Tx begin() {
            return new Tx() {
                @Override
                public void read(byte[] row) throws IOException {
                    try (Table table = connection.getTable(name)) {
                        table.get(get(row));
                    }
                }

                @Override
                public void write(byte[] row, byte[] value) throws IOException {
                    try (Table table = connection.getTable(name)) {
                        table.put(put(row, value));
                    }
                }

                @Override
                public void commit() {
                }
            };
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    static class Regular extends Contender {

        private final RemoteTransactionManager manager;
        final TransactionClient client;
        private final TransactionalTable table;

        Regular(Configuration conf, String zooKeeper, String name) {
            manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of(zooKeeper));
            client = TransactionClient.open(conf, manager);
            table = client.table(TableName.valueOf(name));
        }

        @Override
        final Tx begin() {
            Transaction tx = client.begin();
            return new Tx() {
                @Override
                public void read(byte[] row) throws Aborted {
                    orAborted(() -> table.get(tx, get(row)));
                }

                @Override
                public void write(byte[] row, byte[] value) {
                    table.put(tx, put(row, value));
                }

                @Override
                public void commit() throws Aborted {
                    orAborted(tx::commit);
                }
            };
        }

        @Override
        final Closure.Edges edges() {
            Transaction tx = client.begin();
            return new Closure.Edges() {
                @Override
                public void checkpoint() throws Aborted {
                    orAborted(tx::checkpoint);
                }

                @Override
                public void scan(byte[] from, byte[] to, Closure.Rows found) throws IOException, Aborted {
                    try (ResultScanner scanner = table.getScanner(tx, new Scan().withStartRow(from).withStopRow(to))) {
                        for (Result row : scanner) {
                            found.accept(row.getRow());
                        }
                    }
                }

                @Override
                public void insert(List<byte[]> rows) {
                    table.put(tx, rows.stream().map(row -> put(row, Contender.COLUMN)).toList());
                }

                @Override
                public void commit() throws Aborted {
                    orAborted(tx::commit);
                }
            };
        }

        private static void orAborted(Runnable step) throws Aborted {
            try {
                step.run();
            } catch (TransactionAbortedException e) {
                throw new Aborted(e);
            }
        }

        @Override
        public final void close() {
            client.close();
            manager.close();
        }
    }

    static final class Fast extends Regular {

        private final FastTable fast;

        Fast(Configuration conf, String zooKeeper, String name) {
            super(conf, zooKeeper, name);
            fast = client.fastTable(TableName.valueOf(name));
        }

        /** What the fast path refuses counts as aborted, since nobody else runs anything again either. */
        @Override
        void run(Job job, byte[] value, Stopwatch watch) throws IOException, Aborted {
            byte[] row = job.accesses().get(0).row();
            try {
                switch (job.kind()) {
                    case Job.READ -> {
                        fast.read(get(row));
                        watch.lap(Phase.READ);
                    }
                    case Job.WRITE -> {
                        fast.write(put(row, value));
                        watch.lap(Phase.WRITE);
                    }
                    case Job.READ_WRITE -> {
                        fast.readModifyWrite(get(row), found -> {
                            watch.lap(Phase.READ);
                            return put(row, value);
                        });
                        watch.lap(Phase.WRITE);
                    }
                    default -> super.run(job, value, watch);
                }
            } catch (FastPathAbortedException e) {
                throw new Aborted(e);
            }
        }
    }
}
