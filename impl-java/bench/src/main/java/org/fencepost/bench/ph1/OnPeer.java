package org.fencepost.bench.ph1;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.omid.transaction.RollbackException;
import org.apache.omid.transaction.TTable;
import org.apache.omid.transaction.Transaction;
import org.fencepost.bench.peer.PeerClient;

/** Apache Omid over HBase, in whichever mode its server says; post-commits are asynchronous. */
final class OnPeer implements KeyValues {

    private final PeerClient client;
    private final String prefix;
    /** Not thread-safe, as a Table of HBase is not. */
    private final ThreadLocal<Map<String, TTable>> tables = ThreadLocal.withInitial(HashMap::new);

    OnPeer(Configuration conf, String server, String commitTable, String prefix) throws IOException {
        this.client = new PeerClient(conf, server, commitTable);
        this.prefix = prefix;
    }

    private TTable open(String table) throws IOException {
        TTable known = tables.get().get(table);
        if (known == null) {
            known = new TTable(client.connection(), KeyValues.table(prefix, table));
            tables.get().put(table, known);
        }
        return known;
    }

    @Override
    public Tx begin() throws IOException {
        Transaction tx = client.begin();
        return new Tx() {
            @Override
            public byte[] get(String table, byte[] key) throws IOException {
                return open(table).get(tx, OnHBase.get(key)).value();
            }

            @Override
            public void put(String table, byte[] key, byte[] value) throws IOException {
                open(table).put(tx, OnHBase.put(key, value));
            }

            @Override
            public void scan(String table, byte[] from, int limit, Found found) throws IOException {
                try (ResultScanner rows = open(table).getScanner(tx, OnHBase.scan(from, limit))) {
                    OnHBase.tell(rows, limit, found);
                }
            }

            @Override
            public void commit() throws IOException, Aborted {
                try {
                    client.commit(tx);
                } catch (RollbackException e) {
                    throw new Aborted(e);
                }
            }

            @Override
            public void rollback() throws IOException {
                client.rollback(tx);
            }
        };
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
