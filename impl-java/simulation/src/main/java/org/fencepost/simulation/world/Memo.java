package org.fencepost.simulation.world;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fencepost.protocol.Timestamps;
import org.fencepost.protocol.history.HistoryTransaction;
import org.fencepost.protocol.history.HistoryTransaction.Outcome;

/** What clients remember of a transaction for the judge. */
public class Memo {

    public final HistoryTransaction record;
    /** NIL until the manager has given one. */
    public long commitTs;
    /** What clients were told, some of them later; empty if nothing, or that the outcome is unknown. */
    public final Set<Outcome> told = EnumSet.noneOf(Outcome.class);
    /** Where there are checkpoints, the levels at which it wrote each key, and whether that was a delete. */
    public final Map<String, TreeMap<Integer, Boolean>> levels = new TreeMap<>();
    /** There, too: whether it is between a checkpoint and a snapshot. */
    public boolean excluding;
    /** And the records of others that it read, by key. */
    public final Map<String, Set<Long>> versionsRead = new TreeMap<>();
    /** The keys of an index at which it has looked for records of others. */
    public final Set<String> asked = new TreeSet<>();
    /** When they were first told. */
    public long toldNanos;

    /** The judge is told that a fast-path write was stored. The version is given once: a second one nobody answers for. */
    public void stored(long version) {
        commitTs = commitTs == Timestamps.NIL ? version : commitTs;
    }

    public Memo(HistoryTransaction record) {
        this.record = record;
    }

    public void told(Outcome outcome, long nanos) {
        if (told.isEmpty()) {
            toldNanos = nanos;
        }
        told.add(outcome);
    }
}
