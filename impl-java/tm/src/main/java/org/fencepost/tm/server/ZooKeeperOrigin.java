package org.fencepost.tm.server;

import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.fencepost.tm.failover.Floor;
import org.fencepost.tm.failover.Origin;
import org.fencepost.tm.zookeeper.EpochRecord;
import org.fencepost.tm.zookeeper.SharedObjects;
import org.fencepost.tm.zookeeper.SharedObjects.UnreachableException;
import org.fencepost.tm.zookeeper.SharedObjects.Versioned;
import org.fencepost.tm.zookeeper.ZooKeeperObjects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A system of transaction managers, as ZooKeeper has it: its identity, a name that was drawn once, and maxTS. Who has the one and not the
 * other has lost something, and goes on only if an operator says from where. A new system begins where neither is: its first manager writes
 * maxTS, with the time, and then the identity; so one that dies in between has lost nothing. Systems from before there were identities get
 * theirs now, and go on where they are.
 *
 * <p>Nothing is written before the tables have agreed ({@link Floor}), and nothing needs the lease: each write names what it replaces.
 */
final class ZooKeeperOrigin implements Origin {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperOrigin.class);
    private static final Pattern IDENTITY = Pattern.compile("[A-Za-z0-9-]{1,64}");
    /** Who wrote maxTS, where it was no primary: names of processes have more letters. */
    private static final String FIRST = "first";
    private static final String RECOVERY = "recovery";

    /**
     * What an operator says when something is lost.
     *
     * @param from     maxTS is raised to at least this; 0: it is not
     * @param identity of the system, where ZooKeeper has none any more; null: a new one
     */
    record Recovery(long from, String identity) {

        static final Recovery NONE = new Recovery(0, null);

        /** Throws IllegalArgumentException, with a sentence, for values that make no sense. */
        Recovery {
            if (from < 0) {
                throw new IllegalArgumentException("--recover-from must be a timestamp, not " + from + ".");
            }
            if (identity != null) {
                requireIdentity(identity);
                if (from == 0) {
                    throw new IllegalArgumentException("--recover-identity makes sense with --recover-from only.");
                }
            }
        }
    }

    private final ZooKeeperObjects zooKeeper;
    private final long leap;
    private final Floor floor;
    private final Recovery recovery;
    private final LongSupplier wallMillis;
    /** For a new system; the same as often as it is tried. */
    private final String drawn = UUID.randomUUID().toString();

    ZooKeeperOrigin(ZooKeeperObjects zooKeeper, long leap, Floor floor, Recovery recovery, LongSupplier wallMillis) {
        this.zooKeeper = zooKeeper;
        this.leap = leap;
        this.floor = floor;
        this.recovery = recovery;
        this.wallMillis = wallMillis;
    }

    @Override
    public Ground ground() throws UnreachableException {
        Versioned maxTs = zooKeeper.find(SharedObjects.MAX_TS);
        Versioned named = zooKeeper.find(SharedObjects.IDENTITY);
        String identity = isEmpty(named) ? newIdentity() : requireIdentity(named.text());
        long known = floor.floor(identity);
        EpochRecord last = isEmpty(maxTs) ? first(named) : EpochRecord.parse(maxTs.text());
        EpochRecord from = recovery.from() > last.limit() ? new EpochRecord(recovery.from(), RECOVERY, last.lifetimeMillis()) : last;
        requireAbove(known, from.limit());
        TimestampSupply.requireADay(from.limit(), leap);
        write(SharedObjects.MAX_TS, from.text(), maxTs);
        write(SharedObjects.IDENTITY, identity, named);
        return new Ground(identity, from.limit());
    }

    private static boolean isEmpty(Versioned found) {
        return found == null || found.text().isEmpty();
    }

    private String newIdentity() {
        return recovery.identity() == null ? drawn : recovery.identity();
    }

    /** Where there is no maxTS. */
    private EpochRecord first(Versioned named) {
        if (recovery.from() > 0) {
            return EpochRecord.parse("");
        }
        if (!isEmpty(named)) {
            throw new IllegalArgumentException("maxTS is missing in ZooKeeper, although system " + named.text() + " has given timestamps: restore it"
                    + " from a backup, or start once with --recover-from and a timestamp above all that were given, or timestamps would be given twice.");
        }
        return new EpochRecord(TimestampSupply.first(wallMillis.getAsLong(), leap), FIRST, 0);
    }

    private static void requireAbove(long known, long limit) {
        if (limit < known) {
            throw new IllegalArgumentException("maxTS in ZooKeeper is " + limit + ", but the tables have timestamps up to " + known + ": it is of"
                    + " another system, or an old copy; restore it, or start once with --recover-from " + known + ", or timestamps would be given twice.");
        }
    }

    private static String requireIdentity(String text) {
        if (!IDENTITY.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no identity of transaction managers: restore it in ZooKeeper as it was.");
        }
        return text;
    }

    /** If it is not there already. Another manager that is faster writes as good a one: then all is looked at again. */
    private void write(String name, String text, Versioned present) throws UnreachableException {
        if (present != null && present.text().equals(text)) {
            return;
        }
        boolean written = present == null ? zooKeeper.create(name, text) : zooKeeper.compareAndSet(name, text, present.version()) >= 0;
        if (!written) {
            throw new UnreachableException("Another transaction manager has written " + name + " at the same time.", null);
        }
        LOG.info("Wrote {} '{}'{}.", name, text, isEmpty(present) ? "" : " for '" + present.text() + "'");
    }
}
