package org.fencepost.hbase.client;

import org.fencepost.hbase.layout.CellKey;
import org.fencepost.hbase.layout.Failures;
import org.fencepost.protocol.TransactionException;

/**
 * A fast-path write was not answered. It may have been stored, or may still be, and is not sent again: a second copy
 * would overwrite what others have written since. Reading the key tells what has become of it.
 */
public class FastOutcomeUnknownException extends TransactionException {

    FastOutcomeUnknownException(CellKey key, Throwable cause) {
        super("The fast-path write of " + key + " was not answered and may or may not be stored: read the key to find out. "
                + Failures.reason(cause), cause);
    }
}
