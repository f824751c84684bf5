package org.fencepost.protocol.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.fencepost.protocol.store.Record;

/**
 * What a client saw of one transaction: when it called begin and when its commit returned, its timestamps, its
 * operations in order, how it ended. Filled by one thread, then given to a {@link History}.
 */
public final class HistoryTransaction {

    /** How a transaction ended, as far as its client knows. */
    public enum Outcome {
        COMMITTED,
        /** It did not commit and never will. A client that died before it had a commit timestamp counts here too. */
        ABORTED,
        /** It had a commit timestamp, and its client did not learn the rest: it has committed if anyone read it. */
        UNKNOWN
    }

    /** The kinds of operation. */
    public enum Kind { READ, WRITE, DELETE }

    /**
     * @param key     anything with equals and hashCode, the same thing in all transactions
     * @param version of a read: the version returned, 0 for nothing; of a write: not used
     */
    public record Operation(Kind kind, Object key, long version) {

        @Override
        public String toString() {
            return kind == Kind.READ ? "read " + key + " @" + version : kind.name().toLowerCase() + " " + key;
        }
    }

    /** A read of all keys from one inclusive to another exclusive, which found these, and came before operation {@code position}. */
    private record RangeRead(int position, Comparable<?> from, Comparable<?> to, Map<Object, Long> found) {
    }

    /** How it went about. */
    private enum Path { REGULAR, BLIND, FAST, NATIVE }

    private final long begunNanos;
    private final Path path;
    private Object process;
    private long firstReadNanos;
    private long startTs;
    private final List<Operation> operations = new ArrayList<>(4);
    private final List<RangeRead> ranges = new ArrayList<>(0);
    private long commitTs;
    private long answeredNanos;
    private Outcome outcome = Outcome.ABORTED;

    /** @param begunNanos monotonic, taken before begin was called; all clients must share the clock */
    public HistoryTransaction(long begunNanos, long startTs) {
        this(begunNanos, startTs, Path.REGULAR);
    }

    private HistoryTransaction(long begunNanos, long startTs, Path path) {
        this.begunNanos = begunNanos;
        this.startTs = startTs;
        this.path = path;
        this.firstReadNanos = begunNanos;
    }

    /** A fast-path transaction: it has no start timestamp, unless it writes; then that is its version. */
    public static HistoryTransaction fast(long begunNanos) {
        return new HistoryTransaction(begunNanos, 0, Path.FAST);
    }

    /** A blind transaction: one that writes alone, and gets its start timestamp when it commits. That may be its commit timestamp, too. */
    public static HistoryTransaction blind(long begunNanos) {
        return new HistoryTransaction(begunNanos, 0, Path.BLIND);
    }

    /** A single put or get beside transactions. A put's stamp is its commit timestamp. */
    public static HistoryTransaction nativeOperation(long begunNanos) {
        return new HistoryTransaction(begunNanos, 0, Path.NATIVE);
    }

    /**
     * Tells who executed it, which {@link MixedChecker} wants to know: one at a time. Whoever did not learn how one ended is
     * another process from then on.
     */
    public HistoryTransaction by(Object who) {
        process = who;
        return this;
    }

    /** Tells when the first read was sent: what its process did natively before that precedes it, although it had begun. */
    public void readsFrom(long nanos) {
        firstReadNanos = firstReadNanos == begunNanos ? nanos : firstReadNanos;
    }

    /** @param found what the read returned; null for nothing. A tombstone counts by its version */
    public void read(Object key, Record<?> found) {
        read(key, found == null ? 0 : found.version());
    }

    public void read(Object key, long version) {
        operations.add(new Operation(Kind.READ, key, version));
    }

    /** The same of a statement that does not see the transaction's own writes: as if it came before them. */
    public void readBefore(Object key, long version) {
        operations.add(0, new Operation(Kind.READ, key, version));
    }

    /**
     * A range read. A key of the range that it did not find counts as read, with nothing there, if any transaction of the
     * history wrote it.
     *
     * @param from  inclusive
     * @param to    exclusive; comparable with all keys of the history
     * @param found the keys returned, with their versions
     */
    public void range(Comparable<?> from, Comparable<?> to, Map<?, Long> found) {
        ranges.add(new RangeRead(operations.size(), from, to, new LinkedHashMap<>(found)));
    }

    boolean hasRanges() {
        return !ranges.isEmpty();
    }

    /** The same with each range read as reads of its keys. */
    HistoryTransaction withoutRanges(NavigableSet<Object> writtenKeys) {
        HistoryTransaction expanded = new HistoryTransaction(begunNanos, startTs);
        int next = 0;
        for (RangeRead range : ranges) {
            expanded.operations.addAll(operations.subList(next, range.position()));
            next = range.position();
            Map<Object, Long> found = new LinkedHashMap<>(range.found());
            writtenKeys.subSet(range.from(), true, range.to(), false).forEach(key -> found.putIfAbsent(key, 0L));
            found.forEach((key, version) -> expanded.read(key, version));
        }
        expanded.operations.addAll(operations.subList(next, operations.size()));
        return expanded.end(outcome, commitTs, answeredNanos);
    }

    public void write(Object key) {
        operations.add(new Operation(Kind.WRITE, key, 0));
    }

    public void delete(Object key) {
        operations.add(new Operation(Kind.DELETE, key, 0));
    }

    /** Another write of a key that it has written: the last one counts. */
    public void rewrite(Object key, boolean delete) {
        operations.replaceAll(op -> op.kind() == Kind.READ || !op.key().equals(key) ? op : new Operation(delete ? Kind.DELETE : Kind.WRITE, key, 0));
    }

    /** Of a blind one: its start timestamp, which was not known before. */
    public void startsAt(long ts) {
        startTs = ts;
    }

    /**
     * @param ts            0 for a transaction that wrote nothing, or never got one
     * @param nowNanos      taken after commit returned; not used for aborted and unknown transactions
     */
    public HistoryTransaction end(Outcome how, long ts, long nowNanos) {
        outcome = how;
        commitTs = ts;
        answeredNanos = nowNanos;
        startTs = path == Path.REGULAR || path == Path.BLIND ? startTs : ts;
        return this;
    }

    /** Whether its timestamps may be the two of one transaction: the second comes later, unless it is blind. */
    boolean inOrder() {
        return commitTs > startTs || path == Path.BLIND && commitTs == startTs;
    }

    /** A transaction of the fast path. */
    public boolean isFast() {
        return path == Path.FAST;
    }

    /** A single operation beside transactions. */
    public boolean isNative() {
        return path == Path.NATIVE;
    }

    /** Null if nobody told. */
    public Object process() {
        return process;
    }

    public long begunNanos() {
        return begunNanos;
    }

    /** When the first read was sent; when it was begun, if nobody told. */
    public long firstReadNanos() {
        return firstReadNanos;
    }

    public long answeredNanos() {
        return answeredNanos;
    }

    public long startTs() {
        return startTs;
    }

    public long commitTs() {
        return commitTs;
    }

    public Outcome outcome() {
        return outcome;
    }

    public List<Operation> operations() {
        return operations;
    }

    @Override
    public String toString() {
        return (path == Path.REGULAR ? "" : path.name().toLowerCase() + " ") + "[" + startTs + ", " + (commitTs == 0 ? "-" : commitTs) + "] " + outcome + " " + operations
                + " begun " + begunNanos + (answeredNanos == Long.MAX_VALUE ? " not answered" : " answered " + answeredNanos)
                + (process == null ? "" : " by " + process);
    }
}
