package org.fencepost.clustertest.client;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * A table as HBase's own client sees it, which knows nothing of transactions. It sends every request once: a put that it repeats because
 * the answer was lost is stored twice, and then nobody can tell which of the two was read. Thread-safe.
 */
final class NativeTable implements AutoCloseable {

    private final Connection connection;
    private final TableName name;

    NativeTable(Configuration conf, TableName name) throws IOException {
        Configuration once = new Configuration(conf);
        once.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
        this.connection = ConnectionFactory.createConnection(once);
        this.name = name;
    }

    void put(Put put) throws IOException {
        try (Table table = connection.getTable(name)) {
            table.put(put);
        }
    }

    Result get(Get get) throws IOException {
        try (Table table = connection.getTable(name)) {
            return table.get(get);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
