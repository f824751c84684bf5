package org.fencepost.hbase;

import org.fencepost.protocol.Transaction.Status;
import org.fencepost.protocol.Write;

/** What {@link Transaction} needs of a protocol. Methods throw as those of Transaction do. */
interface ClientTransaction {

    long startTs();

    /** NIL before commit, and for a transaction without writes. */
    long commitTs();

    Status status();

    /** The last write of a column counts. */
    void buffer(CellKey key, Write<byte[]> write);

    void commit();

    void rollback();
}
