package org.fencepost.hbase.client;

import java.util.Map;
import org.fencepost.hbase.layout.CellKey;
import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.TransactionStatus;
import org.fencepost.protocol.store.Write;

/** What {@link Transaction} needs of a protocol. Methods throw as those of Transaction do. */
interface ClientTransaction {

    long startTs();

    /** NIL before commit, and for a transaction without writes. */
    long commitTs();

    TransactionStatus status();

    /** The last one of a column so far; null for none. */
    Write<byte[]> ownWrite(CellKey key);

    /** All of them or, if it throws, none. The last write of a column counts. */
    void buffer(Map<CellKey, Write<byte[]>> writes);

    /** The same, with writes that are not compared with those of others. */
    default void buffer(Map<CellKey, Write<byte[]>> writes, Map<CellKey, Write<byte[]>> conflictFree) {
        throw new TransactionException("Mediator's transactions have no conflict-free writes: use a TransactionClient for that.");
    }

    void commit();

    void rollback();
}
