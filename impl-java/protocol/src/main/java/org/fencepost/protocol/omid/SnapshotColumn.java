package org.fencepost.protocol.omid;

import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.Versions;

/**
 * What a transaction sees of a key, as far as the records themselves tell: for region servers, which ask no commit table
 * (VLDB'18 Alg. 3, Read; specs/Checkpoints.tla, Read). It is shown the records from new to old, and stops at the first that decides.
 *
 * <p>A record without commit cell that may matter makes the key undecided: its reader asks the commit table, heals or invalidates, see
 * {@link SnapshotReader}. A server does none of that: a request that waited for another server, perhaps for itself, would keep a handler
 * from those that it waits for. So what a server decides is what any reader would find who met the same records.
 */
public final class SnapshotColumn {

    /** What a record means. */
    public enum Sees {
        /** The record is the answer. */
        THIS,
        /** It is not in the snapshot, nor in the way: look at the next one. The key has nothing if there is none. */
        OLDER,
        /** Only the commit table can tell. */
        UNDECIDED
    }

    private final long snapshot;
    private final Versions versions;
    private long passed = Timestamps.NIL;

    /**
     * @param snapshot the transaction's start timestamp
     * @param versions of the table
     */
    public SnapshotColumn(long snapshot, Versions versions) {
        this.snapshot = snapshot;
        this.versions = versions;
    }

    /**
     * The next record.
     *
     * @param version  not above the last own level that is read
     * @param commitTs by its commit cell, or by its version if that is the fast path's; NIL if they do not tell
     */
    public Sees meet(long version, long commitTs) {
        if (isOwn(version, snapshot, versions)) {
            return Sees.THIS;
        }
        long writer = versions.writerOf(version);
        if (isPassed(writer)) {
            return Sees.OLDER;
        }
        passed = writer;
        if (isPending(commitTs)) {
            return Sees.UNDECIDED;
        }
        return isInSnapshot(commitTs) ? Sees.THIS : Sees.OLDER;
    }

    /** Own records come first. (No guard here: they have no commit cell, so that their reader would look for himself.) */
    public static boolean isOwn(long version, long snapshot, Versions versions) {
        return versions.writerOf(version) == snapshot;
    }

    /** Of a writer's levels only the last one has a commit cell, and it was met first. (No guard: the reader would pass over them, too.) */
    private boolean isPassed(long writer) {
        return writer == passed;
    }

    /** Guard: whoever is pending may have committed before the snapshot. */
    private static boolean isPending(long commitTs) {
        return commitTs == Timestamps.NIL;
    }

    /** Guard: a record is read if it was committed before the snapshot. */
    private boolean isInSnapshot(long commitTs) {
        return commitTs < snapshot;
    }
}
