package org.fencepost.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.mediator.DataServers;
import org.fencepost.protocol.mediator.Version;
import org.fencepost.protocol.store.Write;

/** Stands between Mediator's client and HBase, for tests that want something to happen there. */
class ServersInBetween implements DataServers<CellKey, Write<byte[]>> {

    private final DataServers<CellKey, Write<byte[]>> servers;

    ServersInBetween(DataServers<CellKey, Write<byte[]>> servers) {
        this.servers = servers;
    }

    void beforeWriteBack() throws IOException {
    }

    @Override
    public Map<CellKey, Version<Write<byte[]>>> txGet(Map<CellKey, Long> due, long startTs) {
        return servers.txGet(due, startTs);
    }

    @Override
    public Map<CellKey, Version<Write<byte[]>>> get(Collection<CellKey> keys) {
        return servers.get(keys);
    }

    @Override
    public boolean txCheckConflict(Map<CellKey, Long> since, Collection<CellKey> fence, long commitTs) {
        return servers.txCheckConflict(since, fence, commitTs);
    }

    @Override
    public void writeBack(Map<CellKey, Write<byte[]>> writes, long commitTs) {
        try {
            beforeWriteBack();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        servers.writeBack(writes, commitTs);
    }

    @Override
    public long localCommit(CellKey key, Write<byte[]> value, long startTs) {
        return servers.localCommit(key, value, startTs);
    }
}
