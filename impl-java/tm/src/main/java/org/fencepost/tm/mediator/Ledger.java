package org.fencepost.tm.mediator;

import java.util.function.Consumer;
import org.fencepost.protocol.mediator.LogRecord;

/**
 * Where one oracle appends its log. It has one writer.
 *
 * @param <W> write sets
 */
public interface Ledger<W> {

    /**
     * Appends a record. Once an append has failed, all later ones do.
     *
     * @param done called in the order of the appends, on the thread that appends: with null when the record is durable, and no reader who
     *             closes the log can miss it; else with the reason why that is unknown
     */
    void append(LogRecord<W> record, Consumer<Exception> done);

    /** All records of transactions with commit timestamps below it are written back, or abort: they may be deleted some time later. */
    default void writtenBackBelow(long commitTs) {
    }
}
