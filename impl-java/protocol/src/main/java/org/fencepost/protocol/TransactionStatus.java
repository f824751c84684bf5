package org.fencepost.protocol;

/** Where a transaction stands; from COMMITTED on it is over. */
public enum TransactionStatus {
    /** Reads and writes. */
    ACTIVE,
    /** The commit request is at the transaction manager. */
    REQUESTING,
    /** It has a commit timestamp; the commit table has not answered yet. */
    CERTIFIED,
    COMMITTED,
    ABORTED,
    /** The commit table's answer was lost: see {@link OutcomeUnknownException}. */
    UNKNOWN
}
