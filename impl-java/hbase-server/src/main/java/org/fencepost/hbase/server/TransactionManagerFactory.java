package org.fencepost.hbase.server;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fencepost.protocol.manager.TransactionManager;

/**
 * How a region server reaches transaction managers: a class with a public constructor without parameters, named in the server's
 * configuration. A table's description says to which commit table it belongs, and nothing of transaction managers: whoever owns a table
 * cannot lead the server to a manager that the operator has not configured.
 */
public interface TransactionManagerFactory {

    /**
     * Names the transaction manager of a commit table, or of a table of Mediator. Equal names are one manager: it is connected to once.
     *
     * @param server the region server's own configuration
     * @throws IllegalArgumentException with one sentence, if none is configured
     */
    String address(Configuration server, TableName table);

    /**
     * Must not wait for the transaction manager.
     *
     * @param server  the region server's own configuration
     * @param address of {@link #address}
     * @return closed when the last region that uses it is closed, if it is AutoCloseable
     * @throws IllegalArgumentException with one sentence, if the configuration makes no sense
     */
    TransactionManager connect(Configuration server, String address);
}
