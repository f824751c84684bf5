package org.fencepost.hbase;

import java.io.IOException;
import java.util.List;
import org.fencepost.protocol.TransactionManager;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.Oracle;
import org.fencepost.tm.mediator.WriteBack;

/** A status oracle and its log for tests that kill it. */
interface KillableTso extends Oracle, Log<byte[]> {

    /** Whom region servers ask for the time. */
    TransactionManager manager();

    void kill();

    /** Another one takes over. Throws StoreException if the database does not answer; then try again. */
    void recover(WriteBack<byte[]> database) throws IOException;

    /**
     * One pass of the helper, if it is not a process of its own: brings those to their end that were active at the last one.
     *
     * @param known what the last pass returned
     * @return those that are active
     */
    List<Long> help(List<Long> known, WriteBack<byte[]> database);

    /** Returns when whatever was begun is written back or aborted. Nobody begins anything. */
    void settle(WriteBack<byte[]> database) throws IOException;
}
