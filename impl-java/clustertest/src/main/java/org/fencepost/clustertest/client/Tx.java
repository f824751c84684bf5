package org.fencepost.clustertest.client;

import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** A regular transaction on the run's table, of whichever system. What it throws are our library's exceptions. */
public interface Tx extends AutoCloseable {

    long startTimestamp();

    /** 0 as long as the client does not know one. */
    long commitTimestamp();

    Result get(Get get);

    List<Result> get(List<Get> gets);

    void put(Put put);

    void commit();

    /** Whether the user's connection, and with it his session, has broken: then he goes on as another one. */
    default boolean isBroken() {
        return false;
    }

    /** Rolls it back if nobody asked to commit it. */
    @Override
    void close();
}
