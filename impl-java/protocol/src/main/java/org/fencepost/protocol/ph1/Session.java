package org.fencepost.protocol.ph1;

/**
 * What one user asks for, one after the other: each of its transactions sees what was committed in it before. Others may see that
 * later, while an earlier flush is under way. Thread-safe.
 */
public final class Session {

    private volatile long lastCommit;

    long lastCommit() {
        return lastCommit;
    }

    synchronized void committed(long commitTs) {
        lastCommit = Math.max(lastCommit, commitTs);
    }
}
