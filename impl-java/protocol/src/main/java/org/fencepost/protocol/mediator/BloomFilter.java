package org.fencepost.protocol.mediator;

/**
 * Sets of keys in a fixed number of bits (SYSTOR'14 section 4.3), which lie in an array of longs that the caller has. A filter
 * never misses a key that was added; it may hold others by chance, and that aborts a transaction more.
 */
public final class BloomFilter {

    /** Longs of a filter: 1,024 bits, as in SYSTOR'14 section 5. */
    public static final int WORDS = 16;

    private static final int BITS = 64 * WORDS;
    /** Of 20 keys in a filter, one in 31,000 others is held by chance; of 100, one in 90. */
    private static final int PROBES = 4;

    private BloomFilter() {
    }

    /**
     * Adds a key.
     *
     * @param from where the filter begins in {@code words}
     * @param key  64-bit hash; may be a bad one
     */
    public static void add(long[] words, int from, long key) {
        long probe = mix(key);
        for (int i = 0; i < PROBES; i++, probe >>>= Long.SIZE / PROBES) {
            int bit = (int) (probe & BITS - 1);
            words[from + (bit >>> 6)] |= 1L << bit;
        }
    }

    /** Guard (SYSTOR'14 section 4.3): false only for a key that was not added. */
    public static boolean mayContain(long[] words, int from, long key) {
        long probe = mix(key);
        for (int i = 0; i < PROBES; i++, probe >>>= Long.SIZE / PROBES) {
            int bit = (int) (probe & BITS - 1);
            if ((words[from + (bit >>> 6)] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Spreads a hash over all bits (the finaliser of MurmurHash3). */
    private static long mix(long key) {
        long h = (key ^ key >>> 33) * 0xff51afd7ed558ccdL;
        h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }
}
