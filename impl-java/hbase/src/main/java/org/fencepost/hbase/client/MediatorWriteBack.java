package org.fencepost.hbase.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.hbase.layout.WriteSets;
import org.fencepost.hbase.store.Connections;
import org.fencepost.protocol.store.StoreException;
import org.fencepost.protocol.store.Write;
import org.fencepost.tm.mediator.WriteBack;

/**
 * Writes back to HBase what is in Mediator's log, for the status oracle's helper and for its recovery. The write sets tell
 * which tables. Thread-safe.
 */
public final class MediatorWriteBack implements WriteBack<byte[]>, AutoCloseable {

    private final Connections connections;
    private final MediatorServers servers;

    private MediatorWriteBack(Connections connections, int timeoutMillis) {
        this.connections = connections;
        this.servers = new MediatorServers(connections, timeoutMillis);
    }

    /**
     * Connects to HBase.
     *
     * @param conf HBase's configuration, with the keys of {@link Settings}
     * @throws StoreException           if HBase does not answer within {@link Settings#TIMEOUT}
     * @throws IllegalArgumentException if the configuration makes no sense
     */
    public static MediatorWriteBack open(Configuration conf) {
        Settings settings = Settings.from(conf);
        return new MediatorWriteBack(Connections.connect(settings.bounded(conf)), settings.timeoutMillis());
    }

    /** Throws StoreException if the bytes are no write set, too. */
    @Override
    public void writeBack(byte[] writes, long commitTs) {
        try {
            Map<CellKey, Write<byte[]>> all = WriteSets.decode(writes);
            try {
                servers.writeBack(all, commitTs);
            } catch (StoreException e) {
                if (!all.keySet().removeIf(column -> isGone(column.table()))) {
                    throw e;
                }
                servers.writeBack(all, commitTs);
            }
        } catch (UncheckedIOException e) {
            throw new StoreException("The log's record of the transaction with commit timestamp " + commitTs
                    + " is none of Mediator's.", e);
        }
    }

    /** What was written to a table that is deleted is written back to nobody: the others need not wait for it for ever. */
    private boolean isGone(TableName table) {
        try (Admin admin = connections.repeating().getAdmin()) {
            return !admin.tableExists(table);
        } catch (IOException e) {
            return false; // as far as is known
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
