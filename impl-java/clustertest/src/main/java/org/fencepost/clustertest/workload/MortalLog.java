package org.fencepost.clustertest.workload;

import java.util.concurrent.TimeUnit;
import org.fencepost.protocol.mediator.Log;
import org.fencepost.protocol.mediator.LogRecord;

/**
 * Mediator's log, as clients have it that die or stand still in the middle of a commit. What they leave is for the helper: a transaction that is
 * not in the log it aborts, by a record, which a client that only was slow learns as an abort of cause SETTLED; one that is in the log it
 * writes back. Thread-safe.
 */
public final class MortalLog implements Log<byte[]> {

    /** It dies before its record is sent. */
    public static final String UNLOGGED = "unlogged";
    /** It dies when its record is in the log, and nothing is written back. */
    public static final String LOGGED = "logged";
    /** It sends its record late. */
    public static final String LATE = "late";

    /** What such a client throws. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;

        Death(String fate) {
            super("the client died in its commit: " + fate);
        }
    }

    /** The helper comes after one to two seconds, unless it has much to do. */
    private static final long LATE_MILLIS = 3_000;

    private final Log<byte[]> log;
    private final ThreadLocal<String> fate = new ThreadLocal<>();

    public MortalLog(Log<byte[]> log) {
        this.log = log;
    }

    /** Commits on this thread. Nothing happens to a commit that needs no record. */
    public void meeting(String what, Runnable commit) {
        fate.set(what);
        try {
            commit.run();
        } finally {
            fate.remove();
        }
    }

    @Override
    public boolean append(LogRecord<byte[]> record) {
        String meets = fate.get();
        fate.remove(); // a record that is sent again is sent as others are
        if (UNLOGGED.equals(meets)) {
            throw new Death(meets);
        }
        if (LATE.equals(meets)) {
            stand();
        }
        boolean commits = log.append(record);
        if (LOGGED.equals(meets)) {
            throw new Death(meets);
        }
        return commits;
    }

    private static void stand() {
        try {
            TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
