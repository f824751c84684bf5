package org.fencepost.bench.load;

/**
 * @param writeSet        cells each transaction writes
 * @param conflictPercent of the transactions that meet a conflict
 */
public record Scenario(int writeSet, int conflictPercent) {

    @Override
    public String toString() {
        return writeSet + (writeSet == 1 ? " cell, " : " cells, ") + conflictPercent + "% conflicts";
    }
}
