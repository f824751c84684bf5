package org.fencepost.hbase.client;

import java.util.Map;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.Write;

/** A transaction of Omid LL. */
record OmidTransaction(TransactionClient client, org.fencepost.protocol.omid.OmidLLTransaction<CellKey, byte[]> state) implements ClientTransaction {

    @Override
    public long startTs() {
        return state.startTs();
    }

    @Override
    public long commitTs() {
        return state.commitTs();
    }

    @Override
    public TransactionStatus status() {
        return state.status();
    }

    @Override
    public Write<byte[]> ownWrite(CellKey key) {
        return state.ownWrite(key);
    }

    @Override
    public void buffer(Map<CellKey, Write<byte[]>> writes) {
        client.protocol().buffer(state, writes);
    }

    @Override
    public void buffer(Map<CellKey, Write<byte[]>> writes, Map<CellKey, Write<byte[]>> conflictFree) {
        client.protocol().buffer(state, writes, conflictFree);
    }

    @Override
    public void commit() {
        client.commit(state);
    }

    @Override
    public void rollback() {
        client.protocol().rollback(state);
    }
}
