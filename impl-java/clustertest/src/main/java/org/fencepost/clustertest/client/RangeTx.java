package org.fencepost.clustertest.client;

import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;

/** A transaction that can scan, on a table whose column may be indexed. */
interface RangeTx extends Tx {

    /** @param value null: it is deleted */
    void write(byte[] row, byte[] value);

    ResultScanner scan(Scan scan);

    /** Null where the index is not ready, or not for this snapshot. */
    ResultScanner index(Scan scan);
}
