package org.fencepost.hbase.client;

/** What a transaction reads of its own writes (VLDB'18 section 6.2). It always reads the same of others. */
public enum Visibility {

    /** All that it has written. */
    SNAPSHOT,
    /** What it had written before its last checkpoint; see {@link Transaction#checkpoint}. */
    EXCLUDE_CURRENT,
    /**
     * Each version that it has written of a column, one for each level, newest first, and last the one that they replace. A deleted
     * version is a cell of type Delete. The timestamps of the cells tell versions apart.
     */
    ALL
}
