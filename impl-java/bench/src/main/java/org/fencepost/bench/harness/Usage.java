package org.fencepost.bench.harness;

/**
 * What a server has used since it began.
 *
 * @param nanos       when this was so, on the monotonic clock of the machine
 * @param cpuNanos    of the whole process
 * @param bytes       allocated by its Java threads
 * @param collections of garbage
 */
public record Usage(long nanos, long cpuNanos, long bytes, long collections) {

    /** Reads a line of {@link Probe}. */
    static Usage parse(String line) {
        String[] words = line.substring(Probe.MARK.length()).split(" ");
        return new Usage(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }
}
