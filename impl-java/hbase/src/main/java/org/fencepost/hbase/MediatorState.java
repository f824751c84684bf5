package org.fencepost.hbase;

import java.util.LinkedHashMap;
import java.util.Map;
import org.fencepost.protocol.Transaction.Status;
import org.fencepost.protocol.Write;
import org.fencepost.protocol.mediator.Mediator;
import org.fencepost.protocol.mediator.MediatorTransaction;
import org.fencepost.tm.RemoteOracle;

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

    /** The last one of a column so far; null for none. */
    Write<byte[]> ownWrite(CellKey key) {
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
    public Status status() {
        return tx.status();
    }

    /** Throws IllegalArgumentException if the log has no room for it. */
    @Override
    public void buffer(CellKey key, Write<byte[]> write) {
        long more = COLUMN_BYTES + key.table().getName().length + 2L * key.row().length + key.family().length
                + key.qualifier().length + (write.isTombstone() ? 0 : write.value().length);
        if (bytes + more > LOG_BYTES) {
            throw new IllegalArgumentException("Transaction " + startTs() + " would have more than " + LOG_BYTES
                    + " bytes in the log: split it.");
        }
        bytes += more;
        writes.put(key, write);
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
