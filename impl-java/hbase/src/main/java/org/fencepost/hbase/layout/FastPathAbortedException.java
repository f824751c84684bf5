package org.fencepost.hbase.layout;

import org.fencepost.protocol.TransactionException;
import org.fencepost.protocol.fastpath.FastAbortCause;

/** A fast-path write was refused: nothing was written, and nothing will be. */
public class FastPathAbortedException extends TransactionException {

    private final FastAbortCause abortCause;

    FastPathAbortedException(CellKey key, FastAbortCause abortCause) {
        super("The fast-path write of " + key + " was rejected: " + abortCause.sentence() + ".");
        this.abortCause = abortCause;
    }

    public FastAbortCause abortCause() {
        return abortCause;
    }
}
