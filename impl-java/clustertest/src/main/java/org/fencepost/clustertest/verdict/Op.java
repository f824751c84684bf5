package org.fencepost.clustertest.verdict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of a history, as Jepsen has it: an operation is invoked by a process, and completed by the same process in another
 * line: ok, fail (it certainly did not happen) or info (unknown). A process whose operation ended in info does nothing
 * any more. Lines of the nemesis are all info.
 *
 * <p>Values are null, Boolean, Long, String, List and Map. Micro-operations are lists: ["append", key, value], ["r", key, found],
 * ["w", key, value]; of scans ["put", key, value], ["delete", key, null], ["scan", [from, to, limit, reversed], found] with the keys from the one
 * inclusive to the other exclusive and found as [key, tag] in the scan's order, and ["index", [from, to], found] with found as [bucket, key],
 * null where the index could not be asked.
 *
 * <p>What Jepsen's format does not have is in {@link #more}: {@value #PATH} of an operation ("ll", "fp", "mediator" or "native"); of its completion
 * {@value #START} and {@value #COMMIT}, its timestamps as far as the client knows them; {@value #TXN}, what it read and wrote one after the other, each
 * value by a tag that tells who wrote it (["r", key, tag] or ["w", key, tag]), as far as it got; {@value #FOUND}, of a fast-path
 * write without an answer: the version at which it was found in HBase afterwards; {@value #STORED}, where there are native operations: the same of each
 * write, 0 for one that was not found; {@value #RESOLVED}, of a transaction without an answer: how it has ended, asked for
 * when all was healed.
 *
 * @param time    monotonic nanoseconds since the run began
 * @param process a Long, or "nemesis"
 */
public record Op(long index, long time, Type type, Object process, String f, Object value, Map<String, Object> more) {

    /** How a line relates to its operation. */
    public enum Type { invoke, ok, fail, info }

    public static final String NEMESIS = "nemesis";
    public static final String PATH = "path";
    public static final String FAST = "fp";
    public static final String REGULAR = "ll";
    public static final String MEDIATOR = "mediator";
    public static final String NATIVE = "native";
    public static final String START = "start-ts";
    public static final String COMMIT = "commit-ts";
    public static final String TXN = "txn";
    public static final String FOUND = "found-ts";
    /** In place of what was found, where there was nothing. */
    public static final Long FOUND_NOWHERE = 0L;
    /** The same, where nobody could look. */
    public static final long NOT_READ = -1;
    public static final String STORED = "stored-ts";
    public static final String RESOLVED = "resolved";
    public static final String ERROR = "error";
    /** Of an invocation: how long it waits before it commits, in milliseconds. */
    public static final String THINK = "think-ms";
    /** Of an invocation: how long it waits after its first read, in milliseconds. */
    public static final String LINGER = "linger-ms";
    /** Of an invocation: where its reads are decided, "server" as far as region servers can, or else "client". */
    public static final String READS = "reads";
    public static final String SERVER = "server";
    /** Of an invocation: that it begins only when it commits. */
    public static final String BEGIN = "begin";
    public static final String BLIND = "blind";
    /** Of an invocation: what happens to its client in the middle of the commit, see {@code MortalLog}. */
    public static final String FATE = "fate";

    public boolean isClient() {
        return process instanceof Long;
    }

    public boolean isFast() {
        return FAST.equals(more.get(PATH));
    }

    public boolean isBlind() {
        return BLIND.equals(more.get(BEGIN));
    }

    public boolean isNative() {
        return NATIVE.equals(more.get(PATH));
    }

    /** A timestamp among {@link #more}; 0 if there is none. */
    public long number(String field) {
        return more.get(field) instanceof Long number ? number : 0;
    }

    /** The micro-operations; none if the value is something else. */
    public List<List<Object>> micro() {
        return micro(value);
    }

    /** By tags. */
    public List<List<Object>> tagged() {
        return micro(more.get(TXN));
    }

    @SuppressWarnings("unchecked")
    private static List<List<Object>> micro(Object value) {
        return value instanceof List<?> list && list.stream().allMatch(m -> m instanceof List<?> each && each.size() == 3)
                ? (List<List<Object>>) value : List.of();
    }

    public Op with(String field, Object what) {
        Map<String, Object> all = new LinkedHashMap<>(more);
        all.put(field, what);
        return new Op(index, time, type, process, f, value, all);
    }
}
