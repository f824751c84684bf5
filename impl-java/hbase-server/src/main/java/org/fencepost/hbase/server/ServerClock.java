package org.fencepost.hbase.server;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.fencepost.hbase.layout.Settings;
import org.fencepost.protocol.Versions;
import org.fencepost.protocol.manager.ManagerInfo;
import org.fencepost.protocol.region.LocalVersionClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local version clock that the regions of a server share. There is one for each commit table, and one for each table of Mediator. It
 * lives as long as one of its regions is open; a region that is opened later takes nothing from it without asking the transaction
 * manager.
 *
 * <p>Requests lift the clock only to timestamps that the transaction manager can have given: {@link #admits}.
 */
final class ServerClock {

    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);
    private static final long RETRY_MILLIS = 500;

    /** The span too: tables that disagree on it get clocks of their own, each of them right. */
    private record Id(ServerManager manager, TableName table, Versions versions) {
    }

    /** Whether a region may take its time from a manager. Throws IOException with one sentence if not, or if that could not be found out. */
    interface Ours {
        void require(ManagerInfo manager) throws IOException;
    }

    private static final Map<Id, ServerClock> CLOCKS = new HashMap<>();

    private final Id id;
    private final LocalVersionClock clock;
    /** Guarded by CLOCKS. */
    private int users;

    private ServerClock(Id id) {
        this.id = id;
        this.clock = new LocalVersionClock(id.versions());
    }

    /**
     * {@link #close} must follow.
     *
     * @param table the commit table, or the table of Mediator
     * @throws IllegalArgumentException if the span is none or the way to the transaction manager is not configured
     */
    static ServerClock open(RegionCoprocessorEnvironment region, TableName table, Versions versions) {
        new LocalVersionClock(versions); // which knows what a span is
        ServerManager manager = ServerManager.open(region, table);
        synchronized (CLOCKS) {
            ServerClock clock = CLOCKS.computeIfAbsent(new Id(manager, table, versions), ServerClock::new);
            clock.users++;
            return clock;
        }
    }

    void close() {
        synchronized (CLOCKS) {
            if (--users == 0) {
                CLOCKS.remove(id);
            }
        }
        id.manager().close();
    }

    LocalVersionClock clock() {
        return clock;
    }

    ServerManager manager() {
        return id.manager();
    }

    /**
     * Guard: whether a request that claims this timestamp lifts the clock. False as long as nobody can draw a version on this server: who
     * begins to will have a later one.
     *
     * @param mayWrite whether the caller is trusted with writes; asked only where it matters
     * @throws DoNotRetryIOException  if the transaction manager has given no such timestamp, or leaves no room for versions
     * @throws RegionTooBusyException if it has to be asked and does not answer
     */
    boolean admits(long ts, BooleanSupplier mayWrite) throws IOException {
        if (!clock.isTimestamp(ts)) {
            throw new DoNotRetryIOException("Timestamp " + ts + " is no multiple of the table's span " + id.versions().span()
                    + ": start the transaction manager with a leap of " + id.versions().span() + ".");
        }
        if (ts <= clock.now()) {
            return true;
        }
        if (!id.manager().given().known()) {
            return false;
        }
        requireGiven(id.manager(), ts, mayWrite);
        return true;
    }

    /** The same for whoever has no clock. */
    static void requireGiven(ServerManager manager, long ts, BooleanSupplier mayWrite) throws IOException {
        boolean writer = mayWrite.getAsBoolean();
        if (!manager.given().isKnown(ts, writer) && !manager.whileClientWaits(() -> manager.given().canBeGiven(ts, writer))) {
            throw new DoNotRetryIOException("Timestamp " + ts + " was not given by the transaction manager that the region server has"
                    + " (" + Settings.TM_ZOOKEEPER + "): connect the client to the same one.");
        }
    }

    /** One thread does it for all regions, each region with a question of its own. */
    void bootstrapClock(Ours ours, BooleanSupplier stillNeeded, Runnable then) {
        attemptIn(0, ours, stillNeeded, then);
    }

    private void attemptIn(long millis, Ours ours, BooleanSupplier stillNeeded, Runnable then) {
        try {
            id.manager().background().schedule(() -> attempt(ours, stillNeeded, then), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // closed meanwhile
        }
    }

    /** First the question and then the lift: what comes by after the question lifts the clock itself, and what came before is older. */
    private void attempt(Ours ours, BooleanSupplier stillNeeded, Runnable then) {
        if (!stillNeeded.getAsBoolean()) {
            return;
        }
        try {
            ours.require(id.manager().given().ask());
            clock.bootstrapClock(id.manager().manager());
            then.run();
        } catch (IOException | RuntimeException | Error e) { // an Error, too: the executor would keep it to itself, and nobody would ask again
            LOG.warn("No versions for {} from {} yet: {}", id.table(), id.manager(), e instanceof Error ? e.toString() : e.getMessage());
            attemptIn(RETRY_MILLIS, ours, stillNeeded, then);
        }
    }
}
