package org.fencepost.bench.harness;

import java.util.HashMap;
import java.util.Map;

/**
 * What a server has used since it began.
 *
 * @param nanos       when this was so, on the monotonic clock of the machine
 * @param cpuNanos    of the whole process
 * @param bytes       allocated by its Java threads
 * @param collections of garbage
 * @param counts      of what else it counts, by name
 */
public record Usage(long nanos, long cpuNanos, long bytes, long collections, Map<String, Long> counts) {

    private static final int FIRST_COUNT = 4;

    /** Reads a line of {@link Probe}. */
    static Usage parse(String line) {
        String[] words = line.substring(Probe.MARK.length()).split(" ");
        Map<String, Long> counts = new HashMap<>();
        for (int i = FIRST_COUNT; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            counts.put(words[i].substring(0, equals), Long.parseLong(words[i].substring(equals + 1)));
        }
        return new Usage(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]), counts);
    }
}
