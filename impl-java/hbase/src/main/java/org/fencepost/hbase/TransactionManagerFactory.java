package org.fencepost.hbase;

import org.apache.hadoop.conf.Configuration;
import org.fencepost.protocol.TransactionManager;

/** How a region server reaches the transaction manager: a class with a public constructor without parameters. */
public interface TransactionManagerFactory {

    /**
     * Called once for each commit table on a region server; must not wait for the transaction manager.
     *
     * @param conf the region server's configuration, under the values of the table that asks
     * @return closed when the last region that uses it is closed, if it is AutoCloseable
     * @throws IllegalArgumentException with one sentence, if the configuration does not tell where to find it
     */
    TransactionManager connect(Configuration conf);
}
