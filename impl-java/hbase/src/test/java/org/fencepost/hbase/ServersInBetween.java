package org.fencepost.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Version;

/** Stands between Mediator's client and HBase, for tests that want something to happen there. */
class ServersInBetween implements DataServers<RowKey, List<Cell>> {

    private final DataServers<RowKey, List<Cell>> servers;

    ServersInBetween(DataServers<RowKey, List<Cell>> servers) {
        this.servers = servers;
    }

    void beforeWriteBack() throws IOException {
    }

    @Override
    public Map<RowKey, Version<List<Cell>>> txGet(Collection<RowKey> keys, long startTs) {
        return servers.txGet(keys, startTs);
    }

    @Override
    public Map<RowKey, Version<List<Cell>>> get(Collection<RowKey> keys) {
        return servers.get(keys);
    }

    @Override
    public boolean txCheckConflict(Map<RowKey, Long> since, Collection<RowKey> fence, long commitTs) {
        return servers.txCheckConflict(since, fence, commitTs);
    }

    @Override
    public void writeBack(Map<RowKey, List<Cell>> writes, long commitTs) {
        try {
            beforeWriteBack();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        servers.writeBack(writes, commitTs);
    }

    @Override
    public long localCommit(RowKey key, List<Cell> value, long startTs) {
        return servers.localCommit(key, value, startTs);
    }
}
