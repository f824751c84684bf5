package org.fencepost.tm.mediator;

import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.fencepost.protocol.mediator.BloomFilter;
import org.fencepost.protocol.mediator.Replica;

/**
 * A client's copy of the ring's active entries (SYSTOR'14 section 4.2), brought up to date at each begin by what has changed.
 * To hear the same changes twice does no harm, so several begins may be on their way. Not thread-safe.
 */
public final class RingReplica {

    private final NavigableMap<Long, long[]> filters = new TreeMap<>(Collections.reverseOrder());
    private long revision;

    /** To be told with the next begin. */
    public long revision() {
        return revision;
    }

    /**
     * Throws IllegalArgumentException, without effect, if the array has not the form that {@link StatusOracle#changesSince} gives it.
     *
     * @param changes since {@link #revision}, or an earlier one
     */
    public void apply(long[] changes) {
        int width = 1 + BloomFilter.WORDS;
        if (changes.length < 3 || changes[2] < 0 || changes[2] > changes.length - 3 || (changes.length - 3 - changes[2]) % width != 0) {
            throw new IllegalArgumentException("A change of the ring of " + changes.length + " numbers makes no sense.");
        }
        int entered = 3 + (int) changes[2];
        if (changes[1] != 0) {
            filters.clear();
        }
        for (int i = 3; i < entered; i++) {
            filters.remove(changes[i]);
        }
        for (int i = entered; i < changes.length; i += width) {
            filters.put(changes[i], Arrays.copyOfRange(changes, i + 1, i + width));
        }
        revision = changes[0];
    }

    /** The ring as it was at the last change, for ever. */
    public Replica snapshot() {
        long[] commits = filters.keySet().stream().mapToLong(Long::longValue).toArray();
        long[][] sets = filters.values().toArray(new long[0][]);
        return key -> latestCommitted(commits, sets, key);
    }

    private static long latestCommitted(long[] commits, long[][] sets, long key) {
        for (int i = 0; i < commits.length; i++) {
            if (BloomFilter.mayContain(sets[i], 0, key)) {
                return commits[i];
            }
        }
        return 0;
    }
}
