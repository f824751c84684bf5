package org.fencepost.bench;

/**
 * @param writeSet        cells each transaction writes
 * @param conflictPercent of the transactions that meet a conflict
 */
record Scenario(int writeSet, int conflictPercent) {

    @Override
    public String toString() {
        return writeSet + (writeSet == 1 ? " cell, " : " cells, ") + conflictPercent + "% conflicts";
    }
}
