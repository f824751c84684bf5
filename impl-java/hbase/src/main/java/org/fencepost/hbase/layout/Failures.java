package org.fencepost.hbase.layout;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.fencepost.protocol.store.StoreException;

/** Turns what HBase throws into one sentence. */
public final class Failures {

    private Failures() {
    }

    public static StoreException store(String what, TableName table, IOException e) {
        if (isInterruption(e)) {
            Thread.currentThread().interrupt();
        }
        return new StoreException("Could not " + what + " in HBase table " + table + ": " + reason(e), e);
    }

    /** Whether the caller's thread was interrupted: then nothing is to be tried again. */
    public static boolean isInterruption(IOException e) {
        return e instanceof InterruptedIOException && !(e instanceof java.net.SocketTimeoutException);
    }

    /** Whether a region server refused a put, perhaps among others, because a newer version is committed. */
    public static boolean isNewerCommit(Throwable e) {
        if (e instanceof RetriesExhaustedWithDetailsException details
                && details.getCauses().stream().anyMatch(Failures::isNewerCommit)) {
            return true;
        }
        String message = e.getMessage();
        return message != null && e instanceof FailedSanityCheckException && message.contains(Refusals.NEWER_COMMIT)
                || e.getCause() != null && isNewerCommit(e.getCause());
    }

    /** Whether a region server refused a fast-path write, as it would any other, before it did anything. */
    public static boolean isNoFastPath(Throwable e) {
        String message = e.getMessage();
        return e instanceof TableNotFoundException || e instanceof AccessDeniedException
                || message != null && e instanceof DoNotRetryIOException && (message.contains(Refusals.NO_FAST_PATH)
                        || message.contains(UnreadableCellException.PAST_FENCEPOST))
                || e.getCause() != null && isNoFastPath(e.getCause());
    }

    /** Whether a region server refused what is no write of a transaction, as one does that is older than the request. */
    public static boolean isOutside(Throwable e) {
        String message = e.getMessage();
        return message != null && e instanceof DoNotRetryIOException && message.contains(OmidWrites.REFUSED)
                || e.getCause() != null && isOutside(e.getCause());
    }

    public static InterruptedIOException interrupted(InterruptedException e) {
        InterruptedIOException io = new InterruptedIOException("interrupted while waiting for HBase");
        io.initCause(e);
        return io;
    }

    /** HBase's messages run over many lines, one per attempt; the root cause says it. */
    public static String reason(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && (root instanceof RetriesExhaustedException || root.getMessage() == null)) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        String first = message.lines().findFirst().orElse("").strip();
        String sentence = root instanceof TableNotFoundException || root instanceof NoSuchColumnFamilyException
                ? root.getClass().getSimpleName() + ": " + first : first;
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
