package org.fencepost.hbase.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorTransaction;
import org.fencepost.protocol.store.Write;
import org.fencepost.tm.client.RemoteOracle;

/** A transaction of Mediator. Its writes are gathered, and go to the protocol when it commits. */
final class MediatorState implements ClientTransaction {

    /** What the log takes, at most; and what a column adds to its own bytes there, at most. */
    private static final long LOG_BYTES = RemoteOracle.LARGEST_WRITES;
    private static final long COLUMN_BYTES = 64;

    private final Mediator<CellKey, Write<byte[]>> mediator;
    private final MediatorTransaction<CellKey, Write<byte[]>> tx;
    private final Map<CellKey, Write<byte[]>> writes = new LinkedHashMap<>();
    private long bytes;

    MediatorState(Mediator<CellKey, Write<byte[]>> mediator) {
        this.mediator = mediator;
        this.tx = mediator.begin();
    }

    MediatorTransaction<CellKey, Write<byte[]>> tx() {
        return tx;
    }

    @Override
    public Write<byte[]> ownWrite(CellKey key) {
        return writes.get(key);
    }

    @Override
    public long startTs() {
        return tx.startTs();
    }

    @Override
    public long commitTs() {
        return tx.commitTs();
    }

    @Override
    public TransactionStatus status() {
        return tx.status();
    }

    /** Throws IllegalArgumentException if the log has no room for it. */
    @Override
    public void buffer(Map<CellKey, Write<byte[]>> more) {
        long after = bytes;
        for (Map.Entry<CellKey, Write<byte[]>> write : more.entrySet()) {
            after += bytes(write.getKey(), write.getValue()) - bytes(write.getKey(), writes.get(write.getKey()));
        }
        if (after > LOG_BYTES) {
            throw new IllegalArgumentException("Transaction " + startTs() + " would have more than " + LOG_BYTES
                    + " bytes in the log: split it.");
        }
        bytes = after;
        writes.putAll(more);
    }

    /** Its share of the log; of no write none. */
    private static long bytes(CellKey key, Write<byte[]> write) {
        return write == null ? 0 : COLUMN_BYTES + key.table().getName().length + 2L * key.row().length + key.family().length
                + key.qualifier().length + (write.isTombstone() ? 0 : write.value().length);
    }

    @Override
    public void commit() {
        writes.forEach((key, write) -> mediator.txPut(tx, key, write));
        mediator.commit(tx);
    }

    @Override
    public void rollback() {
        mediator.rollback(tx);
    }
}
