package org.fencepost.tm.client;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.manager.TransactionManagerException;
import org.fencepost.tm.wire.Condition;
import org.fencepost.tm.wire.Wire;

/** A request on its way through the client; those whose answer is more than a number extend it. */
class Request {

    private static final long[] NONE = {};

    private final byte type;
    /**
     * The start timestamp of a COMMIT, COMMIT_AGAIN, RENEW, PENDING or END, the table of a FENCE, the commit timestamp of a TSO_ABORT or
     * TX_COMMIT.
     */
    private final long subject;
    /** Of a COMMIT_AGAIN. */
    private final long comparedUpTo;
    private final long[] writeSet;
    private final long[] tables;
    final long deadlineNanos;
    final CompletableFuture<Long> answer = new CompletableFuture<>();
    /** When it was sent last, and as which number on that connection. */
    long sentNanos;
    int id;

    Request(byte type, long subject, long[] writeSet, long[] tables, long deadlineNanos) {
        this(type, subject, subject, writeSet, tables, deadlineNanos);
    }

    Request(byte type, long subject, long comparedUpTo, long[] writeSet, long[] tables, long deadlineNanos) {
        this.type = type;
        this.subject = subject;
        this.comparedUpTo = comparedUpTo;
        this.writeSet = writeSet;
        this.tables = tables;
        this.deadlineNanos = deadlineNanos;
    }

    Request(byte type, long subject, long deadlineNanos) {
        this(type, subject, NONE, NONE, deadlineNanos);
    }

    void writeTo(ByteBuf out) {
        switch (type) {
            case Wire.COMMIT -> Wire.writeCommit(out, id, subject, writeSet, tables);
            case Wire.COMMIT_AGAIN -> Wire.writeCommitAgain(out, id, subject, comparedUpTo, writeSet, tables);
            case Wire.COMMIT_BLINDLY -> Wire.writeCommitBlindly(out, id, writeSet);
            case Wire.END -> Wire.writeEnd(out, subject);
            case Wire.RENEW, Wire.FENCE, Wire.PENDING -> Wire.writeOne(out, type, id, subject);
            case Wire.TSO_ABORT, Wire.TX_COMMIT -> Wire.writeSettled(out, type, subject);
            default -> Wire.writePlain(out, type, id);
        }
    }

    boolean isAnswered() {
        return type != Wire.END && type != Wire.TSO_ABORT && type != Wire.TX_COMMIT;
    }

    /** Its answer may come after those of later requests. */
    boolean waitsForLog() {
        return type == Wire.APPEND;
    }

    /**
     * Asking again does no harm: a begin whose answer was lost merely ends by its lifetime, and of two records one counts. Who was renewed twice lives
     * from the second on, and counts from before the first.
     */
    boolean isRepeatable() {
        return switch (type) {
            case Wire.BEGIN, Wire.RENEW, Wire.PENDING, Wire.WATERMARK, Wire.HEALTH, Wire.TX_BEGIN, Wire.APPEND -> true;
            default -> false;
        };
    }

    /** The answer to a TX_BEGIN. Throws IllegalArgumentException if the changes make no sense. */
    void begun(long startTs, long[] changes) {
        throw new IllegalArgumentException("A begin was answered that was not asked for.");
    }

    /** The answer to a HEALTH. Throws IllegalArgumentException if it is none. */
    void told(Condition condition, ManagerInfo info) {
        throw new IllegalArgumentException("A condition was told that was not asked for.");
    }

    /** What the manager's limit is for; a timestamp more counts as one. */
    int hashes() {
        return writeSet.length + tables.length + (type == Wire.COMMIT_AGAIN ? 1 : 0);
    }

    void fail(TransactionManagerException problem) {
        answer.completeExceptionally(problem);
    }
}
