package org.fencepost.protocol.store;

import java.util.Collection;

/**
 * A transaction that has committed, as far as post-commit needs it (VLDB'18 Alg. 3, PostCommit).
 *
 * @param startTs  the version of its records
 * @param commitTs what goes into their commit cells; NIL if there are none
 * @param keys     of its records; empty if it has only read
 */
public record Committed<K>(long startTs, long commitTs, Collection<K> keys) {

    public boolean isReadOnly() {
        return keys.isEmpty();
    }
}
