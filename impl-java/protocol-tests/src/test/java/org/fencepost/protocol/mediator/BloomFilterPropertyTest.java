package org.fencepost.protocol.mediator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BloomFilterPropertyTest {

    @Property
    void neverMissesAKey(@ForAll @Size(max = 300) Set<Long> keys, @ForAll @IntRange(max = 40) int from) {
        long[] words = new long[from + BloomFilter.WORDS + 1];
        keys.forEach(key -> BloomFilter.add(words, from, key));
        assertTrue(keys.stream().allMatch(key -> BloomFilter.mayContain(words, from, key)));
        for (int i = 0; i < words.length; i++) {
            assertTrue(i >= from && i < from + BloomFilter.WORDS || words[i] == 0, "a word that is not the filter's");
        }
    }

    /** Small numbers in a row are the worst hashes that an application may have. */
    @Test
    void seldomHoldsAnother() {
        int held = 0;
        SplittableRandom random = new SplittableRandom(1);
        for (int filter = 0; filter < 100; filter++) {
            long[] words = new long[BloomFilter.WORDS];
            long first = random.nextInt(1000);
            for (int i = 0; i < 20; i++) {
                BloomFilter.add(words, 0, first + i);
            }
            for (int i = 20; i < 2020; i++) {
                held += BloomFilter.mayContain(words, 0, first + i) ? 1 : 0;
            }
        }
        assertTrue(held < 40, held + " of 200,000, where 6 are expected");
    }
}
