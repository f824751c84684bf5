package org.fencepost.protocol.manager;

import java.util.function.Supplier;

/**
 * What a server knows of the timestamps that its transaction manager has given. A request that claims a timestamp lifts the server's clock,
 * for good, and what is written later comes after it; so a timestamp that nobody has been given would hide those writes from all
 * transactions until the manager comes to it. Here it is checked first (specs/FastPath.tla, CanBeGiven).
 *
 * <p>The manager is asked when in doubt, and not for each request. Below the <em>next</em> timestamp that it told last, all were given. From
 * those who may write, anything below its durable <em>limit</em> is believed: they could as well write nonsense. From others, who may
 * read only, nothing is believed: the manager is asked whether it has come that far. A timestamp was given before its request was sent, so a
 * manager that is asked after that has always come that far, and an honest reader is never refused.
 *
 * <p>Before the manager has told anything nobody draws versions on this server, and there is no clock to protect ({@link #known}): who starts to
 * draw calls {@link #ask} first and gets a timestamp of its own afterwards, which is later than all that came by before.
 *
 * <p>Thread-safe. Those who have to ask wait for one answer together.
 */
public final class GivenTimestamps {

    private final Supplier<ManagerInfo> manager;
    /** What was told last; null before. Both numbers in it only grow. */
    private volatile ManagerInfo told;
    /** Questions that were sent, and those that have ended; one that was sent after I came is mine, too. Guarded by this. */
    private long sent;
    private long ended;
    /** Why the last one failed; null if it was answered. */
    private TransactionManagerException failure;

    /** @param manager asks the transaction manager; may throw {@link TransactionManagerException} */
    public GivenTimestamps(Supplier<ManagerInfo> manager) {
        this.manager = manager;
    }

    /** The same without a question: false if in doubt. */
    public boolean isKnown(long ts, boolean mayWrite) {
        return isBelow(ts, told, mayWrite);
    }

    /** Whether the manager has told anything yet. */
    public boolean known() {
        return told != null;
    }

    /** What it told last; null before. */
    public ManagerInfo told() {
        return told;
    }

    /**
     * Guard: whether the manager can have given this timestamp.
     *
     * @param mayWrite whether the one who claims it is trusted with writes
     * @throws TransactionManagerException if it has to be asked and does not answer
     */
    public boolean canBeGiven(long ts, boolean mayWrite) {
        return isKnown(ts, mayWrite) || isBelow(ts, ask(), mayWrite);
    }

    private static boolean isBelow(long ts, ManagerInfo told, boolean mayWrite) {
        return told != null && (ts < told.next() || mayWrite && ts < told.limit());
    }

    /** Asks the manager, or takes the answer to a question that another thread sends after this call. */
    public ManagerInfo ask() {
        long mine;
        synchronized (this) {
            mine = sent + 1;
            while (sent > ended && ended < mine) {
                awaitEnd();
            }
            if (ended >= mine) {
                return answer();
            }
            sent = mine;
        }
        ManagerInfo info = null;
        TransactionManagerException problem = new TransactionManagerException("The transaction manager could not be asked.");
        try {
            info = manager.get();
            problem = null;
        } catch (TransactionManagerException e) {
            problem = e;
        } finally {
            end(mine, info, problem);
        }
        return info == null ? throwing(problem) : info;
    }

    private synchronized void end(long question, ManagerInfo info, TransactionManagerException problem) {
        ended = question;
        failure = problem;
        told = info == null ? told : latest(told, info);
        notifyAll();
    }

    private ManagerInfo answer() {
        return failure == null ? told : throwing(failure);
    }

    private static ManagerInfo throwing(TransactionManagerException e) {
        throw new TransactionManagerException(e.getMessage(), e);
    }

    private void awaitEnd() {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransactionManagerException("Interrupted while waiting for the transaction manager.", e);
        }
    }

    /** A primary that was deposed meanwhile may have told less. */
    private static ManagerInfo latest(ManagerInfo before, ManagerInfo now) {
        return before != null && before.next() > now.next() ? before : now;
    }
}
