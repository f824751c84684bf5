package org.fencepost.simulation.failover;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.fencepost.simulation.world.EventLog;
import org.fencepost.simulation.world.Failure;
import org.fencepost.tm.failover.Tenure;
import org.fencepost.tm.zookeeper.EpochRecord;

/**
 * Watches the transaction managers together, by the properties of specs/TMFailover.tla: UniqueTimestamps, BelowMaxTs,
 * EpochsInOrder, TimestampsFollowRealTime and OneLeads. Keeps what fails first.
 */
public final class Judge {

    private final long leap;
    private final long epochLength;
    private final List<ManagerProcess> processes = new ArrayList<>();
    private final TreeSet<Long> given = new TreeSet<>();
    private final TreeSet<Long> epochs = new TreeSet<>();
    /** Who has swapped maxTS up to there. */
    private final Map<Long, String> owners = new HashMap<>();
    private long maxTs;
    private long received;
    private final EventLog log;
    private Failure failure;

    /**
     * @param leap        the versions from a timestamp to the next one belong to the first one's transaction
     * @param epochLength by how much a swap raises maxTS
     */
    Judge(long leap, long epochLength, EventLog log) {
        this.log = log;
        this.leap = leap;
        this.epochLength = epochLength;
    }

    void watch(ManagerProcess process) {
        processes.add(process);
    }

    /** Null while all is well. */
    public Failure failure() {
        return failure;
    }

    private void fails(String property, String what) {
        if (failure == null) {
            failure = new Failure(property, what, null, log.events().size());
        }
    }

    /** A process has taken a step, and may lead: then nobody else may believe that he does. */
    void leads(ManagerProcess leader) {
        for (ManagerProcess other : processes) {
            if (other != leader && other.leads() && leader.leads()) {
                fails("OneLeads", leader.name() + " and " + other.name() + " both believe that they lead");
            }
        }
    }

    void begins(Tenure tenure) {
        if (!epochs.add(tenure.epoch())) {
            fails("EpochsInOrder", "two epochs begin at " + tenure.epoch());
        }
    }

    /** ZooKeeper has a new maxTS. Whose swap grants less than an epoch above the last one has an epoch that is another's, too. */
    void swapped(EpochRecord from, EpochRecord to) {
        if (to.limit() < from.limit() + epochLength) {
            fails("EpochsInOrder", "maxTS is swapped from " + from + " to " + to + ", and an epoch has " + epochLength);
        }
        maxTs = to.limit();
        owners.put(maxTs, to.owner());
    }

    /** @param tenure null before it was primary */
    void holds(String owner, Tenure tenure) {
        if (tenure != null && !owner.equals(owners.get(tenure.durableLimit()))) {
            fails("EpochsInOrder", owner + " takes an epoch up to " + tenure.durableLimit() + " for its own, which "
                    + owners.get(tenure.durableLimit()) + " has swapped for");
        }
    }

    /** A timestamp is given; its answer has not left yet. */
    void given(Tenure tenure, long ts) {
        Long near = given.floor(ts + leap - 1);
        if (near != null && near > ts - leap) {
            fails("UniqueTimestamps", "timestamp " + ts + " is given, and " + near + " has been");
        }
        given.add(ts);
        if (ts >= maxTs) {
            fails("BelowMaxTs", "timestamp " + ts + " is given, and maxTS is " + maxTs);
        }
        Long next = epochs.higher(tenure.epoch());
        if (next != null && ts >= next) {
            fails("EpochsInOrder", "timestamp " + ts + " is of the epoch from " + tenure.epoch() + " on, and the next began at " + next);
        }
    }

    /** The greatest timestamp that any client has received: what is asked for from now on must exceed it. */
    public long floor() {
        return received;
    }

    /** A client receives a timestamp that he asked for at that floor. */
    public void received(long ts, long floor) {
        if (ts <= floor) {
            fails("TimestampsFollowRealTime", "timestamp " + ts + " was asked for when a client had received " + floor);
        }
        received = Math.max(received, ts);
    }
}
